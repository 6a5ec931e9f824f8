import json
import os
import resource
import shutil
from pathlib import Path

import pandas as pd
import pytest
from tests.lab.toy import stopped_after, toy

import ishango
from ishango import safe_files
from ishango.errors import RequestError, RunWarning
from ishango.evolution import EVOLUTION
from ishango.lab import ROUNDS as NAME
from ishango.lab import RunError, RunView, archive, find_kind, rounds_table, run, table_columns, write_table
from ishango.lab import _tables as tables
from ishango.lab._experiments import BUILT_IN
from ishango.safe_files import own

FIXTURES = Path(__file__).parents[1] / "fixtures" / "runs-format-2"


@pytest.fixture
def runs(tmp_path):
    """Two runs: one with lists, nested fields and a field the rounds have too; one that is going on."""
    run(toy(2, start=1, words=[1, 2], agents={"hidden": 5}, mean="start"), tmp_path / "a" / "start=1,seed=0")
    run(toy(1, start="random:3"), tmp_path / "b")
    with (tmp_path / "b" / NAME).open("a") as file:
        file.write('{"round": 2, "place": [0.5, ')
    (tmp_path / "fresh").mkdir()
    fresh = '{"format": 3, "config": {"rounds": 1}}'  # a run that has not finished a round
    (tmp_path / "fresh" / "run.json").write_text(fresh)
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


def test_a_name_of_a_field_is_never_read_as_a_query(runs):
    name = 'x", 41 + 1 AS "y'
    file = runs / "b" / NAME
    lines = [{**json.loads(line), name: [1]} for line in file.read_text().splitlines()[:2]]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    table = rounds_table(runs)
    assert list(table.loc[table["run"] == "b", name].iloc[0]) == [1]
    assert "y" not in table.columns
    assert write_table(runs, runs / "rounds.csv") == 5


def test_names_of_directories_are_not_read_as_columns(tmp_path):
    for start in (1, 2):
        run(toy(0, start=start), tmp_path / f"start={start}")
    table = rounds_table(tmp_path)
    assert table["start"].tolist() == [1, 2]
    assert "config.start" not in table.columns


def test_names_of_directories_are_not_read_as_patterns(tmp_path):
    names = ["q1r", "q?r", "x*y", "x1", "x[1]"]
    for seed, name in enumerate(names):
        run(toy(0, seed=seed), tmp_path / name)
    table = rounds_table(tmp_path)
    assert dict(zip(table["run"], table["seed"], strict=True)) == {name: seed for seed, name in enumerate(names)}
    assert len(table) == len(names)
    assert table["mean"].nunique() == len(names)
    for suffix in (".csv", ".parquet"):
        write_table(tmp_path / "x1", tmp_path / f"t1{suffix}")
        write_table(tmp_path / "x[1]", tmp_path / f"t[1]{suffix}")
        assert ishango.load_table(tmp_path / f"t[1]{suffix}")["seed"].tolist() == [4]
    assert rounds_table(tmp_path / "x[1]")["mean"].tolist() == table.query("run == 'x[1]'")["mean"].tolist()


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


def same(table, back):
    """Whether two tables hold the same, lists included; what is missing is missing."""
    assert list(back.columns) == list(table.columns)
    for name in table.columns:
        mine, its = ([None if is_missing(v) else as_plain(v) for v in each[name]] for each in (table, back))
        assert its == mine, name


def is_missing(value) -> bool:
    return value is None or (not hasattr(value, "__len__") and bool(pd.isna(value)))


def as_plain(value):
    return value.tolist() if hasattr(value, "tolist") else value


