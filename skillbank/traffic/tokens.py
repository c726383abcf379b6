"""Secrets in a text: what vendors hand out, keys, and what is called a password.

Tokens are known by how their vendor writes them (`vendors.py`), the rest by the words
before it. `docs/privacy.md` has the figures.
"""

import re
from collections.abc import Iterator
from functools import cache

from skillbank.traffic import vendors

Span = tuple[int, int]
_EDGE = r"(?:\s|\\[nrt])"  # in JSON within a text a blank may be an escape
_TOKEN = re.compile(rf"(?<![\w\\+/])(?<!%\w\w)(?:{vendors.TOKENS})", re.ASCII)
_PEM = re.compile(
    r"-{4,5} ?(BEGIN|END) [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{4,5}|\x00|\Z"
)
_IN_URL = re.compile(
    r"://([^\s/:@\"'<>\\\x00]{0,64}:[^\s/@\"'<>\\\x00]{1,128}"
    r"|[A-Za-z0-9_-]{20,128}(?::x-oauth-basic)?)@",
    re.ASCII,
)
_IN_QUERY = re.compile(
    r"[?&;](?i:x-(?:amz|goog)-(?:signature|credential|security-token)|sig|signature"
    r"|auth|access_token|id_token|refresh_token|token|key|code|sid)="
    r"([\w.~+/%=-]{16,512})",
    re.ASCII,
)
_SCHEME = re.compile(
    r"\b(?i:bearer|basic|authorization[\"']{0,2}\s?[:=]\s?[\"']{0,2}(?:token|apikey"
    r"|digest|bot|key))[ ]+([\w.~+/=:-]{4,}(?<![.:]))",
    re.ASCII,
)
_COOKIE = re.compile(r"(?i:cookie)[\"']{0,2}\s?[:=]\s?([^\r\n\x00]{1,4096})")
_CRUMB = re.compile(r"=([\w.~+/%:-]{16,}=*)", re.ASCII)
_KEY_NAME = (
    r"(?i:api[_-]?key|secret|token|(?:access|account|private|auth|license|encryption"
    r"|signing|master|app)[_-]?key|credential|session[_-]?(?:id|key)[\"']{0,2}=|_?auth\b)"
)
_KEY_REST = r"(?i:[_-]?(?:access[_-]?)?(?:key|id|value|string)?)"
_SETS = r"(?:\s{0,4}(?::=|=>|[:=,\uff1a])\s{0,4}|\s{1,3}(?=[\"']))"
_KEYED = re.compile(
    rf"(?:{_KEY_NAME}{_KEY_REST}|\b[A-Z][A-Z0-9_]{{1,40}}_KEY)[\"'\]]{{0,3}}{_SETS}"
    r"(?:[\"']{1,2}(?P<held>[^\s\"'\\<>\x00]{16,512})"
    r"|[\"'`]{0,2}(?P<bare>[\w.~+/=-]{16,512}(?<!\.)))",
    re.ASCII,
)
_PASS_NAME = (
    r"(?i:password|passwd|passphrase|pwd|[_-]pass|passwor[td]|mot de passe"
    r"|contrase(?:ñ|n)a|senha|wachtwoord|пароль|密码|パスワード|비밀번호)"
)
_PASSES = re.compile(_PASS_NAME)
_PASSWORD = re.compile(
    _PASS_NAME + r"[\"'\]]{0,3}(?:\s{0,3}(?::=|=>|[:=\uff1a])\s{0,3}| (?:is|ist|lautet"
    r"|was|est|es|è)(?:[: ] ?))(?P<quote>[\"']{0,2})"
    r"(?P<said>[^\s\"'\\,;<>(){}\[\]\x00]{6,128})"
)
_QUOTED = re.compile(  # with blanks and signs, up to its own quote
    _PASS_NAME + r"[\"']{0,2}\s{0,3}(?::=|=>|[:=])\s{0,3}([\"'])"
    r"((?:(?!\1)[^\\\n<>{}\x00]){5,64})\1(?=[\s,;})\]]|\Z)"
)
_COMMAND = re.compile(  # what programs are told on their command line
    r"--(?i:password|passwd|pass|token|secret|api-?key|auth-token|access-token"
    r"|client-secret)(?:=| {1,3})[\"']?"
    r"(?P<option>[^\s\"'\\$<>{}\x00-][^\s\"'\\<>{}\x00]{4,255})"
    r"|\bcurl\b[^\n\x00]{0,400}?\s(?:-u|--user)[ =]?[\"']?"
    r"(?P<user>[^\s\"':$<\x00-][^\s\"':$<\x00]{0,63}:[^\s\"'$<\x00]{1,128})"
    r"|\bmysql(?:dump|admin)?\b[^\n|;&\x00]{0,200}?\s(?P<mysql>-p[^\s\"'$<\x00]{4,64})"
    r"|\bsshpass\s+-p\s?[\"']?(?P<ssh>[^\s\"'$<\x00]{4,64})"
    r"|\blogin\s+\S{1,64}\s+password\s+(?P<netrc>[^\s<\x00]{4,128})"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}[\s,;:|\"']{1,4}(?P<aws>[A-Za-z0-9/+]{40})(?![\w/+])"
)
_COMMANDS = ("--", "curl", "mysql", "sshpass", "login", "AKIA", "ASIA")
_HINT = (
    r"PRIVATE KEY|://[^/:@\"]{0,64}:[^/@\"]{1,128}@|://[\w-]{20,}@|://\w+:x-oauth"
    r"|[?&;](?i:[a-z-]*(?:sig|signature|credential|security-token|auth|token|key|code"
    r"|sid))=[\w.~+/%=-]{16}"
    r"|(?i:bearer|basic|authorization[\\\"': =]+\w+) +[\w.~+/=:-]{4}"
    r"|(?i:cookie)[\\\"']*\s?[:=]|[A-Z0-9]_KEY[\\\"'\]:= ]"
    rf"|(?:{_KEY_NAME.replace('=)', ')').replace(chr(92) + 'b', '')}{_KEY_REST}"
    rf"|{_PASS_NAME})[\\\"'\]]*(?:{_EDGE}{{0,4}}(?::=|=>|[:=,\x{{ff1a}}])"
    rf"|{_EDGE}{{1,3}}[\\\"']| (?:is|ist|lautet|was|est|es|è)[: ])"
    r"|--(?i:password|passwd|pass|token|secret|api-?key|auth-token|access-token"
    r"|client-secret)[= ]|\bcurl\b.*(?:-u|--user)|\bmysql.*-p\w|sshpass"
    r"|\blogin\b.*password"
)
_NO_WORDS = (
    "password passwort passwd required optional string secret hidden incorrect invalid"
    " changeme example redacted masked placeholder undefined confirm forgot contraseña"
    " disabled enabled default current_password new_password your_password"
)
_PLAIN = frozenset(_NO_WORDS.split())  # what stands where a password would


