"""All rounds of all runs as one table: DuckDB reads the run files in place."""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import warnings
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TextIO, cast

import pandas as pd

from ishango.errors import RequestError, RunError, RunWarning
from ishango.lab._directory import DONE, shortfall
from ishango.lab._experiments import EXPERIMENTS, RUN_COLUMN, ExperimentKind, columns, config_column, is_of
from ishango.lab._plan import flatten
from ishango.lab._rounds import ROUNDS
from ishango.lab._view import RunView, named_runs
from ishango.registry import needs
from ishango.safe_files import as_path, as_paths, plain_stamp, replacing

try:
    import duckdb
except ModuleNotFoundError:
    needs("tables", "Tables of runs")
    raise

FORMATS = {".csv": "FORMAT csv, HEADER", ".parquet": "FORMAT parquet"}

LARGEST_INTEGER = 2**63 - 1
"""The largest that tables have."""

LONG = 64 * 2**20
"""Bytes of rounds, in all, from which on they are collected on disk."""
AT_ONCE = 16 * 2**20
"""Bytes of rounds that are read at once."""
MEMORY = "2GB"
"""What the database may take then."""

Directories = Path | str | Iterable[Path | str]
"""One directory of a run or of many, or several."""

# Not `read_json`: it keeps 32 MiB a file, and a sweep may have thousands of files. What stands behind the last end of a
# line is not whole yet, and a line that is damaged ends a run's rounds, as everywhere else; so does one that is nested
# more deeply than any record is, since one of 128 levels would be the end of the whole table.
READ = """
    INSERT INTO lines
    WITH files AS (SELECT filename, string_split(content, chr(10))[:-2] AS lines FROM read_text($files)),
    split AS (
        SELECT filename, unnest(lines) AS line, generate_subscripts(lines, 1) - 1 AS number FROM files
    ),
    counted AS (
        SELECT *, coalesce(
            try_cast(try_cast(line AS JSON)->>'$.round' AS BIGINT) = number
            AND json_type(try_cast(line AS JSON), '$.round') IN ('UBIGINT', 'BIGINT'), false
        ) AND CASE WHEN length(line) - length(translate(line, '[{', '')) < 100 THEN true ELSE list_reduce(
            [{'now': CASE WHEN each IN ('[', '{') THEN 1 ELSE -1 END, 'most': 1}
                FOR each IN regexp_extract_all(line, '[\\[{\\]}]')],
            lambda one, other: {'now': one.now + other.now, 'most': greatest(one.most, one.now + other.now)}
        ).most < 100 END AS fits FROM split
    )
    SELECT filename AS " file", line, $batch FROM counted
    QUALIFY bool_and(fits) OVER (PARTITION BY filename ORDER BY number)
"""
# One line of each structure is enough to find the structure of all, and finding it takes memory for every line.
SHAPES = """
    CREATE OR REPLACE TEMP TABLE shapes AS
    SELECT " file", json_structure(line::JSON) AS structure, any_value(line) AS line
    FROM lines WHERE batch = $batch GROUP BY ALL
"""
EXAMPLES = "INSERT INTO examples SELECT any_value(line) FROM shapes GROUP BY structure"
STRUCTURE = "SELECT json_group_structure(line::JSON) FROM examples"
UNPACK = """
    CREATE OR REPLACE TABLE played AS
    SELECT " file", unnest(from_json(line::JSON, $structure)) FROM lines WHERE batch = $batch
"""
JOIN = """
    SELECT {columns}
    FROM played JOIN runs ON played." file" = runs." file" ORDER BY runs." order", played.round
"""


def rounds_table(directories: Directories) -> pd.DataFrame:
    """All rounds of all runs in and below a directory or several, a row each, in the order of runs and rounds.

    The columns: `run` (the run's directory), the fields of its config (dotted names for nested ones; `config.NAME`
    where the rounds have a field of that name), and the fields of `rounds.jsonl`. Where it is known what was played,
    all its fields are there, whenever the run was made. Runs may still be going on; one that is found twice counts
    once.
    """
    with _rounds(directories) as database:
        return database.sql("FROM rounds").df()


