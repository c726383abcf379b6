"""Structural checks of a proposal before any replay, each with its reason.

Cheap filters of form, not of usefulness: what passes has earned a replay and nothing
more. What reaches for authority is a security event, not a refusal like others.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from skillbank.errors import SkillError
from skillbank.params import ScreenParams
from skillbank.proposals.proposal import Proposal
from skillbank.skills.authority import disguises, own_standing, weakenings
from skillbank.skills.bank import AGENT, Bank, Entry
from skillbank.skills.calls import Call, parse_call
from skillbank.skills.skill import TOOL_KEYS, Skill, problems
from skillbank.skills.words import words
from skillbank.traffic.privacy import private_in

_WRITTEN = frozenset(
    {"name", "description", "license", "compatibility", "metadata", *TOOL_KEYS}
)
"""Keys of the front matter that a writer may set, tools if the base has them; hosts act
on others, known to us or not."""
_LONGEST = 50  # times the limit of a text: what is longer is not even read
_REASONS = 12  # a proposal that is wrong in more ways is not worth a longer list
_SHOWN = 160  # characters of what is quoted in a reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening:
    """What the structural checks said of a proposal."""

    proposal: str
    """Id of the proposal."""
    passed: bool
    reasons: tuple[str, ...] = ()
    """Why it did not pass, one sentence each; security first."""
    security: bool = False
    """Whether it reached for authority: weakened a control, widened what it may do, or
    set its own standing."""


def screen(
    proposal: Proposal,
    bank: Bank,
    tools: Collection[str],
    params: ScreenParams,
    forbidden: Collection[str] = (),
) -> Screening:
    """Check a proposal's form against the rules, the bank and the tools.

    Args:
        proposal: The candidate change.
        bank: The bank that it would enter.
        tools: Names of the tools that there are; none means that no call is known.
        params: The limits.
        forbidden: Tools that no skill may name, whether they exist or not.
    """
    base = bank.find(proposal.skill) if proposal.base is not None else None
    longest = _LONGEST * params.max_characters + (len(base.skill.text) if base else 0)
    if len(proposal.text) > longest:
        reason = f"{len(proposal.text)} characters, too many to be looked at"
        return Screening(proposal=proposal.id, passed=False, reasons=(reason,))
    try:
        skill = Skill.parse(proposal.text, folder=proposal.skill)
    except SkillError as error:
        old = base.skill.text if base else ""
        danger = [*_weakened(proposal.text, old), *_disguised(proposal.text, old)]
        reasons = [*danger, _short(f"it is no skill: {error.seen}")]
    else:
        danger = list(_danger(skill, base, forbidden))
        reasons = [
            *danger,
            *_form(skill, proposal, base, params),
            *_tools(skill, tools),
            *_place(skill, proposal, base, bank, params),
        ]
    reasons.extend(_secrets(proposal.text, base))
    unique = tuple(dict.fromkeys(reasons))[:_REASONS]
    return Screening(
        proposal=proposal.id,
        passed=not unique,
        reasons=unique,
        security=bool(danger),
    )


def similarity(one: Skill, other: Skill) -> float:
    """Share of words that two skills have in common, each as often, in [0, 1].

    Names do not count: a copy under another name is a copy.

    Source:
        Dice 1945, on the multisets of words of description and body.
    """
    ours, theirs = _bag(one), _bag(other)
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 1.0


def _bag(skill: Skill) -> Counter[str]:
    name = set(words(skill.name))
    texts = (*words(skill.description), *words(skill.body))
    return Counter(word for word in texts if word not in name)


def _danger(
    skill: Skill, base: Entry | None, forbidden: Collection[str]
) -> Iterator[str]:
    old = base.skill if base else None
    yield from _weakened(skill.text, old.text if old else "")
    yield from _disguised(skill.text, old.text if old else "")
    before = own_standing(old) if old else {}
    set_by_itself = [
        key for key, value in own_standing(skill).items() if before.get(key) != value
    ]
    if set_by_itself:
        yield _short(f"it sets its own {_some(set_by_itself)}, which is the host's")
    kept = old.front if old else {}
    fresh = [
        key
        for key, value in skill.front.items()
        if key not in _WRITTEN and kept.get(key) != value
    ]
    if fresh:
        yield _short(f"it adds {_some(fresh)} to its front matter, which hosts obey")
    had = set(old.allowed_tools) if old else set()
    wider = [tool for tool in skill.allowed_tools if tool not in had]
    if wider:
        yield _short(f"it allows itself {_some(wider)}, which its base does not")
    named = {call.tool for call in _parsed(skill)} | {
        tool.partition("(")[0] for tool in skill.allowed_tools
    }
    banned = sorted(named & set(forbidden))
    if banned:
        yield _short(f"it names forbidden tools: {_some(banned)}")


def _weakened(text: str, old: str) -> Iterator[str]:
    for phrase in sorted(weakenings(text) - weakenings(old)):
        yield _short(f"it weakens a control: {phrase!r}")


def _disguised(text: str, old: str) -> Iterator[str]:
    for way in sorted(disguises(text) - disguises(old)):
        yield f"it hides what it says: {way}"


def _form(
    skill: Skill, proposal: Proposal, base: Entry | None, params: ScreenParams
) -> Iterator[str]:
    n_steps, n_checks = len(skill.steps), len(skill.checks)
    if n_steps < params.min_steps:
        yield f"{n_steps} steps, at least {params.min_steps} are needed"
    if n_checks < params.min_checks:
        yield (
            f"{n_checks} checks, at least {params.min_checks} are needed: "
            "success could not be judged"
        )
    length = _authored(skill.text, base)
    if length > params.max_characters:
        yield (
            f"{length} characters of its own, at most {params.max_characters} "
            "are allowed"
        )
    yield from (_short(problem) for problem in problems(skill))
    if (
        proposal.kind == "edit"
        and base is not None
        and skill.description != base.skill.description
    ):
        yield "an edit may not change the description: it decides what recalls the card"


def _authored(text: str, base: Entry | None) -> int:
    """Characters that the agent wrote: of a person's card only what it added."""
    if base is None or base.author == AGENT:
        return len(text)
    kept = Counter(base.skill.text.splitlines())
    own = Counter(text.splitlines()) - kept
    return sum((len(line) + 1) * count for line, count in own.items())


