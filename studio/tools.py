"""The registry of drawing tools: their schemas, and applying one to a board.

Forbidden actions (deleting the legal line, drawing on the locked kit layer, an asset
outside the kit) are carried out and reported: refusing is the gate's business.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import ValidationError

from skillbank.codec import Json
from skillbank.errors import WorldError
from studio import arranging, changing, finishing, placing, typesetting
from studio.canvas import Board
from studio.pen import Arguments, Pen, Refusal

Value = str | int | float | bool | list[str]
"""What an argument may be; lists are of texts."""


class Act(Protocol):
    """Validated arguments that can be carried out."""

    def act(self, pen: Pen) -> None:
        """Draw, or refuse."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool: its name, what it does, and the model of its arguments."""

    name: str
    description: str
    arguments: type[Arguments]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call; both texts are empty if all is well."""

    error: str = ""
    """Why nothing was done, in words for the agent."""
    forbidden: str = ""
    """Which forbidden action it was; it was carried out."""


_DONE = Result()
_MODELS: Mapping[str, type[Arguments]] = {
    "set_background": placing.SetBackground,
    "add_gradient": placing.AddGradient,
    "place_text": typesetting.PlaceText,
    "place_button": typesetting.PlaceButton,
    "place_list": typesetting.PlaceList,
    "place_grid": typesetting.PlaceGrid,
    "place_rect": placing.PlaceRect,
    "place_ellipse": placing.PlaceEllipse,
    "place_line": placing.PlaceLine,
    "place_image": placing.PlaceImage,
    "place_logo": placing.PlaceLogo,
    "place_qr": placing.PlaceQr,
    "set_size": changing.SetSize,
    "set_colour": changing.SetColour,
    "set_fill": changing.SetFill,
    "set_opacity": changing.SetOpacity,
    "set_weight": changing.SetWeight,
    "set_font": changing.SetFont,
    "set_leading": changing.SetLeading,
    "set_case": changing.SetCase,
    "set_align": changing.SetAlign,
    "set_width": changing.SetWidth,
    "set_fit": changing.SetFit,
    "fit_text": changing.FitText,
    "move": arranging.Move,
    "resize": arranging.Resize,
    "align_to": arranging.AlignTo,
    "stack_below": arranging.StackBelow,
    "distribute": arranging.Distribute,
    "bring_to_front": arranging.BringToFront,
    "send_to_back": arranging.SendToBack,
    "add_scrim": arranging.AddScrim,
    "recolour_board": finishing.RecolourBoard,
    "shrink_all": finishing.ShrinkAll,
    "delete_element": finishing.DeleteElement,
    "unlock_layer": finishing.UnlockLayer,
    "export": finishing.Export,
}
FORBIDDEN = frozenset({"unlock_layer"})
"""Tools that no card may name: there is no right use of them. What is forbidden of
other tools depends on what they are used on, and is for the gate to see."""
TOOLS: Mapping[str, Tool] = {
    name: Tool(name=name, description=model.__doc__ or "", arguments=model)
    for name, model in _MODELS.items()
}


def schema(tool: str) -> Mapping[str, Json]:
    """JSON schema of a tool's arguments, its description at the top.

    Raises:
        WorldError: If there is no such tool.
    """
    if tool not in TOOLS:
        raise WorldError(
            f"tool {tool!r}",
            seen="no such tool",
            expected=f"one of {', '.join(TOOLS)}",
            remedy="use the name of a tool of the studio",
        )
    return TOOLS[tool].arguments.model_json_schema()


def apply(
    board: Board, tool: str, arguments: Mapping[str, Value], subtask: str
) -> Result:
    """Carry out one tool call on a board, in place. Never raises on a bad call.

    Args:
        board: The board; unchanged if the result has an error.
        tool: Name of the tool.
        arguments: Values, not expressions; the schema says which.
        subtask: Whose work it is; recorded in what it changes.
    """
    known = TOOLS.get(tool)
    if known is None:
        return Result(error=f"no tool {tool!r}; there are: {', '.join(TOOLS)}")
    board.turn += 1
    pen = Pen(board, subtask)
    try:
        call: Act = known.arguments.model_validate(arguments)  # type: ignore[assignment]  # every model of the registry has act
        call.act(pen)
    except ValidationError as error:
        board.turn -= 1
        return Result(error=_first_problem(tool, error))
    except Refusal as error:
        board.turn -= 1
        return Result(error=f"{tool}: {error}")
    return Result(forbidden="; ".join(pen.forbidden)) if pen.forbidden else _DONE


def _first_problem(tool: str, error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "arguments"
    seen = repr(first["input"])[:60]
    return f"{tool}: {place}: {first['msg']} (seen: {seen})"
