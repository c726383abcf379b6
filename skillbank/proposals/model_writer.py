"""A language model as the writer of skills: bounded edits, overhauls and mints.

It decides nothing and is believed nothing: an edit is applied only where its anchor
stands, letter by letter and once; a name or a drop is checked against what it was told.
Whatever does not fit is no draft, with its reason. What becomes of a draft, screen
and gate say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from skillbank.agents.agent import Step
from skillbank.codec import Json
from skillbank.errors import SkillError
from skillbank.models.model import LanguageModel, Request
from skillbank.prompts import fenced, prompt
from skillbank.proposals.proposal import Draft
from skillbank.proposals.writer import Cluster, Evidence, Revision
from skillbank.skills.shelf import Card
from skillbank.skills.skill import Skill, name_problem

_SHOWN = 6  # runs of a kind in one prompt
_RUN_LIMIT = 6_000  # characters of one run
_MAX_EDITS = 4
_MAX_CHANGED = 2_000  # characters of an edit, old and new together
_MAX_TOKENS = 12_000  # what a model thinks before it answers counts too


def _object(**properties: Json) -> Mapping[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}
_EDIT: Final = _object(
    note=_TEXT, edits={"type": "array", "items": _object(find=_TEXT, replace=_TEXT)}
)
_OVERHAUL: Final = _object(note=_TEXT, description=_TEXT, body=_TEXT, drops=_TEXTS)
_MINT: Final = _object(
    note=_TEXT,
    name=_TEXT,
    description=_TEXT,
    steps=_TEXTS,
    pitfalls=_TEXTS,
    checks=_TEXTS,
    calls=_TEXTS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """No draft, and why."""

    reason: str


class ModelSkillWriter:
    """Asks a model for changes of the bank; a `SkillWriter`.

    Args:
        model: Writes. It sees the evidence of one proposal at a time.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def study(self, pool: Sequence[Evidence]) -> None:
        """Do nothing: each question carries the evidence that it is about."""

    def revise(self, revision: Revision, seed: int) -> Draft | None:
        """An edit or an overhaul; None if there is none, `draft_revision` says why.

        Raises:
            ModelError: If the model could not be reached, or the budget is spent.
        """
        return _draft(self.draft_revision(revision, seed))

    def mint(self, cluster: Cluster, seed: int) -> Draft | None:
        """A new card; None if there is none, `draft_mint` says why.

        Raises:
            ModelError: If the model could not be reached, or the budget is spent.
        """
        return _draft(self.draft_mint(cluster, seed))

    def draft_revision(self, revision: Revision, seed: int) -> Draft | Declined:
        """An edit or an overhaul of a card, or why there is none.

        Raises:
            ModelError: If the model could not be reached, or the budget is spent.
        """
        task = "an overhaul" if revision.overhaul else "an edit"
        neighbours = revision.neighbours[:_SHOWN] if revision.overhaul else ()
        parts = [
            fenced("The card", revision.card.skill.text),
            *(fenced("Neighbouring card", card.skill.text) for card in neighbours),
            *_runs("Failed run", revision.failures),
            *_runs("Successful run", revision.successes),
            f"You are asked for {task}.",
        ]
        schema = _OVERHAUL if revision.overhaul else _EDIT
        answer = self._answer("revise", parts, schema, seed)
        if isinstance(answer, Declined):
            return answer
        try:
            if revision.overhaul:
                return _overhauled(revision, answer)
            return _edited(revision.card, answer)
        except SkillError as error:
            return Declined(reason=error.seen)

    def draft_mint(self, cluster: Cluster, seed: int) -> Draft | Declined:
        """A new card distilled from a cluster, or why there is none.

        Raises:
            ModelError: If the model could not be reached, or the budget is spent.
        """
        parts = [
            fenced("The need", cluster.label),
            fenced("Words in which it came up", "\n".join(cluster.phrases[:50])),
            *_runs("Run", cluster.members),
            f"Names that are taken: {', '.join(sorted(cluster.taken)) or '(none)'}.",
        ]
        answer = self._answer("mint", parts, _MINT, seed)
        if isinstance(answer, Declined):
            return answer
        try:
            return _minted(cluster, answer)
        except SkillError as error:
            return Declined(reason=error.seen)

    def _answer(
        self, role: str, parts: Sequence[str], schema: Mapping[str, Json], seed: int
    ) -> Mapping[str, Json] | Declined:
        completion = self._model.complete(
            Request(
                system=prompt(role),
                parts=tuple(parts),
                schema=schema,
                seed=seed,
                max_tokens=_MAX_TOKENS,
            )
        )
        if completion.answer is None:
            return Declined(reason=completion.problem)
        return completion.answer


