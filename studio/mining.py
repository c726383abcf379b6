"""Contrast mining: which argument goes with which check being met.

For every subtask label, check kind and feature (tool, argument, expression) it keeps
how often the check was met. The effect of a feature is its contrast with the other
values of the same argument under the same label, shrunk towards the contrast pooled
over all labels. It reads traces and checks, nothing else: no rule of the world.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from skillbank.agents.agent import Step
from skillbank.briefs.brief import Outcome
from skillbank.proposals.writer import Evidence
from skillbank.skills.calls import Call

_CREDIT: Mapping[Outcome, float] = {"met": 1.0, "partly": 0.5, "not": 0.0}
_PRIOR = 4.0  # observations that the pooled contrast is worth beside the label's own
_POOL_PRIOR = 3.0  # observations of "no effect" beside the pooled contrast


class Feature(NamedTuple):
    """One argument of one call, or the call itself (both others empty)."""

    tool: str
    """Tool name; the second call of a tool within a subtask is `tool#2`."""
    argument: str
    expression: str

    @property
    def pooled(self) -> "Feature":
        """The same without the call's number: comparable across labels."""
        return Feature(self.tool.partition("#")[0], self.argument, self.expression)


Slot = tuple[str, str]
"""Numbered tool and argument."""


@dataclass(slots=True)
class _Tally:
    """Credit gained over a number of observations."""

    n: int = 0
    total: float = 0.0

    def add(self, credit: float) -> None:
        self.n += 1
        self.total += credit

    @property
    def mean(self) -> float:
        return self.total / self.n if self.n else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What one attempt did for one subtask, and what came of it."""

    evidence: str
    label: str
    calls: tuple[Step, ...]
    credit: Mapping[str, float]
    """Mean credit by check kind, in [0, 1]."""
    share: Mapping[str, float]
    """Share of the brief's score that hangs on each kind."""

    @property
    def value(self) -> float:
        """Share of what hangs on this subtask that was gained; in [0, 1]."""
        total = sum(self.share.values())
        if not total:
            return 0.0
        return sum(self.share[k] * self.credit[k] for k in self.share) / total


def numbered(calls: Sequence[Step]) -> list[tuple[str, Step]]:
    """Each call with its tool name, numbered from the second use on."""
    seen: dict[str, int] = defaultdict(int)
    named = []
    for call in calls:
        seen[call.tool] += 1
        count = seen[call.tool]
        named.append((call.tool if count == 1 else f"{call.tool}#{count}", call))
    return named


def trials(evidence: Evidence) -> tuple[Trial, ...]:
    """The subtasks of one run or attempt, each with the checks that saw its work."""
    needs = {need.id: need for need in evidence.brief.requirements}
    total = sum(need.weight for need in evidence.brief.requirements) or 1.0
    credit: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    share: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for check in evidence.checks:
        need = needs.get(check.requirement)
        if need is None:
            continue
        for label in sorted({need.subtask, *check.subtasks} - {""}):
            credit[label][need.kind].append(_CREDIT[check.outcome])
            share[label][need.kind] += need.weight / total
    calls: dict[str, list[Step]] = defaultdict(list)
    for step in evidence.steps:
        calls[step.subtask].append(step)
    return tuple(
        Trial(
            evidence=evidence.id,
            label=label,
            calls=tuple(calls[label]),
            credit={
                kind: sum(gains) / len(gains) for kind, gains in credit[label].items()
            },
            share=dict(share[label]),
        )
        for label in calls
        if label in credit
    )


