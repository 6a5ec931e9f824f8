from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ishango.frontiers import Problem, frontier_value, gap
from ishango.frontiers._measures import distance, front, hypervolume
from ishango.numerals import STARTS, NumeralSystem

POINTS = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=12)


def dominates(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether one is as good as the other in both size and average, and better in one."""
    return one[0] <= other[0] and one[1] <= other[1] and tuple(one) != tuple(other)


@given(POINTS)
def test_front_is_what_nothing_dominates(points: list[tuple[int, int]]) -> None:
    expected = [not any(dominates(other, point) for other in points) for point in points]
    assert front(points).tolist() == expected


@given(POINTS)
def test_hypervolume_counts_unit_squares(points: list[tuple[int, int]]) -> None:
    squares = {(x, y) for a, b in points for x in range(a, 5) for y in range(b, 6)}
    assert hypervolume(points, reference=(5, 6)) == len(squares)  # some points lie beyond it in one of both


def test_gap_of_the_paper_starts() -> None:
    gaps = [gap(start) for start in STARTS]
    expected = [0.395, 1.152, 0.882, 1.050, 0.189, 0.564, 2.640, 1.871]
    assert gaps == pytest.approx(expected, abs=6e-4)


def test_gap_of_an_optimum_is_zero_and_of_overlap_may_be_negative() -> None:
    assert gap(NumeralSystem.parse("1-11 | 12")) == 0
    negative = gap(NumeralSystem.parse("1-5,7 | 2,9"))
    assert negative is not None
    assert negative < 0


def test_the_distance_is_the_share_by_which_size_and_average_could_shrink() -> None:
    least = frontier_value(8, Problem())
    assert least is not None
    assert distance(10, least / 0.8, Problem()) == pytest.approx(0.2)  # four fifths of both: the optimum of size 8


def test_no_gap_without_cover_or_proof() -> None:
    assert gap(NumeralSystem.parse("2 | 4")) is None
    assert frontier_value(6, Problem(need="uniform")) is None
    assert frontier_value(1, Problem()) is None
    assert frontier_value(2, Problem(upto=9)) is not None  # a digit and a multiplier are the fewest words


def test_more_words_than_the_range_are_compared_with_the_range() -> None:
    problem = Problem(upto=5)
    assert frontier_value(7, problem) == frontier_value(5, problem)
