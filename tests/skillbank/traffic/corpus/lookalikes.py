"""Texts of drawings, code and logs that look private and are not; from a seed."""

import json
from collections.abc import Callable, Iterator, Mapping
from random import Random
from uuid import UUID

from tests.skillbank.traffic.corpus.values import ALNUM, DIGITS, HEX, LOWER

Make = Callable[[Random], str]


def _n(rng: Random, low: int, high: int) -> int:
    return rng.randrange(low, high)


def _hex(rng: Random, n: int) -> str:
    return "".join(rng.choices(HEX, k=n))


def _any(rng: Random, n: int) -> str:
    return "".join(rng.choices(ALNUM, k=n))


def _time(rng: Random) -> str:
    day = f"20{_n(rng, 20, 28)}-{_n(rng, 1, 13):02d}-{_n(rng, 1, 29):02d}"
    return f"{day}T{_n(rng, 0, 24):02d}:{_n(rng, 0, 60):02d}:{_n(rng, 0, 60):02d}"


def _floats(rng: Random) -> str:
    return ", ".join(f"{rng.uniform(-2000, 2000):.{_n(rng, 0, 17)}f}" for _ in range(8))


def _path(rng: Random) -> str:
    pairs = " ".join(f"{_n(rng, 0, 2000)} {_n(rng, 0, 2000)}" for _ in range(6))
    return f'<path d="M {pairs} C {pairs} Z" stroke-width="{rng.random():.3f}"/>'


def _board(rng: Random) -> str:
    return json.dumps(
        {
            "w": _n(rng, 100, 5000),
            "h": _n(rng, 100, 5000),
            "elements": [
                {"id": f"e{i}", "x": rng.uniform(0, 999), "fill": f"#{_hex(rng, 6)}"}
                for i in range(4)
            ],
        }
    )


_SAID = (
    "Call to action: 3 for 2. Call 2 friends",
    "A password field and a secret recipe",
    "token: none, password: required",
    "Phone mockup 1080 x 1920, tablet 2048 x 2732",
    "the secret ingredient, a token gesture, API key visuals",
    "spacing token = space-16, colour token: brand-primary-500",
    "Sale 50-70% off, 1,299.00 EUR, size 555-123",
    "Open 09:00 - 17:30, Sat 10.30-14.00",
    "Forgot password? Reset password: link",
    "credentials: see the wiki page",
    "Best phone of 2026, call of duty 4, tel aviv 2027",
    "account: none, number of cards 3",
    "the secret: keep it simple and bold",
    "password must have 8-12 characters",
    "@mention @2x @media (min-width: 640px) @font-face",
    "a@b c @ d, 5 @ 3.50, user@host",
    "ratio 16:9, scale 1.25, DIN A4 210 x 297 mm",
    "bearer of good news since 1984",
)


def _words(rng: Random) -> str:
    return rng.choice(_SAID)


def _tokens(rng: Random) -> str:
    name = rng.choice(["max_tokens", "input_tokens", "token_count", "total_tokens"])
    used = _n(rng, 10, 10**7)
    return f'"{name}": {used}, "cache_read_input_tokens": {_n(rng, 0, 99999)}'


