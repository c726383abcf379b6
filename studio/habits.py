"""What the agent does when it has no card: plausible calls with arguments off the cuff.

For each label a call that it always makes and some that it may add. An argument whose
text starts with `_` is drawn from the pool of that name; an empty entry leaves the
argument out. Pools hold what people write: some of it good, most of it only sometimes.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from skillbank.skills.calls import Call, parse_call

_POOLS: Mapping[str, tuple[str, ...]] = {
    "_x": ("0.05*W", "0.08*W", "0.1*W", "0.2*W", "kit.margin", "0.02*W", "0.4*W"),
    "_bx": ("0.1*W", "0.3*W", "0.35*W", "0.6*W", "kit.margin", "axis(0.36*W)", "W/2"),
    "_top": (
        "0.05*H", "0.08*H", "0.15*H", "0.3*H", "0.01*H", "next_y(0.02*H)", "0.5*H",
    ),
    "_y": (
        "0.2*H", "0.35*H", "0.45*H", "0.55*H", "0.7*H", "0.6*H", "next_y(0.02*H)",
        "below(headline, 0.02*H)", "next_y(0.005*H)", "below(hero, 0.02*H)",
        "foot_y(0.12*H)", "0.9*H", "below(details, 0.02*H)", "0.5*H",
    ),
    "_w": ("0.84*W", "0.6*W", "0.9*W", "0.45*W", "W-2*kit.margin", "0.7*W", "0.98*W"),
    "_big": (
        "0.03*H", "0.045*H", "0.06*H", "0.09*H", "72", "0.12*H",
        "fit(brief.headline, 0.84*W, 0.16*H, 0.08*H)",
    ),
    "_text": (
        "0.012*H", "0.018*H", "0.022*H", "0.03*H", "24", "16", "1.1*brief.reading",
        "14",
    ),
    "_badge": ("0.02*H", "0.03*H", "0.045*H", "0.06*H", "32", "0.08*H"),
    "_label": ("0.014*H", "0.018*H", "0.026*H", "0.03*H", "20", "0.035*H"),
    "_colour": (
        "kit.ink", "kit.accent", "kit.muted", "'#000000'", "'#333333'", "kit.second",
        "contrast_of(board)", "accent_on(board)", "'#888888'", "kit.muted",
    ),
    "_fill": ("kit.accent", "kit.second", "'#ff6600'", "kit.muted", "kit.ink", ""),
    "_on": (
        "kit.ink", "kit.paper", "'#ffffff'", "kit.accent",
        "contrast_of(kit.accent)", "",
    ),
    "_weight": ("", "'regular'", "'bold'"),
    "_align": ("", "'left'", "'centre'", "'right'", "brief.align"),
    "_font": ("", "'sans'", "'serif'", "'kit'", "'mono'"),
    "_leading": ("", "1.0", "1.2", "1.4", "1.8", "1.5"),
    "_case": ("", "", "'upper'", "'as-is'"),
    "_picture": ("assets.first", "assets.second", "assets.first", "largest()"),
    "_fit": ("'cover'", "'contain'", "'stretch'", "'stretch'", ""),
    "_pw": ("W", "0.9*W", "0.6*W", "0.4*W", "W-2*kit.margin", "0.3*W"),
    "_ph": ("0.2*H", "0.3*H", "0.4*H", "0.55*H", "0.12*H", "0.25*H"),
    "_px": ("0", "0.05*W", "0.5*W", "kit.margin", "axis(0.6*W)", "0.3*W"),
    "_bw": ("0.36*W", "0.25*W", "0.5*W", "0.15*W"),
    "_bh": ("0.05*H", "0.08*H", "0.03*H", "0.12*H"),
    "_gh": ("0.1*H", "0.16*H", "0.06*H", "0.25*H"),
    "_columns": ("2", "3", "1", "4"),
    "_gap": ("0", "0.01*W", "0.02*W", "0.05*W"),
    "_listgap": ("", "0", "0.005*H", "0.01*H"),
    "_marker": ("", "'none'", "'-'"),
    "_qr": ("0.08*H", "0.1*H", "0.14*H", "0.2*W", "0.05*H"),
    "_nx": ("0.1*W", "right_of(qr, 0.02*W)", "0.5*W", "kit.margin", "0.7*W"),
    "_ny": ("0.7*H", "next_y(0.01*H)", "0.8*H", "below(qr, 0.01*H)", "0.5*H"),
    "_nw": ("0.3*W", "0.5*W", "0.2*W", "0.84*W"),
    "_opacity": ("0.3", "0.6", "0.9", "1"),
    "_factor": ("0.9", "0.7", "0.95", "0.5"),
    "_thick": ("2", "0.004*H", "0.01*H"),
    "_edge": ("'centre'", "'left'", "'right'", "'bottom'", "brief.align"),
    "_fith": ("0.1*H", "0.05*H", "0.16*H", "0.01*H"),
    "_radius": ("", "8", "0.02*H"),
}  # fmt: skip

_TYPE = "x=_x, y=_y, w=_w, size=_text, colour=_colour"
_ALWAYS: Mapping[str, str] = {
    "headline": "place_text(role='headline', text=brief.headline, x=_x, y=_top, w=_w,"
    " size=_big, colour=_colour, weight=_weight, align=_align, font=_font, case=_case)",
    "hero": "place_image(role='hero', asset=_picture, x=_px, y=_y, w=_pw, h=_ph,"
    " fit=_fit)",
    "price": "place_button(role='price', label=brief.price, x=_bx, y=_y, w=_bw, h=_bh,"
    " size=_badge, fill=_fill, colour=_on, weight=_weight, radius=_radius)",
    "quote": f"place_text(role='quote', text=brief.quote, {_TYPE}, leading=_leading,"
    " font=_font, align=_align, weight=_weight)",
    "agenda": f"place_list(role='agenda', items=brief.agenda, {_TYPE},"
    " leading=_leading, gap=_listgap, marker=_marker)",
    "features": "place_grid(role='features', items=brief.features, columns=_columns,"
    " x=_x, y=_y, w=_w, h=_gh, size=_label, colour=_on, fill=_fill, gap=_gap)",
    "details": f"place_text(role='details', text=brief.details, {_TYPE}, align=_align,"
    " leading=_leading, weight=_weight)",
    "hours": f"place_list(role='hours', items=brief.hours, {_TYPE}, leading=_leading,"
    " marker=_marker)",
    "rating": f"place_text(role='rating', text=brief.rating, {_TYPE}, weight=_weight,"
    " align=_align)",
    "sponsors": "place_grid(role='sponsors', items=brief.sponsors, columns=_columns,"
    " x=_x, y=_y, w=_w, h=_gh, size=_label, colour=_colour, gap=_gap)",
    "qr": "place_qr(role='qr', data=brief.link, x=_bx, y=_y, w=_qr)",
    "action": "place_button(role='action', label=brief.action, x=_bx, y=_y, w=_bw,"
    " h=_bh, size=_label, fill=_fill, colour=_on, radius=_radius)",
}
_MAYBE: Mapping[str, tuple[tuple[float, str], ...]] = {
    "headline": (
        (0.25, "place_line(role='rule', x=_x, y=below(headline, 0.01*H), length=_bw,"
               " thickness=_thick, colour=_colour)"),
        (0.15, "fit_text(role='headline', h=_fith)"),
        (0.15, "add_scrim(role='headline', colour=_on, opacity=_opacity)"),
    ),
    "hero": (
        (0.15, "set_opacity(role='hero', opacity=_opacity)"),
        (0.15, "send_to_back(role='hero')"),
        (0.1, "align_to(role='hero', edge=_edge)"),
    ),
    "price": ((0.2, "align_to(role='price', edge=_edge, margin=kit.margin)"),
              (0.15, "bring_to_front(role='price')")),
    "quote": (
        (0.2, "place_line(role='quote-rule', x=_x, y=_y, length=_bw, thickness=_thick,"
              " colour=_colour)"),
        (0.2, "fit_text(role='quote', h=_fith)"),
    ),
    "agenda": ((0.2, "fit_text(role='agenda', h=_fith)"),
               (0.15, "set_weight(role='agenda', weight='bold')")),
    "features": ((0.15, "shrink_all(factor=_factor)"),
                 (0.2, "align_to(role='features', edge=_edge)")),
    "details": (
        (0.25, "add_scrim(role='details', colour=_on, opacity=_opacity)"),
        (0.15, "fit_text(role='details', h=_fith)"),
    ),
    "hours": ((0.2, "stack_below(role='hours', other='details', gap=0.01*H)"),
              (0.15, "fit_text(role='hours', h=_fith)")),
    "rating": ((0.2, "stack_below(role='rating', other='headline', gap=0.01*H)"),
               (0.15, "set_case(role='rating', case='upper')")),
    "sponsors": ((0.25, "align_to(role='sponsors', edge=_edge)"),
                 (0.12, "shrink_all(factor=_factor)")),
    "qr": ((0.7, "place_text(role='qr-note', text='Scan me', x=_nx, y=_ny, w=_nw,"
                 " size=_text, colour=_colour)"),),
    "action": (
        (0.25, "align_to(role='action', edge=_edge)"),
        (0.1, "recolour_board(old=kit.accent, new=_fill)"),
        (0.12, "shrink_all(factor=_factor)"),
    ),
}  # fmt: skip

_BY_ARGUMENT: Mapping[str, str] = {
    "x": "_x", "y": "_y", "w": "_w", "h": "_bh", "size": "_text", "colour": "_colour",
    "fill": "_fill", "weight": "_weight", "align": "_align", "font": "_font",
    "leading": "_leading", "columns": "_columns", "gap": "_gap", "opacity": "_opacity",
    "fit": "_fit", "asset": "_picture", "factor": "_factor", "edge": "_edge",
    "thickness": "_thick", "length": "_bw", "radius": "_radius", "case": "_case",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Habit:
    """A call with its open arguments."""

    chance: float
    call: Call


def _plain(text: str) -> str:
    """An expression in Python's own style, as cards keep it."""
    return ast.unparse(ast.parse(text, mode="eval")) if text else ""


