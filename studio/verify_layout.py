"""Verifiers of layout: margins, overlap, alignment, order, space and balance."""

from studio.canvas import Box, Element
from studio.look import Look, area, overlap
from studio.seen import (
    Args,
    Seen,
    at_least,
    at_most,
    by,
    each,
    later,
    pair,
    parts_of,
    verdict,
)

_TOUCH = 0.02  # share of the smaller element that may overlap
_TRUE = 0.006  # of the shorter side: edges that agree
_ROUGH = 0.02  # of the shorter side: edges that nearly agree


def safe_margin(look: Look, args: Args) -> Seen:
    """It keeps a share of the shorter side free all round; partly: half of it."""

    def check(look: Look, part: Element) -> Seen:
        board = look.board
        left, top, right, bottom = look.ink(part)
        room = min(left, top, board.width - right, board.height - bottom)
        seen = room / board.short
        why = (
            f"{part.role} keeps {seen:.3f} of the shorter side, wanted {args['share']}"
        )
        outcome = verdict(seen >= args["share"] - 2e-3, seen >= args["share"] / 2)
        return Seen(outcome, why, by(part.placer))

    return each(look, args, check)


def no_overlap(look: Look, args: Args) -> Seen:
    """It overlaps no other content or kit element; partly: by less than 10%."""
    return each(look, args, _worst_overlap)


def _worst_overlap(look: Look, part: Element) -> Seen:
    mine = look.ink(part)
    group = part.role.partition(".")[0]
    most, worst = 0.0, None
    for other in look.content:
        if other is part or other.role.partition(".")[0] == group:
            continue
        theirs = look.ink(other)
        shared = overlap(mine, theirs)
        if shared:
            share = shared / max(1.0, min(area(mine), area(theirs)))
            if share > most:
                most, worst = share, other
    if worst is None or most <= _TOUCH:
        return Seen("met", f"{part.role} is clear of the others", by(part.placer))
    why = f"{part.role} and {worst.role} share {most:.0%} of the smaller one"
    return Seen(verdict(False, most <= 0.1), why, later(part, worst))


def aligned(look: Look, args: Args) -> Seen:
    """Edges or centres agree to 0.6% of the shorter side; partly: to 2%."""
    board = look.board
    parts = parts_of(look, args["role"])
    margin = board.kit.margin * board.short
    edge, other = args["edge"], args["other"]
    frame: Box = (margin, margin, board.width - margin, board.height - margin)
    neighbour = parts[0]
    if other:
        others = parts_of(look, other)
        frame = look.around(others)
        neighbour = others[0]
    off = abs(_line(look.around(parts), edge) - _line(frame, edge))
    whom = other or "the board"
    why = f"{args['role']} and {whom} differ by {off:.1f} px at the {edge}"
    share = off / board.short
    outcome = verdict(share <= _TRUE, share <= _ROUGH)
    return Seen(outcome, why, pair(outcome, parts[0], neighbour))


def _line(box: Box, edge: str) -> float:
    match edge:
        case "left":
            return box[0]
        case "top":
            return box[1]
        case "right":
            return box[2]
        case "bottom":
            return box[3]
        case "centre":
            return (box[0] + box[2]) / 2
        case _:
            return (box[1] + box[3]) / 2


def spacing(look: Look, args: Args) -> Seen:
    """Gap to the neighbours above and below of at least a share of the height."""
    parts = parts_of(look, args["role"])
    mine = look.around(parts)
    nearest, neighbour = look.board.height * 1.0, None
    for other in look.content:
        if any(other is part for part in parts):
            continue
        box = look.ink(other)
        if min(mine[2], box[2]) <= max(mine[0], box[0]):
            continue
        gap = max(box[1] - mine[3], mine[1] - box[3])
        if gap < nearest:
            nearest, neighbour = gap, other
    if neighbour is None:
        why = f"{args['role']} has no neighbour above or below"
        return Seen("met", why, by(parts[0].placer))
    seen = nearest / look.board.height
    why = (
        f"{args['role']} is {nearest:.0f} px ({seen:.3f} of the height) from"
        f" {neighbour.role}, wanted {args['share']:.3f}"
    )
    outcome = at_least(seen, args["share"], 0.6)
    return Seen(outcome, why, pair(outcome, parts[0], neighbour))


def order(look: Look, args: Args) -> Seen:
    """One lies above the other; partly: it only begins above."""
    first, second = parts_of(look, args["first"]), parts_of(look, args["second"])
    one, other = look.around(first), look.around(second)
    why = (
        f"{args['first']} from {one[1]:.0f} to {one[3]:.0f} px,"
        f" {args['second']} from {other[1]:.0f}"
    )
    outcome = verdict(one[3] <= other[1] + 1, one[1] < other[1])
    return Seen(outcome, why, pair(outcome, first[0], second[0]))


def near(look: Look, args: Args) -> Seen:
    """The gap between two is at most a share of the board's height."""
    parts, others = parts_of(look, args["role"]), parts_of(look, args["other"])
    one, other = look.around(parts), look.around(others)
    across = max(0.0, other[0] - one[2], one[0] - other[2])
    down = max(0.0, other[1] - one[3], one[1] - other[3])
    seen = max(across, down) / look.board.height
    why = f"{args['role']} is {seen:.3f} of the height from {args['other']}"
    outcome = at_most(seen, args["share"], 1.5)
    return Seen(
        outcome,
        f"{why}, at most {args['share']:.3f}",
        pair(outcome, parts[0], others[0]),
    )


def coverage(look: Look, args: Args) -> Seen:
    """Share of the board that has content on it; partly: within 0.08 of the range."""
    share = float(look.ink_cells().mean())
    low, high = args["low"], args["high"]
    off = max(low - share, share - high, 0.0)
    why = f"content covers {share:.0%} of the board, wanted {low:.0%} to {high:.0%}"
    seen = by(*(part.placer for part in look.content))
    if share > high and look.content:
        largest = max(look.content, key=lambda part: area(look.ink(part)))
        seen = by(largest.placer)
    return Seen(verdict(off <= 1e-9, off <= 0.08), why, seen)


def balanced(look: Look, args: Args) -> Seen:
    """The centre of the ink lies within a share of the board's sides of its middle."""
    boxes = [(look.ink(part), part) for part in look.content]
    total = sum(area(box) for box, _ in boxes)
    if not total:
        return Seen("not", "the board has no content", ())
    board = look.board
    x = sum(area(box) * (box[0] + box[2]) / 2 for box, _ in boxes) / total
    y = sum(area(box) * (box[1] + box[3]) / 2 for box, _ in boxes) / total
    off = max(abs(x / board.width - 0.5), abs(y / board.height - 0.5))
    why = f"the centre of the ink is off by {off:.2f}, at most {args['share']:.2f}"
    largest = max(boxes, key=lambda pair: area(pair[0]))[1]
    outcome = at_most(off, args["share"], 1.3)
    everyone = by(*(part.placer for _, part in boxes))
    return Seen(outcome, why, everyone if outcome == "met" else by(largest.placer))


def uncluttered(look: Look, args: Args) -> Seen:
    """Number of content elements, at most; partly: up to two more."""
    n = len(look.content)
    why = f"{n} elements, at most {args['most']}"
    newest = max(look.content, key=lambda part: part.turn, default=None)
    seen = by(*(part.maker for part in look.content))
    if n > args["most"] and newest is not None:
        seen = by(newest.maker)
    return Seen(verdict(n <= args["most"], n <= args["most"] + 2), why, seen)
