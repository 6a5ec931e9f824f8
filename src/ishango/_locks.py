"""The lock of a directory that is written to: one process a run, and commands that add to one directory in turn.

It holds also between jobs of a cluster's scheduler."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import stat
import subprocess
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from ishango.errors import RequestError, RunError
from ishango.safe_files import own, read_plain, write_all, writing

SLURM = "slurm:"
ALIVE = {"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "CONFIGURING", "RESIZING"}
"""States of a SLURM job whose processes may be there."""
SCHEDULER_PATIENCE = 20.0
"""Seconds that a scheduler has to answer; one that is busy for longer is not waited for."""


def current_job(environment: Mapping[str, str] = os.environ) -> str:
    """The job of this process, by a name that does not change when it is requeued; empty if there is none.

    >>> current_job({"SLURM_JOB_ID": "17", "SLURM_ARRAY_JOB_ID": "12", "SLURM_ARRAY_TASK_ID": "4"})
    'slurm:12_4'
    """
    if "SLURM_ARRAY_TASK_ID" in environment:
        return f"{SLURM}{environment['SLURM_ARRAY_JOB_ID']}_{environment['SLURM_ARRAY_TASK_ID']}"
    return SLURM + environment["SLURM_JOB_ID"] if "SLURM_JOB_ID" in environment else ""


def is_gone(job: str) -> bool:
    """Whether a job is known not to run: it ended, or waits to be started again. What cannot be asked is not known."""
    if not job.startswith(SLURM):
        return False
    found = slurm_states([job.removeprefix(SLURM)])
    return found is not None and not any(state in ALIVE for state in found)


def slurm_states(numbers: list[str]) -> list[str] | None:
    """The states of jobs that SLURM still knows, one for each task of an array; None if it does not answer."""
    states: list[str] = []
    for number in numbers:
        answer = ask("squeue", "--noheader", "--array", "--jobs", number, "--format", "%T")
        if answer is None or (answer.returncode and "Invalid job id" not in answer.stderr):
            return None
        states += answer.stdout.split() if not answer.returncode else []
    return states


def ask(*command: str) -> subprocess.CompletedProcess[str] | None:
    """What a command of the scheduler answers; None where there is no such command, or no answer in time."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=SCHEDULER_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None


# One process a run: a lease that names its owner, and a lock that the system releases when the owner dies.
#
# The lease is the file `lock`, which comes into being whole and at once (a hard link, atomic on every file system that
# clusters have) and says which process of which host, in which job, plays the run. On top the file is locked with
# `flock`. Where that works a dead owner is known at once. On some shared file systems `flock` fails, or sees only the
# processes of one host; there an owner on another host counts as dead when its job does not run any more or when it has
# not renewed the file's time for `PATIENCE` seconds. An owner that was thought dead wrongly does no harm: see
# `RoundsFile.check`.

LOCK = "lock"
LONGEST = 1_000
"""Bytes of a lock file that is one."""
BEAT = 20.0
"""Seconds after which an owner renews its lease."""
PATIENCE = 120.0
"""Seconds after which a lease that was not renewed has run out. Network file systems show times up to 60 s late."""
NO_JOB = "-"
TURN = 120.0
"""Seconds that a command waits for its turn to write."""
TRIES = 100
"""Attempts to take a lease while others come and go."""
NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.ENOTSUP)
HELD = (errno.EWOULDBLOCK, errno.EACCES)


class BusyError(RequestError):
    """The directory is another process's at the moment: a run is being played, or something is written there."""


@dataclass(frozen=True)
class Holder:
    """The process that plays a run."""

    host: str
    pid: int
    job: str = field(default="", compare=False)
    """The job of a scheduler that it belongs to, see `current_job`; empty if there is none."""

    @property
    def is_here(self) -> bool:
        """Whether it runs on this machine, where it can be sent a signal."""
        return self.host == socket.gethostname()


def holder(directory: Path) -> Holder | None:
    """Who plays the run now, found out without touching the lock; None if nobody does.

    A process of this machine counts only if it is alive and has the lock file open (where the system tells), so that
    a number that was given to another process after a kill is not taken for it. One elsewhere counts as long as it
    renews its lease.
    """
    path = directory / LOCK
    try:
        found = _parse(read_plain(path, LONGEST))
        age = time.time() - path.stat().st_mtime
    except OSError:
        return None
    if found is None:
        return None
    alive = _has_open(found.pid, path) if found.is_here else age < PATIENCE
    return found if alive else None


@contextmanager
def locked(directory: Path) -> Generator[None]:
    """Hold the lock of a run's directory; the file is there only meanwhile, or after a kill (then it is taken over)."""
    with _held(directory / LOCK, f"The run in {directory} is being played"):
        yield


@contextmanager
def adding_to(directory: Path, wait: float = TURN) -> Generator[None]:
    """Hold the lock of a directory that commands add to, made if there is none; others wait so many seconds for it."""
    until = time.monotonic() + wait
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        reason = error.strerror if isinstance(error, OSError) else error
        raise RequestError(f"{directory} cannot be made ({reason}); choose another directory.") from None
    with ExitStack() as stack:
        while True:
            try:
                stack.enter_context(_held(directory / LOCK, f"{directory} is being written to"))
                break
            except BusyError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)
        yield


