"""The tables and figures of docs/studies/calibration.md: python -m studies.calibration SWEEP FIGURES.

SWEEP is the directory of plans/calibration.toml, or of calibration-100.toml, which varies fewer factors over a hundred
rounds; FIGURES is where the figures go.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
from scipy import stats

from ishango.analysis.comparable import without_copies
from ishango.evolution import EvolutionOptions
from ishango.figures.look import save
from ishango.lab import rounds_table
from studies.figures import factor_figure

FACTORS = {
    "game.vocabulary": ("symbols in the message vocabulary", [20, None, 106]),
    "game.listener_entropy": ("weight of the listener's entropy", [0.0, 0.01, 0.03, 0.1, 0.2]),
    "game.baseline": ("baseline", ["none", "mean"]),
    "pretraining": ("steps of pre-training", [0, None, 40000]),
    "reset_optimiser": ("optimiser reset each round", [False, True]),
    "notation": ("notation", ["infix", "prefix", "postfix"]),
    "steps": ("steps in a round", [2000, 10000, 40000]),
    "game.lost_entropy": ("weight of the speaker's entropy in lost games", [0.0, 0.01]),
    "game.speaker_entropy": ("weight of the speaker's entropy", [0.0, 0.01]),
}
"""Each factor with its title and values."""
NAMES = {("game.vocabulary", None): "53", ("pretraining", None): "10000"}
"""What the default stands for."""
LONG = 20
"""Rounds from which on a sweep tells what becomes of runs."""
DEFAULTS = {"steps": 10000}
"""Values of the plan's base that are not defaults of the package."""


def main(sweep: Path, figures: Path) -> None:
    rounds = _read(sweep)
    last = int(rounds["round"].max())
    after = "after four rounds" if last == 4 else f"after {last} rounds"
    times = [("after pre-training", rounds[rounds["round"] == 0]), (after, rounds[rounds["round"] == last])]
    for factor in _varied(rounds):
        title, values = FACTORS[factor]
        table = pd.concat([_factor(rows, factor, values).assign(time=time) for time, rows in times])
        print(f"\n{title}")
        print(_summary(table, _name(factor, _default(factor))).to_string(index=False))
        save(factor_figure(table, title), figures, f"calibration-{factor.removeprefix('game.')}", table)
    if last >= LONG:
        print("\ngames won by each run: after pre-training, in its first and in its last ten rounds")
        print(_over_time(rounds).to_string())


def _over_time(rounds: pd.DataFrame) -> pd.DataFrame:
    """Means over stretches of a run: single rounds differ by chance, and by which alternative they try."""
    played = rounds[rounds["round"] > 0].sort_values("round").groupby(["run_name", "start"])["accuracy"]
    before = rounds[rounds["round"] == 0].set_index(["run_name", "start"])["accuracy"]
    means = {
        "first ten": played.apply(lambda won: won.head(10).mean()),
        "last ten": played.apply(lambda won: won.tail(10).mean()),
    }
    return pd.DataFrame({"before": before, **means}).round(3).reset_index()


def _read(directory: Path) -> pd.DataFrame:
    """All rounds; runs are paired over variants by start and seed."""
    rounds, _ = without_copies(rounds_table(directory))
    return rounds.assign(run_name=rounds["run"], run=rounds["start"].astype(str) + "/" + rounds["seed"].astype(str))


def _varied(rounds: pd.DataFrame) -> list[str]:
    return [factor for factor in FACTORS if rounds[factor].nunique(dropna=False) > 1]


def _default(factor: str) -> object:
    if factor in DEFAULTS:
        return DEFAULTS[factor]
    options = EvolutionOptions()
    return getattr(options.game, factor[5:]) if factor.startswith("game.") else getattr(options, factor)


def _name(factor: str, value: object) -> str:
    return NAMES.get((factor, value), str(value))


def _factor(rounds: pd.DataFrame, factor: str, values: list[object]) -> pd.DataFrame:
    """Runs in which all other factors have their defaults."""
    for other in set(_varied(rounds)) - {factor}:
        rounds = rounds[_equal(rounds[other], _default(other))]
    rows = [rounds[_equal(rounds[factor], value)].assign(value=_name(factor, value)) for value in values]
    return pd.concat(rows).dropna(subset="accuracy")[["value", "run", "start", "seed", "accuracy"]]


def _equal(column: pd.Series, value: object) -> pd.Series:
    return column.isna() if value is None else column.astype(str) == str(value)


def _summary(table: pd.DataFrame, default: str) -> pd.DataFrame:
    """Mean games won, and the difference to the default over the same starts and seeds with Student's interval."""
    rows = []
    for (time, value), group in table.groupby(["time", "value"], sort=False):
        base = table[(table["time"] == time) & (table["value"] == default)].set_index("run")["accuracy"]
        difference = (group.set_index("run")["accuracy"] - base).dropna()
        margin = stats.t.ppf(0.975, len(difference) - 1) * stats.sem(difference) if value != default else 0.0
        mean = difference.mean()
        rows.append((time, value, len(group), group["accuracy"].mean(), mean, mean - margin, mean + margin))
    columns = ["time", "value", "runs", "games won", "difference", "low", "high"]
    return pd.DataFrame(rows, columns=columns).round(3)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