def find(text: str) -> Iterator[Span]:
    """Yield where secrets are."""
    yield from _keys(text)
    for hit in _TOKEN.finditer(text):
        if _mixed(hit.group()[3:]):
            yield hit.span()
    for vendor in vendors.of_library():
        yield from (hit.span() for hit in vendor.finditer(text))
    yield from _in_urls(text)
    yield from _in_headers(text)
    for hit in _KEYED.finditer(text):
        if _random(hit[name := hit.lastgroup or "bare"]):
            yield hit.span(name)
    yield from _passwords(text)
    if not any(word in text for word in _COMMANDS):
        return
    for hit in _COMMAND.finditer(text):
        name = hit.lastgroup or "option"
        if name != "user" or not re.fullmatch(r"\d+:\d+", hit[name]):
            yield hit.span(name)


def _keys(text: str) -> Iterator[Span]:
    """Private keys, to their end or to the end of a text that was cut."""
    start = None
    for hit in _PEM.finditer(text) if "PRIVATE KEY" in text else ():
        if hit[1] == "BEGIN":
            start = hit.start() if start is None else start
        elif start is not None:
            yield start, hit.end() if hit[1] else hit.start()
            start = None


def _in_urls(text: str) -> Iterator[Span]:
    for hit in _IN_URL.finditer(text):
        held = hit.group(1)
        # a variable stands for it; without a colon it may be a name
        if not held.startswith("$") and (":" in held or _random(held)):
            yield hit.span(1)
    yield from (h.span(1) for h in _IN_QUERY.finditer(text) if _random(h.group(1)))


def _in_headers(text: str) -> Iterator[Span]:
    for hit in _SCHEME.finditer(text):
        held = hit.group(1)
        named = "uthorization" in text[max(0, hit.start() - 24) : hit.end()]
        drawn = _random(held) if len(held) >= 16 else named and _mixed(held, 1)
        if drawn or (named and len(held) >= 20 and held.isalnum()):
            yield hit.span(1)
    for hit in _COOKIE.finditer(text):
        for crumb in _CRUMB.finditer(text, *hit.span(1)):
            if _random(crumb.group(1)):
                yield crumb.span(1)


def _passwords(text: str) -> Iterator[Span]:
    if not (first := _PASSES.search(text)):
        return
    for hit in _PASSWORD.finditer(text, first.start()):
        said = hit["said"]
        sign = re.search(r"[\d!#$%&*+=?^_|~-]", said) and re.search(r"[^\W_]", said)
        env = hit[0][: hit.start("said") - hit.start()].isupper() and "=" in hit[0]
        word = len(said) >= 8 and said.isalnum() and (hit["quote"] or env)
        if (sign or word) and said.lower() not in _PLAIN and said[0] != "$":
            yield hit.span("said")
    for hit in _QUOTED.finditer(text, first.start()):
        if re.search(r"\d", hit.group(2)) and re.search(r"[^\w\s]", hit.group(2)):
            yield hit.span(2)


def _mixed(text: str, least: int = 3) -> bool:
    """Whether it has some digits, or goes from small to capital letters and back."""
    digits = sum(letter.isdigit() for letter in text)
    return digits >= least or len(re.findall("[a-z][A-Z]|[A-Z][a-z]", text)) > least


def _random(text: str) -> bool:
    """Whether a long word looks drawn and not written: `brand-primary-500` does not."""
    digits = sum(letter.isdigit() for letter in text)
    mixed = any(c.isupper() for c in text) and any(c.islower() for c in text)
    return digits >= (1 if mixed else 4) or (mixed and text.endswith("="))


@cache
def hint() -> str:
    """RE2, over JSON of texts: a superset of what `find` finds."""
    return f"{_HINT}|{vendors.hint()}"
