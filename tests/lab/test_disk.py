"""Disks that are full or fail, and locks."""

import errno
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.lab.toy import contents, stopped_after, toy

from ishango.errors import RequestError
from ishango.lab import RunError, run
from ishango.safe_files import write


class FullDisk:
    """Lets a number of bytes through, then half of a write, then nothing."""

    def __init__(self, room: int) -> None:
        self.room, self.write = room, os.write

    def __call__(self, descriptor: int, data) -> int:
        if self.room <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = self.write(descriptor, data[: self.room])
        self.room -= written
        return written


@pytest.mark.parametrize("room", [0, 10, 300, 400, 900, 2000, 3500, 5000, 9000])
def test_a_full_disk_leaves_whole_files_and_the_same_command_goes_on(tmp_path, undisturbed, monkeypatch, room):
    monkeypatch.setattr(os, "write", FullDisk(room))
    with pytest.raises(RunError) as caught:
        run(toy(), tmp_path / "run", checkpoint_share=1.0)
    assert re.search(r"could not be written \(No space left on device\); what was written", str(caught.value))
    monkeypatch.undo()
    left = contents(tmp_path / "run")
    assert not [name for name in left if name.endswith(".tmp") or name == "lock"]
    assert undisturbed["rounds.jsonl"].startswith(left.get("rounds.jsonl", b""))
    assert left.get("rounds.jsonl", b"\n").endswith(b"\n") or left["rounds.jsonl"] == b""
    run(toy(), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


PLACES = [("fsync", nth) for nth in (0, 1, 2, 3, 4, 5, 6, 14, 31)] + [("replace", nth) for nth in (0, 1, 2, 4, 5, 14)]


@pytest.mark.parametrize(("call", "nth"), PLACES)
def test_a_failing_call_at_any_place(tmp_path, undisturbed, monkeypatch, call, nth):
    original, calls = getattr(os, call), iter(range(10**6))

    def failing(*arguments):
        if next(calls) >= nth:
            raise OSError(errno.EIO, "Input/output error")
        return original(*arguments)

    monkeypatch.setattr(os, call, failing)
    with pytest.raises(RunError, match="Input/output error"):
        run(toy(), tmp_path / "run", checkpoint_share=1.0)
    monkeypatch.undo()
    run(toy(), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


@pytest.fixture
def small_disk(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a small disk is not permitted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_disk_that_is_really_full(small_disk, tmp_path):
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(170_000))
    experiment = toy(width=3000)  # 24 kB of state
    with pytest.raises(RunError, match="No space left on device"):
        run(experiment, small_disk / "run")
    ballast.unlink()
    run(experiment, small_disk / "run")
    run(experiment, tmp_path / "undisturbed")
    assert contents(small_disk / "run") == contents(tmp_path / "undisturbed")


def holder(directory: Path) -> subprocess.Popen[str]:
    """Another process that holds the run's lock until it is ended."""
    code = (
        "import sys; from pathlib import Path; from ishango._locks import locked\n"
        "with locked(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(directory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_process_is_refused_and_a_dead_ones_lock_taken_over(tmp_path, undisturbed):
    stopped_after(tmp_path / "run", 2)
    with holder(tmp_path / "run") as process:
        before = contents(tmp_path / "run")
        expected = f"is being played by process {process.pid} on {socket.gethostname()}; wait for it"
        with pytest.raises(RequestError, match=re.escape(expected)):
            run(toy(), tmp_path / "run")
        assert contents(tmp_path / "run") == before
        process.kill()
    assert (tmp_path / "run" / "lock").exists()  # a stale one
    run(toy(), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


def test_a_lock_that_is_removed_while_we_open_it(tmp_path, monkeypatch):
    """The former owner removes its file between our open and our lock: we must not hold a file nobody sees."""
    import fcntl

    from ishango import _locks as lock

    original, removed = fcntl.flock, []

    def flock(descriptor: int, how: int) -> None:
        original(descriptor, how)
        if not removed and (tmp_path / "lock").exists() and os.path.sameopenfile(descriptor, former):
            removed.append((tmp_path / "lock").unlink())

    (tmp_path / "lock").write_text("left behind")
    former = os.open(tmp_path / "lock", os.O_RDONLY)
    monkeypatch.setattr(fcntl, "flock", flock)
    with lock.locked(tmp_path):
        assert (tmp_path / "lock").read_text().split()[:2] == [socket.gethostname(), str(os.getpid())]
    os.close(former)
    assert removed
    assert not (tmp_path / "lock").exists()


def test_what_a_killed_process_left_half_written_goes_with_the_next_write(tmp_path):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    host = socket.gethostname()
    ours, theirs = f".file.{host}-{dead.pid}-1.tmp", f".file.elsewhere-{dead.pid}-1.tmp"
    alive, other = f".file.{host}-{os.getpid()}-1.tmp", f".other.{host}-{dead.pid}-1.tmp"
    for name in (ours, theirs, alive, other):
        (tmp_path / name).write_bytes(b"half")
    write(tmp_path / "file", b"whole")
    assert {path.name for path in tmp_path.iterdir()} == {"file", theirs, alive, other}
