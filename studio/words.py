"""The words that generated briefs are made of, in lists that never mix.

Traffic, variants, benchmark and sealed briefs draw names, places and openings from
lists of their own, so that no two of them can be near-copies of each other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Source = Literal["traffic", "variant", "benchmark", "sealed"]
Cohort = Literal["retail", "culture"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """What one source of briefs may say."""

    openings: tuple[str, ...]
    """First sentences, with {format}, {subject} and {house}."""
    houses: Mapping[Cohort, tuple[str, ...]]
    subjects: Mapping[Cohort, tuple[str, ...]]
    places: tuple[str, ...]
    closings: tuple[str, ...]


VOCABULARY: Mapping[Source, Vocabulary] = {
    "traffic": Vocabulary(
        openings=(
            "We need a {format} for {subject} at {house}.",
            "Please make a {format} about {subject}; the client is {house}.",
            "{house} asks for a {format}: {subject}.",
            "Could you do a {format} for {house}? It is about {subject}.",
            "New job from {house}, a {format} on {subject}.",
        ),
        houses={
            "retail": (
                "Linden Market",
                "Oakfield Stores",
                "Bramble & Co",
                "Quayside Bakery",
                "Fernhill Garden Centre",
                "Copper Kettle",
                "Northgate Cycles",
                "Marlow Shoes",
            ),
            "culture": (
                "Harbour Theatre",
                "Elmwood Museum",
                "Saint Brannoc Choir",
                "Riverside Film Club",
                "Old Mill Gallery",
                "Kestrel Orchestra",
                "Ashdown Library",
                "Lantern Dance House",
            ),
        },
        subjects={
            "retail": (
                "the autumn linen sale",
                "fresh rye bread week",
                "winter boots",
                "repair day for bicycles",
                "garden furniture",
                "two for one coffee",
                "the spring tulip market",
                "new running shoes",
                "handmade soap",
                "the children's raincoats",
                "copper pans",
                "a tea tasting",
                "late night shopping",
                "second-hand tools",
            ),
            "culture": (
                "the night of the cellos",
                "early photographs of the coast",
                "a silent film evening",
                "the winter carols",
                "clay and glass",
                "an evening of short plays",
                "letters from the lighthouse",
                "the young dancers",
                "a reading by lamplight",
                "maps of the moor",
                "the brass quintet",
                "paintings of mills",
                "a puppet opera",
                "songs of the harbour",
            ),
        },
        places=(
            "Harbour Street 9",
            "Mill Lane 4",
            "Market Square 1",
            "Station Road 22",
            "Chapel Hill 7",
            "Bridge Row 15",
            "Quay 3",
            "Orchard Way 31",
        ),
        closings=(
            "Thank you!",
            "We print on Monday.",
            "Keep it friendly.",
            "The team will look at it tomorrow.",
            "Same style as last time please.",
        ),
    ),
    "variant": Vocabulary(
        openings=(
            "A {format}, please, on the theme of {subject} ({house}).",
            "Draft us a {format}: {house} presents {subject}.",
            "For {house} we want a {format} that announces {subject}.",
            "{subject} is coming to {house}; make the {format} for it.",
        ),
        houses={
            "retail": (
                "Pinewood Outfitters",
                "Saffron Spices",
                "Dockyard Fish",
                "Willow Toys",
                "Granite Climbing Shop",
                "Bluebell Florist",
            ),
            "culture": (
                "Granary Stage",
                "Tern Island Archive",
                "Vesper Singers",
                "Foundry Art Rooms",
                "Paper Moon Cinema",
                "Beacon Ballet",
            ),
        },
        subjects={
            "retail": (
                "cinnamon and clove days",
                "rope and harness checks",
                "smoked trout",
                "wooden trains",
                "roses by the dozen",
                "wool socks",
                "the tent clearance",
                "herbs in pots",
                "kites for beginners",
            ),
            "culture": (
                "a century of posters",
                "the evening hymns",
                "bronze and iron",
                "three one-act comedies",
                "ships' logs",
                "the summer ballet",
                "an animated matinee",
                "prints from the press",
                "the viol consort",
            ),
        },
        places=(
            "Tanner's Yard 2",
            "Upper Dock 18",
            "Weavers Close 6",
            "Castle Steps 11",
            "Granary Road 40",
            "Fish Quay 8",
        ),
        closings=(
            "No rush.",
            "Use what you have.",
            "The owner likes calm layouts.",
            "It hangs in a window.",
            "Many will see it on a phone.",
        ),
    ),
    "benchmark": Vocabulary(
        openings=(
            "Design a {format} with which {house} announces {subject}.",
            "{house} would like people to hear of {subject}. Produce a {format}.",
            "Task: {format}. Sender: {house}. Topic: {subject}.",
            "Lay out one {format} around {subject} on behalf of {house}.",
            "Our customer {house} ordered a {format}, topic {subject}.",
        ),
        houses={
            "retail": (
                "Juniper Home",
                "Sparrow Books",
                "Atlas Luggage",
                "Clover Dairy",
                "Rook Hardware",
                "Velvet Tailors",
                "Maple Pharmacy",
                "Orbit Lamps",
            ),
            "culture": (
                "Civic Opera",
                "Hollow Tree Players",
                "Museum of Tides",
                "Cedar String Quartet",
                "Glasshouse Gallery",
                "North Tower Choir",
                "Meridian Planetarium",
                "Silver Reel Festival",
            ),
        },
        subjects={
            "retail": (
                "reading chairs",
                "cabin suitcases",
                "goat cheese fortnight",
                "brass hinges",
                "the made-to-measure month",
                "desk lighting",
                "sun care advice",
                "poetry at half price",
                "quilted blankets",
                "travel adapters",
                "oat milk tasting",
                "cordless drills",
                "evening dresses",
                "ceramic vases",
            ),
            "culture": (
                "the ring of winter",
                "shadows and masks",
                "shells and storms",
                "late quartets",
                "light through glass",
                "plainchant at dusk",
                "the moons of Saturn",
                "first feature films",
                "a masked ball",
                "fables for grown-ups",
                "wrecks of the sound",
                "woven tapestries",
                "a star walk",
                "documentaries of the north",
            ),
        },
        places=(
            "Alder Avenue 12",
            "Tower Court 5",
            "Palace Gardens 3",
            "Lock Street 27",
            "Observatory Hill 1",
            "Guild Passage 16",
            "East Parade 33",
            "Canal Side 8",
        ),
        closings=(
            "Deliver one file.",
            "Clarity matters most.",
            "It will be seen in passing.",
            "Nothing else is needed.",
            "Readers are in a hurry.",
        ),
    ),
    "sealed": Vocabulary(
        openings=(
            "Prepare the {format} through which {house} makes {subject} known.",
            "One {format} is wanted by {house}; it promotes {subject}.",
            "Create for {house} a {format} that speaks of {subject}.",
            "The occasion is {subject}, the host is {house}, the medium a {format}.",
            "Compose a {format} in the name of {house}, devoted to {subject}.",
        ),
        houses={
            "retail": (
                "Heron Optics",
                "Barley Brewery",
                "Thistle Knitwear",
                "Pebble Jewellers",
                "Cobalt Paints",
                "Lark Stationery",
                "Summit Skis",
                "Hazel Grocers",
            ),
            "culture": (
                "Amber Hall",
                "Stone Circle Society",
                "Wharf Street Jazz",
                "Ivory Piano Days",
                "Borderland Museum",
                "Crescent Mime",
                "Pavilion of Prints",
                "Tidewater Poets",
            ),
        },
        subjects={
            "retail": (
                "varifocal lenses",
                "amber ale barrels",
                "merino jumpers",
                "engagement rings",
                "limewash colours",
                "fountain pens",
                "ski servicing",
                "heritage apples",
                "stout and stew evenings",
                "silver clasps",
                "wrapping papers",
                "snow goggles",
                "chestnut flour",
                "reading glasses",
            ),
            "culture": (
                "the megalith lectures",
                "trumpets after hours",
                "nocturnes",
                "smugglers and borders",
                "gestures without words",
                "woodcuts",
                "verses about estuaries",
                "a fossil cabinet",
                "the big band reunion",
                "four hands, one keyboard",
                "etchings by candle",
                "the mime marathon",
                "odes to rain",
                "coins and seals",
            ),
        },
        places=(
            "Falcon Terrace 14",
            "Barley Mow 2",
            "Crescent Place 9",
            "Slate Road 45",
            "Priory Walk 6",
            "Pavilion Green 1",
            "Estuary Drive 20",
            "Foss Gate 38",
        ),
        closings=(
            "A single board will do.",
            "Restraint is welcome.",
            "Mind the edges.",
            "It must work at a glance.",
            "We trust your eye.",
        ),
    ),
}
