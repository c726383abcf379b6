"""Verifiers: each demand of a brief, checked on the drawing, with what was seen.

`verify(board, requirement)` looks the requirement's `kind` up in `VERIFIERS`. Shares
are of the board's height unless said otherwise. `role` may name a group (`features`
stands for `features.1`, ...); in the kinds marked * it may be "*", all content, and is
then met, or partly (two thirds or more), or not.

kind              args                     demand
exists            role                     it is on the board and has extent
text_present      role, text               it says this (case and blanks aside), visibly
contrast *        role, ratio              WCAG contrast with what lies behind, at worst
no_overflow *     role                     its text fits its box, and it the board
safe_margin *     role, share              it keeps this share of the shorter side free
min_size          role, share              type size (height, if no text) at least
max_size          role, share              type size (height, if no text) at most
hierarchy         big, small, ratio        type of one over type of the other, at least
no_overlap *      role                     with no other content or kit element
aligned           role, edge, other        edges or centres agree; other "": the board,
                                           whose left/right/top/bottom is its margin
palette *         role                     only colours of the kit
image_undistorted role                     proportions kept within 3%
image_sharp       role                     its px suffice for its size in the export
in_kit *          role                     only assets of the kit
item_count        role, n                  number of list items or parts
spacing           role, share              gap to those above and below, at least
legible           role, px                 type px of the export; contrast >= 4.5
prominent         role, share              share of the board's area; contrast >= 3
coverage          low, high                share of the board that has ink on it
line_length       role, most               characters in its longest line
order             first, second            one lies above the other
near              role, other, share       the gap between them is at most
export_width      px                       the export is at least this wide
bold              role                     its type is bold
leading           role, low, high          line height over type size
balanced          share                    centre of the ink off the board's, at most
kit_font *        role                     in the kit's family
uncluttered       most                     number of content elements
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from skillbank.briefs.brief import Check, Requirement
from skillbank.codec import Json
from skillbank.errors import WorldError
from studio import verify_layout, verify_look, verify_text
from studio.canvas import Board
from studio.look import Look
from studio.seen import Args, Missing, Seen, by


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """A kind of requirement: its arguments and how it is checked."""

    args: tuple[str, ...]
    """Names of the arguments, all needed but those with a default."""
    check: Callable[[Look, Args], Seen]
    defaults: Args = field(default_factory=dict)


_ROLE = ("role",)
_NUMBERS = frozenset({"share", "ratio", "n", "px", "low", "high", "most"})
"""Arguments that are numbers; all others are texts."""
_LARGEST = 1e9
_MOST = 200  # requirements of one brief
VERIFIERS: Mapping[str, Verifier] = {
    "exists": Verifier(args=_ROLE, check=verify_text.exists),
    "text_present": Verifier(args=("role", "text"), check=verify_text.text_present),
    "contrast": Verifier(args=("role", "ratio"), check=verify_look.contrast),
    "no_overflow": Verifier(args=_ROLE, check=verify_text.no_overflow),
    "safe_margin": Verifier(args=("role", "share"), check=verify_layout.safe_margin),
    "min_size": Verifier(args=("role", "share"), check=verify_text.min_size),
    "max_size": Verifier(args=("role", "share"), check=verify_text.max_size),
    "hierarchy": Verifier(args=("big", "small", "ratio"), check=verify_text.hierarchy),
    "no_overlap": Verifier(args=_ROLE, check=verify_layout.no_overlap),
    "aligned": Verifier(
        args=("role", "edge", "other"),
        check=verify_layout.aligned,
        defaults={"other": ""},
    ),
    "palette": Verifier(args=_ROLE, check=verify_look.palette),
    "image_undistorted": Verifier(args=_ROLE, check=verify_look.image_undistorted),
    "image_sharp": Verifier(args=_ROLE, check=verify_look.image_sharp),
    "in_kit": Verifier(args=_ROLE, check=verify_look.in_kit),
    "item_count": Verifier(args=("role", "n"), check=verify_text.item_count),
    "spacing": Verifier(args=("role", "share"), check=verify_layout.spacing),
    "legible": Verifier(args=("role", "px"), check=verify_text.legible),
    "prominent": Verifier(args=("role", "share"), check=verify_look.prominent),
    "coverage": Verifier(args=("low", "high"), check=verify_layout.coverage),
    "line_length": Verifier(args=("role", "most"), check=verify_text.line_length),
    "order": Verifier(args=("first", "second"), check=verify_layout.order),
    "near": Verifier(args=("role", "other", "share"), check=verify_layout.near),
    "export_width": Verifier(args=("px",), check=verify_look.export_width),
    "bold": Verifier(args=_ROLE, check=verify_text.bold),
    "leading": Verifier(args=("role", "low", "high"), check=verify_text.leading),
    "balanced": Verifier(args=("share",), check=verify_layout.balanced),
    "kit_font": Verifier(args=_ROLE, check=verify_text.kit_font),
    "uncluttered": Verifier(args=("most",), check=verify_layout.uncluttered),
}


def verify(board: Board | Look, requirement: Requirement) -> Check:
    """Check one requirement on a board.

    Args:
        board: The board, or a `Look` at it to share between requirements.
        requirement: Its `kind` is a key of `VERIFIERS`.

    Raises:
        WorldError: If the kind is unknown or its arguments are not those it takes.
    """
    verifier = _verifier(requirement)
    look = board if isinstance(board, Look) else Look(board)
    try:
        seen = verifier.check(look, {**verifier.defaults, **requirement.args})
    except Missing as missing:
        seen = _missing(look.board, missing.role, requirement.subtask)
    return Check(
        requirement=requirement.id,
        outcome=seen.outcome,
        why=seen.why,
        subtasks=seen.subtasks,
    )


def verify_all(board: Board, requirements: Sequence[Requirement]) -> tuple[Check, ...]:
    """One check for each requirement, in their order.

    Raises:
        WorldError: If a requirement cannot be read; `check_requirements` says when.
    """
    check_requirements(requirements)
    look = Look(board)
    return tuple(verify(look, requirement) for requirement in requirements)


def check_requirements(requirements: Sequence[Requirement]) -> None:
    """See that a board could be checked against all of them, whoever wrote them.

    Raises:
        WorldError: If there are none or too many, a kind is unknown, or an argument is
            not there or not of its type.
    """
    if not 0 < len(requirements) <= _MOST:
        raise WorldError(
            "requirements",
            seen=f"{len(requirements)} of them",
            expected=f"1 to {_MOST}",
            remedy="say what can be checked; the usual is about sixteen",
        )
    for requirement in requirements:
        _verifier(requirement)


def _verifier(requirement: Requirement) -> Verifier:
    verifier = VERIFIERS.get(requirement.kind)
    if verifier is None:
        raise WorldError(
            f"requirement {requirement.id!r}",
            seen=f"kind {requirement.kind!r}",
            expected=f"one of {', '.join(VERIFIERS)}",
            remedy="use a kind of the studio's verifiers",
        )
    args: Mapping[str, Json] = requirement.args
    lacking = [a for a in verifier.args if a not in args and a not in verifier.defaults]
    if lacking or not args.keys() <= set(verifier.args):
        raise WorldError(
            f"requirement {requirement.id!r} ({requirement.kind})",
            seen=f"arguments {', '.join(args) or 'none'}",
            expected=f"arguments {', '.join(verifier.args)}",
            remedy="give the requirement the arguments of its kind",
        )
    odd = [name for name, value in args.items() if not _fits(name, value)]
    if odd:
        raise WorldError(
            f"requirement {requirement.id!r} ({requirement.kind})",
            seen=f"{odd[0]} = {args[odd[0]]!r:.60}",
            expected="a number" if odd[0] in _NUMBERS else "a text",
            remedy="give the argument a value of its type",
        )
    return verifier


def _fits(name: str, value: Json) -> bool:
    if name not in _NUMBERS:
        return isinstance(value, str)
    # a bool is an int, and NaN is in no range
    return type(value) in (int, float) and abs(value) <= _LARGEST


def _missing(board: Board, role: str, subtask: str) -> Seen:
    """What is said of a role that is not there: who lost it, else who should have."""
    for loss in reversed(board.lost):
        if loss.role == role or loss.role.startswith(role + "."):
            why = f"no {role} on the board: {loss.how} by {loss.subtask or 'the host'}"
            return Seen("not", why, by(loss.subtask))
    return Seen("not", f"no {role} on the board", by(subtask))
