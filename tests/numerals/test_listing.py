from __future__ import annotations

import pytest
from tests.numerals.combinations import COMBINATIONS

from ishango.numerals import STARTS, GrammarName, NumeralSystem, listing, minimal_language
from ishango.numerals._minimal import MOST_TIES

NAMES = ("modified", "hurford", *(grammar.name for grammar in COMBINATIONS))


@pytest.mark.parametrize("grammar", NAMES)
@pytest.mark.parametrize("text", ["1-9,11 | 10", "7,50 | 10,31", "1 | 2", "1-99 | 1-99", "98 | 99", *map(str, STARTS)])
def test_it_is_the_minimal_language(text: str, grammar: GrammarName) -> None:
    system = NumeralSystem.parse(text, grammar)
    language = minimal_language(system)
    wanted = [
        (n, str(language.expression(n)), int(language.leaves[n - 1]), min(language.ties(n), MOST_TIES))
        for n in language
    ]
    assert [tuple(line) for line in listing(system)] == wanted
