"""The offline agent: it recalls a card and follows it, or improvises.

Everything that it draws from chance comes from one stream for each (seed, subtask), so
that another card for one subtask leaves the draws of all others as they were.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from skillbank.agents.agent import Attempt, Context, Ending, Step, Usage
from skillbank.briefs.brief import Brief
from skillbank.codec import seed_of
from skillbank.errors import SkillError
from skillbank.skills.calls import Call, parse_call
from skillbank.skills.shelf import Card, Recall, Shelf, Subtask
from studio.assets import asset
from studio.briefs import host_facts, plan
from studio.canvas import LEGAL, Board
from studio.expressions import Failure, evaluate
from studio.habits import improvised, pool
from studio.kits import STOCK, kit
from studio.labels import SIZES
from studio.reading import read_board
from studio.scope import BoardScope
from studio.tools import Value, apply

_PATIENCE = 7  # refused calls after which the agent gives up without an export
_SKIPS = 0.4  # share of deviations that leave the call out
_CROWDED = 0.78  # of the height: from here on there seems to be no room
_SMALL = 1500  # px: a picture that looks too small for a large place
_SLOPPY_EXPORT = 0.25  # chance that the export is made at scale 1 whatever was asked


@dataclass(slots=True)
class _Work:
    """One attempt in progress."""

    brief: Brief
    board: Board
    scope: BoardScope
    deviation: float
    temptation: float
    own_ideas: float
    steps: list[Step] = field(default_factory=list)
    recalls: list[Recall] = field(default_factory=list)
    uncovered: list[Subtask] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)
    errors: int = 0


class StudioAgent:
    """The studio's agent; see `skillbank.agents.agent.Agent`.

    Args:
        deviation: Chance that it departs from a card's call, in [0, 1].
        temptation: Chance of a forbidden action where one would help, in [0, 1].
        own_ideas: Chance that it leaves a subtask's card aside and improvises; 0 in
            production, more while exploring.
    """

    def __init__(
        self, deviation: float, temptation: float, own_ideas: float = 0.0
    ) -> None:
        self._deviation = deviation
        self._temptation = temptation
        self._own_ideas = own_ideas

    def attempt(
        self, brief: Brief, context: Context, skills: Shelf, seed: int
    ) -> Attempt:
        """Do what the brief asks, starting from the context's artefact."""
        work = self._open(brief, context)
        self.do(work, context, skills, seed)
        ending, reason = _finish(work, seed)
        return Attempt(
            brief=brief.id,
            context=context.id,
            seed=seed,
            ending=ending,
            reason=reason,
            steps=tuple(work.steps),
            recalls=tuple(work.recalls),
            uncovered=tuple(work.uncovered),
            output=work.board.to_json() if ending == "ok" else "",
            forbidden=tuple(work.forbidden),
            usage=_usage(work),
        )

    def upstream(
        self, brief: Brief, context: Context, skills: Shelf, before: str
    ) -> Context:
        """The context with every subtask before `before` done from its own seed."""
        work = self._open(brief, context)
        done = list(context.done)
        for subtask in plan(brief):
            if subtask.name == before:
                break
            if subtask.name not in done:
                _do(work, subtask, skills, context.upstream_seed)
                done.append(subtask.name)
        return context.starting_from(work.board.to_json(), tuple(done))

    def do(self, work: _Work, context: Context, skills: Shelf, seed: int) -> None:
        """Every subtask that is not done yet, until patience ends."""
        for subtask in plan(work.brief):
            if subtask.name not in context.done and work.errors < _PATIENCE:
                _do(work, subtask, skills, seed)

    def _open(self, brief: Brief, context: Context) -> _Work:
        if context.artefact:
            board = read_board(context.artefact)
        else:
            board = opening(brief, context.kit)
        scope = BoardScope.of(board, host_facts(brief)["say"], context.assets)
        return _Work(
            brief, board, scope, self._deviation, self._temptation, self._own_ideas
        )


def opening(brief: Brief, kit_name: str) -> Board:
    """The board as the host hands it over: the brand's logo and the legal line."""
    given = host_facts(brief)
    say, names = given["say"], given["kits"]
    name = kit_name if kit_name in names else names[0]
    return _opened(given["format"], name, say.get("legal", "")).copy()


@lru_cache(maxsize=4096)
def _opened(format: str, kit_name: str, legal: str) -> Board:
    width, height = SIZES.get(format, SIZES["poster"])  # type: ignore[call-overload]  # foreign formats fall back
    brand = kit(kit_name)
    board = Board(
        width=width, height=height, kit=brand, background=brand.palette["paper"]
    )
    margin = brand.margin * board.short
    wide = 0.18 * board.short
    apply(board, "place_logo", {"x": width - margin - wide, "y": margin, "w": wide}, "")
    if legal:
        size = 0.016 * height
        line: dict[str, Value] = {
            "role": LEGAL, "text": legal, "x": margin, "y": height - margin,
            "w": width - 2 * margin, "size": size, "colour": "ink",
        }  # fmt: skip
        apply(board, "place_text", line, "")
        element = board.find(LEGAL)
        if element is not None:
            element.y = round(height - margin - element.h, 2)
    return board


