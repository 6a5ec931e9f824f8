"""How well a mechanism predicts the numeral systems of the world: log scores over families, with held-out halves.

A mechanism is a distribution over lexicons: those with which its runs end. Of a lexicon we look at its cell (size,
number of multipliers, base), and at the lexicon itself. A family's score is the average over its languages of the
logarithm of the probability that the mechanism gives to their cell; the mechanism's score is the average over families,
so that a family counts once however many languages it has. No mechanism has runs in every cell: a stated share of
its probability is spread evenly over all cells.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd

from ishango.errors import RequestError, require
from ishango.languages import Language, load_languages

UPTO = 99
SIZES, MULTIPLIERS, BASES = range(2, 61), range(1, 21), range(1, 100)
CELLS = len(SIZES) * len(MULTIPLIERS) * len(BASES)
"""Over which the stated share is spread; what lies outside them is in none."""
SMOOTHING = 0.05
DRAWS = 1_000
LEVEL = 0.95
_BEST, _EVEN = "best of the runs, chosen on the other half", "all cells alike"

Lexicon = tuple[tuple[int, ...], tuple[int, ...]]


class Cell(NamedTuple):
    """What is predicted of a lexicon."""

    size: int
    multipliers: int
    base: int


@cache
def _cell_of(digits: tuple[int, ...], multipliers: tuple[int, ...]) -> Cell:
    """The cell of a lexicon; its base is the smallest multiplier whose square lies above the range, else the largest.

    With such a base every number is a factor below the base times it, and a rest below it: 10 for 1-4 | 5,10 and for
    1-9 | 10,20, and 20 for 1-4 | 5,20. Digits and multipliers alone do not tell Georgian's twenties from tens.
    Without multipliers the base is 0, which no language has.

    >>> _cell_of((1, 2, 3, 4), (5, 10))
    Cell(size=6, multipliers=2, base=10)
    """
    base = min((each for each in multipliers if each * each > UPTO), default=max(multipliers, default=0))
    return Cell(len(digits) + len(multipliers), len(multipliers), base)


@dataclass(frozen=True)
class People:
    """The languages that are predicted: a lexicon each, with its family and its area."""

    lexicons: tuple[Lexicon, ...]
    families: tuple[str, ...]
    areas: tuple[str, ...]

    @classmethod
    def of(cls, languages: Iterable[Language] | None = None) -> People:
        """Those that say every number up to 99; a language without a family is a family of its own."""
        rows = [
            ((each.system.digits, each.system.multipliers), each.family or each.name, each.macroarea or "not given")
            for each in (load_languages("world") if languages is None else languages)
            if each.system and each.system.words[-1] <= UPTO and (each.highest is None or each.highest >= UPTO - 9)
        ]
        if not rows:
            raise RequestError(f"No language says every number from 1 to {UPTO}, so there is nothing to predict.")
        lexicons, families, areas = zip(*rows, strict=True)
        return cls(lexicons, families, areas)


def _families_mean(values: Sequence[float], families: Sequence[str]) -> pd.Series:
    """The average of each family."""
    return pd.Series(values, dtype=float).groupby(list(families)).mean()


def over_families(
    values: Sequence[float], families: Sequence[str], seed: int = 0, draws: int = DRAWS
) -> tuple[float, float, float]:
    """The average over families, each counting once, and its interval from resampling families.

    >>> over_families([1.0, 1.0, 0.0], ["a", "a", "b"])[0]
    0.5
    """
    means = _families_mean(values, families).to_numpy()
    if len(means) < 2:
        return float(means.mean()), math.nan, math.nan  # one family tells nothing of others
    picks = np.random.default_rng(seed).integers(0, len(means), (draws, len(means)))
    low, high = np.quantile(means[picks].mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(means.mean()), float(low), float(high)


def scores(lexicons: Mapping[Lexicon, float], people: People, smoothing: float) -> tuple[list[float], list[float]]:
    """Bits that each language's cell, and its lexicon, are worth under a distribution over lexicons; 0 is certain."""
    total = math.fsum(lexicons.values())
    cells: dict[Hashable, float] = {}
    for lexicon, weight in lexicons.items():
        cell = _cell_of(*lexicon)
        cells[cell] = cells.get(cell, 0.0) + weight
    by_cell: list[float] = []
    by_lexicon: list[float] = []
    for lexicon in people.lexicons:
        cell = _cell_of(*lexicon)
        spread = smoothing / CELLS
        mine = (1 - smoothing) * cells.get(cell, 0.0) / total if total else 0.0
        by_cell.append(math.log2(mine + spread))
        mine = (1 - smoothing) * lexicons.get(lexicon, 0.0) / total if total else 0.0
        by_lexicon.append(math.log2(mine + spread / _lexicons_of(cell)))
    return by_cell, by_lexicon


def _lexicons_of(cell: Cell) -> int:
    """How many pairs of disjoint sets of words up to 99 have a cell's size, multipliers and base."""
    digits = cell.size - cell.multipliers
    return math.comb(UPTO - 1, cell.multipliers - 1) * math.comb(UPTO - cell.multipliers, digits)


