"""The tables of a reproduction on disk: what the figures, the verdicts and the page are made from."""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Mapping
from pathlib import Path

import pandas as pd

from ishango.errors import RequestError
from ishango.safe_files import write

Tables = Mapping[str, pd.DataFrame]
"""Tables by their names."""

TEXT = ("start", "digits", "multipliers", "system", "lowest", "literal", "alternative", "run", "name")
"""Columns that look like numbers in some rows and are none."""


PACKED = ".csv.xz"
"""How the file of a table ends that is shipped: compressed, as R, pandas and DuckDB read it, too."""


class Data(Mapping[str, pd.DataFrame]):
    """The tables below a directory by their names, compressed or not, each read when it is first asked for."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._tables: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._tables:
            paths = [self.directory / f"{name}{end}" for end in (".csv", PACKED)]
            path = next((each for each in paths if each.is_file()), None)
            if path is None:
                raise KeyError(name)
            self._tables[name] = _read(path)
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        files = [*self.directory.glob("*.csv"), *self.directory.glob(f"*{PACKED}")]
        return iter(sorted({path.name.partition(".csv")[0] for path in files}))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _read(path: Path) -> pd.DataFrame:
    # Read as a whole: chunk by chunk a column without numbers in one of them would have two types.
    try:
        return pd.read_csv(path, dtype=dict.fromkeys(TEXT, str), low_memory=False)
    except (ValueError, EOFError, lzma.LZMAError) as error:  # empty or cut off, say
        raise RequestError(f"{path} is not a table ({error}); let ishango reproduce make it again.") from None


def write_tables(tables: Tables, directory: Path, *, packed: bool = False) -> None:
    """Write each table as CSV, whole or not at all; numbers are written so that they read back as they are."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        text = table.to_csv(index=False, lineterminator="\n").encode()
        write(directory / f"{name}{PACKED if packed else '.csv'}", lzma.compress(text, preset=9) if packed else text)
