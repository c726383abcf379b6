"""A run of traffic, and what did not become one.

Values only: nothing here reads a file, masks a text or counts. A run and its parts, and
the step and the brief within, have no slots: a decoder fills them at half the speed.
"""

from dataclasses import dataclass, field
from typing import Literal

from skillbank.agents.agent import Ending, Step, Usage
from skillbank.briefs.brief import Brief, Check
from skillbank.codec import fields_of
from skillbank.skills.shelf import Recall, Subtask

Provenance = Literal["human", "check", "model", "none"]
"""Who says the score: a person, an authoritative check, a model, nobody."""

Use = Literal["offered", "opened", "applied"]
"""offered: its name was shown; opened: its text was read; applied: the run invoked it
or followed it."""

Reason = Literal[
    "not JSON",
    "not UTF-8",
    "truncated",
    "too long",
    "too deep",
    "missing field",
    "bad value",
    "odd time",
    "no text",
    "unknown format",
    "link",
    "unreadable",
    "duplicate id",
    "no parent",
    "taken back",
]
"""Why something was put aside; few words, so that a table of them can be read."""

SAMPLE = 200
"""Most characters of a misfit's sample and of its problem."""


@dataclass(frozen=True, kw_only=True)
class TracedStep(Step):
    """One tool call of a run, with what a trace tells of it."""

    call: str = ""
    """Id of the call as the trace has it; empty: it has none."""
    result: str = ""
    """What the tool gave back, as text."""
    started: str = ""
    """ISO 8601 as the trace has it; empty: it does not say."""
    agent: str = ""
    """Id or name of the sub-agent that made the call; empty: the run's own agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillUse:
    """That a run was offered, opened or applied a skill."""

    skill: str
    """Name as the trace has it, without a plug-in's prefix."""
    how: Use
    version: str = ""
    """As the file says; empty: it does not."""
    error: str = ""
    """Why it could not be opened, such as a name that is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """One thing that somebody said of how good a run was."""

    name: str
    value: float | None
    """In the rater's own range; None: it is words only, or could not be given."""
    text: str = ""
    """The rating in words: a category, a comment, an explanation."""
    provenance: Provenance = "none"
    higher_is_better: bool | None = None
    """None: the trace does not say. Toxicity is better low."""


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What a run cost, as far as its trace says; None is not told, never 0."""

    turns: int | None = None
    """Model messages of the run and its sub-agents, each counted once."""
    input_tokens: int | None = None
    """All that the models read, cached parts included."""
    cached_tokens: int | None = None
    """Of these, what was read from a cache."""
    output_tokens: int | None = None
    """All that the models wrote, reasoning included."""
    usd: float | None = None
    seconds: float | None = None
    """Wall time from the brief to the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One message of a model and what it cost, so that no file counts it again."""

    id: str
    """The same wherever the message is told of."""
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, kw_only=True)
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
    steps: tuple[TracedStep, ...] = ()
    """Tool calls in their order."""
    recalls: tuple[Recall, ...] = ()
    uncovered: tuple[Subtask, ...] = ()
    """Subtasks for which no verified skill above the threshold was found."""
    output: str = ""
    """The artefact or the final answer, as the world writes it."""
    ending: Ending = "ok"
    reason: str = ""
    """Why it did not end well; empty: it did, or the trace does not say."""
    score: float | None = None
    """In [0, 1]; None: it was not measured, which is not 0."""
    checks: tuple[Check, ...] = ()
    """At most one for each requirement of the brief."""
    provenance: Provenance = "none"
    evaluator: str = ""
    """Revision of what gave the score."""
    usage: Spent = field(default_factory=Spent)
    retry_of: str = ""
    """Run id that this one tries again; empty: it is no retry, or not told."""
    source: str = ""
    """`file:line` below the folder that was read."""
    exploring: bool = False
    """Made to explore: feeds the writer of skills, never the failure counts."""
    followups: tuple[str, ...] = ()
    """What the user said after the brief, in order."""
    skills: tuple[SkillUse, ...] = ()
    """In the order of the trace; one for each skill and way of using it."""
    ratings: tuple[Rating, ...] = ()
    """All that was said of it; `score` is made of those that are chosen."""
    model: str = ""
    """The model that answered; the last one where it changed."""
    agent: str = ""
    """Name and version of the agent's program, such as `codex_cli 0.94.0`."""
    trial: str = ""
    """Which of several trials of the same task this is; empty: the only one."""
    parent: str = ""
    """Run id of the run that this one worked for as a sub-agent."""
    part: str = ""
    """Which file this is of those that one trajectory goes on in, from `1`; empty: the
    first, or it is told in one."""
    origin: str = ""
    """Id of the first message of the conversation: runs that share it are one
    conversation that was resumed, or forked."""
    replies: tuple[Reply, ...] = ()
    """What `usage` is made of, where the trace tells it by message: so `collapse` can
    count each message once over all runs."""


def traced(steps: tuple[Step, ...]) -> tuple[TracedStep, ...]:
    """Steps of an attempt as those of a run."""
    return tuple(TracedStep(**fields_of(step)) for step in steps)


def spent(usage: Usage) -> Spent:
    """The usage of an attempt as that of a run; it is known in full."""
    return Spent(**fields_of(usage))


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