def write_table(directories: Directories, file: Path | str) -> int:
    """Write the table to a `.csv` or `.parquet` file; returns the number of rounds in it."""
    file = as_path(file)
    if file.suffix not in FORMATS:
        raise RequestError(f"{file} ends in {file.suffix or 'nothing'}; give a name that ends in .csv or .parquet.")
    if not file.parent.is_dir():
        raise RequestError(f"{file.parent} is not a directory, so {file.name} cannot be written there.")
    with _rounds(directories) as database:
        try:
            with replacing(file, goes_on=False) as temporary:
                _copy(database, temporary, file.suffix)
        except duckdb.Error as error:
            raise RunError(f"{file} could not be written ({_first_line(error)}).") from None
        return _count(database)


def print_table(directories: Directories, stream: TextIO) -> int:
    """Write the table as CSV to a stream, such as standard output; returns the number of rounds in it."""
    with _rounds(directories) as database, TemporaryDirectory() as directory:
        file = Path(directory) / "rounds.csv"
        try:
            _copy(database, file, file.suffix)
        except duckdb.Error as error:
            raise RunError(f"The table could not be written ({_first_line(error)}).") from None
        with file.open(encoding="utf-8", newline="") as text:
            shutil.copyfileobj(text, stream)
        return _count(database)


def _copy(database: duckdb.DuckDBPyConnection, file: Path, suffix: str) -> None:
    """Write the table `rounds`; CSV has no lists, so there they are written as JSON, which every language reads."""
    types = _types(database, "rounds")
    lists = [_quoted(name) for name in types if types[name].endswith("[]")] if suffix == ".csv" else []
    texts = ", ".join(f"to_json({name}) AS {name}" for name in lists)
    rounds = f"SELECT * REPLACE ({texts}) FROM rounds" if lists else "FROM rounds"
    database.execute(f"COPY ({rounds}) TO $file ({FORMATS[suffix]})", {"file": str(file)})


def _count(database: duckdb.DuckDBPyConnection) -> int:
    return _value(database, "SELECT count(*) FROM rounds")


def _value(database: duckdb.DuckDBPyConnection, query: str, **parameters: Any) -> Any:
    """What a query gives that gives one value."""
    return database.execute(query, parameters).fetchall()[0][0]