@pytest.fixture
def talked(tmp_path):
    """Runs with everything a record may have: lists, lists with holes, text that looks like a number."""
    options = {"steps": 4, "game": {"hidden": 4, "batch": 4, "range": 50}, "start": 7}
    run(EVOLUTION.from_config({"rounds": 2, **options}), tmp_path / "talk")
    run(EVOLUTION.from_config({"rounds": 12, "choose": "coin", "start": "1"}), tmp_path / "coin")
    return tmp_path


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_tables_come_back_from_their_files(talked, suffix):
    table = rounds_table(talked)
    write_table(talked, talked / f"rounds{suffix}")
    back = ishango.load_table(talked / f"rounds{suffix}")
    same(table, back)
    assert back["start"].tolist() == ["1"] * 13 + ["7"] * 3
    first = back.iloc[-1]
    assert (sum(first["uses"]), len(first["q"]), len(first["accuracy_by_arm"])) == (4, 2, 2)
    assert back["digits"].iloc[0].dtype == table["digits"].iloc[0].dtype


def test_whole_numbers_below_zero_stay_whole(talked):
    sizes = rounds_table(talked)["delta_size"].dropna()
    assert sizes.min() < 0 < sizes.max()
    assert str(rounds_table(talked)["delta_size"].dtype) == "Int64"


@pytest.mark.parametrize("large", [2**63, 123456789012345678901, 10**40])
def test_names_and_whole_numbers_of_any_length_come_back_from_csv(tmp_path, large):
    seeds = [5, large, large + 1]
    for number, seed in enumerate(seeds):
        run(toy(0, seed=seed, scale=0.5 * number), tmp_path / "runs" / str(number))
    write_table(tmp_path / "runs", tmp_path / "rounds.csv")
    table, loaded = rounds_table(tmp_path / "runs"), ishango.load_table(tmp_path / "rounds.csv")
    assert loaded["run"].tolist() == table["run"].tolist() == ["0", "1", "2"]
    assert loaded["seed"].tolist() == table["seed"].tolist() == list(map(str, seeds))
    assert loaded["scale"].tolist() == [0, 0.5, 1]  # what is no whole number stays one that is measured
    (tmp_path / "mixed.csv").write_text(f"run,round,option\na,0,0.5\nb,0,{large}\n")
    assert ishango.load_table(tmp_path / "mixed.csv")["option"].tolist() == ["0.5", str(large)]
    (tmp_path / "floats.csv").write_text("run,round,cost\n1,0,1e+20\n2,0,2.5\n")
    assert ishango.load_table(tmp_path / "floats.csv")["cost"].tolist() == [1e20, 2.5]


def test_a_field_of_rounds_is_not_taken_for_the_option_of_its_name(tmp_path):
    """Societies have an option `error`, which is text, and their rounds a number of that name."""
    (tmp_path / "kinds.csv").write_text("run,config.error,round,error\na,1,0,0.5\na,1,1,0.25\n")
    loaded = ishango.load_table(tmp_path / "kinds.csv")
    assert (loaded["error"].tolist(), loaded["config.error"].tolist()) == ([0.5, 0.25], ["1", "1"])


def test_lists_with_holes_and_lists_of_text_come_back(tmp_path):
    run(toy(1), tmp_path / "a")
    lines = [json.loads(line) for line in (tmp_path / "a" / NAME).read_text().splitlines()]
    said = [{"shares": [None, 0.5], "words": ["a, b", 'c"d'], "none": []}, {"shares": None, "words": [], "none": []}]
    lines = [json.dumps(line | each) + "\n" for line, each in zip(lines, said, strict=True)]
    (tmp_path / "a" / NAME).write_text("".join(lines))
    write_table(tmp_path, tmp_path / "rounds.csv")
    back = ishango.load_table(tmp_path / "rounds.csv")
    shares = back["shares"][0].tolist()
    assert pd.isna(shares[0])
    assert shares[1] == 0.5
    assert is_missing(back["shares"][1])
    assert [list(each) for each in back["words"]] == [["a, b", 'c"d'], []]
    assert [list(each) for each in back["none"]] == [[], []]