LOOKALIKES: Mapping[str, Make] = {
    "coordinates": _floats,
    "path": _path,
    "board": _board,
    "transform": lambda r: (
        f"translate({_n(r, 0, 999)} {_n(r, 0, 999)}) rotate({_n(r, 0, 360)})"
        f" matrix({_floats(r)})"
    ),
    "colours": lambda r: (
        f"#{_hex(r, 6)} #{_hex(r, 8).upper()} #{_hex(r, 3)}"
        f" rgb({_n(r, 0, 256)}, {_n(r, 0, 256)}, {_n(r, 0, 256)}) 0x{_hex(r, 8)}"
    ),
    "version": lambda r: (
        f"v{_n(r, 0, 30)}.{_n(r, 0, 30)}.{_n(r, 0, 3000)}-rc{_n(r, 0, 9)}"
    ),
    "package": lambda r: (
        f"{r.choice(['react', '@scope/core', 'left-pad', 'numpy'])}"
        f"@{_n(r, 0, 30)}.{_n(r, 0, 30)}.{_n(r, 0, 30)}"
    ),
    "uuid": lambda r: str(UUID(int=r.getrandbits(128), version=4)),
    "ids": lambda r: f"toolu_01{_any(r, 22)} call_{_any(r, 24)} req_{_hex(r, 24)}",
    "run ids": lambda r: (
        f"run-w{_n(r, 1, 9)}-{_n(r, 0, 999999):06d}-{_n(r, 0, 9999):04d}"
        f" r{_n(r, 0, 9999):04d} {_n(r, 0, 9999):04d}-{_n(r, 0, 9999):04d}"
    ),
    "git": lambda r: (
        f"commit {_hex(r, 40)}\nindex {_hex(r, 7)}..{_hex(r, 7)} 100644"
        " git@github.com:shop/site.git"
    ),
    "digest": lambda r: (
        f"sha256:{_hex(r, 64)} md5 {_hex(r, 32)} "
        + f'"integrity": "sha512-{"".join(r.choices(ALNUM + "+/", k=86))}=="'
    ),
    "time": lambda r: (
        f"{_time(r)}Z {_time(r)}.{_n(r, 0, 999999):06d}+02:00"
        f" {_time(r).replace('T', ' ')}"
    ),
    "epoch": lambda r: (
        f"{_n(r, 1_500_000_000, 1_900_000_000)} {_n(r, 15 * 10**11, 19 * 10**11)}"
        f" {_n(r, 15 * 10**17, 19 * 10**17)}"
    ),
    "dates": lambda r: (
        f"{_n(r, 1, 29):02d}/{_n(r, 1, 13):02d}/{_n(r, 1990, 2030)}"
        f" {_n(r, 1, 29):02d}.{_n(r, 1, 13):02d}.{_n(r, 1990, 2030)} 2024-2026"
    ),
    "artboards": lambda r: (
        f"Artboard {_n(r, 1, 99)} - {_n(r, 100, 9999)}x{_n(r, 100, 9999)}"
        f"@{_n(r, 1, 4)}x.png"
    ),
    "IPv4": lambda r: (
        ".".join(str(_n(r, 0, 256)) for _ in range(4)) + f":{_n(r, 1024, 65536)}"
    ),
    "IPv6, MAC": lambda r: (
        ":".join(_hex(r, 4) for _ in range(8))
        + " "
        + ":".join(_hex(r, 2) for _ in range(6))
    ),
    "ISBN, EAN": lambda r: (
        f"ISBN 978-3-{_n(r, 10, 99)}-{_n(r, 100000, 999999)}-{_n(r, 0, 9)},"
        f" EAN 40{''.join(r.choices(DIGITS, k=11))}"
    ),
    "prices": lambda r: (
        f"{_n(r, 1, 999)},{_n(r, 0, 999):03d}.{_n(r, 0, 99):02d} EUR, {_n(r, 1, 99)}%"
        f" SKU {_n(r, 100, 999)}-{_n(r, 1000, 9999)}"
    ),
    "order": lambda r: (
        f"Order no. {_n(r, 10**6, 10**8)}, invoice 2026-{_n(r, 0, 99999):05d},"
        f" ticket #{_n(r, 1000, 10**6)}"
    ),
    "usage": _tokens,
    "words": _words,
    "paths": lambda r: (
        "/home/runner/work /Users/Shared/fonts /usr/home.html"
        f" https://shop.test/home/products/{_n(r, 1, 999)}"
        f" src/skillbank/traffic/readers/v{_n(r, 1, 9)}/LongCamelCaseFileName.tsx"
    ),
    "assets": lambda r: (
        f"logo@{_n(r, 2, 4)}x.png icon@dark.svg sprite@{_n(r, 2, 4)}x.webp"
        f" headline-top@{_n(r, 1, 9)}"
    ),
    "identifiers": lambda r: (
        "getElementsByClassNameAndRenderThemTwice0123456789 TOKEN_EXPIRED password_hash"
        f" secretKeyRef api_key=os.environ['API_KEY'] token=reply.json()[{_n(r, 0, 9)}]"
    ),
    "fonts": lambda r: (
        f"font: {_n(r, 100, 900)} {_n(r, 8, 96)}px/1.{_n(r, 0, 9)} 'Inter', serif;"
        f" letter-spacing: -0.0{_n(r, 1, 9)}em; z-index: {_n(r, 1, 10**6)}"
    ),
    "picture": lambda r: (
        "data:image/png;base64,iVBORw0KGgo"
        + "".join(r.choices(ALNUM + "+/", k=200))
        + "="
    ),
    "query": lambda r: (
        f"https://cdn.test/a%20b/{_n(r, 1, 999)}?w={_n(r, 1, 9999)}&h={_n(r, 1, 9999)}"
        f"&v={_hex(r, 8)}&name=Sommer%20Sale%20{_n(r, 1, 99)}%25"
    ),
    "table": lambda r: "|".join(f" {_n(r, 0, 10 ** _n(r, 1, 8))} " for _ in range(10)),
    "matrix": lambda r: " ".join(str(_n(r, 0, 10000)) for _ in range(24)),
    "slug": lambda r: "-".join(
        "".join(r.choices(LOWER, k=_n(r, 3, 9))) for _ in range(5)
    ),
}
"""What it looks like, by a name."""


def lookalikes(n: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield `n` times (name, text), names in turn; every second one as JSON."""
    rng = Random(f"lookalike/{seed}")
    names = sorted(LOOKALIKES)
    for number in range(n):
        name = names[number % len(names)]
        text = LOOKALIKES[name](rng)
        if (number // len(names)) % 2:
            text = json.dumps({"id": name, "text": text, "n": number})
        yield name, text