def _types(database: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    """The columns of a table, and what each of them holds."""
    return {str(name): str(kind) for name, kind, *_ in database.sql(f"DESCRIBE {table}").fetchall()}


def _quoted(name: str) -> str:
    """A column's name in a query: whoever made a run may have put anything into it."""
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def _rounds(directories: Directories) -> Generator[duckdb.DuckDBPyConnection]:
    given = as_paths(directories)
    where = ", ".join(map(str, given))
    runs = _readable({name: run for name, run in named_runs(given).items() if _length(run)})
    if not runs:
        raise RequestError(f"The runs in {where} have not finished a round yet; wait for the first.")
    with _database(runs) as database:
        try:
            _collect(database, runs)
        except duckdb.Error as error:
            raise RequestError(f"The rounds in {where} cannot be read ({_first_line(error)}).") from None
        yield database


@contextmanager
def _database(runs: dict[str, RunView]) -> Generator[duckdb.DuckDBPyConnection]:
    """A database in memory; on disk, and with bounded memory, where the rounds are long."""
    if sum(_length(view.directory) for view in runs.values()) < LONG:
        with duckdb.connect() as database:
            yield database
        return
    with TemporaryDirectory() as directory, duckdb.connect(Path(directory) / "rounds.duckdb") as database:
        database.execute(f"SET memory_limit = '{MEMORY}'")
        yield database


def _readable(runs: dict[str, Path]) -> dict[str, RunView]:
    """The runs that can be read; what is left out is told."""
    found: dict[str, RunView] = {}
    refused: list[RequestError] = []
    for name, run in runs.items():
        try:
            found[name] = RunView(run)
        except RequestError as error:
            refused.append(error)
    if refused and not found:
        raise refused[0]
    for error in refused:
        warnings.warn(f"{error} It is left out.", RunWarning, stacklevel=2)
    return found


def _length(run: Path) -> int:
    stamp = plain_stamp(run / ROUNDS)
    return stamp[1] if stamp else 0


def _collect(database: duckdb.DuckDBPyConnection, runs: dict[str, RunView]) -> None:
    database.execute('CREATE TABLE lines (" file" VARCHAR, line VARCHAR, batch INTEGER)')
    database.execute("CREATE TABLE examples (line VARCHAR)")
    batches = list(_batches(runs))
    # Before the rounds are read: one that ends meanwhile has all of them only afterwards.
    done = {each for each in runs if plain_stamp(runs[each].directory / DONE) is not None}
    for batch, files in enumerate(batches):
        database.execute(READ, {"files": files, "batch": batch})
        database.execute(SHAPES, {"batch": batch})
        _leave_out_others(database, runs)
        database.execute(EXAMPLES)
    _tell_damage(database, {name: view for name, view in runs.items() if name in done})
    structure = _value(database, STRUCTURE)
    if structure is None:
        file = next(iter(runs.values())).directory / ROUNDS
        raise RequestError(f"{file} cannot be read: no line of it is the record of a round.")
    shown = ""
    for batch in range(len(batches)):
        database.execute(UNPACK, {"structure": plain_types(str(structure)), "batch": batch})
        if batch == 0:
            shown = _register_runs(database, runs)
        begin = "CREATE TABLE rounds AS" if batch == 0 else "INSERT INTO rounds"
        database.execute(begin + JOIN.format(columns=shown))
    database.execute("DROP TABLE lines")
    database.execute("DROP TABLE played")


def _leave_out_others(database: duckdb.DuckDBPyConnection, runs: dict[str, RunView]) -> None:
    """Take away runs whose records are not what their experiment records, and say so: one would spoil the columns of
    all."""
    views = {str(view.directory / ROUNDS): (name, view) for name, view in runs.items()}
    misfit = cache(_misfit)
    for file, structure, line in database.sql("FROM shapes").fetchall():
        name, view = views[file]
        if name in runs and view.kind and (why := misfit(structure, view.kind)) is not None:
            for table in ("lines", "shapes"):
                database.execute(f'DELETE FROM {table} WHERE " file" = $file', {"file": file})
            del runs[name]
            value = json.dumps(json.loads(line)[why])
            warnings.warn(f"{file} cannot be read ({why} is {value}); the run is left out.", RunWarning, stacklevel=2)
    if not runs:
        raise RequestError("None of the runs can be read; the messages before this one say why.")


JSON_TYPES = {"UBIGINT": 1, "BIGINT": 1, "HUGEINT": 1, "DOUBLE": 1.5, "BOOLEAN": True, "VARCHAR": "", "NULL": None}
"""A value of each type that DuckDB finds in JSON."""


def _misfit(structure: str, kind: ExperimentKind) -> str | None:
    """The field of records of that structure which is not what the experiment records; None if all are."""
    example: Any = _example(json.loads(structure))
    return next(
        (each.name for each in columns(kind.record) if not is_of(example.get(each.name), each.type | None)), None
    )


def _example(structure: Any) -> Any:
    if isinstance(structure, dict):
        return {name: _example(inner) for name, inner in cast(dict[str, Any], structure).items()}
    if isinstance(structure, list):  # in which NULL is said of an empty list, or of nulls
        return [_example(inner) for inner in cast(list[Any], structure) if inner != "NULL"]
    return JSON_TYPES.get(structure, structure)  # of mixed lists, "JSON", which is no number


def _register_runs(database: duckdb.DuckDBPyConnection, runs: dict[str, RunView]) -> str:
    """Make the table `runs`, a row a run; the columns of the table of rounds, from it and from `played`."""
    played = [name for name in _types(database, "played") if name != " file"]
    kinds = dict.fromkeys(view.kind for view in runs.values())
    defined = [column.name for kind in kinds if kind for column in columns(kind.record)]
    fields = list(dict.fromkeys([*defined, *played]))
    database.register("runs", _configs(runs, fields))
    shown = [f"runs.{_quoted(name)}" for name in _types(database, "runs") if not name.startswith(" ")]
    shown += [("played." if name in played else "NULL::VARCHAR AS ") + _quoted(name) for name in fields]
    return ", ".join(shown)


def _batches(runs: dict[str, RunView]) -> Generator[list[str]]:
    """The files of rounds, some at a time: those that are read at once are held in memory several times over."""
    batch, length = list[str](), 0
    for view in runs.values():
        batch.append(glob.escape(str(view.directory / ROUNDS)))  # DuckDB takes names for patterns
        length += _length(view.directory)
        if length >= AT_ONCE:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def _tell_damage(database: duckdb.DuckDBPyConnection, runs: dict[str, RunView]) -> None:
    """Warn of runs that were called done and have fewer rounds than that, as counted when they were read."""
    counts = dict(database.sql('SELECT " file", count(*) FROM lines GROUP BY 1').fetchall())
    for view in runs.values():
        if damage := shortfall(view.recorded, counts.get(str(view.directory / ROUNDS), 0)):
            warnings.warn(f"The run in {view.directory} is damaged: {damage}.", RunWarning, stacklevel=2)


def _configs(runs: dict[str, RunView], fields: Sequence[str]) -> pd.DataFrame:
    """One row a run: its name, and the fields of its config under names the rounds do not have."""
    configs = [view.kind.columns(view.config) if view.kind else flatten(view.config) for view in runs.values()]
    table: dict[str, Any] = {
        " file": [str(view.directory / ROUNDS) for view in runs.values()],
        " order": range(len(runs)),
        RUN_COLUMN: list(runs),
    }
    for name in dict.fromkeys(name for config in configs for name in config):
        table[config_column(name, fields)] = _column([config.get(name) for config in configs])
    return pd.DataFrame(table)


def _column(values: Sequence[Any]) -> pd.Series:
    """Values of one kind keep it; mixed ones, and lists, become text."""
    kinds: set[type[Any]] = {type(value) for value in values if value is not None}
    if any(type(value) is int and abs(value) > LARGEST_INTEGER for value in values):
        kinds.add(str)  # a seed may have any number of digits, which is text to tables
    for allowed, dtype in (({bool}, "boolean"), ({int}, "Int64"), ({int, float}, "Float64")):
        if kinds and kinds <= allowed:
            return pd.Series(values, dtype=dtype)
    return pd.Series([v if v is None or isinstance(v, str) else json.dumps(v) for v in values], dtype="string")


def plain_types(structure: str) -> str:
    """DuckDB's structure of JSON with signed integers and text, which pandas, R and Parquet all have."""
    for found, plain in (("UBIGINT", "BIGINT"), ("HUGEINT", "BIGINT"), ("NULL", "VARCHAR")):
        structure = structure.replace(f'"{found}"', f'"{plain}"')
    return structure


def _first_line(error: Exception) -> str:
    text = str(error).splitlines()[0].rstrip(".")
    if number := re.search(r'"errno":"(\d+)"', text):  # what the system said, within what DuckDB says of it
        return os.strerror(int(number[1]))
    return "a file is not UTF-8 text" if "valid UTF-8" in text else text


# Tables of rounds back from their files: lists are lists again, and text is text.

READERS = {
    # All lines decide what a column holds, not the first thousands.
    ".csv": "read_csv($file, header = true, sample_size = -1)",
    ".parquet": "read_parquet($file)",
}
AS_TEXT = "read_csv($file, header = true, all_varchar = true)"
HUGE = "SELECT coalesce(bool_or(abs({column}) >= 2.0 ** 63), false) FROM rounds"
WHOLE = """
    SELECT bool_or(regexp_full_match({column}, '-?[0-9]+') AND try_cast({column} AS BIGINT) IS NULL) FROM {source}
"""
"""Whether a column has whole numbers that are too large for one: pandas takes them for floats, which merges some."""
LARGE = ("UBIGINT", "HUGEINT", "UHUGEINT", "BIGNUM")
"""What DuckDB takes columns of nothing else for; with fractions among them, or in some versions, for DOUBLE."""
LISTS = """
    SELECT bool_and(coalesce(json_type(try_cast({column} AS JSON)) = 'ARRAY', false))
    FROM rounds WHERE {column} IS NOT NULL
"""
LIST_STRUCTURE = "SELECT json_group_structure({column}::JSON) FROM rounds WHERE {column} IS NOT NULL"
RESTORE = """
    CREATE OR REPLACE TEMP TABLE rounds AS
    SELECT * REPLACE (from_json({column}::JSON, $structure) AS {column}) FROM rounds
"""


def load_table(file: Path | str) -> pd.DataFrame:
    """The table that `ishango table` wrote to a `.csv` or `.parquet` file, as `load_runs` gives it.

    Parquet keeps every type. In CSV a column of lists is one whose every entry is a list in JSON, such as `[1,2]`, and
    names of runs and options that are text, such as `start`, stay text where it looks like a number. So do whole
    numbers that are too large for a column of them, such as a seed of twenty digits.
    """
    file = as_path(file)
    if file.suffix not in READERS:
        raise RequestError(f"{file} ends in {file.suffix or 'nothing'}; give a table that ends in .csv or .parquet.")
    if not file.is_file():
        raise RequestError(f"There is no table {file}; ishango table DIR -o FILE writes one.")
    with duckdb.connect() as database:
        try:
            found = _read(database, file)
        except duckdb.Error as error:
            raise RequestError(f"{file} is not a table ({str(error).splitlines()[0].rstrip('.')}).") from None
    if [*found] == ["column0"] and found["column0"].isna().all():  # what DuckDB makes of nothing
        raise RequestError(f"{file} is not a table (it is empty).")
    return found


def _read(database: duckdb.DuckDBPyConnection, file: Path) -> pd.DataFrame:
    database.execute(f"CREATE TEMP TABLE rounds AS FROM {READERS[file.suffix]}", {"file": glob.escape(str(file))})
    if file.suffix == ".csv":
        _restore_texts(database, file)
        _restore_lists(database)
    return database.sql("FROM rounds").df()


def _restore_texts(database: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Read the file again where text was taken for numbers."""
    kinds = _types(database, "rounds")
    names = {name for name in _text_columns(kinds) if kinds.get(name, "VARCHAR") != "VARCHAR"}
    names |= {name for name, kind in kinds.items() if kind in LARGE or _is_too_large(database, name, kind, file)}
    if names:
        texts = dict.fromkeys(sorted(names), "VARCHAR")
        again = READERS[".csv"].replace(")", ", types = $texts)")
        database.execute(
            f"CREATE OR REPLACE TEMP TABLE rounds AS FROM {again}", {"file": glob.escape(str(file)), "texts": texts}
        )


def _is_too_large(database: duckdb.DuckDBPyConnection, name: str, kind: str, file: Path) -> bool:
    """Whether a column of floats has whole numbers that do not fit; the file is read again where it may have."""
    column = _quoted(name)
    if kind != "DOUBLE" or not _value(database, HUGE.format(column=column)):
        return False
    return bool(_value(database, WHOLE.format(column=column, source=AS_TEXT), file=glob.escape(str(file))))


def _text_columns(columns: Collection[str]) -> set[str]:
    """Of these columns, the names of runs, and options that are text in every experiment that has them."""
    values = [item for kind in EXPERIMENTS.values() for item in kind.columns(kind.defaults()).items()]
    texts = {name for name, value in values if isinstance(value, str)}
    texts -= {name for name, value in values if not isinstance(value, str)}
    # Where rounds have a field of an option's name, that column is theirs, and the option has another.
    others = {name: config_column(name, [name]) for name in texts}
    return {RUN_COLUMN, *(other if other in columns else name for name, other in others.items())}


def _restore_lists(database: duckdb.DuckDBPyConnection) -> None:
    """Make columns of JSON lists columns of lists."""
    for name, kind in _types(database, "rounds").items():
        column = _quoted(name)
        if kind == "VARCHAR" and _value(database, LISTS.format(column=column)):
            structure = str(_value(database, LIST_STRUCTURE.format(column=column)))
            database.execute(RESTORE.format(column=column), {"structure": plain_types(structure)})
