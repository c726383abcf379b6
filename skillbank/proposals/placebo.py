"""Placebo proposals: changes that should gain nothing, heard as any other is.

A gate that lets them in lets in what does nothing, whatever its A/A controls say: those
do not see a judge's taste. Neither gate nor judge is told which proposals they are:
what goes before them has the flag taken off.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from skillbank.codec import seed_of
from skillbank.control_params import ControlParams
from skillbank.errors import SkillError
from skillbank.proposals.proposal import Kind, Proposal
from skillbank.proposals.rewording import beside_the_point, reworded
from skillbank.roundid import round_number
from skillbank.skills.shelf import Card
from skillbank.skills.skill import Skill

PlaceboKind = Literal["paraphrase", "irrelevant"]
"""paraphrase: a current card in other words; irrelevant: a card about something else of
about the same length in place of a real proposal's."""
_EDIT: Kind = "edit"  # a literal where both branches give one kind
KINDS: tuple[PlaceboKind, ...] = ("paraphrase", "irrelevant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Placebo:
    """A proposal that should gain nothing, and in which way."""

    kind: PlaceboKind
    proposal: Proposal

    @property
    def unmarked(self) -> Proposal:
        """The proposal as the gate is given it: nothing in it says what it is."""
        return replace(self.proposal, placebo=False)


def n_placebos(heard: int, params: ControlParams) -> int:
    """Placebos of a round: a share of what is heard, one at least from a few on."""
    if not params.placebo_share or heard < params.placebo_least:
        return 0
    return max(1, round(params.placebo_share * heard))


def placebos(
    heard: Sequence[Proposal],
    cards: Iterable[Card],
    params: ControlParams,
    screen: Callable[[Proposal], bool],
    seed: int,
) -> tuple[Placebo, ...]:
    """A round's placebos, each on the cases of a real proposal.

    The kinds take turns, over rounds too. Where nothing can be made of one kind, the
    other fills in.

    Args:
        heard: What the gate hears; their order does not matter.
        cards: The bank's verified cards.
        params: How many.
        screen: Whether a proposal passes the structural checks.
        seed: Of the draw.
    """
    wanted = n_placebos(len(heard), params)
    if not wanted:
        return ()
    by_name = {card.name: card for card in cards}
    order = sorted(heard, key=lambda one: seed_of(seed, "placebo", one.id))
    waiting = {kind: _made(kind, order, by_name, screen) for kind in KINDS}
    turn, taken = round_number(order[0].round), {one.id for one in heard}
    found: list[Placebo] = []
    while len(found) < wanted:
        first = KINDS[(turn + len(found)) % len(KINDS)]
        tried = (next(waiting[kind], None) for kind in (first, *KINDS))
        one = next((made for made in tried if made is not None), None)
        if one is None:
            break
        if one.proposal.id not in taken:
            taken.add(one.proposal.id)
            found.append(one)
    return tuple(found)


def _made(
    kind: PlaceboKind,
    order: Iterable[Proposal],
    cards: Mapping[str, Card],
    screen: Callable[[Proposal], bool],
) -> Iterator[Placebo]:
    for donor in order:
        # a merge's cards are several, and it may not say that they are all alike
        made = None if donor.drops else _of(kind, donor, cards)
        if made is not None and screen(made):
            yield Placebo(kind=kind, proposal=made)


def _of(
    kind: PlaceboKind, donor: Proposal, cards: Mapping[str, Card]
) -> Proposal | None:
    card = cards.get(donor.skill)
    if kind == "paraphrase":
        # where a card is to absorb a label it is replayed against nothing: no no-op
        if donor.base is None or donor.label or card is None:
            return None
        skill, shape = reworded(card.skill), _EDIT
    else:
        try:
            own = Skill.parse(donor.text, folder=donor.skill)
        except SkillError:
            return None
        skill, shape = beside_the_point(own), donor.kind
    if skill is None:
        return None
    return replace(donor, kind=shape, text=skill.text, note="", placebo=True)
