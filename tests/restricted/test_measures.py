from __future__ import annotations

import math

import numpy as np
import pytest
from tests.languages.reference import reference

from ishango.errors import RequestError
from ishango.numerals import Need
from ishango.restricted import TermSystem, complexity, means
from ishango.restricted._term_system import communicative_cost, ideal_cost


def plain_exact_cost(last: int, need: list[float]) -> float:
    higher = need[last:]
    return sum(-p * math.log2(p / sum(higher)) for p in higher)


def plain_gaussian_cost(words: list[list[int]], need: list[float], weber: float) -> float:
    def cost(word: list[int], mean: int) -> float:
        density = [math.exp(-((i - mean) ** 2) / (2 * (weber * mean) ** 2)) * need[i - 1] for i in word]
        if min(density) == 0:
            return math.inf  # a tail below the smallest float, so not the best mean
        return sum(-need[i - 1] * math.log2(d / sum(density)) for i, d in zip(word, density, strict=True))

    return sum(min(cost(word, mean) for mean in word) for word in words)


@pytest.mark.parametrize("last", [0, 1, 3, 4, 10, 20, 99])
@pytest.mark.parametrize("need", ["power:2.02", "uniform", "exp:0.1"])
def test_exact_costs_match_a_plain_calculation(last: int, need: str) -> None:
    expected = plain_exact_cost(last, Need.parse(need).weights(100).tolist())
    assert communicative_cost(TermSystem.exact(last), need) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("text", ["1-", "1|2-", "1|2-4|5-", "1-7|8-15|16-", "1,3,5|2,4|6-"])
@pytest.mark.parametrize("weber", [0.31, 0.5])
def test_approximate_costs_match_a_plain_calculation(text: str, weber: float) -> None:
    system = TermSystem.parse(text, 20, "approximate")
    need = Need.parse("power:2.02").weights(20).tolist()
    expected = plain_gaussian_cost([list(word) for word in system.words], need, weber)
    assert communicative_cost(system, weber=weber) == pytest.approx(expected, rel=1e-12)


def test_need_of_english_is_the_fitted_one() -> None:
    rows = reference("xu2020_need_english_fit.csv")
    fitted = np.array([float(row["need"]) for row in rows])
    np.testing.assert_allclose(Need.parse("power:2.02").weights(100), fitted, rtol=2e-3)


@pytest.mark.parametrize(("last", "nodes"), [(0, 4), (1, 7), (2, 10), (3, 13), (4, 17), (5, 21), (10, 41), (20, 81)])
def test_exact_complexity(last: int, nodes: int) -> None:
    assert complexity(TermSystem.exact(last)) == nodes


def test_gaussian_words_have_three_nodes_each() -> None:
    assert complexity(TermSystem.parse("1|2|3|4|5-11|12-", kind="approximate")) == 18


def test_a_mean_is_the_number_of_the_word_that_costs_least() -> None:
    assert means(TermSystem.parse("1|2-4|5-", kind="approximate")) == (1, 3, 40)


def test_no_listener_beats_the_ideal_one() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        system = TermSystem.from_word_map(rng.integers(0, 4, 15).tolist())
        assert ideal_cost(system) <= communicative_cost(system) + 1e-12
    assert ideal_cost(TermSystem.exact(4)) == communicative_cost(TermSystem.exact(4))


def test_a_number_that_is_never_needed_costs_nothing(tmp_path) -> None:
    file = tmp_path / "need.csv"
    file.write_text("1,1\n2,0\n3,1\n4,0\n")
    need = f"file:{file}"
    apart, never = TermSystem.parse("1,3|2,4", 4), TermSystem.parse("1,2|3-", 4)
    assert communicative_cost(apart, need) == pytest.approx(plain_gaussian_cost([[1, 3]], [0.5, 0, 0.5], 0.31))
    assert communicative_cost(never, need) == 0


def test_far_tails_cost_much_but_stay_finite() -> None:
    cost = communicative_cost(TermSystem.parse("1,100|2-99", 100))
    assert 1 < cost < 1000


def test_weber_fraction_must_be_positive() -> None:
    with pytest.raises(RequestError, match="Weber"):
        communicative_cost(TermSystem.parse("1-4|5-"), weber=0)
