"""Which kind is best where: human languages under the law, and the diagram."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ishango._locks import adding_to
from ishango.errors import RequestError, require
from ishango.kinds._law import Floats, Law, Mask, OpenSystem, error_table, lexicons, saying_costs
from ishango.kinds._optimum import Optimum, best_of_sizes
from ishango.lab import available_cores
from ishango.languages import Language, Shipped, load_languages, recursive_languages
from ishango.numerals import Need, NumeralSystem, average_complexity, format_set
from ishango.restricted import StudyLanguage, TermSystem, random_terms, study_languages, words_of
from ishango.safe_files import write

if TYPE_CHECKING:
    import pandas as pd

DRAWS = 200
"""Random systems beside each human one."""
NEAR = 0.1
"""The share above the best within which a system counts as nearly the best. What every system pays, one symbol of
effort, is left out on both sides: with it, everything is near where words and errors cost little."""


@dataclass(frozen=True, eq=False)
class Plane:
    """A diagram as human systems are held against it."""

    laws: tuple[Law, ...]
    """The law at each precision."""
    words: Floats
    best: Floats
    """What the best costs above one symbol of effort, (precisions, words)."""

    @classmethod
    def of(cls, law: Law, cells: pd.DataFrame) -> Plane:
        best = cells.pivot(index="precision", columns="word", values="cost")
        laws = tuple(replace(law, precision=float(precision)) for precision in best.index)
        return cls(laws, best.columns.to_numpy(np.float64), best.to_numpy() - law.effort)

    def excess(self, saying: Floats, size: int) -> Floats:
        """By which share a system costs more than the best, (precisions, words), where it costs so much above one
        symbol to say numbers at each precision."""
        return (saying[:, None] + size * self.words) / self.best - 1

    def excess_of(self, system: OpenSystem | TermSystem) -> Floats:
        """By which share a human system costs more than the best, (precisions, words)."""
        saying, _ = _sayings(system, self.laws, 0, np.random.default_rng(0))
        return self.excess(saying, system.size)


def extents_error(terms: TermSystem, law: Law) -> float:
    """The mean error of words that keep their extents, each with the anchor that costs least."""
    losses = error_table(law.error, law.upto) * law.weights[:, None]
    return float(sum(losses[np.ix_(np.array(word) - 1, np.array(word) - 1)].sum(axis=0).min() for word in terms.words))


def human_table(
    law: Law, cells: pd.DataFrame, near: float = NEAR, draws: int = DRAWS,
    progress: Callable[[int, int], None] | None = None, which: Shipped = "world",
) -> pd.DataFrame:  # fmt: skip
    """A row a system that people have: who, how near the best it comes, where, in which share of the plane it is near,
    and how many random systems of as many words come nearer somewhere.

    What is compared is the cost above one symbol of effort. `cells` is a diagram of the law. The first rows are
    systems of languages that were checked by hand.
    """
    import pandas as pd

    plane = Plane.of(law, cells)
    rows: list[dict[str, Any]] = []
    found = human_systems(law, which)
    for number, (speakers, kind, system) in enumerate(found):
        rng = np.random.default_rng(number)
        saying, chance = _sayings(system, plane.laws, draws, rng)
        excess = plane.excess(saying, system.size)
        at = np.unravel_index(excess.argmin(), excess.shape)
        theirs = np.array([plane.excess(one, system.size).min() for one in chance])
        rows.append(
            {
                "language": _joined([each.name for each in speakers]),
                "languages": len(speakers),
                "checked": sum(not getattr(each, "id", "") for each in speakers),
                "glottocodes": " ".join(dict.fromkeys(each.glottocode for each in speakers)),
                "kind": kind,
                "size": system.size,
                "excess": float(excess.min()),
                "precision": plane.laws[at[0]].precision,
                "word": float(plane.words[at[1]]),
                "share_near": float((excess <= near).mean()),
                "chance_excess": float(np.median(theirs)),
                "chance_nearer": float((theirs < excess.min() - 1e-12).mean()),
            }
        )
        if progress:
            progress(number + 1, len(found))
    return pd.DataFrame(rows)


def _joined(names: Sequence[str], most: int = 20) -> str:
    return "; ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


class Shared(NamedTuple):
    """A system with the languages that have it."""

    speakers: list[Language | StudyLanguage]
    kind: str
    system: OpenSystem | TermSystem


STOPS = 5
"""Where a list of the catalogue may end for us to say that the language stops there: longer ones may be mere lists."""


def human_systems(law: Law, which: Shipped = "world") -> list[Shared]:
    """The systems of languages that have words for the range, each with all its speakers: those checked by hand and,
    for the `world`, all others of the catalogue."""
    found: dict[Any, Shared] = {}
    for language in recursive_languages(which):
        system = language.system_under(law.grammar)
        if system and system.words[-1] <= law.upto and language.says_all(law.upto) and _covers(system, law.upto):
            key = OpenSystem.of(system)
            found.setdefault(key, Shared([], language.kind, key)).speakers.append(language)
    stopping: list[tuple[Language | StudyLanguage, TermSystem]] = [
        (each, each.system(law.upto)) for each in study_languages() if not each.recursive
    ]
    if which == "world":
        codes = {each.glottocode for each, _ in stopping}
        others = (each for each in load_languages("world") if each.terms and each.glottocode not in codes)
        stopping += [(each, words_of(each, law.upto)) for each in others if (each.highest or 0) <= STOPS]
    for language, terms in stopping:
        key = terms.words, language.kind
        found.setdefault(key, Shared([], language.kind, terms)).speakers.append(language)
    return list(found.values())


@cache
def _covers(system: NumeralSystem, upto: int) -> bool:
    """Whether a system says every number; hundreds of languages share one."""
    return average_complexity(system, upto=upto) is not None


def _sayings(
    system: OpenSystem | TermSystem, laws: Sequence[Law], draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """What saying costs above one symbol at each precision, and the same for random systems, (draws, precisions)."""
    if isinstance(system, TermSystem):
        others = [random_terms(system.upto, system.size, rng) for _ in range(draws)]
        errors = np.array([extents_error(each, laws[0]) for each in (system, *others)])
        above = np.array([law.precision * errors for law in laws]).T
        return above[0], above[1:]
    masks = np.concatenate([lexicons([system], laws[0].upto), _random_lexicons(system, laws[0].upto, draws, rng)])
    above = np.array([saying_costs(masks, law) - law.effort for law in laws]).T
    return above[0], above[1:]


def _random_lexicons(system: OpenSystem, upto: int, draws: int, rng: np.random.Generator) -> Mask:
    """Lexicons of as many digits and multipliers, every choice being equally likely."""
    found = np.zeros((draws, 2, upto), np.bool_)
    for row in found:
        row[0, rng.permutation(upto)[: len(system.digits)]] = True
        row[1, rng.permutation(upto)[: len(system.multipliers)]] = True
    return found


# The phase diagram: which kind of system is best where, over what precision is worth and what a word costs.
#
# Rows are written as they are done, so that a diagram that was stopped continues where it was.

MOST_CELLS = 400
"""Cells a side."""


@dataclass(frozen=True)
class Grid:
    """The cells of a diagram: precisions and prices of a word, each spread evenly over its logarithm."""

    precisions: tuple[float, ...]
    words: tuple[float, ...]

    @classmethod
    def spread(cls, precision: tuple[float, float], word: tuple[float, float], cells: int) -> Grid:
        """A grid of so many cells a side between two precisions and two prices."""
        require(1 <= cells <= MOST_CELLS, "cells", cells, f"between 1 and {MOST_CELLS}")
        for name, (low, high) in (("precision", precision), ("word", word)):
            require(0 < low <= high <= 1e6, name, f"{low:g} to {high:g}", "two numbers above 0, the smaller one first")
        return cls(*(tuple(np.geomspace(*ends, cells).tolist()) for ends in (precision, word)))


def diagram(law: Law, grid: Grid, directory: Path, progress: Callable[[int, int], None] | None = None) -> pd.DataFrame:
    """A row a cell: the best system there, its kind and its costs, and what nothing costs less than.

    Precision and price of the law itself are not used. Rows of the grid are kept in `directory/rows`.
    """
    import pandas as pd

    with adding_to(directory, wait=0):
        return pd.DataFrame(_cells(law, grid, directory, progress))


def _cells(law: Law, grid: Grid, directory: Path, progress: Callable[[int, int], None] | None) -> list[dict[str, Any]]:
    _take(directory, law, grid)
    rows = directory / "rows"
    rows.mkdir(exist_ok=True)

    def row(number: int) -> list[dict[str, Any]]:
        file = rows / f"{number:03}.json"
        precision = grid.precisions[number]
        found = _kept_row(file, precision, grid.words)
        if found is None:
            found = row_of(replace(law, precision=precision), grid.words)
            write(file, json.dumps({"digest": _digest(found), "cells": found}).encode())
        return found

    cells: list[dict[str, Any]] = []
    with ThreadPoolExecutor(available_cores()) as pool:  # kernels let go of the interpreter's lock
        for number, found in enumerate(pool.map(row, range(len(grid.precisions))), start=1):
            cells += found
            if progress:
                progress(number, len(grid.precisions))
    return cells


def _kept_row(file: Path, precision: float, words: Sequence[float]) -> list[dict[str, Any]] | None:
    """The row that was written; None where there is none, or it cannot be read or was changed: it is computed again."""
    try:
        row = json.loads(file.read_bytes())
        found = row["cells"]
        cells = [(each["precision"], each["word"]) for each in found]
        same = row["digest"] == _digest(found) and cells == [(precision, word) for word in words]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None
    return found if same else None


def _digest(document: object) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def row_of(law: Law, words: Sequence[float]) -> list[dict[str, Any]]:
    best = best_of_sizes(law, words)
    return [cell(best.at(word)) for word in words]


def cell(best: Optimum) -> dict[str, Any]:
    return {
        "precision": best.law.precision,
        "word": best.law.word,
        "kind": best.kind.name,
        "exact_upto": best.kind.exact_upto,
        "digits": format_set(best.system.digits),
        "multipliers": format_set(best.system.multipliers),
        "size": best.costs.size,
        "length": best.costs.length,
        "error": best.costs.error,
        "cost": best.costs.total,
        "lower": best.lower,
        "proved": best.proved,
    }


def _take(directory: Path, law: Law, grid: Grid) -> None:
    """Note what the directory is a diagram of; one of something else is refused."""
    need = Need.parse(law.need)
    what = asdict(law) | {"precisions": grid.precisions, "words": grid.words, "need": need.fingerprint or need.spec}
    del what["precision"], what["word"]
    digest = _digest(what)
    mark = directory / "diagram.json"
    if not mark.exists():
        write(mark, json.dumps({"digest": digest, **what}, indent=1).encode() + b"\n")
        return
    try:
        held = json.loads(mark.read_text(encoding="utf-8"))["digest"]
    except (ValueError, KeyError, TypeError, OSError):
        raise RequestError(f"{mark} cannot be read; choose another directory.") from None
    if held != digest:
        raise RequestError(f"{directory} holds a diagram of other options; choose another directory.")


# The diagram of the law as it is by default, which ships with the package: `ishango kinds diagram` writes it.

LAW = Law()
"""What the diagram is of; its own precision and price are not used."""


@cache
def shipped_diagram() -> pd.DataFrame:
    """A row a cell, as `diagram` gives them: precisions ascending, and prices of a word within each."""
    import pandas as pd

    text = files("ishango.kinds").joinpath("diagram.csv").read_text(encoding="utf-8")
    return pd.read_csv(StringIO(text), keep_default_na=False)
