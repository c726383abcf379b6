"""Which ratings count, and in which direction, is chosen and never guessed."""

from skillbank.briefs.brief import Brief
from skillbank.params import ScoreRange
from skillbank.traffic.run import Misfit, Rating, Run
from skillbank.traffic.scoring import scored

RUN = Run(
    run_id="r",
    brief=Brief(id="b", text="A card"),
    score=1.0,
    provenance="check",
    ratings=(
        Rating(name="toxicity", value=0.25, provenance="model"),
        Rating(name="stars", value=4, provenance="human"),
        Rating(name="stars", value=5, provenance="human"),
        Rating(name="comment", value=None, text="fine"),
    ),
)
TOXICITY = ScoreRange(worst=1, best=0)
STARS = ScoreRange(worst=1, best=5)


def score(**chosen: ScoreRange) -> tuple[float | None, str]:
    (run, *_) = scored([RUN], chosen)
    assert isinstance(run, Run)
    return run.score, run.provenance


def test_a_rating_that_is_better_low_counts_so():
    assert score(toxicity=TOXICITY) == (0.75, "model")


def test_several_ratings_make_their_mean_with_the_least_authority():
    assert score(toxicity=TOXICITY, stars=STARS) == (0.875, "model")


def test_the_last_rating_of_a_name_counts():
    assert score(stars=STARS) == (1.0, "human")


def test_a_run_without_a_chosen_rating_has_no_score_whatever_its_trace_said():
    assert score(relevance=STARS, comment=STARS) == (None, "none")


def test_nothing_chosen_keeps_what_the_trace_said():
    assert score() == (1.0, "check")


def test_a_rating_beyond_its_range_is_left_out_and_named():
    run, note = scored([RUN], {"stars": ScoreRange(worst=0, best=3)})

    assert isinstance(run, Run)
    assert isinstance(note, Misfit)
    assert run.score is None
    assert note.kept
    assert "'stars': 5; expected 0 (worst) to 3 (best)" in note.problem
