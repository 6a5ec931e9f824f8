"""The ways that runs went, as rows: steps that never cut through what is unattainable, and few enough to be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pandas as pd

from ishango.explorer.optima import Optima, bound_table, optima_table
from ishango.explorer.rounds import number
from ishango.explorer.run_problems import RunProblem
from ishango.explorer.shown import Shown
from ishango.figures.steps import corner
from ishango.figures.trail_figures import LAST
from ishango.numerals import format_set

Record = Mapping[str, Any]
COLUMNS = ["run", "place", "round", "until", "step", "x", "y", "digits", "multipliers"]
NEVER = LAST + 1


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
        words = {name: _words(record.get(name)) for name in ("digits", "multipliers")}
        until = moves[i + 1][0] if i + 1 < len(moves) else NEVER
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


def _words(value: object) -> str:
    words = cast(list[Any], value) if isinstance(value, list) else []
    return format_set(words) if all(type(each) is int for each in words) else ""
