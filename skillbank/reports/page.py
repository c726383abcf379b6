"""The page of a round: one file, no script, nothing from anywhere else."""

import base64
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined

from skillbank.reports import numbers
from skillbank.reports.view import ReportView

T = TypeVar("T")


def render(view: ReportView) -> str:
    """The page, the same bytes for the same view.

    Every text of a view is escaped: what traffic, models and skills say is data.
    """
    page: str = environment().get_template("report.html.j2").render(view=view)
    return page


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates of this folder, escaping, with the filters that numbers need."""
    made = Environment(
        loader=PackageLoader("skillbank.reports", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    plain: dict[str, Callable[[float], str]] = {
        "points": numbers.points,
        "gained": numbers.gained,
        "percent": numbers.percent,
        "decimal": numbers.decimal,
        "p_value": numbers.p_value,
    }
    made.filters.update({name: _typeset(print_) for name, print_ in plain.items()})
    made.filters["between"] = _typeset(lambda row: numbers.between(row.low, row.high))
    made.filters["counted"] = numbers.counted
    made.filters["data_uri"] = _data_uri
    return made


def _typeset(plain: Callable[[T], str]) -> Callable[[T], str]:
    return lambda value: numbers.typeset(plain(value))


def _data_uri(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")
