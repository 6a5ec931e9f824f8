"""Tables of studies that take too long to be played with every reproduction: they come with the package."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ishango.errors import RequestError
from ishango.report.data import Data
from ishango.report.explained import Explained

NAMES = ("pressures", "pressures-runs")
DIRECTORY = Path(__file__).parent / "shipped_files"
RESULTS = DIRECTORY / "full"
"""The tables of the reproduction at the paper's scale, as far as it has been played."""


def shipped_tables() -> dict[str, pd.DataFrame]:
    """Those of the study of pressures by name, as `python -m benchmarks.pressures_table` wrote them."""
    return {name: pd.read_csv(DIRECTORY / f"{name}.csv") for name in NAMES}


def shipped_results() -> Data:
    """Those of the full reproduction by name, as `ishango results` wrote them: what the verdicts are computed from."""
    if not RESULTS.is_dir():
        raise RequestError("This version ships no results of a full reproduction; make some with ishango reproduce.")
    return Data(RESULTS)


def shipped_columns() -> dict[str, Explained]:
    """What they hold, in words."""
    cell = {
        "cell": "what the runs have in common: who decides and under which pressures",
        "kind": "drift (a coin decides), costs alone (a rule without agents), agents",
    }
    lexicon = {
        "multipliers": "words that are multipliers",
        "single": "whether there is one multiplier (of cells: the share of runs)",
        "based": "whether digits count up to a multiplier (of cells: the share of runs)",
        "distance": "words to be added or taken away to come to the nearest human lexicon",
    }
    return {
        "pressures": Explained(
            "The study of pressures in the unbiased bed, a row for each cell.",
            cell
            | {
                "runs": "how many runs",
                "gap_before": "median gap of the starts",
                "gap_low": "first quartile of the final gaps to the proved frontier",
                "gap": "their median",
                "gap_high": "their third quartile",
                "words": "median final lexicon size",
            }
            | lexicon
            | {
                "shorter_kept": "share of shorter alternatives that were kept",
                "longer_kept": "share of longer ones",
                "decisions": "alternatives that were decided about",
                **_interval("length", "log odds of being kept for each symbol by which an alternative is shorter"),
                "length_within": "it is not larger than this in either direction, at 95 %",
                "length_p": "p-value by permutation of the decisions within runs",
                "length_p_holm": "the same corrected, by Holm's method, for all cells and both axes",
                **_interval("size", "log odds of being kept for each word by which its lexicon is smaller"),
                "size_within": "it is not larger than this in either direction, at 95 %",
                "size_p": "p-value by permutation of the decisions within runs",
                "size_p_holm": "the same corrected, by Holm's method, for all cells and both axes",
                "inflation": "how much wider intervals are because the two go together (1: not at all)",
                "kept": "share of all alternatives that were kept",
                **_interval("slope", "change of size in a round for each word that a lexicon is larger"),
                **_interval("returns", "the size at which that change is 0", value="returns_to"),
                "coin_difference": "mean final gap minus the coin's from the same starts",
                "coin_low": "lower end of its 95 % interval",
                "coin_high": "upper end",
                "coin_equivalent_within": "the difference is not larger than this in either direction, at 95 %",
                "coin_permutation_p": "p-value by permutation of who decided within starts, or among whole seeds",
                "coin_permutation_p_holm": "the same corrected, by Holm's method, for all cells",
                "won_sd": "standard deviation of the difference of games won with the two systems, in percent",
                **_interval("won_symbol", "games won more in 100 for each symbol by which an alternative is shorter"),
                **_interval("won_word", "games won more in 100 for each word by which its lexicon is smaller"),
            },
        ),
        "pressures-runs": Explained(
            "The same study, a row for each run.",
            cell
            | {
                "start": "the starting system",
                "seed": "the seed of the run",
                "streams": "where its random numbers come from: run, or seed (shared by all starts; so if empty)",
                "gap_before": "gap of the start",
                "gap": "final gap to the proved frontier",
                "size": "final lexicon size",
                "average_complexity": "final average complexity",
            }
            | lexicon,
        ),
    }


def _interval(name: str, about: str, value: str | None = None) -> dict[str, str]:
    ends = {
        f"{name}_low": "lower end of its 95 % interval, from leaving out one run (or seed) after the other",
        f"{name}_high": "upper end",
    }
    return {value or name: about, **ends}