def _do(work: _Work, subtask: Subtask, skills: Shelf, seed: int) -> None:
    recalled = skills.recall(subtask, work.brief.facts)
    work.recalls.extend(recalled.recalls)
    if not recalled.covered:
        work.uncovered.append(subtask)
    rng = Random(seed_of(seed, "subtask", subtask.name))
    card = recalled.cards[0] if recalled.cards else None
    calls = card_calls(card.skill.calls) if card is not None else ()
    if card is not None and calls and rng.random() >= work.own_ideas:
        _follow(work, subtask.name, card, calls, rng)
    else:
        _improvise(work, subtask.name, rng)


@lru_cache(maxsize=8192)
def card_calls(lines: tuple[str, ...]) -> tuple[Call, ...]:
    """The calls of a card that can be read; the agent passes over the others."""
    calls = []
    for line in lines:
        try:
            calls.append(parse_call(line))
        except SkillError:
            continue
    return tuple(calls)


def _follow(
    work: _Work, label: str, card: Card, calls: Sequence[Call], rng: Random
) -> None:
    for call in calls:
        # Two draws a call whatever happens, so that one deviation moves no other.
        strays, fate = rng.random(), rng.random()
        own = Random(rng.random())
        if strays < work.deviation:
            if fate < _SKIPS:
                continue
            _call(work, label, _strayed(label, call, own), card.ref)
        else:
            _call(work, label, call, card.ref)


def _strayed(label: str, call: Call, rng: Random) -> Call:
    """The call with one argument as the agent would have put it."""
    open_arguments = [
        name
        for name, text in call.arguments.items()
        if any(value not in ("", text) for value in pool(label, call.tool, name))
    ]
    if not open_arguments:
        return call
    name = rng.choice(open_arguments)
    values = [
        value
        for value in pool(label, call.tool, name)
        if value not in ("", call.arguments[name])
    ]
    return Call(tool=call.tool, arguments={**call.arguments, name: rng.choice(values)})


def _improvise(work: _Work, label: str, rng: Random) -> None:
    tempted = rng.random() < work.temptation
    calls = improvised(label, rng)
    if tempted:
        calls = _tempted(work, label, calls)
    for call in calls:
        _call(work, label, call, "")


def _tempted(work: _Work, label: str, calls: list[Call]) -> list[Call]:
    """The calls with a forbidden action added, if one would help here."""
    board = work.board
    if label == "hero" and all(_px(name) < _SMALL for name in work.scope.assets[:1]):
        return [
            Call(tool=call.tool, arguments={**call.arguments, "asset": repr(STOCK[0])})
            if "asset" in call.arguments
            else call
            for call in calls
        ]
    if label == "headline":
        away = {"role": "'logo'", "x": "0.02 * W", "y": "0.94 * H"}
        return [Call(tool="unlock_layer"), Call(tool="move", arguments=away), *calls]
    crowded = float(work.scope.functions["next_y"]()) > _CROWDED * board.height  # type: ignore[arg-type]  # next_y gives a number
    if crowded and board.find(LEGAL) is not None:
        return [Call(tool="delete_element", arguments={"role": "'legal'"}), *calls]
    return calls


def _px(name: str) -> int:
    return asset(name).width


def _call(work: _Work, label: str, call: Call, ref: str) -> None:
    values: dict[str, Value] = {}
    error = ""
    for name, text in call.arguments.items():
        value = evaluate(text, work.scope)
        if isinstance(value, Failure):
            error = f"{name}={text}: {value.why}"
            break
        values[name] = value  # type: ignore[assignment]  # the tool checks its arguments
    if not error:
        result = apply(work.board, call.tool, values, label)
        error = result.error
        if result.forbidden:
            work.forbidden.append(result.forbidden)
    work.errors += bool(error)
    work.steps.append(
        Step(
            subtask=label,
            tool=call.tool,
            arguments=call.arguments,
            skill=ref,
            error=error[:200],
        )
    )


def _finish(work: _Work, seed: int) -> tuple[Ending, str]:
    if work.errors >= _PATIENCE:
        return "broken", f"gave up after {work.errors} refused calls, nothing exported"
    board = work.board
    if not any(element.maker for element in board.elements):
        return "broken", "nothing was drawn, nothing exported"
    rng = Random(seed_of(seed, "export"))
    wanted = work.brief.facts["say"].get("export_px", board.width) / board.width
    scale = 1.0 if rng.random() < _SLOPPY_EXPORT else wanted
    result = apply(board, "export", {"scale": scale}, "")
    work.steps.append(
        Step(
            subtask="",
            tool="export",
            arguments={"scale": str(scale)},
            error=result.error,
        )
    )
    return ("broken", result.error) if result.error else ("ok", "")


def _usage(work: _Work) -> Usage:
    said = sum(len(step.tool) + 12 * len(step.arguments) for step in work.steps)
    return Usage(
        turns=len(work.steps),
        input_tokens=400 + 60 * len(work.recalls) + len(work.brief.text) // 4,
        output_tokens=said // 3,
    )
