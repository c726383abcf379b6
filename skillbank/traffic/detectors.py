r"""What personal data and secrets look like in a text.

Each `Detector` has a cheap hint and an exact search. The hint is a pattern of RE2, run
over the JSON of whole batches of runs at hundreds of megabytes a second; it may cry
wolf, but must never miss what the exact search would find. The exact search reads only
the texts of runs that were hinted at, and must leave drawings alone: coordinates,
colours, sizes, ids, times.

Libraries judge where they are at least as good as a pattern: phone numbers, account
numbers, check digits, the tokens of many vendors. `docs/privacy.md` has the figures of
each, and of what they miss or take for private, which is what patterns here are for.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from skillbank.traffic import phones, tokens

Span = tuple[int, int]
Find = Callable[[str], Iterator[Span]]


@dataclass(frozen=True, slots=True)
class Detector:
    """One kind of thing that is to be masked."""

    kind: str
    hint: str
    """RE2, over JSON of runs: a superset of what `find` finds in their texts."""
    find: Find
    """Where in a text, without escapes, values of this kind are."""


# --- e-mail addresses ---------------------------------------------------------------

_L = "A-Za-z0-9_\u00c0-\u024f\u0370-\u052f"  # joined to words, unlike those of Chinese
_EMAIL = re.compile(
    rf"(?:(?<![{_L}\\])([{_L}][{_L}.%+'-]{{0,63}})|[\u3040-\u9fff\uac00-\ud7af]{{1,16}})"
    rf"@((?:[{_L}-]{{1,63}}\.){{1,16}})(xn--[a-z0-9-]{{2,59}}|[A-Za-z]{{2,24}})"
    r"(?![A-Za-z0-9@])"
)
_AT = r"\s?[\[({<]\s?(?i:at|ät)\s?[\])}>]\s?"
_DOT = r"\s?[\[({]\s?(?i:dot|punkt|\.)\s?[\])}]\s?| (?i:dot|punkt) "
_SPELT = re.compile(
    rf"(?<![{_L}\\])[{_L}][{_L}.%+-]{{0,63}}(?:{_AT}|\s(?i:at)\s(?=[\w-]{{1,63}}(?:{_DOT})))"
    rf"(?:[\w-]{{1,63}}(?:\.|{_DOT})){{1,6}}[A-Za-z]{{2,24}}(?![A-Za-z0-9])"
)
# no domain ends so; `.md`, `.py`, `.zip` and `.mov` do
_FILES = "avif bmp css eps gif html ico jpeg jpg js json otf pdf png psd svg tif tiff"
_FILE_ENDS = frozenset(f"{_FILES} toml ts ttf txt webp woff xml yaml yml".split())


def _emails(text: str) -> Iterator[Span]:
    for hit in _EMAIL.finditer(text):
        local, domain, end = hit.groups()
        asset = end.lower() in _FILE_ENDS or re.match(r"\d{1,2}x|\d+\.\d", domain)
        if not asset and local != "git":  # logo@2x.png, package@1.2.3, git@host:path
            yield hit.span()
    yield from (hit.span() for hit in _SPELT.finditer(text))


def plain_address(text: str) -> str:
    """An address as it is meant, however it is spelt."""
    return re.sub(
        r"\s", "", re.sub(_DOT, ".", re.sub(rf"{_AT}|\s(?i:at)\s", "@", text))
    )


_EMAIL_HINT = (
    r"@[\pL\pN._-]+\.(?:[A-Za-z]{2}|xn--)|[\[({<]\s?(?i:at|ät)\s?[\])}>]"
    r"|(?i: at [\w-]+\s?[\[({]?\s?(?:dot|punkt|\.[\])}]))"
)

# --- card and account numbers -------------------------------------------------------

_CARD = re.compile(
    r"(?<![\w.\-\\])(?<!\d \d{3} )(?<!\d \d{4} )"
    r"(?:\d{12,19}|\d{4}([ .-]|  )\d{4}\1\d{4}\1\d{1,7}|\d{8} \d{8}"
    r"|\d{4}([ -])\d{6}\2\d{4,5})(?![\w]|\.(?!0\b)\d|-\d| \d{1,4} \d)",
    re.ASCII,
)
_CARD_HINT = r"[^0-9.]\d(?:(?:[ -]|  )?\d){11}|\d{4}\.\d{4}\.\d{4}\.\d"
_CALLED_CARD = re.compile(  # of any length, where a word tells what it is
    r"\b(?i:(?:credit|debit)?[ _-]?card|visa|mastercard|maestro|amex)\b"
    r"[^\d\n\x00]{1,24}?"
    r"(\d(?:[ -]?\d){11,18})(?![\w]|[.-]\d)",
    re.ASCII,
)
_ISSUERS = re.compile(  # Visa, Mastercard, Amex, Diners, JCB, Maestro and its like
    r"4(?:\d{15}|\d{18})|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|(?:2131|1800)\d{11}"
    r"|(?:5[06-8]|6\d)\d{14,17}"
)
_IBAN = re.compile(
    r"(?<![\w\\])(?:[A-Z]{2} ?\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?"
    r"|[A-Z]{2} (?:[A-Z0-9]{4} ){3,7}[A-Z0-9]{1,4}|[a-z]{2}\d{2}[a-z0-9]{11,30}(?!\w))",
    re.ASCII,
)
_IBAN_HINT = (
    r"[A-Z]{2} ?\d{2}[ -]?[A-Z0-9]{4}[ -]?[A-Z0-9]{4}"
    r"|[A-Z]{2} \d\d[A-Z0-9]{2} [A-Z0-9]{4} "
    r"|(?:[^0-9A-Za-z_]|\\[nrtbf])[a-z]{2}\d{2}[a-z0-9]{11}"
)
_ACCOUNT_NAME = (
    r"(?i:account (?:number|no)|acct(?: no)?|sort code [\d-]{6,8},? account"
    r"|routing (?:number|no)|\bssn|social security (?:number|no)"
    r"|konto(?:nummer|[ -]?nr)|n[uú]m[eé]ro de (?:compte|cuenta))"
)
_ACCOUNT = re.compile(
    rf"{_ACCOUNT_NAME}[\"'.:\uff1a# ]{{1,5}}(\d(?:[ -]?\d){{5,19}})(?![\w]|[.]\d)",
    re.ASCII,
)


def digits_of(text: str) -> str:
    """The decimal digits of a text, in their order."""
    return re.sub(r"\D", "", text)


def _cards(text: str) -> Iterator[Span]:
    from stdnum import luhn

    for hit in _CARD.finditer(text):
        digits = digits_of(hit.group())
        if _ISSUERS.fullmatch(digits) and luhn.is_valid(digits):
            yield hit.span()
    for hit in _CALLED_CARD.finditer(text):
        if luhn.is_valid(digits_of(hit.group(1))):
            yield hit.span(1)


def _ibans(text: str) -> Iterator[Span]:
    from stdnum import iban

    for hit in _IBAN.finditer(text):
        # a word may follow that looks like one more group: the longest that is valid
        for end in range(hit.end(), hit.start() + 14, -1):
            value = text[hit.start() : end].upper()
            if value[-1] not in " -" and iban.is_valid(value, check_country=False):
                yield hit.start(), end
                break


def _accounts(text: str) -> Iterator[Span]:
    yield from (hit.span(1) for hit in _ACCOUNT.finditer(text))


# --- names in home folders ----------------------------------------------------------

_END = r"[/\\\"'\s:;,)`»<>。?!|\])}&#=$*]|\.?$|\.\s|\.?\x00"
_FRESH = (
    r"(?:(?<![A-Za-z0-9_.])|(?<=\\[nrtbf])|(?<=%2F)|(?<=%252F)|(?<=[\s\"']-[A-Za-z]))"
)
_MOUNT = (  # what may stand before a home folder; `src/home/` is none
    r"(?:(?i:/mnt/\w|/cygdrive/\w|/[a-z](?=/Users/))|/(?:var|export|usr|nfs|net|data|private)"
    r"|/System/Volumes/Data|/Volumes/[^/\x00\n]{1,40}"
    r"|(?:vscode-remote|vscode|ssh|sftp|scp|smb|rsync|file)://[^\s/\"'\x00]{0,80})"
)
_WINDOWS = r"(?i:Users|Documents and Settings)"
HOME = re.compile(
    rf"(?P<before>{_FRESH}{_MOUNT}?/(?:home\d?|(?i:Users))/"
    rf"|(?P<drive>{_FRESH}[A-Za-z]:|\\\\\w[\w.-]{{0,62}})(?:\\{{1,8}}|/){_WINDOWS}(?:\\{{1,8}}|/)"
    r"|\\{2,8}wsl(?:\$|\.localhost)\\{1,8}[\w.-]{1,40}\\{1,8}home\\{1,8}"
    rf"|(?P<dash>{_FRESH}-(?:mnt-\w-)?(?:home|Users)-))"
    r"(?!(?i:root|runner|ubuntu|user|app|node|vscode|shared|public|default|me|you)\b)"
    r"(?P<name>[^\s/\\\"'<>:;,|*?`$(){}\[\]&#=!\x00]{1,64}?"
    r"(?(drive)(?: \w{1,32}(?=\\{1,8}\w|/\w)|(?: [A-Z][\w.-]{1,31}){1,2}(?=[\"']))?"
    r"|(?:\\? [A-Z]\w{0,31}(?=/)|\\ \w{1,32}(?=/))?))"
    rf"(?(dash)(?=[-/])|(?={_END}))"
)
"""A home folder: what stands before the name, the name. Service accounts are let be."""


def _names(text: str) -> Iterator[Span]:
    yield from (hit.span() for hit in HOME.finditer(text))


@cache
def detectors() -> tuple[Detector, ...]:
    """All, in this order: what an earlier one found is not offered to a later one."""
    return (
        Detector("secret", tokens.hint(), tokens.find),
        Detector("email", _EMAIL_HINT, _emails),
        Detector("iban", _IBAN_HINT, _ibans),
        Detector("card", _CARD_HINT, _cards),
        Detector(
            "account", rf"{_ACCOUNT_NAME}[\\\"'.:\x{{ff1a}}# ]{{1,12}}\d", _accounts
        ),
        Detector("phone", phones.HINT, phones.find),
        Detector("name", r"home\d?[/\\-]|(?i:Users|and Settings)[/\\-]", _names),
    )
