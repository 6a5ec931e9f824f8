"""The whole paper, very small: its files, its verdicts, and what it refuses."""

import shutil
from dataclasses import replace

import pandas as pd
import pytest
from tests.report.tiny import TINY

from ishango.errors import RequestError
from ishango.report import reproduce, verdicts
from ishango.report._columns import explained_tables
from ishango.report._data import Data
from ishango.report._outcomes import ends_data, selection_data
from ishango.report._sections import FIGURES
from ishango.report.claims import verdicts_table


def test_every_figure_and_table_is_there(reproduction):
    assert sorted(path.name for path in (reproduction / "figures").iterdir()) == sorted(
        f"{name}.{format}" for name in FIGURES for format in ("pdf", "svg", "png", "html")
    )
    assert set(Data(reproduction / "data")) == set(explained_tables())
    assert (reproduction / "index.html").exists()


def test_every_column_is_explained_and_nothing_else(reproduction):
    data = Data(reproduction / "data")
    for name, (_, columns) in explained_tables().items():
        assert sorted(columns) == sorted(data[name].columns), name
    text = (reproduction / "data" / "README.md").read_text(encoding="utf-8")
    assert all(f"## {name}.csv" in text for name in explained_tables())


def test_verdicts_can_be_recomputed_from_the_data_alone(reproduction, tmp_path):
    copy = tmp_path / "data"
    shutil.copytree(reproduction / "data", copy, ignore=shutil.ignore_patterns("verdicts.csv"))
    written = pd.read_csv(reproduction / "data" / "verdicts.csv")
    again = verdicts_table(verdicts(Data(copy)))
    pd.testing.assert_frame_equal(again, written, check_dtype=False)
    assert len(written) > 15


def test_tables_made_from_rounds_can_be_made_again(reproduction):
    data = Data(reproduction / "data")
    for name, again in (("selection", selection_data(data["rounds"])), ("ends", ends_data(data["rounds"]))):
        pd.testing.assert_frame_equal(again, data[name], check_dtype=False)


def test_other_directories_are_refused(reproduction, tmp_path):
    with pytest.raises(RequestError, match="holds a tiny reproduction"):
        reproduce(replace(TINY, name="small"), reproduction)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RequestError, match="not empty"):
        reproduce(TINY, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
