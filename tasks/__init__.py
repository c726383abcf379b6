"""One step, one file: read a table, call one pure function, write a table."""

from tasks.environment import apply

apply()
