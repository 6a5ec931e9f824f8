from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.restricted import TermSystem, least_cost, restricted_frontier, restricted_language_table
from ishango.restricted._best_systems import ideal_gap, restricted_gap
from ishango.restricted._term_system import communicative_cost, ideal_cost, position

NEEDS = ["power:2.02", "uniform", "exp:0.4"]


def interval_systems(upto: int, size: int) -> list[TermSystem]:
    """All ways to cut 1..range_ into so many intervals."""
    found = []
    for cuts in combinations(range(1, upto), size - 1):
        ends = [0, *cuts, upto]
        found.append(TermSystem.of([range(a + 1, b + 1) for a, b in pairwise(ends)], "approximate"))
    return found


@pytest.mark.parametrize("need", NEEDS)
@pytest.mark.parametrize("upto", [1, 2, 5, 9, 12])
def test_approximate_frontier_agrees_with_enumeration(upto: int, need: str) -> None:
    for point in restricted_frontier("approximate", None, need, upto):
        costs = {system: communicative_cost(system, need) for system in interval_systems(upto, point.size)}
        assert point.cost == pytest.approx(min(costs.values()), abs=1e-12)
        assert point.worst_cost == pytest.approx(max(costs.values()), abs=1e-12)
        assert costs[point.system] == pytest.approx(point.cost, abs=1e-12)
        assert costs[point.worst] == pytest.approx(point.worst_cost, abs=1e-12)


@pytest.mark.parametrize("need", NEEDS)
@pytest.mark.parametrize("size", range(1, 9))
def test_of_intervals_the_best_for_an_ideal_listener_has_no_gap(size: int, need: str) -> None:
    systems = interval_systems(8, size)
    costs, gaps = (np.array([of(system, need) for system in systems]) for of in (ideal_cost, ideal_gap))
    assert gaps == pytest.approx(costs - costs.min(), abs=1e-12)


@pytest.mark.parametrize("need", NEEDS)
def test_exact_frontier_agrees_with_enumeration_of_what_may_be_named(need: str) -> None:
    """Nothing but single numbers and one word for the rest: of all choices the best names 1..k."""
    for point in restricted_frontier("exact restricted", None, need, 8):
        costs = []
        for named in combinations(range(1, 9), point.size - 1):
            rest = set(range(1, 9)) - set(named)
            costs.append(ideal_cost(TermSystem.of([*([n] for n in named), rest], "approximate"), need))
        assert point.cost == pytest.approx(min(costs), abs=1e-12)
        assert point.cost == pytest.approx(communicative_cost(point.system, need), abs=1e-12)


@pytest.mark.parametrize("need", NEEDS)
def test_the_worst_exact_system_names_1_2_3_and_what_is_least_needed(need: str) -> None:
    for point in restricted_frontier("exact restricted", range(4, 9), need, 9):
        costs = []
        for named in combinations(range(4, 10), point.size - 4):
            rest = set(range(4, 10)) - set(named)
            costs.append(ideal_cost(TermSystem.of([[1], [2], [3], *([n] for n in named), rest], "approximate"), need))
        assert point.worst_cost == pytest.approx(max(costs), abs=1e-12)


def best_of_all_partitions(upto: int, need: str) -> dict[int, float]:
    """The least cost for each number of words over all partitions, intervals or not."""
    best: dict[int, float] = {}
    for word_map in product(*(range(i + 1) for i in range(upto))):
        if all(word <= max(word_map[:i], default=-1) + 1 for i, word in enumerate(word_map)):
            system = TermSystem.from_word_map(word_map)
            cost = communicative_cost(TermSystem(system.words, "approximate"), need)
            best[system.size] = min(cost, best.get(system.size, np.inf))
    return best


@pytest.mark.parametrize("need", NEEDS)
def test_intervals_lose_nothing_up_to_7(need: str) -> None:
    best = best_of_all_partitions(7, need)
    for point in restricted_frontier("approximate", None, need, 7):
        assert point.cost == pytest.approx(best[point.size], abs=1e-12)


def test_intervals_lose_a_little_at_10() -> None:
    (point,) = restricted_frontier("approximate", [8], upto=10)
    apart = TermSystem.parse("1|2|3|4|5|6|7,10|8-9", 10)
    assert point.cost - communicative_cost(apart) == pytest.approx(0.000767, abs=1e-6)
    assert restricted_gap(apart) < 0


def test_pirahã_is_the_best_approximate_system_of_three_words() -> None:
    (point,) = restricted_frontier("approximate", [3])
    assert str(point.system) == "1|2-4|5-"


def test_gap_is_to_the_best_of_either_kind() -> None:
    assert restricted_gap(TermSystem.exact(4)) == 0
    barasano = TermSystem.exact(5)
    (rival,) = restricted_frontier("approximate", [7])
    assert (position(barasano).complexity, rival.complexity) == (21, 21)
    assert restricted_gap(barasano) == pytest.approx(communicative_cost(barasano) - rival.cost)
    assert least_cost(2) is None


def test_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(RequestError, match="no kind of system 'exact'; choose exact restricted or approximate"):
        restricted_frontier("exact", [3])  # pyright: ignore[reportArgumentType]


def test_a_range_of_more_words_than_numbers_is_refused() -> None:
    with pytest.raises(RequestError, match="11 words"):
        restricted_frontier("approximate", [11], upto=10)
    with pytest.raises(RequestError, match="0 words"):
        restricted_frontier("exact restricted", [0], upto=10)


def test_languages_that_share_a_point_are_named_after_the_first() -> None:
    labels = restricted_language_table(upto=30)["label"].tolist()
    assert "Achagua and 7 others" in labels
    assert "Mundurukú" in labels
