"""Contexts of a brief: which pictures retrieval finds, which kit, which upstream.

Any two contexts of one call differ in the order or choice of pictures and in the seed
of the upstream state, and, as far as three kits reach, in the kit as well.
"""

from random import Random

from skillbank.agents.agent import Context
from skillbank.briefs.brief import Brief
from skillbank.codec import digest, seed_of
from studio.briefs import host_facts
from studio.kits import STOCK, kit, pictures

_FOUND = 3  # pictures that retrieval puts before the agent


def contexts(brief: Brief, n: int, seed: int) -> tuple[Context, ...]:
    """`n` contexts of a brief, the same for the same seed whatever `n` is."""
    rng = Random(seed_of("contexts", brief.id, seed))
    names = list(host_facts(brief)["kits"])
    rng.shuffle(names)
    seen: set[tuple[str, ...]] = set()
    made = []
    for k in range(n):
        name = names[k % len(names)]
        assets = _retrieved(name, rng)
        while assets in seen:
            assets = _retrieved(name, rng)
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


def _retrieved(kit_name: str, rng: Random) -> tuple[str, ...]:
    found = rng.sample(pictures(kit(kit_name)), _FOUND)
    if rng.random() < 0.2:
        found[-1] = rng.choice(STOCK)
    return tuple(found)
