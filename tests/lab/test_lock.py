from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from ishango._locks import Holder, holder, locked
from ishango.errors import RequestError, RunError
from ishango.evolution import Evolution, EvolutionOptions
from ishango.lab import parse_plan, run, sweep


def test_who_plays_is_known_without_touching_the_lock(tmp_path: Path) -> None:
    for _ in range(50):
        with locked(tmp_path):
            assert holder(tmp_path) == Holder(socket.gethostname(), os.getpid())
        assert holder(tmp_path) is None


def test_a_lock_that_a_kill_left_behind_holds_nothing(tmp_path: Path) -> None:
    """The number in it may meanwhile be that of another process, such as this one."""
    for content in (f"{socket.gethostname()} {os.getpid()}\n", f"{socket.gethostname()} 999999999\n", "nonsense", ""):
        (tmp_path / "lock").write_text(content)
        assert holder(tmp_path) is None


def test_a_process_elsewhere_cannot_be_asked_so_it_is_believed(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("elsewhere 12\n")
    found = holder(tmp_path)
    assert found == Holder("elsewhere", 12)
    assert not found.is_here


def test_a_run_killed_just_when_it_was_done_is_tidied_up_by_the_next_call(tmp_path: Path) -> None:
    """Else its files would not be those of a run that nobody touched."""
    plan = parse_plan("base.rounds = 2\nvary.choose = ['coin', 'shorter']")
    sweep(plan, tmp_path, workers=1)
    once, swept = tmp_path / "choose=coin", tmp_path / "choose=shorter"
    for directory in (once, swept):
        (directory / "lock").write_text(f"{socket.gethostname()} 999999999\n")
    run(Evolution(EvolutionOptions(choose="coin", rounds=2)), once)
    assert not (once / "lock").exists()
    assert (swept / "lock").exists()
    sweep(plan, tmp_path, workers=1)
    assert not (swept / "lock").exists()
    with locked(once):  # somebody who is alive keeps it
        run(Evolution(EvolutionOptions(choose="coin", rounds=2)), once)
        assert (once / "lock").exists()


@pytest.mark.parametrize("kind", ["link", "pipe", "zero"])
def test_a_lock_that_is_no_file_is_neither_read_nor_written(tmp_path: Path, kind: str) -> None:
    path, other = tmp_path / "lock", tmp_path / "other"
    other.write_text("precious")
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(other if kind == "link" else "/dev/zero")
    assert holder(tmp_path) is None
    with pytest.raises((RequestError, RunError)), locked(tmp_path):
        pass
    assert other.read_text() == "precious"
