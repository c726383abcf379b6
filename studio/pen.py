"""The hand that a tool call draws with: it knows the board, the rules and the subtask.

A tool says what to do; the pen resolves colours and roles, records whose work it was,
and notes the three forbidden actions. Forbidden actions still happen.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from studio.canvas import Board, Element
from studio.colour import parse

SMALLEST = 1.0
"""Px: what has no side of at least this length is lost."""

Px = Annotated[float, Field(ge=-20000, le=20000)]
Length = Annotated[float, Field(ge=0, le=20000)]
TypeSize = Annotated[float, Field(gt=0, le=4000)]
Leading = Annotated[float, Field(ge=0.5, le=4)]
Share = Annotated[float, Field(ge=0, le=1)]
Role = Annotated[
    str, Field(min_length=1, max_length=48, pattern=r"^[a-z0-9][a-z0-9._-]*$")
]
Words = Annotated[str, Field(min_length=1, max_length=2000)]
Colour = Annotated[str, Field(min_length=1, max_length=64)]
"""`#rrggbb`, any CSS colour, or a colour name of the kit's palette."""
Edge = Literal["left", "right", "top", "bottom", "centre", "middle"]


class Arguments(BaseModel):
    """The arguments of one tool."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Refusal(Exception):
    """A call that cannot be carried out; its text is what the agent is told."""


@dataclass(slots=True)
class Pen:
    """One tool call in progress."""

    board: Board
    subtask: str
    forbidden: list[str] = field(default_factory=list)

    def colour(self, name: str) -> str:
        """`#rrggbb` of a palette name or a CSS colour."""
        found = self.board.kit.palette.get(name) or parse(name)
        if found is None:
            names = ", ".join(sorted(self.board.kit.palette))
            raise Refusal(f"no colour {name!r}; use #rrggbb or one of {names}")
        return found

    def find(self, role: str) -> list[Element]:
        """The element or the parts of the group of this role; at least one."""
        parts = self.board.parts(role)
        if not parts:
            there = ", ".join(element.role for element in self.board.elements)
            raise Refusal(f"no element {role!r}; there are: {there or 'none'}")
        return parts

    def touch(self, role: str) -> list[Element]:
        """`find`, for a change: one of the locked layer is noted as forbidden."""
        parts = self.find(role)
        if parts[0].layer == "kit":
            self.forbid_kit(f"changed {role!r}")
        return parts

    def forbid_kit(self, what: str) -> None:
        """Note a change of the locked layer."""
        if not self.board.unlocked:
            self.forbidden.append(f"locked layer: {what} on the kit layer")

    def forbid_asset(self, asset: str) -> None:
        """Note an asset that the kit does not hold."""
        if asset not in self.board.kit.assets:
            self.forbidden.append(f"asset outside the kit: {asset}")

    def put(self, element: Element) -> None:
        """Lay a new element on the board; a smaller one than a point is lost."""
        old = self.board.find(element.role)
        if element.layer == "kit" or (old is not None and old.layer == "kit"):
            self.forbid_kit(f"drew {element.role!r}")
        self.lay(element)

    def lay(self, element: Element) -> None:
        """`put` without a look at the lock."""
        element.maker = self.subtask
        element.regrow()
        self.placed(element)
        self.styled(element)
        if element.w < SMALLEST or element.h < SMALLEST:
            self.board.lose(element, self.subtask, "drawn without extent")
        else:
            self.board.put(element)

    def keep_or_lose(self, element: Element, how: str) -> None:
        """Lose an element that has no extent left."""
        if element.w < SMALLEST or element.h < SMALLEST:
            self.board.lose(element, self.subtask, how)

    def placed(self, element: Element) -> None:
        """Record a change of place or size."""
        element.placer = self.subtask
        element.placed = self.board.turn

    def styled(self, element: Element) -> None:
        """Record a change of colour or style."""
        element.styler = self.subtask
        element.styled = self.board.turn

    def paint_background(self, colour: str) -> None:
        """Fill the board and record whose work that was."""
        self.board.background = colour
        self.board.background_by = self.subtask
        self.board.background_set = self.board.turn

    def shape(
        self, role: str, wanted: Callable[[Element], bool], noun: str
    ) -> list[Element]:
        """`touch`, for tools that only make sense on some elements."""
        parts = [element for element in self.touch(role) if wanted(element)]
        if not parts:
            raise Refusal(f"{role!r} has no {noun}")
        return parts

    def texts(self, role: str) -> list[Element]:
        """`touch`, for tools that set type."""
        return self.shape(role, _is_text, "text")


def _is_text(element: Element) -> bool:
    return element.kind == "text"


def px(value: float) -> float:
    """A length as boards keep it: to a hundredth of a px."""
    return round(value, 2)
