"""The golden cases: what accepted changes were accepted on, replayed for good."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from skillbank.briefs.brief import Brief
from skillbank.codec import encode, seed_of
from skillbank.records import Side
from skillbank.roundid import round_number

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenCase:
    """A brief on which a change proved itself, and where in it the card acts."""

    brief: Brief
    skill: str
    """Name of the card that was accepted."""
    subtask: str
    round: str
    """Round in which it joined; it is replayed from the next one on."""
    proposal: str
    side: Side = "teach"

    @property
    def key(self) -> Key:
        """A card has a brief and subtask once, however many changes they served."""
        return self.skill, self.brief.id, self.subtask


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaySet:
    """All golden cases; immutable, ordered by key; a case that is in stays as it is."""

    cases: tuple[GoldenCase, ...] = ()
    _by_skill: dict[str, tuple[GoldenCase, ...]] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Keep the earliest case of each key."""
        kept: dict[Key, GoldenCase] = {}
        for case in sorted(self.cases, key=_joined):
            kept.setdefault(case.key, case)
        cases = tuple(kept[key] for key in sorted(kept))
        by_skill: dict[str, tuple[GoldenCase, ...]] = {}
        for case in cases:
            by_skill[case.skill] = (*by_skill.get(case.skill, ()), case)
        object.__setattr__(self, "cases", cases)
        object.__setattr__(self, "_by_skill", by_skill)

    def add(self, cases: Iterable[GoldenCase]) -> "ReplaySet":
        """The set with more cases; those that it holds already change nothing."""
        return replace(self, cases=(*self.cases, *cases))

    def of(self, *skills: str) -> tuple[GoldenCase, ...]:
        """The cases of cards, in order of the names given."""
        return tuple(
            case
            for skill in dict.fromkeys(skills)
            for case in self._by_skill.get(skill, ())
        )

    def sample(self, round: str, n: int, seed: int) -> tuple[GoldenCase, ...]:
        """The cases to replay in a round: a sample that rotates through all of them.

        Each round takes the cases that were taken least often, among those longest ago,
        among those in an order drawn from the seed. The rounds before are worked out
        again from when each case joined, so nothing has to be remembered.

        Args:
            round: The round; only cases of earlier rounds are in it.
            n: At most this many.
            seed: The workspace's root seed, the same in every round.

        Returns:
            Ordered by key.
        """
        now = round_number(round)
        joined = {case.key: round_number(case.round) for case in self.cases}
        chance = {case.key: seed_of(seed, "golden", case.key) for case in self.cases}
        visits = dict.fromkeys(joined, (0, 0))  # times taken, round last taken
        taken: list[Key] = []
        for number in range(min(joined.values(), default=now) + 1, now + 1):
            ready = [key for key in joined if joined[key] < number]
            taken = sorted(ready, key=lambda key: (*visits[key], chance[key], key))[:n]
            for key in taken:
                visits[key] = (visits[key][0] + 1, number)
        chosen = set(taken)
        return tuple(case for case in self.cases if case.key in chosen)


def _joined(case: GoldenCase) -> tuple[int, bytes]:
    return round_number(case.round), encode(case)
