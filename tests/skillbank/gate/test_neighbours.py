from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.gate.case import Count
from skillbank.gate.evalues import e_value
from skillbank.gate.limits import HARM, Limits
from skillbank.gate.neighbours import Neighbours, dry_run
from skillbank.gate.noise import Noise, outcomes, votes
from skillbank.gate.simulate import unharmed


@dataclass(frozen=True)
class Prompt:
    id: str
    root: str


def prompts(n: int) -> tuple[Prompt, ...]:
    return tuple(Prompt(f"p{i:02}", f"p{i:02}") for i in range(n))


def nearness(prompt: Prompt) -> float:
    return -int(prompt.id[1:3])  # p00 is nearest


def refused(effects: Sequence[float], noise: Noise, n: int = 4000) -> float:
    rng = np.random.default_rng(17)
    each = np.tile(np.asarray(effects, dtype=np.float64), (n, 1))
    clear, _ = unharmed(Limits(), outcomes(*votes(each, 6, noise, rng)))
    return 1 - float(clear.mean())


def test_only_the_nearest_prompts_outside_the_cluster_are_looked_at() -> None:
    found = dry_run(
        prompts(40), cluster={"p00", "p02"}, nearness=nearness, fires=lambda _: True
    )

    assert len(found.looked) == 20
    assert found.looked[:3] == ("p01", "p03", "p04")
    assert len(found.replayed) == 8


def test_only_prompts_on_which_the_card_fires_are_replayed() -> None:
    found = dry_run(
        prompts(40),
        cluster=(),
        nearness=nearness,
        fires=lambda one: one.id in ("p03", "p19", "p25"),
    )

    assert found.replayed == ("p03", "p19")


def test_variants_of_one_brief_are_one_neighbour() -> None:
    variants = [Prompt("p00v", "p00"), Prompt("p00", "p00"), Prompt("p01", "p01")]

    found = dry_run(variants, cluster=(), nearness=nearness, fires=lambda _: True)

    assert found.looked == ("p00", "p01")


def test_the_order_of_prompts_does_not_matter() -> None:
    some = prompts(30)

    def run(given: Sequence[Prompt]) -> object:
        return dry_run(given, cluster=(), nearness=lambda _: 0.5, fires=lambda _: True)

    assert run(some) == run(some[::-1])


def test_a_trigger_is_right_where_labels_say_so() -> None:
    found = dry_run(
        prompts(4), cluster=(), nearness=nearness, fires=lambda one: one.id < "p03"
    )

    trigger = found.trigger({"p01", "p02", "p03", "elsewhere"})

    assert (trigger.fired, trigger.should, trigger.hit) == (3, 3, 2)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3)), min_size=1
    )
)
def test_the_guard_says_what_its_evidence_says(
    cases: list[tuple[int, int, int]],
) -> None:
    counts = [Count(w, t, ls, 8 - w - t - ls) for w, t, ls in cases]
    guard = Neighbours(dict.fromkeys(range(len(counts)), 8), Limits())

    step = guard.rule_on(counts)

    harm = e_value(sum(c.losses for c in counts), sum(c.wins for c in counts), HARM)
    assert guard.harm == harm
    if harm >= 5:
        assert step is not None
        assert step != "passed"
    elif harm <= 0.4 or all(count.valid >= 6 for count in counts):
        assert step == "passed"


@pytest.mark.parametrize(
    ("noise", "benign", "hurt"),
    [
        (Noise(), 0.15, 0.85),
        (Noise(0.25, 0.25, 0.2), 0.15, 0.85),
        (Noise(1.0, 1.0, 1.0), 0.15, 0.82),
    ],
)
def test_benign_mints_pass_and_those_that_hurt_all_neighbours_do_not(
    noise: Noise, benign: float, hurt: float
) -> None:
    # 0.127 and 0.895 under the reference judge; 4 standard errors are 2 points
    assert refused([0.0] * 8, noise) <= benign
    assert refused([-1.0] * 8, noise) >= hurt
    assert refused([0.5] * 8, noise) <= 0.03


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 8), st.floats(-1, 0))
def test_more_harm_is_never_let_through_more_often(n: int, effect: float) -> None:
    worse = refused([effect - 0.5] * n, Noise(), n=600)
    better = refused([effect] * n, Noise(), n=600)

    assert worse >= better - 0.08
