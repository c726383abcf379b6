"""The week's traffic on the page: how its runs went, and what they missed most."""

from collections.abc import Mapping, Sequence

from skillbank.records import Grade, SidedRun
from skillbank.reports.text import shown
from skillbank.reports.view import CohortRow, MissRow

_COHORTS = 12  # rows; a tenant with more has them counted together
_KINDS = 10
_WORDS = 120  # characters of a demand


def cohorts(
    runs: Sequence[SidedRun], grades: Mapping[str, Grade]
) -> tuple[CohortRow, ...]:
    """How the runs went, by cohort, the largest first; the smallest in one row.

    Args:
        runs: Of the round.
        grades: By run id.
    """
    groups: dict[str, list[SidedRun]] = {}
    for one in runs:
        groups.setdefault(one.run.cohort or "all", []).append(one)
    ordered = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    rest = [one for _, held in ordered[_COHORTS:] for one in held]
    rows = [_cohort(shown(name, 40), held, grades) for name, held in ordered[:_COHORTS]]
    return (*rows, _cohort("others", rest, grades)) if rest else tuple(rows)


def _cohort(
    name: str, runs: Sequence[SidedRun], grades: Mapping[str, Grade]
) -> CohortRow:
    found = [grades[one.run.run_id] for one in runs if one.run.run_id in grades]
    scores = [grade.score for grade in found if grade.score is not None]
    complete = [one.completeness for one in found if one.completeness is not None]
    endings = [one.run.ending for one in runs]
    return CohortRow(
        cohort=name,
        runs=len(runs),
        ended=endings.count("ok"),
        broken=endings.count("broken"),
        fault=endings.count("fault"),
        score=sum(scores) / len(scores) if scores else None,
        completeness=sum(complete) / len(complete) if complete else None,
        measured=len(scores),
    )


def misses(
    runs: Sequence[SidedRun], grades: Mapping[str, Grade]
) -> tuple[MissRow, ...]:
    """The kinds of requirement that most runs missed, by number, bounded.

    Args:
        runs: Of the round.
        grades: By run id.
    """
    counts: dict[str, dict[str, int]] = {}
    examples: dict[str, str] = {}
    for one in runs:
        needs = {need.id: need for need in one.run.brief.requirements}
        grade = grades.get(one.run.run_id)
        for check in grade.checks if grade else ():
            need = needs.get(check.requirement)
            if need is None:
                continue
            count = counts.setdefault(need.kind, {"met": 0, "partly": 0, "not": 0})
            count[check.outcome] += 1
            if check.outcome != "met":
                examples.setdefault(need.kind, need.text)
    rows = [
        MissRow(
            kind=shown(kind, 40),
            example=shown(examples[kind], _WORDS),
            met=count["met"],
            partly=count["partly"],
            missed=count["not"],
        )
        for kind, count in counts.items()
        if kind in examples
    ]
    rows.sort(key=lambda row: (-row.missed, -row.partly, row.kind))
    return tuple(rows[:_KINDS])
