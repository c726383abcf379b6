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

_EMAIL = re.compile(
    r"(?<![\w\\])(\w[\w.%+'-]{0,63})@((?:[A-Za-z0-9-]{1,63}\.){1,8})([A-Za-z]{2,24})"
    r"(?![A-Za-z0-9@])",
    re.ASCII,
)
# no domain ends so; `.md`, `.py`, `.zip` and `.mov` do
_FILES = "avif bmp css eps gif html ico jpeg jpg js json otf pdf png psd svg tif tiff"
_FILE_ENDS = frozenset(f"{_FILES} toml ts ttf txt webp woff xml yaml yml".split())


def _emails(text: str) -> Iterator[Span]:
    for hit in _EMAIL.finditer(text):
        local, domain, end = hit.groups()
        asset = end.lower() in _FILE_ENDS or re.match(r"\d{1,2}(?:x|\.)", domain)
        if not asset and local != "git":  # logo@2x.png, package@1.2.3, git@host:path
            yield hit.span()


# --- card and account numbers -------------------------------------------------------

_CARD = re.compile(
    r"(?<![\w.\-\\])(?<!\d \d{3} )(?<!\d \d{4} )"
    r"(?:\d{12,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}"
    r"|\d{4}([ -])\d{6}\2\d{4,5})(?![\w]|[.-]\d| \d{1,4} \d)",
    re.ASCII,
)
_ISSUERS = re.compile(  # Visa, Mastercard, Amex, Diners, JCB, Maestro and its like
    r"4(?:\d{15}|\d{18})|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}"
    r"|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|35\d{14}|(?:2131|1800)\d{11}"
    r"|(?:5[06-8]|6\d)\d{14,17}"
)
_IBAN = re.compile(
    r"(?<![\w\\])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?", re.ASCII
)
_ACCOUNT_NAME = (
    r"(?i:account (?:number|no)|acct(?: no)?|sort code [\d-]{6,8},? account"
    r"|routing (?:number|no)|konto(?:nummer|[ -]?nr)|n[uú]m[eé]ro de (?:compte|cuenta))"
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


def _ibans(text: str) -> Iterator[Span]:
    from stdnum import iban

    for hit in _IBAN.finditer(text):
        # a word may follow that looks like one more group: the longest that is valid
        for end in range(hit.end(), hit.start() + 14, -1):
            value = text[hit.start() : end]
            if value[-1] != " " and iban.is_valid(value, check_country=False):
                yield hit.start(), end
                break


def _accounts(text: str) -> Iterator[Span]:
    yield from (hit.span(1) for hit in _ACCOUNT.finditer(text))


# --- names in home folders ----------------------------------------------------------

_END = r"[/\\\"'\s:;,)`»<。]|$|\x00"
_FRESH = r"(?:(?<![A-Za-z0-9_.])|(?<=\\[nrtbf])|(?<=%2F)|(?<=%252F))"
HOME = re.compile(
    rf"(?P<before>{_FRESH}(?:/mnt/\w|/var|/export|file://)?/(?:home|Users)/"
    rf"|(?P<drive>{_FRESH}[A-Za-z]:|\\\\\w[\w.-]{{0,62}})(?:\\{{1,8}}|/)Users(?:\\{{1,8}}|/)"
    rf"|(?P<dash>{_FRESH}-(?:home|Users)-))"
    r"(?!(?:root|runner|ubuntu|user|app|node|vscode|Shared|Public|Default|me|you)\b)"
    r"(?P<name>[^\s/\\\"'<>:;,|*?`\x00]{1,64}?(?(drive)(?: \w{1,32}(?=\\{1,8}\w))?))"
    rf"(?(dash)(?=-)|(?={_END}))"
)
"""A home folder: what stands before the name, the name. Service accounts are let be."""


def _names(text: str) -> Iterator[Span]:
    yield from (hit.span() for hit in HOME.finditer(text))


@cache
def detectors() -> tuple[Detector, ...]:
    """All, in this order: what an earlier one found is not offered to a later one."""
    return (
        Detector("secret", tokens.hint(), tokens.find),
        Detector("email", r"@[A-Za-z0-9.-]+\.[A-Za-z]{2}", _emails),
        Detector("iban", r"[A-Z]{2}\d{2} ?[A-Z0-9]{4} ?[A-Z0-9]{4}", _ibans),
        Detector("card", r"[^0-9.]\d(?:[ -]?\d){11}", _cards),
        Detector(
            "account", rf"{_ACCOUNT_NAME}[\\\"'.:\x{{ff1a}}# ]{{1,12}}\d", _accounts
        ),
        Detector("phone", phones.HINT, phones.find),
        Detector("name", r"home[/-]|Users[/\\-]", _names),
    )
