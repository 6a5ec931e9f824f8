"""The runs of several directories as one table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ishango.errors import RequestError


def with_numbers(rounds: pd.DataFrame, columns: Sequence[str], needed: Sequence[str] = ()) -> pd.DataFrame:
    """The table with these columns as numbers; text in one of them, or nothing where one is needed, is damage."""
    for name in columns:
        try:
            numbers = pd.to_numeric(rounds[name])
        except (ValueError, TypeError, KeyError):
            raise RequestError(f"What the runs recorded as {name} are not numbers; leave damaged runs out.") from None
        if name in needed and numbers.isna().any():
            run = rounds.loc[numbers.isna(), "run"].iloc[0]
            raise RequestError(f"The run {run} has rounds without {name}, so it is damaged; leave it out.")
        rounds = rounds.assign(**{name: numbers})
    return rounds


def read_runs(directories: Sequence[Path]) -> pd.DataFrame:
    """All rounds of all runs below the directories; a run that is found twice counts once.

    `run` is the run's name below the directory that was given, with that directory's name before it, or the whole path
    where two runs would have one name.
    """
    if not directories:
        raise RequestError("There is nothing to compare; give directories of runs.")
    from ishango.lab import rounds_table  # not for the help text: what it needs is an extra

    rounds = rounds_table(directories)
    if len(directories) > 1:
        return rounds  # with their directories' names, which tell them apart
    return rounds.assign(run=f"{directories[0].resolve().name}/" + rounds["run"].astype(str))
