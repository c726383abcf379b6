from math import ceil, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Ridge

from skillbank.params import BenchmarkParams
from skillbank.records import Arm, Measured
from skillbank.rounds.blame import (
    Scores,
    bisect,
    effects,
    firing,
    harm_p,
    harmful,
    suspects,
    traced,
)

ALL = BenchmarkParams(suspect_at=0.0)


def measured(id: str, *fired: str) -> Measured:
    arm: Arm = "candidate"
    return Measured(
        set="benchmark",
        arm=arm,
        brief=id,
        attempt=f"a-{id}",
        score=0.5,
        completeness=0.5,
        success=False,
        fired=fired,
    )


def week(
    n: int, commits: int, share: float, seed: int, bad: float = -0.3
) -> tuple[dict[str, frozenset[str]], dict[str, float]]:
    """Commits of which the first does harm and the others nothing."""
    rng = np.random.default_rng(seed)
    fires = rng.random((n, commits)) < share
    moved = rng.normal(0, 0.1, n) + bad * fires[:, 0]
    fired = {
        f"c{k:02d}": frozenset(f"b{i}" for i in np.flatnonzero(fires[:, k]))
        for k in range(commits)
    }
    return fired, {f"b{i}": float(moved[i]) for i in range(n)}


def test_a_commit_fires_where_its_own_version_was_recalled():
    rows = [measured("b0", "headline@2", "qr@1"), measured("b1", "headline@1")]

    found = firing(rows, {"p1": "headline@2", "p2": "logo@1"})

    assert found == {"p1": {"b0"}, "p2": frozenset()}


def test_an_agent_that_names_no_card_at_all_left_no_traces():
    assert traced([measured("b0"), measured("b1", "qr@1")])
    assert not traced([measured("b0"), measured("b1")])
    assert not traced([])


@pytest.mark.parametrize("strength", [0.5, 1.0, 7.0])
def test_the_estimate_is_ridge_regression_as_scikit_learn_has_it(strength: float):
    fired, moved = week(80, 12, 0.2, 1)
    x = np.array([[b in fired[c] for c in sorted(fired)] for b in sorted(moved)], float)
    y = [moved[b] for b in sorted(moved)]

    found = effects(fired, moved, strength)

    expected = Ridge(alpha=strength, fit_intercept=False).fit(x, y).coef_
    assert [one.coefficient for one in found.values()] == pytest.approx(
        expected, abs=1e-8
    )


def test_the_error_is_how_far_the_estimate_strays_from_week_to_week():
    fired, _ = week(80, 12, 0.2, 1)
    rng = np.random.default_rng(2)
    weeks = [
        effects(fired, {f"b{i}": float(v) for i, v in enumerate(rng.normal(0, 1, 80))})
        for _ in range(400)
    ]

    for commit in ("c00", "c07"):
        seen = np.std([one[commit].coefficient for one in weeks])
        said = np.mean([one[commit].error for one in weeks])
        assert said == pytest.approx(seen, rel=0.12)


def test_a_good_commit_on_the_same_briefs_does_not_hide_a_bad_one():
    briefs = [f"b{i}" for i in range(30)]
    fired = {"bad": frozenset(briefs[:20]), "good": frozenset(briefs[10:])}
    moved = {b: 0.5 * (b in fired["good"]) - 0.3 * (b in fired["bad"]) for b in briefs}

    found = effects(fired, moved)

    assert found["bad"].coefficient < -0.2
    assert found["good"].coefficient > 0.4


def test_a_commit_that_fires_nowhere_has_no_effect_and_is_no_suspect():
    fired = {"idle": frozenset[str](), "bad": frozenset({"b0", "b1", "unmeasured"})}
    moved = {"b0": -0.5, "b1": -0.4, "b2": 0.0}

    (one,) = suspects(fired, moved, (), ALL)

    assert list(effects(fired, moved)) == ["bad"]
    assert one.commit == "bad"
    assert one.briefs == ("b0", "b1")
    assert suspects({}, {}, (), ALL) == ()
    assert suspects({"idle": frozenset()}, moved, (), ALL) == ()


