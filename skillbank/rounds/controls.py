"""A round's controls: A/A replays, degraded outputs and placebos, kept from the rest.

What they say of gate and judge goes to the report; of the proposals they decide none,
but that a judge below its bar decides nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from skillbank.agents.agent import Attempt, Context
from skillbank.briefs.brief import Brief, score
from skillbank.codec import seed_of
from skillbank.errors import WorldError
from skillbank.gate.controls import choose_controls, n_controls
from skillbank.gate.replay import Arena, Pair, Place, Scene, replay_all
from skillbank.gate.standing import Standing, standing, withheld
from skillbank.gate.votes import ARMS, Arm
from skillbank.gate_params import GateParams
from skillbank.models.journal import Journal, JournalledJudge
from skillbank.params import Params
from skillbank.proposals.placebo import Placebo, PlaceboKind, placebos
from skillbank.proposals.proposal import Proposal
from skillbank.rounds.docket import Docket
from skillbank.rounds.replay import GateRecord, Heard, against_itself, control_places
from skillbank.rounds.screening import screened
from skillbank.rounds.summon import Files
from skillbank.skills.bank import Bank
from skillbank.skills.shelf import FixedShelf
from skillbank.world import World

CONTROL, IN_BANK, DEGRADED, PLACEBO = "aa-", "bank-", "degraded-", "placebo-"
"""What the pairs of each purpose put before the id of the proposal that they are of."""


Work: TypeAlias = Sequence[tuple[Docket, tuple[Place, ...]]]
"""Where to replay controls: contexts of some dockets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceboRecord:
    """A placebo and what the gate said of it: never withheld, never counted."""

    kind: PlaceboKind
    proposal: Proposal
    record: GateRecord


def make_placebos(
    heard: Sequence[Proposal],
    files: Files,
    bank: Bank,
    world: World,
    seed: int,
    params: Params,
) -> tuple[Placebo, ...]:
    """The placebos of a round; none where nothing can be replayed.

    Args:
        heard: The proposals that passed the screen.
        files: What the round knows.
        bank: The bank that the round began with.
        world: Whose tools a card may name.
        seed: Of the draw.
        params: Sections controls and screen are read.
    """

    def passes(proposal: Proposal) -> bool:
        return screened(proposal, bank, world, params).passed

    if world.unable:
        return ()
    return placebos(heard, files.cards, params.controls, passes, seed)


def mixed(real: Sequence[Docket], fake: Sequence[Docket]) -> tuple[Docket, ...]:
    """All dockets in an order that tells them apart by nothing."""
    return tuple(sorted((*real, *fake), key=lambda docket: docket.proposal.id))


def control_work(
    real: Sequence[Docket],
    records: Sequence[GateRecord],
    gate: GateParams,
    seed: int,
) -> Work:
    """Where to replay controls: contexts drawn from the trials of real proposals.

    Args:
        real: Dockets of the real proposals.
        records: What the gate said of them.
        gate: How many contexts.
        seed: Of the draw.
    """
    in_order = sorted(records, key=lambda record: record.plan.proposal)
    spent = sum(record.verdict.spent for record in in_order)
    n = n_controls(spent, least=gate.aa_contexts, share=gate.aa_share)
    chosen = choose_controls(control_places(in_order), n, seed)
    by_id = {docket.proposal.id: docket for docket in real}
    found = []
    for record in in_order:
        cases = {case.id for case in record.plan.cases}
        mine = tuple(place for place in chosen if place.case in cases)
        if mine:
            found.append((by_id[record.plan.proposal], mine))
    return tuple(found)


def controlled(
    docket: Docket, places: Sequence[Place], world: World, journal: Journal
) -> tuple[Pair, ...]:
    """The controls on these contexts: A/A pairs, and their outputs beside worse ones.

    The degraded pairs take no agent run: what they say is about the judge alone.
    """
    pairs = against_itself(docket, places, world, journal)
    worse = (
        pair
        for replica, arm in enumerate(ARMS)
        for pair in _beside_worse(docket, pairs, arm, replica, (world, journal))
    )
    return (*pairs, *worse)


