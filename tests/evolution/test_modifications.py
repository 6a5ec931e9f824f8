from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ishango.errors import RequestError
from ishango.evolution import MODIFICATIONS, EvolutionOptions, free_numeral
from ishango.evolution._modifications import alternatives, parse_modifications
from ishango.numerals import STARTS, NumeralSystem, minimal_language


def modify(text: str, name: str, add: str = "lowest", game_range: int = 50) -> str | None:
    system = NumeralSystem.parse(text)
    changed = MODIFICATIONS[name].apply(system, free_numeral(system, game_range, add))
    return None if changed is None else str(changed)


def test_each_modification_by_example():
    text = "1,2,5 | 3,10"
    assert modify(text, "m0") == "1,2,4,5 | 3,10"
    assert modify(text, "m0", "highest") == "1,2,5,50 | 3,10"
    assert modify(text, "m0", "highest-below-max") == "1,2,5,9 | 3,10"
    assert modify(text, "m1") == "1,2,5 | 3,4,10"
    assert modify(text, "m1", "highest") == "1,2,5 | 3,10,50"
    assert modify(text, "m1", "highest-below-max") == "1,2,5 | 3,9,10"
    assert modify(text, "m2") == "1-3,5 | 10"
    assert modify(text, "m3") == "1,2 | 3,5,10"
    assert modify(text, "m4") == "1,2 | 3,10"
    assert modify(text, "m5") == "1,2,5 | 3"


def test_the_last_word_of_a_set_stays():
    assert modify("1 | 2", "m2") is None
    assert modify("1 | 2", "m3") is None
    assert modify("1 | 2", "m4") is None
    assert modify("1 | 2", "m5") is None
    assert modify("1,2 | 3", "m0", game_range=3) is None


def test_hurford_may_do_without_digits():
    system = NumeralSystem.parse("1 | 2", "hurford")
    assert str(MODIFICATIONS["m3"].apply(system, None)) == "none | 1,2"
    assert MODIFICATIONS["m3"].apply(NumeralSystem.parse("none | 1,2", "hurford"), None) is None


def test_moving_a_word_that_the_other_set_has_only_removes_it():
    assert modify("1,2,40 | 10,40", "m3") == "1,2 | 10,40"
    assert modify("1,2,10 | 10,40", "m2") == "1,2,10 | 40"


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(STARTS), st.sampled_from(["lowest", "highest", "highest-below-max"]), st.data())
def test_alternatives_along_random_paths(start, add, data):
    system = start
    for _ in range(4):
        found = alternatives(system, 50, add)
        assert system not in found
        for changed, name in found.items():
            assert minimal_language(changed, 50).covers
            assert set(changed.overlap) <= set(system.overlap)
            assert MODIFICATIONS[name].apply(system, free_numeral(system, 50, add)) == changed
            assert abs(changed.size - system.size) <= 1
        if not found:
            return
        system = data.draw(st.sampled_from(list(found)))


def test_equal_results_count_once_and_what_does_not_cover_is_left_out():
    # 40 is the highest digit and in both sets: m3 and m4 both only take it out of D.
    found = alternatives(NumeralSystem.parse("1-9,40 | 10,40"), 50)
    assert found[NumeralSystem.parse("1-9 | 10,40")] == "m3"
    assert list(found.values()).count("m4") == 0
    assert "m5" not in alternatives(NumeralSystem.parse("1-9 | 10"), 50).values()
    assert "m4" in alternatives(NumeralSystem.parse("1-9 | 10"), 50).values()


def test_an_unknown_rule():
    with pytest.raises(RequestError, match="add is 'middle', but must be lowest, highest, highest-below-max"):
        free_numeral(STARTS[0], 50, "middle")


def test_named_modifications_come_in_that_order():
    system = NumeralSystem.parse("1-9,40 | 10,40")
    assert set(alternatives(system, 50, modifications=parse_modifications("m4,m3")).values()) == {"m4"}
    assert set(alternatives(system, 50, modifications=parse_modifications("m3, m4")).values()) == {"m3"}
    assert set(alternatives(system, 50, modifications=parse_modifications("m0")).values()) == {"m0"}


@pytest.mark.parametrize(
    ("names", "message"), [("m0,m9", "no modification 'm9'"), ("", "no modification ''"), ("m1,m0,m1", "m1 twice")]
)
def test_modifications_that_cannot_be_named(names, message):
    with pytest.raises(RequestError, match=message):
        parse_modifications(names)


@pytest.mark.parametrize("name", ["m0", "m1", "m6"])
def test_words_for_what_the_body_counts_are_likelier_by_the_factor(name):
    system, rng = NumeralSystem.parse("1-3,50 | 4,16"), np.random.default_rng(0)
    drawn = Counter[int]()
    for _ in range(1500):
        for other in alternatives(system, 50, "any", parse_modifications(name), rng, body=20):
            drawn.update({*other.words} - {*system.words})
    free = 50 - len(system.words)
    expected = 3 * 20 / (free - 3 + 3 * 20)  # 5, 10 and 20, each twenty times as likely as any other
    assert sum(drawn[each] for each in (5, 10, 20)) / drawn.total() == pytest.approx(expected, abs=0.04)


def test_words_that_go_are_drawn_alike_whatever_the_body_counts():
    system, rng = NumeralSystem.parse("1-9,20 | 10"), np.random.default_rng(0)
    drawn = Counter[int]()
    for _ in range(1500):
        for other in alternatives(system, 25, "any", parse_modifications("m4"), rng, body=20):
            drawn.update({*system.words} - {*other.words})
    assert drawn[20] == pytest.approx(1500 / len(system.digits), rel=0.3)


@pytest.mark.parametrize("options", [{}, {"add": "highest"}, {"add": "any", "modifications": "m2,m3"}])
def test_a_favour_for_the_body_means_nothing_where_no_new_word_is_drawn(options):
    assert any("body" in names for _, names in EvolutionOptions(**options).idle())
    assert not any("body" in names for _, names in EvolutionOptions(add="any").idle())
