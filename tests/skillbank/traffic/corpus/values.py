"""Values of each private kind, invented: no one's number, key or address."""

import base64
import json
import string
from collections.abc import Callable, Mapping
from random import Random

LOWER, DIGITS = string.ascii_lowercase, string.digits
ALNUM = string.ascii_letters + DIGITS
UPPER = string.ascii_uppercase + DIGITS
HEX = DIGITS + "abcdef"
URL64 = ALNUM + "-_"


def _listed(text: str, sign: str = " ") -> list[str]:
    return text.split(sign)


GIVEN = _listed(
    "ann li omar zoë jürgen maría olga kenji priya søren chloé tunde mehmet ines "
    "pavel aoife nguyen fatima lukas hana"
)
FAMILY = _listed(
    "smith müller garcía o'neil kowalski tanaka dubois silva jensen okafor yilmaz "
    "novák rossi haddad lindqvist"
)
_PLAIN = str.maketrans("äöüßéíñøåáçë'", "aouseinoaace-")

Make = Callable[[Random], str]


def drawn(rng: Random, letters: str, n: int) -> str:
    """`n` letters, with a digit and both cases where the letters have them."""
    while True:
        made = "".join(rng.choices(letters, k=n))
        held = [
            not (set(part) & set(letters)) or set(part) & set(made) for part in _MIX
        ]
        if all(held):
            return made


_MIX = (string.ascii_lowercase, string.ascii_uppercase, DIGITS)


def _fill(rng: Random, pattern: str) -> str:
    """A pattern with `N` for a digit from 1 to 9 and `D` for any."""
    return "".join(
        rng.choice("123456789") if c == "N" else rng.choice(DIGITS) if c == "D" else c
        for c in pattern
    )


# --- secrets: named as the vendors name them ------------------------------------------


def _jwt(rng: Random) -> str:
    def part(value: object) -> str:
        made = base64.urlsafe_b64encode(json.dumps(value).encode())
        return made.rstrip(b"=").decode()

    head = part({"alg": "HS256", "typ": "JWT"})
    body = part({"sub": drawn(rng, DIGITS, 8), "exp": rng.randrange(10**9, 2 * 10**9)})
    return f"{head}.{body}.{drawn(rng, URL64, 43)}"


def _pem(rng: Random) -> str:
    kind = rng.choice(["RSA ", "EC ", "OPENSSH ", "", "DSA ", "ENCRYPTED "])
    body = "\n".join(drawn(rng, ALNUM + "+/", 64) for _ in range(3))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


TOKENS: Mapping[str, Make] = {
    "anthropic": lambda r: "sk-" + "ant-api03-" + drawn(r, URL64, 93) + "AA",
    "openai": lambda r: (
        "sk-" + "proj-" + drawn(r, URL64, 74) + "T3Blbk" + "FJ" + drawn(r, URL64, 74)
    ),
    "openai, old": lambda r: (
        "sk" + "-" + drawn(r, ALNUM, 20) + "T3Blbk" + "FJ" + drawn(r, ALNUM, 20)
    ),
    "openrouter": lambda r: "sk-" + "or-v1-" + drawn(r, HEX, 64),
    "aws id": lambda r: r.choice(["AK", "AS"]) + "IA" + drawn(r, UPPER, 16),
    "github": lambda r: "gh" + r.choice("pousr") + "_" + drawn(r, ALNUM, 36),
    "github, fine": lambda r: (
        "github" + "_pat_" + drawn(r, ALNUM, 22) + "_" + drawn(r, ALNUM, 59)
    ),
    "gitlab": lambda r: "gl" + "pat-" + drawn(r, URL64, 20),
    "slack": lambda r: (
        "xo" + f"xb-{drawn(r, DIGITS, 12)}-{drawn(r, DIGITS, 12)}-{drawn(r, ALNUM, 24)}"
    ),
    "slack hook": lambda r: (
        "https://hooks.slack.com/services/"
        + f"T{drawn(r, UPPER, 8)}/B{drawn(r, UPPER, 10)}/{drawn(r, ALNUM, 24)}"
    ),
    "google": lambda r: "AI" + "za" + drawn(r, URL64, 35),
    "google oauth": lambda r: "GOC" + "SPX-" + drawn(r, URL64, 28),
    "google access": lambda r: "ya" + "29." + drawn(r, URL64, 120),
    "hugging face": lambda r: "h" + "f_" + drawn(r, string.ascii_letters, 34),
    "stripe": lambda r: r.choice("sr") + "k" + "_live_" + drawn(r, ALNUM, 24),
    "npm": lambda r: "np" + "m_" + drawn(r, ALNUM, 36),
    "pypi": lambda r: "py" + "pi-AgEIcHlwaS5vcmc" + drawn(r, URL64, 90),
    "sendgrid": lambda r: "S" + f"G.{drawn(r, URL64, 22)}.{drawn(r, URL64, 43)}",
    "twilio": lambda r: "S" + "K" + drawn(r, HEX, 32),
    "mailchimp": lambda r: drawn(r, HEX, 32) + "-us" + str(r.randrange(1, 21)),
    "telegram": lambda r: _fill(r, "NDDDDDDDDD") + ":AA" + drawn(r, URL64, 33),
    "discord": lambda r: (
        "M" + f"{drawn(r, ALNUM, 23)}.{drawn(r, URL64, 6)}.{drawn(r, URL64, 27)}"
    ),
    "digital ocean": lambda r: "do" + "p_v1_" + drawn(r, HEX, 64),
    "shopify": lambda r: "shp" + "at_" + drawn(r, HEX, 32),
    "jwt": _jwt,
    "private key": _pem,
}
"""Secrets that are known by what they look like, by their vendor."""

