"""What commands print: JSON, tables, planes of text, and progress messages."""

from __future__ import annotations

import contextlib
import errno
import json
import math
import shutil
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, ClassVar, TextIO

from rich.console import Console, ConsoleOptions, Group, JustifyMethod, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ishango.cli import plain
from ishango.errors import RequestError
from ishango.errors import plural as plural
from ishango.languages import Language
from ishango.numerals import HURFORD, Expression, format_set
from ishango.safe_files import own

if TYPE_CHECKING:
    import pandas as pd

NOISE = 1e-9
"""What is smaller comes from rounding."""
FILE_WIDTH = 120
"""Columns of text that goes to a file or a pipe, where neither a terminal nor COLUMNS says otherwise."""


class PlainConsole(Console):
    """A console that prints all text as it is: names in files may hold brackets, emoji codes and escape sequences."""

    def __init__(self, file: TextIO | None = None, width: int | None = None) -> None:
        super().__init__(file=file, width=width, highlight=False, markup=False, emoji=False)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Without control characters but rich's own; live displays come here too, after every hook."""
        for each in super().render(renderable, options):
            yield each if each.control else Segment(plain(each.text), each.style)


@cache
def console() -> Console:
    return PlainConsole(width=None if sys.stdout.isatty() else shutil.get_terminal_size((FILE_WIDTH, 0)).columns)


def print_json(document: dict[str, Any] | list[Any]) -> None:
    json.dump(document, sys.stdout, allow_nan=False, indent=2)
    sys.stdout.write("\n")


def decimals(value: float | None, places: int) -> str:
    """A number with so many decimals, or a dash where there is none; never minus zero."""
    return "–" if value is None else f"{value:.{places}f}".replace("-0." + "0" * places, "0." + "0" * places)


def figures_table(names: Sequence[str], figures: Sequence[str]) -> Table:
    """An empty table: columns of names, which fold rather than lose anything, then columns of numbers."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for i, heading in enumerate(names):
        table.add_column(heading, overflow="fold", no_wrap=i == 0)
    for heading in figures:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def spaced(words: Sequence[int]) -> str:
    """A set with room to break lines after its commas."""
    return format_set(words).replace(",", ", ")


def data_table(data: pd.DataFrame) -> Group:
    """A data frame for people: three decimals, names to the left; on its side where not all its columns have room."""
    names = [str(column).replace("_", " ") for column in data.columns]
    rows = [tuple(map(_cell, row)) for row in data.itertuples(index=False)]
    sides: list[JustifyMethod] = ["right" if data[name].dtype.kind in "biuf" else "left" for name in data.columns]
    table = _table(names, sides, rows)
    if _has_room(table):
        return Group(table)
    blocks, first = list[Table](), 0
    for last in range(1, len(rows) + 1):  # as many rows beside each other as there is room for
        if last == len(rows) or not _has_room(_sideways(names, rows[first : last + 1])):
            blocks.append(_sideways(names, rows[first:last]))
            first = last
    return Group(*blocks)


def _sideways(names: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Table:
    sides: list[JustifyMethod] = ["right" if at else "left" for at in range(1 + len(rows))]
    return _table([""] * len(sides), sides, list(zip(names, *rows, strict=True)))


def _has_room(table: Table) -> bool:
    endless = console().options.update(max_width=10**6)  # else no table is said to need more than there is
    measured = console().measure(table, options=endless)
    return (measured.minimum if table.show_header else measured.maximum) <= console().width


def _table(headings: Sequence[str], sides: Sequence[JustifyMethod], rows: Sequence[tuple[str, ...]]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", show_header=any(headings))
    for heading, side in zip(headings, sides, strict=True):
        table.add_column(heading, justify=side, no_wrap=not any(headings))
    for row in rows:
        table.add_row(*row)
    return table


def _cell(value: object) -> str:
    """Three decimals, or the first figure of a smaller number: a p-value of 0.0001 is not 0.

    >>> _cell(0.12345), _cell(0.0001), _cell(-1e-17), _cell(float("inf")), _cell(7)
    ('0.123', '0.0001', '0.000', '–', '7')
    """
    if not isinstance(value, float):
        return str(value)
    if NOISE < abs(value) < 0.0005:
        return f"{value:.1g}"
    return decimals(value if math.isfinite(value) else None, 3)


def records(data: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON has them: infinities and missing numbers are null."""
    finite = data.replace([float("inf"), float("-inf")], float("nan")).astype(object)
    rows = finite.where(finite.notna(), None).to_dict("records")
    return [
        {str(name): value.item() if hasattr(value, "item") else value for name, value in row.items()} for row in rows
    ]


