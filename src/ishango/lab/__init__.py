"""Runs that survive: run directories, checkpoints, sweeps and executors. Knows how a run goes, not what runs."""

from typing import TYPE_CHECKING, Any

from ishango.errors import RunError, RunWarning
from ishango.lab._archives import Archived, Unarchived, archive, list_archive, unarchive
from ishango.lab._executors import Event, Executor, LocalExecutor, Result, Task
from ishango.lab._experiments import (
    EXPERIMENTS,
    Experiment,
    ExperimentKind,
    Outcome,
    Progress,
    Reporter,
    Silent,
    counted,
    find_kind,
    generator_from,
    generator_state,
    table_columns,
)
from ishango.lab._plan import Plan, config_of, expand, load_plan, parse_plan
from ishango.lab._playing import interruptible, run
from ishango.lab._rounds import read_rounds
from ishango.lab._share import ENGINES, Engine, EngineOptions, make_executor
from ishango.lab._sweeps import SweepReporter, foresee, play_missing, prepare, sweep
from ishango.lab._view import RunView, find_runs

if TYPE_CHECKING:
    from ishango.lab._tables import load_table, print_table, rounds_table, write_table

from ishango.lab._directory import DONE, RUN, UnreadableRunError, refuse_unread
from ishango.lab._executors import available_cores
from ishango.lab._experiments import SHARED_STREAMS, USUAL, About, Idle, Streams, columns, record_json, run_generator
from ishango.lab._plan import PLANS, ShippedPlan, chosen, count_runs, find_plan, flatten, is_same, nested, shipped_plan
from ishango.lab._playing import play_in_memory
from ishango.lab._rounds import CHECKPOINT, PREVIOUS, ROUNDS, Checkpoint, parse_last_round, whole_records
from ishango.lab._share import SHARE, check_options
from ishango.lab._slurm import MINUTES
from ishango.lab._sweeps import SilentSweep, SweepStatus, sweep_status
from ishango.lab._view import named_runs

__all__ = [
    "CHECKPOINT", "DONE", "ENGINES", "EXPERIMENTS", "MINUTES", "PLANS", "PREVIOUS", "ROUNDS", "RUN", "SHARE",
    "SHARED_STREAMS", "USUAL", "About", "Archived", "Checkpoint", "Engine", "EngineOptions", "Event", "Executor",
    "Experiment", "ExperimentKind", "Idle", "LocalExecutor", "Outcome", "Plan", "Progress", "Reporter", "Result",
    "RunError", "RunView", "RunWarning", "ShippedPlan", "Silent", "SilentSweep", "Streams", "SweepReporter",
    "SweepStatus", "Task", "Unarchived", "UnreadableRunError", "archive", "available_cores", "check_options", "chosen",
    "columns", "config_of", "count_runs", "counted", "expand", "find_kind", "find_plan", "find_runs", "flatten",
    "foresee", "generator_from", "generator_state", "interruptible", "is_same", "list_archive", "load_plan",
    "load_table", "make_executor", "named_runs", "nested", "parse_last_round", "parse_plan", "play_in_memory",
    "play_missing", "prepare", "print_table", "read_rounds", "record_json", "refuse_unread", "rounds_table", "run",
    "run_generator", "shipped_plan", "sweep", "sweep_status", "table_columns", "unarchive", "whole_records",
    "write_table",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    # Tables need pandas and DuckDB, which a run should not have to load.
    if name in ("load_table", "print_table", "rounds_table", "write_table"):
        from ishango.lab import _tables

        return getattr(_tables, name)
    raise AttributeError(f"module 'ishango.lab' has no attribute {name!r}")
