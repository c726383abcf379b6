"""Drawings made worse on purpose, for the judge to lose.

Whatever the agent drew is taken off, or left without contrast, until the verifiers
agree that the brief is served much worse.
"""

from collections.abc import Callable

from studio.canvas import Board, Element

_ENOUGH = 0.24  # of the score, three of the judge's standard deviations


def degraded(board: Board, score: Callable[[Board], float]) -> Board | None:
    """A copy that scores much less; None if even an empty board would not.

    What was drawn goes in steps: every other element, the contrast of the text that is
    left, then all of it.

    Args:
        board: The drawing; it is left as it is.
        score: Of a board for its brief, in [0, 1].
    """
    aim = score(board) - _ENOUGH
    for spoil in (_thinned, _washed_out, _bare):
        board = spoil(board.copy())
        if score(board) <= aim:
            return board
    return None


def _thinned(board: Board) -> Board:
    for element in _drawn(board)[::2]:
        board.lose(element, element.maker, "degraded")
    return board


def _washed_out(board: Board) -> Board:
    for element in _drawn(board):
        if element.kind == "text":
            element.fill = element.fill_end = ""
            element.colour = board.background
        else:
            element.opacity = 0.1
    return board


def _bare(board: Board) -> Board:
    for element in _drawn(board):
        board.lose(element, element.maker, "degraded")
    return board


def _drawn(board: Board) -> list[Element]:
    """What the agent made, largest first; the host's logo and legal line stay."""
    made = [element for element in board.elements if element.maker]
    return sorted(made, key=lambda each: (-each.w * each.h, each.role))
