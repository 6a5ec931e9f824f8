"""Claims on shared file systems, where locks may not work, and what happens when two processes play one run."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import threading
import time
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest
from tests.lab.toy import Interrupted, contents, toy

from ishango import _locks as lock
from ishango._locks import BusyError, Holder, current_job, holder, is_gone, locked
from ishango.errors import RunError
from ishango.lab import run
from ishango.lab._rounds import TakenOverError


def claim(directory: Path, host: str = "elsewhere", job: str = "-", age: float = 0.0) -> None:
    path = directory / "lock"
    path.write_text(f"{host} 12 {job} 2026-01-01T00:00:00Z\n")
    os.utime(path, (time.time() - age,) * 2)


@pytest.fixture
def no_flock(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_descriptor: int, _how: int) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", fail)


@pytest.fixture
def no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_source: Path, _target: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", fail)


def test_a_claim_on_another_host_holds_as_long_as_it_is_renewed(tmp_path):
    claim(tmp_path)
    assert holder(tmp_path) == Holder("elsewhere", 12)
    with pytest.raises(BusyError, match="is being played by process 12 on elsewhere"), locked(tmp_path):
        pass
    claim(tmp_path, age=lock.PATIENCE + 1)
    assert holder(tmp_path) is None
    with locked(tmp_path):
        assert holder(tmp_path) == Holder(socket.gethostname(), os.getpid())
    assert not list(tmp_path.iterdir())


def test_a_claim_of_a_job_that_does_not_run_is_taken_over_at_once(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(lock, "is_gone", lambda job: asked.append(job) or True)
    claim(tmp_path, job="slurm:7_1")
    with locked(tmp_path):
        assert asked == ["slurm:7_1"]


def test_a_claim_of_this_job_before_it_was_requeued_is_taken_over(tmp_path, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    claim(tmp_path, job="slurm:7")
    with locked(tmp_path):
        found = holder(tmp_path)
        assert found is not None
        assert found.job == current_job() == "slurm:7"


def test_a_scheduler_that_cannot_be_asked_tells_nothing(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert not is_gone("slurm:7_1")
    assert not is_gone("")


@pytest.mark.usefixtures("no_flock")
@pytest.mark.parametrize("links", [True, False])
def test_without_locks_one_of_many_gets_the_run(tmp_path, request, links):
    if not links:
        request.getfixturevalue("no_links")
    claim(tmp_path, age=lock.PATIENCE + 1)
    got, most, inside, barrier = [], [0], [0], threading.Barrier(8)

    def want(number: int) -> None:
        barrier.wait()
        try:
            with locked(tmp_path):
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                got.append(number)
                time.sleep(0.1)
                inside[0] -= 1
        except BusyError:
            pass

    threads = [threading.Thread(target=want, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got
    assert most == [1]
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("no_flock")
def test_without_locks_a_dead_process_of_this_host_holds_nothing(tmp_path):
    (tmp_path / "lock").write_text(f"{socket.gethostname()} 999999999 - 2026-01-01T00:00:00Z\n")
    with locked(tmp_path), pytest.raises(BusyError), locked(tmp_path):
        pass
    assert not list(tmp_path.iterdir())


def test_a_claim_is_renewed_while_it_is_held(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "BEAT", 0.01)
    with locked(tmp_path):
        os.utime(tmp_path / "lock", (0, 0))
        end = time.monotonic() + 5
        while (tmp_path / "lock").stat().st_mtime == 0:
            assert time.monotonic() < end
            time.sleep(0.01)


def test_who_lost_its_claim_does_not_take_away_the_new_one(tmp_path):
    with locked(tmp_path):
        (tmp_path / "lock").unlink()
        claim(tmp_path)
    assert holder(tmp_path) == Holder("elsewhere", 12)


class Second(Interrupted):
    """After a round of the first player, a second one plays the run, up to a round or to its end."""

    def __init__(self, directory: Path, after: int, until: int) -> None:
        super().__init__(after)
        self.directory, self.until = directory, until

    def round(self, record) -> None:
        if record["round"] == self.after:
            with suppress(KeyboardInterrupt):
                run(toy(), self.directory, Interrupted(self.until), checkpoint_share=1.0)


@pytest.mark.parametrize("until", [1, 3, 9])
@pytest.mark.parametrize("after", [0, 1, 4])
def test_two_players_of_one_run_corrupt_nothing(tmp_path, monkeypatch, undisturbed, after, until):
    """As if no claim held: the later one goes on, the earlier one notices and stops, and the bytes are the same."""
    with monkeypatch.context() as patch:
        patch.setattr("ishango.lab._playing.locked", lambda _directory: nullcontext())
        with pytest.raises(TakenOverError, match="was taken over by another process"):
            run(toy(), tmp_path, Second(tmp_path, after, until), checkpoint_share=1.0)
    run(toy(), tmp_path)  # what the later one left, if anything
    assert contents(tmp_path) == undisturbed


def test_a_lock_that_is_not_ours_to_open_is_one_sentence(tmp_path, monkeypatch):
    claim(tmp_path, age=lock.PATIENCE + 1)
    opened = os.open

    def refuse(path, *rest, **more):
        if str(path).endswith("/lock"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(RunError, match="could not be opened"), locked(tmp_path):
        pass
