"""The seeds of a round: one for each step and key, nothing else in them."""

from skillbank.codec import seed_of


def round_seed(root: int, round: str, step: str, *key: object) -> int:
    """The seed of (root seed, round, step, key), in [0, 2**63)."""
    return seed_of(root, round, step, *key)
