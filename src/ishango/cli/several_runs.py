"""The runs of several directories as one table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ishango.errors import RequestError
from ishango.lab import rounds_table
from ishango.lab.directory import RUN


def read_runs(directories: Sequence[Path]) -> pd.DataFrame:
    """All rounds of all runs below the directories; a run that is found twice counts once.

    `run` is the run's name below the directory that was given, with that directory's name before it, or the whole path
    where two runs would have one name.
    """
    if not directories:
        raise RequestError("There is nothing to compare; give directories of runs.")
    tables = [_read(number, directory) for number, directory in enumerate(directories)]
    rounds = pd.concat(tables, ignore_index=True)
    rounds = rounds[rounds["found"] == rounds.groupby("place")["found"].transform("first")]
    unique = rounds.groupby("run")["place"].transform("nunique") == 1
    rounds = rounds.assign(run=rounds["run"].where(unique, rounds["place"]))
    return rounds.drop(columns=["place", "found"]).reset_index(drop=True)


def _read(number: int, directory: Path) -> pd.DataFrame:
    """The rounds below a directory, with the place of each run, and where it was found."""
    rounds = rounds_table(directory)
    names = rounds["run"].astype(str)
    return rounds.assign(
        run=f"{directory.name or directory.resolve().name}/" + names,
        found=f"{number}/" + names,
        place=names.map({name: _place(directory, name) for name in names.unique()}),
    )


def _place(directory: Path, name: str) -> str:
    """The directory of a run; one that was given itself goes by its own name."""
    below = directory / name
    return str((below if (below / RUN).exists() else directory).resolve())
