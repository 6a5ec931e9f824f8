from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.numerals.combinations import COMBINATIONS

from ishango.numerals import STARTS, GrammarName, NumeralSystem, listing, minimal_language
from ishango.numerals._minimal import MOST_TIES

NAMES = ("modified", "hurford", *(grammar.name for grammar in COMBINATIONS))
WORDS = st.sets(st.integers(1, 99), min_size=1, max_size=10).map(tuple)


def assert_same(system: NumeralSystem) -> None:
    """The listing is the minimal language, number by number."""
    language = minimal_language(system)
    wanted = [
        (n, str(language.expression(n)), int(language.leaves[n - 1]), min(language.ties(n) or 0, MOST_TIES))
        for n in language
    ]
    assert [tuple(line) for line in listing(system)] == wanted


@pytest.mark.parametrize("grammar", NAMES)
@pytest.mark.parametrize("text", ["1-9,11 | 10", "7,50 | 10,31", "1 | 2", "1-99 | 1-99", "98 | 99", *map(str, STARTS)])
def test_it_is_the_minimal_language(text: str, grammar: GrammarName) -> None:
    assert_same(NumeralSystem.parse(text, grammar))


@given(digits=WORDS, multipliers=WORDS, grammar=st.sampled_from(NAMES))
@settings(max_examples=150, deadline=None)
def test_it_is_the_minimal_language_of_any_system(
    digits: tuple[int, ...], multipliers: tuple[int, ...], grammar: GrammarName
) -> None:
    assert_same(NumeralSystem(digits, multipliers, grammar))
