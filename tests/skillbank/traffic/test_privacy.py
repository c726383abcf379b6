"""What is private is gone from every text of a run; everything else is as it was."""

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints
from urllib.parse import quote

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.agents.agent import Step
from skillbank.briefs.brief import Brief, Check, Requirement
from skillbank.codec import dump
from skillbank.skills.shelf import Subtask
from skillbank.traffic.privacy import mask, mask_all, mask_value, redact
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.run import Rating, Run, SkillUse, TracedStep

KEY = b"0123456789abcdef"

PRIVATE = {  # the whole of each is private
    "email": [
        "ann@example.org",
        "Ann.O'Neil+x@mail.co.uk",
        "li@163.com",
        "a_b@sub.example.com",
    ],
    "phone": [
        "+49 30 1234567",
        "+442079461234",
        "+1 (555) 123-4567",
        "(555) 123-4567",
        "555-123-4567",
        "1-800-555-0199",
        "030 1234567",
        "020 7946 0958",
        "07700 900123",
        "06 12 34 56 78",
        "+33 6 12 34 56 78",
        "+45 12 34 56 78",
    ],
    "card": [
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4111111111111111",
        "378282246310005",
        "3782 822463 10005",
        "5555555555554444",
    ],
    "iban": [
        "DE89 3704 0044 0532 0130 00",
        "GB29NWBK60161331926819",
        "FR1420041010050500013M02606",
    ],
    "secret": [
        "AKIA" + "IOSFODNN7EXAMPLE",
        "sk-" + "ant-api03-" + "a1B2c3D4" * 5,
        "sk-" + "proj-" + "Zz9" * 12,
        "gh" + "p_" + "a1B2c3" * 6,
        "github" + "_pat_" + "11AB" * 8,
        "xo" + "xb-123456789012-abcdefABCDEF",
        "AI" + "za" + "Sy0123456789abcdefghijklmnopqrstuvw"[:35],
        "h" + "f_" + "aB3" * 11,
        "sk" + "_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
        "ey" + "JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123_-x",
        "-----BEGIN RSA "
        + "PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY-----",
    ],
}
CASES = [(kind, value) for kind, values in PRIVATE.items() for value in values]

HARMLESS = [
    '{"w":1080,"h":1350,"elements":[{"id":"e1","x":86.4,"y":135.0,"fill":"#1a2b3c"}]}',
    '{"points":[120,340,560,780,1080,1920],"d":"M 10 20 L 300 400 555 123 4567 Z"}',
    '{"x":0.7071067811865476,"y":1.4111111111111111,"z":-3.782822463100051e-05}',
    "translate(120 340) rotate(45) scale(1.25)",
    "0.08*W+120.5, 0.1*H, W-2*0.08*W",
    "2026-01-05T09:00:00Z 2026-01-05 09:00 05/01/2026 12.30-14.00",
    "550e8400-e29b-41d4-a716-446655440000",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "run-w1-000123-0042 run-0001-000234 r0001 0001-0042 w12-482913-0007",
    "headline-top@3 logo@2x.png sprite@3x.webp package@1.2.3 git@github.com:a/b.git",
    "/home/runner/work /Users/Shared/fonts https://shop.test/home/products/1",
    "1700000000000 1700000000000000000 1234567890123",
    "color token: brand-primary-500, spacing token = space-16",
    "Call to action: 3 for 2. Call 2 friends. Tel Aviv 2026, phone mockup 1080 x 1920",
    "A password field, the secret ingredient, token gesture, api key visuals",
    "password: required, token: none",
    "#112233 #AABBCCDD rgb(12, 34, 56) 100% 24px 1.5em 16:9 4/5",
    "Sale 50-70% off 1,299.00 EUR, ISBN 978-3-16-148410-0, size 555-123",
    "v1.2.3 10.0.0.1 0x7fffffff 1e-05 +12.5 -3 +20 +30",
]


