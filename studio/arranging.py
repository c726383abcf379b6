"""The tools that change where things lie: place, size, order, and sheets behind texts.

A size of nothing loses the element: that is `resize`'s natural failure.
"""

from typing import Annotated, Literal

from pydantic import Field

from studio.canvas import Box, Element
from studio.pen import (
    Arguments,
    Colour,
    Edge,
    Length,
    Pen,
    Px,
    Refusal,
    Role,
    Share,
    px,
)


def around(elements: list[Element]) -> Box:
    """The smallest box around the boxes of the elements."""
    boxes = [element.box for element in elements]
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _shift(pen: Pen, elements: list[Element], dx: float, dy: float) -> None:
    for element in elements:
        element.x = px(element.x + dx)
        element.y = px(element.y + dy)
        pen.placed(element)


class Move(Arguments):
    """Move an element, or a group as a whole, so that its top left is at (x, y)."""

    role: Role
    x: Px
    y: Px

    def act(self, pen: Pen) -> None:
        """Do it."""
        parts = pen.touch(self.role)
        left, top, _, _ = around(parts)
        _shift(pen, parts, self.x - left, self.y - top)


class Resize(Arguments):
    """Give an element, or a group as a whole, a new width and height."""

    role: Role
    w: Length
    h: Length

    def act(self, pen: Pen) -> None:
        """Do it."""
        parts = pen.touch(self.role)
        left, top, right, bottom = around(parts)
        across, down = self.w / (right - left), self.h / (bottom - top)
        for element in parts:
            element.x = px(left + (element.x - left) * across)
            element.y = px(top + (element.y - top) * down)
            element.w = px(element.w * across)
            element.h = px(element.h * down)
            element.grows = False
            pen.placed(element)
            pen.keep_or_lose(element, "resized to nothing")


class AlignTo(Arguments):
    """Align an element to an edge or the middle of the board, or of another one."""

    role: Role
    edge: Edge = Field(description="centre: left to right; middle: top to bottom")
    margin: Px = Field(0, description="px inwards from the edge")
    other: str = Field("", max_length=48, description="a role; empty: the board")

    def act(self, pen: Pen) -> None:
        """Do it."""
        parts = pen.touch(self.role)
        left, top, right, bottom = around(parts)
        frame: Box = (0, 0, pen.board.width, pen.board.height)
        if self.other:
            frame = around(pen.find(self.other))
        dx = dy = 0.0
        match self.edge:
            case "left":
                dx = frame[0] + self.margin - left
            case "right":
                dx = frame[2] - self.margin - right
            case "centre":
                dx = (frame[0] + frame[2] - left - right) / 2
            case "top":
                dy = frame[1] + self.margin - top
            case "bottom":
                dy = frame[3] - self.margin - bottom
            case "middle":
                dy = (frame[1] + frame[3] - top - bottom) / 2
        _shift(pen, parts, dx, dy)


class StackBelow(Arguments):
    """Move an element right below another one; it keeps its place across."""

    role: Role
    other: Role
    gap: Px = 0

    def act(self, pen: Pen) -> None:
        """Do it."""
        parts = pen.touch(self.role)
        others = pen.find(self.other)
        if parts[0] in others:
            raise Refusal("an element cannot lie below itself")
        _shift(pen, parts, 0, around(others)[3] + self.gap - around(parts)[1])


class Distribute(Arguments):
    """Put equal gaps between elements; the first and the last stay where they are."""

    roles: Annotated[list[Role], Field(min_length=3, max_length=12)]
    axis: Literal["across", "down"] = "down"

    def act(self, pen: Pen) -> None:
        """Do it."""
        start, end = (0, 2) if self.axis == "across" else (1, 3)
        groups = [pen.touch(role) for role in dict.fromkeys(self.roles)]
        groups.sort(key=lambda parts: around(parts)[start])
        boxes = [around(parts) for parts in groups]
        room = boxes[-1][end] - boxes[0][start]
        taken = sum(box[end] - box[start] for box in boxes)
        gap = (room - taken) / max(1, len(groups) - 1)
        at = boxes[0][start]
        for parts, box in zip(groups, boxes, strict=True):
            shift = at - box[start]
            dx, dy = (shift, 0.0) if start == 0 else (0.0, shift)
            _shift(pen, parts, dx, dy)
            at += box[end] - box[start] + gap


class BringToFront(Arguments):
    """Lay an element on top of its layer."""

    role: Role

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.touch(self.role):
            pen.board.put(element)
            pen.placed(element)


class SendToBack(Arguments):
    """Lay an element at the bottom of its layer."""

    role: Role

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in reversed(pen.touch(self.role)):
            pen.board.lower(element)
            pen.placed(element)


class AddScrim(Arguments):
    """Lay a plain sheet right below a text, so that it can be read on a picture."""

    role: Role
    colour: Colour = "ink"
    opacity: Share = 0.6
    pad: Length = Field(12, description="px that it is larger than the text")
    radius: Length = 0

    def act(self, pen: Pen) -> None:
        """Do it."""
        parts = pen.find(self.role)
        left, top, right, bottom = parts[0].ink() if len(parts) == 1 else around(parts)
        scrim = Element(
            role=f"scrim-{self.role}"[:48],
            kind="rect",
            x=px(left - self.pad),
            y=px(top - self.pad),
            w=px(right - left + 2 * self.pad),
            h=px(bottom - top + 2 * self.pad),
            fill=pen.colour(self.colour),
            opacity=self.opacity,
            radius=px(self.radius),
            behind=self.role,
        )
        if parts[0].layer == "kit":
            pen.forbid_kit(f"drew {scrim.role!r}")
        pen.put(scrim)
        if pen.board.find(scrim.role) is scrim:
            pen.board.put_below(scrim, parts[0])
