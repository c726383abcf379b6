"""The language of a card's arguments: small expressions over what the host supplies.

`0.08*W`, `brief.headline`, `contrast_of(board)` and `below(headline, kit.margin)` are
read by `ast` and compiled to closures over a whitelist: numbers, texts, names, one
level of attributes, arithmetic and the calls that the scope offers. Nothing is ever
evaluated as Python, and nothing raises: what cannot be worked out is a `Failure`.

Knows nothing about drawing: names, groups and functions come with the scope.
"""

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

Value = object
"""A number, a text, a truth value, or something of the scope's own (an element)."""

MAX_CHARACTERS = 240
MAX_NODES = 60
MAX_DEPTH = 10
_LARGEST = 1e6  # far beyond any board; stops numbers from running away


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an expression has no value."""

    why: str


class ExpressionError(Exception):
    """Raised inside an evaluation by a scope; `evaluate` turns it into a `Failure`."""


class Scope(Protocol):
    """What names mean while one expression is worked out."""

    def name(self, name: str) -> Value:
        """The value of a bare name.

        Raises:
            ExpressionError: If there is no such name.
        """
        ...

    def member(self, group: str, name: str) -> Value:
        """The value of `group.name`.

        Raises:
            ExpressionError: If there is no such group or member.
        """
        ...

    @property
    def functions(self) -> Mapping[str, Callable[..., Value]]:
        """Functions by name; they raise `ExpressionError` on arguments they refuse."""
        ...


_Closure = Callable[[Scope], Value]


def evaluate(text: str, scope: Scope) -> Value:
    """The value of an expression in a scope, or a `Failure`; never raises."""
    compiled = _compiled(text)
    if isinstance(compiled, Failure):
        return compiled
    try:
        return compiled(scope)
    except ExpressionError as error:
        return Failure(str(error))


def problem(text: str) -> str:
    """What is wrong with an expression before any scope is known; empty: nothing."""
    compiled = _compiled(text)
    return compiled.why if isinstance(compiled, Failure) else ""


@lru_cache(maxsize=16384)
def _compiled(text: str) -> _Closure | Failure:
    if len(text) > MAX_CHARACTERS:
        return Failure(f"longer than {MAX_CHARACTERS} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return Failure(f"not an expression: {text[:40]!r}")
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        return Failure(f"more than {MAX_NODES} parts")
    try:
        return _build(tree.body, 0)
    except ExpressionError as error:
        return Failure(str(error))


def _build(node: ast.expr, depth: int) -> _Closure:
    if depth > MAX_DEPTH:
        raise ExpressionError(f"nested deeper than {MAX_DEPTH}")
    builder = _BUILDERS.get(type(node))
    if builder is None:
        raise ExpressionError(f"{type(node).__name__} is not allowed")
    return builder(node, depth + 1)


def _constant(node: ast.expr, depth: int) -> _Closure:
    assert isinstance(node, ast.Constant)
    value = node.value
    if isinstance(value, bool | str):
        return lambda scope: value
    if isinstance(value, int | float):
        number = _bounded(value)
        return lambda scope: number
    raise ExpressionError(f"{type(value).__name__} is not allowed")


def _name(node: ast.expr, depth: int) -> _Closure:
    assert isinstance(node, ast.Name)
    name = node.id
    return lambda scope: scope.name(name)


def _attribute(node: ast.expr, depth: int) -> _Closure:
    assert isinstance(node, ast.Attribute)
    if not isinstance(node.value, ast.Name):
        raise ExpressionError("only group.name is allowed")
    group, name = node.value.id, node.attr
    return lambda scope: scope.member(group, name)


def _negation(node: ast.expr, depth: int) -> _Closure:
    assert isinstance(node, ast.UnaryOp)
    if not isinstance(node.op, ast.USub):
        raise ExpressionError(f"{type(node.op).__name__} is not allowed")
    inner = _build(node.operand, depth)
    return lambda scope: -_number(inner(scope))


def _arithmetic(node: ast.expr, depth: int) -> _Closure:
    assert isinstance(node, ast.BinOp)
    operator = _OPERATORS.get(type(node.op))
    if operator is None:
        raise ExpressionError(f"{type(node.op).__name__} is not allowed")
    left, right = _build(node.left, depth), _build(node.right, depth)
    return lambda scope: _bounded(operator(_number(left(scope)), _number(right(scope))))


def _application(node: ast.expr, depth: int) -> _Closure:
    assert isinstance(node, ast.Call)
    if not isinstance(node.func, ast.Name) or node.keywords:
        raise ExpressionError("only name(value, ...) is allowed")
    name = node.func.id
    arguments = tuple(_build(argument, depth) for argument in node.args)

    def run(scope: Scope) -> Value:
        function = scope.functions.get(name)
        if function is None:
            raise ExpressionError(f"no function {name[:40]!r}")
        return function(*[argument(scope) for argument in arguments])

    return run


def _divide(left: float, right: float) -> float:
    if right == 0:
        raise ExpressionError("division by zero")
    return left / right


def _number(value: Value) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    raise ExpressionError(f"a number is needed, not {type(value).__name__}")


def _bounded(value: float) -> float:
    if abs(value) > _LARGEST or not math.isfinite(value):
        raise ExpressionError("the number is too large")
    return float(value)


_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: _divide,
}
_BUILDERS: Mapping[type[ast.expr], Callable[[ast.expr, int], _Closure]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.UnaryOp: _negation,
    ast.BinOp: _arithmetic,
    ast.Call: _application,
}
