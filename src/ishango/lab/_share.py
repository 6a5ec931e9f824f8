"""Who plays a sweep, by name, and playing a share of it."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, fields
from importlib import import_module
from pathlib import Path
from typing import Any

from ishango._locks import BEAT, LOCK, BusyError, holder, locked
from ishango.errors import FieldError, RequestError, RunError
from ishango.lab._directory import DONE, ERROR, environment, is_done
from ishango.lab._executors import Event, Executor, Limit, LocalExecutor, Result, Task, available_cores, note_failure
from ishango.lab._experiments import find_kind
from ishango.lab._rounds import ROUNDS
from ishango.lab._sweeps import read_failure
from ishango.registry import by_name
from ishango.safe_files import Stamp, plain_stamp, read_plain, write


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """What can be asked of engines; each takes some of it."""

    workers: int | None = None
    jobs: int | None = None
    time: int | None = None
    partition: str | None = None
    sbatch: tuple[str, ...] = ()
    scheduler: str | None = None
    detach: bool = False


@dataclass(frozen=True)
class Engine:
    """One way to play many runs."""

    name: str
    sentence: str
    takes: frozenset[str]
    """The options that mean something to it."""
    make: Callable[[EngineOptions, Path, str], Executor]
    """From the options, the sweep's directory and its title to what plays."""
    script: Callable[[EngineOptions, str, list[str]], str] | None = None
    """The same as text to submit by hand, from the options, the title and the command of one worker."""


def make_executor(engine: Engine, options: EngineOptions, out: Path, title: str) -> Executor:
    """What plays, if the engine takes all that is asked of it."""
    check_options(engine, options)
    return engine.make(options, out, title)


def check_options(engine: Engine, options: EngineOptions) -> None:
    """Refuse an option that means nothing to an engine: to ignore it would be a wrong answer."""
    for each in fields(options):
        if getattr(options, each.name) != each.default and each.name not in engine.takes:
            able = [other.name for other in ENGINES.values() if each.name in other.takes]
            raise FieldError(
                each.name,
                f"{each.name} means nothing on {engine.name}; leave it out, or play on {' or '.join(able)}.",
            )


def _later(module: str, name: str) -> Callable[..., Any]:
    """What makes an executor or a script, in a module that is loaded when it is called: it may need an extra."""
    return lambda *asked: getattr(import_module(f"ishango.lab.{module}"), name)(*asked)


LOCAL = Engine(
    "local",
    "processes on this machine",
    frozenset({"workers"}),
    lambda options, _out, _title: LocalExecutor(available_cores() if options.workers is None else options.workers),
)
SLURM = Engine(
    "slurm",
    "a job array on a SLURM cluster, through submitit",
    frozenset({"workers", "jobs", "time", "partition", "sbatch", "detach"}),
    _later("_slurm", "SlurmExecutor"),
    _later("_slurm", "sbatch_script"),
)
DASK = Engine(
    "dask",
    "the workers of a Dask cluster",
    frozenset({"workers", "scheduler"}),
    lambda options, _out, _title: _later("_dask_engine", "DaskExecutor")(options.scheduler, options.workers),
)
SHARE = Engine(
    "share",
    "one worker of many, in a job of any scheduler: it plays what nobody else plays",
    frozenset({"workers", "time"}),
    lambda options, out, _title: _later("_slurm", "share_of_job")(options, out),
)

ENGINES = by_name(LOCAL, SLURM, DASK, SHARE)


# Following runs that are played elsewhere, through their directories alone.

LOOK_EVERY = 2.0
"""Seconds between two looks; more where a look takes long, so that it takes a tenth of the time."""


