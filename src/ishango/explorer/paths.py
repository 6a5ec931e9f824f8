"""The ways that runs went, as rows of the plane: steps that never cross what is unattainable, and bands of many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.explorer.costing import Place
from ishango.explorer.drawing import PLACES
from ishango.explorer.optima import RANGE
from ishango.explorer.rounds import read_lines
from ishango.explorer.runs import NoRunError, Runs
from ishango.figures.look import corner
from ishango.numerals import GrammarName, NumeralSystem, format_set

NEVER = 10**9
MOST_PATHS_KEPT = 2000
MOST_WORDS_KEPT = 20_000
LONGEST, PARTS = 512 * 1024, 120
"""Bytes of a run's rounds beyond which the plane, which draws many runs, looks only into so many places."""
BINS = 24
"""Into so many equal parts an axis is cut whose costs are not few whole numbers."""
QUARTILES = (0.25, 0.5, 0.75)
PATHS = ["run", "group", "colour", "start", "round", "until", "step", "x", "y", "digits", "multipliers"]
BANDS = ["group", "colour", "stretch", "x", "low", "median", "high"]
PACKED = ["run", "group", "colour", "start", "round", "until", "x", "y", "lexicon"]
LEXICONS = ["lexicon", "digits", "multipliers"]
STARTS = ["group", "start", "name", "x", "y", "digits", "multipliers"]


class Way(NamedTuple):
    """The lexicons that a run had, each with the round from which on it had it, and the run's last round."""

    lexicons: tuple[tuple[int, NumeralSystem], ...]
    last: int


class Drawn(NamedTuple):
    """A run as it is drawn."""

    run: str
    group: str
    colour: int
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
    for record in records:
        system = _system(record.get("digits"), record.get("multipliers"), grammar)
        if system is not None and (not changes or changes[-1][1] != system):
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
    """Whether this is a set of words of the range, as a run's file should have it."""
    return isinstance(words, list) and all(type(each) is int and 1 <= each <= RANGE for each in cast(list[Any], words))


def paths_table(drawn: Iterable[Drawn], places: Mapping[NumeralSystem, Place]) -> pd.DataFrame:
    """Rows of the paths: one a lexicon and, between two of them, one for the corner of the step.

    Where neither end lies below the frontier, which falls with the size, no such step does.
    """
    rows: list[dict[str, Any]] = []
    for each in drawn:
        known = [(number, system) for number, system in each.way.lexicons if system in places]
        before: Place | None = None
        same = {"run": each.run, "group": each.group, "colour": each.colour, "start": each.start}
        for i, (number, system) in enumerate(known):
            x, y = places[system]
            if before is not None and before != (x, y):
                turn_x, turn_y = corner(before, (x, y))
                turn = {"x": turn_x, "y": turn_y}
                rows.append({**same, "round": number, "until": number, "step": 2 * i - 1, **turn})
            until = known[i + 1][0] if i + 1 < len(known) else NEVER
            digits, multipliers = _words(system.digits), _words(system.multipliers)
            words = {"digits": digits, "multipliers": multipliers}
            rows.append({**same, "round": number, "until": until, "step": 2 * i, "x": x, "y": y, **words})
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
        row = rows.setdefault(each["run"], {name: each[name] if name in PACKED[:4] else [] for name in PACKED})
        for name in ("round", "until"):
            row[name].append(each[name])
        for name in ("x", "y"):
            row[name].append(round(each[name], PLACES))
        words = each["digits"], each["multipliers"]
        row["lexicon"].append(lexicons.setdefault(words, len(lexicons)) if isinstance(words[0], str) else None)
    for row in rows.values():
        for name, nothing in zip(PACKED[4:], (0, 0, None, None, None), strict=True):
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


def bands_table(drawn: Sequence[Drawn], places: Mapping[NumeralSystem, Place]) -> pd.DataFrame:
    """For each group and each place of the axis the quartiles of what its lexicons cost there, counted by rounds.

    Quartiles are values that occurred, so that a band does not reach into the unattainable. A place at which fewer
    than three of a group's runs ever were has no band.
    """
    rows: list[dict[str, Any]] = []
    for group, colour in dict.fromkeys((each.group, each.colour) for each in drawn):
        ways = [each.way for each in drawn if each.group == group]
        stays = [stay for number, way in enumerate(ways) for stay in _stays(number, way, places)]
        if stays:
            rows += [{"group": group, "colour": colour, **row} for row in _band(np.array(stays), min(3, len(ways)))]
    return pd.DataFrame(rows, columns=BANDS)


def _stays(number: int, way: Way, places: Mapping[NumeralSystem, Place]) -> Iterable[tuple[float, ...]]:
    """Run, x, y and for how many rounds."""
    ends = [*(start for start, _ in way.lexicons[1:]), way.last + 1]
    for (start, system), end in zip(way.lexicons, ends, strict=False):
        if system in places:
            yield (number, *places[system], max(1, end - start))


def _band(stays: NDArray[np.float64], fewest: int) -> Iterable[dict[str, Any]]:
    runs, xs, ys, rounds = stays.T
    lows, width = _parts(xs)
    stretch, before = 0, None
    for low in lows:
        mine = (xs >= low) & (xs < low + width)
        if len(set(runs[mine])) < fewest:
            continue
        if before is not None and low > before["x"] + 1.5 * width:
            yield {**before, "x": before["x"] + width}
            stretch += 1
        low_y, median, high = _quantiles(ys[mine], rounds[mine])
        before = {"stretch": stretch, "x": float(low), "low": low_y, "median": median, "high": high}
        yield before
    if before is not None:
        yield {**before, "x": before["x"] + width}


def _parts(xs: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Where the parts of an axis begin, and how wide they are: whole numbers if there are few, else equal parts."""
    low, high = float(xs.min()), float(xs.max())
    if np.all(xs == np.round(xs)) and high - low <= 2 * BINS:
        return np.arange(low, high + 1), 1.0
    width = (high - low) / BINS or 1.0
    return np.linspace(low, low + width * BINS, BINS + 1, dtype=np.float64), width


def _quantiles(values: NDArray[np.float64], weights: NDArray[np.float64]) -> list[float]:
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    return [float(values[order][np.searchsorted(reached, each - 1e-12)]) for each in QUARTILES]
