"""One process a run: a lock that the system releases when its owner dies, however it dies."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ishango.errors import RequestError, RunError
from ishango.lab.plain_files import read_plain
from ishango.lab.safe_files import write_all, writing

NAME = "lock"
LONGEST = 1_000
"""Bytes of a lock file that is one."""


@dataclass(frozen=True)
class Holder:
    """The process that plays a run."""

    host: str
    pid: int

    @property
    def is_here(self) -> bool:
        """Whether it runs on this machine, where it can be sent a signal."""
        return self.host == socket.gethostname()


def holder(directory: Path) -> Holder | None:
    """Who plays the run now, found out without touching the lock; None if nobody does.

    A process of this machine counts only if it is alive and has the lock file open (where the system tells), so that
    a number that was given to another process after a kill is not taken for it. One elsewhere is believed.
    """
    path = directory / NAME
    try:
        host, pid = read_plain(path, LONGEST).decode().split()
        found = Holder(host, int(pid))
    except (OSError, ValueError):
        return None
    return found if not found.is_here or _has_open(found.pid, path) else None


@contextmanager
def locked(directory: Path) -> Generator[None]:
    """Hold the directory's lock; the file is there only meanwhile, or after a kill (then it is taken over)."""
    path = directory / NAME
    descriptor = _acquire(path)
    try:
        with writing(path):
            os.ftruncate(descriptor, 0)
            write_all(descriptor, f"{socket.gethostname()} {os.getpid()}\n".encode())
        yield
    finally:
        # Removed while still held: a process that waits on the removed file notices in `_acquire`.
        path.unlink(missing_ok=True)
        os.close(descriptor)


def remove_dead(directory: Path) -> None:
    """Take away the lock of a process that was killed just when the run was done; nobody plays it any more."""
    if (directory / NAME).exists() and holder(directory) is None:
        with suppress(RequestError, RunError), locked(directory):  # somebody else's now, or not ours to change
            pass


def _acquire(path: Path) -> int:
    while True:
        with writing(path):
            # What is no plain file is neither written to nor waited for: a link may lead anywhere.
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
            descriptor = os.open(path, flags, 0o666)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise RequestError(f"{path} is not a file, so the run cannot be locked; remove it.")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_file(descriptor, path):
                return descriptor
        except OSError as error:
            owner = os.read(descriptor, 1000).decode(errors="replace").split()
            os.close(descriptor)
            raise _refusal(path, error, owner) from None
        os.close(descriptor)  # the former owner removed the file after we opened it


def _has_open(pid: int, path: Path) -> bool:
    """Whether the process is alive and has the file open; where the system does not list open files, alive is all."""
    try:
        os.kill(pid, 0)
        if not Path("/proc/self/fd").is_dir():
            return True
        lock = path.stat()
        return any(_is_same(each, lock) for each in Path(f"/proc/{pid}/fd").iterdir())
    except (OSError, OverflowError):
        return False


def _is_same(link: Path, file: os.stat_result) -> bool:
    try:
        return os.path.samestat(link.stat(), file)
    except OSError:  # closed meanwhile, or something that has no place in the file system
        return False


def _is_file(descriptor: int, path: Path) -> bool:
    """Whether the open file is still the one of that name."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _refusal(path: Path, error: OSError, owner: list[str]) -> Exception:
    if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
        return RunError(f"{path} could not be locked ({error.strerror}); choose a directory on another file system.")
    who = f"process {owner[1]} on {owner[0]}" if len(owner) == 2 else "another process"
    return RequestError(f"The run in {path.parent} is being played by {who}; wait for it or stop it first.")
