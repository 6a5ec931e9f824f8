"""Outputs are tried before anything is computed, and options that would be passed over are refused."""

import pytest

from ishango.cli import main
from ishango.cli.outputs import ready
from ishango.errors import RequestError

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


@pytest.mark.parametrize("words", [["selection", "learned"], ["restricted", "compare", "coin"]], ids=" ".join)
def test_the_wrong_kind_of_run(world, monkeypatch, capsys, words):
    monkeypatch.chdir(world)
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1
