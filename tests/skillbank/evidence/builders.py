"""Builders with good defaults for graded runs, events, cards and evidence."""

from collections.abc import Iterable, Mapping, Sequence

from skillbank.agents.agent import Step
from skillbank.briefs.brief import Brief, Check, Requirement
from skillbank.evidence.attribute import Graded
from skillbank.evidence.event import Event, Happening
from skillbank.evidence.labels import Labels
from skillbank.proposals.proposal import Draft, Kind
from skillbank.proposals.writer import Cluster, Evidence, Revision
from skillbank.records import Side
from skillbank.skills.shelf import Card, Recall, Subtask
from skillbank.skills.skill import Skill


def brief(id: str, text: str = "", *, root: str = "", kind: str = "text") -> Brief:
    need = Requirement(id="r1", kind=kind, text="says so")
    return Brief(
        id=id,
        text=text or f"please make {id}",
        requirements=(need,),
        root=root,
        parent=root or None,
    )


def recall(skill: str, version: int = 1, subtask: str = "") -> Recall:
    return Recall(
        subtask=subtask or skill,
        skill=skill,
        version=version,
        relevance=0.5,
        reason="said so",
    )


def graded(
    id: str,
    *recalls: Recall,
    score: float | None = 0.3,
    asked: Brief | None = None,
    session: str = "",
    user: str = "",
    side: Side = "teach",
    exploring: bool = False,
    uncovered: Sequence[str] = (),
    round: str = "r0001",
) -> Graded:
    return Graded(
        id=id,
        brief=asked or brief(f"b-{id}"),
        round=round,
        session=session or f"s-{id}",
        user=user,
        side=side,
        exploring=exploring,
        score=score,
        recalls=recalls,
        uncovered=tuple(
            Subtask(name=phrase.split()[-1], phrase=phrase) for phrase in uncovered
        ),
    )


def event(
    kind: Happening = "failure",
    run: str = "a",
    *,
    skill: str = "headline",
    version: int | None = 1,
    root: str = "",
    session: str = "",
    user: str = "",
    side: Side = "teach",
    score: float = 0.3,
    label: str = "",
    round: str = "r0001",
) -> Event:
    return Event(
        kind=kind,
        run=run,
        round=round,
        root=root or f"b-{run}",
        brief=root or f"b-{run}",
        session=session or f"s-{run}",
        user=user,
        side=side,
        skill="" if kind == "uncovered" else skill,
        version=None if kind == "uncovered" else version,
        label=label,
        subtasks=(label or skill,),
        phrase=label,
        score=score,
    )


def sighting(run: str, label: str = "sponsors", **given: str) -> Event:
    return event("uncovered", run, label=label, **given)  # type: ignore[arg-type]


def evidence(
    id: str,
    *recalls: Recall,
    score: float = 0.3,
    asked: Brief | None = None,
    exploring: bool = False,
) -> Evidence:
    return Evidence(
        id=id,
        brief=asked or brief(f"b-{id}"),
        steps=(Step(subtask="headline", tool="place_text"),),
        checks=(Check(requirement="r1", outcome="not", why="too small"),),
        score=score,
        recalls=recalls,
        exploring=exploring,
    )


def text(name: str, description: str = "", body: str = "Do it.") -> str:
    said = description or f"when the {name} is due"
    return f"---\nname: {name}\ndescription: {said}\n---\n\n{body}\n"


def card(name: str, version: int = 1, description: str = "") -> Card:
    return Card(skill=Skill.parse(text(name, description)), version=version)


class FixedLabeller:
    """Names phrases as it was told, and anything else by its last word."""

    def __init__(self, **names: str) -> None:
        self._names = names
        self.asked: list[str] = []

    def study(self, phrases: Sequence[str], filed: Mapping[str, str]) -> None:
        """Nothing to learn."""

    def label(self, phrase: str, known: Sequence[str]) -> tuple[str, str]:
        self.asked.append(phrase)
        last = phrase.split()[-1]
        return self._names.get(last, last), "its last word"


class FixedWriter:
    """Returns the drafts it was given by card or label, and notes what it was shown."""

    def __init__(self, **drafts: Draft | None) -> None:
        self._drafts = {name.replace("_", "-"): d for name, d in drafts.items()}
        self.studied: tuple[Evidence, ...] = ()
        self.revisions: list[Revision] = []
        self.clusters: list[Cluster] = []

    def study(self, pool: Sequence[Evidence]) -> None:
        self.studied = tuple(pool)

    def revise(self, revision: Revision, seed: int) -> Draft | None:
        self.revisions.append(revision)
        name = revision.card.name
        if name in self._drafts:
            return self._drafts[name]
        kind: Kind = "overhaul" if revision.overhaul else "edit"
        said = revision.card.skill.description
        return Draft(text=text(name, said, f"Better {seed}."), note="why", kind=kind)

    def mint(self, cluster: Cluster, seed: int) -> Draft | None:
        self.clusters.append(cluster)
        if cluster.label in self._drafts:
            return self._drafts[cluster.label]
        return Draft(text=text(f"{cluster.label}-card"), note="why", kind="mint")


def labels(*phrases: str) -> Labels:
    return Labels().file(phrases, FixedLabeller(), same_label=0.5, round="r0001")


def ids(some: Iterable[Evidence | Event]) -> list[str]:
    return [one.run if isinstance(one, Event) else one.id for one in some]