def _tools(skill: Skill, tools: Collection[str]) -> Iterator[str]:
    known = frozenset(tools)
    unknown = sorted({call.tool for call in _parsed(skill)} - known)
    if unknown:
        yield _short(f"it calls tools that do not exist: {_some(unknown)}")
    for line in skill.calls:
        try:
            parse_call(line)
        except SkillError as error:
            yield _short(f"{error.place} cannot be read: {error.seen}")


def _parsed(skill: Skill) -> Iterator[Call]:
    for line in skill.calls:
        try:
            yield parse_call(line)
        except SkillError:  # told by `_tools`
            continue


def _place(
    skill: Skill,
    proposal: Proposal,
    base: Entry | None,
    bank: Bank,
    params: ScreenParams,
) -> Iterator[str]:
    if skill.name != proposal.skill:
        yield _short(f"it is called {skill.name!r}, proposed was {proposal.skill!r}")
    lost = [name for name in proposal.drops if bank.find(name) is None]
    if lost:
        yield _short(f"it drops cards that are not there: {_some(lost)}")
    if proposal.skill in proposal.drops:
        yield "it drops the card that it is"
    if proposal.kind == "mint":
        yield from _mint(skill, proposal, bank, params)
    elif base is None or base.version != proposal.base:
        seen = f"version {base.version}" if base else "no version"
        yield f"it revises version {proposal.base}, the bank has {seen}"
    elif not proposal.placebo and skill.normalised == base.skill.normalised:
        yield "it changes nothing"


def _mint(
    skill: Skill, proposal: Proposal, bank: Bank, params: ScreenParams
) -> Iterator[str]:
    if proposal.skill in bank.names():
        yield _short(f"the name {proposal.skill!r} is taken")
    alike = [
        (similarity(skill, entry.skill), entry.name)
        for entry in bank.entries
        if entry.status in ("verified", "suspended")
    ]
    closest, name = max(alike, default=(0.0, ""))
    if alike and closest >= params.near_duplicate:
        yield f"it is a near-duplicate of {name} ({closest:.2f} of the words)"


def _secrets(text: str, base: Entry | None) -> Iterator[str]:
    # The secret itself is never repeated: reasons are printed and stored.
    known = base.skill.text if base else ""
    kinds = private_in(text)
    found = [hit for hit in kinds if kinds[hit] == "secret" and hit not in known]
    if found:
        yield f"it holds {len(found)} secret(s), such as a key or a password"


def _some(names: Collection[str]) -> str:
    shown = list(names)
    more = f" and {len(shown) - 5} more" if len(shown) > 5 else ""
    return ", ".join(shown[:5]) + more


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
