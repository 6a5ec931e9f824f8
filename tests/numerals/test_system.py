import pytest
from hypothesis import given
from hypothesis import strategies as st

from ishango.errors import RequestError
from ishango.numerals import NumeralSystem, format_set, parse_set

sets = st.sets(st.integers(1, 120), min_size=1, max_size=30).map(lambda words: tuple(sorted(words)))


@given(sets)
def test_sets_are_read_as_written(words):
    assert parse_set(format_set(words)) == words


@given(sets, sets, st.sampled_from(["modified", "hurford"]))
def test_systems_are_read_as_written(digits, multipliers, grammar):
    system = NumeralSystem(digits, multipliers, grammar)
    assert NumeralSystem.parse(str(system), grammar) == system
    assert system.size == len(digits) + len(multipliers)


def test_a_system_is_a_value():
    english = NumeralSystem.parse("11, 1-9 | 10")
    assert english == NumeralSystem((9, 8, 7, 6, 5, 4, 3, 2, 1, 11), (10,))
    assert len({english, NumeralSystem.parse("1-9,11 | 10"), english.with_grammar("hurford")}) == 2
    with pytest.raises(AttributeError):
        english.digits = (1,)


def test_a_word_in_both_sets_counts_twice():
    system = NumeralSystem.parse("1,2,40 | 40")
    assert (system.size, system.words, system.overlap) == (4, (1, 2, 40), (40,))


def test_no_digits_are_allowed_under_hurford_alone():
    assert NumeralSystem.parse("none | 1,3", "hurford").digits == ()
    with pytest.raises(RequestError, match="modified grammar needs at least one digit"):
        NumeralSystem.parse("none | 1,3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 | 10", "integers from 1 to"),
        ("-3 | 10", "positive integers"),
        ("1.5 | 10", "positive integers"),
        ("one | 10", "positive integers"),
        ("1-9 | none", "at least one multiplier"),
        ("9-1 | 10", "runs backwards; write the smaller word first: 1-9"),
        ("1-9", "write its digits and multipliers"),
        ("1-9 | 10 | 20", "write its digits and multipliers"),
        (" | 10", "set of words is missing"),
        ("1,,2 | 10", "positive integers"),
        ("1-1000000000 | 10", "too large"),
        ("1-20000 | 10", "from 1 to 10000"),
        ("١ | 10", "positive integers"),
    ],
)
def test_bad_systems(text, message):
    with pytest.raises(RequestError, match=message.replace("|", r"\|")):
        NumeralSystem.parse(text)


def test_bad_values_from_python():
    with pytest.raises(RequestError, match="not an integer"):
        NumeralSystem((1.0,), (10,))
    with pytest.raises(RequestError, match="no grammar 'latin'"):
        NumeralSystem((1,), (10,), "latin")
