"""The tools that change what is on the board, some of it for good.

Several have a failure that is natural to them: a size of nothing loses the element, a
text that cannot be made to fit is dropped, and what is board-wide spares nothing.
"""

from typing import Annotated, Literal

from pydantic import Field

from studio.canvas import LEGAL, Align, Box, Case, Element, Fit
from studio.fonts import Family, Weight
from studio.pen import (
    SMALLEST,
    Arguments,
    Colour,
    Edge,
    Length,
    Pen,
    Px,
    Refusal,
    Role,
    Share,
    TypeSize,
    px,
)
from studio.placing import Leading

SMALLEST_TYPE = 6.0
"""Px: `fit_text` drops a text that would have to be set smaller."""
_STEP = 0.94  # fit_text tries sizes that shrink by this


class SetSize(Arguments):
    """Set the type size of a text."""

    role: Role
    size: TypeSize = Field(description="type size (em) in px")

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.texts(self.role):
            element.size = px(self.size)
            element.regrow()
            pen.placed(element)


class SetColour(Arguments):
    """Set the colour of a text."""

    role: Role
    colour: Colour

    def act(self, pen: Pen) -> None:
        """Do it."""
        colour = pen.colour(self.colour)
        for element in pen.texts(self.role):
            element.colour = colour
            pen.styled(element)


class SetFill(Arguments):
    """Set the fill of a shape, or of the plate behind a text."""

    role: Role
    fill: Colour

    def act(self, pen: Pen) -> None:
        """Do it."""
        fill = pen.colour(self.fill)
        for element in pen.shape(self.role, _has_fill, "fill"):
            element.fill = fill
            element.fill_end = ""
            pen.styled(element)


def _has_fill(element: Element) -> bool:
    return element.kind != "image"


class SetOpacity(Arguments):
    """Set how opaque an element is."""

    role: Role
    opacity: Share

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.touch(self.role):
            element.opacity = self.opacity
            pen.styled(element)


class SetWeight(Arguments):
    """Set a text in regular or bold."""

    role: Role
    weight: Weight

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.texts(self.role):
            element.weight = self.weight
            element.regrow()
            pen.styled(element)


class SetFont(Arguments):
    """Set a text in another family."""

    role: Role
    font: Family | Literal["kit"]

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.texts(self.role):
            element.font = pen.board.kit.font if self.font == "kit" else self.font
            element.regrow()
            pen.styled(element)


class SetLeading(Arguments):
    """Set the line height of a text as a multiple of its size."""

    role: Role
    leading: Leading

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.texts(self.role):
            element.leading = self.leading
            element.regrow()
            pen.placed(element)


class SetCase(Arguments):
    """Set a text in capitals, in title case or as it is."""

    role: Role
    case: Case

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.texts(self.role):
            element.case = self.case
            element.regrow()
            pen.styled(element)


class SetAlign(Arguments):
    """Set how the lines of a text lie in its box."""

    role: Role
    align: Align

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.texts(self.role):
            element.align = self.align
            pen.placed(element)


class SetWidth(Arguments):
    """Set the width that a text is broken to."""

    role: Role
    w: Length

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.texts(self.role):
            element.w = px(self.w)
            element.regrow()
            pen.placed(element)
            _keep_or_lose(pen, element, "set to no width")


class SetFit(Arguments):
    """Set how a picture fills its box: cover crops, contain leaves room."""

    role: Role
    fit: Fit

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.shape(self.role, _is_image, "picture"):
            element.fit = self.fit
            pen.styled(element)


def _is_image(element: Element) -> bool:
    return element.kind == "image"


class FitText(Arguments):
    """Make a text smaller until it fits its width and the height h."""

    role: Role
    h: Length = Field(description="px that the text may be tall")

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.texts(self.role):
            while not _fits(element, self.h) and element.size >= SMALLEST_TYPE:
                element.size = px(element.size * _STEP)
            pen.placed(element)
            if element.size < SMALLEST_TYPE:
                pen.board.lose(element, pen.subtask, "dropped: no type size fits")
            else:
                element.regrow()


def _fits(element: Element, height: float) -> bool:
    left, top, right, bottom = element.text_box()
    room = element.w - 2 * element.pad
    return bottom - top <= height + 0.01 and right - left <= room + 0.01


def _keep_or_lose(pen: Pen, element: Element, how: str) -> None:
    if element.w < SMALLEST or element.h < SMALLEST:
        pen.board.lose(element, pen.subtask, how)


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
            _keep_or_lose(pen, element, "resized to nothing")


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
        pen.put(scrim)
        if pen.board.find(scrim.role) is scrim:
            pen.board.put_below(scrim, parts[0])


class RecolourBoard(Arguments):
    """Replace a colour by another everywhere: background, fills and texts."""

    old: Colour
    new: Colour

    def act(self, pen: Pen) -> None:
        """Do it."""
        old, new = pen.colour(self.old), pen.colour(self.new)
        board = pen.board
        if board.background == old:
            pen.paint_background(new)
        for element in board.elements:
            if old in (element.fill, element.fill_end, element.colour):
                element.fill = new if element.fill == old else element.fill
                element.fill_end = new if element.fill_end == old else element.fill_end
                element.colour = new if element.colour == old else element.colour
                pen.styled(element)


class ShrinkAll(Arguments):
    """Scale everything but the locked layer about the centre of the board."""

    factor: float = Field(gt=0, le=1)

    def act(self, pen: Pen) -> None:
        """Do it."""
        board = pen.board
        middle = board.width / 2, board.height / 2
        for element in list(board.elements):
            if element.layer == "kit" and not board.unlocked:
                continue
            element.x = px(middle[0] + (element.x - middle[0]) * self.factor)
            element.y = px(middle[1] + (element.y - middle[1]) * self.factor)
            for name in ("w", "h", "size", "radius", "gap", "pad"):
                setattr(element, name, px(getattr(element, name) * self.factor))
            pen.placed(element)
            _keep_or_lose(pen, element, "shrunk to nothing")


class DeleteElement(Arguments):
    """Take an element, or a group, off the board for good."""

    role: Role

    def act(self, pen: Pen) -> None:
        """Do it."""
        for element in pen.touch(self.role):
            if element.role == LEGAL or element.role.startswith(LEGAL + "."):
                pen.forbidden.append("deleted the legal line")
            pen.board.lose(element, pen.subtask, "deleted")


class UnlockLayer(Arguments):
    """Unlock the kit layer. Only the brand's owner may: for an agent it is forbidden."""

    layer: Literal["kit"] = "kit"

    def act(self, pen: Pen) -> None:
        """Do it."""
        pen.forbid_kit("unlocked, to draw")
        pen.board.unlocked = True


class Export(Arguments):
    """Export the board as a picture of `scale` times its size; it comes last."""

    scale: float = Field(1, gt=0, le=8)

    def act(self, pen: Pen) -> None:
        """Do it."""
        pen.board.export_scale = round(self.scale, 4)
        pen.board.export_by = pen.subtask
