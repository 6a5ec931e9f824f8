"""Runs that survive: run directories, checkpoints, sweeps and executors. Knows how a run goes, not what runs."""

from ishango.lab.directory import read_run
from ishango.lab.errors import RunError, RunWarning
from ishango.lab.protocol import Experiment, Outcome, Progress, Reporter, Silent
from ishango.lab.rounds import read_rounds
from ishango.lab.run import run
from ishango.lab.signals import interruptible

__all__ = [
    "Experiment",
    "Outcome",
    "Progress",
    "Reporter",
    "RunError",
    "RunWarning",
    "Silent",
    "interruptible",
    "read_rounds",
    "read_run",
    "run",
]
