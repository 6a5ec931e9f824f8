"""Reproductions of which some runs are there: what is judged, what is said, and what ships."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from tests.report.tiny import TINY

import ishango
from ishango.cli import main
from ishango.errors import RequestError
from ishango.lab import archive, unarchive
from ishango.report import reproduce, ship, shipped_results, still_missing, verdicts, write_results
from ishango.report._columns import explained_tables
from ishango.report._data import (
    RESULTS,
    Data,
    languages_table,
    restricted_tables,
    world_table,
    write_tables,
)
from ishango.report._outcomes import game_data, lacking, learning_data, rounds_data, selection_data, understood_data
from ishango.report._reproduction import _take, tables_of_runs
from ishango.report._results import MOST_BYTES, PLACES, commit, page_text
from ishango.report._sections import FIGURES
from ishango.report._studies import studies
from ishango.report.claims import CLAIMS, verdicts_table
from ishango.report.claims._claim import NOT_JUDGED

PAGE = Path(__file__).parents[2] / "docs" / "studies" / "results.md"
SILENT = {"game", "game_guesses", "understood"}
"""Tables for which agents are asked."""


@pytest.fixture(scope="module")
def archived(reproduction, tmp_path_factory):
    """The runs of a reproduction out of an archive: without their agents."""
    directory = tmp_path_factory.mktemp("archived")
    archive(reproduction, directory / "runs.tar.xz")
    unarchive(directory / "runs.tar.xz", directory / "out")
    return directory / "out"


@pytest.fixture(scope="module")
def partial(reproduction, archived, tmp_path_factory):
    """A reproduction in which one start of the agents is missing, one run of another study is not done, and two studies
    are not there."""
    out = tmp_path_factory.mktemp("partial") / "out"
    shutil.copytree(archived, out, copy_function=os.link)
    shutil.rmtree(out / "runs" / "agents" / "seed=0,start=3")
    (out / "runs" / "hurford" / "start=5" / "DONE").unlink()
    for study in ("rewards", "restricted"):
        shutil.rmtree(out / "runs" / study)
    shutil.copytree(reproduction / "data", out / "data")
    write_tables(tables_of_runs(TINY, out / "runs"), out / "data")
    return out


@pytest.fixture(scope="module")
def found(partial):
    return {each.name: each for each in verdicts(Data(partial / "data"))}


def test_runs_out_of_an_archive_give_the_same_tables_but_for_what_agents_are_asked(reproduction, archived, tmp_path):
    write_tables({"rounds": rounds_data(archived / "runs"), "learning": learning_data(archived / "runs")}, tmp_path)
    for name, table in Data(tmp_path).items():
        pd.testing.assert_frame_equal(table, Data(reproduction / "data")[name])
    assert all(table.empty for table in game_data(archived / "runs").values())
    assert understood_data(archived / "runs").empty


def test_tables_without_runs_have_their_columns(partial, reproduction):
    before, after = (Data(each / "data") for each in (reproduction, partial))
    for name in SILENT | {"rewards", "restricted_agents"}:
        assert not len(after[name])
        assert sorted(after[name].columns) == sorted(before[name].columns)


def test_claims_are_judged_when_each_of_their_starts_has_a_finished_run(judged, found):
    missing = {"agents", "hurford", "rewards", "restricted"}
    for each in judged:
        if set(CLAIMS[each.name].studies) & missing:
            assert found[each.name].statistic == NOT_JUDGED
            assert found[each.name].ruling == "too little data here"
        elif each.name not in ("large-numbers-are-lost", "exponential-is-worse"):
            assert (found[each.name].ruling, found[each.name].value) == (each.ruling, each.value)
    assert found["toward-the-frontier"].measured == (
        "Not judged yet: 7 of 8 runs of agents are finished, of 7 of 8 settings."
    )
    assert "without their agents" in found["large-numbers-are-lost"].measured
    assert {each.ruling for each in found.values()} > {"holds", "does not hold"}


def test_runs_out_of_an_archive_are_taken_for_a_reproduction(archived):
    _take(archived, TINY)
    assert json.loads((archived / "reproduction.json").read_text())["scale"] == "tiny"


def test_every_claim_names_studies_that_there_are():
    known = {*studies(TINY), "matched-coin"}
    assert all(set(each.studies) <= known for each in CLAIMS.values())
    assert all(set(each.studies) <= known for each in FIGURES.values())


def test_claims_about_runs_say_which(reproduction):
    """A claim that says nothing of studies gives the same verdict when there are no runs at all."""
    data = dict(Data(reproduction / "data"))
    empty = {name: data[name].iloc[:0] for name in explained_tables("outcomes")}
    for each in CLAIMS.values():
        if not each.studies:
            # As text: what was not measured is NaN, which is not equal to itself.
            assert repr(each.verdict({**data, **empty})) == repr(each.verdict(data)), each.name


def test_what_is_missing_is_told(partial, reproduction):
    assert still_missing(Data(partial / "data")) == (
        "Partial: of the runs there are 7 of 8 of agents at 30 steps, 7 of 8 of hurford at 20 steps, 0 of 16 of rewards"
        " at 30 steps, 0 of 9 of restricted at 10 steps."
    )
    assert still_missing(Data(reproduction / "data")) == ""
    assert lacking({}, ["agents"]) == ""


def test_results_are_a_function_of_the_tables_that_ship(partial, tmp_path, monkeypatch):
    monkeypatch.setattr("ishango.report._results.SHOWN", ("selection", "restricted-ends"))  # the second cannot be drawn
    ship(partial, tmp_path / "tables")
    said = write_results(tmp_path / "tables", tmp_path / "results.md", tmp_path / "figures")
    tables = Data(tmp_path / "tables")
    page = (tmp_path / "results.md").read_text(encoding="utf-8")
    assert page == page_text(tables, verdicts(tables), "tables", "figures")
    assert "Partial: of the runs there are 7 of 8 of agents" in page
    assert page.count("| ○ not judged |") == sum(each.statistic == NOT_JUDGED for each in said) > 10
    assert "**Do agents prefer shorter languages?** Not judged yet." in page
    pd.testing.assert_frame_equal(verdicts_table(said), tables["verdicts"], check_dtype=False)
    assert [path.name for path in (tmp_path / "figures").iterdir()] == ["results-selection.svg"]
    coin = tables["rounds"].query("choose == 'coin'")
    assert coin["digits"].isna().all()
    assert coin["gap"].notna().any()


@pytest.fixture
def small(tmp_path, monkeypatch):
    """What `ship` needs of a reproduction, in a moment."""
    rounds = pd.DataFrame({"choose": ["coin"], "digits": ["1"], "multipliers": ["2"], "alternative": ["3"]})
    others = {name: pd.DataFrame({"name": ["a"]}) for name in ("bands", "ends", "studies", "verdicts")}
    write_tables({**others, "rounds": rounds}, tmp_path / "out" / "data")
    monkeypatch.setattr("ishango.report._results.explained_tables", lambda: {**others, "rounds": rounds})
    monkeypatch.setattr("ishango.report._results.verdicts", lambda _data: [])
    monkeypatch.setattr("ishango.report._results._made", lambda _out: {})
    return tmp_path / "out"


def test_tables_that_ship_replace_tables_that_shipped_and_nothing_else(small, tmp_path):
    tables = tmp_path / "tables"
    tables.mkdir()
    (tables / "bands.csv.xz").write_bytes(b"of an earlier reproduction")
    ship(small, tables)
    names = {"made.json", *(f"{name}.csv.xz" for name in ("bands", "ends", "rounds", "studies", "verdicts"))}
    assert {path.name for path in tables.iterdir()} == names
    assert Data(tables)["bands"].equals(Data(small / "data")["bands"])
    for name in ("mine.csv.xz", "thesis.tex", "bands.csv"):
        before = {path.name: path.read_bytes() for path in tables.iterdir()}
        (tables / name).write_text("mine")
        with pytest.raises(RequestError, match=f"holds {name}, which is no table"):
            ship(small, tables)
        assert (tables / name).read_text() == "mine"
        (tables / name).unlink()
        assert {path.name: path.read_bytes() for path in tables.iterdir()} == before


@pytest.mark.parametrize("text", [None, "", "\n"])
@pytest.mark.parametrize("name", ["rounds", "ends"])
def test_a_table_that_is_missing_or_empty_is_refused(small, tmp_path, capsys, name, text):
    table = small / "data" / f"{name}.csv"
    table.unlink() if text is None else table.write_text(text)
    assert main(["results", str(small), "--out", str(tmp_path / "page.md")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert (f"no table {name}" if text is None else f"{name}.csv is not a table") in said
    assert not (tmp_path / "page.md").exists()


@pytest.mark.parametrize("text", [",\n", "run,gap\n", "﻿\n", "choose\ncoin\n"])
def test_a_table_without_its_columns_is_refused(small, tmp_path, capsys, text):
    (small / "data" / "rounds.csv").write_text(text, encoding="utf-8")
    assert main(["results", str(small), "--out", str(tmp_path / "page.md")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "rounds" in said
    assert not (tmp_path / "page.md").exists()


def test_tables_that_are_too_long_change_nothing(small, tmp_path, monkeypatch):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "rounds.csv.xz").write_bytes(b"old")
    monkeypatch.setattr("ishango.report._results.MOST_BYTES", 10)
    with pytest.raises(RequestError, match="should take 10 at most"):
        ship(small, tmp_path / "tables")
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["rounds.csv.xz"]
    assert (tmp_path / "tables" / "rounds.csv.xz").read_bytes() == b"old"


def test_the_commit_of_the_code_is_not_that_of_a_repository_around_it(tmp_path):
    """The package may be installed in an environment inside a repository of one's own."""
    installed, own = tmp_path / ".venv" / "lib" / "ishango", tmp_path / "src" / "ishango"
    for package in (installed, own):
        package.mkdir(parents=True)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "mine"]):
        subprocess.run([*git, *words], check=True, timeout=20)
    assert commit(installed) == f"ishango {ishango.__version__}"
    assert re.fullmatch("[0-9a-f]{12}", commit(own))


