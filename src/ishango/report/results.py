"""The results of a reproduction as a page of the docs, with the tables behind it in little space.

The page is a function of the tables that ship and of `made.json`, which says how they were made; so whoever has them
can make it again, and a test does.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from ishango import __version__
from ishango.errors import RequestError
from ishango.evolution.choosers import CHOOSERS
from ishango.figures.save import save_specification
from ishango.figures.vega import specification
from ishango.lab import RunView
from ishango.report.claims import Verdict, verdicts, verdicts_table
from ishango.report.columns import explained_tables
from ishango.report.data import PACKED, Data, Tables, write_tables
from ishango.report.played import finished_runs
from ishango.report.provenance import studies_played
from ishango.report.results_text import Made, results_text
from ishango.report.sections import FIGURES
from ishango.safe_files import move, remove, write

PACKAGE = Path(__file__).parents[1]
MADE = "made.json"
HALF = ".tmp"
"""How the name of a directory ends in which tables are while they are written."""
SHOWN = ("answer", "drift", "selection", "accuracy")
"""The figures that the page has, where their runs are there."""
MOST_BYTES = 5_000_000
"""What all tables together may take."""
PLACES = 6
"""Decimals of the numbers that ship."""
SYSTEMS = ["digits", "multipliers", "alternative"]
"""What the rounds of controls do without: there are hundreds of thousands, and no verdict reads it of them."""


def reproduced(out: Path) -> Data:
    """The tables of a reproduction; a directory without any, or without some of them, is refused."""
    data = Data(out / "data")
    there = set(data)
    missing = [name for name in explained_tables() if name not in there]
    if missing:
        what = f"no table {missing[0]}" if there else "no tables"
        raise RequestError(
            f"{out} holds {what} of a reproduction; let ishango reproduce make them, with --play-nothing if need be."
        )
    return data


def ship(out: Path, tables: Path) -> None:
    """Write the tables of a reproduction, which are in `out/data`, compressed into a directory of their own.

    Tables of an earlier reproduction are replaced; a directory that holds anything else is refused.
    """
    data = reproduced(out)
    kept = {name: data[name] for name in data if name != "verdicts"}
    kept["rounds"] = _smaller(kept["rounds"])
    tables.mkdir(parents=True, exist_ok=True)
    _check_shipped_before(tables, kept)
    with TemporaryDirectory(dir=tables, prefix=".", suffix=HALF) as directory:
        new = Path(directory)
        write_tables({name: table.round(PLACES) for name, table in kept.items()}, new, packed=True)
        # What is said is said of the tables that ship, not of those with more decimals.
        write_tables({"verdicts": verdicts_table(verdicts(Data(new)))}, new, packed=True)
        write(new / MADE, json.dumps(_made(out), indent=1).encode() + b"\n")
        length = sum(each.stat().st_size for each in new.iterdir())
        if length > MOST_BYTES:
            raise RequestError(f"The tables of {out} take {length:,} bytes, and should take {MOST_BYTES:,} at most.")
        for name in sorted(each.name for each in new.iterdir()):
            move(new / name, tables / name)


def _check_shipped_before(tables: Path, kept: Tables) -> None:
    """Refuse a directory of tables that holds anything but files that `ship` replaces."""
    there = {path.name for path in tables.iterdir() if not path.name.endswith(HALF)}
    written = {MADE, *(f"{name}{PACKED}" for name in (*explained_tables(), *kept))}
    if others := sorted(there - written):
        raise RequestError(f"{tables} holds {others[0]}, which is no table that ships; choose another directory.")


def write_results(tables: Path, page: Path, figures: Path) -> list[Verdict]:
    """Write the page and its figures from the tables that `ship` wrote."""
    data = Data(tables)
    for name in SHOWN:
        if FIGURES[name].can_be_drawn(data):
            save_specification(specification(FIGURES[name].chart(data)), figures, f"results-{name}", ("svg",))
        else:
            remove(figures / f"results-{name}.svg")
    found = verdicts(data)
    write(page, page_text(data, found, _way(page, tables), _way(page, figures)).encode())
    return found


def page_text(data: Data, found: list[Verdict], tables: str, figures: str) -> str:
    """The page as Markdown; the last two are the ways from it to the tables and the figures."""
    made: Made = json.loads((data.directory / MADE).read_text(encoding="utf-8"))
    drawn = {f"{figures}/results-{name}.svg": FIGURES[name] for name in SHOWN if FIGURES[name].can_be_drawn(data)}
    return results_text(data, made, found, drawn, tables)


def _way(page: Path, directory: Path) -> str:
    return Path(os.path.relpath(directory.resolve(), page.resolve().parent)).as_posix()


def _smaller(rounds: pd.DataFrame) -> pd.DataFrame:
    """The rounds, without the systems of those in which nobody talks."""
    silent = [name for name, chooser in CHOOSERS.items() if not chooser.uses_agents]
    kept = ~rounds["choose"].isin(silent)
    return rounds.assign(**{name: rounds[name].where(kept) for name in SYSTEMS})


def _made(out: Path) -> dict[str, Any]:
    """Where the runs come from: the code, the machines, and the time they took."""
    views = [RunView(run) for run in finished_runs(out / "runs")]
    machines = Counter(f"{view.environment['platform']}, {view.environment['cpu'].split(' avx')[0]}" for view in views)
    versions = Counter(_listed(view.environment["versions"]) for view in views)
    return {
        "commit": commit(),
        "machines": dict(machines.most_common()),
        "versions": dict(versions.most_common()),
        "studies": {str(row["name"]): row for row in studies_played(out)},
    }


def _listed(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in versions.items())


def commit(package: Path = PACKAGE) -> str:
    """The commit of the code that is running, or its version where it is not in its own repository."""
    try:
        top = Path(_git(package, "rev-parse", "--show-toplevel").stdout.strip())
        if (top / "src" / "ishango").resolve() != package.resolve():  # somebody's repository with an environment in it
            return f"ishango {__version__}"
        name = _git(package, "rev-parse", "--short=12", "HEAD").stdout.strip()
        changed = _git(package, "status", "--porcelain", "--", "*.py").stdout
    except (OSError, subprocess.SubprocessError):
        return f"ishango {__version__}"
    return f"{name}, with changes that are not committed" if changed else name


def _git(package: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "-C", str(package), *words], capture_output=True, text=True, timeout=10, check=True)
