"""A workspace says what else is private, and what never is."""

import base64
from pathlib import Path

import pytest

from skillbank.briefs.brief import Brief
from skillbank.codec import digest
from skillbank.errors import ParamsError
from skillbank.params import IngestParams, read_params
from skillbank.privacy_params import PrivacyParams
from skillbank.traffic.privacy import mask, mask_all, mask_value
from skillbank.traffic.readers.lines import misfit
from skillbank.traffic.run import Run

KEY = b"0123456789abcdef"


def after(text: str, **params: object) -> str:
    run = Run(run_id="r1", brief=Brief(id="b1", text="A poster"), output=text)
    return mask(run, KEY, PrivacyParams.model_validate(params)).output


@pytest.mark.parametrize(
    "text",
    ["customer KD-123456 asks", '{"a":"KD-123456"}', "x\nKD-123456\ny", "KD-123456"],
)
def test_a_pattern_of_the_workspace_is_masked_under_its_own_name(text: str):
    masked = after(text, patterns={"customer": r"\bKD-\d{6}\b"})

    assert "<customer:" in masked
    assert "123456" not in masked


def test_a_pattern_sees_what_escapes_and_base64_hide():
    patterns = {"customer": r"KD#\d{6}"}
    hidden = base64.b64encode(b"for customer KD#123456 only").decode()

    assert "123456" not in after("https://a.test/?c=KD%23123456", patterns=patterns)
    assert hidden not in after(f"note: {hidden}", patterns=patterns)


def test_a_pattern_may_hold_quotes_and_the_ends_of_a_text():
    assert after('"Q7"', patterns={"code": r'^"Q\d"$'}).startswith("<code:")


def test_a_misfit_is_masked_by_the_workspace_s_patterns_too():
    odd = misfit("f:2", "not JSON", "saw KD-123456", "{KD-123456")
    params = PrivacyParams(patterns={"customer": r"KD-\d{6}"})

    (masked,) = mask_all([odd], KEY, params)

    assert "KD-123456" in odd.sample
    assert "KD-123456" not in repr(masked)


@pytest.mark.parametrize(
    ("never", "text"),
    [
        ("Help@Shop.example", "write to help@shop.example"),
        ("+49 30 1234567", "call +49301234567"),
        ("design", "/home/design/logo.svg"),
    ],
)
def test_what_is_never_masked_stays_however_it_is_written(never: str, text: str):
    assert after(text, never=[never]) == text
    assert after(text) != text


def test_a_pattern_of_exceptions_is_about_whole_values():
    spared = {"never_patterns": [r".*@shop\.example"]}

    assert after("help@shop.example", **spared) == "help@shop.example"
    assert after("ann@shop.example.org", **spared) != "ann@shop.example.org"


def test_an_exception_does_not_spare_what_else_is_there():
    masked = after("help@shop.example, ann@web.de", never=["help@shop.example"])

    assert masked.startswith("help@shop.example, <email:")


@pytest.mark.timeout(10)
def test_no_pattern_makes_the_search_explode():
    masked = after("a" * 50_000 + "!", patterns={"slow": r"(a+)+b|(x|x)*y"})

    assert masked == "a" * 50_000 + "!"


def test_values_are_masked_by_the_same_rules():
    params = PrivacyParams(patterns={"customer": r"KD-\d{6}"}, never=("a@web.de",))

    masked = mask_value(("KD-123456", "a@web.de", "b@web.de"), KEY, params)

    assert masked[0].startswith("<customer:")
    assert masked[1] == "a@web.de"
    assert masked[2].startswith("<email:")


@pytest.mark.parametrize(
    ("privacy", "said"),
    [
        ("{patterns: {a: '('}}", "missing )"),
        ("{patterns: {a: '(?=x)y'}}", "RE2"),
        ("{patterns: {a: 'x*'}}", "matches nothing at all"),
        ("{patterns: {A b: 'x'}}", "small letters"),
        ("{patterns: {email: 'x'}}", "built in"),
        ("{never_patterns: ['.*']}", "matches nothing at all"),
        ("{nver: []}", "nver"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused_with_its_place(
    tmp_path: Path, privacy: str, said: str
):
    path = tmp_path / "params.yaml"
    path.write_text(f"ingest:\n  privacy: {privacy}\n")

    with pytest.raises(ParamsError) as caught:
        read_params(path)

    assert caught.value.place.startswith("params.yaml: ingest.privacy")
    assert said in str(caught.value)


def test_other_rules_are_other_params_to_a_step():
    one, other = (
        IngestParams(privacy=PrivacyParams(never=never)) for never in ((), ("a@b.org",))
    )

    assert one != other
    assert digest(one) != digest(other)
