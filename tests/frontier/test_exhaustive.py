"""The search against enumeration of every lexicon, on every small problem and without an exception."""

from __future__ import annotations

from fractions import Fraction

import pytest
from enumeration import Lexicon, optima

from ishango.frontier.exact import FrontierPoint, solve
from ishango.frontier.problem import Problem
from ishango.numerals import Need

NEEDS = ("power:2", "uniform", "exp:0.1")


@pytest.mark.parametrize("hurford", [False, True], ids=["modified", "hurford"])
@pytest.mark.parametrize("n", range(2, 13))
def test_search_agrees_with_enumeration(n: int, hurford: bool) -> None:
    sizes = range(1 if hurford else 2, min(n, 5) + 1)
    for size in sizes:
        for need in NEEDS:
            weights = exact_weights(need, n)
            for overlap in (False, True):
                for cap in (None, 1, 2, 3):
                    problem = Problem("hurford" if hurford else "modified", need, n, 0, overlap, cap)
                    point = solve(problem, size, every=True)
                    value, lexicons = optima(n, size, weights, hurford, overlap, cap)
                    where = f"{problem.describe()} size {size}"
                    assert point.proved, where
                    assert point.average == value, where
                    assert point.lower_bound == float(value), where
                    assert_every_optimum(point, lexicons, hurford, where)


def exact_weights(need: str, n: int) -> list[Fraction]:
    parsed = Need.parse(need)
    return list(parsed.fractions(n) or [Fraction(w) for w in parsed.weights(n).tolist()])


def assert_every_optimum(point: FrontierPoint, lexicons: set[Lexicon], hurford: bool, where: str) -> None:
    if not hurford:
        assert {(o.system.digits, o.system.multipliers) for o in point.optima} == lexicons, where
        return
    # Overlap wastes a word under Hurford's grammar, so optimal lexicons are counted by their sets of distinct words.
    size = point.size
    by_words: dict[tuple[int, ...], list[tuple[int, tuple[int, ...]]]] = {}
    for digits, multipliers in lexicons:
        words = tuple(sorted({*digits, *multipliers}))
        if len(words) == size:
            by_words.setdefault(words, []).append((len(multipliers), multipliers))
    assert {o.system.words for o in point.optima} == set(by_words), where
    for optimum in point.optima:
        splits = by_words[optimum.system.words]
        assert optimum.fewest_multipliers == min(splits)[0], where
        assert optimum.system.multipliers == min(splits)[1], where
        assert optimum.most_multipliers == max(splits)[0], where