def test_reproductions_from_finished_runs_refuse_what_holds_none(tmp_path, partial, capsys):
    with pytest.raises(RequestError, match="There are no finished runs"):
        reproduce(TINY, tmp_path / "new", say=lambda _text: None, play=False)
    with pytest.raises(RequestError, match="holds no tables of a reproduction"):
        ship(tmp_path, tmp_path / "tables")
    for wrong in (["results", str(partial)], ["results", "--out", "x.md"]):
        assert main(wrong) == 2
        assert "give a reproduction and --out FILE" in capsys.readouterr().err


def test_the_docs_show_results_if_and_only_if_their_tables_ship(capsys):
    assert PAGE.exists() == RESULTS.is_dir()
    if not RESULTS.is_dir():
        assert main(["results"]) == 2
        assert capsys.readouterr().err.startswith("ishango: This version ships no results of a full reproduction;")
        return
    data = shipped_results()
    again = verdicts(data)
    pd.testing.assert_frame_equal(verdicts_table(again), data["verdicts"], check_dtype=False)
    tables = Path(os.path.relpath(RESULTS, PAGE.parent)).as_posix()
    assert PAGE.read_text(encoding="utf-8") == page_text(data, again, tables, "figures")
    assert sum(path.stat().st_size for path in RESULTS.iterdir()) < MOST_BYTES


@pytest.mark.parametrize("name", ["languages", "world", "restricted_languages"])
def test_what_ships_of_human_languages_is_what_is_computed_today(name):
    made = {"languages": languages_table, "world": world_table}.get(name) or (lambda: restricted_tables()[name])
    shipped = shipped_results()[name]
    assert shipped.filter(like="glottocode").notna().all(axis=None)
    pd.testing.assert_frame_equal(shipped, made().round(PLACES), check_dtype=False)


def test_a_side_study_alone_makes_tables_and_a_picture_of_paths(reproduction):
    """Nothing to compare, and none of the runs whose paths the page shows first."""
    rounds = Data(reproduction / "data")["rounds"]
    assert selection_data(rounds[rounds["study"] == "hurford"]).empty
    late = rounds[(rounds["study"] != "agents") | (rounds["start"].astype(str) == "7")]
    data = {"rounds": late, "frontier": Data(reproduction / "data")["frontier"]}
    drawn = FIGURES["trajectories"].draw(data).to_dict()
    assert any("7" in str(row.get("start")) for rows in drawn["datasets"].values() for row in rows)
