"""Runs that survive: run directories, checkpoints, sweeps and executors. Knows how a run goes, not what runs."""

from typing import TYPE_CHECKING, Any

from ishango.errors import RunError, RunWarning
from ishango.lab.archives import Archived, Unarchived, archive, list_archive, unarchive
from ishango.lab.config import config_of, record_from_config
from ishango.lab.directory import read_run
from ishango.lab.executors import Event, Executor, LocalExecutor, Result, Task
from ishango.lab.experiments import (
    EXPERIMENTS,
    Experiment,
    ExperimentKind,
    Outcome,
    Progress,
    Reporter,
    Silent,
    counted,
    generator_from,
    generator_state,
    table_columns,
)
from ishango.lab.plan import Plan, expand, load_plan, parse_plan
from ishango.lab.playing import interruptible, run
from ishango.lab.rounds import read_rounds
from ishango.lab.share import ENGINES, Engine, EngineOptions, make_executor
from ishango.lab.sweeps import SweepReporter, foresee, play_missing, prepare, sweep
from ishango.lab.view import RunView, find_runs

if TYPE_CHECKING:
    from ishango.lab.tables import print_table, rounds_table, write_table

__all__ = [
    "ENGINES",
    "EXPERIMENTS",
    "Archived",
    "Engine",
    "EngineOptions",
    "Event",
    "Executor",
    "Experiment",
    "ExperimentKind",
    "LocalExecutor",
    "Outcome",
    "Plan",
    "Progress",
    "Reporter",
    "Result",
    "RunError",
    "RunView",
    "RunWarning",
    "Silent",
    "SweepReporter",
    "Task",
    "Unarchived",
    "archive",
    "config_of",
    "counted",
    "expand",
    "find_runs",
    "foresee",
    "generator_from",
    "generator_state",
    "interruptible",
    "list_archive",
    "load_plan",
    "make_executor",
    "parse_plan",
    "play_missing",
    "prepare",
    "print_table",
    "read_rounds",
    "read_run",
    "record_from_config",
    "rounds_table",
    "run",
    "sweep",
    "table_columns",
    "unarchive",
    "write_table",
]


def __getattr__(name: str) -> Any:
    # Tables need pandas and DuckDB, which a run should not have to load.
    if name in ("print_table", "rounds_table", "write_table"):
        from ishango.lab import tables

        return getattr(tables, name)
    raise AttributeError(f"module 'ishango.lab' has no attribute {name!r}")
