"""All rounds of all runs as one table: DuckDB reads the run files in place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from ishango.errors import RequestError, RunError
from ishango.lab.config import flatten
from ishango.lab.directory import RUN, read_run
from ishango.lab.experiments import EXPERIMENTS
from ishango.lab.rounds import NAME
from ishango.lab.safe_files import beside, move

FORMATS = {".csv": "FORMAT csv, HEADER", ".parquet": "FORMAT parquet"}

# Not `read_json`: it keeps 32 MiB a file, and a sweep may have thousands of files.
READ = """
    CREATE TEMP TABLE lines AS SELECT * FROM (
        SELECT filename AS " file", unnest(string_split(content, chr(10))) AS line FROM read_text($files)
    ) WHERE json_valid(line)  -- not so half a line at the end of a run that is going on
"""
STRUCTURE = "SELECT json_group_structure(line::JSON) FROM lines"
UNPACK = """
    CREATE TEMP TABLE played AS SELECT * FROM (
        SELECT " file", unnest(from_json(line::JSON, $structure)) FROM lines
    ) WHERE round IS NOT NULL
"""
JOIN = """
    CREATE TEMP TABLE rounds AS SELECT {configs}, played.* EXCLUDE " file"
    FROM played JOIN runs ON played." file" = runs." file" ORDER BY runs." order", round
"""


def rounds_table(directory: Path | str) -> pd.DataFrame:
    """All rounds of all runs in and below a directory, a row each, in the order of runs and rounds.

    The columns: `run` (the run's directory), the fields of its config (dotted names for nested ones, and the other
    names that the experiment has for some; `config.NAME` where the rounds have a field of that name), and the fields of
    `rounds.jsonl`. Runs may still be going on.
    """
    with _rounds(Path(directory)) as database:
        return database.sql("FROM rounds").df()


def write_table(directory: Path | str, file: Path | str) -> int:
    """Write the table to a `.csv` or `.parquet` file; returns the number of rounds in it."""
    file = Path(file)
    if file.suffix not in FORMATS:
        raise RequestError(f"{file} ends in {file.suffix or 'nothing'}; give a name that ends in .csv or .parquet.")
    if not file.parent.is_dir():
        raise RequestError(f"{file.parent} is not a directory, so {file.name} cannot be written there.")
    with _rounds(Path(directory)) as database:
        try:
            database.execute(f"COPY rounds TO $file ({FORMATS[file.suffix]})", {"file": str(beside(file))})
            move(beside(file), file)
        except duckdb.Error as error:
            raise RunError(f"{file} could not be written ({_first_line(error)}).") from None
        finally:
            beside(file).unlink(missing_ok=True)
        return database.sql("SELECT count(*) FROM rounds").fetchall()[0][0]


def find_runs(directory: Path) -> list[Path]:
    """The directories of runs in and below a directory, in order."""
    if not directory.is_dir():
        raise RequestError(f"{directory} is not a directory; give the one of a run or a sweep.")
    runs = sorted(path.parent for path in directory.rglob(RUN))
    if not runs:
        raise RequestError(f"There are no runs in {directory}; give the directory of a run or a sweep.")
    return runs


@contextmanager
def _rounds(directory: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory with the table `rounds`."""
    played = [run for run in find_runs(directory) if (run / NAME).exists() and (run / NAME).stat().st_size]
    if not played:
        raise RequestError(f"The runs in {directory} have not finished a round yet; wait for the first.")
    with duckdb.connect() as database:
        try:
            database.execute(READ, {"files": [str(run / NAME) for run in played]})
            structure = str(database.sql(STRUCTURE).fetchall()[0][0])
            # Signed integers and text, which pandas, R and Parquet all have.
            structure = structure.replace('"UBIGINT"', '"BIGINT"').replace('"NULL"', '"VARCHAR"')
            database.execute(UNPACK, {"structure": structure})
            fields = {name for name, *_ in database.sql("DESCRIBE played").fetchall()}
            runs = _configs(directory, played, fields)
            database.register("runs", runs)
            shown = ", ".join(f'runs."{name}"' for name in runs.columns if not name.startswith(" "))
            database.execute(JOIN.format(configs=shown))
        except duckdb.Error as error:
            raise RequestError(f"The rounds in {directory} cannot be read ({_first_line(error)}).") from None
        yield database


def _configs(directory: Path, runs: list[Path], fields: set[str]) -> pd.DataFrame:
    """One row a run: its name, and the fields of its config under names the rounds do not have."""
    configs = [_fields((read_run(run) or {"config": {}})["config"]) for run in runs]
    names = list(dict.fromkeys(name for config in configs for name in config))
    table: dict[str, Any] = {
        " file": [str(run / NAME) for run in runs],
        " order": range(len(runs)),
        "run": [str(run.relative_to(directory)) if run != directory else run.resolve().name for run in runs],
    }
    for name in names:
        column = f"config.{name}" if name in fields or name == "run" else name
        table[column.replace('"', "_")] = _column([config.get(name) for config in configs])
    return pd.DataFrame(table)


def _fields(config: dict[str, Any]) -> dict[str, Any]:
    """The fields of a config by dotted name, and by their other names if it is of a kind that has such."""
    kind = next((kind for kind in EXPERIMENTS.values() if kind.other_names and kind.knows(config)), None)
    return kind.columns(config) if kind else flatten(config)


def _column(values: Sequence[Any]) -> pd.Series:
    """Values of one kind keep it; mixed ones, and lists, become text."""
    kinds = {type(value) for value in values if value is not None}
    for allowed, dtype in (({bool}, "boolean"), ({int}, "Int64"), ({int, float}, "Float64")):
        if kinds and kinds <= allowed:
            return pd.Series(values, dtype=dtype)
    return pd.Series([v if v is None or isinstance(v, str) else json.dumps(v) for v in values], dtype="string")


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0].rstrip(".")
