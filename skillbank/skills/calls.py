"""One tool call as a skill writes it: `place_text(role="headline", x=0.08*W)`.

A line is read with Python's own parser and never run: arguments stay expressions, and
what they may say is up to the host that evaluates them.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from skillbank.errors import SkillError

_LONGEST = 2000  # characters of a line: a longer one is no call that a person wrote


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool and its arguments, each as the text of an expression."""

    tool: str
    arguments: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Argument name to expression, blanks and quotes in Python's own style."""

    def __str__(self) -> str:
        """The call as a line; parsing it gives an equal call."""
        inside = ", ".join(f"{key}={text}" for key, text in self.arguments.items())
        return f"{self.tool}({inside})"


@lru_cache(maxsize=65536)
def parse_call(line: str) -> Call:
    """Read one line as a tool call with keyword arguments only.

    Raises:
        SkillError: If the line is not one plain call: positional or starred arguments,
            a method, a repeated name, several statements, or no Python at all.
    """
    if len(line) > _LONGEST:
        raise _refused(line, f"{len(line)} characters")
    try:
        tree = ast.parse(line.strip(), mode="eval").body
        return _call(line, tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        seen = " ".join(str(error).split()) or "nested too deep"
        raise _refused(line, seen) from error


def _call(line: str, tree: ast.expr) -> Call:
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
        raise _refused(line, "no plain call")
    if tree.args:
        raise _refused(line, "an argument without its name")
    arguments: dict[str, str] = {}
    for keyword in tree.keywords:
        if keyword.arg is None:
            raise _refused(line, "a starred argument")
        if keyword.arg in arguments:
            raise _refused(line, f"{keyword.arg} given twice")
        arguments[keyword.arg] = ast.unparse(keyword.value)
    return Call(tool=tree.func.id, arguments=arguments)


def _refused(line: str, seen: str) -> SkillError:
    return SkillError(
        f"call {line.strip()[:120]!r}",
        seen=seen,
        expected="one call with named arguments, such as draw(x=0.1*W, text=title)",
        remedy="write one such call a line in the fenced block `calls`",
    )
