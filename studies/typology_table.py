"""Which mechanism predicts the numeral systems of the world: the tables of docs/typology.md.

`python -m studies.typology_table` plays ideal generations and drift in memory (minutes), reads the archived runs of
agents, and writes docs/typology.csv, docs/typology_body.csv and the figure. With `--kept DIR` each mechanism's lexicons
are kept there, and the same command goes on where it stopped; `--quick` plays two seeds and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

import ishango
from ishango.analysis.comparable import mechanism_columns, settled
from ishango.analysis.typology import (
    CELLS,
    LEXICONS,
    Cell,
    Lexicon,
    People,
    Run,
    Typology,
    cell_of,
    lexicons_of_runs,
    over_families,
    score,
)
from ishango.evolution import EvolutionOptions
from ishango.evolution._modifications import random_system
from ishango.figures.plane_figures import typology_figure
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
FACTORS = (10, 100, 1000)
HEARD, DRIFT = "generations, 200 numbers heard", "drift (Algorithm 1, a coin decides)"
JUDGE = "a perfect judge keeps the shorter (Algorithm 1)"
SEEDS, QUICK, GENERATIONS = range(40), range(2), 160
PLAUSIBLE, NOTHING = 0.95 / (17 * 4 * 17) + 0.05 / CELLS, 0.05 / CELLS
"""What a cell is worth where sizes from 4 to 20, 1 to 4 multipliers and bases from 4 to 20 are all alike."""
MOST = 160
"""Runs of what is played here."""
Made = Callable[[], list[Run]]


def chains(seeds: range, **options: object) -> list[Run]:
    """Chains of ideal learners, from four starts: the lexicons of their second half."""
    found: list[Run] = []
    for start in STARTS:
        for seed in seeds:
            history = play_chain(GenerationOptions(start=start, seed=seed, rounds=GENERATIONS, **options))  # type: ignore[arg-type]
            found.append([lexicon(words) for words in history[GENERATIONS // 2 :: 8]])
    return found


def lexicon(words: np.ndarray) -> Lexicon:
    """Digits and multipliers of an array of words."""
    digits, multipliers = (tuple(np.flatnonzero(role).tolist()) for role in words)
    return digits, multipliers


def changes(seeds: range, choose: str = "coin", body: float = 1.0) -> list[Run]:
    """Algorithm 1 without agents, any numeral added: a coin or a perfect judge of lengths decides."""
    found: list[Run] = []
    for start in STARTS:
        for seed in seeds:
            run = ishango.evolve(start, choose=choose, add="any", rounds=100, seed=seed, body=body, progress=False)
            found.append([(tuple(each["digits"]), tuple(each["multipliers"])) for each in run.rounds[50::5]])
    return found


def known(lexicons: list[Lexicon]) -> list[Run]:
    """A distribution that is known, as if it were played: runs of lexicons that are drawn from it."""
    picks = np.random.default_rng(0).integers(0, len(lexicons), (MOST, LEXICONS)).tolist()
    return [[lexicons[at] for at in run] for run in picks]


def optima(grammar: str) -> list[Run]:
    """The lexicons on the proved frontier, one of each size from 4 to 20."""
    points = ishango.frontier(grammar=grammar, sizes=range(4, 21))
    return known([(point.system.digits, point.system.multipliers) for point in points])


def cheapest(grammar: str) -> list[Run]:
    """Costs alone: what is cheapest at each price of a word, prices spread evenly on a logarithmic scale."""
    points = list(ishango.frontier(grammar=grammar, sizes=range(2, 21)))
    prices = np.geomspace(0.001, 0.5, 200)
    best = [min(points, key=lambda point: price * point.size + float(point.average)) for price in prices]
    return known([(each.system.digits, each.system.multipliers) for each in best])


def covering() -> list[Run]:
    """Random lexicons that cover the range."""
    systems = (random_system(np.random.default_rng(seed), "hurford", 99) for seed in range(300))
    return known([(each.digits, each.multipliers) for each in systems])


def archived() -> dict[str, list[Run]]:
    """Agents' runs in studies/, by what their options are other than the defaults."""
    found: dict[str, list[Run]] = {}
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
    yield DRIFT, lambda: changes(seeds)
    yield JUDGE, lambda: changes(seeds, "shorter")
    for grammar in ("modified", "hurford"):
        yield f"the frontier itself ({grammar})", lambda chosen=grammar: optima(chosen)
        yield f"costs alone ({grammar})", lambda chosen=grammar: cheapest(chosen)
    yield "random lexicons that cover 1 to 99", covering


