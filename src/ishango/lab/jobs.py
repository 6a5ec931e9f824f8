"""Jobs of a scheduler: the one this process belongs to, and whether another one still runs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping

SLURM = "slurm:"
ALIVE = {"RUNNING", "COMPLETING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "CONFIGURING", "RESIZING"}
"""States of a SLURM job whose processes may be there."""
PATIENCE = 20.0
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
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
