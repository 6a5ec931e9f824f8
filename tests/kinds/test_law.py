"""The law against brute force."""

from dataclasses import replace

import numpy as np
import pytest
from tests.kinds.brute_force import LARGEST, costs_by_hand, every_system

from ishango.errors import RequestError
from ishango.kinds import ERROR_MEASURES, Law, OpenSystem, costs, kind_of, optimum, said
from ishango.kinds._law import _exact, lexicons, saying_costs
from ishango.kinds._optimum import best_of_sizes, best_words, recursive_bounds
from ishango.restricted import study_languages


@pytest.mark.parametrize("error", ERROR_MEASURES)
def test_costs_of_every_small_system(error):
    """All systems of up to four words over 1 to N, for every N up to 10."""
    for upto in range(1, 11):
        law = Law(precision=7.3, word=0.05, effort=0.9, error=error, upto=upto)
        systems, (expected, chosen) = every_system(upto), costs_by_hand(law)
        assert saying_costs(lexicons(systems, upto), law) == pytest.approx(expected, abs=1e-12)
        for i in range(0, len(systems), 1 if upto < 5 else 37):  # one by one takes longer
            assert said(systems[i], law).tolist() == chosen[i].tolist(), systems[i]
            parts = costs(systems[i], law)
            assert parts.total == pytest.approx(expected[i] + 0.05 * systems[i].size)
            assert parts.effort_cost + parts.error_cost == pytest.approx(expected[i])


@pytest.mark.parametrize("error", ERROR_MEASURES)
@pytest.mark.parametrize("precision", [0.7, 4.0, 40.0])
def test_optima_of_few_words_and_the_bound_against_enumeration(error, precision):
    """Exact without multipliers; with them nothing is below the bound, and the search finds the best there is."""
    law = Law(precision=precision, error=error, upto=10)
    systems, (values, _) = every_system(10), costs_by_hand(law)
    sizes = np.array([system.size for system in systems])
    plain = np.array([not system.multipliers for system in systems])
    exact, words = best_words(law)
    bounds, searched = recursive_bounds(law), best_of_sizes(law, [0.0])
    for size in range(1, LARGEST + 1):
        few = values[(sizes == size) & plain].min()
        recursive = values[(sizes == size) & ~plain].min(initial=np.inf)
        assert exact[size - 1] == pytest.approx(few, abs=1e-12)
        assert values[systems.index(OpenSystem(words[size - 1]))] == pytest.approx(few, abs=1e-12)
        assert bounds[size] <= recursive + 1e-12
        assert searched.found[size - 1] == pytest.approx(min(few, recursive), abs=1e-12)


@pytest.mark.parametrize("grammar", ["modified", "hurford"])
@pytest.mark.parametrize("precision", [0.5, 2.0, 8.0])
def test_the_bound_holds_where_few_numbers_have_an_expression_of_two_leaves(precision, grammar):
    """Over a long range most numbers are said as others near them, also by expressions of two leaves."""
    law = Law(precision=precision, upto=20, grammar=grammar)
    systems = [replace(system, grammar=grammar) for system in every_system(20, 3) if system.multipliers]
    values, bounds = saying_costs(lexicons(systems, 20), law), recursive_bounds(law)
    for size in (2, 3):
        best = min(value for system, value in zip(systems, values, strict=True) if system.size == size)
        assert 0.5 * best < bounds[size] <= best + 1e-12


def test_bounds_are_worth_something():
    """Not just true: for dear precision they come near what is best."""
    law = Law(precision=100, word=0.03)
    best = optimum(law)
    assert 0.9 * best.costs.total < best.lower < best.costs.total
    assert not best.proved
    assert optimum(Law(precision=1, word=0.1)).proved


def test_kinds_by_what_is_said():
    law = Law(precision=100, upto=20)
    for text, kind, upto in [
        ("1-3", "exact restricted", 3),
        ("1-20", "exact restricted", 20),
        ("1", "exact restricted", 1),
        ("1,2,5", "approximate", 2),
        ("2", "exact restricted", 0),
        ("1-9 | 10", "recursive", 20),
        ("1-20 | 10", "exact restricted", 20),  # a multiplier that nobody says
        ("1,2 | 10", "partly recursive", 2),
    ]:
        found = kind_of(OpenSystem.parse(text), law)
        assert (found.name, found.exact_upto) == (kind, upto), text
    cheap = Law(precision=0.01, upto=20)
    assert kind_of(OpenSystem.parse("1-9 | 10"), cheap).name == "exact restricted"  # not worth a second word


def test_the_thirty_languages_are_of_the_kind_that_the_study_says():
    """But for those whose extents alone do not tell: 1|2- could be either, 1|2|3|4- is that of Achagua, too."""
    restricted = [language for language in study_languages() if not language.recursive]
    differing = {
        language.name
        for language in restricted
        if _exact(language.system(50).word_map) != (language.kind == "exact restricted")
    }
    assert differing == {"Chiquitano", "Fuyuge", "Wari'"}
    shared = {name: each.system(50).words for each in study_languages() if not each.recursive for name in [each.name]}
    assert shared["Fuyuge"] == shared["Achagua"]
    assert shared["Chiquitano"] == shared["Wari'"]


@pytest.mark.parametrize(
    ("make", "said_so"),
    [
        (lambda: OpenSystem.parse("none"), "without a digit"),
        (lambda: OpenSystem.parse("1 | 2 | 3"), "is not a numeral system"),
        (lambda: OpenSystem((0,)), "no number from 1 up"),
        (lambda: costs(OpenSystem.parse("60"), Law()), "outside the range 1 to 50"),
        (lambda: Law(precision=-1), "precision is -1"),
        (lambda: Law(word=float("nan")), "word is nan"),
        (lambda: Law(error="wrong"), "error is 'wrong'"),
        (lambda: Law(upto=0), "the range is 0"),
    ],
)
def test_what_cannot_be(make, said_so):
    with pytest.raises(RequestError, match=said_so):
        make()


def test_a_law_prices_every_word_alike():
    with pytest.raises(
        RequestError, match=r"in the grammar natural\+ a multiplier counts for 2; choose another grammar"
    ):
        Law(grammar="natural+")
