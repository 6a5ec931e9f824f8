"""Each objective on small cases that can be counted by hand."""

import pytest

from ishango.costs import COSTS, Said, all_costs
from ishango.costs._regularity import is_packed, suppletive_words
from ishango.numerals import Expression, Need, NumeralSystem, language_average, minimal_language


def said(text: str, grammar: str = "modified", upto: int = 99, **numerals: str) -> Said:
    language = minimal_language(NumeralSystem.parse(text, grammar), upto)
    changed = {int(n[1:]): Expression.parse(e) for n, e in numerals.items()}
    return Said(language.system, language.expressions | changed, Need.parse("power:2"), upto)


def test_all_of_a_decimal_system():
    found = all_costs(said("1-9 | 10"))
    assert list(found) == list(COSTS)
    assert found == pytest.approx(
        {
            "size": 10, "length": 1.213880, "irregularity": 101.116634, "states": 4, "transitions": 19,
            "homonyms": 0, "processing": 4.363192, "changes": 1, "unpacked": 0, "suppletion": 0,
        },
        abs=1e-6,
    )  # fmt: skip


@pytest.mark.parametrize("text", ["1-9,11 | 10", "1-4 | 5,10"])
def test_length_is_the_average_complexity(text):
    language = minimal_language(NumeralSystem.parse(text))
    assert COSTS["length"].measure(said(text)) == pytest.approx(language_average(language))


def test_without_all_numerals_only_the_size_is_known():
    found = all_costs(said("2 | 4"))
    assert found.pop("size") == 2
    assert set(found.values()) == {None}


def test_longer_numerals_cost_more():
    shortest, longer = said("1-9 | 10"), said("1-9 | 10", n42="4 * 10 + 1 * 10 - 8")
    assert COSTS["length"].measure(longer) > COSTS["length"].measure(shortest)
    assert COSTS["states"].measure(longer) > COSTS["states"].measure(shortest)


def test_words_that_sound_alike():
    """Without operators 2 * 10 + 1 and 2 * 10 - 1 are one string, with them two."""
    twins = said("1-9 | 10", n19="2 * 10 - 1")
    assert COSTS["homonyms"].measure(twins) == 2
    heard = Said(twins.system, twins.expressions, twins.need, twins.upto, operators=True)
    assert COSTS["homonyms"].measure(heard) == 0


def test_changes_of_base():
    """1-4 digits; 5 is a multiplier; 10 = 1 * 10; from 9 to 10 and from 4 to 5 the base changes."""
    fixed = {f"n{n}": f"1 * 5 + {n - 5}" for n in range(6, 10)}
    fixed |= {"n5": "1 * 5", "n10": "1 * 10"}
    assert COSTS["changes"].measure(said("1-4 | 5,10", upto=10, **fixed)) == 2
    fixed["n8"] = "1 * 10 - 2"
    assert COSTS["changes"].measure(said("1-4 | 5,10", upto=10, **fixed)) == 4


@pytest.mark.parametrize(
    ("expression", "packed"),
    [
        ("7", True),
        ("10", True),
        ("20 + 1", True),
        ("2 * 10 + 1", False),  # 20 fits
        ("3 * 20 + 10 + 1", True),
        ("3 * 20 + 1", True),
        ("6 * 10 + 10 + 1", False),
        ("20 - 2", False),  # 20 does not fit into 18, 10 does
        ("2 * 20 - 10", True),
        ("20 + (2 * 10 - 5)", True),
        ("2 * 20 + 2 * 10 - 1", True),  # 10 is the largest that fits into 19
    ],
)
def test_packing(expression, packed):
    system = NumeralSystem.parse("1-9 | 10,20", "hurford")
    assert is_packed(Expression.parse(expression), system) is packed


def test_the_last_number_may_be_the_one_that_is_not_packed():
    counted = COSTS["unpacked"].measure
    assert counted(said("1-9 | 10,20", "hurford", 21)) == 0
    assert counted(said("1-9 | 10,20", "hurford", 21, n21="2 * 10 + 1")) == 1


@pytest.mark.parametrize(
    ("text", "grammar", "words"),
    [
        ("1-9 | 10", "modified", ()),
        ("1-9 | 10", "hurford", ()),
        ("1-9,11,12 | 10", "modified", (11, 12)),
        ("1-9 | 10,20", "modified", (20,)),
        ("1-4,6 | 5,10", "hurford", (6, 10)),
        ("1,3 | 2,5", "modified", (3, 5)),  # 1 * 2 + 1; 2 * 2 + 1
        ("none | 1,2", "hurford", (2,)),
        ("3,12 | 5", "modified", ()),  # 3 * 5 - 3 passes through 15
    ],
)
def test_suppletion(text, grammar, words):
    assert suppletive_words(NumeralSystem.parse(text, grammar)) == words
