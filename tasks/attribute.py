"""Step 4: who is to blame, and what nobody has a skill for."""

from skillbank.evidence.attribute import attribute as attribute_runs
from skillbank.evidence.attribute import unlabelled
from skillbank.evidence.event import Event
from skillbank.evidence.labels import Filing, Merge
from skillbank.tables import (
    ATTEMPTS,
    EVENTS,
    FILINGS,
    GRADES,
    MERGES,
    RUNS,
    VARIANTS,
)
from tasks.memory import earlier_labels, graded
from tasks.setting import Setting, step


@step("attribute")
def attribute(setting: Setting) -> str:
    """File uncovered subtasks under labels, and failures against skills."""
    before = earlier_labels(setting)
    at = setting.step(
        __file__,
        reads=[RUNS, VARIANTS, ATTEMPTS, GRADES],
        earlier=[FILINGS, MERGES],
        depends=[
            setting.params.attribute,
            setting.params.models,
            setting.world.revision,
        ],
    )
    rows = graded(setting)
    labels = before.file(
        unlabelled(rows),
        setting.world.labeller,
        same_label=setting.params.attribute.same_label,
        round=setting.opening.round,
    )

    def filings() -> tuple[Filing, ...]:
        return labels.filings[len(before.filings) :]

    def merges() -> tuple[Merge, ...]:
        return labels.merges[len(before.merges) :]

    def events() -> tuple[Event, ...]:
        return attribute_runs(rows, labels, setting.params.attribute.fail_below)

    at.table(FILINGS, filings)
    at.table(MERGES, merges)
    made = at.table(EVENTS, events)
    failures = sum(event.kind == "failure" for event in made)
    uncovered = sum(event.kind == "uncovered" for event in made)
    return setting.say(f"{failures} failures of skills, {uncovered} uncovered subtasks")