def kept(name: str, made: Made, directory: Path | None) -> list[Run]:
    """A mechanism's runs, from the directory where an earlier call has kept them."""
    file = directory / f"{''.join(each if each.isalnum() else '-' for each in name)}.json" if directory else None
    if file and file.is_file():
        return [
            [(tuple(digits), tuple(multipliers)) for digits, multipliers in run] for run in json.loads(file.read_text())
        ]
    found = made()
    if file:
        part = file.with_suffix(".part")
        part.write_text(json.dumps(found, default=int))
        part.replace(file)
    return found


def bodies(plain: Mapping[str, list[Run]], people: People, seeds: range, directory: Path | None) -> pd.DataFrame:
    """How large the factor must be, for mechanisms of which runs without it are there."""
    makers: dict[str, Callable[[float], list[Run]]] = {
        HEARD: lambda body: chains(seeds, bottleneck="200", body=body),
        DRIFT: lambda body: changes(seeds, body=body),
        JUDGE: lambda body: changes(seeds, "shorter", body),
    }
    rows: list[dict[str, object]] = []
    for mechanism, made in makers.items():
        runs = {"1": plain[mechanism]}
        for factor in FACTORS:
            runs[str(factor)] = kept(f"body {factor}, {mechanism}", partial(made, factor), directory)
        table = score(runs, people).table.set_index("mechanism")
        rows += [{"mechanism": mechanism, "factor": each, **table.loc[each].to_dict()} for each in runs]
    return pd.DataFrame(rows)


def sensitivity(runs: Mapping[str, list[Run]], people: People) -> pd.DataFrame:
    """Bits with fewer runs, with as many as most mechanisms have, and with other shares that are spread evenly."""
    settings = [(4, 0.05), (8, 0.05), (16, 0.05), (24, 0.05), (MOST, 0.05), (16, 0.01), (16, 0.2)]
    columns = {
        f"{count} runs, {smoothing:.0%} spread": score(
            {name: each for name, each in runs.items() if len(each) >= count}, people, smoothing, runs=count
        ).table.set_index("mechanism")["bits"]
        for count, smoothing in settings
    }
    return pd.DataFrame(columns).sort_values("16 runs, 5% spread", ascending=False).reset_index(names="mechanism")


def yardsticks(people: People, runs: int) -> pd.DataFrame:
    """What needs no mechanism, and how well the languages of half of the families predict the others."""
    starts: list[Lexicon] = [(each.digits, each.multipliers) for each in PAPERS_STARTS]
    tens: Lexicon = (tuple(range(1, 10)), (10,))
    plain = score(
        {"always 1-9 | 10": known([tens]), "the paper's eight starts": known(starts)}, people, runs=runs
    ).table
    likely = [PLAUSIBLE if _plausible(cell_of(*each)) else NOTHING for each in people.lexicons]
    bits, low, high = over_families([math.log2(each) for each in likely], people.families)
    rows = [*plain[["mechanism", "bits", "low", "high"]].to_dict("records"),
            {"mechanism": "4 to 20 words, 1 to 4 multipliers, bases 4 to 20, all alike", "bits": bits, "low": low,
             "high": high}]  # fmt: skip
    names = np.random.default_rng(0).permutation(sorted(set(people.families))).tolist()
    halves = set(names[: len(names) // 2]), set(names[len(names) // 2 :])
    for number, (one, other) in enumerate((halves, halves[::-1]), start=1):
        given = [[each for each, name in zip(people.lexicons, people.families, strict=True) if name == family]
                 for family in sorted(one)]  # fmt: skip
        for count in (runs, len(given)):
            found = score({"": given}, people.of_families(other), runs=count).table.set_index("mechanism").loc[""]
            rows.append({"mechanism": f"{count} families of the other half, half {number}", "bits": found["bits"],
                         "low": found["low"], "high": found["high"]})  # fmt: skip
    return pd.DataFrame(rows)


def _plausible(cell: Cell) -> bool:
    return 4 <= cell.size <= 20 and cell.multipliers <= 4 and 4 <= cell.base <= 20


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
    print(yardsticks(people, found.runs).round(2).to_string())
    body = bodies(lexicons, people, seeds, command.kept)
    print(body[["mechanism", "factor", "bits", "low", "high", "base_ten"]].round(2).to_string())
    choices = sensitivity(lexicons, people)
    print(choices.round(2).to_string())
    if command.quick:
        return
    for name, table in {"": found.table, "_held_out": found.held_out, "_choices": choices,
                        "_body": body.drop(columns=["rank", "runs"])}.items():  # fmt: skip
        table.round(3).to_csv(DOCS / f"typology{name}.csv", index=False, lineterminator="\n")
    figures()


if __name__ == "__main__":
    main()
