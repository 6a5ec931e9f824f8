"""The options of commands that play many runs: on what, and how many at once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import tyro

from ishango.lab import ENGINES, Engine, EngineOptions, Executor, make_executor
from ishango.options import OneOf, explained


@dataclass(frozen=True, kw_only=True)
class PlayedOn:
    """Where runs are played."""

    on: Annotated[Annotated[str, OneOf(ENGINES)], explained(ENGINES)] = "local"
    """What plays; docs/cluster.md tells how to use a cluster."""
    workers: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Processes that play, one thread each; one a core if not given. On SLURM: in each task, one if not given."""
    jobs: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Tasks of the job array on SLURM, each of which plays many runs; 10 if not given."""
    time: Annotated[int | None, tyro.conf.arg(metavar="MINUTES")] = None
    """Time of a task on SLURM, 60 if not given; when it is up the task is requeued, and runs go on."""
    partition: Annotated[str | None, tyro.conf.arg(metavar="NAME")] = None
    """The partition on SLURM; the site's default if not given."""
    sbatch: Annotated[tuple[str, ...], tyro.conf.arg(metavar="NAME=VALUE")] = ()
    """More options of sbatch, such as account=NAME mem=2G."""
    scheduler: Annotated[str | None, tyro.conf.arg(metavar="ADDRESS")] = None
    """The Dask scheduler, such as tcp://host:8786; worker processes of this machine if not given."""
    detach: bool = False
    """On SLURM: submit, and do not wait; the same command with --status tells how far the runs are."""

    def engine(self) -> tuple[Engine, EngineOptions]:
        """The engine that is asked for, and what is asked of it."""
        return ENGINES[self.on], EngineOptions(
            **{each.name: getattr(self, each.name) for each in fields(EngineOptions)}
        )

    def executor(self, out: Path, title: str) -> Executor:
        """What plays the runs below a directory."""
        return make_executor(*self.engine(), out, title)
