"""The tables of neural learners agree with each other and with what the docs quote from them."""

import re
from pathlib import Path

import pandas as pd
import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def cells() -> pd.DataFrame:
    return pd.read_csv(DOCS / "figures" / "generations-neural.csv", dtype={"bottleneck": str})


def test_cells_are_what_their_runs_are(cells):
    runs = pd.read_csv(DOCS / "figures" / "generations-neural-runs.csv", dtype={"bottleneck": str})
    agents = cells[cells["kind"] == "agents"].set_index(["cell", "bottleneck"])
    assert set(runs.groupby(["cell", "bottleneck"]).groups) == set(agents.index)
    for place, played in runs.groupby(["cell", "bottleneck"]):
        told = agents.loc[place]
        assert len(played) == told["runs"] == 24
        assert played["start"].value_counts().to_dict() == dict.fromkeys(range(1, 9), 3)
        for name in ("gap", "size"):
            for column, quantile in ((f"{name}_low", 0.25), (name, 0.5), (f"{name}_high", 0.75)):
                assert played[name].quantile(quantile) == pytest.approx(told[column], abs=2e-4)
        kept = (played["kept"] * played["contests"]).sum() / played["contests"].sum()
        assert kept == pytest.approx(told["kept"], abs=1e-3)


def test_every_cell_of_agents_stands_beside_its_controls(cells):
    for row in cells[cells["kind"] == "agents"].itertuples():
        beside = set(cells.loc[cells["bottleneck"] == row.bottleneck, "cell"])
        assert {"drift", "every word kept"} < beside
        if row.kept == row.kept:
            assert f"a coin keeps as many: {row.cell}" in beside


def test_the_docs_quote_the_table(cells):
    text = (DOCS / "studies" / "generations.md").read_text(encoding="utf-8")
    quoted = re.findall(r"^\| (50|200|1,000|all) \| (agents[^|]*?|every word kept|drift) \| ([\d.]+) \(", text, re.M)
    held = {(row.bottleneck, row.cell, f"{row.gap:.3f}") for row in cells.itertuples()}
    assert len(quoted) >= (cells["kind"] == "agents").sum()
    assert {(bottleneck.replace(",", ""), cell.strip(), gap) for bottleneck, cell, gap in quoted} <= held
