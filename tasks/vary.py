"""Step 2: variants of some of the round's briefs."""

from skillbank.rounds.vary import vary as vary_runs
from skillbank.tables import RUNS, VARIANTS
from tasks.memory import asked, fixed_texts
from tasks.setting import Setting, step


@step("vary")
def vary(setting: Setting) -> str:
    """Write variants; `skillbank.rounds.vary` says of which briefs."""
    at = setting.step(
        __file__,
        reads=[RUNS],
        files=setting.workspace.fixed,
        depends=[setting.params.vary, setting.params.models],
    )
    variants = at.table(
        VARIANTS,
        lambda: vary_runs(
            asked(setting),
            setting.world.variants,
            setting.params.vary,
            setting.seed("vary"),
            fixed_texts(setting),
        ),
    )
    return setting.say(f"{len(variants)} variants written")