HIDING: dict[str, Callable[[str], str]] = {
    "JSON": json.dumps,
    "JSON of ASCII": lambda t: json.dumps(f"日本 {t}").replace("@", r"\u0040"),
    "JSON in JSON": lambda t: json.dumps(json.dumps({"a": f"x\n{t}\ny"})),
    "URL": lambda t: f"https://a.test/?q={quote(t, safe='')}&n=1",
    "URL in a URL": lambda t: (
        f"https://a.test/?to={quote('https://b.test/?q=' + quote(t, safe=''), safe='')}"
    ),
    "HTML": lambda t: f"<p>{t.replace('@', '&#64;')}</p>",
    "base64": lambda t: b64encode(t.encode()).decode(),
    "base64 for URLs": lambda t: urlsafe_b64encode(f"?>~{t}".encode()).decode(),
    "base64 in a URL": lambda t: quote(b64encode(f"?>~{t}".encode()).decode(), safe=""),
    "base64 of JSON in JSON": lambda t: json.dumps(
        {"data": b64encode(json.dumps({"to": t}).encode()).decode()}
    ),
    "base64 in base64": lambda t: b64encode(b64encode(t.encode())).decode(),
}


def run(**changes: object) -> Run:
    held = {"run_id": "r1", "brief": Brief(id="b1", text="A poster"), **changes}
    return Run(**held)  # type: ignore[arg-type]  # built from keywords of any type


@pytest.mark.parametrize(("kind", "value"), CASES)
@pytest.mark.parametrize(
    "around", ["{}", "see {}", "({}).", "a: {}, b", "x\n{}\ny", '"{}"', "<b>{}</b>"]
)
def test_a_private_value_is_replaced_by_its_kind(kind: str, value: str, around: str):
    masked = mask(run(output=around.format(value)), KEY).output

    assert re.fullmatch(
        re.escape(around).replace(r"\{\}", f"<{kind}:[0-9a-f]{{8}}>"), masked
    )


@pytest.mark.parametrize(("kind", "value"), CASES)
def test_json_within_a_text_stays_json(kind: str, value: str):
    inner = dump({"text": f"one\n{value}\ntwo", "list": [value]})
    outer = dump({"output": inner})

    masked = mask(run(output=outer), KEY).output

    found = orjson.loads(orjson.loads(masked)["output"])
    assert re.fullmatch(rf"one\n<{kind}:[0-9a-f]+>\ntwo", found["text"])
    assert re.fullmatch(rf"<{kind}:[0-9a-f]+>", found["list"][0])


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("call us 555-0199 today", "call us <phone> today"),
        ('{"phone": "555 0199"}', '{"phone": "<phone>"}'),
        ("tel.0301234567", "tel.<phone>"),
        ("password: hunter2!", "password: <secret>"),
        ("PWD=correct-horse", "PWD=<secret>"),
        ('{"api_key": "a1b2c3d4e5f6a7b8"}', '{"api_key": "<secret>"}'),
        (
            r"{\"client_secret\": \"a1b2c3d4e5f6a7b8\"}",
            r"{\"client_secret\": \"<secret>\"}",
        ),
        ("Authorization: Bearer abcDEF123456789012", "Authorization: Bearer <secret>"),
        ("postgres://bob:s3cret@db/x", "postgres://<secret>@db/x"),
        ("/home/ann/brief.txt", "/home/<name>/brief.txt"),
        ("/Users/ann", "/Users/<name>"),
        (r"C:\Users\ann\x", r"C:\Users\<name>\x"),
        (r'"C:\\Users\\ann\\x"', r'"C:\\Users\\<name>\\x"'),
        ("DE89 3704 0044 0532 0130 00 BANK", "<iban> BANK"),
        ("+49 30 1234567 2026-01-05", "<phone> 2026-01-05"),
    ],
)
def test_what_stands_around_tells_what_is_private(text: str, masked: str):
    assert redact(text) == masked


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_text_is_not_touched(text: str):
    assert redact(text) == text
    assert mask(run(output=text, run_id=text), KEY) == run(output=text, run_id=text)


def test_a_card_number_that_is_a_json_number_stays_a_number():
    masked = mask(run(output='{"n":4111111111111111}'), KEY).output

    assert isinstance(orjson.loads(masked)["n"], int)
    assert "4111" not in masked


