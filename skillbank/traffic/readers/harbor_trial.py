"""What Harbor scored of a trial, where its trajectory lies in the trial's folder.

A trial has `result.json`, `agent/trajectory.json` and `verifier/ctrf.json`; they are
also found where all lie in one folder.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from skillbank.agents.agent import Ending
from skillbank.codec import Json
from skillbank.traffic.readers.documents import beside
from skillbank.traffic.readers.ratings import direction
from skillbank.traffic.readers.values import (
    amount_of,
    as_dict,
    as_list,
    as_text,
    count_of,
    error_line,
    iso_of,
    number_of,
    seconds_between,
)
from skillbank.traffic.run import Rating, Run

_MOST_TESTS = 1000
_AGENTS_FAULT = re.compile(r"AgentTimeout|NonZeroAgentExit|ContextLength|OutputLength")
"""Exceptions that are the agent's doing; any other is the infrastructure's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What lies beside a trajectory; empty where there is none."""

    result: Mapping[str, Json] = field(default_factory=dict)
    tests: tuple[Json, ...] = ()


def trial_of(trajectory: Path) -> Trial:
    """What was scored of the trial that a trajectory is of."""
    here = trajectory.parent
    folder = here.parent if here.name == "agent" else here
    report = beside(folder / "verifier" / "ctrf.json") or beside(folder / "ctrf.json")
    tests = as_list(as_dict(report.get("results")).get("tests"))
    return Trial(
        result=beside(folder / "result.json"), tests=tuple(tests[:_MOST_TESTS])
    )


def has_trajectory(result: Path) -> bool:
    """Whether the trajectory of a trial lies where it is read with this result."""
    places = (result.parent / "agent", result.parent)
    return result.name == "result.json" and any(
        (place / "trajectory.json").is_file() for place in places
    )


def scored(run: Run, trial: Trial) -> Run:
    """A run with what its trial tells of reward, tests, failure and cost."""
    result = trial.result
    rewards = as_dict(as_dict(result.get("verifier_result")).get("rewards"))
    values = {name: number_of(value) for name, value in rewards.items()}
    ratings = [
        Rating(
            name=name,
            value=value,
            provenance="check",
            higher_is_better=direction(name),
        )
        for name, value in values.items()
        if value is not None
    ]
    reward = values.get("reward")
    failed = as_dict(result.get("exception_info"))
    kind = as_text(failed.get("exception_type"))
    if failed:
        told = f"{kind}: {as_text(failed.get('exception_message'))}"
        ending: Ending = "broken" if _AGENTS_FAULT.search(kind) else "fault"
        run = replace(run, ending=ending, reason=error_line(told))
    if reward is not None and 0 <= reward <= 1 and run.ending != "fault":
        run = replace(run, score=reward, provenance="check")
    return replace(
        run if run.part else _spent(run, result),  # of all parts: told with the first
        ratings=(*ratings, *map(_tested, map(as_dict, trial.tests))),
        trial=as_text(result.get("trial_name"))[:200],
    )


def _tested(test: Mapping[str, Json]) -> Rating:
    status = as_text(test.get("status"))
    values = {"passed": 1.0, "failed": 0.0}
    return Rating(
        name=f"test {as_text(test.get('name'))}"[:200],
        value=values.get(status),
        text=status,
        provenance="check",
        higher_is_better=True,
    )


def _spent(run: Run, result: Mapping[str, Json]) -> Run:
    """With what the trial tells of the cost where the trajectory does not."""
    told = as_dict(result.get("agent_result"))
    usage = run.usage
    if usage.input_tokens is None:
        usage = replace(
            usage,
            input_tokens=count_of(told.get("n_input_tokens")),
            cached_tokens=count_of(told.get("n_cache_tokens")),
            output_tokens=count_of(told.get("n_output_tokens")),
        )
    if usage.usd is None:
        usage = replace(usage, usd=amount_of(told.get("cost_usd")))
    start, end = iso_of(result.get("started_at")), iso_of(result.get("finished_at"))
    if usage.seconds is None:
        usage = replace(usage, seconds=seconds_between(start, end))
    return replace(run, usage=usage, started=run.started or start)
