"""What a section of params.yaml is made of, and the numbers that it may hold."""

from fractions import Fraction
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

_MOST = 2**31 - 1  # of anything that is counted: larger is a slip of the keyboard
Rate = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0, le=_MOST)]
Positive = Annotated[int, Field(ge=1, le=_MOST)]


def _fraction(value: object) -> object:
    """Read 0.1 as 1/10: the band is compared in integers."""
    return str(value) if isinstance(value, int | float) else value


Band = Annotated[Fraction, BeforeValidator(_fraction)]
Level = Annotated[Fraction, BeforeValidator(_fraction), Field(ge=0, lt=1)]
Limit = Annotated[Fraction, BeforeValidator(_fraction), Field(ge=0)]
Mean = Annotated[Fraction, BeforeValidator(_fraction), Field(ge=1, le=_MOST)]


class Section(BaseModel):
    """One section of params.yaml: unknown keys are errors, values never change."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        use_attribute_docstrings=True,
        strict=False,
        allow_inf_nan=False,
    )
