"""The paths that runs took, as rows of the plane, and windows of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from ishango.errors import RequestError
from ishango.explorer._builder import PLACES
from ishango.explorer._found_runs import NoRunError, Runs
from ishango.explorer._optima import RANGE, Optima, Place, RunProblem, bound_table, optima_table
from ishango.explorer._summaries import Shown, number, read_lines
from ishango.figures.look import corner
from ishango.figures.run_figures import LAST
from ishango.numerals import GrammarName, NumeralSystem, format_set

NEVER = 10**9
MOST_PATHS_KEPT = 2000
MOST_WORDS_KEPT = 20_000
LONGEST, PARTS = 512 * 1024, 120
"""Bytes of a run's rounds beyond which the plane, which draws many runs, looks only into so many places."""
PATHS = ["run", "group", "colour", "start", "last", "round", "until", "step", "x", "y", "digits", "multipliers"]
PACKED = ["run", "group", "colour", "start", "last", "round", "until", "x", "y", "lexicon"]
LEXICONS = ["lexicon", "digits", "multipliers"]
STARTS = ["group", "start", "name", "x", "y", "digits", "multipliers"]


class Way(NamedTuple):
    """The lexicons that a run had, each with the round from which on it had it, and the run's last round."""

    lexicons: tuple[tuple[int, NumeralSystem], ...]
    last: int


class Drawn(NamedTuple):
    run: str
    group: str
    colour: str
    start: str
    way: Way


def way_of(runs: Runs, summary: Mapping[str, Any]) -> Way:
    """The way of a run that is in the list; read anew only when it has gone on."""
    return _way(runs, *(summary[name] for name in ("name", "grammar", "updated", "round")))


@lru_cache(maxsize=MOST_PATHS_KEPT)
def _way(runs: Runs, name: str, grammar: GrammarName, _updated: float, last: int) -> Way:
    try:
        return lexicons_of(read_lines(runs.view(name), LONGEST, PARTS).records, grammar, last)
    except NoRunError:  # removed a moment ago
        return Way((), last)


def lexicons_of(records: Iterable[Mapping[str, Any]], grammar: GrammarName, last: int) -> Way:
    """The lexicons of some rounds, one for each change; a round without one, or with larger words, is left out."""
    changes: list[tuple[int, NumeralSystem]] = []
    before: object = None
    for record in records:
        words = record.get("digits"), record.get("multipliers")
        system = None if words == before else _system(*words, grammar)  # mostly nothing has changed
        if system is not None:
            before = words
            if not changes or changes[-1][1] != system:
                changes.append((record["round"], system))
    return Way(tuple(changes), last)


def _system(digits: object, multipliers: object, grammar: GrammarName) -> NumeralSystem | None:
    if not (_are_words(digits) and _are_words(multipliers)):
        return None
    try:
        return NumeralSystem(tuple(cast(list[int], digits)), tuple(cast(list[int], multipliers)), grammar)
    except RequestError:
        return None


def _are_words(words: object) -> bool:
    return isinstance(words, list) and all(type(each) is int and 1 <= each <= RANGE for each in cast(list[Any], words))


def paths_table(drawn: Iterable[Drawn], places: Mapping[NumeralSystem, Place]) -> pd.DataFrame:
    """Rows of the paths: one a lexicon and, between two of them, one for the corner of the step.

    Where neither end lies below the frontier, which falls with the size, no such step does.
    """
    rows: list[dict[str, Any]] = []
    for each in drawn:
        known = [(number, system) for number, system in each.way.lexicons if system in places]
        before: Place | None = None
        same = {name: getattr(each, name) for name in PATHS[:4]} | {"last": each.way.last}
        for i, (played, system) in enumerate(known):
            x, y = places[system]
            if before is not None and before != (x, y):
                turn_x, turn_y = corner(before, (x, y))
                turn = {"x": turn_x, "y": turn_y}
                rows.append({**same, "round": played, "until": played, "step": 2 * i - 1, **turn})
            until = known[i + 1][0] if i + 1 < len(known) else NEVER
            digits, multipliers = _words(system.digits), _words(system.multipliers)
            words = {"digits": digits, "multipliers": multipliers}
            rows.append({**same, "round": played, "until": until, "step": 2 * i, "x": x, "y": y, **words})
            before = x, y
    return pd.DataFrame(rows, columns=PATHS)


