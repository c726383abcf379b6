"""The text of a card: sections and calls, written anew or changed in place.

Knows markdown and calls, not what is worth saying.
"""

import re
from collections.abc import Iterable, Sequence

from skillbank.skills.calls import Call
from skillbank.skills.skill import Skill

_FENCE = re.compile(r"(```calls\n)(.*?)(```)", re.DOTALL)
_MOST_PITFALLS = 6  # a card that only grows is read by nobody
_LEARNED = "Learned:"

_PURPOSE = {
    "place_text": "Set the text",
    "place_button": "Draw the plate with its words",
    "place_list": "Set the items as a list",
    "place_grid": "Lay the items out in cells",
    "place_image": "Place the picture",
    "place_qr": "Place the code",
    "place_line": "Draw a rule",
    "place_rect": "Draw a panel",
    "place_ellipse": "Draw a badge",
    "fit_text": "Make the text fit its room",
    "align_to": "Align it",
    "add_scrim": "Lay a scrim behind it",
    "set_weight": "Choose the weight",
    "set_leading": "Open the lines",
    "shrink_all": "Make everything a little smaller",
}


def step_of(call: Call) -> str:
    """A step that says what a call is for."""
    purpose = _PURPOSE.get(call.tool, call.tool.replace("_", " ").capitalize())
    role = call.arguments.get("role", "").strip("'\"")
    place = f" `{role}`" if role else ""
    return f"{purpose}{place} with `{call.tool}`, with the arguments given below."


def composed(
    name: str,
    description: str,
    calls: Sequence[Call],
    pitfalls: Iterable[str],
    checks: Iterable[str],
) -> Skill:
    """A card written anew.

    Args:
        name: Name of the skill.
        description: When to use it.
        calls: Its tool calls, in order.
        pitfalls: What goes wrong without it.
        checks: How success is verified.
    """
    steps = [step_of(call) for call in calls]
    steps.append("Look at the board before going on to the next part.")
    title = name.replace("-", " ").capitalize()
    parts = [
        f"# {title}",
        "## Steps\n\n" + "\n".join(f"{k}. {text}" for k, text in enumerate(steps, 1)),
        "## Pitfalls\n\n" + "\n".join(f"- {text}" for text in pitfalls),
        "## Checks\n\n" + "\n".join(f"- {text}" for text in checks),
        "```calls\n" + "\n".join(map(str, calls)) + "\n```",
    ]
    return Skill.compose(name, description, "\n" + "\n\n".join(parts) + "\n")


def with_calls(body: str, calls: Sequence[Call], learned: Sequence[str]) -> str:
    """A body with other calls, and what was learned added to its pitfalls.

    Steps of calls that are new are added; the oldest lessons give way beyond six.
    """
    lines = "\n".join(map(str, calls))
    body = _FENCE.sub(lambda found: f"{found[1]}{lines}\n{found[3]}", body, count=1)
    for text in learned:
        body = _with_item(body, "Pitfalls", f"- {_LEARNED} {text}")
    return _without_oldest(body)


def with_step(body: str, text: str) -> str:
    """A body with one more step at the end of its steps."""
    found = re.search(r"## Steps\n\n((?:\d+\..*\n)+)", body)
    if found is None:
        return body
    number = len(found[1].splitlines()) + 1
    end = found.end(1)
    return f"{body[:end]}{number}. {text}\n{body[end:]}"


def without_section(body: str, title: str) -> str:
    """A body without one of its sections."""
    return re.sub(rf"## {title}\n\n(?:- .*\n)+\n?", "", body)


def _with_item(body: str, section: str, item: str) -> str:
    head = f"## {section}\n\n"
    if item in body:
        return body
    if head not in body:
        return body.replace("## Checks\n", f"{head}{item}\n\n## Checks\n", 1)
    return body.replace(head, f"{head}{item}\n", 1)


def _without_oldest(body: str) -> str:
    learned = [line for line in body.split("\n") if line.startswith(f"- {_LEARNED}")]
    for line in learned[_MOST_PITFALLS:]:
        body = body.replace(line + "\n", "", 1)
    return body