def test_pandas_reads_parquet(talked):
    pytest.importorskip("pyarrow")
    write_table(talked, talked / "rounds.parquet")
    same(rounds_table(talked), pd.read_parquet(talked / "rounds.parquet"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("rounds.xlsx", b"", r"ends in \.xlsx; give a table that ends in \.csv or \.parquet"),
        ("absent.csv", None, r"There is no table .*absent\.csv; ishango table DIR -o FILE writes one"),
        ("bad.parquet", b"PAR1", r"bad\.parquet is not a table \("),
        ("bad.csv", b"\xff\xfe\x00", r"bad\.csv is not a table \("),
    ],
)
def test_files_that_are_no_tables(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(RequestError, match=message):
        ishango.load_table(tmp_path / name)


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
    with pytest.raises(RequestError, match="is not a directory"):
        rounds_table(empty / ("x" * 300))
    with pytest.raises(RequestError, match="is not a directory, so"):
        write_table(runs, empty / "absent" / "rounds.csv")


def test_unreadable_records(runs):
    (runs / "b" / "run.json").write_text("{")
    with pytest.raises(RequestError, match=r"b/run\.json cannot be read"):
        rounds_table(runs / "b")
    with pytest.warns(RunWarning, match=r"b/run\.json cannot be read .* It is left out"):
        assert set(rounds_table(runs)["run"]) == {"a/start=1,seed=0"}


def test_only_half_a_line(runs):
    (runs / "b" / NAME).write_text('{"rou')
    damaged = pytest.warns(RunWarning, match="can be read for 0 of its 2 rounds only")
    with damaged, pytest.raises(RequestError, match=r"cannot be read|not finished a round"):
        rounds_table(runs / "b")


@pytest.mark.parametrize(("write", "name"), [(write_table, "rounds.csv"), (archive, "runs.tar.xz")])
def test_two_processes_may_write_one_file(runs, tmp_path, monkeypatch, write, name):
    """One writes all of it while the other is about to give its own the name."""
    file, move, times = tmp_path / name, safe_files.move, list[str]()

    def moving(*arguments, **options):
        times.append("")
        if len(times) == 1:
            monkeypatch.setattr(os, "getpid", lambda: 1)
            write(runs, file)
        move(*arguments, **options)

    monkeypatch.setattr(safe_files, "move", moving)
    write(runs, file)
    assert len(times) == 2
    assert file.stat().st_size
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [name]


def test_a_failing_write_leaves_the_old_file(runs):
    own(runs / "rounds.csv").mkdir()  # the place of the temporary file is taken
    (runs / "rounds.csv").write_text("old")
    with pytest.raises((RunError, OSError)):
        write_table(runs, runs / "rounds.csv")
    assert (runs / "rounds.csv").read_text() == "old"


@pytest.fixture
def ages(tmp_path):
    """A coin's run of format 2 and one of today, side by side."""
    shutil.copytree(FIXTURES / "coin", tmp_path / "old")
    run(EVOLUTION.from_config({"rounds": 2, "choose": "coin"}), tmp_path / "new")
    return tmp_path


def test_runs_of_earlier_formats_have_the_columns_of_today(ages):
    document = json.loads((ages / "old" / "run.json").read_text())
    del document["config"]["eval_need"], document["config"]["game"]["epsilon"]  # as if they had been added since
    (ages / "old" / "run.json").write_text(json.dumps(document))
    tables = [rounds_table(ages / name) for name in ("old", "new")] + [rounds_table(ages)]
    expected = [name for name, _ in table_columns(EVOLUTION)]
    assert all(list(table.columns) == expected for table in tables)
    both = tables[2]
    assert both["run"].tolist() == ["new"] * 3 + ["old"] * 9
    assert both["game.epsilon"].tolist() == [0.2] * 12
    assert both["changed"][both["run"] == "old"].isna().all()
    assert both["changed"][both["run"] == "new"].notna().sum() == 2


def test_fields_that_no_record_defines_come_last(ages):
    lines = [json.loads(line) for line in (ages / "new" / NAME).read_text().splitlines()]
    (ages / "new" / NAME).write_text("".join(json.dumps({"mood": "good", **line}) + "\n" for line in lines))
    assert list(rounds_table(ages).columns) == [*(name for name, _ in table_columns(EVOLUTION)), "mood"]


def test_what_columns_mean():
    columns = dict(table_columns(EVOLUTION))
    assert columns["run"] == "the run's directory"
    assert columns["steps"] == "Steps of communication in a round"
    assert columns["game.hidden"] == "Size of the LSTM layer, in both agents"
    assert columns["range"] == "Systems are evaluated on the numbers from 1 to this one"
    assert columns["size"] == "lexicon size, |D| + |M| (words)"


@pytest.mark.parametrize("experiment", BUILT_IN)
def test_every_column_says_what_it_means(experiment):
    assert [name for name, sentence in table_columns(find_kind(experiment)) if not sentence] == []


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_for_which_there_is_no_space_is_told_in_words(runs, tmp_path, suffix):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (256, before[1]))  # stands in for a full disk
    try:
        with pytest.raises(RunError, match=r"could not be written \(File too large\)\.$"):
            write_table(runs, tmp_path / f"rounds{suffix}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_several_directories_and_each_run_once(runs, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    run(toy(0, start=2), other / "b")
    root, name = runs.name, other.name
    table = rounds_table([runs, other, runs / "a", runs])
    assert table["run"].drop_duplicates().tolist() == [f"{root}/a/start=1,seed=0", f"{root}/b", f"{name}/b"]
    assert len(table) == 6
    assert write_table((runs, other), other / "rounds.csv") == 6
    (other / "link").symlink_to(runs / "b")
    assert len(rounds_table([other, other / "link"])) == 1 + 2
    with pytest.raises(RequestError, match="There are no runs in"):
        rounds_table([runs, tmp_path_factory.mktemp("empty")])


def test_names_stay_unique_where_directories_have_one_name(tmp_path):
    for place in ("x", "y"):
        run(toy(0), tmp_path / place / "runs" / "a")
    names = rounds_table([tmp_path / "x" / "runs", tmp_path / "y" / "runs"])["run"].tolist()
    assert names == [str((tmp_path / place / "runs" / "a").resolve()) for place in ("x", "y")]


def test_rounds_end_where_every_reader_ends_them(runs):
    lines = (runs / "b" / NAME).read_bytes().splitlines(keepends=True)[:2]
    for rest in (b"garbage\n" + lines[1], b'{"round": 7}\n', b'{"round": 1}', b'[1]\n{"round": 2}\n'):
        (runs / "b" / NAME).write_bytes(lines[0] + rest)
        with pytest.warns(RunWarning, match="can be read for 1 of its 2 rounds only"):
            assert rounds_table(runs / "b")["round"].tolist() == [0]
        assert len(RunView(runs / "b").rounds()) == 1


def test_links_are_not_followed(runs, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    run(toy(0), outside / "c")
    (runs / "c").symlink_to(outside / "c")
    (runs / "d").mkdir()
    for name in ("run.json", NAME):
        (runs / "d" / name).symlink_to(outside / "c" / name)
    assert set(rounds_table(runs)["run"]) == {"a/start=1,seed=0", "b"}


def test_a_run_that_ends_while_its_rounds_are_read_is_not_called_damaged(tmp_path, monkeypatch, recwarn):
    stopped_after(tmp_path / "run", 3)
    leave_out = tables._leave_out_others

    def ending(*arguments):
        (tmp_path / "run" / "DONE").touch()
        leave_out(*arguments)

    monkeypatch.setattr(tables, "_leave_out_others", ending)
    assert len(rounds_table(tmp_path)) == 4
    assert not recwarn
    with pytest.warns(RunWarning, match="is damaged"):
        rounds_table(tmp_path)
