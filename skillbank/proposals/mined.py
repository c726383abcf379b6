"""A writer of skills without a model, for traffic of any agent: counts, put into words.

A skill is made of the names of tools, how often they were called and failed, and words
that several requests share. Nothing else of a trace is ever written: no argument, no
output, no message of an error, no sentence of a request. The same evidence gives the
same text, and what it says it can show.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from skillbank.codec import digest
from skillbank.proposals.proposal import Draft
from skillbank.proposals.sections import with_items
from skillbank.proposals.toolwork import Tool, shared, tools_of
from skillbank.proposals.writer import Cluster, Evidence, Revision
from skillbank.prose import joined
from skillbank.skills.skill import DESCRIPTION_LIMIT, NAME_LIMIT, Skill
from skillbank.skills.words import terms

_LEAST = 2  # runs (or requests) without which nothing is a habit
_WORDS = 6  # of a trigger condition
_NAMING = 4  # of a name
_ITEMS = 3  # pitfalls or steps that an edit adds
_OPENING = 300  # characters of a request that its words are taken from
_SHORTEST, _LONGEST = 3, 24  # letters of a word
_FIRST = "Read the whole request, and list what it asks for."
_LAST = "Hold the outcome against that list before answering."
_CHECK = "Everything that was asked for is done, or it is said what is not and why."


class MinedWriter:
    """Mints from what runs share, edits by what failing runs did otherwise.

    Args:
        fail_below: Score below which a run failed, in [0, 1].
    """

    def __init__(self, fail_below: float) -> None:
        self._fail_below = fail_below
        self._everywhere: Counter[str] = Counter()
        self._roots = 0

    def study(self, pool: Sequence[Evidence]) -> None:
        """Count in how many different requests each word is."""
        self._everywhere, self._roots = _by_root(pool)

    def mint(self, cluster: Cluster, seed: int) -> Draft | None:
        """A card of the tools that most runs share; None if they share none."""
        runs = self._good(cluster.members)
        habit = shared(tools_of(runs), len(runs), _LEAST)
        words = self._telling(cluster.members)
        if not habit or len(words) < _LEAST:
            return None
        tools = tools_of(cluster.members)
        pitfalls = [_fails(tool) for tool in _worst(tools.values())]
        skill = _composed(
            _free_name(cluster, words),
            f"Use when a request is about {joined(words)}.",
            [_FIRST, *map(_step, habit), _LAST],
            pitfalls,
            [*_checks(habit, runs), _CHECK],
        )
        note = (
            f"{len(habit)} tools that most of {len(runs)} runs share, "
            "counted, without a model"
        )
        return Draft(text=skill.text, note=note, kind="mint")

    def revise(self, revision: Revision, seed: int) -> Draft | None:
        """An edit, or a wider trigger; None if failing and other runs do not differ."""
        name = revision.card.name
        if not any(r.skill == name for one in revision.failures for r in one.recalls):
            return self._widened(revision)
        skill = revision.card.skill
        failed, went_well = tools_of(revision.failures), tools_of(revision.successes)
        pitfalls = [
            _fails(tool)
            for tool in _worst(failed.values())
            if _error_rate(failed, tool.name) > _error_rate(went_well, tool.name)
        ]
        n_failed, n_well = len(revision.failures), len(revision.successes)
        steps = []
        for tool in shared(went_well, n_well, _LEAST):
            lacking = failed[tool.name].runs if tool.name in failed else 0
            if lacking / n_failed < tool.runs / n_well:
                steps.append(
                    f"{_step(tool)[:-1]}: {tool.runs} of {n_well} runs that went well "
                    f"did, {lacking} of {n_failed} that failed."
                )
        pitfalls = [text for text in pitfalls if _about(text) not in skill.body]
        steps = [text for text in steps if _about(text) not in skill.body]
        if not pitfalls and not steps:
            return None
        body = self._mended(revision, pitfalls[:_ITEMS], steps[:_ITEMS])
        return Draft(
            text=skill.revise(body=body).text,
            note=f"{n_failed} failing runs beside {n_well} that went well, counted, "
            "without a model",
            kind="edit",
        )

    def _mended(
        self, revision: Revision, pitfalls: Sequence[str], steps: Sequence[str]
    ) -> str:
        """The body with what was found, and with what every card must have."""
        skill = revision.card.skill
        runs = revision.successes or revision.failures
        habit = shared(tools_of(runs), len(runs), _LEAST)
        if not skill.steps:
            steps = [_FIRST, *(steps or map(_step, habit)), _LAST]
        body = with_items(skill.body, "Steps", steps, numbered=True)
        body = with_items(body, "Pitfalls", pitfalls, numbered=False)
        if not skill.checks:
            checks = [*_checks(habit, runs), _CHECK]
            body = with_items(body, "Checks", checks, numbered=False)
        return body

    def _widened(self, revision: Revision) -> Draft | None:
        """The card, recalled for requests that it was not recalled for."""
        skill = revision.card.skill
        said = set(terms(skill.description))
        words = [w for w in self._telling(revision.failures) if w not in said]
        description = (
            f"{skill.description.rstrip()} Also when a request is about "
            f"{joined(words)}."
        )
        if not words or len(description) > DESCRIPTION_LIMIT:
            return None
        wider = skill.revise(
            description=description, body=self._mended(revision, (), ())
        )
        note = f"{len(revision.failures)} runs that needed it did not recall it"
        return Draft(text=wider.text, note=note, kind="overhaul")

    def _good(self, runs: Sequence[Evidence]) -> Sequence[Evidence]:
        """Those that did not fail, as far as anybody knows; all if every one did."""
        good = [one for one in runs if one.rank >= self._fail_below]
        return good or runs

    def _telling(self, runs: Sequence[Evidence]) -> list[str]:
        """Words that at least half of the requests share and few others have."""
        mine, roots = _by_root(runs)
        total = max(self._roots, roots)

        def weight(word: str) -> float:
            elsewhere = max(self._everywhere[word], mine[word])
            return mine[word] * math.log1p(total / elsewhere)

        often = [w for w, n in mine.items() if n >= _LEAST and 2 * n >= roots]
        return sorted(often, key=lambda word: (-weight(word), word))[:_WORDS]


def _by_root(runs: Iterable[Evidence]) -> tuple[Counter[str], int]:
    """In how many different requests each word is, and how many requests there are."""
    said: dict[str, set[str]] = {}
    for one in runs:
        words = terms(one.brief.text[:_OPENING])
        said.setdefault(one.brief.root, set()).update(filter(_is_word, words))
    counts: Counter[str] = Counter()
    for words_of_root in said.values():
        counts.update(words_of_root)
    return counts, len(said)


def _is_word(text: str) -> bool:
    return text.isalpha() and _SHORTEST <= len(text) <= _LONGEST


def _composed(
    name: str,
    description: str,
    steps: Sequence[str],
    pitfalls: Sequence[str],
    checks: Sequence[str],
) -> Skill:
    body = f"\n# {name.replace('-', ' ').capitalize()}\n"
    body = with_items(body, "Steps", steps, numbered=True)
    body = with_items(body, "Pitfalls", pitfalls, numbered=False)
    body = with_items(body, "Checks", checks, numbered=False)
    return Skill.compose(name, description, body)


def _free_name(cluster: Cluster, shared: Sequence[str]) -> str:
    """Words of the label that requests share, numbered where a card has that name.

    A label may be named after a single request: of it no word is taken.
    """
    plain = [word for word in shared if word.isascii()]
    said = [word for word in cluster.label.split("-") if word in plain]
    made = "-".join((said or plain)[:_NAMING]).lower()
    made = made[: NAME_LIMIT - 4].strip("-") or f"need-{digest(cluster.label)[:8]}"
    name, n = made, 1
    while name in cluster.taken:
        n += 1
        name = f"{made}-{n}"
    return name


def _step(tool: Tool) -> str:
    given = f" with {joined([f'`{name}`' for name in tool.arguments])}"
    return f"Call `{tool.name}`{given if tool.arguments else ''}."


def _fails(tool: Tool) -> str:
    return (
        f"`{tool.name}` failed in {tool.errors} of {tool.calls} calls: read what it "
        "gave back before the next one."
    )


def _about(text: str) -> str:
    """The part before any count: a card that says it already need not say it again."""
    return text.partition(": ")[0].partition(" failed in ")[0]


def _worst(tools: Iterable[Tool]) -> list[Tool]:
    """Those that failed most often, the worst first."""
    bad = [tool for tool in tools if tool.errors >= _LEAST]
    return sorted(bad, key=lambda tool: (-tool.errors, tool.name))[:_ITEMS]


def _checks(habit: Sequence[Tool], runs: Sequence[Evidence]) -> list[str]:
    """How success shows: the last shared tool ends without an error."""
    if not habit:
        return []
    last = habit[-1].name
    ends = [
        next(step.error for step in reversed(run.steps) if step.tool == last)
        for run in runs
        if any(step.tool == last for step in run.steps)
    ]
    clean = sum(not error for error in ends)
    return [
        f"The last call of `{last}` ends without an error; it did in {clean} of "
        f"{len(ends)} runs."
    ]


def _error_rate(tools: Mapping[str, Tool], name: str) -> float:
    return tools[name].errors / tools[name].calls if name in tools else 0.0
