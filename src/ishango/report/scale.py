"""How much is computed: minutes for a first look, or hours for what the paper did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Scale:
    """The size of a reproduction. The frontier is proved at every scale; runs are fewer and shorter at a small one."""

    name: str
    summary: str
    """One sentence for the top of the page."""
    seeds: Sequence[int]
    """Runs of agents from each start."""
    rounds: int
    steps: int
    """Steps of communication in a round of the agents."""
    coin: int
    """Runs of neutral drift from each start."""
    oracle: int
    """Runs of each oracle from each start, and of the coin beside the side studies."""
    matched: int
    """Runs of a coin with the acceptance rate of each run of agents."""
    side_steps: int
    """Steps in a round of the side studies: other readings, needs, grammars and starts, one seed each."""
    learning_steps: int
    """Steps of agents that learn one system from scratch."""
    learning_seeds: Sequence[int]
    restricted_steps: int
    """Steps in each of the twenty rounds of agents that learn a system without recursion."""
    restricted_rewards: Sequence[str]
    restricted_seeds: Sequence[int]
    genetic_seeds: Sequence[int]
    genetic_generations: int
    """Generations of each genetic search; the published one has 100."""
    capped: Sequence[int]
    """Sizes for which Hurford's frontier with at most five multipliers is proved; large ones take minutes."""


QUICK = Scale(
    name="quick",
    summary="A first look: one seed, short rounds, few of them.",
    seeds=range(1),
    rounds=30,
    steps=1200,
    coin=20,
    oracle=5,
    matched=5,
    side_steps=400,
    learning_steps=4000,
    learning_seeds=range(2),
    restricted_steps=400,
    restricted_rewards=["linear"],
    restricted_seeds=range(1),
    genetic_seeds=range(3),
    genetic_generations=100,
    capped=range(2, 14),
)

FULL = Scale(
    name="full",
    summary="The paper's own scale: eight starts, two seeds, 100 rounds of 40,000 steps.",
    seeds=range(2),
    rounds=100,
    steps=40_000,
    coin=100,
    oracle=20,
    matched=50,
    side_steps=5000,
    learning_steps=40_000,
    learning_seeds=range(5),
    restricted_steps=2000,
    restricted_rewards=["linear", "inverse", "exponential", "exact"],
    restricted_seeds=range(5),
    genetic_seeds=range(10),
    genetic_generations=100,
    capped=range(2, 17),
)
