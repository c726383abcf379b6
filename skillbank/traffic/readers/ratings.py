"""Which way a score is good, and when a trace has one score that nobody can mistake."""

import re
from collections.abc import Sequence

from skillbank.traffic.run import Provenance, Rating

_WORD = re.compile(r"[a-z0-9]+")
_LOW = frozenset(
    (
        *("toxicity", "toxic", "hallucination", "hallucinations", "hallucinated"),
        *("bias", "harmful", "harmfulness", "profanity", "jailbreak", "injection"),
        *("error", "errors", "failure", "failures", "latency", "cost", "distance"),
        *(
            "pii",
            "leakage",
            "violation",
            "violations",
            "maliciousness",
            "insensitivity",
        ),
        *("criminality", "misogyny", "controversiality", "stereotype", "refusal"),
    )
)
"""Words of what is better low; ours, from the evaluators that tracing tools ship."""
_HIGH = frozenset(
    (
        *("reward", "correct", "correctness", "accuracy", "accurate", "success"),
        *("passed", "pass", "resolved", "solved", "helpful", "helpfulness", "quality"),
        *("relevance", "relevancy", "faithfulness", "groundedness", "grounded"),
        *("completeness", "coherence", "conciseness", "fluency", "similarity"),
        *("satisfaction", "thumbs", "match", "safety", "f1", "precision", "recall"),
    )
)
_NOT = frozenset(("no", "non", "not", "in", "without", "free", "rate", "avoidance"))
"""Words that may turn the sense of a name over: then nobody can tell."""


def direction(name: str) -> bool | None:
    """Whether more of a score is better, by its well-known name; None: nobody knows.

    Args:
        name: Such as `toxicity`, `answer_relevance` or `TaskReward`.
    """
    spread = re.sub(r"([a-z])([A-Z])", r"\1 \2", name[:200])
    words = set(_WORD.findall(spread.lower()))
    low, high = bool(words & _LOW), bool(words & _HIGH)
    if low == high or words & _NOT:
        return None
    return high


def only_score(ratings: Sequence[Rating]) -> tuple[float | None, Provenance]:
    """The score of a run that was rated once, by a name whose best is 1.

    Returns:
        The score in [0, 1] and who gave it; None and `none` where there are several
        ratings, or the one is out of range, or it is not known to be better high.
    """
    if len(ratings) == 1:
        only = ratings[0]
        if only.value is not None and 0 <= only.value <= 1 and only.higher_is_better:
            return only.value, only.provenance
    return None, "none"
