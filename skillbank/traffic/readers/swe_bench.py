"""What SWE-bench said of a submission, where its results lie near the trajectory.

Results are of one instance (`report.json` of the harness: an object by instance, with
its tests) or of a batch (`results.json` or `report.json`: lists of instances). They lie
in the folder of the trajectory or in the one above it; where several do, the one with
the tests goes first, as it is of this instance alone.

No package is used: the harness's own evaluates in containers and reads no results back.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from skillbank.codec import Json
from skillbank.traffic.readers.documents import beside
from skillbank.traffic.readers.values import as_dict, as_list, as_text
from skillbank.traffic.run import Rating, Run

_NAMES = ("report.json", "results.json")
_MOST_TESTS = 1000
_MOST_LOOKED_FOR = 1000  # instances whose trajectories are looked for
_BATCH = ("resolved_ids", "resolved")
_FAILED = (
    *("unresolved_ids", "empty_patch_ids"),
    *("no_generation", "no_apply", "test_errored", "test_timeout", "applied"),
)
"""Lists of what was evaluated: an instance in one of them that was not resolved failed,
for want of a patch too. Others name what nobody could evaluate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was said of one instance."""

    resolved: bool
    why: str = ""
    """The list that it is in; empty: the harness reported on it alone."""
    tests: tuple[Rating, ...] = ()


def sign_results(head: bytes) -> str:
    """Why the beginning of a file is of results; empty if it is not."""
    if b'"tests_status"' in head and b'"resolved"' in head:
        return "a report on an instance, with tests_status"
    if b'"resolved_ids"' in head or b'"resolved_instances"' in head:
        return "results of a batch, by resolved instances"
    old = (b'"resolved"', b'"applied"', b'"no_generation"')
    return "results of a batch, by list" if all(word in head for word in old) else ""


def is_results(value: Mapping[str, Json]) -> bool:
    """Whether an object is results of either kind."""
    batch = any(isinstance(value.get(key), list) for key in _BATCH)
    return batch or any("resolved" in as_dict(one) for one in value.values())


def has_trajectory(path: Path, value: Mapping[str, Json]) -> bool:
    """Whether a trajectory of any instance lies where it is read with these results."""
    if path.name not in _NAMES:
        return False
    named = [as_list(value.get(key)) for key in (*_BATCH, *_FAILED)]
    ids = [as_text(id) for id in (*value, *(id for held in named for id in held))]
    return any(
        (place / f"{id}{end}").is_file()
        for id in dict.fromkeys(filter(_is_name, ids[:_MOST_LOOKED_FOR]))
        for place in (path.parent, path.parent / id)
        for end in (".traj", ".traj.json")
    )


def _is_name(id: str) -> bool:
    return 0 < len(id) <= 200 and not set(id) & set('/\\\x00"')


def judged(run: Run, trajectory: Path, instance: str) -> Run:
    """A run with what the results near its trajectory say of its instance.

    Args:
        run: Whose submission may have been evaluated.
        trajectory: Its file.
        instance: Id of the instance; empty: it is not known, so nothing is said.
    """
    verdict = next(_verdicts(trajectory.parent, instance), None) if instance else None
    if verdict is None:
        return run
    value = float(verdict.resolved)
    rating = Rating(
        name="resolved",
        value=value,
        text=verdict.why,
        provenance="check",
        higher_is_better=True,
    )
    rated = replace(run, ratings=(*run.ratings, rating, *verdict.tests))
    if run.ending == "fault":
        return rated
    return replace(rated, score=value, provenance="check")


def _verdicts(folder: Path, instance: str) -> Iterator[Verdict]:
    found = [
        beside(place / name) for place in (folder, folder.parent) for name in _NAMES
    ]
    for value in found:
        if isinstance(told := as_dict(value.get(instance)).get("resolved"), bool):
            yield Verdict(resolved=told, tests=_tests(as_dict(value[instance])))
    for value in found:
        if verdict := _in_batch(value, instance):
            yield verdict


def _tests(report: Mapping[str, Json]) -> tuple[Rating, ...]:
    """A rating for each test that decides; those that need not pass are left out."""
    found = [
        Rating(
            name=f"test {as_text(test)}"[:200],
            value=float(outcome == "success"),
            text=outcome,
            provenance="check",
            higher_is_better=True,
        )
        for kind in ("FAIL_TO_PASS", "PASS_TO_PASS")
        for outcome in ("success", "failure")
        for test in as_list(
            as_dict(as_dict(report.get("tests_status")).get(kind)).get(outcome)
        )
    ]
    return tuple(found[:_MOST_TESTS])


def _in_batch(value: Mapping[str, Json], instance: str) -> Verdict | None:
    if any(instance in as_list(value.get(key)) for key in _BATCH):
        return Verdict(resolved=True, why="resolved")
    if not any(isinstance(value.get(key), list) for key in _BATCH):
        return None
    for key in _FAILED:
        if instance in as_list(value.get(key)):
            return Verdict(resolved=False, why=key.removesuffix("_ids"))
    return None
