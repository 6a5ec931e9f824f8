"""The lexicons with which runs end, and how like human ones they are."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ishango.languages.nearest import likeness


def last_lexicons(rounds: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """One row a run: the columns `by`, the size that it recorded last, and what its last lexicon is like.

    What a lexicon's size is the grammar says: under some a multiplier costs more than a word.
    """
    last = rounds.sort_values(["run", "round"]).drop_duplicates("run", keep="last")
    traits = pd.DataFrame([vars(likeness(d, m)) for d, m in zip(last["digits"], last["multipliers"], strict=True)])
    return pd.concat([last[["run", *by, "size"]].reset_index(drop=True), traits.drop(columns="size")], axis=1)