POOLS: Mapping[str, tuple[str, ...]] = {
    name: tuple(_plain(text) for text in texts) for name, texts in _POOLS.items()
}


@cache
def habits(label: str) -> tuple[Habit, ...]:
    """The call that the agent always makes for a label, then what it may add."""
    if label not in _ALWAYS:
        return ()
    always = Habit(chance=1.0, call=parse_call(_ALWAYS[label]))
    return always, *(
        Habit(chance=chance, call=parse_call(line)) for chance, line in _MAYBE[label]
    )


def improvised(label: str, rng: Random) -> list[Call]:
    """Calls for a label off the cuff."""
    calls = []
    for habit in habits(label):
        if habit.chance < 1 and rng.random() >= habit.chance:
            continue
        arguments = {
            name: rng.choice(POOLS[text]) if text.startswith("_") else text
            for name, text in habit.call.arguments.items()
        }
        kept = {name: text for name, text in arguments.items() if text}
        calls.append(Call(tool=habit.call.tool, arguments=kept))
    return calls


@lru_cache(maxsize=4096)
def pool(label: str, tool: str, argument: str) -> tuple[str, ...]:
    """What the agent might write for an argument; empty: it would not touch it."""
    for habit in habits(label):
        text = habit.call.arguments.get(argument, "")
        if habit.call.tool == tool and text.startswith("_"):
            return POOLS[text]
    return POOLS.get(_BY_ARGUMENT.get(argument, ""), ())
