"""The board as a picture for people and models: drawn large by Pillow, then reduced.

Fonts, line breaks and positions are those that were measured; every letter is drawn
where its advance says. Checks never look at this picture.
"""

from functools import lru_cache
from io import BytesIO
from math import ceil, floor

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from studio.assets import WHOLE, asset, pixels
from studio.canvas import Board, Element
from studio.colour import rgb
from studio.fonts import Face, Family, Weight, face
from studio.look import painted, ramp_plane, source
from studio.reading import read_board
from studio.scenes import Pixels, Plane

_OVER = 3  # the drawing is made this much larger and reduced
_FEWEST, _MOST = 16, 4096  # px of a picture's width


def png(board: str | bytes | Board, width: int) -> bytes:
    """A board as PNG, in its proportions.

    Args:
        board: The board, or its JSON.
        width: Of the picture in px, in [16, 4096].

    Raises:
        WorldError: If the text is not a board's JSON or the font is missing.
        ValueError: If the width is out of its range.
    """
    if not _FEWEST <= width <= _MOST:
        raise ValueError(f"width is {width} px, must lie in [{_FEWEST}, {_MOST}]")
    drawn = board if isinstance(board, Board) else read_board(board)
    picture = picture_of(drawn, width)
    out = BytesIO()
    picture.save(out, format="PNG", compress_level=6)
    return out.getvalue()


def picture_of(board: Board, width: int) -> Image.Image:
    """A board as an RGB picture `width` px wide."""
    height = max(1, round(width * board.height / board.width))
    sheet = Image.new("RGB", (width * _OVER, height * _OVER), board.background)
    scale = width * _OVER / board.width
    for element in board.elements:
        if element.kind == "image":
            _draw_picture(sheet, element, scale)
        elif element.fill:
            _draw_body(sheet, element, scale)
        if element.kind == "text":
            _draw_text(sheet, element, scale)
    return sheet.resize((width, height), Image.Resampling.BOX)


def _frame(element: Element, scale: float) -> tuple[int, int, int, int]:
    """Where it is painted, in whole px of the sheet; at least one px each way."""
    left, top, right, bottom = painted(element)
    x, y = round(left * scale), round(top * scale)
    return x, y, max(x + 1, round(right * scale)), max(y + 1, round(bottom * scale))


def _draw_body(sheet: Image.Image, element: Element, scale: float) -> None:
    box = _frame(element, scale)
    size = box[2] - box[0], box[3] - box[1]
    mask = Image.new("L", size, 0)
    pen = ImageDraw.Draw(mask)
    edge = 0, 0, size[0] - 1, size[1] - 1
    strength = round(255 * element.opacity)
    if element.kind == "ellipse":
        pen.ellipse(edge, fill=strength)
    else:
        radius = min(element.radius * scale, min(size) / 2)
        pen.rounded_rectangle(edge, radius=radius, fill=strength)
    if element.fill_end:
        sheet.paste(_gradient(element, size), box[:2], mask)
    else:
        sheet.paste(element.fill, box, mask)


def _gradient(element: Element, size: tuple[int, int]) -> Image.Image:
    coarse = max(1, size[0] // _OVER), max(1, size[1] // _OVER)
    across, down = _points(coarse, WHOLE)
    share = ramp_plane(element.angle, across, down)[..., None]
    start, end = np.array(rgb(element.fill)), np.array(rgb(element.fill_end))
    ramp = _image(start + (end - start) * share)
    return ramp.resize(size, Image.Resampling.BILINEAR)


def _points(
    size: tuple[int, int], part: tuple[float, float, float, float]
) -> tuple[Plane, Plane]:
    columns = part[0] + (np.arange(size[0]) + 0.5) / size[0] * (part[2] - part[0])
    rows = part[1] + (np.arange(size[1]) + 0.5) / size[1] * (part[3] - part[1])
    across, down = np.meshgrid(columns, rows)
    return across, down


def _image(channels: Pixels) -> Image.Image:
    return Image.fromarray((channels * 255 + 0.5).astype(np.uint8))


def _draw_picture(sheet: Image.Image, element: Element, scale: float) -> None:
    """Evaluate the asset no finer than the output or its own px, then enlarge."""
    box = _frame(element, scale)
    size = box[2] - box[0], box[3] - box[1]
    part, own = source(element), asset(element.asset)
    fine = (
        max(1, min(size[0] // _OVER, round(own.width * (part[2] - part[0])))),
        max(1, min(size[1] // _OVER, round(own.height * (part[3] - part[1])))),
    )
    rows = round(fine[1] / (part[3] - part[1]))
    picture = _image(pixels(element.asset, *_points(fine, part), fine=rows))
    picture = picture.resize(size, Image.Resampling.BICUBIC)
    mask = Image.new("L", size, round(255 * element.opacity))
    sheet.paste(picture, box[:2], mask)


@lru_cache(maxsize=256)
def _font(family: Family, weight: Weight, size: float) -> ImageFont.FreeTypeFont:
    path = face(family, weight).path
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def _draw_text(sheet: Image.Image, element: Element, scale: float) -> None:
    size = element.size * scale
    lines = element.lines()
    if not lines or size < 1:
        return
    measured = face(element.font, element.weight)
    font = _font(element.font, element.weight, round(size, 2))
    _, top, _, _ = (edge * scale for edge in element.text_box())
    left = (element.x + element.pad) * scale + element.indent() * scale
    room = (element.w - 2 * element.pad - element.indent()) * scale
    slack = (element.leading - measured.ascent - measured.descent) / 2
    baseline = top + (slack + measured.ascent) * size
    frame = _around_text(element, scale)
    left, baseline = left - frame[0], baseline - frame[1]
    mask = Image.new("L", (frame[2] - frame[0], frame[3] - frame[1]), 0)
    pen = ImageDraw.Draw(mask)
    for number, line in enumerate(lines):
        if line.opens and number:
            baseline += element.gap * scale
        start = left + _slip(element, room - line.width * size)
        if element.marker and line.opens:
            at = start - element.indent() * scale
            _letters(pen, element.marker, (at, baseline), size, font, measured)
        _letters(pen, line.text, (start, baseline), size, font, measured)
        baseline += element.leading * size
    if element.opacity < 1:
        mask = mask.point(lambda value: value * element.opacity)
    sheet.paste(element.colour, frame[:2], mask)


def _around_text(element: Element, scale: float) -> tuple[int, int, int, int]:
    """Whole px around the text, with room for what letters stick out."""
    left, top, right, bottom = element.text_box()
    room = element.size
    return (
        floor((left - room) * scale),
        floor((top - room) * scale),
        ceil((right + room) * scale),
        ceil((bottom + room) * scale),
    )


def _slip(element: Element, free: float) -> float:
    """How far a line is moved to the right for its alignment."""
    return {"left": 0.0, "centre": free / 2, "right": free}[element.align]


def _letters(
    pen: ImageDraw.ImageDraw,
    text: str,
    start: tuple[float, float],
    size: float,
    font: ImageFont.FreeTypeFont,
    measured: Face,
) -> None:
    x, baseline = start
    for letter in text:
        pen.text((x, baseline), letter, fill=255, font=font, anchor="ls")
        x += measured.advances.get(ord(letter), measured.missing) * size
