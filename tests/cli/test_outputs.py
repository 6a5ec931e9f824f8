"""Outputs are tried before anything is computed, and options that would be passed over are refused."""

import errno
import io
import re
import subprocess
import sys

import pandas as pd
import pytest

from ishango.cli import _output, main
from ishango.cli._evolve import _figures
from ishango.cli._output import PlainConsole, plane, ready, ready_file
from ishango.errors import RequestError, RunError
from ishango.languages import find_language
from ishango.safe_files import write

COIN = ["evolve", "--start", "7", "--choose", "coin", "--rounds", "2"]
TRAIN = ["restricted", "train", "--rounds", "1", "--steps", "2", "--hidden", "4", "--batch", "4"]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    directory = tmp_path_factory.mktemp("world")
    assert main([*COIN, "--out", str(directory / "coin")]) == 0
    assert main([*TRAIN, "--out", str(directory / "learned")]) == 0
    (directory / "file").write_text("a file")
    return directory


@pytest.mark.parametrize("where", ["file", "file/below", "\x00", "x" * 300])
@pytest.mark.parametrize(
    "words",
    [
        ["frontier", "--sizes", "2-3", "--out"],
        ["frontier", "--sizes", "2-3", "--figures"],
        ["selection", "coin", "--figures"],
        ["restricted", "compare", "learned", "--figures"],
        ["restricted", "frontier", "--sizes", "2-3", "--figures"],
        ["restricted", "bands", "1|2-", "--out"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_written_into_is_refused_first(world, monkeypatch, capsys, words, where):
    monkeypatch.chdir(world)
    assert main([*words, where]) == 2
    assert "choose another directory" in capsys.readouterr().err


@pytest.mark.parametrize("where", ["coin", "file/below.csv", "\x00.csv", f"{'x' * 300}.csv", "/proc/x.csv"])
@pytest.mark.parametrize("words", [["table", "coin", "-o"], ["explore", "--no-browser", "--export"]], ids=" ".join)
def test_a_file_that_cannot_be_written_is_refused_first(world, monkeypatch, capsys, words, where):
    monkeypatch.chdir(world)
    for name in ("ishango.lab._tables.write_table", "ishango.explorer.export_page"):
        monkeypatch.setattr(name, lambda *_: pytest.fail("it was begun"))
    assert main([*words, where]) == 2
    captured = capsys.readouterr().err
    assert "choose another file" in captured
    assert captured.count("\n") == 1


def test_a_trial_leaves_nothing(tmp_path):
    (tmp_path / "there.csv").write_text("before")
    for name in ("there.csv", "new.csv"):
        ready_file(tmp_path / name)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["before"]


def test_an_export_that_fails_goes_on_from_nowhere(tmp_path, monkeypatch):
    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("ishango.safe_files._write_new", full)
    with pytest.raises(RunError) as failure:
        write(tmp_path / "page.html", b"a page", goes_on=False)
    assert str(failure.value).endswith("page.html could not be written (No space left on device).")


def test_a_disk_that_fails_is_told_without_a_traceback(tmp_path, monkeypatch, capsys):
    def broken(*_arguments):
        raise OSError(errno.EIO, "Input/output error", str(tmp_path / "x.pdf"))

    monkeypatch.setattr("ishango.cli._restricted.describe", broken)
    assert main(["restricted", "describe", "1|2-"]) == 1
    assert capsys.readouterr().err == f"ishango: {tmp_path / 'x.pdf'} fails: Input/output error.\n"


def test_a_directory_is_made_and_left_empty(tmp_path):
    ready(tmp_path / "a" / "b")
    ready(None)
    assert list((tmp_path / "a" / "b").iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(RequestError, match="cannot be written into"):
        ready(tmp_path / "file")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--with-languages"], "Languages are drawn into the directory given by --figures"),
        (["--method", "genetic", "--figures", "figures"], "leave out --figures for the genetic algorithm"),
        (["--method", "genetic", "--all"], "Every optimum is found by --method exact"),
        (["--method", "genetic", "--seed", "-1"], "The seed is -1; it must be an integer from 0 up"),
        (["--seed", "3"], "--seed is for --method genetic"),
        (["--population", "10"], "--population is for --method genetic"),
        (["--keep-duplicates"], "--keep-duplicates is for --method genetic"),
    ],
)
def test_options_that_do_not_go_together(capsys, words, message):
    assert main(["frontier", "--sizes", "2-3", *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("words", [["selection"], ["restricted", "compare"]], ids=" ".join)
def test_nothing_to_compare(capsys, words):
    assert main(words) == 2
    assert "give directories of runs" in capsys.readouterr().err


def test_tables_without_room_for_their_columns_stand_on_their_side(world, monkeypatch, capsys):
    """In a pipe headings and numbers were cut to an ellipsis."""
    monkeypatch.chdir(world)
    assert main(["selection", "coin"]) == 0
    out = capsys.readouterr().out
    assert "…" not in out
    for heading in ("length within", "size p holm", "novelty p holm", "preference within"):
        assert [line for line in out.splitlines() if line.startswith(f"{heading} ")], heading


def test_a_table_on_its_side_has_every_row_and_every_number(monkeypatch):
    table = pd.DataFrame({f"a_rather_long_name_{i}": [i + row / 8 for row in range(9)] for i in range(30)})
    console = PlainConsole(io.StringIO(), width=60)
    monkeypatch.setattr(_output, "console", lambda: console)
    console.print(_output.data_table(table))
    lines = [line.split() for line in console.file.getvalue().splitlines()]
    assert max(map(len, console.file.getvalue().splitlines())) <= 60
    for i in range(30):
        own = [line[5:] for line in lines if " ".join(line).startswith(f"a rather long name {i} ")]
        found = [float(each) for line in own for each in line]
        assert found == table[f"a_rather_long_name_{i}"].tolist()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["restricted", "describe", "1-"], ["1 word over 1 to 100", "complexity 4 nodes"]),
        (["kinds", "describe", "1", "--range", "4"], ["exact up to 1, 1 word\n"]),
        (["languages", "--source", "world", "--family", "Abun"], ["1 variety, which says every"]),
    ],
)
def test_one_is_not_several(capsys, words, told):
    assert main(words) == 0
    out = capsys.readouterr().out
    assert all(each in out for each in told)
    assert not re.search(r"\b1 (words|runs|rounds|nodes|languages|sizes|varieties)\b", out)


def test_beside_other_languages_every_number_has_the_word_that_means_it():
    names, cells = _output.side_by_side([find_language("Piraha")], 6).columns
    assert [*names.cells] == [str(number) for number in range(1, 7)]
    assert [str(each) for each in cells.cells] == ["1", "2-4", "2-4", "2-4", "5-", "5-"]


def test_one_number_understood_is_one_number():
    record = {"digits": (1,), "multipliers": (2,), "size": 2, "average_complexity": 2.0, "gap": 0.0, "accuracy": 0.1}
    record |= {"steps_per_second": 5.0, "numbers_understood": 1, "messages": 1}
    assert _figures(record)["understood"] == "1 number, 1 different message"
    assert _figures(record | {"messages": 2})["understood"] == "1 number, 2 different messages"


@pytest.mark.parametrize("words", [["selection", "learned"], ["restricted", "compare", "coin"]], ids=" ".join)
def test_the_wrong_kind_of_run(world, monkeypatch, capsys, words):
    monkeypatch.chdir(world)
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("command", ["describe 1-9 10", "languages", "check nowhere", "--help"])
@pytest.mark.parametrize("closed", ["1>&-", "1>&- 2>&-"])
def test_a_closed_output_gets_its_sentence(command, closed):
    """And never the exit code 1, which says of a proof that it does not hold."""
    ended = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m ishango {command} {closed}"], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    told = "ishango: Standard output is closed; write > /dev/null to see nothing.\n"
    assert ended.stderr == ("" if "2>" in closed else told)


@pytest.mark.parametrize("columns", [11, 40, 61, 200])
def test_the_path_of_a_run_takes_no_more_columns_than_the_terminal_has(columns):
    path = plane([{"size": 9, "average_complexity": 2.0}, {"size": 4, "average_complexity": 1.5}], columns)
    *drawn, _scale = path.splitlines()
    assert max(map(len, drawn)) == min(columns, 61)