# Where a command is to write: tried before any work is done, so that nothing is computed in vain.


def ready(directory: Path | None) -> None:
    """Make a directory that is to be written into and see that it can be; none is fine."""
    if directory is None:
        return
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=directory):
            pass
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        raise RequestError(
            f"{str(directory)!r} cannot be written into ({_reason(error)}); choose another directory."
        ) from None


def say_written(directory: Path) -> None:
    """Say where figures are, beside what is printed, so that --json stays whole."""
    print(f"Figures, with the tables behind them, are in {directory}.", file=sys.stderr)


def ready_file(file: Path | None) -> None:
    """See that a file can be written, in a directory that is there; nothing is left of the trial. None is fine."""
    if file is None:
        return
    try:
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a directory")
        if not file.absolute().parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, f"{file.parent} is not a directory")
        with contextlib.suppress(FileNotFoundError):
            own(file).lstat()  # the name it has while it is written may be too long
        with TemporaryFile(dir=file.absolute().parent):
            pass
    except (OSError, ValueError) as error:
        raise RequestError(f"{str(file)!r} cannot be written ({_reason(error)}); choose another file.") from None


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


# Progress messages: the first after two seconds, wherever a command computes before it prints.

FIRST, EVERY = 2.0, 10.0
"""Seconds before the first line, and between two further ones."""


class Teller:
    """Says on standard error now and then that something is still going on, until it is stopped.

    `going_on` is asked before each line whether there is anything to tell.
    """

    def __init__(self, what: str, first: float, going_on: Callable[[], bool] = lambda: True) -> None:
        self._what, self._first, self._going_on, self._over = what, first, going_on, threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def _tell(self) -> None:
        began, pause = time.monotonic(), self._first
        while not self._over.wait(pause):
            seconds, pause = time.monotonic() - began, EVERY
            if self._going_on():
                print(f"{self._what} ... {seconds:.0f} s so far; Ctrl-C stops it", file=sys.stderr, flush=True)


@contextmanager
def waiting(what: str) -> Generator[None]:
    """While this lasts, say now and then that the command is still at it; compiling kernels says so itself."""
    teller = Teller(what, FIRST, lambda: not Announcer.under_way)
    try:
        yield
    finally:
        teller.stop()


class Lines:
    """Progress on standard error, a line now and then with the time left."""

    def __init__(self, what: str) -> None:
        self._what, self._began = what, time.monotonic()
        self._said = self._began

    def say(self, done: int, of: int) -> None:
        now = time.monotonic()
        if now - self._said >= EVERY / 2 or (done == of and self._said > self._began):
            left = (now - self._began) / done * (of - done)
            print(f"{done} of {of} {self._what}, about {left:.0f} s left", file=sys.stderr, flush=True)
            self._said = now


# Kernels are compiled on first use; the command line says so.


class Announcer:
    """Says so when the first compilation begins, and while one goes on; code from the disk cache is silent."""

    under_way: ClassVar[int] = 0
    """Compilations, which nest: a kernel compiles those it calls."""

    def __init__(self) -> None:
        self.announced, self._depth = False, 0

    def on_start(self, event: object) -> None:  # noqa: ARG002 - Numba's listeners get it
        Announcer.under_way += 1
        self._depth += 1
        if not self.announced:
            self.announced = True
            print("First use: compiling the kernels; later calls take them from a cache.", file=sys.stderr, flush=True)
            Teller("Compiling the kernels", EVERY, lambda: self._depth > 0)

    def on_end(self, event: object) -> None:  # noqa: ARG002 - Numba's listeners get it
        Announcer.under_way -= 1
        self._depth -= 1


@cache
def announce_compilation() -> None:
    """From here on, say so when kernels have to be compiled, once."""
    from numba.core import event  # not for help texts, which must come at once

    class Listener(Announcer, event.Listener):
        pass

    event.register("numba:compile", Listener())  # pyright: ignore[reportUnknownMemberType] - Numba has no types


# Numerals as a table a person enjoys reading: tens down, units across, complexity by colour.

COLUMNS = 10
LABEL = 4
"""The width of the numbers at the left."""

SHOWN = 100
"""Larger ranges show this many numbers; the JSON document has them all."""

SHADES = ("bold green", "cyan", "blue", "yellow", "magenta", "red")
"""Colours for 1, 3, 5, ... symbols; the last one for everything longer."""


