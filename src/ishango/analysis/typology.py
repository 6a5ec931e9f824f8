"""How well a mechanism predicts the numeral systems of the world: log scores over families, with held-out halves.

A mechanism is a distribution over lexicons: those with which its runs end. Of a lexicon we look at its cell (size,
number of multipliers, base), and at the lexicon itself. A family's score is the average over its languages of the
logarithm of the probability that the mechanism gives to their cell; the mechanism's score is the average over families,
so that a family counts once however many languages it has.

More runs cover more cells and so score higher, whatever made them. So all mechanisms get as many runs, drawn many
times, with as many lexicons each; and from these its distribution is estimated by deleted interpolation (Jelinek and
Mercer 1980): a mixture of the cells that were seen, of sizes, multipliers and bases that were seen in any combination,
and of all cells alike, with the weights that best predict each run from the other runs. No language has a say in them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ishango.errors import RequestError, require
from ishango.languages import Language, load_languages

UPTO = 99
SIZES, MULTIPLIERS, BASES = range(2, 61), range(1, 21), range(1, 100)
CELLS = len(SIZES) * len(MULTIPLIERS) * len(BASES)
"""Over which the stated share is spread; what lies outside them is in none."""
SMOOTHING = 0.05
DRAWS, _RUN_DRAWS = 1_000, 200
LEXICONS = 10
"""Lexicons of a run that count, evenly spaced: neighbours in time are alike."""
ROUNDS_OF_EM = 30
LEVEL = 0.95
_BEST, _EVEN = "best of the runs, chosen on the other half", "all cells alike"

Lexicon = tuple[tuple[int, ...], tuple[int, ...]]
Run = Sequence[Lexicon]
"""The lexicons that a run had when it had settled, all of them equally likely."""
Floats = NDArray[np.float64]


class Cell(NamedTuple):
    """What is predicted of a lexicon."""

    size: int
    multipliers: int
    base: int


@cache
def cell_of(digits: tuple[int, ...], multipliers: tuple[int, ...]) -> Cell:
    """The cell of a lexicon; its base is the smallest multiplier whose square lies above the range, else the largest.

    With such a base every number is a factor below the base times it, and a rest below it: 10 for 1-4 | 5,10 and for
    1-9 | 10,20, and 20 for 1-4 | 5,20. Digits and multipliers alone do not tell Georgian's twenties from tens.

    Without multipliers the base is 0, which no language has.

    >>> cell_of((1, 2, 3, 4), (5, 10))
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
            if each.system and each.system.words[-1] <= UPTO and each.says_all(UPTO)
        ]
        if not rows:
            raise RequestError(f"No language says every number from 1 to {UPTO}, so there is nothing to predict.")
        lexicons, families, areas = zip(*rows, strict=True)
        return cls(lexicons, families, areas)

    def of_families(self, names: Collection[str]) -> People:
        """The languages of these families."""
        rows = [each for each in zip(self.lexicons, self.families, self.areas, strict=True) if each[1] in names]
        return People(*zip(*rows, strict=True))


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


class _Humans:
    """Each lexicon that languages have once, with its weight in each family."""

    def __init__(self, people: People) -> None:
        self.lexicons = list(dict.fromkeys(people.lexicons))
        index = {lexicon: at for at, lexicon in enumerate(self.lexicons)}
        self.of_language = np.array([index[lexicon] for lexicon in people.lexicons])
        self.cells = [cell_of(*each) for each in self.lexicons]
        self.within = np.array([float(_lexicons_of(each)) for each in self.cells])
        shares = pd.crosstab(pd.Series(self.of_language), pd.Series(people.families), normalize="columns")
        self.in_family = shares.to_numpy()