def watch(
    tasks: Sequence[Task], hear: Callable[[Event], None], is_active: Callable[[], bool], since: float, gone: str
) -> Iterator[Result]:
    """Results of runs as they end elsewhere; when nobody is active any more, the rest counts as died, because `gone`.

    An error from before `since`, when the tasks were given away, counts for nothing.
    """
    open_tasks, seen = list(tasks), dict[Path, Stamp]()
    while open_tasks:
        active, began = is_active(), time.monotonic()
        still: list[Task] = []
        for task in open_tasks:
            result = _ended(task, since)
            if result is None:
                still.append(task)
                _tell_rounds(task, hear, seen)
            else:
                yield result
        open_tasks = still
        if not active:
            yield from (Result(task, "died", gone) for task in open_tasks)
            return
        if open_tasks:
            time.sleep(max(LOOK_EVERY, 9 * (time.monotonic() - began)))


def _ended(task: Task, since: float) -> Result | None:
    if (task.directory / DONE).exists() and is_finished(task):
        return Result(task, "done")
    if not failed_since(task, since):
        return None
    failure = read_failure(task.directory)
    if failure is None:  # taken up again a moment ago
        return None
    return Result(task, "failed", failure.message, task.directory / ERROR if failure.is_traced else None)


def _tell_rounds(task: Task, hear: Callable[[Event], None], seen: dict[Path, Stamp]) -> None:
    """Tell of new rounds; the file is read only if it has changed."""
    path = task.directory / ROUNDS
    stamp = plain_stamp(path)
    if stamp is None or seen.get(path) == stamp:
        return
    seen[path] = stamp
    try:
        hear(Event(task, rounds_done=read_plain(path).count(b"\n")))
    except OSError:
        return


# The first worker of each type of machine compiles the kernels; the others wait, and take them from the cache.

WARM = "WARM"
LONGEST = 600.0
"""Seconds after which a worker does not wait any longer."""
WARMING_LOOK_EVERY = 1.0


@contextmanager
def warmed(folder: Path, experiment: str, left: float) -> Generator[Callable[[], None]]:
    """Wait while another worker compiles; call what this gives as soon as kernels are there, which is after a round.

    A worker spends no more than a quarter of the seconds here that are left to it.
    """
    place = folder / _key(experiment)
    until = time.monotonic() + min(LONGEST, left / 4)
    with ExitStack() as held:
        mine = False
        while not mine and not (place / WARM).exists() and time.monotonic() < until:
            try:
                place.mkdir(parents=True, exist_ok=True)
                held.enter_context(locked(place))
                mine = True
            except BusyError:
                time.sleep(WARMING_LOOK_EVERY)
            except (OSError, RunError):  # nothing can be locked here: everybody compiles
                break

        def tell() -> None:
            nonlocal mine
            if mine:
                mine = False
                write(place / WARM, b"")
                held.close()

        yield tell


def _key(experiment: str) -> str:
    """What compiled kernels depend on: the type of machine, versions, and what is played."""
    from ishango.compiling import CPU, SOURCES  # Numba takes a moment to load

    facts = [environment(), CPU, SOURCES, experiment]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


# One worker of many: it takes runs that nobody plays until there are none, or until its time is nearly up.
#
# Workers know nothing of each other. What they share is the file system: a run that is done, failed, or held by
# another is left out. So there may be any number of them, started by any scheduler, at any time.

HIDDEN = ".sweep"
"""Where a sweep's directory keeps what belongs to jobs: their tasks, their output, who compiles."""

PAUSE = 2.0
"""Seconds before a death is written down: a scheduler that ends a job kills this process, too, and nothing failed."""


def write_tasks(path: Path, tasks: Sequence[Task]) -> None:
    """Write tasks down for workers elsewhere, with whole paths."""
    rows = [[task.experiment, dict(task.config), str(task.directory.resolve())] for task in tasks]
    write(path, "".join(json.dumps(row) + "\n" for row in rows).encode())


def read_tasks(path: Path) -> list[Task]:
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Task(experiment, config, Path(directory)) for experiment, config, directory in rows]


