"""Tables of rounds back from their files: lists are lists again, and text is text."""

from __future__ import annotations

import glob
from collections.abc import Collection
from pathlib import Path

import pandas as pd

from ishango.errors import RequestError
from ishango.extras import needs
from ishango.lab.experiments import EXPERIMENTS
from ishango.lab.table_columns import RUN_COLUMN, config_column
from ishango.lab.tabulate import plain_types

try:
    import duckdb
except ModuleNotFoundError:
    needs("tables", "Tables of runs")
    raise

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
STRUCTURE = "SELECT json_group_structure({column}::JSON) FROM rounds WHERE {column} IS NOT NULL"
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
    file = Path(file)
    if file.suffix not in READERS:
        raise RequestError(f"{file} ends in {file.suffix or 'nothing'}; give a table that ends in .csv or .parquet.")
    if not file.is_file():
        raise RequestError(f"There is no table {file}; ishango table DIR -o FILE writes one.")
    with duckdb.connect() as database:
        try:
            return _read(database, file)
        except duckdb.Error as error:
            raise RequestError(f"{file} is not a table ({str(error).splitlines()[0].rstrip('.')}).") from None


def _read(database: duckdb.DuckDBPyConnection, file: Path) -> pd.DataFrame:
    database.execute(f"CREATE TEMP TABLE rounds AS FROM {READERS[file.suffix]}", {"file": glob.escape(str(file))})
    if file.suffix == ".csv":
        _restore_texts(database, file)
        _restore_lists(database)
    return database.sql("FROM rounds").df()


def _restore_texts(database: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Read the file again where text was taken for numbers."""
    kinds = {str(name): str(kind) for name, kind, *_ in database.sql("DESCRIBE rounds").fetchall()}
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
    if kind != "DOUBLE" or not database.sql(HUGE.format(column=column)).fetchall()[0][0]:
        return False
    whole = WHOLE.format(column=column, source=AS_TEXT)
    return bool(database.execute(whole, {"file": glob.escape(str(file))}).fetchall()[0][0])


def _text_columns(columns: Collection[str]) -> set[str]:
    """Of these columns, the names of runs, and options that are text in every experiment that has them."""
    values = [item for kind in EXPERIMENTS.values() for item in kind.columns(kind.defaults()).items()]
    texts = {name for name, value in values if isinstance(value, str)}
    texts -= {name for name, value in values if not isinstance(value, str)}
    # Where rounds have a field of an option's name, that column is theirs, and the option has another.
    others = {name: config_column(name, [name]) for name in texts}
    return {RUN_COLUMN, *(other if other in columns else name for name, other in others.items())}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _restore_lists(database: duckdb.DuckDBPyConnection) -> None:
    """Make columns of JSON lists columns of lists."""
    for name, kind, *_ in database.sql("DESCRIBE rounds").fetchall():
        column = _quoted(str(name))
        if kind == "VARCHAR" and database.sql(LISTS.format(column=column)).fetchall()[0][0]:
            structure = str(database.sql(STRUCTURE.format(column=column)).fetchall()[0][0])
            database.execute(RESTORE.format(column=column), {"structure": plain_types(structure)})