class _Mechanism:
    """The runs of a mechanism as shares of cells and of the lexicons that languages have."""

    def __init__(self, runs: Sequence[Run], humans: _Humans) -> None:
        thinned = [[run[at * len(run) // LEXICONS] for at in range(LEXICONS)] for run in runs]
        seen = list(dict.fromkeys(cell_of(*each) for run in thinned for each in run))
        cells = {cell: at for at, cell in enumerate(seen)}
        lexicons = {lexicon: at for at, lexicon in enumerate(humans.lexicons)}
        self.shares = np.zeros((len(runs), len(seen)))
        self.whole = np.zeros((len(runs), len(lexicons)))
        for at, run in enumerate(thinned):
            for each in run:
                self.shares[at, cells[cell_of(*each)]] += 1 / LEXICONS
                if each in lexicons:
                    self.whole[at, lexicons[each]] += 1 / LEXICONS
        self.parts = np.array(seen)
        self.human_parts = np.array(humans.cells)
        self.human_cells = np.array([cells.get(cell, -1) for cell in humans.cells])
        self.within = humans.within

    def bits(self, drawn: Sequence[int], smoothing: float) -> tuple[Floats, Floats]:
        """Bits that these runs give to the cell of each human lexicon, and to the lexicon."""
        shares = self.shares[list(drawn)]
        there = np.flatnonzero(shares.sum(axis=0))
        weights = _weights(shares[:, there], self.parts[there])
        total = shares.mean(axis=0)
        mine = np.where(self.human_cells >= 0, total[self.human_cells], 0.0)
        mixed = weights @ np.array([mine, _combined(total[None], self.parts, self.human_parts)[0],
                                    np.full(len(mine), 1 / CELLS)])  # fmt: skip
        cells = (1 - smoothing) * mixed + smoothing / CELLS
        # In a cell all its lexicons are as likely as one run would make them, beside those that were seen.
        exact = self.whole[list(drawn)].mean(axis=0)
        inside = (exact * len(drawn) + 1 / self.within) / (mine * len(drawn) + 1)
        return np.log2(cells), np.log2(cells * inside)


def _combined(shares: Floats, parts: NDArray[np.int_], wanted: NDArray[np.int_]) -> Floats:
    """The chance of cells if sizes, multipliers and bases were drawn each for itself, a row for each row of shares."""
    chance = np.ones((len(shares), len(wanted)))
    for column in range(parts.shape[1]):
        values = 1 + max(int(parts[:, column].max()), int(wanted[:, column].max()))
        chance *= (shares @ np.eye(values)[parts[:, column]])[:, wanted[:, column]]
    return chance


def _weights(shares: Floats, parts: NDArray[np.int_]) -> Floats:
    """How much what was seen, its combinations, and all cells alike must count to predict each run from the others."""
    weights = np.full(3, 1 / 3)
    if len(shares) == 1:
        return weights
    others = (shares.sum(axis=0) - shares) / (len(shares) - 1)
    given = np.array([others, _combined(others, parts, parts), np.full(others.shape, 1 / CELLS)])
    for _ in range(ROUNDS_OF_EM):
        mixed = weights[:, None, None] * given
        weights = (mixed / mixed.sum(axis=0) * shares).sum(axis=(1, 2)) / len(shares)
    return weights


@cache
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
    runs: int
    """How many runs of each mechanism count in a draw."""
    held_out: pd.DataFrame
    """A row a half of the families: the mechanism that is best on the other half, and its score on this one."""

    @property
    def ten(self) -> tuple[float, float, float]:
        """The share of languages whose base is ten, over families, with its interval."""
        return over_families([float(cell_of(*each).base == 10) for each in self.people.lexicons], self.people.families)

    @property
    def sentence(self) -> str:
        """The answer in words."""
        named = self.table[self.table["mechanism"] != _EVEN]
        best, largest = named.iloc[0], named.sort_values("base_ten", ascending=False, kind="stable").iloc[0]
        if self.table["mechanism"].iloc[0] == _EVEN:
            answer = (
                f"No mechanism predicts human numeral systems better than {_EVEN} ({self.table['bits'][0]:.1f} bits)"
            )
        else:
            alike = int((named["behind_low"] <= 0).sum()) - 1
            others = f"; {alike} {'other is' if alike == 1 else 'others are'} not shown to be worse" if alike else ""
            answer = (
                f"{best['mechanism']} predicts human numeral systems best, at {best['bits']:.1f} bits a family"
                f" ({best['low']:.1f} to {best['high']:.1f}){others}"
            )
        return (
            f"{answer}; ten is the base of {self.ten[0]:.0%} of languages over families, and of at most"
            f" {largest['base_ten']:.0%} of what a mechanism gives ({largest['mechanism']})."
        )


def score(
    mechanisms: Mapping[str, Sequence[Run]],
    people: People | None = None,
    smoothing: float = SMOOTHING,
    seed: int = 0,
    runs: int | None = None,
) -> Typology:
    """Score mechanisms by the human languages they predict.

    Args:
        mechanisms: for each mechanism its runs, each with its lexicons (digits, multipliers).
        people: the languages; by default those of the catalogue that say every number up to 99.
        smoothing: the share of each mechanism's probability that is spread evenly over all cells.
        seed: of the draws of runs, of the halves of the families and of resampling.
        runs: how many runs of each mechanism count in a draw; by default as many as the one with fewest has.

    >>> found = score({"tens": [[(tuple(range(1, 10)), (10,))]], "twelves": [[(tuple(range(1, 12)), (12,))]]})
    >>> found.table["mechanism"].tolist()[0]
    'tens'
    """
    require(0 < smoothing < 1, "smoothing", smoothing, "more than 0 and less than 1")
    if not mechanisms:
        raise RequestError("There is no mechanism whose predictions could be scored; give at least one.")
    for name, given in mechanisms.items():
        if not given or not all(given):
            raise RequestError(f"The mechanism {name} has no lexicon, so it predicts nothing.")
    most = min(map(len, mechanisms.values()))
    count = most if runs is None else runs
    require(0 < count <= most, "runs", count, f"from 1 to {most}, which is how many the mechanism with fewest has")
    humans = people or People.of()
    places = _Humans(humans)
    rows: list[dict[str, object]] = []
    by_family: dict[str, Floats] = {}
    for name, given in {**mechanisms, _EVEN: ()}.items():
        if given:
            cells, systems = _draws(_Mechanism(given, places), len(given), count, smoothing, seed)
        else:
            cells = np.full((1, len(places.lexicons)), -math.log2(CELLS))
            systems = cells - np.log2(places.within)
        by_family[name] = np.resize(cells @ places.in_family, (DRAWS, places.in_family.shape[1]))
        by_language = cells.mean(axis=0)[places.of_language]
        rows.append({"mechanism": name, "runs": len(given), **_interval(by_family[name], seed),
                     "bits_system": float((systems.mean(axis=0) @ places.in_family).mean()),
                     "bits_languages": float(by_language.mean()),
                     "bits_areas": float(_families_mean(by_language.tolist(), humans.areas).mean()),
                     "base_ten": _share_of_ten(given)})  # fmt: skip
    table = pd.DataFrame(rows).sort_values("bits", ascending=False, kind="stable").reset_index(drop=True)
    best = by_family[table["mechanism"].iloc[0]]
    behind = pd.DataFrame(_interval(best - by_family[name], seed) for name in table["mechanism"])
    table = table.join(behind.set_axis(["behind", "behind_low", "behind_high"], axis=1))
    table.insert(0, "rank", np.arange(1, len(table) + 1))
    means = {name: each.mean(axis=0) for name, each in by_family.items() if name != _EVEN}
    return Typology(table, humans, smoothing, count, _held_out(means, seed))


def _draws(mechanism: _Mechanism, runs: int, count: int, smoothing: float, seed: int) -> tuple[Floats, Floats]:
    """What that many runs give to human cells and lexicons, for each draw without replacement."""
    rng = np.random.default_rng(seed)
    draws = _RUN_DRAWS if count < runs else 1
    found = [mechanism.bits(rng.permutation(runs)[:count].tolist(), smoothing) for _ in range(draws)]
    return np.array([cells for cells, _ in found]), np.array([systems for _, systems in found])


def _interval(by_draw: Floats, seed: int) -> dict[str, float]:
    """The average over families, and its interval from resampling families, each time with another draw of runs."""
    draws, families = by_draw.shape
    if families < 2:
        return {"bits": float(by_draw.mean()), "low": math.nan, "high": math.nan}
    picks = np.random.default_rng(seed).integers(0, families, (draws, families))
    low, high = np.quantile(np.take_along_axis(by_draw, picks, axis=1).mean(axis=1), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return {"bits": float(by_draw.mean()), "low": float(low), "high": float(high)}


def _share_of_ten(runs: Sequence[Run]) -> float:
    if not runs:
        return 1 / len(BASES)
    return float(np.mean([np.mean([cell_of(*each).base == 10 for each in run]) for run in runs]))


def _held_out(by_family: Mapping[str, Floats], seed: int) -> pd.DataFrame:
    """Choose on one half of the families, test on the other, both ways round."""
    order = np.random.default_rng(seed).permutation(len(next(iter(by_family.values()))))
    halves = order[: len(order) // 2], order[len(order) // 2 :]
    rows: list[dict[str, object]] = []
    for number, (chosen_on, tested_on) in enumerate((halves, halves[::-1]), start=1):
        if not len(chosen_on) or not len(tested_on):
            continue
        best = max(by_family, key=lambda name: float(by_family[name][chosen_on].mean()))
        ranked = sorted(by_family, key=lambda name: -float(by_family[name][tested_on].mean()))
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


# The mechanisms of a table of rounds.


def lexicons_of_runs(rounds: pd.DataFrame, by: Sequence[str]) -> dict[str, list[Run]]:
    """The runs of each group: of each run the lexicons of the second half of its rounds, when it has settled."""
    last = rounds.groupby("run")["round"].transform("max")
    late = cast(pd.DataFrame, rounds[rounds["round"] * 2 >= last])
    found: dict[str, dict[str, list[Lexicon]]] = {}
    for row in cast(list[dict[str, Any]], late[["run", *by, "digits", "multipliers"]].to_dict("records")):
        told = [column for column in by if row[column] is not None and row[column] == row[column]]  # a NaN is nothing
        name = ", ".join(f"{column} {_plain(row[column])}" for column in told) or "runs"
        lexicon = tuple(map(int, row["digits"])), tuple(map(int, row["multipliers"]))
        found.setdefault(name, {}).setdefault(row["run"], []).append(lexicon)
    return {name: list(runs.values()) for name, runs in found.items()}


def _plain(value: object) -> str:
    if isinstance(value, float) and value == math.inf:
        return "all"
    return f"{value:g}" if isinstance(value, float) else str(value)
