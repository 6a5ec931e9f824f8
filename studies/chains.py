"""Many chains of ideal learners and where they come to rest, for the tables of docs/generations.md."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ishango.evolution import starting_system
from ishango.frontiers import frontier_value, problem_of
from ishango.generations._experiment import generators, play_chain
from ishango.generations._ideal_kernel import (
    pass_on,  # pyright: ignore[reportUnknownVariableType]
    use_of,  # pyright: ignore[reportUnknownVariableType]
)
from ishango.generations._options import GenerationOptions
from ishango.generations._upbringing import Words, rules_of, system_of
from ishango.numerals import Need, as_grammar, averages, canonical_leaves, leaves_of_many, levels_of, words_of

Floats = NDArray[np.float64]

_ROUNDS = 10_000
_CLOSE = 1e-10


def survival(use: Floats | float, bottleneck: int) -> Floats:
    """The probability that a word of such use is heard among so many examples.

    >>> float(survival(0.01, 100).round(3))
    0.634
    """
    return 1 - (1 - np.asarray(use, np.float64)) ** bottleneck


def expected_digits(need: Floats, bottleneck: int, coined: float) -> Floats:
    """For each number the share of generations in which it is a digit, by a mean-field theory without free parameters.

    Each number gains and loses its word on its own. It is lost with the probability that the number is not heard,
    (1 - P(n))^B: as if a digit were of use only for its own number. It is coined, `coined` digits a generation, in
    proportion to P(n) among the numbers that have none, as if all of those were equally long. Shares are where gains
    and losses balance.

    >>> shares = expected_digits(np.full(10, 0.1), 1000, coined=0.4)
    >>> float(shares.sum().round(2))
    10.0
    """
    need = np.asarray(need, np.float64)
    lost = (1 - need) ** bottleneck
    shares = np.full(need.size, 0.5)
    for _ in range(_ROUNDS):
        nameless = float(((1 - shares) * need).sum())
        gained = np.minimum(1, coined * need / max(nameless, 1e-12))
        # A word that is coined at the end of a generation must survive the next one to be lost or kept.
        after = gained / np.maximum(gained + lost, 1e-300)
        if float(np.abs(after - shares).max()) < _CLOSE:
            return after
        shares = (shares + after) / 2
    return shares


# Many chains of ideal learners, and where they come to rest.


@dataclass(frozen=True)
class Cell:
    """Chains that differ only in their start and seed."""

    name: str
    options: GenerationOptions


def chains_table(
    cells: Sequence[Cell], starts: Sequence[str], seeds: Sequence[int], last: int, threads: int = 2
) -> pd.DataFrame:
    """The last generations of every chain, a row each: cell, start, seed, generation, and where its lexicon lies.

    Columns: size, n_digits, n_multipliers, base (the multiplier used most), overlapping, average_complexity, gap (none
    where the range is not covered or the frontier not proved), and the system as text.
    """
    asked = [(cell, start, seed) for cell in cells for start in starts for seed in seeds]

    def play(each: tuple[Cell, str, int]) -> Words:
        cell, start, seed = each
        return play_chain(replace(cell.options, start=start, seed=seed))[-last:]

    with ThreadPoolExecutor(threads) as pool:  # kernels run side by side
        histories = list(pool.map(play, asked))
    tables: list[pd.DataFrame] = []
    for cell in cells:
        mine = [i for i, each in enumerate(asked) if each[0] is cell]
        rows = [
            {"cell": cell.name, "start": asked[i][1], "seed": asked[i][2], "generation": generation}
            for i in mine
            for generation in range(cell.options.rounds - len(histories[i]) + 1, cell.options.rounds + 1)
        ]
        measures = lexicon_measures(np.concatenate([histories[i] for i in mine]), cell.options)
        tables.append(pd.concat([pd.DataFrame(rows), measures], axis=1))
    return pd.concat(tables, ignore_index=True)


def lexicon_measures(lexicons: Words, options: GenerationOptions) -> pd.DataFrame:
    """Where each of many lexicons, (number, 2, range + 1), lies; each distinct one is measured once."""
    packed = np.packbits(lexicons.reshape(len(lexicons), -1), axis=1)
    _, first, back = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    distinct = lexicons[first]
    average = _averages(distinct, options)
    digits, multipliers = (distinct[:, role].sum(axis=1) for role in (0, 1))
    rules = as_grammar(options.grammar)
    sizes = np.array([rules.size(int(d), int(m)) for d, m in zip(digits, multipliers, strict=True)])
    least = np.array([_frontier(int(size), options) for size in sizes])
    table = pd.DataFrame(
        {
            "size": sizes,
            "n_digits": digits,
            "n_multipliers": multipliers,
            "base": [base_of(words, options) for words in distinct],
            "overlapping": (distinct[:, 0] & distinct[:, 1]).any(axis=1),
            "average_complexity": average,
            "gap": average - least,
            "system": [str(system_of(words, options.grammar)) for words in distinct],
        }
    )
    return table.iloc[back.ravel()].reset_index(drop=True)


def survival_table(options: GenerationOptions, bins: Sequence[float]) -> pd.DataFrame:
    """How often words survive a generation, by their use: low (of the bin), use, heard, expected, restored, words.

    Use is that in the parents' language; `heard` and `restored` are shares of the words of a bin, and `expected` is
    what 1 - (1 - use)^B gives for `heard`, all as means over the words.
    """
    assert options.examples is not None
    words = words_of(starting_system(options.start, options.grammar, options.game.upto), options.game.upto)
    rules, rng = rules_of(options), generators(options)[0]
    rows: list[tuple[float, bool, bool]] = []
    for _ in range(options.rounds):
        passed = pass_on(words, rules, rng)
        use = _use(words, options)
        for role, word in np.argwhere(words).tolist():
            rows.append((float(use[role, word]), bool(passed.heard[role, word]), bool(passed.restored[role, word])))
        words = passed.words
    table = pd.DataFrame(rows, columns=["use", "heard", "restored"])
    table["expected"] = survival(table["use"].to_numpy(), options.examples)
    low = pd.cut(table["use"], list(bins), labels=list(bins[:-1]), include_lowest=True).astype(float)
    grouped = table.assign(low=low).groupby("low")
    found = grouped[["use", "heard", "expected", "restored"]].mean().assign(words=grouped.size())
    return found.reset_index()


def _averages(lexicons: Words, options: GenerationOptions) -> Floats:
    upto, game = options.upto, options.game.upto
    sets = np.zeros((2, len(lexicons), upto), np.bool_)
    sets[:, :, :game] = lexicons[:, :, 1:].transpose(1, 0, 2)
    leaves = leaves_of_many(sets[0], sets[1], options.grammar)
    return averages(leaves, Need.parse(options.need).weights(upto))


def _frontier(size: int, options: GenerationOptions) -> float:
    least = frontier_value(size, problem_of(options.grammar, Need.parse(options.need), options.upto))
    return float("nan") if least is None else least


def _use(words: Words, options: GenerationOptions) -> Floats:
    rules = rules_of(options)
    language = levels_of(words, rules.flags, rules.upto, rules.limit)
    return use_of(canonical_leaves(language, rules.flags, rules.upto), rules.need, rules.upto)


def base_of(words: Words, options: GenerationOptions) -> int:
    """The multiplier that is used most; the smallest where none is used.

    >>> from ishango.numerals import NumeralSystem
    >>> base_of(words_of(NumeralSystem.parse("1-9 | 10,20"), 50), GenerationOptions())
    10
    """
    use = np.where(words[1], _use(words, options)[1], -1.0)
    return int(use.argmax())
