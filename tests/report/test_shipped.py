"""The tables that come with the package agree with each other and with what the docs quote from them."""

import re
from pathlib import Path

import pandas as pd
import pytest

from ishango.evolution.stratified import contrast
from ishango.report.shipped import NAMES, shipped_columns, shipped_tables

DOCS = Path(__file__).parents[2] / "docs" / "pressures.md"


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return shipped_tables()


def test_every_column_is_explained(tables):
    for name in NAMES:
        assert set(tables[name].columns) <= set(shipped_columns()[name].columns)


def test_cells_are_what_their_runs_are(tables):
    cells, runs = tables["pressures"].set_index("cell"), tables["pressures-runs"].groupby("cell")
    assert set(runs.groups) == set(cells.index)
    for cell, played in runs:
        assert len(played) == cells.loc[cell, "runs"] >= 24
        assert set(played["start"]) == set(range(1, 9))
        for column, quantile in (("gap_low", 0.25), ("gap", 0.5), ("gap_high", 0.75)):
            assert played["gap"].quantile(quantile) == pytest.approx(cells.loc[cell, column], abs=2e-4)
        assert played["size"].median() == cells.loc[cell, "words"]


def test_the_contrast_with_drift_can_be_computed_again(tables):
    runs = tables["pressures-runs"]
    coin = runs[runs["kind"] == "drift"].set_index("start")["gap"]
    for row in tables["pressures"].itertuples():
        if row.kind == "agents":
            theirs = runs[runs["cell"] == row.cell].set_index("start")["gap"]
            found = contrast(theirs, coin)
            assert found.value == pytest.approx(row.coin_difference, abs=1e-3)
            assert found.p == pytest.approx(row.coin_permutation_p, abs=0.02)


def test_the_docs_quote_the_table(tables):
    quoted = re.findall(r"^\| \*{0,2}(.+?)\*{0,2} \| \*{0,2}([\d.]+) \(([\d.]+) to ([\d.]+)\)", DOCS.read_text(), re.M)
    agents = tables["pressures"][tables["pressures"]["kind"] == "agents"]
    assert len(quoted) >= len(agents) + 1  # and drift
    held = {tuple(map(_short, (row.gap, row.gap_low, row.gap_high))) for row in tables["pressures"].itertuples()}
    assert {each[1:] for each in quoted} <= held


def _short(number: float) -> str:
    return f"{number:.2f}".removeprefix("0")
