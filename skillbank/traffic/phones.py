"""Phone numbers in a text.

Patterns say where one may be and libphonenumber whether it is one: its own search takes
in 9% of drawings and code what begins like a number at home, and is a hundred times as
slow. Where neither country nor zero stands first only the word before tells.
"""

import re
from collections.abc import Iterator
from contextlib import suppress

_GAP = "[ \u00a0\u202f./()\u2010-\u2015-]"  # what stands between groups of digits
_EXT = r"(?:(?: ?x| ?(?i:ext|extension)\.? ?)\d{1,5})?"
_DATE = r"(?:\d{4}-\d\d-\d|\d\d([./-])\d\d\1\d{4})"
_ABROAD = re.compile(
    rf"(?<![\w.+)\]])(?:\+|00(?=[1-9]\d{{1,2}} ))[1-9]\d{{0,2}}"
    rf"(?:{_GAP}{{0,3}}(?!\d{{4}}-\d\d-\d)\d{{1,12}}){{1,6}}{_EXT}",
    re.ASCII,
)
_LAST_GROUP = re.compile(_GAP + r"+\d+$")
_ZERO = re.compile(  # 0171-1234567, (030) 1234567, 06 12 34 56 78, 01711234567
    r"(?<![\w.\-#/+:)])(?:0[1-9]\d{8,9}|(?:\(0\d{1,4}\)[ \u00a0/.\-]?|0\d{1,4}"
    r"[ \u00a0/.\-])\d{2,8}(?:[ \u00a0/.\-]\d{2,8}){0,3})(?![\w]|[.-]\d)",
    re.ASCII,
)
_US = re.compile(
    r"(?<![\w.\-#/])(?:(?:(?:00)?1[ .-])?\d{3}([.\u2010-\u2015-])\d{3}\1\d{4}"
    rf"{_EXT}(?![\w-]|\.\d)|\(\d{{3}}\){_GAP}?\d{{3}}{_GAP}"
    rf"(?:\d{{2}}{_GAP}\d\d|\d{{4}}){_EXT}(?!\d)|\(\d\d\) ?9?\d{{4}}-\d{{4}}(?![\w-]))",
    re.ASCII,
)
_CUE = (
    r"(?i:telephone|phone|telefono|telefon|tel[eé]fono|t[eé]l[eé]phone|tel|call|fax"
    r"|whatsapp|wa\.me/|dial|mobile|mobil|m[oó]vil|celular|cell|sms|handy|rufnummer"
    r"|reach (?:me|us)|[тТ]ел|my number|电话|電話|手机|携帯)"
)
_CUE_REST = r"(?i:[ _]?(?:us|me|now|number|no|nr|at|on|or|today|is)\b){0,3}"
_CALLED = re.compile(
    rf"(?<![A-Za-z<]){_CUE}{_CUE_REST}(?:(?<=me/)|[\"'.:\uff1a#= ]{{1,8}})"
    rf"([(+]?\d(?:{_GAP}{{0,2}}\d){{6,14}}{_EXT})(?![\w*]|[.]\d)",
    re.ASCII,
)
HINT = (
    rf"(?:\+|(?:[^\w.]|\\[nrtbf])00)[1-9](?:{_GAP}*\d){{7}}|\(\d{{2,5}}\){_GAP}?\d{{3}}"
    r"|\d{3}[.\x{2010}-\x{2015}-]\d{3}[.\x{2010}-\x{2015}-]\d{4}"
    r"|(?:[^\w.\-#/+:)]|\\[nrtbf])\(?0\d{1,4}\)?[ \x{a0}/.\-]?\d\d"
    rf"|{_CUE}{_CUE_REST}[\\\"'.:\x{{ff1a}}#= ]{{0,24}}[(+]?\d(?:{_GAP}{{0,2}}\d){{6}}"
)
"""RE2, over JSON of texts: a superset of what `find` finds."""
_REGIONS = ("DE", "GB", "FR", "JP", "IT", "AU", "CH", "NL")  # these write a leading 0


def find(text: str) -> Iterator[tuple[int, int]]:
    """Yield where phone numbers are."""
    for hit in _ABROAD.finditer(text):
        number = hit.group()
        while _runs_on(number) and (cut := _LAST_GROUP.search(number)):
            number = number[: cut.start()]
        if _possible(number):
            yield hit.start(), hit.start() + len(number)
    yield from (hit.span() for hit in _US.finditer(text))
    for hit in _ZERO.finditer(text):
        if not re.match(_DATE, hit.group()) and _valid(hit.group()):
            yield hit.span()
    for hit in _CALLED.finditer(text):
        if not re.match(_DATE, hit.group(1)):
            yield hit.span(1)


def _runs_on(number: str) -> bool:
    """Whether it holds the beginning of something else; E.164 has 15 digits at most."""
    return len(_digits(number)) > 15 or number.count("(") > number.count(")")


def _possible(number: str) -> bool:
    """Whether the country that it names has numbers of this length."""
    import phonenumbers

    try:
        parsed = phonenumbers.parse("+" + number.lstrip("+0"))
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_possible_number(parsed)


def _valid(number: str) -> bool:
    """Whether it is a number of a country that writes a zero first."""
    import phonenumbers

    if not 9 <= len(_digits(number)) <= 12:
        return False
    for region in _REGIONS:
        with suppress(phonenumbers.NumberParseException):
            if phonenumbers.is_valid_number(phonenumbers.parse(number, region)):
                return True
    return False


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)
