"""Step 2: which briefs get variants, and which variants are kept."""

from collections.abc import Iterable, Sequence

from skillbank.briefs.variants import drop_near_copies
from skillbank.codec import seed_of
from skillbank.params import VaryParams
from skillbank.records import SidedRun, SidedVariant
from skillbank.world import VariantWriter


def vary(
    runs: Sequence[SidedRun],
    writer: VariantWriter,
    params: VaryParams,
    seed: int,
    fixed: Iterable[str] = (),
) -> tuple[SidedVariant, ...]:
    """Have variants written of a share of the round's briefs.

    Each brief counts once, however many runs asked for it. A variant stays on the side
    of the run that it varies. Near-copies of its parent, of a sibling or of a fixed
    brief are dropped.

    Args:
        runs: The round's runs, in any order.
        writer: Who writes the variants.
        params: Share, number and the bar for a near-copy.
        seed: Seed of the choice and of the writing.
        fixed: Texts of benchmark and sealed briefs: what measures must not teach.
    """
    others = tuple(fixed)
    by_root = {run.run.brief.root: run for run in sorted(runs, key=_order)}
    chosen = sorted(by_root, key=lambda root: seed_of(seed, "choose", root))
    kept: list[SidedVariant] = []
    for root in sorted(chosen[: round(params.share * len(chosen))]):
        source = by_root[root]
        brief = source.run.brief
        written = writer.write(brief, params.per_brief, seed_of(seed, "write", root))
        for variant in drop_near_copies(
            written, (brief.text, *others), params.near_copy
        ):
            kept.append(
                SidedVariant(
                    brief=variant.brief,
                    note=variant.note,
                    side=source.side,
                    session=source.run.session,
                )
            )
    return tuple(kept)


def _order(run: SidedRun) -> str:
    return run.run.run_id