def test_no_text_of_a_run_is_left_out():
    mail = "ann@example.org"
    leaky = run(
        run_id=f"r/{mail}",
        brief=Brief(
            id=f"b/{mail}",
            text=f"Write {mail} on it",
            cohort=mail,
            requirements=(
                Requirement(
                    id="q", kind="says", text=mail, args={"say": [mail]}, reason=mail
                ),
            ),
            facts={"contact": {"mail": mail}, mail: 1, "card": 4111111111111111},
        ),
        session=mail,
        tenant=mail,
        steps=(
            Step(subtask="s", tool="t", arguments={"text": f'"{mail}"'}, error=mail),
        ),
        uncovered=(Subtask(name="n", phrase=f"put {mail}"),),
        output=f'{{"text":"{mail}"}}',
        checks=(Check(requirement="q", outcome="met", why=f"saw {mail}"),),
    )

    masked = mask(leaky, KEY)

    assert mail not in dump(masked)
    assert "4111111111111111" not in dump(masked)
    assert len(set(re.findall(r"<email:\w+>", dump(masked)))) == 1


class Filler:
    """Values of any type of ours, with another planted text in each place for one."""

    def __init__(self) -> None:
        self.planted: list[str] = []

    def text(self) -> str:
        self.planted.append(f"ann{len(self.planted)}@leaks.example.org")
        return self.planted[-1]

    def of(self, kind: Any) -> Any:
        origin, inner = get_origin(kind), get_args(kind)
        if origin is tuple:
            return (self.of(inner[0]),)
        if origin is Literal:
            return inner[0]
        if origin in (Union, UnionType):
            return self.of(next(one for one in inner if one is not type(None)))
        if origin is not None and issubclass(origin, Mapping):
            return {self.text(): self.of(inner[1])}
        if is_dataclass(kind) and isinstance(kind, type):
            hints = get_type_hints(kind)
            return kind(**{f.name: self.of(hints[f.name]) for f in fields(kind)})
        if kind is str:
            return self.text()
        if kind in (int, float, bool):
            return kind(1)
        return {"deep": [self.text(), {self.text(): 4111111111111111}]}  # any JSON


def test_no_field_of_a_run_is_left_out_not_even_one_that_is_added_later():
    filler = Filler()
    leaky = filler.of(Run)
    names = {one.name for one in fields(Run)}

    told = dump(mask(leaky, KEY))

    assert len(filler.planted) > len(names)  # nested ones, too
    assert [one for one in filler.planted if one in told] == []
    assert "leaks.example" not in told
    assert "4111111111111111" not in told


@pytest.mark.parametrize("write", HIDING, ids=[name for name in HIDING])
def test_what_is_hidden_is_masked_in_arguments_results_and_errors(write: str):
    hidden = HIDING[write]("write to zoltan@example.org today")
    deep: Any = {"deep": [hidden]}
    leaky = run(
        steps=(
            TracedStep(
                subtask="s",
                tool="fetch",
                arguments={"url": hidden, hidden: deep},
                result=hidden,
                error=f"cannot open {hidden}: no such file",
            ),
        ),
        followups=(hidden,),
        ratings=(Rating(name="stars", value=1.0, text=hidden),),
        skills=(SkillUse(skill="s", how="opened", error=hidden),),
    )

    told = dump(mask(leaky, KEY))

    assert "zoltan" not in told
    assert hidden not in told
    assert "<email:" in told


def test_a_value_has_one_pseudonym_however_it_is_hidden():
    texts = {name: hide("ann@example.org") for name, hide in HIDING.items()}

    told = dump(mask(run(output=" ".join(texts.values())), KEY))

    assert len(set(re.findall(r"<email:\w+>", told))) == 1


def test_what_one_text_gives_away_is_masked_in_all_of_them():
    masked = mask(
        run(brief=Brief(id="b", text="Call 555 0199"), output='{"text":"555 0199"}'),
        KEY,
    )

    assert "0199" not in dump(masked)


