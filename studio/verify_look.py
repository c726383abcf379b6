"""Verifiers of colour and pictures: contrast, palette, proportions, resolution."""

from studio.assets import asset
from studio.canvas import Element
from studio.colour import distance
from studio.look import Look, area, painted, source
from studio.seen import Args, Seen, at_least, by, each, parts_of, verdict

_SAME = 2.0  # delta E: two colours that pass for one
_CLOSE = 10.0  # delta E: partly


def contrast(look: Look, args: Args) -> Seen:
    """WCAG contrast with what lies behind, at the worst point; partly from 0.75."""

    def check(look: Look, part: Element) -> Seen:
        ratio, back = look.contrast(part)
        share, cover = look.hidden(part)
        if cover is not None and share > 0.5:
            why = f"{part.role} is {share:.0%} hidden by {cover.role}"
            later = part if part.placed >= cover.placed else cover
            return Seen("not", why, by(later.placer))
        outcome = at_least(ratio, args["ratio"], 0.75)
        why = (
            f"{part.role}: {part.colour or part.fill} on {back.colours[0]}"
            f" is {ratio:.2f}:1 at worst, wanted {args['ratio']:g}"
        )
        if outcome == "met":
            return Seen(outcome, why, by(part.styler, back.subtask))
        blame = back.subtask if back.turn > part.turn else part.subtask
        return Seen(outcome, why, by(blame))

    return each(look, args, check, lambda part: part.kind == "text")


def palette(look: Look, args: Args) -> Seen:
    """Only colours of the kit, to a just noticeable difference; partly: near ones."""

    def check(look: Look, part: Element) -> Seen:
        used = [c for c in (part.fill, part.fill_end, part.colour) if c]
        own = look.board.kit.palette.values()
        far, worst = max(
            (min(_apart(colour, each) for each in own), colour) for colour in used
        )
        why = (
            f"{part.role}: {worst} is {far:.1f} (delta E) from the kit's nearest colour"
        )
        return Seen(verdict(far <= _SAME, far <= _CLOSE), why, by(part.styler))

    return each(look, args, check, lambda part: part.kind != "image")


def _apart(one: str, other: str) -> float:
    return 0.0 if one == other else distance(one, other)


def image_undistorted(look: Look, args: Args) -> Seen:
    """The proportions of a picture are kept within 3%; partly within 10%."""
    return each(look, args, _distortion, lambda part: part.kind == "image")


def _distortion(look: Look, part: Element) -> Seen:
    own, seen = asset(part.asset).ratio, part.w / part.h
    off = max(own / seen, seen / own) - 1 if part.fit == "stretch" else 0.0
    why = (
        f"{part.role}: {part.fit}, picture {own:.2f}:1 in a box of {seen:.2f}:1,"
        f" distorted by {off:.0%}"
    )
    return Seen(verdict(off <= 0.03, off <= 0.1), why, by(part.placer, part.styler))


def image_sharp(look: Look, args: Args) -> Seen:
    """The picture's px suffice for the export; partly from 0.7 px for each px."""
    return each(look, args, _sharpness, lambda part: part.kind == "image")


def _sharpness(look: Look, part: Element) -> Seen:
    box, shown = painted(part), source(part)
    scale = look.board.export_scale or 1
    have = asset(part.asset).width * (shown[2] - shown[0])
    need = (box[2] - box[0]) * scale
    ratio = have / need if need else 99.0
    why = f"{part.role}: {have:.0f} px of {part.asset} for {need:.0f} px: {ratio:.2f}"
    return Seen(at_least(ratio, 1.0, 0.7), why, by(part.maker, part.placer))


def in_kit(look: Look, args: Args) -> Seen:
    """Only assets of the kit."""
    return each(look, args, _own_asset, lambda part: part.kind == "image")


def _own_asset(look: Look, part: Element) -> Seen:
    own = part.asset in look.board.kit.assets or part.asset.startswith("qr:")
    why = f"{part.role} shows {part.asset}, {'of' if own else 'outside'} the kit"
    return Seen(
        verdict(own or part.asset == look.board.kit.logo, False), why, by(part.maker)
    )


def prominent(look: Look, args: Args) -> Seen:
    """A share of the board's area and contrast of 3; partly: one of them, and half."""
    parts = parts_of(look, args["role"])
    share = sum(area(look.ink(part)) for part in parts)
    share /= look.board.width * look.board.height
    ratio = min(look.plate_contrast(part) for part in parts)
    large, clear = share >= args["share"] - 1e-6, ratio >= 3
    near = (large and ratio >= 1.5) or (clear and share >= args["share"] / 2)
    why = (
        f"{args['role']}: {share:.1%} of the board (wanted {args['share']:.1%}),"
        f" contrast {ratio:.2f} (wanted 3)"
    )
    blame = by(*(name for part in parts for name in (part.placer, part.styler)))
    return Seen(verdict(large and clear, near), why, blame)


def export_width(look: Look, args: Args) -> Seen:
    """The export is at least so many px wide; partly from half of it."""
    board = look.board
    why = f"the export is {board.export_width} px wide, wanted {args['px']:g}"
    if not board.export_scale:
        return Seen("not", "nothing was exported", ())
    return Seen(at_least(board.export_width, args["px"], 0.5), why, by(board.export_by))
