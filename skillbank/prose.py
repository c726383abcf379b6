"""Words put together for people; knows nothing of what they say."""

from collections.abc import Sequence


def joined(parts: Sequence[str]) -> str:
    """`a`, `a and b`, or `a, b and c`; empty for none."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
