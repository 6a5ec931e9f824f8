import pandas as pd
import pytest
from tests.lab.toy import toy

from ishango.errors import RequestError
from ishango.lab import RunError, rounds_table, run, write_table
from ishango.lab.rounds import NAME


@pytest.fixture
def runs(tmp_path):
    """Two runs: one with lists, nested fields and a field the rounds have too; one that is going on."""
    run(toy(2, start=1, words=[1, 2], agents={"hidden": 5}, mean="start"), tmp_path / "a" / "start=1,seed=0")
    run(toy(1, start="random:3"), tmp_path / "b")
    with (tmp_path / "b" / NAME).open("a") as file:
        file.write('{"round": 2, "place": [0.5, ')
    (tmp_path / "fresh").mkdir()
    (tmp_path / "fresh" / "run.json").write_text('{"config": {}}')  # a run that has not finished a round
    return tmp_path


def test_rounds_and_configs_of_all_runs_and_no_half_line(runs):
    table = rounds_table(runs)
    assert table["run"].tolist() == ["a/start=1,seed=0"] * 3 + ["b"] * 2
    assert table["round"].tolist() == [0, 1, 2, 0, 1]
    configs = {"rounds", "seed", "start", "words", "agents.hidden", "config.mean"}
    assert set(table.columns) == {"run", "round", "place", "mean", *configs}
    first = table.iloc[0]
    assert (first["start"], first["words"], first["agents.hidden"]) == ("1", "[1, 2]", 5)
    assert (first["config.mean"], first["mean"]) == ("start", pytest.approx(0.2113493))
    assert list(first["place"]) == pytest.approx([0.1257302, -0.1321049, 0.6404227])
    assert table["start"].tolist()[3:] == ["random:3"] * 2


def test_one_run_by_itself(runs):
    assert rounds_table(runs / "b")["run"].tolist() == ["b", "b"]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_files_agree_with_the_table(runs, suffix):
    file = runs / f"rounds{suffix}"
    file.write_text("what was there before")
    assert write_table(runs, file) == 5
    if suffix == ".csv":
        back = pd.read_csv(file)
        assert back["place"][0].startswith("[0.12573")
        assert back["mean"].tolist() == rounds_table(runs)["mean"].tolist()
    else:
        assert file.read_bytes()[:4] == file.read_bytes()[-4:] == b"PAR1"
        import duckdb

        back = duckdb.sql(f"FROM '{file}'").df()
        pd.testing.assert_frame_equal(back, rounds_table(runs))
    assert not list(runs.glob(".*"))


def test_an_unknown_ending(runs):
    with pytest.raises(RequestError, match=r"rounds\.xlsx ends in \.xlsx; give a name that ends in \.csv or \.parquet"):
        write_table(runs, runs / "rounds.xlsx")


def test_no_runs_no_rounds_no_directory(runs, tmp_path_factory):
    empty = tmp_path_factory.mktemp("empty")
    with pytest.raises(RequestError, match="There are no runs in"):
        rounds_table(empty)
    with pytest.raises(RequestError, match="have not finished a round yet"):
        rounds_table(runs / "fresh")
    with pytest.raises(RequestError, match="is not a directory"):
        rounds_table(empty / "absent")
    with pytest.raises(RequestError, match="is not a directory, so"):
        write_table(runs, empty / "absent" / "rounds.csv")


def test_unreadable_records(runs):
    (runs / "b" / "run.json").write_text("{")
    with pytest.raises(RequestError, match=r"b/run\.json cannot be read"):
        rounds_table(runs)


def test_only_half_a_line(runs):
    (runs / "b" / NAME).write_text('{"rou')
    with pytest.raises(RequestError, match=r"cannot be read|not finished a round"):
        rounds_table(runs / "b")


def test_a_failing_write_leaves_the_old_file(runs):
    (runs / ".rounds.csv.tmp").mkdir()  # the place of the temporary file is taken
    (runs / "rounds.csv").write_text("old")
    with pytest.raises((RunError, OSError)):
        write_table(runs, runs / "rounds.csv")
    assert (runs / "rounds.csv").read_text() == "old"
