"""The certified rule over thousands of simulated proposals at once.

Decides each as `Trial` does when it is asked for one context at a time and nothing is
void; a test holds the two to the same verdicts and the same number of contexts.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from skillbank.gate.evalues import e_value
from skillbank.gate.limits import HARM, Limits
from skillbank.gate.neighbours import CONTEXTS
from skillbank.gate.noise import Bools, Outcomes

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """Proposals that are alike in everything but chance."""

    held_out: Outcomes
    """Shape (proposals, cases, contexts): rounds and guard of each case."""
    origin: Outcomes
    """The same of the cases of the screen; no cases where there is none."""
    neighbours: Outcomes
    """The same of the neighbours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What became of each proposal."""

    ships: Bools
    contexts: Ints
    """Contexts that it took."""


def play(limits: Limits, world: Simulated) -> Played:
    """Decide each proposal."""
    n = len(world.held_out)
    ships, spent = np.ones(n, np.bool_), np.zeros(n, np.int64)
    origin_done = np.zeros(world.origin.shape[:2], np.int64)
    if limits.screen:
        passed, last = _screen(limits, world.origin)
        origin_done = _asked(world.origin.shape[1], last)
        spent += last
        ships &= passed
    passed, last = _gain(limits, world.held_out)
    spent += np.where(ships, last, 0)
    ships &= passed
    cases = np.concatenate(
        [_long(world.origin, world), _long(world.held_out, world)], 1
    )
    done = np.concatenate([origin_done, _asked(world.held_out.shape[1], last)], 1)
    has = np.repeat(
        [world.origin.shape[2], world.held_out.shape[2]],
        [world.origin.shape[1], world.held_out.shape[1]],
    )
    live = np.flatnonzero(ships)
    passed, more = _guard(limits, cases[live], done[live], has)
    ships[live] = passed
    spent[live] += more
    if world.neighbours.shape[1]:
        live = np.flatnonzero(ships)
        passed, last = unharmed(limits, world.neighbours[live])
        ships[live] = passed
        spent[live] += last
    return Played(ships=ships, contexts=spent)


def _long(outcomes: Outcomes, world: Simulated) -> Outcomes:
    longest = max(world.origin.shape[2], world.held_out.shape[2])
    missing = longest - outcomes.shape[2]
    return np.pad(outcomes, ((0, 0), (0, 0), (0, missing)))


def _in_turn(outcomes: Outcomes, rounds: int, total: int | None = None) -> Outcomes:
    """Contexts in rounds over the cases, shape (proposals, contexts)."""
    some = outcomes[:, :, :rounds].transpose(0, 2, 1)
    return some.reshape(len(some), some.shape[1] * some.shape[2])[:, :total]


def _asked(cases: int, last: Ints) -> Ints:
    """Contexts of each case after that many in rounds."""
    whole, rest = last // cases, last % cases
    return whole[:, None] + (np.arange(cases) < rest[:, None])


def _first(stop: Bools) -> Ints:
    """Contexts until the first stop; each proposal has one."""
    found: Ints = stop.argmax(1).astype(np.int64)
    return found


def _screen(limits: Limits, origin: Outcomes) -> tuple[Bools, Ints]:
    turns = _in_turn(origin, limits.screen)
    net = turns.cumsum(1)
    left = np.arange(turns.shape[1] - 1, -1, -1)
    at = _first((net - left > 0) | (net + left <= 0))
    return np.take_along_axis(net - left > 0, at[:, None], 1)[:, 0], at + 1


def _gain(limits: Limits, held_out: Outcomes) -> tuple[Bools, Ints]:
    cases = held_out.shape[1]
    turns = _in_turn(held_out, limits.rounds(cases), limits.contexts(cases))
    wins, losses = (turns > 0).cumsum(1), (turns < 0).cumsum(1)
    n = turns.shape[1]
    lacking, floored = _needs(limits, n)
    hoped = np.array([limits.hoped(n - 1 - i) for i in range(n)])
    needs = lacking[wins, losses]
    at = _first((needs == 0) | floored[wins, losses] | (hoped < needs))
    return np.take_along_axis(needs == 0, at[:, None], 1)[:, 0], at + 1


@lru_cache(maxsize=32)
def _needs(limits: Limits, n: int) -> tuple[Ints, Bools]:
    """By wins and losses: further wins to the bar, and whether it is the floor."""
    gains = [limits.win**wins for wins in range(2 * n + 2)]
    wins = np.arange(n + 1)
    lacking = np.zeros((n + 1, n + 1), np.int64)
    floored = np.zeros((n + 1, n + 1), np.bool_)
    enough = most = 0
    for losses in range(n + 1):
        left = limits.loss**losses
        # more losses ask for more wins: both only ever move up
        while enough < len(gains) and gains[enough] * left < limits.bar:
            enough += 1
        while most < len(gains) and gains[most] * left <= limits.floor:
            most += 1
        lacking[:, losses] = np.clip(enough - wins, 0, n + 1)
        floored[:, losses] = wins < most
    return lacking, floored


def _guard(
    limits: Limits, cases: Outcomes, done: Ints, has: Ints
) -> tuple[Bools, Ints]:
    """Worst case first, as `Guard.choose` has it; stops at the first regress."""
    n = len(cases)
    before = np.arange(cases.shape[2]) < done[:, :, None]
    down = -np.where(before, cases, 0).sum(2).astype(np.int64)
    watched = down > 0
    left = np.where(watched, np.minimum(limits.guard, has - done), 0)
    done, spent = done.copy(), np.zeros(n, np.int64)
    far, rows = 10**6, np.arange(n)
    while rows.size:
        d, k = down[rows], left[rows]
        lost = (watched[rows] & (d - k >= limits.regress)).any(1)
        # worst, then fewest contexts free, then first: one key for argmin
        able = (k > 0) & (d + k >= limits.regress)
        free = has - done[rows]
        key = np.where(able, (-d * far + free) * cases.shape[1], far**2)
        key = key + np.arange(cases.shape[1])
        rows_on = ~lost & able.any(1)
        rows, pick = rows[rows_on], key.argmin(1)[rows_on]
        told = cases[rows, pick, done[rows, pick]]
        down[rows, pick] -= told
        left[rows, pick] -= 1
        done[rows, pick] += 1
        spent[rows] += 1
    return ~(watched & (down - left >= limits.regress)).any(1), spent


def unharmed(limits: Limits, neighbours: Outcomes) -> tuple[Bools, Ints]:
    """Which proposals the neighbour guard clears, and the contexts that it took.

    Args:
        limits: Its numbers.
        neighbours: Shape (proposals, neighbours, contexts of each).
    """
    turns = _in_turn(neighbours, CONTEXTS)
    wins, losses = (turns > 0).cumsum(1), (turns < 0).cumsum(1)
    shown, clear = _harms(limits, turns.shape[1])
    stop = shown[wins, losses] | clear[wins, losses]
    stop[:, -1] = True
    at = _first(stop)
    refused = np.take_along_axis(shown[wins, losses], at[:, None], 1)[:, 0]
    return ~refused, at + 1


@lru_cache(maxsize=32)
def _harms(limits: Limits, n: int) -> tuple[Bools, Bools]:
    """By wins and losses: whether harm is shown, and whether it is out of sight."""
    values = [
        [e_value(losses, wins, HARM) for losses in range(n + 1)]
        for wins in range(n + 1)
    ]
    shown = np.array([[value >= limits.harm_bar for value in row] for row in values])
    clear = np.array([[value <= limits.harm_floor for value in row] for row in values])
    return shown, clear
