"""Of what is private nearly all is found, and of what only looks so nearly nothing.

`python -m benchmarks.privacy` writes the figures, with intervals, to docs/privacy.md.
"""

from collections import Counter

import pytest

from skillbank.briefs.brief import Brief
from skillbank.privacy_params import BUILT_IN
from skillbank.traffic.detectors import detectors
from skillbank.traffic.privacy import mask_all
from skillbank.traffic.run import Run
from tests.skillbank.traffic.corpus.cases import KINDS, PLACES, planted
from tests.skillbank.traffic.corpus.lookalikes import LOOKALIKES, lookalikes

SEED = 101  # 1, 7 and 8 were for choosing
N = 30 * len(PLACES)
BRIEF = Brief(id="b", text="A poster")


def masked(texts: list[str]) -> list[str]:
    runs = (Run(run_id="r", brief=BRIEF, output=text) for text in texts)
    return [one.output for one in mask_all(runs, b"k" * 16) if isinstance(one, Run)]


@pytest.mark.parametrize("kind", KINDS)
def test_of_each_kind_at_least_98_in_100_are_found(kind: str):
    cases = list(planted(kind, N, SEED))

    outcomes = zip(cases, masked([case.text for case in cases]), strict=True)
    leaks = [case for case, text in outcomes if case.leaks_in(text)]

    assert len(leaks) <= 0.02 * N, Counter((one.family, one.place) for one in leaks)


def test_of_lookalikes_at_most_1_in_100_is_taken_for_private():
    names, texts = zip(*lookalikes(40 * len(LOOKALIKES), SEED), strict=True)

    outcomes = zip(names, texts, masked(list(texts)), strict=True)
    wrong = [name for name, text, after in outcomes if text != after]

    assert len(wrong) <= 0.01 * len(texts), Counter(wrong)


def test_every_kind_has_a_detector_and_cases():
    kinds = {detector.kind for detector in detectors()}

    assert kinds == set(KINDS) == set(BUILT_IN) - {"user"}