def apply_edits(body: str, edits: Sequence[tuple[str, str]]) -> str | Declined:
    """Replace passages of a text, each found letter by letter and exactly once.

    All anchors are looked for in the text as it was, so no edit can depend on another.
    Line ends of anchor and replacement follow the text's own.

    Args:
        body: The text.
        edits: Pairs of an anchor and what stands there afterwards; empty deletes it.
    """
    newline = "\r\n" if "\r\n" in body else "\n"
    spans: list[tuple[int, int, str]] = []
    for find, replacement in edits:
        anchor, new = (_line_ends(text, newline) for text in (find, replacement))
        times = body.count(anchor) if anchor else 0
        if times != 1:
            return Declined(reason=f"the anchor {find[:60]!r} occurs {times} times")
        start = body.index(anchor)
        # counted with overlaps: "aa" stands twice in "aaa"
        if body.find(anchor, start + 1) != -1:
            return Declined(reason=f"the anchor {find[:60]!r} occurs more than once")
        spans.append((start, start + len(anchor), new))
    spans.sort()
    for (_, end, _), (start, _, _) in pairwise(spans):
        if start < end:
            return Declined(reason="two edits change the same passage")
    pieces, at = [], 0
    for start, end, new in spans:
        pieces += [body[at:start], new]
        at = end
    return "".join([*pieces, body[at:]])


def _draft(written: Draft | Declined) -> Draft | None:
    return None if isinstance(written, Declined) else written


def _edited(card: Card, answer: Mapping[str, Json]) -> Draft | Declined:
    edits = [(edit["find"], edit["replace"]) for edit in answer["edits"]]
    if not edits:
        return Declined(reason=f"no edit: {_line(answer['note'])}")
    changed = sum(len(find) + len(new) for find, new in edits)
    if len(edits) > _MAX_EDITS or changed > _MAX_CHANGED:
        return Declined(reason=f"{len(edits)} edits of {changed} characters: too much")
    body = apply_edits(card.skill.body, edits)
    if isinstance(body, Declined):
        return body
    if body == card.skill.body:
        return Declined(reason="the edits change nothing")
    text = card.skill.revise(body=body).text
    return Draft(text=text, note=_line(answer["note"]), kind="edit")


def _overhauled(revision: Revision, answer: Mapping[str, Json]) -> Draft | Declined:
    skill = revision.card.skill
    if not answer["body"].strip() or not answer["description"].strip():
        return Declined(reason=f"no overhaul: {_line(answer['note'])}")
    shown = {card.name for card in revision.neighbours[:_SHOWN]} - {skill.name}
    foreign = sorted(set(answer["drops"]) - shown)
    if foreign:
        return Declined(reason=f"it drops {foreign[0][:60]!r}, which it was not shown")
    body = "\n" + answer["body"].strip() + "\n"
    new = skill.revise(description=_line(answer["description"]), body=body)
    if new.normalised == skill.normalised:
        return Declined(reason="the overhaul changes nothing")
    return Draft(
        text=new.text,
        note=_line(answer["note"]),
        kind="overhaul",
        drops=tuple(sorted(set(answer["drops"]))),
    )


def _minted(cluster: Cluster, answer: Mapping[str, Json]) -> Draft | Declined:
    name = answer["name"]
    problem = name_problem(name)
    if problem or name in cluster.taken:
        return Declined(reason=problem or f"the name {name!r} is taken")
    if not answer["steps"] or not answer["description"].strip():
        return Declined(reason=f"no card: {_line(answer['note'])}")
    calls = [_line(call) for call in answer["calls"]]
    if any("```" in call for call in calls):
        return Declined(reason="a tool call would close its own block")
    steps = [f"{n}. {_line(step)}" for n, step in enumerate(answer["steps"], start=1)]
    pitfalls = [f"- {_line(text)}" for text in answer["pitfalls"]]
    checks = [f"- {_line(text)}" for text in answer["checks"]]
    sections = [
        ["## Steps", "", *steps],
        ["```calls", *calls, "```"] if calls else [],
        ["## Pitfalls", "", *pitfalls] if pitfalls else [],
        ["## Checks", "", *checks] if checks else [],
    ]
    body = "\n\n".join("\n".join(section) for section in sections if section)
    skill = Skill.compose(name, _line(answer["description"]), f"\n{body}\n")
    return Draft(text=skill.text, note=_line(answer["note"]), kind="mint")


def _runs(title: str, runs: Sequence[Evidence]) -> list[str]:
    return [
        fenced(f"{title} {n}, {_scored(run)}", _run(run), _RUN_LIMIT)
        for n, run in enumerate(runs[:_SHOWN], start=1)
    ]


def _scored(run: Evidence) -> str:
    return "not scored" if run.score is None else f"score {run.score:.2f}"


def _run(run: Evidence) -> str:
    needs = {need.id: need.text for need in run.brief.requirements}
    checks = [
        f"- {check.outcome}: {needs.get(check.requirement, '')} ({check.why})"
        for check in run.checks
    ]
    calls = [_call(step) for step in run.steps]
    parts = [run.brief.text, "Calls:", *calls, "Verdicts:", *checks]
    return "\n".join(parts)


def _call(step: Step) -> str:
    arguments = ", ".join(f"{name}={text}" for name, text in step.arguments.items())
    told = f"  [{step.skill}]" if step.skill else ""
    failed = f"  failed: {step.error}" if step.error else ""
    return f"{step.subtask}: {step.tool}({arguments}){told}{failed}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _line_ends(text: str, newline: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", newline)
