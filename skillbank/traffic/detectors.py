r"""What personal data and secrets look like in a text.

Each `Detector` has a cheap hint and an exact search. The hint is a pattern of RE2, run
over the JSON of whole batches of runs at hundreds of megabytes a second; it may cry
wolf, but must never miss what the exact search would find. The exact search reads only
the texts of runs that were hinted at, and must leave drawings alone: coordinates,
colours, sizes, ids, times.

A text may itself hold JSON, so a value may begin behind an escape such as `\n`; the
escape is never part of the value, or the JSON around it would break.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["secret", "email", "phone", "card", "iban", "name"]
Find = Callable[[str], Iterator[str]]

START = r"(?:(?<![\w\\])|(?<=\\[nrtbf])|(?<=\\u[0-9a-fA-F]{4})|(?<=\\)(?![nrtbfu]))"
"""Where a value may begin: not within a word, and never with half an escape."""
_GAP = "[ \u00a0\u202f./()\u2010-\u2015-]"  # what stands between groups of digits


@dataclass(frozen=True, slots=True)
class Detector:
    """One kind of thing that is to be masked."""

    kind: Kind
    hint: str
    """RE2, over JSON of runs: a superset of what `find` finds in their texts."""
    find: Find
    """Every value of this kind in a text, as it stands there."""


# --- secrets ------------------------------------------------------------------------

_TOKEN = re.compile(
    START + r"(?:(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    r"|sk-[\w-]{20,}|[srp]k_(?:live|test)_\w{16,}|gh[pousr]_[A-Za-z0-9]{30,}"
    r"|github_pat_\w{22,}|glpat-[\w-]{20,}|xox[abeprs]-[\w-]{10,}|AIza[\w-]{35}"
    r"|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,}|ya29\.[\w-]{20,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)",
    re.ASCII,
)
_PEM = re.compile(r"-----(BEGIN|END) [A-Z ]{0,30}PRIVATE KEY-----|\x00|\Z")
_IN_URL = re.compile(
    r"://([^\s/:@\"'<>\\\x00]{1,64}:[^\s/@\"'<>\\\x00]{1,128})@", re.ASCII
)
_BEARER = re.compile(r"\b(?i:bearer|basic)[ ]+([\w.~+/=-]{16,})", re.ASCII)
_KEYED = re.compile(
    r"(?i:api[_-]?key|secret|token|access[_-]?key|private[_-]?key|credential)"
    r"(?i:[_-]?(?:key|id))?[\\\"']*\s?[:=]\s?[\\\"']*([\w.~+/=-]{16,})",
    re.ASCII,
)
_PASSWORD = re.compile(
    r"(?i:password|passwd|passphrase|pwd)[\\\"']*(?:\s?[:=]\s?| is )[\\\"']*"
    r"([^\s\"'\\,;<>(){}\[\]\x00]{6,128})",
    re.ASCII,
)
_SECRET_HINT = (
    r"AKIA|ASIA|sk-[\w-]{20}|[srp]k_(?:live|test)_|gh[pousr]_\w{20}|github_pat_|glpat-"
    r"|xox[abeprs]-|AIza|hf_\w{20}|npm_\w{20}|pypi-\w{20}|ya29\.|SG\.[\w-]{16}"
    r"|eyJ[\w-]{8}|PRIVATE KEY-----|://[^/:@\"]{1,64}:[^/@\"]{1,128}@"
    r"|(?i:bearer|basic) +[\w.~+/=-]{16}"
    r"|(?i:api[_-]?key|secret|token|access[_-]?key|private[_-]?key|credential"
    r"|password|passwd|passphrase|pwd)(?i:[_-]?(?:key|id))?"
    r"[\\\"']*(?:(?:\s|\\[nrt])?[:=](?:\s|\\[nrt])?| is )[\\\"']*[^\s\"'\\]{6}"
)


def _secrets(text: str) -> Iterator[str]:
    yield from _keys(text)
    for hit in _TOKEN.finditer(text):
        if re.search(r"\d|[A-Z].*[a-z]", hit.group()[4:]):
            yield hit.group()
    yield from (hit.group(1) for hit in _IN_URL.finditer(text))
    for pattern in (_BEARER, _KEYED):
        yield from (h.group(1) for h in pattern.finditer(text) if _random(h.group(1)))
    for hit in _PASSWORD.finditer(text):
        if re.search(r"[\d!#$%&*+=?^_|~-]", hit.group(1)):
            yield hit.group(1)


def _keys(text: str) -> Iterator[str]:
    """Private keys, to their end or to the end of a text that was cut."""
    start = None
    for hit in _PEM.finditer(text) if "PRIVATE KEY-----" in text else ():
        if hit[1] == "BEGIN":
            start = hit.start() if start is None else start
        elif start is not None:
            yield text[start : hit.end() if hit[1] else hit.start()]
            start = None


def _random(text: str) -> bool:
    """Whether a long word looks drawn and not written: `brand-primary-500` does not."""
    digits = sum(letter.isdigit() for letter in text)
    mixed = any(c.isupper() for c in text) and any(c.islower() for c in text)
    return digits >= (1 if mixed else 4)


# --- e-mail addresses ---------------------------------------------------------------

_EMAIL = re.compile(
    START + r"(\w[\w.%+'-]{0,63})@((?:[A-Za-z0-9-]{1,63}\.){1,8})([A-Za-z]{2,24})"
    r"(?![A-Za-z0-9@])"
)
_FILE_ENDS = frozenset(
    [
        "avif",
        "bmp",
        "css",
        "eps",
        "gif",
        "gz",
        "html",
        "ico",
        "jpeg",
        "jpg",
        "js",
        "json",
        "md",
        "mp",
        "mov",
        "otf",
        "pdf",
        "png",
        "psd",
        "py",
        "svg",
        "tif",
        "tiff",
        "toml",
        "ts",
        "ttf",
        "txt",
        "webp",
        "woff",
        "xml",
        "yaml",
        "yml",
        "zip",
    ]
)


def _emails(text: str) -> Iterator[str]:
    for hit in _EMAIL.finditer(text):
        local, domain, end = hit.groups()
        asset = end.lower() in _FILE_ENDS or re.match(r"\d{1,2}(?:x|\.)", domain)
        if not asset and local != "git":  # logo@2x.png, package@1.2.3, git@host:path
            yield hit.group()


# --- phone numbers ------------------------------------------------------------------

_DATE = r"\d{4}-\d\d-\d"
_ABROAD = re.compile(
    r"(?<![\w.+)\]])\+[1-9]\d{0,2}"
    rf"(?:{_GAP}{{0,2}}(?!{_DATE})\d{{1,12}}){{1,6}}",
    re.ASCII,
)
_LAST_GROUP = re.compile(_GAP + r"+\d+$")
_AREA = re.compile(
    rf"(?<![\w)\\])\((?:0\d{{1,4}}|\d{{3}})\){_GAP}?\d{{3,4}}{_GAP}\d{{3,5}}(?!\d)",
    re.ASCII,
)
_US = re.compile(
    r"(?<![\w.\-#/])(?:1[ .-])?\d{3}([.\u2010-\u2015-])\d{3}\1\d{4}(?![\w-]|\.\d)",
    re.ASCII,
)
_ZERO = re.compile(
    r"(?<![\w.\-#/+,:])(?:0\d{2,4}[ \u00a0/]\d{3,4}[ -]?\d{3,4}|0\d(?:[ .]\d{2}){4})"
    r"(?![\w.]?\d)",
    re.ASCII,
)
_CALLED = re.compile(
    r"(?<![\w<])(?i:telephone|phone|tel|call|fax|whatsapp|dial|mobile (?:number|no))"
    r"(?i: (?:us|me|now|number|no|at|on|or|today)\b){0,3}[\\\"':.# ]{1,8}"
    rf"([(+]?\d(?:{_GAP}{{0,2}}\d){{6,14}})(?![\w*]|[.]\d)",
    re.ASCII,
)
_PHONE_HINT = (
    rf"\+[1-9](?:{_GAP}*\d){{7}}|\(\d{{2,5}}\){_GAP}?\d{{3}}"
    r"|\d{3}[.\x{2010}-\x{2015}-]\d{3}[.\x{2010}-\x{2015}-]\d{4}"
    r"|[^\w.]0\d{2,4}[ \x{a0}/]\d{3,4}[ -]?\d{3}|0\d(?:[ .]\d{2}){4}"
    r"|\\[nrtbf]0\d{2,4}[ \x{a0}/]\d{3}"
    rf"|(?i:phone|tel|call|fax|whatsapp|dial|number|no|us|me|now|at|on|or|today)"
    rf"[\\\"':.# ]{{1,24}}[(+]?\d(?:{_GAP}{{0,2}}\d){{6}}"
)


def _phones(text: str) -> Iterator[str]:
    for hit in _ABROAD.finditer(text):
        number = hit.group()
        while _runs_on(number) and (cut := _LAST_GROUP.search(number)):
            number = number[: cut.start()]
        n_digits = len(digits_of(number))
        if 8 <= n_digits <= 15 and (n_digits >= 10 or re.search(r"\d{3}", number)):
            yield number
    for pattern in (_AREA, _US, _ZERO):
        yield from (hit.group() for hit in pattern.finditer(text))
    for hit in _CALLED.finditer(text):
        if not re.match(_DATE, hit.group(1)):
            yield hit.group(1)


def _runs_on(number: str) -> bool:
    """Whether it holds the beginning of something else; E.164 has 15 digits at most."""
    return len(digits_of(number)) > 15 or number.count("(") > number.count(")")


def digits_of(text: str) -> str:
    """The decimal digits of a text, in their order."""
    return re.sub(r"\D", "", text)


# --- card and account numbers -------------------------------------------------------

_CARD = re.compile(
    r"(?:(?<![\w.\-\\])|(?<=\\[nrtbf]))(?:\d{12,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}"
    r"|\d{4}([ -])\d{6}\2\d{5})(?![\w]|[.-]\d)",
    re.ASCII,
)
_ISSUERS = re.compile(  # Visa, Mastercard, American Express, Discover, Diners, JCB
    r"4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}"
    r"|3[47]\d{13}|6(?:011|5\d\d)\d{12}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}"
)
_IBAN = re.compile(
    START + r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?", re.ASCII
)
_IBAN_LENGTHS = {  # of the registry of ISO 13616
    code[:2]: int(code[2:])
    for code in [
        "AD24",
        "AE23",
        "AL28",
        "AT20",
        "AZ28",
        "BA20",
        "BE16",
        "BG22",
        "BH22",
        "BR29",
        "BY28",
        "CH21",
        "CR22",
        "CY28",
        "CZ24",
        "DE22",
        "DK18",
        "DO28",
        "EE20",
        "EG29",
        "ES24",
        "FI18",
        "FO18",
        "FR27",
        "GB22",
        "GE22",
        "GI23",
        "GL18",
        "GR27",
        "GT28",
        "HR21",
        "HU28",
        "IE22",
        "IL23",
        "IQ23",
        "IS26",
        "IT27",
        "JO30",
        "KW30",
        "KZ20",
        "LB28",
        "LC32",
        "LI21",
        "LT20",
        "LU20",
        "LV21",
        "LY25",
        "MC27",
        "MD24",
        "ME22",
        "MK19",
        "MR27",
        "MT31",
        "MU30",
        "NL18",
        "NO15",
        "PK24",
        "PL28",
        "PS29",
        "PT25",
        "QA29",
        "RO24",
        "RS22",
        "SA24",
        "SC31",
        "SE24",
        "SI19",
        "SK24",
        "SM27",
        "ST25",
        "SV28",
        "TL23",
        "TN24",
        "TR26",
        "UA29",
        "VA22",
        "VG24",
        "XK20",
    ]
}


def _cards(text: str) -> Iterator[str]:
    for hit in _CARD.finditer(text):
        digits = digits_of(hit.group())
        if _ISSUERS.fullmatch(digits) and _luhn(digits):
            yield hit.group()


def _luhn(digits: str) -> bool:
    """Whether the last digit fits the others; ISO/IEC 7812-1, annex B."""
    doubled = [int(d) * 2 for d in digits[-2::-2]]
    plain = sum(int(d) for d in digits[-1::-2])
    return (plain + sum(d - 9 if d > 9 else d for d in doubled)) % 10 == 0


def _ibans(text: str) -> Iterator[str]:
    for hit in _IBAN.finditer(text):
        length = _IBAN_LENGTHS.get(hit.group()[:2], 0)
        held = list(re.finditer(r"[A-Z0-9]", hit.group()))
        if not length or len(held) < length:
            continue
        value = hit.group()[: held[length - 1].end()]
        plain = value.replace(" ", "")
        turned = "".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])
        if int(turned) % 97 == 1:  # ISO 13616-1
            yield value


# --- names in home folders ----------------------------------------------------------

HOME = re.compile(
    r"((?:(?<![\w.])/(?:home|Users)/|\b[A-Za-z]:(?:\\{1,4}|/)Users(?:\\{1,4}|/)))"
    r"(?!(?:root|runner|ubuntu|user|app|node|vscode|Shared|Public|Default|me|you)\b)"
    r"([^\s/\\\"'<>:;,|*?\x00]{1,64})(?=[/\\\"'\s:;,)]|$|\x00)"
)
"""A home folder: what stands before the name, the name. Service accounts are let be."""


def _names(text: str) -> Iterator[str]:
    yield from (hit.group(2) for hit in HOME.finditer(text))


DETECTORS: tuple[Detector, ...] = (
    Detector("secret", _SECRET_HINT, _secrets),
    Detector("email", r"@[A-Za-z0-9.-]+\.[A-Za-z]{2}", _emails),
    Detector("phone", _PHONE_HINT, _phones),
    Detector("card", r"[^0-9.]\d(?:[ -]?\d){11}", _cards),
    Detector("iban", r"[A-Z]{2}\d{2} ?[A-Z0-9]{4} ?[A-Z0-9]{4} ?[A-Z0-9]{3}", _ibans),
    Detector("name", r"/home/|/Users/|:[\\/]{1,8}Users[\\/]", _names),
)
"""In this order; what an earlier one found is not offered to a later one."""