def test_suspects_are_first_those_on_a_regressed_golden_case_then_the_worst():
    fired = {
        "bad": frozenset({"b0", "b1", "b2"}),
        "good": frozenset({"b3", "b4"}),
        "golden": frozenset({"b5"}),
        "mild": frozenset({"b6", "b7", "b8"}),
    }
    moved = dict.fromkeys((f"b{i}" for i in range(9)), 0.0)
    moved |= {"b0": -0.6, "b1": -0.5, "b2": -0.7, "b3": 0.4, "b4": 0.5}
    moved |= {"b6": -0.3, "b7": -0.2, "b8": -0.3}

    found = suspects(fired, moved, {"b5"}, ALL)

    assert [one.commit for one in found] == ["golden", "bad", "mild"]
    assert [one.golden for one in found] == [True, False, False]
    assert suspects(fired, moved, {"b5"}, BenchmarkParams(suspects=1)) == found[:1]


def test_what_shows_no_harm_is_not_replayed():
    fired, moved = week(200, 20, 0.15, 3)

    clear = suspects(fired, moved, (), BenchmarkParams(suspect_at=4.0))

    assert [one.commit for one in clear] == ["c00"]
    assert clear[0].effect is not None
    assert clear[0].effect.coefficient == pytest.approx(-0.3, abs=0.08)


def test_the_order_of_commits_and_briefs_does_not_matter():
    fired, moved = week(80, 12, 0.2, 5)
    turned = dict(reversed(list(fired.items())))

    assert suspects(fired, moved, (), ALL) == suspects(
        turned, dict(reversed(list(moved.items()))), (), ALL
    )


def bank(effects_of: dict[str, float], asked: list[int]):
    """Scores of banks in which each commit adds its effect to every brief."""

    def scored(commits) -> Scores:
        asked.append(len(commits))
        total = sum(effects_of[one] for one in commits)
        return {f"b{i}": 0.5 + total for i in range(4)}

    return scored


@given(n=st.integers(1, 40), at=st.integers(0, 39), mild=st.floats(-0.001, 0.001))
def test_a_bisection_finds_the_one_that_is_bad_within_its_bound(n, at, mild):
    commits = [f"c{k:02d}" for k in range(n)]
    does = dict.fromkeys(commits, mild)
    does[commits[at % n]] = -0.5
    asked: list[int] = []
    scored = bank(does, asked)

    found = bisect(commits, scored, scored(()), scored(commits))

    assert found == commits[at % n]
    assert len(asked) - 2 <= ceil(log2(n)) if n > 1 else len(asked) == 2


def test_a_bisection_compares_briefs_that_both_banks_were_measured_on():
    def scored(commits) -> Scores:
        return {"b0": 0.1} if commits == ["a"] else {"b0": 0.9, "b1": 0.0}

    found = bisect(["a", "b"], scored, {"b0": 0.9, "b1": 0.9}, {"b0": 0.9, "b1": 0.0})

    assert found == "a"
    assert bisect([], scored, {}, {}) is None
    assert bisect(["a"], scored, {}, {}) == "a"


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [
        (0, 4, 1 / 16),
        (1, 7, 9 / 256),
        (2, 8, 7 / 128),
        (1, 9, 11 / 1024),
        (2, 10, 79 / 4096),
        (0, 0, 1.0),
    ],
)
def test_the_p_of_losses_over_wins_is_exact(wins: int, losses: int, p: float):
    assert harm_p(wins, losses) == p
    assert harmful(wins, losses, 0.05) == (p <= 0.05)


def test_a_commit_is_dropped_at_the_bar_itself_and_never_for_winning():
    assert harmful(0, 4, 1 / 16)
    assert not harmful(0, 4, 0.05)
    assert not harmful(9, 1, 0.05)
    assert not harmful(3, 3, 1.0)
