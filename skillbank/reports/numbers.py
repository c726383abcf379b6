"""Rates as people read them: in points, with explicit signs."""

MISSING = "\u2013"
"""An en dash: what is printed where there is no number; never a zero."""
_MINUS = "\u2212"


def typeset(text: str) -> str:
    """Numbers with a real minus, which is as wide as a plus."""
    return text.replace("-", _MINUS)


def points(rate: float | None) -> str:
    """A rate in [0, 1] in percentage points: 0.6123 is `61.2`."""
    return MISSING if rate is None else _fixed(100 * rate, signed=False)


def gained(difference: float | None) -> str:
    """A difference in [-1, 1] in percentage points: 0.0512 is `+5.1`, none is `0.0`."""
    return MISSING if difference is None else _fixed(100 * difference, signed=True)


def between(low: float, high: float) -> str:
    """The ends of an interval of differences: `[-1.2, +8.4]`."""
    return f"[{gained(low)}, {gained(high)}]"


def percent(rate: float | None) -> str:
    """A rate in [0, 1] as whole percent, one digit more below ten: `13%`, `4.9%`."""
    if rate is None:
        return MISSING
    value = 100 * rate
    return f"{value:.1f}%" if 0 < value < 9.95 else f"{value:.0f}%"


def decimal(value: float | None) -> str:
    """A number with two digits: `0.62`."""
    return MISSING if value is None else f"{value:.2f}"


def signed(count: int) -> str:
    """A change of a count: `+2`, `-1`, `0`."""
    return f"{count:+d}" if count else "0"


def p_value(p: float | None) -> str:
    """A p value, bounded below: `0.034`, `< 0.001`."""
    if p is None:
        return MISSING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def counted(n: int, one: str, many: str = "") -> str:
    """A count with its noun: `1 skill`, `3 skills`, `no skills`."""
    noun = one if n == 1 else many or f"{one}s"
    return f"{n or 'no'} {noun}"


def _fixed(value: float, *, signed: bool) -> str:
    rounded = round(value, 1)
    if rounded == 0:
        return "0.0"
    return f"{rounded:+.1f}" if signed else f"{rounded:.1f}"
