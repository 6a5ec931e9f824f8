"""How a reproduction was made: versions, machine, seeds, times."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ishango.lab import RunView, find_runs
from ishango.lab.config import flatten
from ishango.report.played import finished_rounds
from ishango.report.scale import Scale


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
    return [_study(name, rounds) for name, rounds in known.items() if rounds is not None]


def _study(name: str, rounds: pd.DataFrame) -> dict[str, object]:
    speeds = pd.to_numeric(rounds["steps_per_second"], errors="coerce").dropna()
    return {
        "name": name,
        "runs": rounds["run"].nunique(),
        "rounds": int(rounds["rounds"].max()),
        "minutes": round(float(rounds["seconds"].sum()) / 60, 1),
        "steps_per_second": f"{speeds.median():,.0f}" if len(speeds) else "–",
    }
