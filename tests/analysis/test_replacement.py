"""Replacements are counted as one counts by hand, and the docs quote the table that the study makes."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from studies.matched_drift import rates_of
from studies.replacement import HALF, UPTO, beside_drift, replaced, sparing

from ishango.analysis.selection import decisions
from ishango.evolution import EVOLUTION, EvolutionOptions
from ishango.lab import play_in_memory
from ishango.numerals import NumeralSystem

ROOT = Path(__file__).parents[2]


def test_a_replacement_is_another_expression_than_in_the_round_before():
    ten, with_eleven = NumeralSystem.parse("1-9 | 10"), NumeralSystem.parse("1-9,11 | 10")
    count = replaced([ten, with_eleven, with_eleven, ten])
    assert count[10] == 2, "11 is said otherwise twice"
    assert not count[:10].any(), "1 to 10 are words of both"


def test_sparing_is_below_0_where_low_numbers_change_less_than_drift_says():
    drift = np.full(UPTO, 4.0)
    agents = drift.copy()
    assert sparing(agents, drift) == pytest.approx(0.0)
    agents[:10] = 1.0
    assert sparing(agents, drift) == pytest.approx(np.log((10 + HALF) / (40 + HALF)))
    assert sparing(drift, agents) > 0


def test_drift_beside_a_run_proposes_and_keeps_as_the_run_did():
    experiment = EVOLUTION.from_config({"choose": "drift", "start": "3", "rounds": 30, "seed": 1})
    names = ("start", "add", "modifications", "grammar", "need")
    config = {**{name: getattr(EvolutionOptions(), name) for name in names}, "start": "3"}
    run = pd.DataFrame(play_in_memory(experiment)[0]).assign(run="one", streams="run", seed=1, **config)
    kept = run.dropna(subset=["accepted"])
    rates = rates_of(decisions(run))[0]
    for kind in (-1, 0, 1):
        same = kept[np.sign(kept["delta_size"].astype(float)) == kind]
        assert rates.get((kind, -1), np.nan) == pytest.approx(same["accepted"].astype(float).mean(), nan_ok=True)
    row = beside_drift(run, 2)
    assert row["1 to 10"] == pytest.approx((row["1 to 5"] + row["6 to 10"]) / 2)
    assert row["drift, 11 to 50"] > 0


def test_docs_quote_the_table():
    text = (ROOT / "docs" / "studies" / "evolution.md").read_text("utf-8")
    table = pd.read_csv(ROOT / "docs" / "figures" / "replacement.csv")
    assert len(table) == 4
    assert (table["verdict"] == "not shown to differ").all()
    for _, row in table.iterrows():
        low, some, high = (
            f"{row[name]:.1f}, {row[f'drift, {name}']:.1f}" for name in ("1 to 5", "6 to 10", "11 to 50")
        )
        assert f"| {row['add']} | {row['runs']} | {low} | {some} | {high} | " in text
    assert (table["6 to 10"] / table["1 to 5"]).between(1.5, 2.5).all(), "about half as often"
    assert (table["drift, 6 to 10"] / table["drift, 1 to 5"]).between(1.5, 2.5).all()
    lowest = table[table["add"] == "lowest"]
    assert (lowest["11 to 50"] / lowest["1 to 5"]).between(3.5, 4.6).all(), "some four times as often"


def test_docs_quote_the_table_of_matched_drift():
    text = (ROOT / "docs" / "studies" / "evolution.md").read_text("utf-8")
    table = pd.read_csv(ROOT / "docs" / "figures" / "matched-drift.csv")
    own = table[(table["steps"] == 40_000) & (table["learners"] == "same")]
    assert len(own) == 8, "four settings beside two coins"
    for _, rows in own.groupby(["add", "game.lost_entropy"]):
        gaps = rows.set_index("coin")
        first = gaps.iloc[0]
        beside = plain(gaps.loc["as often", "drift"])
        assert f"| {first['add']} | {first['runs']} | .97, {plain(first['gap'])} | {beside} | " in text
        assert f"| {plain(gaps.loc['as new', 'drift'])} | {plain(gaps.loc['as new', 'place'])}" in text
    assert (own["verdict"] == "not shown to differ").all() or own["low"].isna().any()


def plain(number: float) -> str:
    """A number as the docs write it: .04, 1.15."""
    return f"{number:.2f}".removeprefix("0")
