"""What is taught: irregular twins differ in nothing but what they should; random systems match in size and length."""

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.learnability import matched, taught
from ishango.learnability._options import named_system
from ishango.numerals import NumeralSystem, average_complexity, derives, minimal_language

SYSTEMS = ("1-9 | 10", "1-4 | 5,20", "1,2,4,7,13,23,37 | 5,11", "1,4,7,8,15 | 10,33")


def own_and_twin(text: str, how: str, seed: int = 0):
    system = NumeralSystem.parse(text)
    upto = 50 if "33" in text else 99
    return system, *(taught(system, each, upto, "infix", np.random.default_rng(seed)) for each in ("shortest", how))


@pytest.mark.parametrize("how", ["ties", "permuted"])
@pytest.mark.parametrize("text", SYSTEMS)
def test_a_twin_has_the_same_words_and_the_same_length_of_each_number(text, how):
    system, own, twin = own_and_twin(text, how)
    words = {str(word) for word in system.words}
    assert own.tokens.keys() == twin.tokens.keys()
    for number, string in twin.tokens.items():
        assert len(string) == len(own.tokens[number])
        assert {each for each in string if each.isdecimal()} <= words
        assert twin.said[number].complexity == own.said[number].complexity
    assert twin.homonyms <= own.homonyms
    assert twin.tokens != own.tokens


@pytest.mark.parametrize("text", SYSTEMS)
def test_ties_still_mean_their_numbers(text):
    system, _own, twin = own_and_twin(text, "ties")
    for number, expression in twin.said.items():
        assert expression.value == number
        assert derives(system, expression)


@pytest.mark.parametrize("text", SYSTEMS)
def test_a_permuted_twin_has_the_same_numerals_for_other_numbers_and_keeps_its_words(text):
    _system, own, twin = own_and_twin(text, "permuted")
    assert sorted(own.tokens.values()) == sorted(twin.tokens.values())
    assert all(twin.tokens[number] == string for number, string in own.tokens.items() if len(string) == 1)
    assert own_and_twin(text, "permuted", seed=1)[2].tokens != twin.tokens


def test_a_system_that_cannot_say_all_numbers_is_refused():
    with pytest.raises(RequestError, match="has no expression for 1"):
        taught(NumeralSystem.parse("2 | 4"), "shortest", 9, "infix", np.random.default_rng(0))


@pytest.mark.parametrize("text", ["1-9 | 10", "1-4 | 5,20"])
def test_a_matched_system_has_the_same_size_and_nearly_the_same_length(text):
    system = NumeralSystem.parse(text)
    found = matched(system, np.random.default_rng(1))
    assert found is not None
    assert found != system
    assert found.size == system.size
    assert minimal_language(found, 99).covers
    assert average_complexity(found) == pytest.approx(average_complexity(system), rel=0.03)


@pytest.mark.parametrize(("text", "upto"), [("1,2 | 3", 3), ("1-4 | 5", 5), ("1 | 2", 2)])
def test_where_every_number_is_a_word_only_roles_can_be_exchanged(text, upto):
    system = NumeralSystem.parse(text)
    found = matched(system, np.random.default_rng(0), upto=upto)
    assert found is None or (found != system and set(found.words) == set(system.words))


def test_systems_by_name():
    assert str(named_system("2", "modified")) == "1,4,7,8,15 | 10,33"
    assert str(named_system("english", "modified")) == "1-9,11 | 10"
    assert str(named_system("1-4,7 5", "modified")) == str(named_system("1-4,7 | 5", "modified")) == "1-4,7 | 5"
    with pytest.raises(RequestError, match=r"There is no language 'Engish'.*English.*DIGITS"):
        named_system("Engish", "modified")
