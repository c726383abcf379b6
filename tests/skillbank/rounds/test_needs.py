"""A trace that names no subtask still says what was needed and what there was."""

from skillbank.briefs.brief import Brief
from skillbank.params import Params
from skillbank.records import SidedRun
from skillbank.rounds.needs import with_needs
from skillbank.skills.recall import BankShelf
from skillbank.skills.shelf import Card, Recall, Subtask
from skillbank.skills.skill import Skill
from skillbank.traces.world import Traces
from skillbank.traffic.readers.values import recalls_of
from skillbank.traffic.run import Run, SkillUse

CARD = Card(
    skill=Skill.compose("invoices", "Use when invoices are exported.", "\n# I\n"),
    version=3,
)


def looked_up(*uses: SkillUse, text: str = "export invoices", **more: object) -> Run:
    run = Run(
        run_id="r",
        brief=Brief(id="b", text=text),
        skills=uses,
        recalls=recalls_of(uses),
        **more,  # type: ignore[arg-type]  # fields of Run by name
    )
    params = Params(world="traces")
    (row,) = with_needs(
        [SidedRun(run=run, side="teach")],
        Traces(params),
        BankShelf((CARD,), params.recall),
        {"invoices": 3},
    )
    return row.run


def test_a_skill_that_was_opened_is_recalled_at_the_version_that_the_bank_has():
    run = looked_up(SkillUse(skill="invoices", how="opened"), text="something else")

    (recall,) = run.recalls
    assert (recall.skill, recall.version, recall.subtask) == ("invoices", 3, "task")
    assert run.uncovered == ()


def test_a_skill_that_the_bank_lacks_stays_named_and_covers_nothing():
    run = looked_up(SkillUse(skill="poetry", how="applied"), text="write a poem")

    assert [(one.skill, one.version) for one in run.recalls] == [("poetry", 0)]
    assert [part.phrase for part in run.uncovered] == ["write a poem"]


def test_a_skill_that_was_only_offered_was_not_used():
    run = looked_up(SkillUse(skill="invoices", how="offered"), text="write a poem")

    assert run.recalls == ()
    assert len(run.uncovered) == 1


def test_what_a_trigger_of_the_bank_covers_is_no_need_and_blames_nobody():
    run = looked_up(text="export the invoices")

    assert (run.recalls, run.uncovered) == ((), ())


def test_a_run_that_names_its_subtasks_stays_as_it_is():
    told = looked_up(
        text="write a poem", uncovered=(Subtask(name="rhyme", phrase="find a rhyme"),)
    )

    assert [part.name for part in told.uncovered] == ["rhyme"]


def test_a_version_that_the_trace_tells_is_kept():
    run = Run(
        run_id="r",
        brief=Brief(id="b", text="x"),
        recalls=(
            Recall(
                subtask="", skill="invoices", version=1, relevance=1.0, reason="opened"
            ),
        ),
    )
    params = Params(world="traces")
    shelf = BankShelf((CARD,), params.recall)

    rows = [SidedRun(run=run, side="test")]
    (row,) = with_needs(rows, Traces(params), shelf, {"invoices": 3})

    assert row.run.recalls[0].version == 1
