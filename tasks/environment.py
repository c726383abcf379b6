"""The switches of the vendors, read from `switches.env` beside this file.

The Makefile and .ci/run read the same file, so there is one list. It is applied when
`tasks` is imported, that is before any vendor is: they read their settings on import.
"""

import os
from collections.abc import MutableMapping
from pathlib import Path

SWITCHES = Path(__file__).with_name("switches.env")
_OF_ANOTHER = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
)
"""Set by git for its hooks: they would turn every call to the repository of those."""


def switches() -> dict[str, str]:
    """Name and value of every switch, in the order of the file."""
    lines = SWITCHES.read_text(encoding="utf-8").splitlines()
    pairs = (line.split("=", 1) for line in lines if line and not line.startswith("#"))
    return {name: value for name, value in pairs}


def apply(environment: MutableMapping[str, str] = os.environ) -> None:
    """Set every switch that is not set yet, and let a folder say which git it is of.

    What the user set of the switches stays.
    """
    for name in _OF_ANOTHER:
        environment.pop(name, None)
    for name, value in switches().items():
        environment.setdefault(name, value)
