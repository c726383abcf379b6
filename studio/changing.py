"""The tools that change type, colour and style.

A text that cannot be made to fit is dropped: that is `fit_text`'s natural failure.
"""

from typing import Literal

from pydantic import Field

from studio.canvas import Align, Case, Element, Fit
from studio.fonts import Family, Weight
from studio.pen import (
    Arguments,
    Colour,
    Leading,
    Length,
    Pen,
    Role,
    Share,
    TypeSize,
    px,
)

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
            pen.keep_or_lose(element, "set to no width")


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
