"""Which mechanism predicts the numeral systems of the world: the tables of docs/typology.md.

`python -m studies.typology_table` plays ideal generations and drift in memory (minutes), and writes
docs/typology.csv, docs/typology_body.csv and the figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import ishango
from ishango.analysis.typology import Lexicon, People, Typology, score
from ishango.evolution import random_system
from ishango.figures.world_figures import typology_figure
from ishango.generations import GenerationOptions, play_chain

DOCS = Path(__file__).parents[1] / "docs"
STARTS = ("1", "5", "7", "8")
BOTTLENECKS = ("20", "50", "200", "400", "1000", "5000", "all")
FACTORS = (1.0, 10.0, 100.0, 1000.0)
SEEDS, GENERATIONS = range(40), 160


def chains(**options: object) -> list[Lexicon]:
    """The lexicons of the second half of chains of ideal learners, from four starts and forty seeds."""
    found: list[Lexicon] = []
    for start in STARTS:
        for seed in SEEDS:
            history = play_chain(GenerationOptions(start=start, seed=seed, rounds=GENERATIONS, **options))  # type: ignore[arg-type]
            found += [lexicon(words) for words in history[GENERATIONS // 2 :: 10]]
    return found


def lexicon(words: np.ndarray) -> Lexicon:
    """Digits and multipliers of an array of words."""
    digits, multipliers = (tuple(np.flatnonzero(role).tolist()) for role in words)
    return digits, multipliers


def drift() -> list[Lexicon]:
    """Algorithm 1 without agents, every alternative kept with probability 1/2, any numeral added."""
    found: list[Lexicon] = []
    for start in STARTS:
        for seed in SEEDS:
            run = ishango.evolve(start, choose="coin", add="any", rounds=100, seed=seed, progress=False)
            found += [(tuple(each["digits"]), tuple(each["multipliers"])) for each in run.rounds[50::10]]
    return found


def optima(grammar: str) -> list[Lexicon]:
    """The lexicons on the proved frontier, one of each size from 4 to 20."""
    return [
        (point.system.digits, point.system.multipliers)
        for point in ishango.frontier(grammar=grammar, sizes=range(4, 21))
    ]


def cheapest(grammar: str) -> list[Lexicon]:
    """Costs alone: what is cheapest at each price of a word, prices spread evenly on a logarithmic scale."""
    points = list(ishango.frontier(grammar=grammar, sizes=range(2, 21)))
    prices = np.geomspace(0.001, 0.5, 200)
    best = [min(points, key=lambda point: price * point.size + float(point.average)) for price in prices]
    return [(each.system.digits, each.system.multipliers) for each in best]


def covering() -> list[Lexicon]:
    """Random lexicons that cover the range."""
    systems = (random_system(np.random.default_rng(seed), "hurford", 99) for seed in range(300))
    return [(each.digits, each.multipliers) for each in systems]


def mechanisms() -> Iterator[tuple[str, list[Lexicon]]]:
    """Every mechanism with its lexicons."""
    for bottleneck in BOTTLENECKS:
        yield f"generations, {bottleneck} numbers heard", chains(bottleneck=bottleneck)
    yield "generations, words lost at random", chains(lose="random")
    yield "drift (Algorithm 1, a coin decides)", drift()
    for grammar in ("modified", "hurford"):
        yield f"the frontier itself ({grammar})", optima(grammar)
        yield f"costs alone ({grammar})", cheapest(grammar)
    yield "random lexicons that cover 1 to 99", covering()


def bodies(people: People) -> pd.DataFrame:
    """How large the factor must be: generations at each bottleneck and factor."""
    arms = {
        (bottleneck, factor): chains(bottleneck=bottleneck, body=factor)
        for bottleneck in ("200",)
        for factor in FACTORS
    }
    found = score({f"{bottleneck} {factor:g}": each for (bottleneck, factor), each in arms.items()}, people)
    rows = found.table.set_index("mechanism")
    return pd.DataFrame(
        {"bottleneck": bottleneck, "factor": factor, **rows.loc[f"{bottleneck} {factor:g}"].to_dict()}
        for bottleneck, factor in arms
    )


def figures() -> None:
    """Draw the scores, the plane as counts and the maps."""
    world = ishango.survey("world", grammar="hurford")
    charts = {
        "typology": typology_figure(pd.read_csv(DOCS / "typology.csv")),
        "world-plane": world.figure(),
        "world-map-base": world.map("base"),
        "world-map-gap": world.map("gap_shortest"),
    }
    for name, chart in charts.items():
        kind = "png" if "map" in name else "svg"  # thousands of dots
        chart.save(DOCS / "figures" / f"{name}.{kind}")


def main() -> None:
    """Write the tables."""
    people = People.of()
    found: Typology = score(dict(mechanisms()), people)
    found.table.round(3).to_csv(DOCS / "typology.csv", index=False, lineterminator="\n")
    found.held_out.round(3).to_csv(DOCS / "typology_held_out.csv", index=False, lineterminator="\n")
    print(found.table.round(2).to_string())
    print(found.held_out.round(2).to_string())
    print(found.sentence)
    figures()
    body = bodies(people)
    body.drop(columns=["rank", "lexicons"]).round(3).to_csv(
        DOCS / "typology_body.csv", index=False, lineterminator="\n"
    )
    print(body[["bottleneck", "factor", "bits", "low", "high", "base_ten"]].round(2).to_string())


if __name__ == "__main__":
    main()
