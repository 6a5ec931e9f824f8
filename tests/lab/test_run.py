"""One run, disturbed from within: it ends with the bytes of an undisturbed run, or with a clear refusal."""

import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from tests.lab.toy import Interrupted, Toy, contents, stopped_after, toy

from ishango.errors import RequestError
from ishango.lab import (
    RunError,
    RunWarning,
    archive,
    interruptible,
    parse_plan,
    read_rounds,
    run,
    sweep,
    unarchive,
)  # fmt: skip
from ishango.lab._playing import Book
from ishango.lab._rounds import count_rounds

FILES = {"run.json", "rounds.jsonl", "curve.npz", "checkpoint.npz", "checkpoint.previous.npz", "DONE"}


def test_the_files_of_a_run(undisturbed):
    assert set(undisturbed) == FILES
    document = json.loads(undisturbed["run.json"])
    assert list(document) == ["format", "config", "seed", "versions", "platform", "cpu"]
    assert list(document["versions"]) == ["python", "ishango", "numpy", "numba"]
    assert [json.loads(line)["round"] for line in undisturbed["rounds.jsonl"].splitlines()] == list(range(6))


def test_the_curve_has_every_block_and_its_round(tmp_path):
    run(toy(3), tmp_path)
    with np.load(tmp_path / "curve.npz") as curve:
        assert curve["round"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
        assert curve["reward"][-2:].tolist() == read_rounds(tmp_path)[-1]["place"][:2]


def test_no_curves_no_file(tmp_path):
    run(toy(curve=False), tmp_path)
    assert set(contents(tmp_path)) == FILES - {"curve.npz"}


def test_the_reporter_hears_everything(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(toy(1), tmp_path, first := Interrupted(0))
    run(toy(1), tmp_path, second := Interrupted(-1))
    run(toy(1), tmp_path, third := Interrupted(-1))
    assert first.calls == [("begin", 1, 0), ("steps", 0, 0, 2), ("steps", 0, 2, 2), ("round", 0), ("end",)]
    assert second.calls == [("begin", 1, 1), ("steps", 1, 0, 2), ("steps", 1, 2, 2), ("round", 1), ("end",)]
    assert third.calls == [("begin", 1, 2), ("end",)]


@pytest.mark.parametrize("share", [1.0, 1e-9], ids=["every round", "seldom"])
@pytest.mark.parametrize("after", range(6))
def test_interrupted_and_resumed(tmp_path, undisturbed, after, share):
    with pytest.raises(KeyboardInterrupt):
        run(toy(), tmp_path / "run", Interrupted(after), checkpoint_share=share)
    assert "DONE" not in contents(tmp_path / "run")
    run(toy(), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


def test_the_comparison_sees_a_lost_random_state(tmp_path, undisturbed):
    stopped_after(tmp_path / "run", 2)
    experiment = toy()
    experiment.forget = True
    run(experiment, tmp_path / "run")
    assert contents(tmp_path / "run") != undisturbed


def test_a_finished_run_is_not_touched(tmp_path):
    run(toy(), tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    run(toy(), tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == times


@pytest.mark.parametrize("first", [0, 1, 4])
def test_more_rounds_continue_a_finished_run(tmp_path, undisturbed, first):
    run(toy(first), tmp_path / "run")
    run(toy(5), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


def test_a_kill_between_the_steps_of_an_extension(tmp_path, undisturbed):
    run(toy(3), tmp_path / "run")
    (tmp_path / "run" / "DONE").unlink()
    run(toy(5), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


def test_fewer_rounds_are_refused(tmp_path):
    run(toy(5), tmp_path)
    with pytest.raises(RequestError, match=r"has rounds = 5, and 3 was asked for; rounds may only grow"):
        run(toy(3), tmp_path)


@pytest.mark.parametrize(
    ("before", "now", "message"),
    [
        ({"width": 3}, {"width": 4}, "has width = 3, and 4 was asked for"),
        ({"agents": {"hidden": 3}}, {"agents": {"hidden": 4}}, r"has agents\.hidden = 3, and 4 was asked for"),
        ({}, {"need": "power:2"}, 'has need = absent, and "power:2" was asked for'),
        ({"words": [1, 2]}, {}, r"has words = \[1, 2\], and absent was asked for"),
        ({"flag": True}, {"flag": 1}, "has flag = true, and 1 was asked for"),
    ],
)
@pytest.mark.parametrize("finished", [True, False])
def test_a_changed_config_is_refused_by_name(tmp_path, before, now, message, finished):
    run(toy(**before), tmp_path)
    if not finished:
        (tmp_path / "DONE").unlink()
    files = contents(tmp_path)
    with pytest.raises(RequestError, match=message):
        run(toy(**now), tmp_path)
    assert contents(tmp_path) == files


@pytest.mark.parametrize("config", [{"seed": 0}, {"rounds": -1, "seed": 0}, {"rounds": 2, "seed": "0"}])
def test_rounds_and_seed_are_needed(tmp_path, config):
    with pytest.raises(RequestError, match=r"(rounds|seed) is .*; give an integer"):
        run(Toy(config), tmp_path)


def test_a_directory_of_something_else_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(RequestError, match=r"holds thesis\.tex and is not the directory of a run"):
        run(toy(), tmp_path)
    assert contents(tmp_path) == {"thesis.tex": b"years of work"}


def test_inside_a_run_no_other_run_is_played(tmp_path, undisturbed):
    """Whoever looks for runs there would find the outer one alone, and archives would leave the inner one out."""
    run(toy(), tmp_path)
    for inner in (tmp_path / "more", tmp_path / "more" / "of" / "them"):
        with pytest.raises(RequestError, match="lies inside the directory of a run"):
            run(toy(), inner)
    with pytest.raises(RequestError, match="lies inside the directory of a run"):
        sweep(parse_plan("base.rounds = 5\nvary.seed = '0-3'"), tmp_path, 1, experiment="tests.lab.toy:TOYS")
    archive(tmp_path, (away := tmp_path.with_name("away")).with_suffix(".tar.xz"))
    with pytest.raises(RequestError, match="lies inside the directory of a run"):
        unarchive(away.with_suffix(".tar.xz"), tmp_path)
    assert contents(tmp_path) == undisturbed


def test_a_run_that_lies_inside_another_goes_on(tmp_path, undisturbed):
    """So they could be made before."""
    with pytest.raises(KeyboardInterrupt):
        run(toy(), tmp_path / "inner", Interrupted(2))
    run(toy(), tmp_path / "elsewhere")
    (tmp_path / "run.json").write_bytes((tmp_path / "elsewhere" / "run.json").read_bytes())
    run(toy(), tmp_path / "inner")
    assert contents(tmp_path / "inner") == undisturbed


def test_a_file_in_the_place_of_the_directory(tmp_path):
    (tmp_path / "run").write_text("a file")
    for directory in (tmp_path / "run", tmp_path / "run" / "below"):
        with pytest.raises(RequestError, match="is not a directory"):
            run(toy(), directory)


def test_a_directory_that_cannot_be_made(tmp_path, monkeypatch):
    def read_only(*_args, **_options):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", read_only)
    with pytest.raises(RunError, match=r"could not be written \(Read-only file system\)"):
        run(toy(), tmp_path / "run")


def test_an_unreadable_run_json(tmp_path):
    run(toy(), tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(RequestError, match=r"run\.json cannot be read"):
        run(toy(), tmp_path)


def test_going_on_elsewhere_warns_once_and_is_recorded(tmp_path, undisturbed, monkeypatch):
    stopped_after(tmp_path / "run", 1)
    monkeypatch.setattr("ishango.lab._directory.cpu_type", lambda: "another CPU")
    with pytest.warns(RunWarning, match="cpu was .* and is another CPU"), pytest.raises(KeyboardInterrupt):
        run(toy(), tmp_path / "run", Interrupted(3))
    run(toy(), tmp_path / "run")  # the same place as last time: no second warning
    resumes = [json.loads(line) for line in (tmp_path / "run" / "resumes.jsonl").read_text().splitlines()]
    assert [(each["from_round"], each["environment"]["cpu"]) for each in resumes] == [(2, "another CPU")]
    assert contents(tmp_path / "run").items() >= undisturbed.items()


def test_the_experiments_own_failure_passes_through(tmp_path, undisturbed):
    experiment = toy()
    experiment.fail = {3: OSError("the experiment's own")}
    with pytest.raises(OSError, match="the experiment's own"):
        run(experiment, tmp_path / "run")
    run(toy(), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


def test_a_record_of_another_round_is_a_mistake(tmp_path):
    experiment = toy()
    play = experiment.play
    experiment.play = lambda state, _number, progress: play(state, 7, progress)
    with pytest.raises(ValueError, match="The record of round 0 says it is of round 7"):
        run(experiment, tmp_path)


def test_objects_are_never_pickled(tmp_path):
    experiment = toy()
    experiment.save = lambda _state: {"rng": np.array([object()])}
    with pytest.raises(TypeError, match="holds Python objects"):
        run(experiment, tmp_path)


def test_sigterm_is_an_interrupt():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), interruptible():
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize(
    "rest", ['{"round": 3, "pla', '{"round": 3}\n{"round": 4}\n' + "x" * 9999], ids=["half", "long"]
)
def test_what_stands_behind_the_checkpoint_is_cut_off(tmp_path, undisturbed, rest):
    stopped_after(tmp_path / "run", 2)
    with (tmp_path / "run" / "rounds.jsonl").open("a") as file:
        file.write(rest)
    run(toy(), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


def test_half_a_line_is_not_read(tmp_path):
    run(toy(2), tmp_path)
    with (tmp_path / "rounds.jsonl").open("a") as file:
        file.write('{"round": 3, "pla')
    assert [record["round"] for record in read_rounds(tmp_path)] == [0, 1, 2]


def test_importing_the_lab_brings_in_no_other_room():
    code = "import json, sys, ishango.lab; print(json.dumps([m for m in sys.modules if m.startswith('ishango.')]))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    shared = {"lab", "errors", "_locks", "registry", "safe_files"}
    assert {name.split(".")[1] for name in json.loads(out)} <= shared


def test_no_warnings_in_an_ordinary_life(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stopped_after(tmp_path, 2)
        run(toy(), tmp_path)


def test_an_interrupt_inside_compiled_code_is_an_interrupt(tmp_path):
    """Numba makes a `SystemError` of it, and what calls a part of one's own makes a sentence of that."""
    swallowed = SystemError("returned a result with an exception set")
    swallowed.__cause__ = KeyboardInterrupt()
    sentence = RequestError("The chooser 'bandit' failed with SystemError.")
    sentence.__cause__ = swallowed
    with pytest.raises(KeyboardInterrupt):
        run(Toy(toy(3).config, fail={2: sentence}), tmp_path / "run")
    with pytest.raises(RequestError):  # what nobody interrupted stays what it is
        run(Toy(toy(3).config, fail={2: RequestError("wrong")}), tmp_path / "run")


def test_an_interrupt_waits_until_the_round_is_written(tmp_path, monkeypatch):
    enter = Book.enter

    def interrupted(book, number, outcome):
        if number == 2:
            signal.raise_signal(signal.SIGINT)
        enter(book, number, outcome)

    monkeypatch.setattr(Book, "enter", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(toy(5), tmp_path / "run")
    assert count_rounds(tmp_path / "run") == 3