@dataclass
class ShareExecutor:
    """Plays, on some processes of this machine, what nobody else plays; a run in other hands is no failure."""

    workers: int = 1
    limit: Limit = field(default_factory=Limit)
    place: int = 0
    """This worker's number among `of`: each begins at another run, so that they do not meet."""
    of: int = 1
    since: float = field(default_factory=time.time)
    """A run that failed after this time is not tried again: another worker of this sweep had it."""
    folder: Path | None = None
    """Where workers agree who compiles; nowhere if there is none."""
    rounds_played: int = field(default=0, init=False)
    """Rounds that were finished here."""

    def map(self, tasks: Iterable[Task], hear: Callable[[Event], None] = lambda _event: None) -> Iterator[Result]:
        """Play what is free, until the time is nearly up."""
        tasks = list(tasks)
        executor, ended = LocalExecutor(self.workers, self.limit), set[Path]()
        while (free := self._free(tasks)) and not self._is_over():
            folder = self.folder or free[0].directory.parent / HIDDEN
            with warmed(folder / "warm", free[0].experiment, self.limit.left) as warm:
                count = self._counting(hear, warm)
                for result in executor.map(self._still_free(free), count):
                    ended.add(result.task.directory)
                    if result.status == "died":
                        time.sleep(PAUSE)
                    if result.status == "died" and not failed_since(result.task, self.since):
                        note_failure(result.task.directory, result.message)
                    if result.status != "busy":
                        yield result
            tasks = [task for task in tasks if task.directory not in ended and not is_finished(task)]
            if not self._free(tasks):
                self._wait_for_silent(tasks)

    def _is_over(self) -> bool:
        return self.limit.hurried or not self.limit.left

    def _free(self, tasks: list[Task]) -> list[Task]:
        """What might be played, from this worker's place on."""
        begin = len(tasks) * self.place // max(self.of, 1)
        return [task for task in tasks[begin:] + tasks[:begin] if self._is_free(task)]

    def _still_free(self, tasks: list[Task]) -> Iterator[Task]:
        for task in tasks:
            if self._is_over():
                return
            if self._is_free(task):
                yield task

    def _is_free(self, task: Task) -> bool:
        return not is_finished(task) and not failed_since(task, self.since) and holder(task.directory) is None

    def _wait_for_silent(self, tasks: list[Task]) -> None:
        """Wait while there are leases on other hosts that were not renewed lately: they may turn out to be dead."""
        while not self._is_over() and any(map(_is_silent, tasks)) and not self._free(tasks):
            time.sleep(min(BEAT / 4, self.limit.left))

    def _counting(self, hear: Callable[[Event], None], warm: Callable[[], None]) -> Callable[[Event], None]:
        known: dict[Path, int] = {}

        def count(event: Event) -> None:
            if event.rounds_done is not None:
                before = known.setdefault(event.task.directory, event.rounds_done)
                self.rounds_played += event.rounds_done - before
                known[event.task.directory] = event.rounds_done
                if event.rounds_done > max(before, 1):  # a round after the first was played: kernels are compiled
                    warm()
            hear(event)

        return count


def is_finished(task: Task) -> bool:
    """Whether a run is done as far as its task asks; one that contradicts its task is left to who plays it."""
    if not (task.directory / DONE).exists():
        return False
    try:
        return is_done(task.directory, task.config, find_kind(task.experiment))
    except (RequestError, OSError):
        return False


def failed_since(task: Task, since: float) -> bool:
    """Whether an attempt failed after this time."""
    try:
        return (task.directory / ERROR).stat().st_mtime >= since
    except OSError:
        return False


def _is_silent(task: Task) -> bool:
    """Whether the run's lease was not renewed for two beats: its owner is dead, or about to be found alive."""
    try:
        found = holder(task.directory)
        age = time.time() - (task.directory / LOCK).stat().st_mtime
    except OSError:
        return False
    return found is not None and not found.is_here and age > 2 * BEAT
