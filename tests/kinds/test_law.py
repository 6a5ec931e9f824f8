"""The law against brute force: every system of few words over few numbers, lengths counted out by hand."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.kinds import ERROR_MEASURES, Law, OpenSystem, best_of_sizes, costs, kind_of, optimum, said
from ishango.kinds.few_words import best_words
from ishango.kinds.kind import kind_of_extents
from ishango.kinds.law import saying_costs
from ishango.kinds.lower_bound import recursive_bounds
from ishango.kinds.open_system import lexicons
from ishango.numerals import Need
from ishango.restricted import study_languages

UPTO = 8


def every_system(upto: int, largest: int):
    """All systems of at most so many words, with and without multipliers."""
    words = range(1, upto + 1)
    for size in range(1, largest + 1):
        for digits in range(1, size + 1):
            yield from (
                OpenSystem(d, m) for d, m in product(combinations(words, digits), combinations(words, size - digits))
            )


def lengths_by_hand(system: OpenSystem, upto: int) -> dict[int, int]:
    """Number = digit | phrase | phrase +- number; phrase = number * multiplier; all values up to 2N + 2."""
    limit, most = 2 * upto + 2, 14
    numbers: dict[int, int] = dict.fromkeys(system.digits, 1)
    phrases: dict[int, int] = {}
    for leaves in range(2, most + 1):
        new_phrases = {
            n * m: leaves for n, found in numbers.items() for m in system.multipliers
            if found == leaves - 1 and n * m <= limit
        }  # fmt: skip
        phrases = new_phrases | phrases
        new = dict(new_phrases)
        for phrase, number in product(phrases, numbers):
            if phrases[phrase] + numbers[number] == leaves:
                new |= {v: leaves for v in (phrase + number, phrase - number) if 0 < v <= limit}
        numbers = new | numbers
    return {n: 2 * leaves - 1 for n, leaves in numbers.items() if n <= upto}


def cost_by_hand(system: OpenSystem, law: Law) -> tuple[float, list[int]]:
    """The cost but for words, and what is said."""
    lengths, weights = lengths_by_hand(system, law.upto), Need.parse(law.need).weights(law.upto)
    errors = {
        "weber": lambda n, v: abs(n - v) / n,
        "log": lambda n, v: abs(np.log(n) - np.log(v)),
        "exact": lambda n, v: float(n != v),
    }
    total, chosen = 0.0, []
    for n, weight in enumerate(weights, start=1):
        ways = {v: law.effort * length + law.precision * errors[law.error](n, v) for v, length in lengths.items()}
        best = min(sorted(ways), key=lambda v: round(ways[v], 10))
        chosen.append(best)
        total += weight * ways[best]
    return total, chosen


@pytest.mark.parametrize("error", ERROR_MEASURES)
def test_costs_of_every_small_system(error):
    law = Law(precision=7.3, word=0.05, effort=0.9, error=error, upto=UPTO)
    systems = list(every_system(UPTO, 3))
    found = saying_costs(lexicons(systems, UPTO), law)
    for system, value in zip(systems, found, strict=True):
        expected, chosen = cost_by_hand(system, law)
        assert value == pytest.approx(expected, abs=1e-12), system
        if system.size < 3:
            assert said(system, law).tolist() == chosen, system
            parts = costs(system, law)
            assert parts.total == pytest.approx(expected + 0.05 * system.size)
            assert parts.effort_cost + parts.error_cost == pytest.approx(expected)


@pytest.mark.parametrize("error", ERROR_MEASURES)
@pytest.mark.parametrize("precision", [0.7, 4.0, 40.0])
def test_optima_of_few_words_and_the_bound_against_enumeration(error, precision):
    """Exact without multipliers; with them nothing is below the bound, and the search finds the best there is."""
    law = Law(precision=precision, error=error, upto=UPTO)
    systems = list(every_system(UPTO, 4))
    values = saying_costs(lexicons(systems, UPTO), law)
    exact, words = best_words(law)
    bounds, searched = recursive_bounds(law), best_of_sizes(law, 0.0)
    for size in range(1, 5):
        plain = [value for system, value in zip(systems, values, strict=True)
                 if system.size == size and not system.multipliers]  # fmt: skip
        recursive = [value for system, value in zip(systems, values, strict=True)
                     if system.size == size and system.multipliers]  # fmt: skip
        assert exact[size - 1] == pytest.approx(min(plain), abs=1e-12)
        assert saying_costs(lexicons([OpenSystem(words[size - 1])], UPTO), law)[0] == pytest.approx(min(plain))
        assert bounds[size] <= min(recursive, default=np.inf) + 1e-12
        assert searched.found[size - 1] == pytest.approx(min(plain + recursive), abs=1e-12)


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
    differing = {
        language.name for language in study_languages()
        if not language.recursive and kind_of_extents(language.system(50)) != language.kind
    }  # fmt: skip
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
