"""Step 6: structural checks, each with its reason, before any replay."""

from skillbank.rounds.screening import screened
from skillbank.skills.screen import Screening
from skillbank.tables import PROPOSALS, SCREENINGS
from tasks.setting import Setting, step


@step("screen")
def screen(setting: Setting) -> str:
    """Screen every proposal; what fails is kept and never recalled."""
    at = setting.step(
        __file__,
        reads=[PROPOSALS],
        depends=[
            setting.params.screen,
            setting.params.gate.forbidden_tools,
            setting.bank.digest,
        ],
    )
    made = at.table(SCREENINGS, lambda: _screenings(setting))
    failed = sum(not one.passed for one in made)
    security = sum(one.security for one in made)
    return setting.say(f"{failed} screened out, {security} of them security events")


def _screenings(setting: Setting) -> tuple[Screening, ...]:
    return tuple(
        screened(proposal, setting.bank, setting.world, setting.params)
        for proposal in setting.read(PROPOSALS)
    )
