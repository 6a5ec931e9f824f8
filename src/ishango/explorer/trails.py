"""What part of a plane is seen: fitted to what matters, or all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd

from ishango.explorer.optima import Optima, bound_table, optima_table
from ishango.explorer.paths import NEVER
from ishango.explorer.rounds import number
from ishango.explorer.run_problems import RunProblem
from ishango.explorer.summaries import Shown
from ishango.figures.look import corner
from ishango.figures.run_figures import LAST
from ishango.numerals import format_set

Ends = tuple[float, float]
_AIR = 0.06
"""Share of an axis that is left free around what is seen."""
_MOST_ENDS = 0.9
"""Share of the places where runs are now that are seen at least."""
_NOTHING: Ends = (0.0, 1.0)


def fitted(tables: Mapping[str, pd.DataFrame], groups: Sequence[str] = ()) -> tuple[Ends, Ends]:
    """Human languages, where the runs of these groups are now, and the lower bands; not the ways there.

    Below them is as much of the unattainable as shows that they lie close to it.
    """
    paths, bands = tables.get("paths"), tables.get("bands")
    ends = paths[(paths["until"] == NEVER) & paths["group"].isin(groups)] if paths is not None else None
    if ends is not None and len(ends):
        ends = ends[ends["y"] <= ends["y"].quantile(_MOST_ENDS)]
    seen = [each for each in (tables["languages"], ends) if each is not None and len(each)]
    xs, ys = _values(seen, "x"), _values(seen, "y")
    if bands is not None and len(bands):
        xs, ys = [*xs, *bands["x"].quantile([0.05, 0.9])], [*ys, *bands["median"].quantile([0, 0.5])]
    if not xs:
        return whole(tables)
    right = _spread(xs, 0.5)
    near = tables["frontier"][tables["frontier"]["x"].between(*right)]
    return right, _spread([*ys, *near["y"].clip(upper=max(ys))], 0)


def whole(tables: Mapping[str, pd.DataFrame]) -> tuple[Ends, Ends]:
    """Everything that is drawn; of the frontier, which goes on and on, the part below it."""
    drawn = [tables[name] for name in ("languages", "paths", "bands") if name in tables and len(tables[name])]
    shown = drawn or [tables["frontier"]]
    right = _spread(_values(shown, "x"), 0.5)
    near = tables["frontier"][tables["frontier"]["x"].between(*right)]
    ys = _values([*shown, near], "y") + (_values(drawn, "high") if drawn else [])
    return right, _spread(ys, 0)


def _values(tables: Sequence[pd.DataFrame], name: str) -> list[float]:
    return [float(each) for table in tables if name in table for each in table[name].dropna()]


def _spread(values: Sequence[float], least: float) -> Ends:
    """From the least to the greatest, with some air; a single value stands in the middle."""
    found = np.array(values)
    if not len(found):
        return _NOTHING
    low, high = float(found.min()), float(found.max())
    air = max(_AIR * (high - low), least) or 0.5
    return low - air, high + air


# The ways that runs went, as rows: steps that never cut through what is unattainable, and few enough to be drawn.

Record = Mapping[str, Any]
COLUMNS = ["run", "place", "round", "until", "step", "x", "y", "digits", "multipliers"]
NO_ROUND = LAST + 1


def places_of(records: Sequence[Record], how: Shown) -> list[tuple[int, float, float, Record]]:
    """Round, place across and up, and record, of each round in which a run moved."""
    moves: list[tuple[int, float, float, Record]] = []
    for record in records:
        x, y = number(record.get(how.across)), number(record.get(how.cost))
        if x is not None and y is not None and (not moves or moves[-1][1:3] != (x, y)):
            moves.append((record["round"], x, y, record))
    return moves


def trail_rows(run: str, place: int, records: Sequence[Record], how: Shown) -> list[dict[str, Any]]:
    """The rows of one run: where it was from which round until which, and the corners of its steps."""
    moves = places_of(records, how)
    rows: list[dict[str, Any]] = []
    for i, (began, x, y, record) in enumerate(moves):
        if rows:
            turn_x, turn_y = corner(moves[i - 1][1:3], (x, y))
            turn = {"x": turn_x, "y": turn_y}
            rows.append({"run": run, "place": place, "round": began, "until": None, "step": len(rows), **turn})
        words = {name: _trail_words(record.get(name)) for name in ("digits", "multipliers")}
        until = moves[i + 1][0] if i + 1 < len(moves) else NO_ROUND
        rows.append(
            {"run": run, "place": place, "round": began, "until": until, "step": len(rows), "x": x, "y": y, **words}
        )
    return rows


def trail_table(rows: list[dict[str, Any]]) -> pd.DataFrame:
    """Rows of one or several runs as a table."""
    return pd.DataFrame(rows, columns=COLUMNS)


def edge_tables(problem: RunProblem | None, optima: Optima) -> dict[str, pd.DataFrame]:
    """What is unattainable where systems are measured so, and the optima; empty where that is not known."""
    if problem is None or not problem.is_known:
        empty = pd.DataFrame(columns=["x", "y", "digits", "multipliers"])
        return {"bound": empty, "optima": empty}
    grammar, need, _ = problem
    table = optima_table(grammar, need, optima.points(grammar, need)[0])
    named = table.rename(columns={"size": "x", "average_complexity": "y"})
    return {"bound": bound_table(table), "optima": named[["x", "y", "digits", "multipliers"]]}


def near(tables: dict[str, pd.DataFrame], trail: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The edge where a trail is: the axes are fitted to what matters."""
    left, right = float(trail["x"].min()) - 1, float(trail["x"].max()) + 1
    tables = {name: table[(table["x"] >= left) & (table["x"] <= right)] for name, table in tables.items()}
    low, high = min(_least(tables["bound"]), _least(trail)), float(trail["y"].max())
    return {**tables, "bound": tables["bound"].assign(low=low - 0.06 * max(high - low, 0.05))}


def _least(table: pd.DataFrame) -> float:
    return float(table["y"].min()) if len(table) else float("inf")


def _trail_words(value: object) -> str:
    words = cast(list[Any], value) if isinstance(value, list) else []
    return format_set(words) if all(type(each) is int for each in words) else ""
