"""A run of traffic, and what did not become one.

Values only: nothing here reads a file, masks a text or counts.
"""

from dataclasses import dataclass, field
from typing import Literal

from skillbank.agents.agent import Ending, Step, Usage
from skillbank.briefs.brief import Brief, Check
from skillbank.skills.shelf import Recall, Subtask

Provenance = Literal["human", "check", "model", "none"]
"""Who says the score: a person, an authoritative check, a model, nobody."""

Reason = Literal[
    "not JSON",
    "not UTF-8",
    "truncated",
    "too long",
    "too deep",
    "missing field",
    "bad value",
    "no text",
    "unknown format",
    "link",
    "unreadable",
    "duplicate id",
]
"""Why something was put aside; few words, so that a table of them can be read."""

SAMPLE = 200
"""Most characters of a misfit's sample and of its problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One use of the agent by a user, as its trace tells it.

    Every reader yields this same value, so nothing behind the readers knows a format.
    """

    run_id: str
    brief: Brief
    session: str = ""
    """What the user did in one sitting; empty: the trace does not say."""
    user: str = ""
    """Who; after `privacy.mask` a keyed pseudonym. Empty: the trace does not say."""
    tenant: str = ""
    cohort: str = ""
    bank: str = ""
    """Version of the bank that the run was under; empty: none, or not told."""
    started: str = ""
    """ISO 8601 as the trace has it, UTC where it names no zone; never our clock."""
    steps: tuple[Step, ...] = ()
    """Tool calls in their order."""
    recalls: tuple[Recall, ...] = ()
    uncovered: tuple[Subtask, ...] = ()
    """Subtasks for which no verified skill above the threshold was found."""
    output: str = ""
    """The artefact or the final answer, as the world writes it."""
    ending: Ending = "ok"
    score: float | None = None
    """In [0, 1]; None: it was not measured, which is not 0."""
    checks: tuple[Check, ...] = ()
    """At most one for each requirement of the brief."""
    provenance: Provenance = "none"
    evaluator: str = ""
    """Revision of what gave the score."""
    usage: Usage = field(default_factory=Usage)
    retry_of: str = ""
    """Run id that this one tries again; empty: it is no retry, or not told."""
    source: str = ""
    """`file:line` below the folder that was read."""
    exploring: bool = False
    """Made to explore: feeds the writer of skills, never the failure counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """Something in a file that did not become a run, or only with a note."""

    source: str
    """`file:line`, or the file where it is about all of it."""
    reason: Reason
    problem: str
    """What was seen and what was expected, one bounded sentence."""
    sample: str = ""
    """The beginning of it, bounded, with personal data and secrets blotted out."""
    kept: bool = False
    """True: a note about a run that was kept all the same; not quarantined."""
