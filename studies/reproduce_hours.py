"""Where the hours of `ishango reproduce --full` go: python -m studies.reproduce_hours [STUDY ...].

Of each study a few runs are played for some steps of one round (controls, which have no agents, for all rounds), in
memory and by processor time, the least of several; what they take is scaled up to the study. On a machine that many
share even processor time is far from exact.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from typing import Any

from ishango.lab import Silent, Task, foresee, play_in_memory
from ishango.lab._experiments import find_kind
from ishango.report import FULL
from ishango.report._studies import steps, studies

TRIED = 2
"""Runs of each study that are tried, spread over it."""


TRIED_STEPS, REPEATS = 4000, 3


def main(names: list[str]) -> None:
    total, rows = 0.0, []
    for name, plan in studies(FULL).items():
        if names and name not in names:
            continue
        tasks = [task for task, _ in foresee(plan, "nowhere")]
        groups: dict[object, list[Task]] = defaultdict(list)
        for task in tasks:
            groups[steps(task)].append(task)
        hours = sum(hours_of(group) for group in groups.values())
        total += hours
        rows.append((name, len(tasks), hours))
    print(f"{'study':16} {'runs':>6} {'core-hours':>11} {'share':>6}")
    for name, runs, hours in sorted(rows, key=lambda row: -row[2]):
        print(f"{name:16} {runs:6,} {hours:11.2f} {hours / total:6.0%}")
    print(f"{'all':16} {sum(runs for _, runs, _ in rows):6,} {total:11.2f}")


def hours_of(tasks: list[Task]) -> float:
    """All of these runs, from what a few of them take."""
    chosen = [tasks[i * (len(tasks) - 1) // max(1, TRIED - 1)] for i in range(min(TRIED, len(tasks)))]
    return sum(seconds_of(task) for task in chosen) / len(chosen) * len(tasks) / 3600


def seconds_of(task: Task) -> float:
    """A whole run by the slope between two short ones, so that what is done once counts once; a control by itself."""
    config: dict[str, Any] = dict(task.config)
    length, rounds = steps(task), config["rounds"]
    if length is None:
        return _measured(task, config)
    field = "steps" if rounds else "pretraining"
    config |= {"rounds": min(1, rounds)} | ({"pretraining": 0} if rounds and "pretraining" in config else {})
    few, many = (_measured(task, {**config, field: count}) for count in (1, 1 + TRIED_STEPS))
    played = length * (rounds + ("pretraining" in config)) if rounds else length
    return few + (many - few) / TRIED_STEPS * played


def _measured(task: Task, config: dict[str, Any]) -> float:
    """The least of several times: the first loads what is compiled and fills what is kept."""
    experiment, times = find_kind(task.experiment).from_config(config), list[float]()
    for _ in range(REPEATS):
        began = time.process_time()
        play_in_memory(experiment, Silent())
        times.append(time.process_time() - began)
    return min(times)


if __name__ == "__main__":
    main(sys.argv[1:])
