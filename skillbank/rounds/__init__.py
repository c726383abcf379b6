"""The steps of a round as pure functions; `tasks/` gives each its tables.

The same functions are chained in memory by benchmarks, so that what is measured there
is what runs in production.
"""
