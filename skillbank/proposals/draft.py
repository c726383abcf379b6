"""What a draft must keep to before anything is paid for it.

Not a screen of what the text says: that comes next and sees every proposal.
"""

from skillbank.errors import SkillError
from skillbank.proposals.proposal import Draft
from skillbank.proposals.writer import Cluster, Revision
from skillbank.skills.skill import Skill

NO_IDEA = "the writer had no idea"


def revision_problem(draft: Draft | None, revision: Revision) -> str:
    """Why what a writer returned cannot be proposed for a card; empty if it can."""
    if draft is None:
        return NO_IDEA
    card = revision.card.skill
    offered = {one.name for one in revision.neighbours}
    foreign = sorted(set(draft.drops) - offered)
    problems = {
        f"a revision cannot be a {draft.kind}": draft.kind == "mint",
        "an overhaul before its time": (
            draft.kind == "overhaul" and not revision.overhaul and not draft.drops
        ),
        f"drops cards that it was not offered: {', '.join(foreign)}": bool(foreign),
        "drops a card twice": len(set(draft.drops)) != len(draft.drops),
    }
    for problem, holds in problems.items():
        if holds:
            return problem
    try:
        skill = Skill.parse(draft.text)
    except SkillError:
        return ""  # the screen says what is wrong, and keeps the text
    if skill.name != card.name:
        return f"renames the card to {skill.name[:64]!r}"
    if draft.drops:
        return ""
    if skill.normalised == card.normalised:
        return "changes nothing"
    if draft.kind == "edit" and skill.description != card.description:
        return "an edit may not change the description"
    return ""


def mint_problem(draft: Draft | None, cluster: Cluster) -> str:
    """Why what a writer returned cannot be proposed as a new card; empty if it can."""
    if draft is None:
        return NO_IDEA
    if draft.kind != "mint":
        return f"a new card cannot be an {draft.kind}"
    if draft.drops:
        return "a new card supersedes nothing"
    try:
        name = Skill.parse(draft.text).name
    except SkillError:
        return ""
    return f"the name {name[:64]!r} is taken" if name in cluster.taken else ""


def mint_name(draft: Draft, cluster: Cluster) -> str:
    """The new card's name: its own, or the label's if the text cannot be read."""
    try:
        return Skill.parse(draft.text).name
    except SkillError:
        return cluster.label
