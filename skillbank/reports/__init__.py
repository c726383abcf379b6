"""The report of a round that a person can read: one page, and nothing but the page.

`view_of` makes a value of a round's tables, `render` makes the page of the value.
"""

from skillbank.reports.build import Material, view_of
from skillbank.reports.page import render
from skillbank.reports.view import ReportView

__all__ = ["Material", "ReportView", "render", "view_of"]
