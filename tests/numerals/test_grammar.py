"""Grammars as records of rules; that kernels follow them is tested against the oracle."""

import math
import pickle

import pytest
from tests.numerals import oracle
from tests.numerals.combinations import COMBINATIONS

from ishango.errors import RequestError
from ishango.numerals import (
    HURFORD,
    MODIFIED,
    Expression,
    Grammar,
    NumeralSystem,
    as_grammar,
    derives,
    leaves_of_many,
    masks,
    word,
)
from ishango.numerals._expression import join


def test_the_built_in_grammars():
    assert MODIFIED.flags == (False, False, True, True, False)
    assert HURFORD.flags == (True, True, True, True, False)
    assert NumeralSystem.parse("1 | 2").rules is MODIFIED
    assert NumeralSystem.parse("1 | 2", "hurford").rules is HURFORD


def test_a_phrase_is_a_numeral():
    with pytest.raises(RequestError, match="a phrase but not a numeral"):
        Grammar("odd", "odd", "a phrase that is no numeral", bare_number=False, bare_phrase=True)


def test_an_unknown_name_is_refused_everywhere():
    system = NumeralSystem.parse("1-9 | 10")
    for use in (
        lambda: as_grammar("hurfrd"),
        lambda: NumeralSystem((1,), (2,), "hurfrd"),
        lambda: system.with_grammar("hurfrd"),
        lambda: leaves_of_many(*masks([system], 20), "hurfrd"),
    ):
        with pytest.raises(RequestError, match=r"no grammar 'hurfrd' \(did you mean hurford\?\)"):
            use()


@pytest.mark.parametrize("grammar", [MODIFIED, HURFORD, *COMBINATIONS], ids=lambda grammar: grammar.name)
def test_digits_may_be_missing_where_multipliers_are_numerals(grammar):
    if grammar.bare_number:
        assert NumeralSystem((), (1, 2), grammar.name).size == 2
    else:
        with pytest.raises(RequestError, match="needs at least one digit; only hurford or natural or "):
            NumeralSystem((), (1, 2), grammar.name)


EVERYTHING = oracle.all_expressions((1, 2), (3, 5), HURFORD, math.inf, 3)


@pytest.mark.parametrize("grammar", [MODIFIED, HURFORD, *COMBINATIONS], ids=lambda grammar: grammar.name)
def test_a_grammar_derives_what_its_rules_make(grammar):
    system = NumeralSystem((1, 2), (3, 5), grammar.name)
    own = oracle.all_expressions((1, 2), (3, 5), grammar, math.inf, 3)
    for leaves, by_value in EVERYTHING.items():
        for value, expressions in by_value.items():
            for each in expressions:
                assert derives(system, as_expression(each)) == (each in own[leaves].get(value, ())), each


def as_expression(each) -> Expression:
    if isinstance(each, int):
        return word(each)
    left, operator, right = each
    return join(operator, as_expression(left), as_expression(right))


def test_records_are_values():
    assert pickle.loads(pickle.dumps(HURFORD)) == HURFORD
    assert len({MODIFIED, HURFORD, as_grammar("modified")}) == 2
