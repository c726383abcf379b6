"""The parts that a brief may ask for: their labels, words, and order of work.

A label is the name of a subtask. Which requirements hang on it is in `wishes.py`, how
the agent improvises it in `habits.py`.
"""

from collections.abc import Mapping
from typing import Literal

from studio.words import Cohort

Format = Literal["poster", "banner", "story"]
SIZES: Mapping[Format, tuple[int, int]] = {
    "poster": (1200, 1600),
    "banner": (1600, 900),
    "story": (1080, 1920),
}
"""Width and height in px."""
FORMATS: tuple[Format, ...] = ("poster", "banner", "story")

LABELS = (
    "headline", "hero", "price", "quote", "agenda", "features", "details", "hours",
    "rating", "sponsors", "qr", "action",
)  # fmt: skip
"""Every label, in the order in which the agent works."""
FRESH = ("rating", "hours", "qr")
"""Labels that become more frequent over the weeks."""

PHRASES: Mapping[str, tuple[str, ...]] = {
    "headline": (
        "set the headline of the {format}",
        "place the big headline title at the top of the {format}",
        "write the main headline so that it is read first",
    ),
    "hero": (
        "place the hero picture on the {format}",
        "put the main picture of the {format} where it carries the layout",
        "show the hero image large",
    ),
    "price": (
        "draw the price badge on the {format}",
        "show the price as a badge that stands out",
        "make the price offer badge",
    ),
    "quote": (
        "set the quote from the press on the {format}",
        "place the quotation with care for its line breaks",
        "set the press quote so that it reads calmly",
    ),
    "agenda": (
        "list the agenda of the evening on the {format}",
        "set the programme agenda as a list",
        "lay out the agenda with its times",
    ),
    "features": (
        "show the product features in a grid on the {format}",
        "lay out the feature cells",
        "arrange the features side by side",
    ),
    "details": (
        "set the details of date and place on the {format}",
        "write the date and place details",
        "place the details block with date, time and address",
    ),
    "hours": (
        "list the opening hours on the {format}",
        "set the opening hours so that they can be read",
        "place the shop hours list",
    ),
    "rating": (
        "show the customer rating on the {format}",
        "set the star rating line",
        "place the rating given by visitors",
    ),
    "sponsors": (
        "lay out the sponsors row on the {format}",
        "name the sponsors side by side near the foot",
        "set the row of sponsors",
    ),
    "qr": (
        "place the qr code with its note on the {format}",
        "add the scan code for the link",
        "put the qr code where a phone can reach it",
    ),
    "action": (
        "draw the call to action button on the {format}",
        "place the action button that people should press",
        "make the call to action",
    ),
}
"""How the agent words a subtask when it plans; recall matches against these."""

SENTENCES: Mapping[str, tuple[str, ...]] = {
    "headline": ('The headline says "{headline}".', 'Headline: "{headline}".'),
    "hero": ("Show a large picture.", "One strong picture should carry it."),
    "price": ('A badge gives the price, "{price}".', 'Make the offer "{price}" pop.'),
    "quote": ('Quote the press: "{quote}".', 'Include the quotation "{quote}".'),
    "agenda": ("List the programme: {agenda}.", "The agenda is {agenda}."),
    "features": ("Show these features: {features}.", "Its features are {features}."),
    "details": ('Details: "{details}".', 'Say when and where: "{details}".'),
    "hours": ("Opening hours: {hours}.", "Give the opening hours, {hours}."),
    "rating": ('Show the rating "{rating}".', 'Visitors gave "{rating}"; say so.'),
    "sponsors": ("Name the sponsors {sponsors}.", "Sponsors to thank: {sponsors}."),
    "qr": ("Add a QR code for {link}.", "People should scan a code for {link}."),
    "action": ('The button says "{action}".', 'Call to action: "{action}".'),
}
"""How a customer asks for a part, in the words of a brief."""

SHARES: Mapping[Cohort, Mapping[str, float]] = {
    "retail": {
        "hero": 0.75, "price": 0.7, "features": 0.5, "details": 0.35, "hours": 0.2,
        "rating": 0.2, "qr": 0.25, "action": 0.7, "quote": 0.05, "sponsors": 0.03,
        "agenda": 0.02,
    },
    "culture": {
        "hero": 0.6, "quote": 0.5, "agenda": 0.6, "details": 0.75, "sponsors": 0.5,
        "qr": 0.25, "action": 0.3, "rating": 0.12, "hours": 0.1, "price": 0.08,
        "features": 0.05,
    },
}  # fmt: skip
"""How often a part is asked for beside the headline, by cohort; relative weights."""
