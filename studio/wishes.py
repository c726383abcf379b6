"""What customers wish of each part, as requirements that the verifiers can check.

Every label has demands that always come and demands of which some are drawn; cohort
and format change their measures. Shares are of the board's height.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from skillbank.briefs.brief import Requirement
from skillbank.codec import Json

Args = dict[str, Json]
Measure = Callable[["Taste"], Args]


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste:
    """What the measures of a demand depend on."""

    say: Mapping[str, Json]
    cohort: str
    format: str

    @property
    def retail(self) -> bool:
        """The customer sells something."""
        return self.cohort == "retail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """One kind of requirement that a label may carry."""

    kind: str
    text: str
    measure: Measure = lambda taste: {}
    core: bool = False
    """It always comes; the others are drawn."""
    weight: float = 1.0
    role: str = ""
    """Empty: the label."""


def said_text(text: str) -> Measure:
    """The measure of a text that must appear."""
    return lambda taste: {"text": text}


def _say(name: str) -> Measure:
    return lambda taste: {"text": taste.say[name]}


def _fixed(**values: Json) -> Measure:
    return lambda taste: dict(values)


def _count(name: str) -> Measure:
    return lambda taste: {"n": len(taste.say[name])}


def _edge(taste: Taste) -> Args:
    return {"edge": taste.say["align"], "other": ""}


def _readable(factor: float) -> Measure:
    return lambda taste: {"px": round(factor * float(taste.say["reading"]))}


_CONTRAST = Demand(
    kind="contrast", text="stands out from what lies behind it (4.5:1)",
    measure=_fixed(ratio=4.5),
)  # fmt: skip
_FREE = Demand(kind="no_overlap", text="collides with nothing")
_PLACE = Demand(kind="aligned", text="keeps to the house's axis", measure=_edge)
_MARGIN = Demand(
    kind="safe_margin", text="keeps clear of the edges", measure=_fixed(share=0.045)
)
_INSIDE = Demand(kind="no_overflow", text="fits its box and the board")
_KIT_COLOURS = Demand(kind="palette", text="uses the kit's colours only")
_SPACING = Demand(kind="spacing", text="has air around it", measure=_fixed(share=0.015))
_BOLD = Demand(kind="bold", text="is set in bold")
_FAMILY = Demand(kind="kit_font", text="is set in the brand's family")


def _core(demand: Demand) -> Demand:
    return Demand(
        kind=demand.kind, text=demand.text, measure=demand.measure, core=True,
        weight=demand.weight,
    )  # fmt: skip


def _legible(factor: float) -> Demand:
    return Demand(
        kind="legible", text="can be read at the usual distance", core=True,
        measure=_readable(factor),
    )  # fmt: skip


DEMANDS: Mapping[str, tuple[Demand, ...]] = {
    "headline": (
        Demand(
            kind="min_size", text="is large enough to be read first", core=True,
            measure=lambda t: {"share": 0.052 if t.retail else 0.045},
        ),
        _core(_CONTRAST), _legible(1.6),
        _PLACE, _FREE, _MARGIN, _INSIDE, _BOLD, _FAMILY,
    ),
    "hero": (
        Demand(
            kind="prominent", text="carries the layout", core=True,
            measure=lambda t: {"share": 0.17 if t.retail else 0.14},
        ),
        Demand(kind="image_undistorted", text="keeps its proportions", core=True),
        _core(_FREE),
        Demand(kind="image_sharp", text="is sharp in the export"),
        Demand(kind="in_kit", text="comes from the kit"),
        _MARGIN, _SPACING,
    ),
    "price": (
        Demand(
            kind="min_size", text="can be read from afar", core=True,
            measure=_fixed(share=0.042),
        ),
        _core(_CONTRAST), _legible(1.3),
        _FREE, _KIT_COLOURS, _BOLD, _MARGIN, _INSIDE,
    ),
    "quote": (
        Demand(
            kind="line_length", text="has lines that the eye can follow", core=True,
            measure=_fixed(most=34),
        ),
        Demand(
            kind="leading", text="has generous line spacing", core=True,
            measure=_fixed(low=1.35, high=1.7),
        ),
        _legible(1.0), _FREE, _FAMILY, _MARGIN, _CONTRAST,
    ),
    "agenda": (
        Demand(
            kind="leading", text="has open lines", core=True,
            measure=_fixed(low=1.3, high=1.6),
        ),
        _legible(1.0), _core(_CONTRAST),
        Demand(kind="item_count", text="lists every point", measure=_count("agenda")),
        _FREE, _INSIDE, _MARGIN,
    ),
    "features": (
        Demand(
            kind="min_size", text="is set large enough", core=True,
            measure=_fixed(share=0.017),
        ),
        _legible(1.0), _core(_CONTRAST),
        Demand(
            kind="item_count", text="shows every feature", measure=_count("features")
        ),
        _FREE, _KIT_COLOURS, _INSIDE, _MARGIN,
    ),
    "details": (
        Demand(
            kind="min_size", text="is set large enough", core=True,
            measure=_fixed(share=0.017),
        ),
        _legible(1.0), _core(_CONTRAST),
        Demand(kind="text_present", text="is all there", measure=_say("details")),
        Demand(
            kind="line_length", text="breaks into short lines", measure=_fixed(most=36)
        ),
        _PLACE, _FREE, _SPACING, _MARGIN,
    ),
    "hours": (
        Demand(
            kind="leading", text="has open lines", core=True,
            measure=_fixed(low=1.3, high=1.6),
        ),
        _legible(1.0), _core(_CONTRAST),
        Demand(kind="item_count", text="lists every day", measure=_count("hours")),
        _FREE, _PLACE,
    ),
    "rating": (
        Demand(
            kind="contrast", text="stands out strongly (7:1)", core=True,
            measure=_fixed(ratio=7.0),
        ),
        Demand(
            kind="max_size", text="stays smaller than the message", core=True,
            measure=_fixed(share=0.04),
        ),
        _legible(1.0), _BOLD, _FREE, _PLACE,
    ),
    "sponsors": (
        Demand(
            kind="max_size", text="is set small", core=True, measure=_fixed(share=0.026)
        ),
        _legible(0.75), _core(_CONTRAST),
        Demand(
            kind="item_count", text="names each sponsor", measure=_count("sponsors")
        ),
        _FREE, _KIT_COLOURS, _MARGIN, _INSIDE,
    ),
    "qr": (
        Demand(
            kind="min_size", text="is large enough for a phone", core=True,
            measure=_fixed(share=0.11),
        ),
        Demand(
            kind="near", text="has its note beside it", core=True, role="qr-note",
            measure=_fixed(other="qr", share=0.03),
        ),
        Demand(
            kind="legible", text="has a note that can be read", role="qr-note",
            core=True, measure=_readable(1.0),
        ),
        _FREE, _MARGIN,
    ),
    "action": (
        Demand(
            kind="min_size", text="is large enough to press", core=True,
            measure=_fixed(share=0.024),
        ),
        _legible(1.0), _core(_CONTRAST),
        _PLACE, _FREE, _KIT_COLOURS, _INSIDE, _SPACING,
    ),
}  # fmt: skip

WHOLE: tuple[Demand, ...] = (
    Demand(
        kind="text_present", text="the legal line is still there", role="legal",
        measure=_say("legal"),
    ),
    Demand(kind="palette", text="only the kit's colours are used", role="*"),
    Demand(kind="uncluttered", text="is not crowded", measure=_fixed(most=14)),
    Demand(kind="export_width", text="is exported wide enough",
           measure=lambda t: {"px": t.say["export_px"]}),
    Demand(kind="balanced", text="is balanced", measure=_fixed(share=0.16)),
)  # fmt: skip
"""Demands on the whole board; a brief carries one or two."""

_NO_ROLE = frozenset({"uncluttered", "export_width", "balanced", "coverage"})


def requirements(
    plan: tuple[str, ...], taste: Taste, rng: Random
) -> tuple[Requirement, ...]:
    """The requirements of a brief with this plan: 16, one or two on the whole."""
    needs = []
    richer = rng.sample(plan, 2) if len(plan) < 5 else []
    for label in plan:
        offered = DEMANDS[label]
        drawn = [demand for demand in offered if not demand.core]
        chosen = rng.sample(drawn, 1) if label in richer else []
        for demand in offered:
            if demand.core or demand in chosen:
                needs.append(requirement(demand, label, taste))
    for demand in rng.sample(WHOLE, 1 if len(plan) > 4 else 2):
        needs.append(requirement(demand, "", taste))
    return tuple(needs)


def requirement(
    demand: Demand, label: str, taste: Taste, reason: str = ""
) -> Requirement:
    """One requirement of a brief."""
    role = demand.role or label
    args = demand.measure(taste)
    if demand.kind not in _NO_ROLE:
        args = {"role": role} | args
    noun = {"": "the board", "*": "the board"}.get(role, f"the {role}")
    text = demand.text if not label else f"{noun} {demand.text}"
    return Requirement(
        id=f"{label or 'board'}-{demand.kind}",
        kind=demand.kind,
        text=text,
        subtask=label,
        args=args,
        weight=demand.weight,
        reason=reason,
    )
