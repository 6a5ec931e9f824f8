"""What a table of the report holds, in words."""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from ishango.errors import RequestError
from ishango.safe_files import write


class Explained(NamedTuple):
    """A table in words."""

    about: str
    """What it holds, in a sentence."""
    columns: Mapping[str, str]
    """What each of its columns means."""


# The tables of a reproduction on disk: what the figures, the verdicts and the page are made from.

Tables = Mapping[str, pd.DataFrame]
"""Tables by their names."""

TEXT = ("start", "digits", "multipliers", "system", "lowest", "literal", "alternative", "run", "name")
"""Columns that look like numbers in some rows and are none."""


PACKED = ".csv.xz"
"""How the file of a table ends that is shipped: compressed, as R, pandas and DuckDB read it, too."""


class Data(Mapping[str, pd.DataFrame]):
    """The tables below a directory by their names, compressed or not, each read when it is first asked for."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._tables: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._tables:
            paths = [self.directory / f"{name}{end}" for end in (".csv", PACKED)]
            path = next((each for each in paths if each.is_file()), None)
            if path is None:
                raise KeyError(name)
            self._tables[name] = _read(path)
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        files = [*self.directory.glob("*.csv"), *self.directory.glob(f"*{PACKED}")]
        return iter(sorted({path.name.partition(".csv")[0] for path in files}))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _read(path: Path) -> pd.DataFrame:
    # Read as a whole: chunk by chunk a column without numbers in one of them would have two types.
    try:
        return pd.read_csv(path, dtype=dict.fromkeys(TEXT, str), low_memory=False)
    except (ValueError, EOFError, lzma.LZMAError) as error:  # empty or cut off, say
        raise RequestError(f"{path} is not a table ({error}); let ishango reproduce make it again.") from None


def write_tables(tables: Tables, directory: Path, *, packed: bool = False) -> None:
    """Write each table as CSV, whole or not at all; numbers are written so that they read back as they are."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        text = table.to_csv(index=False, lineterminator="\n").encode()
        write(directory / f"{name}{PACKED if packed else '.csv'}", lzma.compress(text, preset=9) if packed else text)


# Tables of studies that take too long to be played with every reproduction: they come with the package.

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
