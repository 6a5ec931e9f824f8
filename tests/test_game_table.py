"""The table of docs/studies/game.md is that of its file, and both are written by the benchmark."""

from pathlib import Path

import pytest
from benchmarks import game_table

DOCS = Path(__file__).parents[1] / "docs"


def test_the_page_shows_what_was_measured():
    text = (DOCS / "studies" / "game.md").read_text(encoding="utf-8")
    rows = game_table.read(DOCS / game_table.FILE)
    assert [row["start"] for row in rows] == list(range(1, 9))
    assert game_table.page_with(text, rows) == text


def test_ratios_and_means(tmp_path):
    rows = [
        {"start": start, "kernel": 100.0, "floor": 50.0, "pytorch": 3000.0 * start, "kernel_first": 100.0,
         "pytorch_first": 2000.0, **dict.fromkeys(game_table.PHASES, 20.0), "nodes": 30.0, "recurrent": 10.0}
        for start in (1, 3)
    ]  # fmt: skip
    game_table.write(tmp_path / "game.csv", rows)
    assert game_table.read(tmp_path / "game.csv") == rows
    table = game_table.markdown(rows).splitlines()
    assert table[2] == "| 1 | 100 | 50 | 2.0 | 30.0 | 20.0 |"
    assert table[3] == "| 3 | 100 | 50 | 2.0 | 90.0 | 20.0 |"
    assert table[4] == "| geometric mean | | | **2.0** | **52.0** | **20.0** |"
    assert game_table.mean_ratio(rows, "pytorch") == pytest.approx(30 * 3**0.5)
