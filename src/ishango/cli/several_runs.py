"""The runs of several directories as one table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ishango.errors import RequestError
from ishango.lab import rounds_table


def read_runs(directories: Sequence[Path]) -> pd.DataFrame:
    """All rounds of all runs below the directories; a run that is found twice counts once.

    `run` is the run's name below the directory that was given, with that directory's name before it, or the whole path
    where two runs would have one name.
    """
    if not directories:
        raise RequestError("There is nothing to compare; give directories of runs.")
    rounds = rounds_table(directories)
    if len(directories) > 1:
        return rounds  # with their directories' names, which tell them apart
    return rounds.assign(run=f"{directories[0].resolve().name}/" + rounds["run"].astype(str))
