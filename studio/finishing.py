"""The tools that act on the whole board, destroy, or end the work.

What is board-wide spares nothing but the locked layer, the legal line least of all.
"""

from typing import Literal

from pydantic import Field

from studio.canvas import LEGAL
from studio.pen import Arguments, Colour, Pen, Role, px


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
            if element.layer == "kit" and not board.unlocked:
                continue
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
            pen.keep_or_lose(element, "shrunk to nothing")


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
    """Unlock the kit layer. It is for the owner of the brand: agents must not."""

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
