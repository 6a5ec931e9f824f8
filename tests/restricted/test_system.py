from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ishango.errors import RequestError
from ishango.restricted import TermSystem


@pytest.mark.parametrize(
    ("text", "kind", "size"),
    [
        ("1|2-", "exact restricted", 2),
        ("1|2|3|4-", "exact restricted", 4),
        ("1-", "exact restricted", 1),
        ("1|2-4|5-", "approximate", 3),
        ("1,3|2|4-", "approximate", 3),
        ("1-4|5-", "approximate", 2),
    ],
)
def test_kind_is_exact_where_it_can_be(text: str, kind: str, size: int) -> None:
    system = TermSystem.parse(text, 20)
    assert (system.kind, system.size, system.upto, str(system)) == (kind, size, 20, text)


def test_kind_can_be_given() -> None:
    assert TermSystem.parse("1|2-", kind="approximate").kind == "approximate"
    with pytest.raises(RequestError, match="not exact restricted"):
        TermSystem.parse("1|2-4|5-", kind="exact restricted")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1|2-5|5-", "5 has two words"),
        ("1|3-", "2 has no word"),
        ("1|2-9", "10 has no word"),
        ("", "without words"),
        ("1||2-", "not a word's extent"),
        ("1|2-30", "above the range 20"),
        ("1|5-2", "runs backwards"),
        ("1,1|2-", "names a number twice"),
        ("0|1-", "not a word's extent"),
        ("one|2-", "not a word's extent"),
    ],
)
def test_what_is_no_partition_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(RequestError, match=said) as refusal:
        TermSystem.parse(text, 20)
    assert str(refusal.value).count(".") == 1
    assert "\n" not in str(refusal.value)


def test_numbers_below_one_are_named() -> None:
    with pytest.raises(RequestError, match="The number 0 has a word; numbers begin with 1"):
        TermSystem.of([[0, 1], [2]])


def test_zero_words_and_empty_words_are_refused() -> None:
    for words in ((), ((1, 2), ())):
        with pytest.raises(RequestError, match="at least one word"):
            TermSystem.of(words)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12))
def test_word_maps_and_texts_read_back(word_map: list[int]) -> None:
    system = TermSystem.from_word_map(word_map)
    assert TermSystem.from_word_map(system.word_map) == system
    assert TermSystem.parse(str(system), len(word_map)) == system
    same = [[a == b for b in word_map] for a in word_map]
    assert same == [[a == b for b in system.word_map] for a in system.word_map]
    assert system.contiguous == (len(set(word_map)) == 1 + sum(a != b for a, b in itertools.pairwise(word_map)))
