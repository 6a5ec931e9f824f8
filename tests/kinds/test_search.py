"""The kernels against plain NumPy, to the bit, and the searches: at prices, and on long ranges."""

import numpy as np
import pytest

from ishango.kinds import ERROR_MEASURES, Law, OpenSystem, costs, optimum
from ishango.kinds._law import lengths_of, lexicons, lost_between, saying_costs
from ishango.kinds._optimum import (
    BestFound,
    _SizeSearch,
    best_of_sizes,
    best_words,
    exchanged,
    grown,
    moved,
    plain_systems,
    recursive_bounds,
    search_prices,
    shrunk,
    tried_words,
)


def by_tables(masks, law):
    """All ways of saying all numbers, and the least of each."""
    lengths = lengths_of(masks, law)
    efforts = np.multiply(law.effort, lengths, where=np.isfinite(lengths), out=np.full_like(lengths, np.inf))
    return (efforts[:, None, :] + law.losses).min(axis=2) @ law.weights


@pytest.mark.parametrize("error", ERROR_MEASURES)
@pytest.mark.parametrize("effort", [0.0, 0.3, 1.0])
def test_what_saying_costs_is_to_the_bit_what_tables_of_all_ways_give(error, effort):
    """Also where long expressions are not looked for, because they cannot be worth it."""
    for precision in (0.5, 8.0, 300.0):
        law = Law(precision=precision, effort=effort, error=error, upto=40)
        for text in ("1-4,7,16", "1-9 | 10", "1-3 | 4,16", "7 | 2"):
            many = grown(lexicons([OpenSystem.parse(text)], 40)[0])
            assert saying_costs(many, law).tolist() == by_tables(many, law).tolist(), text


def test_what_is_lost_between_words_is_to_the_bit_what_cumulative_sums_give():
    losses = np.random.default_rng(0).random((23, 23))
    for i, row in enumerate(lost_between(losses)):
        sums = np.minimum(losses[:, i, None], losses).cumsum(axis=0)
        assert row.tolist() == [sums[j - 1, j] - sums[i, j] if j > i else 0.0 for j in range(23)]


def test_neighbours_are_one_word_away():
    lexicon = lexicons([OpenSystem.parse("1,2,5 | 3")], 9)[0]
    sizes = {each.__name__: {int(one.sum()) for one in each(lexicon)} for each in (grown, shrunk, exchanged)}
    assert sizes == {"grown": {5}, "shrunk": {3}, "exchanged": {4}}
    near = moved(lexicon, 2)
    assert {int((one ^ lexicon).sum()) for one in near} == {2}
    assert len({one.tobytes() for one in near}) == len(near) == 1 + 2 + 4 + 4


def test_what_leads_from_size_to_size_has_a_numeral_and_a_multiplier():
    """Where few errors matter, lexicons without multipliers cost less, and would hide those with them."""
    law = Law(precision=1.0, word=0.01, upto=12)
    search = _SizeSearch(law, BestFound(law, 6))
    search.run(0.0)
    assert set(search.recursive) >= {2, 3, 4}
    for size, (value, lexicon) in search.recursive.items():
        assert lexicon.sum() == size
        assert lexicon.any(axis=1).all(), size
        assert value == pytest.approx(saying_costs(lexicon[None], law)[0])


def test_the_systems_of_the_sketch_are_found_or_bettered():
    """Some cells of the table that began all this, N = 50."""
    for precision, word, text in (
        (1, 0.01, "1-4,7,16"), (3, 0.03, "1-4,7,16"), (10, 0.1, "1-4,8 | 6"), (10, 0.03, "1-6,9,14 | 5"),
        (30, 0.1, "1-4 | 5"), (30, 0.03, "1-7,10 | 4"), (100, 0.1, "1-4 | 5"), (100, 0.03, "1-7,9 | 4"),
        (100, 0.3, "1-3 | 4"), (100, 0.01, "1-11,13 | 2,3"),
    ):  # fmt: skip
        law = Law(precision=precision, word=word)
        assert optimum(law).costs.total <= costs(OpenSystem.parse(text), law).total + 1e-9, text


def test_a_long_range_is_searched_at_prices_alone():
    """Above 200 numbers: nothing plain undercuts what is found, nor does anything without multipliers, which is exact;
    and the bound lies below."""
    law, words = Law(precision=60, upto=230), [0.1, 0.3]
    best = best_of_sizes(law, words)
    plain = plain_systems(law)
    saying, sizes = saying_costs(lexicons(plain, 230), law), np.array([each.size for each in plain])
    exact = best_words(law, 40)[0]
    for word in words:
        found = best.at(word)
        assert found.kind.name == "partly recursive"
        assert found.costs.total <= (saying + word * sizes).min() + 1e-9
        assert found.costs.total < (exact + word * np.arange(1, 41)).min() - 0.1
        assert 0.8 * found.costs.total < found.lower < found.costs.total
    assert len(best.found) < 60  # more words than that are not looked at: they alone cost more


def test_few_sizes_bound_as_well_as_all():
    law = Law(precision=20, word=0.2, upto=30)
    assert recursive_bounds(law, 7).tolist() == recursive_bounds(law)[:8].tolist()
    every = best_of_sizes(law, [0.0, 0.2]).at(0.2)
    assert optimum(law).lower == pytest.approx(every.lower, abs=1e-12)


def test_words_that_are_tried_and_beginnings():
    assert tried_words(50) == list(range(1, 51))
    assert {64, 81, 100, 125, 343, 900, 961} <= set(tried_words(999))
    law = Law(precision=100, upto=40)
    alone, helped = BestFound(law, 40), BestFound(law, 40)
    search_prices(law, alone, [0.1])
    search_prices(law, helped, [0.1], [OpenSystem.parse("1,2,4,9 | 7")])
    assert helped.cost(0.1) <= alone.cost(0.1) + 1e-12


def test_prices_next_to_nothing_are_as_good_as_nothing() -> None:
    for name in ("word", "effort"):
        nearly, nothing = (optimum(Law(**{name: price, "upto": 20})).costs.total for price in (1e-320, 0))
        assert nearly == pytest.approx(nothing)
