"""The brands' kits: three for each cohort, told apart by light, colours and margin."""

from collections.abc import Mapping

from studio.canvas import Kit
from studio.words import Cohort


def _kit(name: str, colours: str, margin: float, font: str, assets: str) -> Kit:
    names = ("paper", "ink", "accent", "second", "muted")
    logo = f"{name}-logo"
    return Kit(
        name=name,
        palette=dict(zip(names, colours.split(), strict=True)),
        assets=(*assets.split(), logo),
        logo=logo,
        font="serif" if font == "serif" else "sans",
        margin=margin,
    )


_RETAIL = (
    "product-stall@2600x1800 product-shelf@2400x2400 counter-light@760x500"
    " window-dark@2800x1900 product-box@640x640 market@1500x1000"
)
_CULTURE = (
    "stage-dark@2800x1900 portrait@2200x2800 hall@1400x900"
    " rehearsal-light@700x460 texture-velvet@2400x2400 foyer@620x830"
)
KITS: Mapping[Cohort, Mapping[str, Kit]] = {
    "retail": {
        kit.name: kit
        for kit in (
            _kit(
                "retail-day",
                "#ffffff #1d2430 #c8102e #ffd166 #9aa5b1",
                0.05, "sans", _RETAIL,
            ),
            _kit(
                "retail-night",
                "#14213d #f5f3ee #fca311 #3fa7d6 #4a5568",
                0.07, "sans", _RETAIL,
            ),
            _kit(
                "retail-sale",
                "#ffe8a3 #3b1f0e #e4572e #17766b #c9a66b",
                0.06, "sans", _RETAIL,
            ),
        )
    },
    "culture": {
        kit.name: kit
        for kit in (
            _kit(
                "culture-day",
                "#f7f4ec #22223b #9a3b3b #e0c097 #a8a29e",
                0.08, "serif", _CULTURE,
            ),
            _kit(
                "culture-night",
                "#1b1b2f #f2e9e4 #e0a458 #5f6caf #4a4e69",
                0.06, "serif", _CULTURE,
            ),
            _kit(
                "culture-print",
                "#fffdf7 #111111 #2f5d62 #dfeeea #b0b7b3",
                0.1, "serif", _CULTURE,
            ),
        )
    },
}  # fmt: skip
STOCK = ("stock-skyline@4200x2800", "stock-crowd@4200x2800")
"""Large pictures that retrieval may show although no kit holds them."""


def kit(name: str) -> Kit:
    """The kit of this name; the first of all for a name that nobody knows."""
    for family in KITS.values():
        if name in family:
            return family[name]
    return next(iter(KITS["retail"].values()))


def pictures(kit: Kit) -> tuple[str, ...]:
    """The kit's assets that are pictures, not its logo."""
    return tuple(name for name in kit.assets if name != kit.logo)
