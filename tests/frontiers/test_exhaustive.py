"""The search against enumeration of every lexicon, on every small problem and without an exception."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from enumeration import Lexicon, optima
from tests.numerals import combinations

from ishango.errors import RequestError
from ishango.frontiers import FrontierPoint, Problem, check, solve, write_frontier, write_proof
from ishango.frontiers._exact import NoCoverError
from ishango.numerals import GRAMMARS, Need

NEEDS = ("power:2", "uniform", "exp:0.1")
BUILT_IN = ("modified", "hurford")
NAMED = ("natural", "addition", "flat", "natural+", "natural+3")
COSTLY = (
    "rules:plus+minus+multiplier_words=2",
    "rules:bare_number+plus+minus+flat+multiplier_words=2",
    "rules:bare_number+bare_phrase+minus+multiplier_words=3",
)
"""Grammars in which a multiplier costs more than a word and which have no name."""
OTHERS = [
    grammar.name
    for grammar in combinations.COMBINATIONS
    if grammar.flags not in [GRAMMARS[name].flags for name in (*BUILT_IN, *NAMED)]
]


@pytest.fixture(autouse=True)
def _combinations() -> Iterator[None]:
    with combinations.added():
        yield


@pytest.mark.parametrize("grammar", BUILT_IN)
@pytest.mark.parametrize("n", range(2, 13))
def test_search_agrees_with_enumeration(n: int, grammar: str) -> None:
    for size in range(1 if grammar == "hurford" else 2, min(n, 5) + 1):
        for need in NEEDS:
            for overlap in (False, True):
                for cap in (None, 1, 2, 3):
                    assert_same(Problem(grammar, need, n, overlap, cap), size)


@pytest.mark.parametrize("grammar", NAMED)
@pytest.mark.parametrize("n", [2, 4, 7, 10])
def test_search_agrees_with_enumeration_under_the_other_named_grammars(n: int, grammar: str) -> None:
    words = GRAMMARS[grammar].multiplier_words
    for size in range(1, min(n, 4) + words):
        for need in NEEDS:
            for overlap in (False, True):
                for cap in (None, 2):
                    assert_same(Problem(grammar, need, n, overlap, cap), size)


@pytest.mark.parametrize("grammar", [*OTHERS, *COSTLY])
@pytest.mark.parametrize("n", [2, 5, 7])
def test_search_agrees_with_enumeration_under_any_rules(n: int, grammar: str) -> None:
    for size in range(1, min(n, 5) + 1):
        for need in NEEDS:
            for overlap in (False, True):
                for cap in (None, 2):
                    assert_same(Problem(grammar, need, n, overlap, cap), size)


@pytest.mark.parametrize("needed", [(1, 0, 2, 0, 0), (2, 1, 0, 0, 0), (0, 0, 1, 3, 0)], ids=str)
@pytest.mark.parametrize("grammar", [*BUILT_IN, *NAMED])
def test_lists_are_complete_where_numbers_are_not_needed(tmp_path: Path, grammar: str, needed: tuple[int, ...]) -> None:
    """A word that is wasted costs nothing there; where a list cannot have such lexicons none is given."""
    file = tmp_path / "need.csv"
    file.write_text("".join(f"{number},{weight}\n" for number, weight in enumerate(needed, start=1)))
    for overlap in (False, True):
        problem = Problem(grammar, f"file:{file}", len(needed), overlap)
        for size in range(problem.smallest_size, 4):
            if overlap and problem.free_split:
                with pytest.raises(RequestError, match=r"wastes a word.*leave out overlap"):
                    solve(problem, size, every=True)
            else:
                assert_same(problem, size)


@pytest.mark.parametrize("grammar", ["modified", "hurford", "natural+", "natural+3"])
def test_every_optimum_is_listed_where_some_numbers_are_not_needed(tmp_path: Path, grammar: str) -> None:
    """A word that is wasted costs nothing there; where no list has such lexicons, D and M are kept apart."""
    for i, needed in enumerate(([1, 1, 0, 2, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 1])):
        need = tmp_path / f"{i}.csv"
        need.write_text("number,need\n" + "".join(f"{n},{each}\n" for n, each in enumerate(needed, start=1)))
        for size in range(2, 6):
            for cap in (None, 2):
                problem = Problem(grammar, f"file:{need}", len(needed), True, cap)
                assert_same(replace(problem, overlap=not problem.free_split), size)


@pytest.mark.parametrize("grammar", [*OTHERS, *NAMED, *COSTLY])
def test_the_checker_accepts_proofs_under_any_rules(tmp_path: Path, grammar: str) -> None:
    for need in NEEDS:
        for cap in (None, 2):
            problem = Problem(grammar, need, 9, max_multipliers=cap)
            points = list(solvable(problem, range(1, 8)))
            write_frontier(tmp_path, problem, points)
            write_proof(tmp_path, problem, points)
            assert [checked.size for checked in check(tmp_path)] == [point.size for point in points]
            assert points or cap  # with two multipliers and no operators nothing of these sizes covers 1..9


def solvable(problem: Problem, sizes: range) -> Iterator[FrontierPoint]:
    for size in sizes:
        if size >= problem.smallest_size:
            try:
                yield solve(problem, size)
            except NoCoverError:
                continue


def assert_same(problem: Problem, size: int) -> None:
    n, rules = problem.upto, GRAMMARS[problem.grammar]
    where = f"{problem.describe()} size {size}"
    weights = exact_weights(str(problem.need), n)
    # Without digits every word is a multiplier; where one is needed, that is no lexicon.
    expected = optima(n, size, weights, rules, problem.overlap, problem.max_multipliers)
    if expected is None:
        if size >= problem.smallest_size:
            with pytest.raises(NoCoverError, match=f"No lexicon of size {size} covers 1 to {n}"):
                solve(problem, size)
        return
    value, lexicons = expected
    point = solve(problem, size, every=True)
    assert point.proved, where
    assert point.average == value, where
    assert point.lower_bound == float(value), where
    assert_every_optimum(point, lexicons, problem.free_split, where)


def exact_weights(need: str, n: int) -> list[Fraction]:
    parsed = Need.parse(need)
    return list(parsed.fractions(n) or [Fraction(w) for w in parsed.weights(n).tolist()])


def assert_every_optimum(point: FrontierPoint, lexicons: set[Lexicon], free_split: bool, where: str) -> None:
    if not free_split:
        assert {(o.system.digits, o.system.multipliers) for o in point.optima} == lexicons, where
        return
    # Overlap wastes a word where multipliers are numerals, so lexicons are counted by their sets of distinct words.
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
