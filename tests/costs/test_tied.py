"""Irregularity over all minimal languages of tiny systems, by listing them."""

from itertools import product

import numpy as np
import pytest

from ishango.costs import automaton_of, heard, tied_languages
from ishango.costs._tradeoffs import bound, most_regular, sampled_automata
from ishango.errors import RequestError
from ishango.numerals import Expression, NumeralSystem, Part, Role, Walk, fill_tables, minimal_language, word
from ishango.numerals._expression import join

TINY = [
    ("1,2 | 3", "modified", 12),
    ("1-3 | 5", "modified", 14),
    ("1,2 | 3,4", "hurford", 12),
    ("1,2 | 2,5", "modified", 11),
    ("none | 1,3", "hurford", 11),
]


def everything(language) -> list[list[Expression]]:
    """All tied expressions of each number, by recursion."""
    walk = Walk(fill_tables(language.system, language.upto, language.limit))

    def all_of(part) -> list[Expression]:
        ways = list(walk.ways(part))
        if not ways:
            return [word(part.value)]
        return [join(w.operator, a, b) for w in ways for a in all_of(w.left) for b in all_of(w.right)]

    return [all_of(Part(n, Role.NUMBER)) for n in language]


@pytest.mark.parametrize("operators", [False, True])
@pytest.mark.parametrize(("text", "grammar", "upto"), TINY)
def test_the_most_regular_language_and_its_bound(text, grammar, upto, operators):
    language = minimal_language(NumeralSystem.parse(text, grammar), upto)
    tied = everything(language)
    assert 1 < np.prod([len(each) for each in tied]) < 5000
    automata = [automaton_of([heard(e, operators=operators) for e in each]) for each in product(*tied)]
    best, least = min(automata, key=lambda each: each.bits), bound(language, operators=operators)
    found = most_regular(language, np.random.default_rng(0), operators=operators)
    assert found.bits == pytest.approx(best.bits)
    assert least.bits <= best.bits
    assert least.states <= min(each.states for each in automata)
    assert least.transitions <= min(each.transitions for each in automata)
    assert least.letters <= min(each.letters for each in automata)


@pytest.mark.parametrize(("text", "grammar", "bits"), [("1-9 | 10", "modified", 101.116634),
                                                       ("1-9 | 10", "hurford", 106.438562)])  # fmt: skip
def test_counting_by_tens_is_as_regular_as_can_be(text, grammar, bits):
    """What decimal languages say is proved to be the most regular minimal language of their words."""
    found = tied_languages(NumeralSystem.parse(text, grammar), samples=2)
    assert found is not None
    assert found.proved
    assert found.best.bits == pytest.approx(bits)
    assert found.best.homonyms == 0
    assert found.average > found.shipped.bits


def test_samples_are_minimal_languages():
    language = minimal_language(NumeralSystem.parse("1-3 | 5"), 14)
    every = {automaton_of(map(heard, each)).bits for each in product(*everything(language))}
    drawn = sampled_automata(language, 30, np.random.default_rng(1))
    assert {each.bits for each in drawn} <= every
    assert len({each.bits for each in drawn}) > 1


def test_refusals():
    assert tied_languages(NumeralSystem.parse("2 | 4")) is None
    with pytest.raises(RequestError, match="samples is 0"):
        tied_languages(NumeralSystem.parse("1-9 | 10"), samples=0)
