"""Contexts of a brief: which pictures retrieval finds, which kit, which upstream.

Any two contexts of one call differ in the order or choice of pictures and in the seed
of the upstream state, and, as far as three kits reach, in the kit as well.
"""

from random import Random

from skillbank.agents.agent import Context
from skillbank.briefs.brief import Brief
from skillbank.codec import digest, seed_of
from skillbank.errors import WorldError
from studio.briefs import host_facts
from studio.kits import STOCK, kit, pictures

_TRIES = 10_000  # a choice of pictures that is left is found long before
_FOUND = 3  # pictures that retrieval puts before the agent


def contexts(brief: Brief, n: int, seed: int) -> tuple[Context, ...]:
    """`n` contexts of a brief, the same for the same seed whatever `n` is.

    Raises:
        WorldError: If there are not so many choices of pictures, or the brief cannot
            be read.
    """
    rng = Random(seed_of("contexts", brief.id, seed))
    names = list(host_facts(brief)["kits"])
    rng.shuffle(names)
    seen: set[tuple[str, ...]] = set()
    made = []
    for k in range(n):
        name = names[k % len(names)]
        assets = _retrieved(name, rng)
        for _ in range(_TRIES):
            if assets not in seen:
                break
            assets = _retrieved(name, rng)
        else:
            raise _too_many(brief, n, k)
        seen.add(assets)
        upstream = seed_of("upstream", brief.id, seed, k)
        made.append(
            Context(
                id=digest("context", brief.id, assets, name, upstream)[:16],
                brief=brief.id,
                assets=assets,
                kit=name,
                upstream_seed=upstream,
            )
        )
    return tuple(made)


def _too_many(brief: Brief, wanted: int, found: int) -> WorldError:
    return WorldError(
        f"contexts of brief {brief.id!r}",
        seen=f"{wanted} wanted, {found} that differ in their pictures",
        expected="fewer",
        remedy="lower the contexts of the gate, or the attempts of a variant, in "
        "params.yaml",
    )


def _retrieved(kit_name: str, rng: Random) -> tuple[str, ...]:
    found = rng.sample(pictures(kit(kit_name)), _FOUND)
    if rng.random() < 0.2:
        found[-1] = rng.choice(STOCK)
    return tuple(found)
