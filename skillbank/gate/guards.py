"""What refuses a change although its votes would ship it, as it stands in a plan.

Only numbers: how they are weighed is `strata.py`'s and `ceilings.py`'s business.
"""

from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Literal

from skillbank.errors import GateError
from skillbank.gate_params import GateParams

Measure = Literal["turns", "usd"]
Force = Literal["hard", "soft"]
"""hard: what is above the ceiling is refused; soft: it is told and decides nothing."""


def _is_fraction(value: object) -> bool:
    return isinstance(value, Rational)  # a float would round the comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """How much more a change may cost; over all contexts in which both arms tell.

    Raises:
        GateError: If it limits nothing, or a limit is not above 0.
    """

    what: Measure
    force: Force = "soft"
    ratio: Fraction | None = None
    """The candidate's total over the current bank's at most; None: no such limit."""
    most: Fraction | None = None
    """The candidate's mean of an attempt at most; None: no such limit."""

    def __post_init__(self) -> None:
        """Refuse a ceiling that is none."""
        given = [limit for limit in (self.ratio, self.most) if limit is not None]
        if not given or not all(_is_fraction(limit) and limit > 0 for limit in given):
            raise GateError(
                f"gate.constraints.{self.what}",
                seen=f"ratio {self.ratio}, most {self.most}",
                expected="at least one of them, above 0",
                remedy=f"set gate.constraints.{self.what} to off, or give it a limit",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Guards:
    """What is asked of a change beside its votes.

    Raises:
        GateError: If noise alone would refuse everything or nothing is a stratum.
    """

    level: Fraction = Fraction(1, 20)
    """Chance that noise alone refuses a no-op through its strata; 0: none is judged."""
    least: int = 6
    """Planned contexts below which a stratum is not judged."""
    ceilings: tuple[Ceiling, ...] = ()
    forbidden_tools: tuple[str, ...] = ()
    """Names of tools whose use counts as a forbidden action."""

    def __post_init__(self) -> None:
        """Refuse numbers with which a guard is no guard."""
        level = _is_fraction(self.level) and 0 <= self.level < 1
        if not level or type(self.least) is not int or self.least < 1:
            raise GateError(
                "gate.constraints.strata",
                seen=f"level {self.level}, at least {self.least} contexts",
                expected="a level in [0, 1) and at least one context",
                remedy="change gate.constraints.strata in params.yaml, such as 0.05",
            )

    @classmethod
    def of(cls, params: GateParams) -> "Guards":
        """The guards that params.yaml configures."""
        given = params.constraints
        asked = (
            ("turns", given.turns, given.turns_ratio, given.turns_most),
            ("usd", given.usd, given.usd_ratio, given.usd_most),
        )
        return cls(
            level=given.strata,
            least=given.strata_contexts,
            ceilings=tuple(
                Ceiling(
                    what=what,  # type: ignore[arg-type]  # one of the two above
                    force=force,
                    ratio=ratio or None,
                    most=most or None,
                )
                for what, force, ratio, most in asked
                if force != "off"
            ),
            forbidden_tools=params.forbidden_tools,
        )
