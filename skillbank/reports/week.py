"""The week's traffic on the page: how its runs went, and what they missed most."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from skillbank.evidence.survey import Survey
from skillbank.records import Grade, SidedRun
from skillbank.reports.rows import CohortRow, MissRow, UsedRow
from skillbank.reports.text import shown

_COHORTS = 12  # rows; a tenant with more has them counted together
_KINDS = 10
_WORDS = 120  # characters of a demand
_SKILLS = 12
_EXAMPLE = 140  # characters of a brief that stands for its theme


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


def used(
    runs: Sequence[SidedRun],
    grades: Mapping[str, Grade],
    bank: Collection[str],
    fail_below: float,
) -> tuple[UsedRow, ...]:
    """The skills that most runs recalled and the failures laid to each, bounded.

    Args:
        runs: Of the round.
        grades: By run id.
        bank: Names of the bank's skills.
        fail_below: Score below which a run is a failure, in [0, 1].
    """
    by_skill: dict[str, list[SidedRun]] = {}
    for one in runs:
        for name in sorted({recall.skill for recall in one.run.recalls}):
            by_skill.setdefault(name, []).append(one)
    rows = []
    for name, held in by_skill.items():
        found = ((one, grades.get(one.run.run_id)) for one in held)
        known = [(one, g.score) for one, g in found if g and g.score is not None]
        failed = [one for one, score in known if score < fail_below]
        rows.append(
            UsedRow(
                skill=shown(name, 64),
                runs=len(held),
                measured=len(known),
                score=sum(s for _, s in known) / len(known) if known else None,
                failed=len(failed),
                example=shown(failed[0].run.brief.text, _EXAMPLE) if failed else "",
                in_bank=name in bank,
            )
        )
    rows.sort(key=lambda row: (-row.failed, -row.runs, row.skill))
    return tuple(rows[:_SKILLS])


def surveyed(told: Survey) -> Survey:
    """The survey with texts as they may be shown, and no more cohorts than fit."""
    drift = told.drift
    if drift is not None:
        new = (
            replace(
                one, theme=shown(one.theme, 64), example=shown(one.example, _EXAMPLE)
            )
            for one in drift.new
        )
        drift = replace(drift, new=tuple(new))
    return replace(
        told,
        drift=drift,
        coverage=tuple(
            replace(one, cohort=shown(one.cohort, 40))
            for one in told.coverage[: _COHORTS + 1]
        ),
        needs=tuple(
            replace(one, example=shown(one.example, _EXAMPLE)) for one in told.needs
        ),
    )
