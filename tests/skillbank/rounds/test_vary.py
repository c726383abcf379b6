from collections.abc import Sequence
from dataclasses import replace

from skillbank.briefs.brief import Brief
from skillbank.params import VaryParams
from skillbank.records import SidedRun
from skillbank.rounds.vary import vary
from skillbank.traffic.run import Run
from skillbank.world import Variant


class Writer:
    """Writes what it was told to, for every brief the same."""

    def __init__(self, *texts: str) -> None:
        self._texts = texts

    def write(self, brief: Brief, n: int, seed: int) -> tuple[Variant, ...]:
        texts = self._texts or (f"Make a banner of {seed} in the {brief.id} manner",)
        return tuple(
            Variant(
                brief=Brief(
                    id=f"{brief.id}-{seed}-{number}",
                    text=text,
                    parent=brief.id,
                    root=brief.root,
                    kind="surface",
                ),
                note="said otherwise",
            )
            for number, text in enumerate(texts[:n])
        )


def run(number: int, root: str = "", side: str = "teach") -> SidedRun:
    asked = Brief(id=f"b{number}", root=root, text=f"A poster for harbour day {number}")
    made = Run(run_id=f"run{number:02}", brief=asked, session=f"s{number}")
    return SidedRun(run=made, side=side)  # type: ignore[arg-type]


def varied(runs: Sequence[SidedRun], *texts: str, seed: int = 3, **params: float):
    return vary(runs, Writer(*texts), VaryParams(**params), seed)


def test_a_third_of_the_briefs_get_a_variant_each_brief_once():
    runs = [run(n) for n in range(30)]

    made = varied(runs)

    assert len(made) == 10
    assert len({one.brief.root for one in made}) == 10
    assert made == varied(runs[::-1])
    assert made != varied(runs, seed=4)


def test_runs_of_the_same_root_count_once():
    runs = [run(n, root="same") for n in range(6)]

    assert len(varied(runs, share=1.0)) == 1


def test_a_variant_stays_on_its_parents_side_and_in_its_session():
    runs = [run(1, side="test"), run(2, side="teach")]

    made = varied(runs, share=1.0)

    told = {one.brief.parent: (one.side, one.session) for one in made}
    assert told == {"b1": ("test", "s1"), "b2": ("teach", "s2")}


def test_near_copies_of_the_parent_or_of_a_sibling_are_dropped():
    one = run(1)
    fresh = "Announce the regatta on a wide banner, quietly"

    made = varied(
        [one],
        one.run.brief.text,
        fresh,
        f"{fresh}.",
        share=1.0,
        per_brief=3,
    )

    assert [variant.brief.text for variant in made] == [fresh]


def test_a_share_of_nought_and_a_week_without_runs_give_none():
    assert varied([run(1)], share=0.0) == ()
    assert varied([], share=1.0) == ()


def test_a_retry_of_the_same_brief_does_not_change_which_run_is_varied():
    first, again = run(1, root="r"), replace(run(2, root="r"))

    assert varied([first, again], share=1.0) == varied([again, first], share=1.0)


def test_a_variant_that_says_what_a_fixed_brief_says_is_dropped():
    one, fixed = run(1), "Announce the regatta on a wide banner, quietly"

    writer = Writer(fixed.upper(), "Something else altogether, please")
    made = vary([one], writer, VaryParams(share=1.0, per_brief=2), 3, [fixed])

    assert [each.brief.text for each in made] == ["Something else altogether, please"]