_words = lru_cache(maxsize=MOST_WORDS_KEPT)(format_set)


def packed_tables(paths: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The paths as a page takes them: a row for each run, with lists of its places; and each lexicon once.

    Thousands of rows that repeat their run and its group would take longer to send and to read than to draw. Each list
    ends with a place that is none, so that the line of one run does not go on to that of the next.
    """
    rows: dict[str, dict[str, Any]] = {}
    lexicons: dict[tuple[str, str], int] = {}
    for each in paths.to_dict("records"):
        row = rows.setdefault(each["run"], {name: each[name] if name in PACKED[:5] else [] for name in PACKED})
        for name in ("round", "until"):
            row[name].append(each[name])
        for name in ("x", "y"):
            row[name].append(round(each[name], PLACES))
        words = each["digits"], each["multipliers"]
        row["lexicon"].append(lexicons.setdefault(words, len(lexicons)) if isinstance(words[0], str) else None)
    for row in rows.values():
        for name, nothing in zip(PACKED[5:], (0, 0, None, None, None), strict=True):
            row[name].append(nothing)
    named = [(number, *words) for words, number in lexicons.items()]
    return {
        "paths": pd.DataFrame(list(rows.values()), columns=PACKED),
        "lexicons": pd.DataFrame(named, columns=LEXICONS),
    }


def starts_table(paths: pd.DataFrame) -> pd.DataFrame:
    """Where paths begin, each place once a group."""
    first = paths[(paths["round"] == 0) & (paths["step"] == 0)].drop_duplicates(["group", "start", "x", "y"])
    named = first.assign(name=[start if len(start) <= 2 else "" for start in first["start"]])
    return named[STARTS]


# What part of a plane is seen: fitted to what matters, or all of it.

Ends = tuple[float, float]
_AIR = 0.06
"""Share of an axis that is left free around what is seen."""
_MOST_ENDS = 0.75
"""Share of the places where runs are now that are seen at least."""
_SEVERAL = 3
"""Languages that have a lexicon which is seen in any case."""
_NOTHING: Ends = (0.0, 1.0)


def fitted(
    tables: Mapping[str, pd.DataFrame], groups: Sequence[str] = (), featured: str | None = None
) -> tuple[Ends, Ends]:
    """Lexicons that several languages have, where most runs of these groups are now, and the featured run is; no ways.

    Below them is as much of the unattainable as shows that they lie close to it.
    """
    now = tables["paths"][tables["paths"]["until"] == NEVER]
    mine = now[now["group"].isin(groups)]
    ends = pd.concat([mine[mine["y"] <= mine["y"].quantile(_MOST_ENDS)], now[now["run"] == featured]])
    languages = tables["languages"]
    common = languages[languages["languages"] >= _SEVERAL] if "languages" in languages else languages
    seen = [each for each in (common, ends) if len(each)]
    xs, ys = _values(seen, "x"), _values(seen, "y")
    if not xs:
        return whole(tables)
    right = _spread(xs, 0.5)
    near = tables["frontier"][tables["frontier"]["x"].between(*right)]
    return right, _spread([*ys, *near["y"].clip(upper=max(ys))], 0)


def whole(tables: Mapping[str, pd.DataFrame]) -> tuple[Ends, Ends]:
    """Everything that is drawn; of the frontier, which goes on and on, the part below it."""
    drawn = [tables[name] for name in ("languages", "paths") if len(tables[name])]
    shown = drawn or [tables["frontier"]]
    right = _spread(_values(shown, "x"), 0.5)
    near = tables["frontier"][tables["frontier"]["x"].between(*right)]
    return right, _spread(_values([*shown, near], "y"), 0)


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
TRAIL = ["run", "place", "round", "until", "step", "x", "y", "digits", "multipliers"]
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


def edge_tables(problem: RunProblem | None, optima: Optima, sizes: Iterable[int]) -> dict[str, pd.DataFrame]:
    """What is unattainable at these sizes, where systems are measured so, and the optima; empty where not known."""
    if problem is None or not problem.is_known:
        empty = pd.DataFrame(columns=["x", "y", "digits", "multipliers"])
        return {"bound": empty, "optima": empty}
    grammar, need, _ = problem
    table = optima_table(grammar, need, optima.points(grammar, need, sizes))
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