def _beside_worse(
    docket: Docket,
    pairs: Iterable[Pair],
    arm: Arm,
    replica: int,
    at: tuple[World, Journal],
) -> tuple[Pair, ...]:
    """Each output of one arm against the same made worse, which is the candidate."""
    world, journal = at
    made: dict[str, tuple[Brief, dict[Arm, Attempt]]] = {}
    places = []
    for pair in pairs:
        attempt = pair.current if arm == "current" else pair.candidate
        brief = docket.briefs[attempt.brief] if attempt else None
        worse = _worse(brief, attempt, world) if brief and attempt else None
        if brief and attempt and worse:
            made[pair.context] = brief, {"current": attempt, "candidate": worse}
            places.append(Place(pair.case, pair.context))

    def scene(context: str) -> Scene:
        brief, _ = made[context]
        bare = Context(id=context, brief=brief.id)
        return Scene(
            brief=brief, context=bare, current=FixedShelf(), candidate=FixedShelf()
        )

    def attempt_of(arm: Arm, scene: Scene, seed: int) -> Attempt:
        return made[scene.context.id][1][arm]

    arena = Arena(
        scene=scene,
        attempt=attempt_of,
        judge=JournalledJudge(world.judge, journal),
        score=lambda brief, attempt: _score(brief, attempt, world),
    )
    name = f"{DEGRADED}{docket.proposal.id}"
    return replay_all(arena, places, proposal=name, seed=docket.seed, replica=replica)


def _worse(brief: Brief, attempt: Attempt, world: World) -> Attempt | None:
    """The attempt made worse; None if it is not, by the world's own verifiers."""
    if attempt.ending != "ok" or not attempt.output:
        return None
    try:
        worse = world.degrade(brief, attempt)
    except WorldError:
        return None
    before, after = _score(brief, attempt, world), _score(brief, worse, world)
    known = before is not None and after is not None
    if worse.output == attempt.output or (known and after >= before):  # type: ignore[operator] # both are known
        return None
    return replace(worse, seed=seed_of(attempt.seed, "degraded"))


def _score(brief: Brief, attempt: Attempt, world: World) -> float | None:
    try:
        return score(brief, world.verify(brief, attempt.output))
    except WorldError:
        return None


def purpose(pair: Pair) -> str:
    """The prefix that says what a pair is of; empty: of a real proposal's trial."""
    known = (CONTROL, IN_BANK, DEGRADED, PLACEBO)
    return next((name for name in known if pair.proposal.startswith(name)), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Controlled:
    """Everything that a round heard, with its controls sorted out."""

    heard: tuple[Heard, ...]
    """Of the real proposals, withheld if the judge may not gate."""
    placebos: tuple[PlaceboRecord, ...]
    pairs: tuple[Pair, ...]
    """All of the round, those of placebos under names of their own."""
    judge: Standing


def sorted_out(
    real: Sequence[Heard],
    fake: Sequence[tuple[Placebo, Heard]],
    controls: Sequence[Pair],
    params: Params,
) -> Controlled:
    """Hold the judge to its bars, and keep the placebos apart.

    Args:
        real: What the gate heard of real proposals.
        fake: What it heard of placebos.
        controls: Pairs of the round's controls.
        params: Section controls is read.
    """
    own = [pair for one in real for pair in (*one.pairs, *one.in_bank)]
    theirs = [
        replace(pair, proposal=f"{PLACEBO}{pair.proposal}")
        for _, one in fake
        for pair in (*one.pairs, *one.in_bank)
    ]
    pairs = (*own, *theirs, *controls)
    judge = standing_of(pairs, params)
    return Controlled(
        heard=tuple(
            replace(
                one,
                record=replace(one.record, verdict=withheld(one.record.verdict, judge)),
            )
            for one in real
        ),
        placebos=tuple(
            PlaceboRecord(kind=one.kind, proposal=one.proposal, record=heard.record)
            for one, heard in fake
        ),
        pairs=pairs,
        judge=judge,
    )


def standing_of(pairs: Iterable[Pair], params: Params) -> Standing:
    """The judge of these pairs against its bars."""
    all_pairs = list(pairs)
    return standing(
        [pair.votes for pair in all_pairs if purpose(pair) == DEGRADED],
        [pair.votes for pair in all_pairs if purpose(pair) != DEGRADED],
        params.controls,
    )
