"""Attempts made worse on purpose: what a judge that can judge must prefer less.

Knows nothing of any world; a world that can do better says so in its own `degrade`.
"""

from dataclasses import replace

from skillbank.agents.agent import Attempt

_LEFT = 4  # a quarter of the text is left


def truncated(attempt: Attempt) -> Attempt:
    """The attempt with the first quarter of its output, in whole words.

    Right for outputs that are prose: a plan that stops early does less of its brief.
    """
    words = attempt.output.split(" ")
    return replace(attempt, output=" ".join(words[: len(words) // _LEFT]))