def test_the_name_of_a_home_folder_is_left_alone_as_a_word():
    masked = mask(run(output="/home/max/a.png: set max width to 4"), KEY).output

    assert re.fullmatch(r"/home/<name:\w+>/a\.png: set max width to 4", masked)


def test_pseudonyms_are_the_same_however_a_value_is_written():
    texts = ("+49 30 1234567", "+49301234567"), ("Ann@Example.org", "ann@example.org")

    for one, other in texts:
        assert mask(run(output=one), KEY).output == mask(run(output=other), KEY).output


def test_another_key_gives_other_pseudonyms():
    one, other = (mask(run(user="ann", output="a@b.org"), k) for k in (KEY, b"x" * 16))

    assert one.output != other.output
    assert one.user != other.user


def test_a_user_becomes_a_pseudonym_and_nobody_stays_nobody():
    assert re.fullmatch(r"<user:[0-9a-f]{16}>", mask(run(user="ann"), KEY).user)
    assert mask(run(user=""), KEY).user == ""


def test_masking_twice_changes_nothing_more():
    leaky = run(user="ann", output=", ".join(value for _, value in CASES))

    once = mask(leaky, KEY)

    assert mask(once, KEY) == once


def test_a_clean_run_comes_back_as_it_is():
    clean = run()

    assert mask(clean, KEY) is clean


def test_a_stream_keeps_its_order_and_its_misfits():
    odd = misfit("f:2", "not JSON", "problem")
    many = [run(run_id=f"r{n}", output="a@b.org") for n in range(600)]

    masked = list(mask_all([many[0], odd, *many[1:]], KEY))

    assert masked[1] is odd
    assert [one.run_id for one in masked if isinstance(one, Run)] == [
        one.run_id for one in many
    ]
    assert masked[0] == mask(many[0], KEY)


FRAGMENTS = (
    [value for _, value in CASES]
    + HARMLESS
    + [
        "password: hunter2!",
        "tel. 030 1234567",
        "call 555 0199",
        "://bob:s3cret@db",
        "/home/ann/x",
        "Bearer abcDEF123456789012",
        "api_key=a1b2c3d4e5f6a7b8",
        "\n",
        " ",
        '"',
        "\\",
        "é",
        "x",
        "1",
        "-",
        ".",
        ":",
        ",",
        "=",
        "(",
        "日",
    ]
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
def test_the_cheap_hints_never_miss_what_the_exact_search_finds(text: str):
    leaky = run(output=text)

    assert mask(leaky, KEY) == mask_value(leaky, KEY)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12))
def test_json_of_any_texts_stays_json(texts: list[str]):
    masked = mask(run(output=dump({"texts": texts, "more": dump(texts)})), KEY).output

    assert len(orjson.loads(orjson.loads(masked)["more"])) == len(texts)


@pytest.mark.parametrize(
    "text", ["电话ann@example.org", "电话:+49 30 1234567号", "密钥sk-" + "a1234567" * 4]
)
def test_letters_without_blanks_between_hide_nothing(text: str):
    masked = mask(run(output=text), KEY).output

    assert "<" in masked
    assert not re.search(r"ann@|1234567", masked)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000 + "@x.com",
        "+1 234" * 30_000,
        "4111 " * 40_000,
        "-----BEGIN RSA " + "PRIVATE KEY-----" * 5_000,
        "://a:" * 40_000 + "@",
        " ".join(f"a{n}@b.co" for n in range(5_000)),
        " ".join(f"/home/n{n}/x" for n in range(5_000)),
        "password:" * 20_000,
        "(" * 200_000,
        "\\n" * 100_000,
        "%41" * 100_000,
        "&#64;" * 50_000,
        "\\u0041" * 50_000,
        "QUFB" * 100_000,
        "A" * 400_000,
        "A/" * 200_000,
        f"{'A' * 76}\n" * 5_000,
        "0171 " * 50_000,
        "/home/" * 50_000,
        "\\\\" * 100_000 + "Users",
        "account no. 1-" * 20_000,
    ],
)
@pytest.mark.timeout(5)
def test_no_text_makes_the_search_explode(text: str):
    assert mask(run(output=text), KEY)
