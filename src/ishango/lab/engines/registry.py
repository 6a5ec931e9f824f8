"""Who plays a sweep, by name: this machine, a share of it, SLURM, Dask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

from ishango.errors import RequestError
from ishango.lab.engines.executors import Executor, LocalExecutor, available_cores
from ishango.registry import by_name


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
    """Refuse an option that means nothing to an engine: a wish that is passed over in silence is a wrong answer."""
    for each in fields(options):
        if getattr(options, each.name) != each.default and each.name not in engine.takes:
            able = [other.name for other in ENGINES.values() if each.name in other.takes]
            raise RequestError(
                f"--{each.name} means nothing to --on {engine.name}; leave it away, or play on {' or '.join(able)}."
            )


def _local(options: EngineOptions, out: Path, title: str) -> Executor:  # noqa: ARG001
    return LocalExecutor(available_cores() if options.workers is None else options.workers)


def _share(options: EngineOptions, out: Path, title: str) -> Executor:  # noqa: ARG001
    from ishango.lab.engines.slurm_worker import share_of_job

    return share_of_job(options, out)


def _slurm(options: EngineOptions, out: Path, title: str) -> Executor:
    from ishango.lab.engines.slurm import SlurmExecutor

    return SlurmExecutor(options, out, title)


def _script(options: EngineOptions, title: str, command: list[str]) -> str:
    from ishango.lab.engines.slurm_worker import sbatch_script

    return sbatch_script(options, title, command)


def _dask(options: EngineOptions, out: Path, title: str) -> Executor:  # noqa: ARG001
    from ishango.lab.engines.dask_engine import DaskExecutor

    return DaskExecutor(options.scheduler, options.workers)


LOCAL = Engine("local", "processes on this machine", frozenset({"workers"}), _local)
SLURM = Engine(
    "slurm",
    "a job array on a SLURM cluster, through submitit",
    frozenset({"workers", "jobs", "time", "partition", "sbatch", "detach"}),
    _slurm,
    _script,
)
DASK = Engine("dask", "the workers of a Dask cluster", frozenset({"workers", "scheduler"}), _dask)
SHARE = Engine(
    "share",
    "one worker of many, in a job of any scheduler: it plays what nobody else plays",
    frozenset({"workers", "time"}),
    _share,
)

ENGINES = by_name(LOCAL, SLURM, DASK, SHARE)
