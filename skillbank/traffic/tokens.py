"""Secrets in a text: what vendors hand out, keys, and what is called a password.

The tokens of many vendors are known by the patterns of detect-secrets. Those here are
what it lacks, or has only as they once were; `docs/privacy.md` has the figures.
"""

import re
from collections.abc import Iterator
from functools import cache

_EDGE = r"(?:\s|\\[nrt])"  # in JSON within a text a blank may be an escape
_OWN = (  # which the library does not know, or not in today's notation
    r"sk-[\w-]{20,}|[srp]k_(?:live|test)_\w{16,}|gh[pousr]_[A-Za-z0-9]{30,}"
    r"|github_pat_\w{22,}|xox[abeprs]-[\w-]{10,}|AIza[\w-]{35}|GOCSPX-[\w-]{20,}"
    r"|npm_[A-Za-z0-9]{36}|ya29\.[\w-]{20,}|hf_[A-Za-z0-9]{30,}|do[opr]_v1_[0-9a-f]{30,}"
    r"|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{20,}|pypi-[\w-]{50,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"
)
_TOKEN = re.compile(rf"(?<![\w\\])(?:{_OWN})", re.ASCII)
_PEM = re.compile(r"-----(BEGIN|END) [A-Z ]{0,30}PRIVATE KEY-----|\x00|\Z")
_IN_URL = re.compile(
    r"://([^\s/:@\"'<>\\\x00]{1,64}:[^\s/@\"'<>\\\x00]{1,128})@", re.ASCII
)
_BEARER = re.compile(r"\b(?i:bearer|basic)[ ]+([\w.~+/=-]{16,}(?<!\.))", re.ASCII)
_KEY_NAME = (
    r"(?i:api[_-]?key|secret|token|(?:access|account|private|auth)[_-]?key|credential)"
)
_KEYED = re.compile(
    _KEY_NAME + r"(?i:[_-]?(?:access[_-]?)?(?:key|id))?[\"']*\s?[:=]\s?[\"']*"
    r"([\w.~+/=-]{16,}(?<!\.))",
    re.ASCII,
)
_PASS_NAME = (
    r"(?i:password|passwd|passphrase|pwd|passwor[td]|mot de passe|contrase(?:ñ|n)a|密码"
    r"|パスワード)"
)
_PASSWORD = re.compile(
    _PASS_NAME + r"[\"']*(?:\s?[:=\uff1a]\s?| is | ist )[\"']*"
    r"([^\s\"'\\,;<>(){}\[\]\x00]{6,128})"
)
_HINT = (
    rf"(?:{_OWN})|PRIVATE KEY-----|://[^/:@\"]{{1,64}}:[^/@\"]{{1,128}}@"
    r"|(?i:bearer|basic) +[\w.~+/=-]{16}"
    rf"|(?:{_KEY_NAME}|{_PASS_NAME})(?i:[_-]?(?:access[_-]?)?(?:key|id))?"
    rf"[\\\"']*(?:{_EDGE}?[:=\x{{ff1a}}]{_EDGE}?| is | ist )[\\\"']*[^\s\"'\\]{{6}}"
)


@cache
def vendors() -> tuple[re.Pattern[str], ...]:
    """How vendors write tokens, from detect-secrets; only its patterns are used.

    Left out: what it takes digests for (Azure) and what needs a word nearby, where it
    takes 7% of drawings and code for secrets.
    """
    from detect_secrets.plugins import (
        aws,
        discord,
        gitlab_token,
        mailchimp,
        slack,
        square_oauth,
        telegram_token,
        twilio,
    )

    found = (
        aws.AWSKeyDetector.denylist[0],
        *discord.DiscordBotTokenDetector.denylist,
        *gitlab_token.GitLabTokenDetector.denylist,
        *mailchimp.MailchimpDetector.denylist,
        *slack.SlackDetector.denylist,
        *square_oauth.SquareOAuthDetector.denylist,
        *telegram_token.TelegramBotTokenDetector.denylist,
        *twilio.TwilioKeyDetector.denylist,
    )
    # a letter of another script ends a token
    flags = re.ASCII | re.IGNORECASE
    return tuple(re.compile(one.pattern, one.flags & flags | re.ASCII) for one in found)


def _relaxed(pattern: re.Pattern[str]) -> str:
    """A pattern for RE2 that finds at least as much, escapes beside it included."""
    text = pattern.pattern.replace(r"(?!\w)", "").replace(r"\b", "")
    text = re.sub(r"\{(\d+),\d{3,}\}", r"{\1}", text)
    return f"(?i:{text})" if pattern.flags & re.IGNORECASE else f"(?:{text})"


def find(text: str) -> Iterator[tuple[int, int]]:
    """Yield where secrets are."""
    yield from _keys(text)
    for hit in _TOKEN.finditer(text):
        if re.search(r"\d|[A-Z].*[a-z]|[a-z].*[A-Z]", hit.group()[4:]):
            yield hit.span()
    for vendor in vendors():
        yield from (hit.span() for hit in vendor.finditer(text))
    for hit in _IN_URL.finditer(text):
        if not hit.group(1).startswith("$"):  # a variable stands for it
            yield hit.span(1)
    for pattern in (_BEARER, _KEYED):
        yield from (h.span(1) for h in pattern.finditer(text) if _random(h.group(1)))
    for hit in _PASSWORD.finditer(text):
        said = hit.group(1)
        if re.search(r"[\d!#$%&*+=?^_|~-]", said) and re.search(r"[^\W_]", said):
            yield hit.span(1)


def _keys(text: str) -> Iterator[tuple[int, int]]:
    """Private keys, to their end or to the end of a text that was cut."""
    start = None
    for hit in _PEM.finditer(text) if "PRIVATE KEY-----" in text else ():
        if hit[1] == "BEGIN":
            start = hit.start() if start is None else start
        elif start is not None:
            yield start, hit.end() if hit[1] else hit.start()
            start = None


def _random(text: str) -> bool:
    """Whether a long word looks drawn and not written: `brand-primary-500` does not."""
    digits = sum(letter.isdigit() for letter in text)
    mixed = any(c.isupper() for c in text) and any(c.islower() for c in text)
    return digits >= (1 if mixed else 4) or (mixed and text.endswith("="))


@cache
def hint() -> str:
    """RE2, over JSON of texts: a superset of what `find` finds."""
    return "|".join([_HINT, *map(_relaxed, vendors())])
