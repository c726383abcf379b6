"""Verifiers of text and type: what it says, whether it fits, how large it is."""

from studio.canvas import Element
from studio.look import Look, overlap
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
    texts_of,
    verdict,
)

_HIDDEN = 0.5  # share covered from which a text counts as not shown


def exists(look: Look, args: Args) -> Seen:
    """It is on the board and has extent."""
    parts = parts_of(look, args["role"])
    box = look.around(parts)
    return Seen(
        "met",
        f"{args['role']} is {box[2] - box[0]:.0f} x {box[3] - box[1]:.0f} px",
        by(*(part.maker for part in parts)),
    )


def text_present(look: Look, args: Args) -> Seen:
    """It says the words, whatever their case, and can be seen; partly: 60% of them."""
    parts = parts_of(look, args["role"])
    makers = by(*(part.maker for part in parts))
    wanted = _plain(args["text"])
    found = _plain(" ".join(part.text for part in parts))
    for part in parts:
        share, cover = look.hidden(part)
        if cover is not None and share > _HIDDEN:
            why = f"{part.role} is {share:.0%} hidden by {cover.role}"
            return Seen("not", why, later(part, cover))
        if not overlap(look.ink(part), (0, 0, look.board.width, look.board.height)):
            return Seen("not", f"{part.role} lies off the board", by(part.placer))
    if wanted in found:
        return Seen("met", f"{args['role']} says {args['text']!r}", makers)
    words = wanted.split()
    share = sum(word in found.split() for word in words) / max(1, len(words))
    why = f"{args['role']} says {found[:60]!r}: {share:.0%} of the words"
    return Seen("partly" if share >= 0.6 else "not", why, makers)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def no_overflow(look: Look, args: Args) -> Seen:
    """The text fits its box, and the box the board; partly: over by less than 5%."""
    return each(look, args, _overflow, lambda part: part.kind == "text")


def _overflow(look: Look, part: Element) -> Seen:
    board = look.board
    left, top, right, bottom = part.text_box()
    wide = max(right - left - (part.w - 2 * part.pad), -left, right - board.width)
    tall = max(bottom - top - part.h, -top, bottom - board.height)
    over = max(wide / (part.w or 1), tall / (part.h or 1))
    outcome = verdict(over <= 0.002, over <= 0.05)
    why = (
        f"{part.role}: text {right - left:.0f} x {bottom - top:.0f} px"
        f" in a box of {part.w:.0f} x {part.h:.0f}, over by {max(0.0, over):.0%}"
    )
    return Seen(outcome, why, by(part.placer, part.maker))


def _height(look: Look, parts: list[Element]) -> tuple[float, str]:
    """Type size of the largest text, else the height seen; share of the board's."""
    texts = [part.size for part in parts if part.kind == "text"]
    if texts:
        return max(texts) / look.board.height, "type"
    box = look.around(parts)
    return (box[3] - box[1]) / look.board.height, "height"


def min_size(look: Look, args: Args) -> Seen:
    """Type size, or height, of at least a share of the board's height."""
    parts = parts_of(look, args["role"])
    seen, noun = _height(look, parts)
    why = f"{args['role']}: {noun} {seen:.3f} of the height, wanted {args['share']:.3f}"
    return Seen(at_least(seen, args["share"], 0.85), why, by(parts[0].placer))


def max_size(look: Look, args: Args) -> Seen:
    """Type size, or height, of at most a share of the board's height."""
    parts = parts_of(look, args["role"])
    seen, noun = _height(look, parts)
    why = (
        f"{args['role']}: {noun} {seen:.3f} of the height, at most {args['share']:.3f}"
    )
    return Seen(at_most(seen, args["share"], 1.15), why, by(parts[0].placer))


def hierarchy(look: Look, args: Args) -> Seen:
    """Type of one over type of the other, at least."""
    big, small = parts_of(look, args["big"]), parts_of(look, args["small"])
    one, other = _height(look, big)[0], _height(look, small)[0]
    ratio = one / other if other else 99.0
    why = (
        f"{args['big']} is {ratio:.2f} times {args['small']}, wanted {args['ratio']:g}"
    )
    outcome = at_least(ratio, args["ratio"], 0.85)
    return Seen(outcome, why, pair(outcome, big[0], small[0]))


def item_count(look: Look, args: Args) -> Seen:
    """Number of list items or parts; partly: off by one."""
    parts = parts_of(look, args["role"])
    if len(parts) == 1:
        seen = len([item for item in parts[0].text.split("\n") if item.strip()])
    else:
        seen = len(parts)
    off = abs(seen - int(args["n"]))
    why = f"{args['role']} has {seen} items, wanted {args['n']}"
    return Seen(verdict(off == 0, off == 1), why, by(*(p.maker for p in parts)))


def legible(look: Look, args: Args) -> Seen:
    """Type of so many px in the export and contrast of 4.5; partly: one of them."""
    texts = texts_of(look, args["role"])
    smallest = min(texts, key=lambda part: part.size)
    size = smallest.size * (look.board.export_scale or 1)
    ratio, back = look.contrast(smallest)
    share, cover = look.hidden(smallest)
    if cover is not None and share > _HIDDEN:
        why = f"{smallest.role} is {share:.0%} hidden by {cover.role}"
        return Seen("not", why, later(smallest, cover))
    large, clear = size >= args["px"] - 0.01, ratio >= 4.5
    why = (
        f"{smallest.role}: {size:.1f} px (wanted {args['px']:g}), contrast {ratio:.2f}"
    )
    blame = by(smallest.placer, smallest.styler, back.subtask if not clear else "")
    near = large or (clear and size >= 0.75 * args["px"])
    return Seen(verdict(large and clear, near), why, blame)


def line_length(look: Look, args: Args) -> Seen:
    """Characters in the longest line, at most."""
    texts = texts_of(look, args["role"])
    lengths = [len(line.text) for part in texts for line in part.lines()]
    longest = max(lengths, default=0)
    why = (
        f"longest line of {args['role']}: {longest} characters, at most {args['most']}"
    )
    outcome = at_most(longest, args["most"], 1.2)
    return Seen(outcome, why, by(*(part.placer for part in texts)))


def bold(look: Look, args: Args) -> Seen:
    """Its type is bold; partly: some of its parts."""
    texts = texts_of(look, args["role"])
    heavy = sum(part.weight == "bold" for part in texts)
    why = f"{heavy} of {len(texts)} parts of {args['role']} are bold"
    return Seen(
        verdict(heavy == len(texts), heavy > 0), why, by(*(p.styler for p in texts))
    )


def leading(look: Look, args: Args) -> Seen:
    """Line height over type size lies in a range; partly: within 0.1 of it."""
    texts = texts_of(look, args["role"])
    low, high = args["low"], args["high"]
    off = max(max(low - part.leading, part.leading - high, 0.0) for part in texts)
    why = f"{args['role']}: leading {texts[0].leading:g}, wanted {low:g} to {high:g}"
    return Seen(verdict(off <= 1e-9, off <= 0.1), why, by(*(p.placer for p in texts)))


def kit_font(look: Look, args: Args) -> Seen:
    """In the kit's family."""
    return each(look, args, _family, lambda part: part.kind == "text")


def _family(look: Look, part: Element) -> Seen:
    family = look.board.kit.font
    why = f"{part.role} is set in {part.font}, the kit's is {family}"
    return Seen(verdict(part.font == family, False), why, by(part.styler))