@dataclass(frozen=True)
class Typology:
    """How well each mechanism predicts the languages: a row each, the best first."""

    table: pd.DataFrame
    people: People
    smoothing: float
    held_out: pd.DataFrame
    """A row a half of the families: the mechanism that is best on the other half, and its score on this one."""

    @property
    def ten(self) -> tuple[float, float, float]:
        """The share of languages whose base is ten, over families, with its interval."""
        return over_families([float(_cell_of(*each).base == 10) for each in self.people.lexicons], self.people.families)

    @property
    def sentence(self) -> str:
        """The answer in words."""
        best = self.table.iloc[0]
        largest = self.table.sort_values("base_ten", ascending=False, kind="stable").iloc[0]
        return (
            f"{best['mechanism']} predicts human numeral systems best, at {best['bits']:.1f} bits a family"
            f" ({best['low']:.1f} to {best['high']:.1f}); ten is the base of {self.ten[0]:.0%} of languages over"
            f" families, and of at most {largest['base_ten']:.0%} of what a mechanism gives ({largest['mechanism']})."
        )


def score(
    mechanisms: Mapping[str, Iterable[Lexicon]],
    people: People | None = None,
    smoothing: float = SMOOTHING,
    seed: int = 0,
) -> Typology:
    """Score mechanisms by the human languages they predict.

    Args:
        mechanisms: for each mechanism the lexicons of its runs, (digits, multipliers) each.
        people: the languages; by default those of the catalogue that say every number up to 99.
        smoothing: the share of each mechanism's probability that is spread evenly over all cells.
        seed: of the halves of the families and of resampling.

    >>> found = score({"tens": [(tuple(range(1, 10)), (10,))], "twelves": [(tuple(range(1, 12)), (12,))]})
    >>> found.table["mechanism"].tolist()[0]
    'tens'
    """
    require(0 < smoothing < 1, "smoothing", smoothing, "between 0 and 1, without both")
    humans = people or People.of()
    rows: list[dict[str, object]] = []
    by_family: dict[str, pd.Series] = {}
    for name, given in {**mechanisms, _EVEN: ()}.items():
        lexicons = Counter(given)
        if not lexicons and name != _EVEN:
            raise RequestError(f"The mechanism {name} has no lexicon, so it predicts nothing.")
        cells, systems = scores(lexicons, humans, smoothing if lexicons else 1.0)
        by_family[name] = _families_mean(cells, humans.families)
        rows.append({"mechanism": name, "lexicons": lexicons.total(), **_summary(cells, systems, humans, seed),
                     "base_ten": _share_of_ten(lexicons)})  # fmt: skip
    table = pd.DataFrame(rows).sort_values("bits", ascending=False, kind="stable").reset_index(drop=True)
    table.insert(0, "rank", np.arange(1, len(table) + 1))
    return Typology(table, humans, smoothing, _held_out(by_family, list(mechanisms), seed))


def _summary(cells: Sequence[float], systems: Sequence[float], humans: People, seed: int) -> dict[str, float]:
    bits, low, high = over_families(cells, humans.families, seed)
    by_system = over_families(systems, humans.families, seed)
    areas = _families_mean(cells, humans.areas)
    return {
        "bits": bits,
        "low": low,
        "high": high,
        "bits_system": by_system[0],
        "low_system": by_system[1],
        "high_system": by_system[2],
        "bits_languages": float(np.mean(cells)),
        "bits_areas": float(areas.mean()),
    }


def _share_of_ten(lexicons: Mapping[Lexicon, int]) -> float:
    total = sum(lexicons.values())
    return sum(count for each, count in lexicons.items() if _cell_of(*each).base == 10) / total if total else 1 / 99


def _held_out(by_family: Mapping[str, pd.Series], names: Sequence[str], seed: int) -> pd.DataFrame:
    """Choose on one half of the families, test on the other, both ways round."""
    families = np.array(sorted(next(iter(by_family.values())).index))
    order = np.random.default_rng(seed).permutation(len(families))
    halves = (families[order[: len(order) // 2]], families[order[len(order) // 2 :]])
    rows: list[dict[str, object]] = []
    for number, (chosen_on, tested_on) in enumerate((halves, halves[::-1]), start=1):
        if not names or not len(chosen_on) or not len(tested_on):
            continue
        best = max(names, key=lambda name: float(by_family[name][chosen_on].mean()))
        ranked = sorted(names, key=lambda name: -float(by_family[name][tested_on].mean()))
        rows.append(
            {
                "half": number,
                "families": len(tested_on),
                "chosen": best,
                "bits_where_chosen": float(by_family[best][chosen_on].mean()),
                "bits": float(by_family[best][tested_on].mean()),
                "rank": ranked.index(best) + 1,
            }
        )
    return pd.DataFrame(rows)


# Mechanisms that need no runs, and those of a table of rounds.


def lexicons_of_runs(rounds: pd.DataFrame, by: Sequence[str]) -> dict[str, list[Lexicon]]:
    """The lexicons of each group of runs: of each run those of the second half of its rounds, when it has settled."""
    last = rounds.groupby("run")["round"].transform("max")
    late = cast(pd.DataFrame, rounds[rounds["round"] * 2 >= last])
    found: dict[str, list[Lexicon]] = {}
    for row in cast(list[dict[str, Any]], late[[*by, "digits", "multipliers"]].to_dict("records")):
        name = ", ".join(f"{column} {_plain(row[column])}" for column in by) or "runs"
        lexicon = tuple(map(int, row["digits"])), tuple(map(int, row["multipliers"]))
        found.setdefault(name, []).append(lexicon)
    return found


def _plain(value: object) -> str:
    if isinstance(value, float) and value == math.inf:
        return "all"
    return f"{value:g}" if isinstance(value, float) else str(value)
