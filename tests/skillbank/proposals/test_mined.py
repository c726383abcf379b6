"""Skills of counts: the same evidence, the same text, and no stranger writes it."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from skillbank.agents.agent import Step
from skillbank.briefs.brief import Brief
from skillbank.params import ScreenParams
from skillbank.proposals.mined import MinedWriter
from skillbank.proposals.proposal import Proposal
from skillbank.proposals.writer import Cluster, Evidence, Revision
from skillbank.skills.bank import Bank, Change
from skillbank.skills.screen import screen
from skillbank.skills.shelf import Card, Recall
from skillbank.skills.skill import Skill

CARD = Card(
    skill=Skill.compose(
        "flights", "Use when a flight is booked.", "\n# Flights\n\nBook it.\n"
    ),
    version=2,
)


def step(tool: str, error: str = "", **arguments: str) -> Step:
    return Step(subtask="", tool=tool, arguments=arguments, error=error)


def ran(
    number: int,
    text: str,
    steps: Sequence[Step],
    score: float | None = None,
    skill: str = "",
) -> Evidence:
    recalls = [
        Recall(subtask="task", skill=skill, version=2, relevance=1.0, reason="applied")
    ]
    return Evidence(
        id=f"e{number}",
        brief=Brief(id=f"b{number}", text=text),
        steps=tuple(steps),
        checks=(),
        score=score,
        recalls=tuple(recalls if skill else ()),
    )


def cluster(members: Sequence[Evidence], **more: object) -> Cluster:
    return Cluster(
        label="cancel-flight-oslo",
        phrases=tuple(one.brief.text for one in members),
        members=tuple(members),
        **more,  # type: ignore[arg-type]  # fields of Cluster by name
    )


CITIES = ("Oslo", "Rome", "Bern", "Riga")
CANCELLED = tuple(
    ran(
        n,
        f"Cancel the flight to {city} of ada",
        [
            step("find", q=f"secret {city}"),
            step("find", "boom"),
            step("cancel", id="7"),
        ],
    )
    for n, city in enumerate(CITIES)
)


def minted(*members: Evidence, **more: object) -> Skill | None:
    writer = MinedWriter(0.6)
    writer.study(members)
    draft = writer.mint(cluster(members, **more), seed=1)
    return None if draft is None else Skill.parse(draft.text)


def test_a_mint_says_when_it_applies_which_tools_to_call_and_how_success_shows():
    skill = minted(*CANCELLED)

    assert skill is not None
    assert skill.name == "cancel-flight"
    assert skill.description == "Use when a request is about ada, cancel and flight."
    assert "Call `find` with `q`." in skill.steps
    assert skill.pitfalls == (
        "`find` failed in 4 of 8 calls: read what it gave back before the next one.",
    )
    assert skill.checks[0] == (
        "The last call of `cancel` ends without an error; it did in 4 of 4 runs."
    )


def test_a_name_that_is_taken_gets_a_number():
    skill = minted(*CANCELLED, taken=frozenset({"cancel-flight", "cancel-flight-2"}))

    assert skill is not None
    assert skill.name == "cancel-flight-3"


def test_runs_that_share_no_tool_or_no_word_teach_nothing():
    alone = [ran(n, one.brief.text, ()) for n, one in enumerate(CANCELLED)]
    strange = [
        ran(n, text, CANCELLED[0].steps)
        for n, text in enumerate(("abc def", "ghi jkl", "mno pqr"))
    ]

    assert minted(*alone) is None
    assert minted(*strange) is None


def test_failing_runs_do_not_show_how_it_is_done():
    bad = [
        ran(n + 10, one.brief.text, [step("shout")] * 2, score=0.0)
        for n, one in enumerate(CANCELLED)
    ]

    skill = minted(*CANCELLED, *bad)

    assert skill is not None
    assert not any("shout" in text for text in skill.steps)


def test_an_edit_of_a_card_without_sections_passes_the_screen():
    refused, fine = [step("pay", "no")] * 2, [step("quote"), step("pay")]
    failed = [ran(n, "x", refused, 0.1, "flights") for n in range(3)]
    well = [ran(n + 5, "x", fine, 0.9, "flights") for n in range(3)]
    entered = Change(kind="mint", skill=CARD.skill, author="operator")
    bank = Bank().with_commits([entered], "r0001")

    draft = MinedWriter(0.6).revise(
        Revision(card=CARD, failures=tuple(failed), successes=tuple(well)), 1
    )

    assert draft is not None
    skill = Skill.parse(draft.text)
    assert (draft.kind, skill.description) == ("edit", CARD.skill.description)
    assert "Book it." in skill.body
    assert any("`quote`: 3 of 3" in text for text in skill.steps)
    assert any("`pay` failed in 6 of 6" in text for text in skill.pitfalls)
    proposal = Proposal(
        round="r0002",
        axis="deepening",
        kind="edit",
        skill="flights",
        base=1,
        text=draft.text,
    )
    assert screen(proposal, bank, (), ScreenParams()).reasons == ()


def test_what_a_card_says_already_is_not_said_again_with_other_counts():
    refused, fine = [step("pay", "no")] * 2, [step("quote"), step("pay")]

    def revised(card: Card, n: int) -> Card | None:
        failed = tuple(ran(k, "x", refused, 0.1, "flights") for k in range(n))
        well = tuple(ran(k + 50, "x", fine, 0.9, "flights") for k in range(n))
        revision = Revision(card=card, failures=failed, successes=well)
        draft = MinedWriter(0.6).revise(revision, 1)
        if draft is None:
            return None
        return Card(skill=Skill.parse(draft.text), version=3)

    better = revised(CARD, 3)

    assert better is not None
    assert revised(better, 5) is None


def test_where_failing_runs_do_nothing_else_there_is_no_idea():
    runs = [ran(n, "x", [step("pay")], n / 10, "flights") for n in range(10)]

    revision = Revision(card=CARD, failures=tuple(runs[:5]), successes=tuple(runs[6:]))

    assert MinedWriter(0.6).revise(revision, 1) is None


def test_a_card_that_was_not_recalled_gets_a_wider_trigger():
    draft = MinedWriter(0.6).revise(
        Revision(card=CARD, failures=CANCELLED, successes=(), overhaul=True), 1
    )

    assert draft is not None
    skill = Skill.parse(draft.text)
    assert draft.kind == "overhaul"
    assert skill.description == (
        "Use when a flight is booked. Also when a request is about ada and cancel."
    )


names = st.text(max_size=40)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(names, names, names, names), min_size=3, max_size=6),
    names,
)
def test_whatever_traces_say_a_mint_parses_and_its_lines_are_ours(
    said: list[tuple[str, str, str, str]], tool: str
):
    members = [
        ran(n, text or "x", [step(tool, error, **{name: value})] * 2)
        for n, (text, error, name, value) in enumerate(said)
        if (text or "x").strip()
    ]
    writer = MinedWriter(0.6)
    writer.study(members)

    draft = writer.mint(cluster(members), seed=1) if members else None

    if draft is not None:
        skill = Skill.parse(draft.text)
        proposal = Proposal(
            round="r0001",
            axis="widening",
            kind="mint",
            skill=skill.name,
            base=None,
            text=draft.text,
        )
        assert all(ord(c) >= 32 or c == "\n" for c in draft.text)
        assert screen(proposal, Bank(number=1), (), ScreenParams()).proposal
