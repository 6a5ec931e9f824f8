"""The lexicons with which runs end, and how like human ones they are."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ishango.languages.nearest import likeness


def last_lexicons(rounds: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """One row a run: the columns `by`, and what its last lexicon is like."""
    last = rounds.sort_values(["run", "round"]).drop_duplicates("run", keep="last")
    traits = pd.DataFrame([vars(likeness(d, m)) for d, m in zip(last["digits"], last["multipliers"], strict=True)])
    return pd.concat([last[["run", *by]].reset_index(drop=True), traits], axis=1)