@contextmanager
def _held(path: Path, busy: str) -> Generator[None]:
    descriptor = _acquire(path, busy)
    with ExitStack() as stack:
        stack.callback(os.close, descriptor)
        stack.callback(_let_go, descriptor, path)
        stack.enter_context(_renewing(descriptor))
        yield


def _let_go(descriptor: int, path: Path) -> None:
    if _is_file(descriptor, path):  # not the file of somebody who took the run over
        path.unlink(missing_ok=True)


def remove_dead(directory: Path) -> None:
    """Take away the lock of a process that was killed just when the run was done; nobody plays it any more."""
    if (directory / LOCK).exists() and holder(directory) is None:
        with suppress(RequestError, RunError), locked(directory):  # somebody else's now, or not ours to change
            pass


def _acquire(path: Path, busy: str) -> int:
    for _ in range(TRIES):
        with writing(path):
            descriptor = _create(path)
        if descriptor is not None:
            return descriptor
        _clear_dead(path, busy)
    raise BusyError(f"{path.parent} is wanted by many processes; try again.")


def _create(path: Path) -> int | None:
    """Make the lock file, with its content and locked before it has its name; None if there is one."""
    temporary = own(path)
    descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    try:
        _sign(descriptor)
        try:
            os.link(temporary, path)
        except (FileExistsError, FileNotFoundError):  # the latter: an owner who came meanwhile tidied up
            if not _is_file(descriptor, path):  # on NFS the answer to a link that was made may be lost
                return None
        except OSError as error:
            if error.errno not in NO_LINKS:
                raise
            return _create_plainly(path)
        created, descriptor = descriptor, -1
        return created
    finally:
        temporary.unlink(missing_ok=True)
        if descriptor >= 0:
            os.close(descriptor)


def _create_plainly(path: Path) -> int | None:
    """The same where there are no hard links; for a moment the file is empty."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    except FileExistsError:
        return None
    _sign(descriptor)
    return descriptor


def _sign(descriptor: int) -> None:
    since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    write_all(descriptor, f"{socket.gethostname()} {os.getpid()} {current_job() or NO_JOB} {since}\n".encode())
    _flock(descriptor)


def _clear_dead(path: Path, busy: str) -> None:
    """Take away the lock file of an owner that is dead; a living one is an error."""
    try:
        # What is no plain file is neither written to nor waited for: a link may lead anywhere.
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:  # its owner left
        return
    except OSError as error:
        raise RunError(f"{path} could not be opened ({error.strerror}), so nothing is written beside it.") from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise RequestError(f"{path} is not a file, so its directory cannot be locked; remove it.")
        free = _flock(descriptor)
        found = _parse(os.read(descriptor, LONGEST))
        if free is False or _may_live(found, descriptor, path, certain=free is True):
            who = f"process {found.pid} on {found.host}" if found else "another process"
            raise BusyError(f"{busy} by {who}; wait for it or stop it first.")
        with writing(path):
            _take_away(descriptor, path)
    finally:
        os.close(descriptor)


def _may_live(found: Holder | None, descriptor: int, path: Path, certain: bool) -> bool:
    """Whether the owner of a file that could be locked may be alive; `certain`: locks work, at least on this host."""
    age = time.time() - os.fstat(descriptor).st_mtime
    if found is None:  # nobody's, or of somebody who is just about to sign it
        return not certain and age < BEAT
    if found.is_here:
        return not certain and _has_open(found.pid, path)
    if found.job and found.job == current_job():  # this job, before it was requeued
        return False
    return age < PATIENCE and not is_gone(found.job)


def _take_away(descriptor: int, path: Path) -> None:
    """Remove the lock file that was judged, unless another one has come into its place.

    Only one process at a time may look and remove, the one that made the file `gate`. That works without locks and
    without links, since only one can make a file that is not there.
    """
    gate = path.with_name(f".{path.name}.gate.tmp")
    try:
        os.close(os.open(gate, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666))
    except FileExistsError:
        _wait_at(gate)
        return
    try:
        if _is_file(descriptor, path):
            path.unlink(missing_ok=True)
    finally:
        gate.unlink(missing_ok=True)


def _wait_at(gate: Path) -> None:
    """Give whoever is inside the time to finish; one that was killed there is not waited for."""
    with suppress(FileNotFoundError):
        if time.time() - gate.stat().st_mtime > BEAT:
            gate.unlink(missing_ok=True)
    time.sleep(0.01)


@contextmanager
def _renewing(descriptor: int) -> Generator[None]:
    """Renew the file's time now and then, in a thread of its own: a round may take long."""
    over = threading.Event()

    def renew() -> None:
        while not over.wait(BEAT):
            with suppress(OSError):
                os.utime(descriptor)

    thread = threading.Thread(target=renew, name="ishango-claim", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _flock(descriptor: int) -> bool | None:
    """Lock an open file: True if it is ours, False if it is another's, None if the file system has no locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in HELD else None
    return True


def _parse(content: bytes) -> Holder | None:
    try:
        host, pid, *more = content.decode().split()
        job = more[0] if more else NO_JOB
        return Holder(host, int(pid), "" if job == NO_JOB else job)
    except ValueError:
        return None


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
    """Whether the open file is the one of that name."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except OSError:
        return False