def numerals_table(expressions: Mapping[int, Expression], numbers: range, width: int) -> Table:
    """The numerals in ten columns; in five, two or one where expressions are long. Missing ones are `?`.

    Of more than fit a screen the first are shown.
    """
    numbers = numbers[:SHOWN]
    cells = {n: cell(expressions.get(n)) for n in numbers}
    longest = max(each.cell_len for each in cells.values())
    columns = next((c for c in (COLUMNS, 5, 2) if c * (longest + 1) + LABEL <= width), 1)
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(style="dim", justify="right")
    if columns > 1:
        table.add_row("", *(Text(f"+{i}", style="dim") for i in range(columns)))
    for start in range(numbers[0] - numbers[0] % columns, numbers[-1] + 1, columns):
        table.add_row(f"{start}", *(cells.get(n, Text()) for n in range(start, start + columns)))
    return table


def shade_legend(console: Console, expressions: Iterable[Expression]) -> Text:
    """What the colours mean, for the complexities that occur; nothing where there are none."""
    if console.color_system is None or console.no_color:
        return Text(end="")
    pieces: list[str | tuple[str, str]] = ["symbols: "]
    for leaves in sorted({min(each.leaves, len(SHADES)) for each in expressions}):
        more = " or more" if leaves == len(SHADES) else ""
        pieces += [(f"{2 * leaves - 1}{more}", SHADES[leaves - 1]), "  "]
    return Text.assemble(*pieces)


def cell(expression: Expression | None) -> Text:
    """A numeral, coloured by its complexity; `?` where there is none."""
    if expression is None:
        return Text("?", style="reverse")
    text = str(expression).replace(" * ", "·").replace(" + ", "+").replace(" - ", "−")
    return Text(text, style=SHADES[min(expression.leaves, len(SHADES)) - 1])


# Languages beside each other: the numbers down, a language a column.


def side_by_side(languages: Sequence[Language], upto: int) -> Table:
    """What is said for each number, as far as that is known; of other kinds of languages, what the word means."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("", style="dim", justify="right")
    said = [known_expressions(each, upto) for each in languages]
    for each in languages:
        table.add_column(Text(each.name), overflow="fold")
    for number in range(1, min(upto, SHOWN) + 1):
        table.add_row(str(number), *(_padded(each, of, number) for each, of in zip(languages, said, strict=True)))
    return table


def legend(console: Console, languages: Sequence[Language], upto: int) -> Text:
    return shade_legend(console, [e for each in languages for e in known_expressions(each, upto).values()])


def known_expressions(language: Language, upto: int) -> dict[int, Expression]:
    """What is said under Hurford's grammar, where multipliers stand alone as people say them; as far as rules reach."""
    reach = min(upto, language.rules.reach) if language.rules else 0
    return language.expressions(HURFORD.name, reach) or {} if reach else {}


def _padded(language: Language, said: dict[int, Expression], number: int) -> Text:
    if number in said:
        return cell(said[number])
    stands = (str(t) for t in language.terms if t.first <= number and (t.last is None or number <= t.last))
    return Text(next(stands, "×" if language.is_outside(number) else "–"), style="dim")


# The path of a run through a plane, drawn with characters.

WIDTH, HEIGHT = 60, 12
LEAST_WIDTH = 10


def plane(
    records: Sequence[Mapping[str, Any]],
    columns: int = WIDTH + 1,
    x: str = "size",
    y: str = "average_complexity",
    y_name: str = "average",
) -> str:
    """The path of a run: one field to the right, one upwards, `.` where it was and `o` where it is.

    It takes no more than so many columns of the terminal, its axis included.

    >>> print(plane([{"size": 9, "average_complexity": 2.0}, {"size": 8, "average_complexity": 1.5}]).splitlines()[-1])
    size 8 to 9, average 1.500 to 2.000
    """
    points = [(r[x], r[y]) for r in records if r[y] is not None]
    if not points:
        return ""
    xs, ys = zip(*points, strict=True)
    width = max(LEAST_WIDTH, min(WIDTH, columns - 1))
    grid = [[" "] * width for _ in range(HEIGHT)]
    for across, up in points[:-1]:
        grid[_place(up, ys, HEIGHT)][_place(across, xs, width)] = "."
    grid[_place(ys[-1], ys, HEIGHT)][_place(xs[-1], xs, width)] = "o"
    lines = ["|" + "".join(row).rstrip() for row in reversed(grid)]
    scale = f"{x} {min(xs)} to {max(xs)}, {y_name} {min(ys):.3f} to {max(ys):.3f}"
    return "\n".join([*lines, "+" + "-" * width, scale])


def _place(value: float, values: Sequence[float], cells: int) -> int:
    low, high = min(values), max(values)
    return 0 if high == low else round((value - low) / (high - low) * (cells - 1))