_WORDS = _listed("correct horse river lamp coffee otter window maple")
SPOKEN: Mapping[str, tuple[str, Make]] = {
    "bearer": ("Authorization: Bearer {}", lambda r: drawn(r, URL64, 32)),
    "basic": (
        "Authorization: Basic {}",
        lambda r: base64.b64encode(
            f"{r.choice(LOWER) * 3}{r.randrange(99)}:{drawn(r, ALNUM, 12)}".encode()
        ).decode(),
    ),
    "api key": ("api_key={}", lambda r: drawn(r, ALNUM, 32)),
    "api key, header": ("X-API-Key: {}", lambda r: drawn(r, HEX, 32)),
    "api key, JSON": ('{{"apiKey": "{}"}}', lambda r: drawn(r, ALNUM, 28)),
    "secret, env": ("export CLIENT_SECRET='{}'", lambda r: drawn(r, ALNUM, 40)),
    "aws secret": (
        "aws_secret_access_key = {}",
        lambda r: drawn(r, ALNUM + "/+", 40),
    ),
    "azure": (
        "DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};",
        lambda r: drawn(r, ALNUM + "/+", 86) + "==",
    ),
    "token, query": (
        "https://a.test/x?access_token={}&y=1",
        lambda r: drawn(r, HEX, 40),
    ),
    "password": ("password: {}", lambda r: drawn(r, LOWER, 5) + _fill(r, "!DD")),
    "password, JSON": (
        '{{"password": "{}"}}',
        lambda r: drawn(r, ALNUM, 10) + r.choice("!#$%&*"),
    ),
    "password, words": (
        "PASSWORD={}",
        lambda r: "-".join(r.sample(_WORDS, 3)) + _fill(r, "-DD"),
    ),
    "password, German": (
        "Passwort: {}",
        lambda r: drawn(r, LOWER, 6) + _fill(r, "DDD"),
    ),
    "in a URL": (
        "postgres://app:{}@db.test:5432/shop",
        lambda r: drawn(r, ALNUM, 14),
    ),
}
"""Secrets that are known by what stands before them: (text around, value)."""

# --- what belongs to people ---------------------------------------------------------


def _plain(name: str) -> str:
    return name.translate(_PLAIN)


def email(rng: Random) -> str:
    """An address, in the shapes that people and shops use."""
    given, family = _plain(rng.choice(GIVEN)), _plain(rng.choice(FAMILY))
    local = rng.choice(
        [given, f"{given}.{family}", f"{given[0]}{family}", f"{given}_{family}",
         f"{given}+news", f"{given}{rng.randrange(99)}",
         f"{given.title()}.{family.title()}"]
    )  # fmt: skip
    domain = rng.choice(
        ["example.org", "mail.example.co.uk", "gmail.com", "web.de", "qq.com",
         "laden.test", "sub.example.edu", "firma-beispiel.de", "mail.md", "correo.es"]
    )  # fmt: skip
    return f"{local}@{domain}"


ABROAD = _listed(
    "+49 30 NDDDDDD,+49 (0)171 NDDDDDD,+4930NDDDDDDD,+44 20 7DDD DDDD,+44 7700 9DDDDD,"
    "+33 6 DD DD DD DD,+1 (212) 55D-DDDD,+1-415-55D-DDDD,+14155NDDDDD,+34 6ND DDD DDD,"
    "+39 06 NDDD DDDD,+31 6 NDDDDDDD,+45 DD DD DD DD,+46 70 NDD DD DD,+48 50N DDD DDD,"
    "+41 79 DDD DD DD,+81 90-DDDD-DDDD,+86 138 DDDD DDDD,+91 98DDD DDDDD,"
    "+55 11 9DDDD-DDDD,+61 4DD DDD DDD,+52 55 NDDD DDDD,+90 53D DDD DD DD,"
    "+7 916 DDD-DD-DD,+971 50 DDD DDDD,+65 9DDD DDDD,+353 87 DDD DDDD,0049 30 NDDDDDD",
    ",",
)
AT_HOME = _listed(
    "(212) 55D-DDDD,415-55D-DDDD,1-800-55D-DDDD,212.55D.DDDD,030 NDDDDDD,"
    "020 7DDD DDDD,07700 9DDDDD,06 DD DD DD DD,0171-NDDDDDD,0171/NDDDDDD,"
    "06.DD.DD.DD.DD,090-DDDD-DDDD,03-NDDD-DDDD,(030) NDDDDDD,0ND DDDDDDD,0800 DDD DDDD",
    ",",
)
BY_CUE = _listed(
    "55D-DDDD,NDD DDD DDD,138DDDDDDDD,138 DDDD DDDD,11 9DDDD-DDDD,98DDDDDDDD,"
    "NDDDDDDD,NDD DD DD DD,0301NDDDDDD",
    ",",
)
CUES = _listed(
    "Call us: ,Phone: ,Tel. ,tel:,Telefon: ,Téléphone : ,Teléfono: ,电话:,電話 ,"
    "Тел.: ,Rufnummer ,WhatsApp ,mobile: ,Handy: ,my number is ,phone_number=",
    ",",
)
PHONES: Mapping[str, Make] = {
    "abroad": lambda r: _fill(r, r.choice(ABROAD)),
    "at home": lambda r: _fill(r, r.choice(AT_HOME)),
}


