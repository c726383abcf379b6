"""The tools that put something on the board.

A tool is a model of its arguments, whose fields are its schema, with an `act` that
draws. A role that is taken is drawn anew.
"""

from typing import Annotated, Literal

from pydantic import Field

from studio.assets import asset
from studio.canvas import LOGO, Align, Case, Element, Fit, Layer
from studio.colour import best_contrast
from studio.fonts import Family, Weight
from studio.pen import (
    Arguments,
    Colour,
    Length,
    Pen,
    Px,
    Refusal,
    Role,
    Share,
    TypeSize,
    Words,
    px,
)

Items = Annotated[list[Words], Field(min_length=1, max_length=24)]
Leading = Annotated[float, Field(ge=0.5, le=4)]


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


class PlaceText(Arguments):
    """Set a text in a box of width w; without h the box is as tall as its text."""

    role: Role
    text: Words
    x: Px
    y: Px
    w: Length
    size: TypeSize = Field(description="type size (em) in px")
    colour: Colour = "ink"
    h: Length = Field(0, description="0: as tall as the text")
    weight: Weight = "regular"
    align: Align = "left"
    leading: Leading = 1.2
    case: Case = "as-is"
    font: Family | Literal["kit"] = Field("kit", description="kit: the brand's family")
    layer: Layer = "content"

    def act(self, pen: Pen) -> None:
        """Do it."""
        pen.put(
            Element(
                role=self.role,
                kind="text",
                layer=self.layer,
                x=px(self.x),
                y=px(self.y),
                w=px(self.w),
                h=px(self.h),
                text=self.text,
                colour=pen.colour(self.colour),
                size=px(self.size),
                font=pen.board.kit.font if self.font == "kit" else self.font,
                weight=self.weight,
                align=self.align,
                leading=self.leading,
                case=self.case,
                grows=self.h == 0,
            )
        )


class PlaceButton(Arguments):
    """Draw a call-to-action: a filled plate with a centred label."""

    role: Role
    label: Words
    x: Px
    y: Px
    w: Length
    h: Length
    size: TypeSize = Field(description="type size (em) in px")
    fill: Colour = "accent"
    colour: Colour = Field("", min_length=0, description="empty: the kit's, by fill")
    radius: Length = 0
    weight: Weight = "bold"

    def act(self, pen: Pen) -> None:
        """Do it."""
        fill = pen.colour(self.fill)
        ink = best_contrast(fill, tuple(pen.board.kit.palette.values()))
        pen.put(
            Element(
                role=self.role,
                kind="text",
                x=px(self.x),
                y=px(self.y),
                w=px(self.w),
                h=px(self.h),
                fill=fill,
                radius=px(self.radius),
                text=self.label,
                colour=pen.colour(self.colour) if self.colour else ink,
                size=px(self.size),
                font=pen.board.kit.font,
                weight=self.weight,
                align="centre",
                middle=True,
                pad=px(min(0.3 * self.size, 0.2 * self.w)),
            )
        )


class PlaceList(Arguments):
    """Set items one below the other, each with a marker."""

    role: Role
    items: Items
    x: Px
    y: Px
    w: Length
    size: TypeSize = Field(description="type size (em) in px")
    colour: Colour = "ink"
    gap: Length = Field(0, description="px between items, beyond the line height")
    marker: Literal["•", "–", "✓", "none"] = "•"
    weight: Weight = "regular"
    leading: Leading = 1.2

    def act(self, pen: Pen) -> None:
        """Do it."""
        pen.put(
            Element(
                role=self.role,
                kind="text",
                x=px(self.x),
                y=px(self.y),
                w=px(self.w),
                text="\n".join(" ".join(item.split()) for item in self.items),
                colour=pen.colour(self.colour),
                size=px(self.size),
                font=pen.board.kit.font,
                weight=self.weight,
                leading=self.leading,
                marker="" if self.marker == "none" else self.marker,
                gap=px(self.gap),
                grows=True,
            )
        )


class PlaceGrid(Arguments):
    """Set items in equal cells, row by row; the parts are `role.1`, `role.2`, ..."""

    role: Role
    items: Items
    columns: int = Field(ge=1, le=8)
    x: Px
    y: Px
    w: Length
    h: Length
    size: TypeSize = Field(description="type size (em) in px")
    colour: Colour = "ink"
    fill: Colour = Field("", min_length=0, description="of the cells; empty: none")
    gap: Length = Field(0, description="px between cells")
    weight: Weight = "regular"
    radius: Length = 0

    def act(self, pen: Pen) -> None:
        """Do it."""
        rows = -(-len(self.items) // self.columns)
        wide = (self.w - self.gap * (self.columns - 1)) / self.columns
        tall = (self.h - self.gap * (rows - 1)) / rows
        fill = pen.colour(self.fill) if self.fill else ""
        if any(part.layer == "kit" for part in pen.board.parts(self.role)):
            pen.forbid_kit(f"drew {self.role!r}")
        pen.board.elements = [
            each
            for each in pen.board.elements
            if each.role != self.role and not each.role.startswith(self.role + ".")
        ]
        for number, item in enumerate(self.items):
            row, column = divmod(number, self.columns)
            pen.lay(
                Element(
                    role=f"{self.role}.{number + 1}",
                    kind="text",
                    x=px(self.x + column * (wide + self.gap)),
                    y=px(self.y + row * (tall + self.gap)),
                    w=px(wide),
                    h=px(tall),
                    fill=fill,
                    radius=px(self.radius),
                    text=" ".join(item.split()),
                    colour=pen.colour(self.colour),
                    size=px(self.size),
                    font=pen.board.kit.font,
                    weight=self.weight,
                    align="centre" if fill else "left",
                    middle=bool(fill),
                    pad=px(min(0.4 * self.size, 0.2 * max(0.0, wide))) if fill else 0.0,
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

    def form(self, pen: Pen, kind: Literal["rect", "ellipse"], radius: float) -> Element:
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
    fit: Fit = Field("cover", description="cover crops, contain leaves room, or stretch")
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
