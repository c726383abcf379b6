"""The tools that set text: a paragraph, a button, a list, a grid of items."""

from typing import Annotated, Literal

from pydantic import Field

from studio.canvas import Align, Case, Element, Layer
from studio.colour import best_contrast
from studio.fonts import Family, Weight
from studio.pen import (
    Arguments,
    Colour,
    Leading,
    Length,
    Pen,
    Px,
    Role,
    TypeSize,
    Words,
    px,
)

Items = Annotated[list[Words], Field(min_length=1, max_length=24)]


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
    marker: Literal["•", "-", "✓", "none"] = "•"
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
