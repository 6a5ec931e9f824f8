"""Which of a reproduction's runs are there: every part of it is made from finished runs, however many these are."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from ishango.evolution.choosers import CHOOSERS
from ishango.lab import Plan, RunView, Task, find_runs, foresee, rounds_table
from ishango.lab.config import flatten
from ishango.lab.directory import DONE
from ishango.report.data import Tables
from ishango.report.studies import MATCHED, Scale, matched_plan, studies

STUDIES = "studies"
"""The table of what there is."""


class Study(NamedTuple):
    """What there is of a study."""

    study: str
    planned: int
    finished: int
    settings: int
    """What is played with several seeds: starts, or other options."""
    settings_finished: int
    rounds: int
    steps: int | None
    """Steps in a round, or of learning; None where nobody talks."""


def finished_runs(directory: Path) -> list[Path]:
    """The runs below a directory that are done."""
    return [run for run in find_runs(directory) if (run / DONE).exists()]


def finished_rounds(directory: Path) -> pd.DataFrame | None:
    """All rounds of the finished runs below a directory; None where there are none."""
    done = {run.relative_to(directory.resolve()).as_posix() for run in finished_runs(directory)}
    if not done:
        return None
    table = rounds_table(directory)
    return table[table["run"].isin(done)].reset_index(drop=True)


def plans(scale: Scale, runs: Path) -> dict[str, Plan]:
    """The plan of each study; that of the matched coins follows from the agents' runs that are finished."""
    agents = finished_rounds(runs / "agents")
    return studies(scale) | ({} if agents is None else {MATCHED: matched_plan(scale, agents)})


def played_table(scale: Scale, runs: Path) -> pd.DataFrame:
    """A row a study: how many of its runs are finished, and of how many of its settings there is one."""
    known = plans(scale, runs)
    rows = [_study(name, known[name], runs) for name in known]
    if MATCHED not in known:
        planned = sum(row.planned for row in rows if row.study == "agents") * scale.matched
        rows.append(Study(MATCHED, planned, 0, 1, 0, scale.rounds, None))
    return pd.DataFrame(rows).astype({"steps": "Int64"})


def _study(name: str, plan: Plan, runs: Path) -> Study:
    tasks = foresee(plan, runs / name)
    settings = [_setting(task.config) for task, _ in tasks]
    done = [setting for setting, (_, finished) in zip(settings, tasks, strict=True) if finished]
    first = tasks[0][0]
    counts = len(tasks), len(done), len(set(settings)), len(set(done))
    return Study(name, *counts, first.config["rounds"], steps(first))


def steps(task: Task) -> int | None:
    """The steps in a round of a run, or of its learning if it has no rounds; None where nobody talks."""
    config = task.config
    if "choose" in config and not CHOOSERS[config["choose"]].uses_agents:
        return None
    return config["steps"] if config["rounds"] else config["pretraining"]


def _setting(config: Mapping[str, Any]) -> str:
    """What distinguishes runs beside their seed: the start, or an option."""
    return json.dumps({name: value for name, value in config.items() if name != "seed"}, sort_keys=True)


def lacking(data: Tables, needed: Sequence[str]) -> str:
    """What is missing before something may be said of these studies, as a sentence; empty if nothing is.

    One rule: of every start, or other setting, of a study one run must be finished. Tables without this information are
    those of a whole reproduction.
    """
    short = [each for each in studies_in(data) if each.study in needed and each.settings_finished < each.settings]
    return "; ".join(
        f"{each.finished:,} of {each.planned:,} runs of {each.study} are finished, of {each.settings_finished} of"
        f" {each.settings} settings"
        for each in short
    )


def begun(data: Tables, needed: Sequence[str]) -> bool:
    """Whether each of these studies has a finished run."""
    return all(each.finished for each in studies_in(data) if each.study in needed)


def studies_in(data: Tables) -> list[Study]:
    """The rows of the table; none where there is no such table."""
    if STUDIES not in data:
        return []
    rows: list[dict[str, Any]] = data[STUDIES].astype(object).to_dict("records")  # pyright: ignore[reportAssignmentType]
    known: list[Study] = []
    for row in rows:
        row["steps"] = None if pd.isna(row["steps"]) else int(row["steps"])  # CSV makes floats of them
        known.append(Study(**row))
    return known


def still_missing(data: Tables) -> str:
    """How many runs are finished where some are not, study by study, as a sentence; empty where all are."""
    short = [each for each in studies_in(data) if each.finished < each.planned]
    parts = [
        f"{each.finished:,} of {each.planned:,} of {each.study}{f' at {each.steps:,} steps' if each.steps else ''}"
        for each in short
    ]
    return f"Partial: of the runs there are {', '.join(parts)}." if parts else ""


# How a reproduction was made: versions, machine, seeds, times.


def provenance(out: Path, scale: Scale) -> dict[str, object]:
    """What the last section of the page tells, from the runs' own records."""
    rows = studies_played(out)
    first = RunView(find_runs(out / "runs", most=1)[0])
    return {
        "command": f"ishango reproduce --{scale.name}",
        "studies": rows,
        "minutes": sum(float(str(row["minutes"])) for row in rows),
        "machine": flatten(first.environment),
        "seeds": f"{min(scale.seeds)} to {max(scale.seeds)}" if len(scale.seeds) > 1 else str(min(scale.seeds)),
    }


def studies_played(out: Path) -> list[dict[str, object]]:
    """What was played of each study, and how long it took by the clock of the processes that played."""
    directories = sorted(path.parent for path in (out / "runs").glob("*/plan.toml"))
    known = {directory.name: finished_rounds(directory) for directory in directories}
    return [_told_study(name, rounds) for name, rounds in known.items() if rounds is not None]


def _told_study(name: str, rounds: pd.DataFrame) -> dict[str, object]:
    speeds = pd.to_numeric(rounds["steps_per_second"], errors="coerce").dropna()
    return {
        "name": name,
        "runs": rounds["run"].nunique(),
        "rounds": int(rounds["rounds"].max()),
        "minutes": round(float(rounds["seconds"].sum()) / 60, 1),
        "steps_per_second": f"{speeds.median():,.0f}" if len(speeds) else "–",
    }
