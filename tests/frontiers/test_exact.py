"""Known values, the theorem on multipliers, limits of time, and the stated margin of float sums."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.numerals import combinations

from ishango.compiling import entry
from ishango.errors import RequestError
from ishango.frontiers import TOLERANCE, Problem, SearchNews, frontier, solve
from ishango.frontiers._bound import Partial, lower_bound
from ishango.frontiers._checker_bound import Lexicons, Rules, completion_bound
from ishango.frontiers._search import extend, task_of
from ishango.numerals import GRAMMARS, NumeralSystem

NAMES = (
    "modified",
    "hurford",
    "natural+",
    "natural+3",
    "rules:plus+minus+multiplier_words=2",
    *(grammar.name for grammar in combinations.COMBINATIONS),
)
MODIFIED = [2.835949, 1.963263, 1.659265, 1.498811, 1.401941, 1.333336, 1.283022]
HURFORD = [2.012362, 1.603689, 1.405483, 1.311906, 1.247819]


@entry
def bound_of(partial, task):  # Python itself cannot call what is a part of other kernels
    return lower_bound(partial, task)


@pytest.fixture(autouse=True)
def _combinations() -> Iterator[None]:
    with combinations.added():
        yield


def test_modified_values_and_single_multiplier() -> None:
    points = list(frontier(Problem(), range(2, 9)))
    assert [round(float(point.average), 6) for point in points] == MODIFIED
    assert all(point.proved for point in points)
    assert [str(point.system) for point in points[1:3]] == ["1,2 | 3", "1-3 | 4"]
    assert all(point.system == NumeralSystem(tuple(range(1, p)), (p,)) for p, point in enumerate(points, 2))


def test_overlap_breaks_the_single_multiplier_at_size_8() -> None:
    points = list(frontier(Problem(overlap=True), range(2, 9), every=True))
    assert all(len(o.system.multipliers) == 1 for point in points[:-1] for o in point.optima)
    assert str(points[-1].system) == "1-5,7 | 2,9"
    assert round(float(points[-1].average), 6) == 1.281558


def test_hurford_values() -> None:
    points = list(frontier(Problem("hurford"), range(2, 7)))
    assert [round(float(point.average), 6) for point in points] == HURFORD


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_another_multiplier_never_costs_where_it_is_a_numeral(data: st.DataObject) -> None:
    grammar = data.draw(st.sampled_from([name for name in NAMES if GRAMMARS[name].bare_number]))
    words = sorted(data.draw(st.sets(st.integers(1, 40), min_size=2, max_size=8)))
    multipliers = data.draw(st.sets(st.sampled_from(words), min_size=1))
    problem = Problem(grammar, upto=40)
    few = problem.average(NumeralSystem(tuple(set(words) - multipliers), tuple(multipliers), grammar))
    every = problem.average(NumeralSystem((), tuple(words), grammar))
    assert few is None or (every is not None and every <= few)


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_float_bounds_stay_within_the_stated_margin(data: st.DataObject) -> None:
    need = data.draw(st.sampled_from(["power:2", "power:1", "exp:0.1", "power:0.5"]))
    grammar = data.draw(st.sampled_from(NAMES))
    free = Problem(grammar).free_split
    c = data.draw(st.integers(0, 6) | st.integers(0, 60))
    kinds = data.draw(st.lists(st.sampled_from([0, 0, 0, 1, 2]), min_size=c, max_size=c))
    left = data.draw(st.integers(0, 12))
    digits = () if free else tuple(n for n, kind in enumerate(kinds, 1) if kind == 1)
    multipliers = tuple(n for n, kind in enumerate(kinds, 1) if kind == 2 or (free and kind == 1))
    size = GRAMMARS[grammar].size(len(digits), len(multipliers)) + left
    problem = Problem(grammar, need)
    rules = Rules(**GRAMMARS[grammar].record)
    lexicons = Lexicons(rules, False, None, size, problem.limit, [0, *problem.units])
    if size < problem.smallest_size or not lexicons.splits(digits, multipliers, c):
        return
    exact = Fraction(completion_bound(digits, multipliers, c, lexicons), problem.unit)
    partial = Partial(np.array(digits, np.int64), np.array(multipliers, np.int64), c)
    found = bound_of(partial, task_of(problem, size))
    assert abs(Fraction(float(found)) - exact) < Fraction(TOLERANCE) / 10


def test_out_of_time_is_not_proved() -> None:
    told: list[SearchNews] = []
    point = solve(Problem(need="uniform"), 6, time_limit=0.5, listener=told.append)
    assert not point.proved
    assert 1 < point.lower_bound < float(point.average)
    assert point.gap == float(point.average) - point.lower_bound
    assert told
    assert told[-1].nodes > 0


def test_a_lower_bound_out_of_time_is_below_the_optimum() -> None:
    problem = Problem(need="power:1")
    optimum = solve(problem, 5)
    hurried = solve(problem, 5, time_limit=1e-9)
    assert optimum.proved
    assert hurried.lower_bound <= float(optimum.average) <= float(hurried.average)


def test_node_limit_gives_the_same_answer_each_time() -> None:
    one, two = (solve(Problem(need="uniform"), 6, node_limit=30_000) for _ in range(2))
    assert not one.proved
    assert (one.average, one.lower_bound, one.nodes) == (two.average, two.lower_bound, two.nodes)


def test_every_optimum_of_a_tie() -> None:
    problem = Problem(need="uniform", upto=10)
    point = solve(problem, 4, every=True)
    assert len(point.optima) > 1
    assert {problem.average(optimum.system) for optimum in point.optima} == {point.average}
    assert solve(problem, 4).average == point.average


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: solve(Problem(), 1), "sizes run from 2"),
        (lambda: solve(Problem(upto=10), 11), "sizes run from 2 to the range, 10"),
        (lambda: Problem(max_multipliers=0), "allow at least 1"),
        (lambda: Problem("latin"), "no grammar 'latin'"),
    ],
)
def test_bad_requests(make: object, sentence: str) -> None:
    assert callable(make)
    with pytest.raises(RequestError, match=sentence):
        make()


@pytest.mark.parametrize(("grammar", "cap", "size"), [("hurford", None, 12), ("natural", None, 9), ("hurford", 12, 16)])
def test_a_system_grows_into_one_with_as_many_multipliers_as_are_searched(
    tmp_path: Path, grammar: str, cap: int | None, size: int
) -> None:
    """Large words are needed most: whether such a word is digit or multiplier is a tie, which the multiplier wins."""
    rise = tmp_path / "rise.csv"
    rise.write_text("".join(f"{n},{n**3}\n" for n in range(1, 31)))
    problem = Problem(grammar, f"file:{rise}", 30, max_multipliers=cap)
    start = NumeralSystem((), (1, 2), grammar)
    grown = extend(problem, start, size)
    assert grown is not None
    assert (grown.size, len(grown.multipliers)) == (size, cap or size)
    average, before = problem.average(grown), problem.average(start)
    assert average is not None
    assert before is not None
    assert average < before


def test_what_is_no_lexicon_of_the_problem_grows_into_none() -> None:
    """It would be taken for a system of the size, and might be called optimal."""
    assert extend(Problem(upto=20), NumeralSystem((1, 2), (2,)), 5) is None
    assert extend(Problem(upto=20), NumeralSystem((1, 2), (2,)), 3) is None
    assert extend(Problem(upto=20, max_multipliers=1), NumeralSystem((1,), (2, 3)), 3) is None
