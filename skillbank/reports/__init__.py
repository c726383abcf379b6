"""The report of a round that a person can read: one page, and nothing but the page.

`build.view_of` makes a value of a round's tables, `page.render` makes the page of the
value.
"""
