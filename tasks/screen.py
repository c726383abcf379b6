"""Step 6: structural checks, each with its reason, before any replay."""

from skillbank.skills.screen import Screening
from skillbank.skills.screen import screen as screen_proposal
from skillbank.tables import PROPOSALS, SCREENINGS
from tasks.setting import Setting, step


@step("screen")
def screen(setting: Setting) -> str:
    """Screen every proposal; what fails is kept and never recalled."""
    at = setting.step(
        __file__,
        reads=[PROPOSALS],
        depends=[setting.params.screen, setting.bank.digest],
    )
    made = at.table(SCREENINGS, lambda: _screenings(setting))
    failed = sum(not one.passed for one in made)
    security = sum(one.security for one in made)
    return setting.say(f"{failed} screened out, {security} of them security events")


def _screenings(setting: Setting) -> tuple[Screening, ...]:
    return tuple(
        screen_proposal(
            proposal, setting.bank, setting.world.tools, setting.params.screen
        )
        for proposal in setting.read(PROPOSALS)
    )
