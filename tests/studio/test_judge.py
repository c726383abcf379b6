"""Claims about the offline judge: it prefers what meets more, and its faults show."""

from skillbank.params import JudgeParams
from studio.judge import StudioJudge
from tests.studio.playing import HAND, NOTHING, attempt, brief, cards, shelf, studio

QUIET = JudgeParams(noise=0, misperception=0, position_bias=0, taste=0, leak=0, drift=0)


def judge(**faults: float) -> StudioJudge:
    return StudioJudge(QUIET.model_copy(update=faults), studio().verify)


def pairs(n: int):
    """Pairs of drawings of one kind for one brief each."""
    for number in range(n):
        one = brief(number % 20)
        yield (
            one,
            attempt(one, NOTHING, number).output,
            attempt(one, NOTHING, 1000 + number).output,
        )


def flips(offline: StudioJudge, n: int) -> tuple[int, int]:
    """How often the first and how often the second slot won in both orders."""
    first = second = 0
    for number, (one, a, b) in enumerate(pairs(n)):
        ab = offline.compare(one, a, b, batch="t", seed=2 * number)
        ba = offline.compare(one, b, a, batch="t", seed=2 * number + 1)
        first += ab == ba == "first"
        second += ab == ba == "second"
    return first, second


def test_a_judge_without_faults_prefers_what_meets_more_in_either_order():
    one, held = brief(3), shelf(*cards(HAND))
    good, poor = attempt(one, held).output, attempt(one).output

    assert judge().compare(one, good, poor, batch="t", seed=1) == "first"
    assert judge().compare(one, poor, good, batch="t", seed=2) == "second"


def test_equal_drawings_are_the_same():
    one = brief(3)
    drawn = attempt(one).output

    assert (
        judge(noise=2, position_bias=3).compare(one, drawn, drawn, batch="t", seed=1)
        == "same"
    )


def test_position_bias_shows_in_the_flips():
    unbiased = flips(judge(noise=0.5), 60)
    biased = flips(judge(noise=0.5, position_bias=1.0), 60)

    assert biased[0] - biased[1] > unbiased[0] - unbiased[1] + 5
    assert biased[0] > biased[1]


def test_misperception_is_the_same_in_both_orders_and_noise_is_not():
    assert sum(flips(judge(misperception=3.0), 40)) <= 1
    assert sum(flips(judge(noise=3.0), 40)) > 5


def test_absolute_scores_drift_between_batches_more_than_preferences():
    one = brief(3)
    drawn = attempt(one).output
    drifting = judge(drift=2.0)

    scores = {
        round(drifting.absolute(one, drawn, batch=f"b{k}", seed=1), 4) for k in range(5)
    }
    votes = {
        drifting.compare(
            one, drawn, attempt(one, NOTHING, 77).output, batch=f"b{k}", seed=1
        )
        for k in range(5)
    }

    assert len(scores) == 5
    assert len(votes) == 1


def test_taste_pulls_towards_more_elements():
    plain, busy = judge(), judge(taste=50.0)
    changed = 0
    for number, (one, a, b) in enumerate(pairs(20)):
        more = "first" if a.count('"role"') > b.count('"role"') else "second"
        if a.count('"role"') == b.count('"role"'):
            continue
        assert busy.compare(one, a, b, batch="t", seed=number) == more
        changed += plain.compare(one, a, b, batch="t", seed=number) != more

    assert changed > 0


def test_the_revision_changes_with_the_faults():
    assert judge().revision != judge(noise=1.0).revision
