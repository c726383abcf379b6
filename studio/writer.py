"""The offline writer of skills: contrast mining, often right, sometimes harmful.

It sees traces and checks. What it gets wrong, it gets wrong for natural reasons: too
few observations, contrasts from other labels that do not carry over, and a share of
careless drafts (`wild`) that a hurried writer would hand in.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from skillbank.briefs.brief import Check, Requirement
from skillbank.briefs.strata import stratum
from skillbank.codec import seed_of
from skillbank.errors import SkillError
from skillbank.proposals.proposal import Draft
from skillbank.proposals.writer import Cluster, Evidence, Revision
from skillbank.skills.calls import Call, parse_call
from skillbank.skills.shelf import Card
from studio.cardtext import composed, step_of, with_calls, with_step
from studio.careless import careless, spoiled
from studio.mining import Mine, Trial
from studio.plans import Change, Numbered, changes, improved, renumbered
from studio.trigger import merged_trigger, trigger

_SIZES = (2, 3, 3)  # changes of an edit: bounded
_TEMPER = 0.35  # sd of the log of a gain: no two drafts weigh the evidence alike
_LEAST_GAIN = 0.008  # of a brief's score, below which there is no idea
_UNFAILED = 0.5  # weight of a kind of check that never failed in what was shown
_ENOUGH = 3  # failing briefs of one cohort that are no accident
_SPOILED = 0.15  # share of careless drafts that also break the card's form


class ContrastWriter:
    """The studio's writer; see `skillbank.proposals.writer.SkillWriter`.

    Args:
        wild: Share of careless drafts, in [0, 1].
    """

    def __init__(self, wild: float) -> None:
        self._wild = wild
        self._mine = Mine()

    def study(self, pool: Sequence[Evidence]) -> None:
        """Take in all evidence so far; what was known before is forgotten.

        So a writer that was made anew in the middle of a round knows the same.
        """
        self._mine = Mine()
        self._mine.learn(pool)

    def revise(self, revision: Revision, seed: int) -> Draft | None:
        """An edit or an overhaul of a card; None if the evidence says nothing."""
        card = revision.card
        rng = Random(seed_of("revise", seed, card.ref))
        label = served(card, (*revision.failures, *revision.successes))
        calls = _calls(card)
        if not label or not calls:
            return None
        if revision.overhaul:
            return self._overhaul(revision, label, rng)
        if rng.random() < self._wild:
            return self._careless(card, label, calls, rng)
        focus = _focus(label, revision.failures)
        return self._edit(revision, _Aim(label, calls, focus), rng)

    def mint(self, cluster: Cluster, seed: int) -> Draft | None:
        """A new card for a label that keeps coming up; None if nothing was tried."""
        rng = Random(seed_of("mint", seed, cluster.label))
        label = _label_of(cluster)
        trials = [
            trial
            for trial in self._mine.trials_of(label)
            if trial.calls and not any(call.error for call in trial.calls)
        ]
        if not trials:
            return None
        calls = self._rebuilt(label, trials, rng)
        if rng.random() < self._wild:
            calls = careless(calls, self._mine, rng)
        skill = composed(
            _free_name(cluster),
            trigger(cluster.label, cluster.phrases, rng),
            [call for _, call in calls],
            self._pitfalls(label, cluster.members),
            _checks(label, cluster.members),
        )
        note = f"distilled from the best of {len(trials)} attempts at {label}"
        return Draft(text=skill.text, note=note, kind="mint")

    def _edit(self, revision: Revision, aim: "_Aim", rng: Random) -> Draft | None:
        card = revision.card
        found = [
            (change.gain * math.exp(rng.gauss(0, _TEMPER)), change)
            for change in changes(self._mine, aim.label, aim.calls, aim.focus)
            if change.gain > _LEAST_GAIN
        ]
        found.sort(key=lambda pair: (-pair[0], pair[1].key))
        chosen: list[Change] = []
        wanted = rng.choice(_SIZES)
        for _, change in found:
            if len(chosen) == wanted:
                break
            if all(change.slot != other.slot for other in chosen):
                chosen.append(change)
        if not chosen:
            return None
        calls = list(aim.calls)
        for change in chosen:
            calls = change.apply(calls)
        body = with_calls(
            card.skill.body, [call for _, call in calls], [c.lesson for c in chosen]
        )
        for change in chosen:
            if change.added is not None:
                body = with_step(body, step_of(change.added))
        return Draft(
            text=card.skill.revise(body=body).text,
            note="; ".join(change.lesson for change in chosen),
            kind="edit",
            stratum=_narrow(aim, revision),
        )

    def _careless(
        self, card: Card, label: str, calls: Sequence[Numbered], rng: Random
    ) -> Draft:
        drafted = careless(calls, self._mine, rng)
        lines = [call for _, call in drafted]
        body = with_calls(card.skill.body, lines, ["tidied up after complaints."])
        if rng.random() < _SPOILED:
            body = spoiled(body, rng)
        return Draft(
            text=card.skill.revise(body=body).text,
            note=f"a quick rewrite for {label}",
            kind="edit",
        )

    def _overhaul(self, revision: Revision, label: str, rng: Random) -> Draft | None:
        trials = self._mine.trials_of(label)
        if not trials:
            return None
        calls = self._rebuilt(label, trials, rng)
        if rng.random() < self._wild:
            calls = careless(calls, self._mine, rng)
        card = revision.card
        drops = tuple(
            other.name
            for other in revision.neighbours
            if other.name != card.name and _same_work(other, card)
        )[:1]
        description = card.skill.description
        if drops:
            others = [o for o in revision.neighbours if o.name in drops]
            description = merged_trigger(
                description, [o.skill.description for o in others]
            )
        skill = composed(
            card.name,
            description,
            [call for _, call in calls],
            self._pitfalls(label, revision.failures),
            _checks(label, (*revision.failures, *revision.successes)),
        )
        merged = f"; supersedes {drops[0]}" if drops else ""
        return Draft(
            text=card.skill.revise(description=description, body=skill.body).text,
            note=f"rebuilt from the best of {len(trials)} attempts at {label}{merged}",
            kind="overhaul",
            drops=drops,
        )

    def _rebuilt(
        self, label: str, trials: Sequence[Trial], rng: Random
    ) -> list[Numbered]:
        """The calls of one of the best attempts, every argument improved."""
        ranked = sorted(trials, key=lambda trial: -trial.value)[:3]
        best = ranked[min(len(ranked) - 1, int(rng.expovariate(1.5)))]
        calls = [Call(tool=c.tool, arguments=c.arguments) for c in best.calls]
        return improved(self._mine, label, renumbered(calls), rng)

    def _pitfalls(self, label: str, shown: Sequence[Evidence]) -> list[str]:
        whys = Counter(
            f"{need.text}: {check.why}"
            for evidence in shown
            for need, check in _checked(evidence)
            if check.outcome == "not" and label in (need.subtask, *check.subtasks)
        )
        seen = [f"Seen: {text[:140]}" for text, _ in whys.most_common(3)]
        return seen or ["Do not go by what one board looked like."]


@dataclass(frozen=True, slots=True)
class _Aim:
    """What an edit is about."""

    label: str
    calls: Sequence[Numbered]
    focus: Mapping[str, float]


def served(card: Card, shown: Sequence[Evidence]) -> str:
    """The subtask that a card works on, as far as the evidence shows; empty: none."""
    mark = f"{card.name}@"
    followed = Counter(
        step.subtask
        for evidence in shown
        for step in evidence.steps
        if step.skill.startswith(mark)
    )
    if not followed:
        followed = Counter(
            recall.subtask
            for evidence in shown
            for recall in evidence.recalls
            if recall.skill == card.name
        )
    return min(followed, key=lambda name: (-followed[name], name), default="")


def _calls(card: Card) -> list[Numbered]:
    calls = []
    for line in card.skill.calls:
        try:
            calls.append(parse_call(line))
        except SkillError:
            continue
    return renumbered(calls)


def _checked(evidence: Evidence) -> Iterator[tuple[Requirement, Check]]:
    needs = {need.id: need for need in evidence.brief.requirements}
    for check in evidence.checks:
        need = needs.get(check.requirement)
        if need is not None:
            yield need, check


def _focus(label: str, failures: Sequence[Evidence]) -> dict[str, float]:
    """By check kind, more weight the more often it failed in what was shown."""
    seen: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for evidence in failures:
        for need, check in _checked(evidence):
            if label in (need.subtask, *check.subtasks):
                seen[need.kind] += 1
                failed[need.kind] += check.outcome != "met"
    return {kind: _UNFAILED + failed[kind] / seen[kind] for kind in seen}


def _narrow(aim: _Aim, revision: Revision) -> str:
    """The kind of briefs that an edit mends, where the evidence contrasts it.

    One kind of check failed alone; or all failures are of one cohort, three briefs at
    least, and there are successes in another.
    """
    failed = [kind for kind, weight in aim.focus.items() if weight > _UNFAILED]
    if len(failed) == 1:
        return stratum(subtask=aim.label, check=failed[0])
    cohorts = {one.brief.cohort for one in revision.failures}
    others = {one.brief.cohort for one in revision.successes} - cohorts
    roots = {one.brief.root for one in revision.failures}
    if len(cohorts) == 1 and others and len(roots) >= _ENOUGH:
        return stratum(cohort=cohorts.pop())
    return ""


def _checks(label: str, shown: Sequence[Evidence]) -> list[str]:
    texts = Counter(
        need.text
        for evidence in shown
        for need in evidence.brief.requirements
        if need.subtask == label
    )
    found = [f"{text[:1].upper()}{text[1:]}." for text, _ in texts.most_common(4)]
    return found or [f"The {label} is on the board and can be read."]


def _label_of(cluster: Cluster) -> str:
    names = Counter(
        step.subtask
        for evidence in cluster.members
        for step in evidence.steps
        if not step.skill and step.subtask
    )
    if cluster.label in names or not names:
        return cluster.label
    return min(names, key=lambda name: (-names[name], name))


def _free_name(cluster: Cluster) -> str:
    name, number = cluster.label, 2
    while name in cluster.taken:
        name, number = f"{cluster.label}-{number}", number + 1
    return name


def _same_work(one: Card, other: Card) -> bool:
    """Two cards whose first calls draw the same role."""
    first, second = _calls(one), _calls(other)
    if not first or not second:
        return False
    role = first[0][1].arguments.get("role")
    return role is not None and role == second[0][1].arguments.get("role")
