"""Two completeness curves laid out in percent of a plot's width and height."""

from collections.abc import Sequence

from skillbank.records import BankTest, CurvePoint
from skillbank.reports.view import CurveRow, Tick, WholeBlock

_SIDE = 4.0  # percent left free beside the first and the last threshold
_CLEAR = 0.05  # adjusted p up to which a threshold is worth a look


def whole(test: BankTest | None) -> WholeBlock | None:
    """Lay out the test of a bank as a whole; None where there is none."""
    if test is None:
        return None
    return WholeBlock(
        test=test,
        before=_line([point.before for point in test.curve], test.briefs),
        after=_line([point.after for point in test.curve], test.briefs),
        rows=tuple(_row(point) for point in test.curve),
        ticks=tuple(
            Tick(x=_x(i, len(test.curve)), label=f"{100 * point.at:.0f}")
            for i, point in enumerate(test.curve)
        ),
    )


def _row(point: CurvePoint) -> CurveRow:
    if point.adjusted_p > _CLEAR:
        return CurveRow(point=point, side="unclear")
    better = point.gained > point.lost
    return CurveRow(point=point, side="better" if better else "worse")


def _line(reached: Sequence[int], briefs: int) -> tuple[tuple[float, float], ...]:
    return tuple(
        (_x(i, len(reached)), round(100 - 100 * count / briefs, 2))
        for i, count in enumerate(reached)
    )


def _x(place: int, places: int) -> float:
    width = 100 - 2 * _SIDE
    return round(_SIDE + width * place / max(places - 1, 1), 2)
