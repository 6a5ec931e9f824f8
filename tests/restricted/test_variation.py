from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ishango.errors import RequestError
from ishango.restricted import TermSystem
from ishango.restricted._term_system import nearest_human, variation_of_information

MAPS = st.lists(st.integers(0, 3), min_size=8, max_size=8)


def test_by_hand() -> None:
    """One word against halves: the halves say one bit more; halves across: one bit each way."""
    one, low, odd = (TermSystem.from_word_map(words) for words in ([0, 0, 0, 0], [0, 0, 1, 1], [0, 1, 0, 1]))
    assert variation_of_information(one, low) == 1
    assert variation_of_information(low, odd) == 2
    assert variation_of_information(low, low) == 0


def test_need_weighs_the_numbers(tmp_path) -> None:
    file = tmp_path / "need.csv"
    file.write_text("1,2\n2,1\n3,1\n4,0\n")
    apart, together = TermSystem.parse("1|2-", 4), TermSystem.parse("1|2|3-", 4)
    # Given "2 or more" (half the need), 2 and 3 are equally likely.
    assert variation_of_information(apart, together, f"file:{file}") == pytest.approx(0.5)


@given(MAPS, MAPS, MAPS)
def test_it_is_a_metric(a: list[int], b: list[int], c: list[int]) -> None:
    one, two, three = (TermSystem.from_word_map(words) for words in (a, b, c))
    distance = variation_of_information(one, two, "power:1")
    assert distance == pytest.approx(variation_of_information(two, one, "power:1"), abs=1e-12)
    assert (distance < 1e-9) == (one.words == two.words)
    way = variation_of_information(one, three, "power:1") + variation_of_information(three, two, "power:1")
    assert distance <= way + 1e-9
    assert distance <= 2 * math.log2(8)


def test_ranges_must_agree() -> None:
    with pytest.raises(RequestError, match="use one range"):
        variation_of_information(TermSystem.exact(3, 10), TermSystem.exact(3, 20))


def test_nearest_human_system_of_as_many_words() -> None:
    near = nearest_human(TermSystem.parse("1|2-3|4-", 20), "power:2.02")
    assert near is not None
    assert near.language == "Pirahã"
    assert 0 < near.variation_by_need < near.variation < 0.5
    awa_pit = nearest_human(TermSystem.exact(4, 20), "power:2.02")
    assert awa_pit is not None
    assert (awa_pit.language, awa_pit.variation, awa_pit.variation_by_need) == ("Awa Pit", 0, 0)
    assert nearest_human(TermSystem.exact(7, 20), "power:2.02") is None
