"""Which mechanism predicts the numeral systems of the world: the tables of docs/typology.md.

`python -m studies.typology_table` plays ideal generations and drift in memory (minutes), reads the archived runs of
agents, and writes docs/typology.csv, docs/typology_body.csv and the figure. With `--kept DIR` each mechanism's lexicons
are kept there, and the same command goes on where it stopped; `--quick` plays two seeds and writes nothing.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

import ishango
from ishango.analysis.comparable import mechanism_columns, settled
from ishango.analysis.typology import Lexicon, People, Typology, lexicons_of_runs, score
from ishango.evolution import EvolutionOptions
from ishango.evolution._modifications import random_system
from ishango.figures.world_figures import typology_figure
from ishango.generations import GenerationOptions, play_chain
from ishango.lab import config_of, flatten, unarchive
from ishango.numerals import STARTS as PAPERS_STARTS

ARCHIVES = {
    "neural generations": ("generations-neural", GenerationOptions),
    "agents, pressures": ("pressures", EvolutionOptions),
    "agents, decisive": ("pressures-decisive", EvolutionOptions),
    "agents, the paper's study": ("full", EvolutionOptions),
}
DOCS = Path(__file__).parents[1] / "docs"
STARTS = ("1", "5", "7", "8")
BOTTLENECKS = ("20", "50", "200", "400", "1000", "5000", "all")
FACTORS = (1.0, 10.0, 100.0, 1000.0)
SEEDS, QUICK, GENERATIONS = range(40), range(2), 160
Made = Callable[[], list[Lexicon]]


def chains(seeds: range, **options: object) -> list[Lexicon]:
    """The lexicons of the second half of chains of ideal learners, from four starts and forty seeds."""
    found: list[Lexicon] = []
    for start in STARTS:
        for seed in seeds:
            history = play_chain(GenerationOptions(start=start, seed=seed, rounds=GENERATIONS, **options))  # type: ignore[arg-type]
            found += [lexicon(words) for words in history[GENERATIONS // 2 :: 10]]
    return found


def lexicon(words: np.ndarray) -> Lexicon:
    """Digits and multipliers of an array of words."""
    digits, multipliers = (tuple(np.flatnonzero(role).tolist()) for role in words)
    return digits, multipliers


def drift(seeds: range) -> list[Lexicon]:
    """Algorithm 1 without agents, every alternative kept with probability 1/2, any numeral added."""
    found: list[Lexicon] = []
    for start in STARTS:
        for seed in seeds:
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


def archived() -> dict[str, list[Lexicon]]:
    """The lexicons of agents' runs in studies/, by what their options are other than the defaults."""
    found: dict[str, list[Lexicon]] = {}
    for study, (name, options) in ARCHIVES.items():
        with TemporaryDirectory() as directory:
            unarchive(Path(__file__).parent / f"{name}.tar.xz", Path(directory))
            rounds = ishango.load_runs(directory)
        rounds = settled(rounds) if "choose" in rounds else rounds
        defaults = flatten(config_of(options()))
        for key, runs in rounds.groupby(by := mechanism_columns(rounds), dropna=False):
            words = (_words(column, value, defaults) for column, value in zip(by, key, strict=True))
            told = ", ".join(each for each in words if each) or "no cost, mean reward"
            found[f"{study}: {told}" if len(by) > 2 else study] = lexicons_of_runs(runs, [])["runs"]
    return found


def _words(column: str, value: Any, defaults: Mapping[str, Any]) -> str:
    """An option and its value, or nothing where it is the default; all runs but those of the paper add any numeral."""
    if column in ("add", "choose") or str(value) == str(defaults[column]) or value == defaults[column]:
        return ""
    said = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{column.removeprefix('game.').replace('_', ' ')} {said.replace('inf', 'all')}"


def played(seeds: range) -> Iterator[tuple[str, Made]]:
    """Every mechanism that is played or computed here, with what makes its lexicons."""
    for bottleneck in BOTTLENECKS:
        yield f"generations, {bottleneck} numbers heard", lambda heard=bottleneck: chains(seeds, bottleneck=heard)
    yield "generations, words lost at random", lambda: chains(seeds, lose="random")
    yield "drift (Algorithm 1, a coin decides)", lambda: drift(seeds)
    for grammar in ("modified", "hurford"):
        yield f"the frontier itself ({grammar})", lambda chosen=grammar: optima(chosen)
        yield f"costs alone ({grammar})", lambda chosen=grammar: cheapest(chosen)
    yield "random lexicons that cover 1 to 99", covering


def kept(name: str, made: Made, directory: Path | None) -> list[Lexicon]:
    """A mechanism's lexicons, from the directory where an earlier call has kept them."""
    file = directory / f"{''.join(each if each.isalnum() else '-' for each in name)}.json" if directory else None
    if file and file.is_file():
        return [(tuple(digits), tuple(multipliers)) for digits, multipliers in json.loads(file.read_text())]
    found = made()
    if file:
        part = file.with_suffix(".part")
        part.write_text(json.dumps(found, default=int))
        part.replace(file)
    return found


def bodies(people: People, seeds: range, directory: Path | None) -> pd.DataFrame:
    """How large the factor must be: generations with 200 numbers heard, at each factor."""
    arms = {
        factor: kept(f"body {factor:g}", lambda body=factor: chains(seeds, bottleneck="200", body=body), directory)
        for factor in FACTORS
    }
    rows = score({f"{factor:g}": each for factor, each in arms.items()}, people).table.set_index("mechanism")
    return pd.DataFrame({"bottleneck": "200", "factor": each, **rows.loc[f"{each:g}"].to_dict()} for each in arms)


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
    """Score every mechanism, print, and write the tables."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--kept", type=Path, metavar="DIR")
    asked.add_argument("--quick", action="store_true")
    command = asked.parse_args()
    if command.kept:
        command.kept.mkdir(parents=True, exist_ok=True)
    people, seeds = People.of(), QUICK if command.quick else SEEDS
    lexicons = {name: kept(name, made, command.kept) for name, made in played(seeds)} | archived()
    found: Typology = score(lexicons, people)
    print(found.table.round(2).to_string())
    print(found.held_out.round(2).to_string())
    print(found.sentence)
    yardsticks = {"always 1-9 | 10": [(tuple(range(1, 10)), (10,))],
                  "the paper's eight starts": [(each.digits, each.multipliers) for each in PAPERS_STARTS]}  # fmt: skip
    print(score(yardsticks, people).table.round(2).to_string())
    body = bodies(people, seeds, command.kept)
    print(body[["bottleneck", "factor", "bits", "low", "high", "base_ten"]].round(2).to_string())
    if command.quick:
        return
    found.table.round(3).to_csv(DOCS / "typology.csv", index=False, lineterminator="\n")
    found.held_out.round(3).to_csv(DOCS / "typology_held_out.csv", index=False, lineterminator="\n")
    body.drop(columns=["rank", "lexicons"]).round(3).to_csv(
        DOCS / "typology_body.csv", index=False, lineterminator="\n"
    )
    figures()


if __name__ == "__main__":
    main()
