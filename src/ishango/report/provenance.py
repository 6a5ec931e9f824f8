"""How a reproduction was made: versions, machine, seeds, times."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ishango.lab import RunView, find_runs, rounds_table
from ishango.lab.config import flatten
from ishango.report.scale import Scale


def provenance(out: Path, scale: Scale) -> dict[str, object]:
    """What the last section of the page tells, from the runs' own records."""
    studies = sorted(path.parent for path in (out / "runs").glob("*/plan.toml"))
    rows = [_study(directory) for directory in studies]
    first = RunView(find_runs(out / "runs", most=1)[0])
    return {
        "command": f"ishango reproduce --{scale.name}",
        "studies": rows,
        "minutes": sum(float(str(row["minutes"])) for row in rows),
        "machine": flatten(first.environment),
        "seeds": f"{min(scale.seeds)} to {max(scale.seeds)}" if len(scale.seeds) > 1 else str(min(scale.seeds)),
    }


def _study(directory: Path) -> dict[str, object]:
    rounds = rounds_table(directory)
    speeds = pd.to_numeric(rounds["steps_per_second"], errors="coerce").dropna()
    return {
        "name": directory.name,
        "runs": rounds["run"].nunique(),
        "rounds": int(rounds["rounds"].max()),
        "minutes": round(float(rounds["seconds"].sum()) / 60, 1),
        "steps_per_second": f"{speeds.median():,.0f}" if len(speeds) else "–",
    }
