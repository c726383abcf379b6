"""The tools that put something on the board.

A tool is a model of its arguments, whose fields are its schema, with an `act` that
draws. A role that is taken is drawn anew.
"""

from typing import Literal

from pydantic import Field

from studio.assets import asset
from studio.canvas import LOGO, Element, Fit, Layer
from studio.pen import (
    Arguments,
    Colour,
    Length,
    Pen,
    Px,
    Refusal,
    Role,
    Share,
    Words,
    px,
)


class SetBackground(Arguments):
    """Fill the whole artboard with one colour."""

    colour: Colour

    def act(self, pen: Pen) -> None:
        """Do it."""
        pen.paint_background(pen.colour(self.colour))


class AddGradient(Arguments):
    """Lay a gradient of two colours behind the content; without w and h, board-wide."""

    start: Colour
    end: Colour
    angle: float = Field(90, ge=0, le=360, description="0 left to right, 90 top down")
    role: Role = "backdrop"
    x: Px = 0
    y: Px = 0
    w: Length = 0
    h: Length = 0
    opacity: Share = 1

    def act(self, pen: Pen) -> None:
        """Do it."""
        pen.put(
            Element(
                role=self.role,
                kind="rect",
                layer="background",
                x=px(self.x),
                y=px(self.y),
                w=px(self.w) or pen.board.width,
                h=px(self.h) or pen.board.height,
                fill=pen.colour(self.start),
                fill_end=pen.colour(self.end),
                angle=self.angle,
                opacity=self.opacity,
            )
        )


class _Form(Arguments):
    """What rectangles and ellipses share."""

    role: Role
    x: Px
    y: Px
    w: Length
    h: Length
    colour: Colour = "accent"
    opacity: Share = 1
    layer: Layer = Field(
        "content", description="background: text may lie on it; kit: locked"
    )

    def form(
        self, pen: Pen, kind: Literal["rect", "ellipse"], radius: float
    ) -> Element:
        """The element."""
        return Element(
            role=self.role,
            kind=kind,
            layer=self.layer,
            x=px(self.x),
            y=px(self.y),
            w=px(self.w),
            h=px(self.h),
            fill=pen.colour(self.colour),
            opacity=self.opacity,
            radius=px(radius),
        )


class PlaceRect(_Form):
    """Draw a filled rectangle, such as a panel or a band."""

    radius: Length = 0

    def act(self, pen: Pen) -> None:
        """Do it."""
        pen.put(self.form(pen, "rect", self.radius))


class PlaceEllipse(_Form):
    """Draw a filled ellipse, such as a badge or an ornament."""

    def act(self, pen: Pen) -> None:
        """Do it."""
        pen.put(self.form(pen, "ellipse", 0))


class PlaceLine(Arguments):
    """Draw a straight rule from (x, y), across or down."""

    role: Role
    x: Px
    y: Px
    length: Length
    thickness: Length = 2
    colour: Colour = "accent"
    direction: Literal["across", "down"] = "across"
    layer: Layer = "content"

    def act(self, pen: Pen) -> None:
        """Do it."""
        across = self.direction == "across"
        pen.put(
            Element(
                role=self.role,
                kind="line",
                layer=self.layer,
                x=px(self.x),
                y=px(self.y),
                w=px(self.length if across else self.thickness),
                h=px(self.thickness if across else self.length),
                fill=pen.colour(self.colour),
            )
        )


class PlaceImage(Arguments):
    """Place a picture; without h it keeps its proportions."""

    role: Role
    asset: Words
    x: Px
    y: Px
    w: Length
    h: Length = Field(0, description="0: as the picture's proportions ask")
    fit: Fit = Field(
        "cover", description="cover crops, contain leaves room, or stretch"
    )
    opacity: Share = 1
    layer: Layer = Field("content", description="background: text may lie on it")

    def act(self, pen: Pen) -> None:
        """Do it."""
        pen.forbid_asset(self.asset)
        pen.put(
            Element(
                role=self.role,
                kind="image",
                layer=self.layer,
                x=px(self.x),
                y=px(self.y),
                w=px(self.w),
                h=px(self.h or self.w / asset(self.asset).ratio),
                asset=self.asset,
                fit=self.fit,
                opacity=self.opacity,
            )
        )


class PlaceLogo(Arguments):
    """Place the kit's logo in its proportions; it then belongs to the locked layer."""

    x: Px
    y: Px
    w: Length

    def act(self, pen: Pen) -> None:
        """Do it."""
        mark = pen.board.kit.logo
        if pen.board.find(LOGO) is not None:
            pen.forbid_kit(f"drew {LOGO!r} again")
        pen.lay(
            Element(
                role=LOGO,
                kind="image",
                layer="kit",
                x=px(self.x),
                y=px(self.y),
                w=px(self.w),
                h=px(self.w / asset(mark).ratio),
                asset=mark,
                fit="contain",
            )
        )


class PlaceQr(Arguments):
    """Place a square code for a link. It stands for one: it cannot be scanned."""

    role: Role
    data: Words
    x: Px
    y: Px
    w: Length = Field(description="px of a side")

    def act(self, pen: Pen) -> None:
        """Do it."""
        if "\n" in self.data:
            raise Refusal("a link has no line feed")
        pen.put(
            Element(
                role=self.role,
                kind="image",
                x=px(self.x),
                y=px(self.y),
                w=px(self.w),
                h=px(self.w),
                asset=f"qr:{self.data}",
                fit="contain",
            )
        )