def with_check(rng: Random, start: str, n: int) -> str:
    """`n` digits that begin so and end in the digit of ISO/IEC 7812-1, annex B."""
    body = start + drawn(rng, DIGITS, 20)[: n - 1 - len(start)]
    twice = sum(sum(divmod(2 * int(d), 10)) for d in body[::-1][::2])
    once = sum(int(d) for d in body[::-1][1::2])
    return body + str(-(twice + once) % 10)


def card(rng: Random) -> str:
    """A card number of a big issuer, with or without groups."""
    start, n = rng.choice(
        [("4", 16), ("4", 16), ("51", 16), ("55", 16), ("2223", 16), ("34", 15),
         ("37", 15), ("6011", 16), ("65", 16), ("36", 14), ("3528", 16), ("62", 16)]
    )  # fmt: skip
    digits = with_check(rng, start, n)
    sign = rng.choice(["", "", " ", "-"])
    sizes = {16: (4, 4, 4, 4), 15: (4, 6, 5), 14: (4, 6, 4)}[n]
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    return sign.join(
        digits[end - size : end] for size, end in zip(sizes, ends, strict=True)
    )


_BBAN = {
    "DE": "#" * 18, "GB": "WEST" + "#" * 14, "NL": "ABNA" + "#" * 10, "FR": "#" * 23,
    "ES": "#" * 20, "AT": "#" * 16, "CH": "#" * 17, "IT": "X" + "#" * 22,
    "PL": "#" * 24, "SE": "#" * 20, "DK": "#" * 14, "IE": "AIBK" + "#" * 14,
    "PT": "#" * 21, "BE": "#" * 12, "NO": "#" * 11, "SA": "#" * 20,
}  # fmt: skip


def iban(rng: Random) -> str:
    """An account number of ISO 13616 with the right check digits."""
    country = rng.choice(sorted(_BBAN))
    held = "".join(rng.choice(DIGITS) if c == "#" else c for c in _BBAN[country])
    turned = "".join(str(int(sign, 36)) for sign in f"{held}{country}00")
    made = f"{country}{98 - int(turned) % 97:02d}{held}"
    if rng.random() < 0.5:
        made = " ".join(made[at : at + 4] for at in range(0, len(made), 4))
    return made


ACCOUNTS: Mapping[str, str] = {
    "Account number: {}": "NDDDDDDD",
    "account no. {}": "NDDDDDDDDD",
    "sort code 20-00-00, account {}": "DDDDDDDD",
    "Kontonummer: {}": "NDDDDDDDDD",
    "Konto-Nr. {}": "NDD DDD DDD",
    "routing number {}": "0NDDDDDDD",
    "acct# {}": "NDDDDDDDDDDD",
    "numéro de compte : {}": "NDDDDDDDDDD",
    "número de cuenta: {}": "NDDDDDDDDD",
}
"""Account numbers that only the words before them tell: text around, digits."""


def account(rng: Random, around: str) -> str:
    """An account number for these words."""
    return _fill(rng, ACCOUNTS[around])


HOMES = (
    "/home/{}/drafts/logo.svg", "/Users/{}/Desktop/brief.md", "/Users/{}",
    r"C:\Users\{}\Documents\a.txt", "C:/Users/{}/x.png", "file:///home/{}/a.html",
    "/mnt/c/Users/{}/Pictures", "/var/home/{}/.ssh/config",
    "~/.claude/projects/-Users-{}-shop/log.jsonl", r"\\srv\Users\{}\x.doc",
)  # fmt: skip
"""Paths of home folders, `{}` for the name."""


def home_name(rng: Random) -> str:
    """The name of a home folder."""
    given, family = rng.choice(GIVEN), _plain(rng.choice(FAMILY))
    return rng.choice(
        [_plain(given), f"{_plain(given)}.{family}", f"{given}{family[0]}"]
    )


def phone_by_cue(rng: Random) -> str:
    """A number that only the word before it tells."""
    return _fill(rng, rng.choice(BY_CUE))
