"""A run's directory as others see it: while it is played, when it is damaged, and when it was made long ago."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.lab.toy import contents, stopped_after, toy

from ishango._locks import Holder, locked
from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, load_state
from ishango.lab import RunView, Task, archive, find_runs, named_runs, read_rounds, rounds_table, run
from ishango.lab import _view as view
from ishango.lab._share import watch
from ishango.lab._sweeps import Failure, read_failure
from ishango.restricted import LEARNING

FIXTURES = Path(__file__).parents[1] / "fixtures" / "runs-format-2"


@pytest.fixture
def directory(tmp_path) -> Path:
    """A toy that was stopped after round 3 of 5."""
    stopped_after(tmp_path / "run", 3)
    return tmp_path / "run"


def test_runs_are_named_below_their_directory_and_after_it_where_there_are_several(tmp_path):
    runs = [tmp_path / name for name in ("one/a", "one/b", "two/a")]
    for each in runs:
        stopped_after(each, 1)
    assert named_runs([tmp_path / "one"]) == {"a": runs[0], "b": runs[1]}
    assert named_runs([tmp_path / "one", tmp_path / "two"]) == {"one/a": runs[0], "one/b": runs[1], "two/a": runs[2]}
    assert named_runs([runs[0]]) == {"a": runs[0]}


def test_without_a_directory_there_are_no_runs(tmp_path):
    for asked in (lambda: archive([], tmp_path / "runs.tar.xz"), lambda: rounds_table([]), lambda: named_runs([])):
        with pytest.raises(RequestError, match="There is nothing to look for runs in; give directories of runs"):
            asked()


def test_a_run_as_it_is(directory):
    before = contents(directory)
    seen = RunView(directory)
    assert (seen.format, seen.experiment, seen.kind) == (3, None, None)
    assert seen.config == seen.recorded == {"rounds": 5, "seed": 0}
    assert set(seen.environment) == {"versions", "platform", "cpu"}
    assert [each["round"] for each in seen.rounds()] == [0, 1, 2, 3]
    assert seen.last_round() == read_rounds(directory)[-1]
    assert seen.curve()["round"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert (seen.state, seen.message, seen.holder) == ("interrupted", None, None)
    assert seen.updated == (directory / "rounds.jsonl").stat().st_mtime_ns / 1e9
    saved = seen.checkpoint()
    assert saved is not None
    assert saved.round == 3
    assert contents(directory) == before


def test_states(directory):
    seen = RunView(directory)
    (directory / "error.txt").write_text("Traceback (most recent call last):\n  File\nValueError: the toy broke\n")
    assert (seen.state, seen.message) == ("failed", "ValueError: the toy broke")
    (directory / "error.txt").write_text("It went wrong.\nDetails\n")
    assert seen.message == "It went wrong."
    with locked(directory):
        assert seen.state == "running"
        assert isinstance(seen.holder, Holder)
    run(toy(), directory)
    assert (seen.state, seen.message) == ("done", None)


def test_a_failure_is_one_line_for_whoever_looks(directory):
    assert read_failure(directory) is None
    for text, told in (
        ("Traceback (most recent call last):\n  File\nValueError: it broke\n", Failure("ValueError: it broke", True)),
        ("It went wrong.\nDetails\n", Failure("It went wrong.", False)),
        ("", Failure("", False)),
    ):
        (directory / "error.txt").write_text(text)
        assert read_failure(directory) == told
        assert RunView(directory).message == (told.message or None)
        ended = list(watch([Task("toy", {}, directory)], print, lambda: True, since=0.0, gone="gone"))
        assert [(each.message, each.error_file is not None) for each in ended] == [told]


def test_the_checkpoint_is_the_one_with_which_the_run_would_go_on(directory):
    latest = directory / "checkpoint.npz"
    latest.write_bytes(latest.read_bytes()[:-9])
    saved = RunView(directory).checkpoint()
    assert saved is not None
    assert saved.round == 2
    (directory / "checkpoint.previous.npz").unlink()
    assert RunView(directory).checkpoint() is None
    assert RunView(directory).has_checkpoint()
    latest.unlink()
    assert not RunView(directory).has_checkpoint()


def test_a_checkpoint_needs_the_rounds_it_stands_on(directory):
    lines = (directory / "rounds.jsonl").read_bytes().splitlines(keepends=True)
    (directory / "rounds.jsonl").write_bytes(b"".join(lines[:3]))
    saved = RunView(directory).checkpoint()
    assert saved is not None
    assert saved.round == 2
    (directory / "rounds.jsonl").unlink()
    assert RunView(directory).checkpoint() is None


def test_a_line_that_is_damaged_or_not_whole_ends_the_rounds(directory):
    records = directory / "rounds.jsonl"
    lines = records.read_bytes().splitlines(keepends=True)
    for rest in (lines[2][:-1], b"garbage\n" + lines[3], b'{"round": 7}\n', b"[2]\n", b'{"round": true}\n'):
        records.write_bytes(b"".join(lines[:2]) + rest)
        assert [each["round"] for each in RunView(directory).rounds()] == [0, 1], rest
    records.write_bytes(b"".join(lines[:3]) + lines[3][:20])
    last = RunView(directory).last_round()
    assert last is not None
    assert last["round"] == 2


def test_the_last_round_is_found_though_it_is_longer_than_the_tail(directory, monkeypatch):
    monkeypatch.setattr(view, "TAIL", 10)
    assert RunView(directory).last_round() == read_rounds(directory)[-1]
    (directory / "rounds.jsonl").write_bytes(b"")
    assert RunView(directory).last_round() is None


def shown(seen: RunView) -> tuple[object, ...]:
    return seen.rounds(), seen.last_round(), seen.curve(), seen.checkpoint(), seen.message


def test_nothing_is_read_through_links(directory, tmp_path):
    outside = Path(shutil.copytree(directory, tmp_path / "outside"))
    for name in ("rounds.jsonl", "checkpoint.npz", "checkpoint.previous.npz", "curve.npz"):
        (directory / name).unlink()
        (directory / name).symlink_to(outside / name)
    (directory / "error.txt").symlink_to(outside / "run.json")
    seen = RunView(directory)
    assert shown(seen) == ([], None, {}, None, None)
    assert seen.updated == (directory / "run.json").stat().st_mtime_ns / 1e9
    (directory / "run.json").unlink()
    (directory / "run.json").symlink_to(outside / "run.json")
    assert RunView.look(directory) is None
    assert find_runs(tmp_path) == [outside]


def test_devices_pipes_and_long_files_are_not_read(directory, monkeypatch):
    (directory / "rounds.jsonl").unlink()
    os.mkfifo(directory / "rounds.jsonl")
    assert RunView(directory).rounds() == []
    (directory / "error.txt").write_text("x")
    monkeypatch.setattr("ishango.lab._rounds.read_plain.__defaults__", (100,))
    assert RunView.look(directory) is None


def test_a_run_that_is_gone_or_damaged_is_not_there(directory, tmp_path):
    seen = RunView(directory)
    stamp = seen.stamp()
    shutil.rmtree(directory)
    assert shown(seen) == ([], None, {}, None, None)
    assert (seen.state, seen.updated) == ("interrupted", 0.0)
    assert not any(seen.stamp())
    assert seen.stamp() != stamp
    assert RunView.look(directory) is None
    with pytest.raises(RequestError, match=r"There is no run in .*run; give the directory of one\."):
        RunView(directory)
    (tmp_path / "run.json").write_text("{")
    assert RunView.look(tmp_path) is None


def test_the_stamp_changes_with_the_files(directory):
    seen = RunView(directory)
    stamp, state = seen.stamp(), seen.stamp(("checkpoint.npz",))
    assert seen.stamp() == stamp
    with (directory / "rounds.jsonl").open("a") as file:
        file.write("{")
    assert seen.stamp() != stamp
    assert seen.stamp(("checkpoint.npz",)) == state


@pytest.mark.parametrize(("name", "kind"), [("agents", EVOLUTION), ("coin", EVOLUTION), ("restricted", LEARNING)])
def test_runs_of_format_2(name, kind):
    seen = RunView(FIXTURES / name)
    assert (seen.format, seen.experiment, seen.kind, seen.state) == (2, kind.name, kind, "done")
    assert seen.config.keys() == kind.defaults().keys()
    saved, last = seen.checkpoint(), seen.last_round()
    assert saved is not None
    assert last is not None
    assert saved.round == last["round"] == seen.config["rounds"]


def test_agents_of_format_2_can_be_asked():
    evolution, round_, state = load_state(FIXTURES / "agents")
    assert (evolution.options.start, round_) == ("7", 6)
    assert state.agents is not None


def test_fields_that_were_added_have_their_defaults(tmp_path):
    directory = Path(shutil.copytree(FIXTURES / "coin", tmp_path / "coin"))
    document = json.loads((directory / "run.json").read_text())
    del document["config"]["eval_need"], document["config"]["game"]["epsilon"]
    (directory / "run.json").write_text(json.dumps(document))
    seen = RunView(directory)
    assert "eval_need" not in seen.recorded
    assert (seen.config["eval_need"], seen.config["game"]["epsilon"]) == (None, 0.2)
    assert (seen.config["start"], seen.config["choose"]) == ("1", "coin")


def test_a_config_alone_tells_nothing(tmp_path):
    for config in ({"rounds": 1, "seed": 0}, {"rounds": 1, "seed": 0, "colour": "red"}):
        (tmp_path / "run.json").write_text(json.dumps({"format": 2, "config": config}))
        assert RunView(tmp_path).kind is None
        assert RunView(tmp_path).config == config


def test_a_need_from_a_file_is_not_read_by_looking(tmp_path):
    config = {**EVOLUTION.defaults(), "need": "file:/nowhere/needs.csv"}
    (tmp_path / "run.json").write_text(json.dumps({"format": 2, "experiment": "evolution", "config": config}))
    assert RunView(tmp_path).config["need"] == "file:/nowhere/needs.csv"


def test_find_runs(tmp_path):
    names = ["a/1", "a/2", "b", "c/d/e/f"]
    for name in [*names, ".hidden/run", "a/.old"]:
        run(toy(0), tmp_path / name)
    shutil.copytree(tmp_path / "a/1", tmp_path / "b/below")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    root = tmp_path.resolve()
    assert find_runs(tmp_path) == [root / name for name in names]
    assert find_runs(tmp_path / "link") == [root / "a" / "1", root / "a" / "2"]
    assert find_runs(tmp_path / "b") == [root / "b"]
    assert find_runs(tmp_path, most=2) == [root / "a" / "1", root / "a" / "2"]
    assert find_runs(tmp_path, deepest=2) == [root / name for name in names[:3]]
    assert find_runs(tmp_path / "absent") == []


def test_curves_that_are_damaged_are_not_there(directory):
    assert isinstance(RunView(directory).curve()["reward"], np.ndarray)
    for data in (b"torn", b"", (directory / "curve.npz").read_bytes()[:-30]):
        (directory / "curve.npz").write_bytes(data)
        assert RunView(directory).curve() == {}


def test_a_run_that_ends_while_its_rounds_are_read_is_not_called_damaged(directory, monkeypatch):
    read = RunView.rounds

    def ending(self):
        found = read(self)
        (directory / "DONE").touch()
        return found

    monkeypatch.setattr(RunView, "rounds", ending)
    assert RunView(directory).damage is None
    (directory / "DONE").touch()
    assert RunView(directory).damage is not None
