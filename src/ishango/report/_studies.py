"""The studies of a reproduction, and how much is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pandas as pd

from ishango.evolution import BIASED, CHOOSERS, DRIFT, EVOLUTION, HIGHEST, LOWEST, NEARER, ORACLE
from ishango.frontiers import Problem, solve
from ishango.game import EXPONENTIAL as EXPONENTIAL_REWARD
from ishango.game import INVERSE, LINEAR
from ishango.lab import Plan, Task, parse_plan, prepare, rounds_table
from ishango.numerals import HURFORD, STARTS
from ishango.restricted import LEARNING


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
    """Runs of each oracle from each start, and of drift beside the side studies."""
    matched: int
    """Runs of drift with the acceptance rate of each run of agents."""
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


# The runs behind the page: one plan a study, all of them played as one sweep.

EXPONENTIAL = "exp:0.2"
"""A need that falls exponentially, which is a question of ours: what the paper calls exponential is n^-2."""
MATCHED = "matched-coin"
"""The study of coins that keep as many alternatives as each run of agents did; it follows the others."""
RANDOM_STARTS = [f"random:{seed}" for seed in range(8)]
"""Starts that are drawn anew, as many as the paper's."""
REWARD_STARTS = ("1", "1-11 | 12")
"""What agents learn when rewards, layers and batches are compared: a start and an optimum."""
CONTROL_ROUND = 10.0
"""A round of a control, which has no agents, in steps of agents."""

RESTRICTED = "restricted"
"""The study whose agents learn systems without recursion."""
BY_DISTANCE = tuple(each.name for each in (LINEAR, INVERSE, EXPONENTIAL_REWARD))
"""Rewards that fall with the distance of a guess."""

ALL_STARTS = [str(number) for number in range(1, len(STARTS) + 1)]


def studies(scale: Scale) -> dict[str, Plan]:
    length = {"rounds": scale.rounds, "steps": scale.steps}
    side = {"rounds": scale.rounds, "steps": scale.side_steps, "seed": 0}
    scratch = {"rounds": 0, "pretraining": scale.learning_steps}
    return {
        "agents": _plan("Algorithm 1 from the eight starts", length, {"seed": scale.seeds, "start": ALL_STARTS}),
        "literal": _plan("m0 and m1 read literally", {**side, "add": HIGHEST.name}, {"start": ALL_STARTS}),
        "hurford": _plan("Hurford's grammar", {**side, "grammar": HURFORD.name}, {"start": ALL_STARTS}),
        "random-starts": _plan("Starts drawn anew", side, {"start": RANDOM_STARTS}),
        "exponential": _plan("The exponential need", {**side, "need": EXPONENTIAL}, {"start": ALL_STARTS}),
        "needs": _plan(
            "Starts learned from scratch under the exponential need",
            {**scratch, "seed": 0, "need": EXPONENTIAL},
            {"start": ALL_STARTS},
        ),
        "learning": _plan(
            "Starts and optima learned from scratch", scratch, {"seed": scale.learning_seeds, "start": _systems()}
        ),
        "rewards": _plan(
            "Rewards, layers and batches",
            scratch,
            {"seed": scale.learning_seeds, "start": REWARD_STARTS},
            [{}, *({"game.reward": reward} for reward in BY_DISTANCE),
             {"game.hidden": 25}, {"game.batch": 8}, {"game.batch": 128}, {"game.hidden": 25, "game.batch": 8}],
        ),
        "coin": _plan(
            "Neutral drift",
            {"rounds": scale.rounds, "choose": DRIFT.name},
            {"add": [LOWEST.name, HIGHEST.name], "start": ALL_STARTS, "seed": range(scale.coin)},
        ),
        "oracle": _plan(
            "The oracle",
            {"rounds": scale.rounds, "choose": ORACLE.name},
            {"start": ALL_STARTS, "seed": range(scale.oracle)},
        ),
        "gap-oracle": _plan(
            "The oracle on the gap",
            {"rounds": scale.rounds, "choose": NEARER.name},
            {"start": ALL_STARTS, "seed": range(scale.oracle)},
        ),
        "hurford-coin": _plan(
            "Neutral drift under Hurford's grammar",
            {"rounds": scale.rounds, "choose": DRIFT.name, "grammar": HURFORD.name},
            {"start": ALL_STARTS, "seed": range(scale.oracle)},
        ),
        "random-coin": _plan(
            "Neutral drift from starts drawn anew",
            {"rounds": scale.rounds, "choose": DRIFT.name},
            {"start": RANDOM_STARTS, "seed": range(scale.oracle)},
        ),
        RESTRICTED: _plan(
            "Systems without recursion",
            {"steps": scale.restricted_steps},
            {"vocabulary": range(2, 11), "reward": scale.restricted_rewards, "seed": scale.restricted_seeds},
            experiment=LEARNING.name,
        ),
    }  # fmt: skip


def matched_plan(scale: Scale, rounds: pd.DataFrame) -> Plan:
    """Coins from the start of each run of agents, with the share of alternatives that the run kept."""
    decided = rounds[rounds["accepted"].notna()]
    rates = decided["accepted"].astype(float).groupby([decided["start"], decided["run"]]).mean().round(3)
    pairs = dict.fromkeys(zip(rates.index.get_level_values("start"), rates, strict=True))
    variants: list[dict[str, Any]] = [{"start": str(start), "keep": float(keep)} for start, keep in pairs]
    base = {"rounds": scale.rounds, "choose": BIASED.name}
    return _plan("Drift with the acceptance rates of agents", base, {"seed": range(scale.matched)}, variants)


def prepare_matched(scale: Scale, runs: Path) -> list[Task]:
    """The runs that can be planned only when the agents have ended."""
    return list(prepare(matched_plan(scale, rounds_table(runs / "agents")), runs / MATCHED))


def prepare_studies(scale: Scale, runs: Path) -> list[Task]:
    """All runs of all studies but the last, the longest first: so no core idles at the end."""
    tasks = [task for name, plan in studies(scale).items() for task in prepare(plan, runs / name)]
    return sorted(tasks, key=lambda task: -weigh(task) * (task.config["rounds"] + 1))


def weigh(task: Task) -> float:
    """The work in a round of a run, in steps."""
    known = steps(task)
    return CONTROL_ROUND if known is None else known


def steps(task: Task) -> int | None:
    """The steps in a round of a run, or of its learning if it has no rounds; None where nobody talks."""
    config = task.config
    if "choose" in config and not CHOOSERS[config["choose"]].uses_agents:
        return None
    return config["steps"] if config["rounds"] else config["pretraining"]


def _systems() -> list[str]:
    sizes = sorted({start.size for start in STARTS})
    return [*ALL_STARTS, *(str(solve(Problem(), size).system) for size in sizes)]


def _plan(
    about: str,
    base: Mapping[str, Any],
    vary: Mapping[str, Any],
    variants: Sequence[Mapping[str, Any]] = (),
    experiment: str = EVOLUTION.name,
) -> Plan:
    """A plan like one from a file, so that its copy beside the runs can be played by `ishango sweep`."""
    lines = [f'about = "{about}"', f'experiment = "{experiment}"']
    parts = [("[base]", base), ("[vary]", vary), *(("[[variant]]", variant) for variant in variants)]
    for heading, fields in parts:
        lines += ["", heading, *(f"{name} = {_toml(value)}" for name, value in fields.items())]
    return parse_plan("\n".join(lines) + "\n", "plan.toml")


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (range, list, tuple)):
        return f"[{', '.join(map(_toml, cast(Sequence[Any], value)))}]"
    return str(value)