class Mine:
    """Counts over all evidence so far, indexed by (label, check kind, feature)."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._features: dict[tuple[str, str, Feature], _Tally] = defaultdict(_Tally)
        self._slots: dict[tuple[str, str, Slot], _Tally] = defaultdict(_Tally)
        self._kinds: dict[tuple[str, str], _Tally] = defaultdict(_Tally)
        self._labels_of: dict[Feature, dict[tuple[str, Feature], None]] = {}
        self._values: dict[tuple[str, str], dict[str, int]] = {}
        self._kinds_of: dict[str, dict[str, _Tally]] = {}
        self._trials: dict[str, list[Trial]] = defaultdict(list)
        self._arguments: dict[str, set[str]] = defaultdict(set)
        self._examples: dict[str, dict[str, Call]] = defaultdict(dict)
        self._worth: dict[tuple[str, Feature], tuple[tuple[str, float], ...]] = {}
        self._pooled: dict[tuple[str, Feature], tuple[float, float]] = {}

    def learn(self, pool: Iterable[Evidence]) -> None:
        """Take in evidence; what was taken in before is not counted twice."""
        for evidence in pool:
            if evidence.id in self._seen:
                continue
            self._seen.add(evidence.id)
            for trial in trials(evidence):
                self._take(trial)
        self._pooled.clear()
        self._worth.clear()

    def _take(self, trial: Trial) -> None:
        label = trial.label
        self._trials[label].append(trial)
        weights = self._kinds_of.setdefault(label, {})
        for kind, credit in trial.credit.items():
            weights.setdefault(kind, _Tally()).add(trial.share[kind])
            self._kinds[label, kind].add(credit)
        for tool, call in numbered(trial.calls):
            features = [Feature(tool, "", "")]
            made = Call(tool=call.tool, arguments=call.arguments)
            self._examples[label].setdefault(tool, made)
            self._arguments[call.tool].update(call.arguments)
            for argument, text in call.arguments.items():
                features.append(Feature(tool, argument, text))
                counts = self._values.setdefault((call.tool, argument), {})
                counts[text] = counts.get(text, 0) + 1
            for feature in features:
                homes = self._labels_of.setdefault(feature.pooled, {})
                homes[label, feature] = None
                slot = (feature.tool, feature.argument)
                for kind, credit in trial.credit.items():
                    self._features[label, kind, feature].add(credit)
                    self._slots[label, kind, slot].add(credit)

    def trials_of(self, label: str) -> Sequence[Trial]:
        """Every trial of a label, oldest first."""
        return self._trials.get(label, ())

    def values(self, tool: str, argument: str) -> tuple[str, ...]:
        """Expressions ever seen for an argument of a tool, most frequent first."""
        counts = self._values.get((tool.partition("#")[0], argument), {})
        return tuple(sorted(counts, key=lambda text: (-counts[text], text)))

    def arguments(self, tool: str) -> tuple[str, ...]:
        """Arguments ever given to a tool."""
        name = tool.partition("#")[0]
        return tuple(sorted(self._arguments.get(name, ())))

    def calls_of(self, label: str) -> tuple[tuple[str, Call], ...]:
        """One example of every numbered tool seen under a label, in order of name."""
        examples = self._examples.get(label, {})
        return tuple(sorted(examples.items(), key=lambda pair: pair[0]))

    def demand(self, label: str) -> Mapping[str, float]:
        """By check kind, the mean share of a brief's score that hangs on the label."""
        n = max(1, len(self._trials.get(label, ())))
        kinds = self._kinds_of.get(label, {})
        return {kind: tally.total / n for kind, tally in kinds.items()}

    def support(self, label: str, feature: Feature) -> int:
        """How often a feature was seen under a label."""
        return max(
            (self._features[label, kind, feature].n for kind in self._kinds_of.get(label, {})
             if (label, kind, feature) in self._features),
            default=0,
        )  # fmt: skip

    def effect(self, label: str, kind: str, feature: Feature) -> float:
        """How much more often the check is met with the feature than without; -1 to 1."""
        pooled = self._pooled_effect(kind, feature.pooled)
        n, excess = self._contrast(label, kind, feature)
        return (excess + _PRIOR * pooled) / (n + _PRIOR)

    def _contrast(self, label: str, kind: str, feature: Feature) -> tuple[int, float]:
        tally = self._features.get((label, kind, feature))
        if tally is None:
            return 0, 0.0
        if not feature.argument:
            base = self._kinds[label, kind].mean
        else:
            slot = (feature.tool, feature.argument)
            base = self._slots[label, kind, slot].mean
        return tally.n, tally.total - tally.n * base

    def _pooled_effect(self, kind: str, feature: Feature) -> float:
        key = (kind, feature)
        if key not in self._pooled:
            n, excess = 0.0, 0.0
            for label, numbered_feature in self._labels_of.get(feature, ()):
                count, gained = self._contrast(label, kind, numbered_feature)
                n, excess = n + count, excess + gained
            self._pooled[key] = (n, excess)
        n, excess = self._pooled[key]
        return excess / (n + _POOL_PRIOR)

    def worth(
        self, label: str, feature: Feature, focus: Mapping[str, float]
    ) -> float:
        """What a feature is worth under a label, in shares of a brief's score.

        Args:
            label: The subtask's label.
            feature: The argument value in question.
            focus: By check kind, how much weight it is given on top of its demand.
        """
        key = (label, feature)
        parts = self._worth.get(key)
        if parts is None:
            parts = self._worth[key] = tuple(
                (kind, share * self.effect(label, kind, feature))
                for kind, share in self.demand(label).items()
            )
        return sum(focus.get(kind, 1.0) * part for kind, part in parts)
