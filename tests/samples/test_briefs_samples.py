"""Design briefs that people wrote are all read."""

import os
from pathlib import Path

import pytest

from skillbank.traffic.readers.briefs import RawBrief, read_briefs

pytestmark = pytest.mark.samples


def test_every_design_intention_is_read_as_a_brief():
    named = os.environ.get("SKILLBANK_SAMPLES")
    if not named:
        pytest.skip("SKILLBANK_SAMPLES names no folder of samples")
    paths = sorted(Path(named, "opencole-designintention").glob("*.csv"))
    if not paths:
        pytest.skip("SKILLBANK_SAMPLES has no opencole-designintention/*.csv")

    found = [brief for path in paths for brief in read_briefs(path)]

    assert len(found) == 199
    assert all(isinstance(brief, RawBrief) for brief in found)
    assert len({brief.id for brief in found if isinstance(brief, RawBrief)}) == 199
