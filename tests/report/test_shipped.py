"""The tables that come with the package agree with each other and with what the docs quote from them."""

import re
from pathlib import Path

import pandas as pd
import pytest
from studies.pressures_contrasts import gaps_of, rounds_of

from ishango.analysis.statistics import contrast
from ishango.report._columns import explained_tables
from ishango.report._data import NAMES, shipped_tables

DOCS = Path(__file__).parents[2] / "docs" / "studies" / "pressures.md"
CONTRASTS = DOCS.with_name("pressures_contrasts.csv")


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return shipped_tables()


def test_every_column_is_explained(tables):
    for name in NAMES:
        assert set(tables[name].columns) <= set(explained_tables("shipped")[name].columns)


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
    gaps = {cell: gaps_of(played) for cell, played in runs.groupby("cell")}
    coins = {rounds_of(cell): cell for cell in gaps if cell.startswith("coin")}
    for row in tables["pressures"].itertuples():
        if row.kind == "agents":
            found = contrast(gaps[row.cell], gaps[coins[rounds_of(row.cell)]])
            assert found.value == pytest.approx(row.coin_difference, abs=1e-3)
            assert found.p == pytest.approx(row.coin_permutation_p, abs=0.02)


def pages() -> tuple[str, str]:
    """The page on pressures without its section on independent runs, and that section."""
    before, heading, after = DOCS.read_text(encoding="utf-8").partition("## Again with independent runs")
    independent, following, rest = after.partition("\n## ")
    assert heading
    assert following
    return before + rest, independent


def test_the_docs_quote_the_table(tables):
    quoted = re.findall(r"^\| \*{0,2}(.+?)\*{0,2} \| \*{0,2}([\d.]+) \(([\d.]+) to ([\d.]+)\)", pages()[0], re.M)
    agents = tables["pressures"][tables["pressures"]["kind"] == "agents"]
    assert len(quoted) >= len(agents) + 1  # and drift
    held = {tuple(map(_short, (row.gap, row.gap_low, row.gap_high))) for row in tables["pressures"].itertuples()}
    assert {each[1:] for each in quoted} <= held


def test_the_docs_quote_differences_between_cells(tables):
    table = pd.read_csv(CONTRASTS)
    cells = set(tables["pressures-runs"]["cell"])
    assert set(table["cell"]) | set(table["against"]) == cells
    held = [(_short(row.low), _short(row.high), row.p) for row in table.itertuples()]
    held += [(_short(-row.high), _short(-row.low), row.p) for row in table.itertuples()]
    text = " ".join(pages()[0].split())  # wherever lines are broken
    quoted = re.findall(r"(-?[\d.]+) to (-?[\d.]+), p = (\.\d+)\)", text)
    quoted += [("-inf", "inf", p) for p in re.findall(r"[( ]p = (\.\d+)\)", text) if f"to {p}" not in text]
    assert len(quoted) > 20
    for low, high, p in quoted:
        digits = len(p) - 1
        known = {(a, b, f"{c:.{digits}f}"[1:]) for a, b, c in held}
        assert (low, high, p) in known or (low == "-inf" and any(p == each[2] for each in known)), (low, high, p)
    gaps = {cell: gaps_of(played) for cell, played in tables["pressures-runs"].groupby("cell")}
    for row in table[:: len(table) // 3].itertuples():  # a few of them once more
        assert contrast(gaps[row.cell], gaps[row.against]).low == pytest.approx(row.low, abs=1e-3)


def test_the_docs_quote_the_table_of_independent_runs():
    table = pd.read_csv(DOCS.parents[1] / "figures" / "pressures-independent.csv")
    lines = [line for line in pages()[1].splitlines() if line.startswith("| ") and not line.startswith("| |")]
    assert len(lines) == len(table)
    for line in lines:
        gap, against, words, length, size = (_numbers(cell) for cell in line.split("|")[2:-1])
        row = table[[_short(each) == gap[0] for each in table["gap"]]].iloc[0]
        assert gap == [_short(row[name]) for name in ("gap", "gap_low", "gap_high")]
        if against:
            assert against[:3] == [_short(row[f"coin_{name}"]) for name in ("difference", "low", "high")]
            assert float(against[3]) == pytest.approx(row["coin_permutation_p"], abs=0.005)
        assert float(words[0]) == row["words"]
        for told, axis in ((length, "length"), (size, "size")):
            for number, name in zip(told, (axis, f"{axis}_low", f"{axis}_high"), strict=True):
                digits = len(number.partition(".")[2])
                assert float(number) == pytest.approx(row[name], abs=0.51 * 10**-digits)


def _numbers(cell: str) -> list[str]:
    return re.findall(r"-?[\d.]*\d", cell)


def _short(number: float) -> str:
    return f"{number:.2f}".replace("0.", ".", 1) if abs(number) < 1 else f"{number:.2f}"
