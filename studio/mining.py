"""Contrast mining: which argument goes with which check being met.

For every subtask label, check kind and feature (tool, argument, expression) it keeps
how often the check was met. The effect of a feature is its contrast with the other
values of the same argument under the same label, shrunk towards the contrast pooled
over all labels. It reads traces and checks, nothing else: no rule of the world.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from skillbank.agents.agent import Step
from skillbank.briefs.brief import Outcome
from skillbank.proposals.writer import Evidence
from skillbank.skills.calls import Call

_CREDIT: Mapping[Outcome, float] = {"met": 1.0, "partly": 0.5, "not": 0.0}
_PRIOR = 4.0  # observations that the pooled contrast is worth beside the label's own
_POOL_PRIOR = 3.0  # observations of "no effect" beside the pooled contrast

_USUAL = 0.5  # share of a card's trials from which a feature is the card's own


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
    card: str
    """The card version that it followed; empty: none."""
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
            card=next((step.skill for step in calls[label] if step.skill), ""),
            calls=tuple(calls[label]),
            credit={
                kind: sum(gains) / len(gains) for kind, gains in credit[label].items()
            },
            share=dict(share[label]),
        )
        for label in calls
        if label in credit
    )


@dataclass(slots=True)
class _Group:
    """The trials of a label that followed one card version, or none (improvised)."""

    n: int = 0
    kinds: dict[str, _Tally] = field(default_factory=lambda: defaultdict(_Tally))
    features: dict[Feature, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, trial: Trial, features: Iterable[Feature]) -> None:
        self.n += 1
        for kind, credit in trial.credit.items():
            self.kinds[kind].add(credit)
        for feature in features:
            self.features[feature] += 1


class Mine:
    """Excess credit over the group's mean, indexed by (label, check kind, feature).

    An attempt that followed a card says something about what it did otherwise than the
    card, compared with attempts that followed the same card; what all of them did alike
    says nothing. Improvised attempts are compared with improvised ones.
    """

    def __init__(self) -> None:
        self._features: dict[tuple[str, str, Feature], _Tally] = defaultdict(_Tally)
        self._labels_of: dict[Feature, dict[tuple[str, Feature], None]] = {}
        self._values: dict[tuple[str, str], dict[str, int]] = {}
        self._kinds_of: dict[str, dict[str, _Tally]] = {}
        self._trials: dict[str, list[Trial]] = defaultdict(list)
        self._sorted: dict[str, tuple[str, ...]] = {}
        self._support: dict[tuple[str, Feature], int] = defaultdict(int)
        self._optional: set[tuple[str, str]] = set()
        self._arguments: dict[str, set[str]] = defaultdict(set)
        self._examples: dict[str, dict[str, Call]] = defaultdict(dict)
        self._worth: dict[tuple[str, Feature], tuple[tuple[str, float], ...]] = {}
        self._pooled: dict[tuple[str, Feature], tuple[float, float]] = {}

    def learn(self, pool: Iterable[Evidence]) -> None:
        """Take in all evidence that there is; called once."""
        groups: dict[tuple[str, str], _Group] = defaultdict(_Group)
        held: list[tuple[Trial, list[Feature]]] = []
        seen: set[str] = set()
        tried: list[Trial] = []
        for evidence in pool:
            if evidence.id in seen:
                continue
            seen.add(evidence.id)
            for trial in trials(evidence):
                tried.append(trial)
                for call in trial.calls:
                    self._arguments[call.tool].update(call.arguments)
        for trial in tried:
            features = self._note(trial)
            groups[trial.label, trial.card].add(trial, features)
            held.append((trial, features))
        for trial, features in held:
            self._weigh(trial, features, groups[trial.label, trial.card])

    def _note(self, trial: Trial) -> list[Feature]:
        """Remember what was tried; the features of a trial."""
        label = trial.label
        self._trials[label].append(trial)
        weights = self._kinds_of.setdefault(label, {})
        for kind, share in trial.share.items():
            weights.setdefault(kind, _Tally()).add(share)
        features = []
        for tool, call in numbered(trial.calls):
            made = Call(tool=call.tool, arguments=call.arguments)
            self._examples[label].setdefault(tool, made)
            features.append(Feature(tool, "", ""))
            for argument in self.arguments(call.tool):
                if argument not in call.arguments:
                    features.append(Feature(tool, argument, ""))
                    if not call.error:
                        self._optional.add((call.tool, argument))
            for argument, text in call.arguments.items():
                features.append(Feature(tool, argument, text))
                counts = self._values.setdefault((call.tool, argument), {})
                counts[text] = counts.get(text, 0) + 1
        return features

    def _weigh(self, trial: Trial, features: Iterable[Feature], group: _Group) -> None:
        excess = {
            kind: credit - group.kinds[kind].mean
            for kind, credit in trial.credit.items()
        }
        for feature in features:
            if trial.card and group.features[feature] > _USUAL * group.n:
                continue
            homes = self._labels_of.setdefault(feature.pooled, {})
            homes[trial.label, feature] = None
            self._support[trial.label, feature] += 1
            for kind, more in excess.items():
                self._features[trial.label, kind, feature].add(more)

    def trials_of(self, label: str) -> Sequence[Trial]:
        """Every trial of a label, oldest first."""
        return self._trials.get(label, ())

    def optional(self, tool: str, argument: str) -> bool:
        """Whether the tool was ever called without the argument, and did not refuse."""
        return (tool.partition("#")[0], argument) in self._optional

    def values(self, tool: str, argument: str) -> tuple[str, ...]:
        """Expressions ever seen for an argument of a tool, most frequent first."""
        counts = self._values.get((tool.partition("#")[0], argument), {})
        return tuple(sorted(counts, key=lambda text: (-counts[text], text)))

    def arguments(self, tool: str) -> tuple[str, ...]:
        """Arguments ever given to a tool."""
        name = tool.partition("#")[0]
        if name not in self._sorted:
            self._sorted[name] = tuple(sorted(self._arguments.get(name, ())))
        return self._sorted[name]

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
        """How often a feature was seen under a label, in trials that say something."""
        return self._support.get((label, feature), 0)

    def effect(self, label: str, kind: str, feature: Feature) -> float:
        """How much more often the check is met with the feature; in [-1, 1]."""
        pooled = self._pooled_effect(kind, feature.pooled)
        n, excess = self._contrast(label, kind, feature)
        return (excess + _PRIOR * pooled) / (n + _PRIOR)

    def _contrast(self, label: str, kind: str, feature: Feature) -> tuple[int, float]:
        tally = self._features.get((label, kind, feature))
        return (tally.n, tally.total) if tally is not None else (0, 0.0)

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

    def worth(self, label: str, feature: Feature, focus: Mapping[str, float]) -> float:
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
