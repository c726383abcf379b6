"""End of step 9: bank versions written, HEAD moved, golden cases kept, books closed."""

from skillbank.briefs.replay_set import GoldenCase
from skillbank.errors import BankError
from skillbank.proposals.accounting import BankChange, tally
from skillbank.rounds.commit import decisions, new_golden
from skillbank.skills.lifecycle import suspended
from skillbank.tables import (
    BANK_TEST,
    DECISIONS,
    GOLDEN,
    PROPOSALS,
    SCREENINGS,
    SUSPECTS,
    VERDICTS,
)
from tasks.benchmark import bank_after, bank_without, taken_out
from tasks.memory import briefs_known, golden
from tasks.setting import Setting, step
from tasks.tables import write_table


@step("candidate bank")
def write_candidate(setting: Setting) -> str:
    """Write all that the gate let in as one bank version, whole, not yet HEAD."""
    number = setting.workspace.bank.write(bank_without(setting))
    return setting.say(f"candidate bank {number} written")


@step("commit")
def commit(setting: Setting) -> str:
    """Write the bank that is left, check the books, move HEAD by one rename."""
    after = bank_after(setting)
    at = setting.step(
        __file__,
        reads=[PROPOSALS, SCREENINGS, VERDICTS, SUSPECTS, BANK_TEST],
        depends=[setting.params, setting.bank.digest],
    )
    made = at.table(
        DECISIONS,
        lambda: decisions(
            setting.read(PROPOSALS),
            setting.read(SCREENINGS),
            setting.read(VERDICTS),
            after,
            taken_out(setting),
        ),
    )

    def cases() -> tuple[GoldenCase, ...]:
        proposals = setting.read(PROPOSALS)
        named = {case.brief for proposal in proposals for case in proposal.cases}
        return new_golden(proposals, made, briefs_known(setting, named)[0])

    fresh = at.table(GOLDEN, cases)
    tally(setting.read(PROPOSALS), {one.proposal: one.fate for one in made})
    committed = [one for one in made if one.fate == "committed"]
    BankChange(
        before=len(setting.bank.names()),
        mints=sum(one.kind == "mint" for one in committed),
        retired=sum(len(one.drops) for one in committed),
        suspended=len(suspended(after)) - len(suspended(setting.bank)),
        after=len(after.names()),
    ).check()
    number = setting.workspace.bank.write(after)
    _move_head(setting, number)
    write_table(setting.workspace.golden, GOLDEN, golden(setting).add(fresh).cases)
    return setting.say(
        f"{len(committed)} changes committed; HEAD is bank {number}, "
        f"{len(after.names())} skills"
    )


def _move_head(setting: Setting, number: int) -> None:
    """Put the round's bank in use, unless HEAD was moved since the round began."""
    store, began = setting.workspace.bank, setting.opening.bank
    if (seen := store.head()) not in (began, number):
        raise BankError(
            "HEAD",
            seen=f"bank {seen}",
            expected=f"bank {began}, with which round {setting.opening.round} began",
            remedy=f"delete {setting.round_dir}, then start a new round: it begins "
            f"with bank {seen}",
        )
    store.set_head(number)
