"""Every worked example of the gate study, by id."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from skillbank.gate.case import Count, Rule, open_verdicts, score_case, smallest_band
from skillbank.gate.cohorts import Share, Trigger, regressed_strata, total
from skillbank.gate.evalues import e_lond_bar, e_value, lond_level
from skillbank.gate.intervals import (
    completeness_curve,
    mcnemar_chi2,
    mid_p,
    pass_hat_k,
    rule_of_three,
    sign_flip_p,
    sign_test,
    sign_test_two_sided,
    upper_bound,
    wilson,
)
from skillbank.gate.judge_stats import SwapCounts, judge_health
from skillbank.gate.limits import STUDY
from skillbank.gate.neighbours import Neighbours
from skillbank.gate.operating import ships
from skillbank.gate.plan import Case, Plan
from skillbank.gate.published import ship
from skillbank.gate.trial import Trial
from skillbank.gate.votes import Vote, Votes

Oracle = dict[str, Any]
ORACLES: dict[str, Oracle] = {
    oracle["id"]: oracle
    for oracle in json.loads(
        (Path(__file__).parents[2] / "oracles" / "gate_oracles.json").read_text("utf-8")
    )
}
NOT_CLAIMED = {
    "D1": "demotion windows: operations",
    "D2": "demotion windows: operations",
    "D3": "demotion by CUSUM: operations",
}

WIN = Votes("candidate", "candidate")
LOSS = Votes("current", "current")
TIE = Votes("candidate", "current")


def first_number(text: str) -> Fraction:
    return Fraction(text.split()[0])


def rounded(value: float | Fraction) -> float:
    return round(float(value), 4)


def check_votes(oracle: Oracle) -> None:
    votes: tuple[Vote, Vote] = ("current", "candidate")
    first, second = oracle["input"]["cand_first"], oracle["input"]["cand_second"]

    assert Votes(votes[first], votes[second]).outcome == oracle["expected"]


def check_case(oracle: Oracle) -> None:
    given = oracle["input"]
    count = Count(given["wins"], given["ties"], given["losses"])
    rule = Rule(
        contexts=count.valid, band=Fraction(given["tau"]), symmetry=given["mode"]
    )

    assert count.rate == Fraction(oracle["expected"]["rate"])
    assert score_case(count, rule) == oracle["expected"]["verdict"]


def check_voided_case(oracle: Oracle) -> None:
    given = oracle["input"]
    count = Count(given["wins"], given["ties"], given["losses"])
    rule = Rule(contexts=given["planned"], band=Fraction(given["tau"]))

    assert score_case(count, rule) == oracle["expected"]


def check_ship(oracle: Oracle) -> None:
    assert ship(oracle["input"]) == oracle["expected"]


def check_null(oracle: Oracle) -> None:
    chance = Fraction(oracle["input"]["p"])

    found = ships(chance, chance, oracle["input"]["K"])

    assert found == first_number(oracle["expected"])


def check_worst_null(oracle: Oracle) -> None:
    check_null(oracle)
    near = (Fraction(oracle["input"]["p"]) + Fraction(step, 100) for step in (-1, 1))

    assert all(ships(p, p, 2) < Fraction(1, 3) for p in near)


def check_band(oracle: Oracle) -> None:
    found = [smallest_band(contexts) for contexts in oracle["input"]["C"]]

    assert found == [Fraction(text) for text in oracle["expected"]]


def check_totals(oracle: Oracle) -> None:
    n = oracle["input"]["n"]
    base, cand = Share(oracle["input"]["base"], n), Share(oracle["input"]["cand"], n)

    assert oracle["expected"] == {
        "base": f"{float(base.rate):.1%}",
        "cand": f"{float(cand.rate):.1%}",
        "diff": f"{float(100 * (cand.rate - base.rate)):.1f} points",
        "net": cand.hits - base.hits,
    }


def check_discordant(oracle: Oracle) -> None:
    gained, lost = oracle["input"]["gained"], oracle["input"]["lost"]

    assert oracle["expected"] == {
        "net": gained - lost,
        "discordant": gained + lost,
        "one_sided": rounded(sign_test(gained, lost)),
        "two_sided": rounded(sign_test_two_sided(gained, lost)),
        "mid_p_one_sided": rounded(mid_p(gained, lost)),
        "chi2": f"{mcnemar_chi2(gained, lost):.4g}",
        "chi2_cc": f"{mcnemar_chi2(gained, lost, corrected=True):.4g}",
    }


def check_sign(oracle: Oracle) -> None:
    found = sign_test(oracle["input"]["wins"], oracle["input"]["losses"])

    assert found == first_number(oracle["expected"])


def check_flip(oracle: Oracle) -> None:
    assert sign_flip_p(oracle["input"]) == Fraction(oracle["expected"])


def check_four_cases(oracle: Oracle) -> None:
    assert "1/16" in oracle["expected"]
    assert sign_flip_p([3] * oracle["input"]["K"]) == Fraction(1, 16) > Fraction(1, 20)
    assert sign_flip_p([3] * 5) == Fraction(1, 32)
    assert sign_flip_p([3] * 7) == Fraction(1, 128) < Fraction(1, 100)


def check_trigger(oracle: Oracle) -> None:
    trigger = Trigger(**oracle["input"])

    assert trigger.precision == Fraction(162, 210)
    assert trigger.recall == Fraction(9, 10)
    assert trigger.f1 == Fraction(54, 65)


def check_published_totals(oracle: Oracle) -> None:
    shares = [wilson(200, 367), wilson(131, 231), wilson(69, 136)]

    assert [f"{share.estimate:.1%}" for share in shares] == ["54.5%", "56.7%", "50.7%"]
    for share in shares:
        assert f"{100 * share.low:.1f}-{100 * share.high:.1f}" in oracle["expected"]


def check_pass_k(oracle: Oracle) -> None:
    given = oracle["input"]

    assert rounded(given["p"] ** given["k"]) == 0.729
    assert pass_hat_k(given["c"], given["n"], given["k"]) == Fraction(7, 15)


def check_no_breach(oracle: Oracle) -> None:
    n = oracle["input"]["n"]

    assert upper_bound(0, n) == pytest.approx(1 - 0.05 ** (1 / n))
    assert f"{upper_bound(0, n):.2%}" == "1.24%"
    assert rule_of_three(n) == Fraction(125, 10000)


def check_splits(oracle: Oracle) -> None:
    expected = {(12, 4): 0.0768, (10, 2): 0.0386, (8, 0): 0.0078, (20, 12): 0.2153}

    for split, p in expected.items():
        assert rounded(sign_test_two_sided(*split)) == p
        assert str(p) in oracle["expected"]


def check_judge(oracle: Oracle) -> None:
    health = judge_health(SwapCounts(cc=20, rr=10, ff=12, ss=6))
    expected = oracle["expected"]

    assert health.n == oracle["input"]["n"]
    assert health.flip_rate == Fraction(expected["flip_rate"])
    assert health.consistency == Fraction(expected["consistency"])
    assert health.net_first_bias == Fraction(expected["net_first_bias"])
    assert health.first_share == Fraction(expected["first_share"])
    assert health.candidate_rate == first_number(expected["candidate_rate"])
    assert rounded(health.bias_p) == expected["exact_p_bias"]


def check_open(oracle: Oracle) -> None:
    wins, ties, losses = oracle["input"]
    rule = Rule(contexts=3, band=Fraction(1, 10))

    found = open_verdicts(Count(wins, ties, losses, 3 - wins - ties - losses), rule)

    assert sorted(found) == oracle["expected"]


def told(*states: tuple[Votes, ...]) -> Trial:
    """A trial of 4 cases x 3 contexts that was told these votes, case by case."""
    cases = tuple(
        Case(id=f"c{i}", brief="b", contexts=tuple(f"c{i}/{j}" for j in range(3)))
        for i in range(4)
    )
    trial = Trial(Plan(proposal="p", cases=cases))
    for i, votes in enumerate(states):
        for j, vote in enumerate(votes):
            assert trial.verdict is None
            trial.tell(f"c{i}/{j}", vote)
    return trial


def check_stop_without_hope(oracle: Oracle) -> None:
    verdict = told(*[(TIE, TIE)] * 4).verdict

    assert verdict is not None
    assert (verdict.decision, verdict.spent, verdict.planned) == ("refuse", 8, 12)
    assert verdict.reason in oracle["expected"]


def check_stop_when_won(oracle: Oracle) -> None:
    verdict = told((WIN, WIN), *[(WIN, TIE)] * 3).verdict

    assert verdict is not None
    assert (verdict.decision, verdict.spent, verdict.planned) == ("commit", 8, 12)
    assert oracle["expected"].startswith("ship after 8 of 12")


def check_curve(oracle: Oracle) -> None:
    given = oracle["input"]

    for arm in ("base", "cand"):
        found = completeness_curve(given[arm], given["thresholds"])
        assert list(found) == oracle["expected"][arm]


def check_strata(oracle: Oracle) -> None:
    base, cand = (
        {
            name: Share(*(int(part) for part in text.split("/")))
            for name, text in oracle["input"][arm].items()
        }
        for arm in ("base", "cand")
    )

    assert total(cand).rate > total(base).rate
    assert regressed_strata(base, cand) == ("B",)


def check_e_value(oracle: Oracle) -> None:
    for text in oracle["expected"].split("; "):
        score, _, rest = text.partition(": ")
        wins, losses = map(int, score.split("-"))
        value, verdict = rest.split()

        assert round(float(e_value(wins, losses)), 2) == float(value)
        assert (e_value(wins, losses) >= STUDY.bar) == (verdict == "ship")


def check_harm(oracle: Oracle) -> None:
    for text in oracle["expected"].split("; "):
        score, _, rest = (
            text.replace(" wins", "w")
            .replace(" losses", "l")
            .replace(" loss", "l")
            .partition(" ")
        )
        found = {part[-1]: int(part[:-1]) for part in score.split("+")}
        value, _, verdict = rest.partition(" ")
        wins, losses = found.get("w", 0), found.get("l", 0)
        guard = Neighbours({0: 6}, STUDY)

        step = guard.rule_on([Count(wins, 0, losses, 6 - wins - losses)])

        assert round(float(guard.harm), 4) == pytest.approx(float(value), abs=5e-4)
        outcome = {"passed": "clear", None: "go on"}.get(step, "refuse")  # type: ignore[arg-type]
        assert outcome == verdict


def check_lond(oracle: Oracle) -> None:
    for text in oracle["expected"].partition("D+1): ")[2].split(", "):
        discoveries, level = text.removeprefix("D=").split()

        assert lond_level(Fraction(1, 10), 10, int(discoveries)) == Fraction(level)


def check_e_lond(oracle: Oracle) -> None:
    bars = oracle["expected"].partition(": ")[2].split(", ")

    found = [e_lond_bar(Fraction(1, 10), 10, found) for found in (0, 1, 4)]

    assert found == [int(bar) for bar in bars]


CHECKS: dict[str, Callable[[Oracle], None]] = {
    **dict.fromkeys(("V1", "V2", "V4"), check_votes),
    **dict.fromkeys(("C1", "C2", "C4", "C5", "C6", "C8", "C9", "C10"), check_case),
    **dict.fromkeys(("C12", "C13", "C14", "C15"), check_case),
    **dict.fromkeys(("X1", "X2", "X3", "X4", "X6"), check_voided_case),
    **dict.fromkeys(("S2", "S3", "S4", "S5", "S6", "S7"), check_ship),
    **dict.fromkeys(("N1", "N3"), check_null),
    "N2": check_worst_null,
    "L1": check_band,
    "T1": check_totals,
    "T2": check_discordant,
    **dict.fromkeys(("B2", "B3", "B4", "B5", "B6", "B7"), check_sign),
    **dict.fromkeys(("F1", "F4", "F5", "F6", "F7", "F8"), check_flip),
    "F9": check_four_cases,
    "R1": check_trigger,
    "P1": check_published_totals,
    "K1": check_pass_k,
    "Z1": check_no_breach,
    "M1": check_splits,
    "O1": check_judge,
    **dict.fromkeys(("U2", "U3", "U4", "U6", "U7", "U8"), check_open),
    "U9": check_stop_without_hope,
    "U10": check_stop_when_won,
    "E1": check_e_value,
    "E2": check_harm,
    "G1": check_lond,
    "G2": check_e_lond,
    "W1": check_curve,
    "H1": check_strata,
}


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_the_worked_example_holds(name: str) -> None:
    CHECKS[name](ORACLES[name])


def test_every_worked_example_is_claimed_or_says_why_not() -> None:
    assert CHECKS.keys() | NOT_CLAIMED.keys() == ORACLES.keys()
    assert not CHECKS.keys() & NOT_CLAIMED.keys()
