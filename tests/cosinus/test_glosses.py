"""Glosses read by hand, and what must not be read."""

import pytest

from ishango.cosinus import morpheme, read, spoken_language, spoken_languages
from ishango.numerals import derives

BY_HAND = {
    # soixante et onze is 60 + 11, quatre-vingt-dix-sept 4 * 20 + 10 + 7
    "French": {7: "7", 16: "16", 17: "10 + 7", 20: "20", 21: "20 + 1", 40: "4 * 10", 71: "6 * 10 + 11",
               80: "4 * 20", 97: "4 * 20 + 10 + 7", 99: "4 * 20 + 10 + 9"},
    # duodeviginti is two from twenty, undecentum one from a hundred
    "Latin": {1: "1", 11: "10 + 1", 17: "10 + 7", 18: "20 - 2", 19: "20 - 1", 20: "20", 28: "3 * 10 - 2",
              45: "4 * 10 + 5", 90: "9 * 10", 99: "100 - 1"},
    # otsdatertmet'i is twenty and eleven, otkhmotsdatskhramet'i four twenties and nineteen
    "Georgian": {8: "8", 10: "10", 11: "10 + 1", 20: "20", 29: "20 + 9", 31: "20 + 10 + 1", 40: "2 * 20",
                 50: "2 * 20 + 10", 73: "3 * 20 + 10 + 3", 99: "4 * 20 + 10 + 9"},
    # potĩ is hand; poteĩ, 6, is a hand and one
    "Paraguayan Guarani": {4: "4", 5: "5", 6: "5 + 1", 9: "5 + 4", 10: "10", 15: "10 + 5", 18: "10 + 5 + 3",
                           50: "5 * 10", 68: "(5 + 1) * 10 + 5 + 3", 99: "(5 + 4) * 10 + 5 + 4"},
    # kêkâ-mitâtaht, 9, is nearly ten
    "Plains Cree": {8: "8", 9: "10 - 1", 11: "10 + 1", 19: "10 + (10 - 1)", 20: "20", 21: "20 + 1",
                    29: "3 * 10 - 1", 30: "3 * 10", 89: "(10 - 1) * 10 - 1", 99: "(10 - 1) * 10 + (10 - 1)"},
}  # fmt: skip


@pytest.mark.parametrize(("name", "number"), [(name, number) for name, each in BY_HAND.items() for number in each])
def test_numerals_read_by_hand(name, number):
    from ishango.numerals import Expression

    assert len(BY_HAND[name]) == 10
    assert spoken_language(name).expressions[number] == Expression.parse(BY_HAND[name][number])


@pytest.mark.parametrize(
    ("glosses", "number", "expressions"),
    [
        ("ten2 two", 20, ["2 * 10"]),
        ("one and twen -ty-", 21, ["2 * 10 + 1"]),
        ("ten suff_pl", 20, ["20"]),
        ("ten ty one", 11, ["10 + 1"]),
        ("thirty ty", 30, ["30"]),
        ("two on ten2", 12, ["10 + 2"]),
        ("one on two ty", 19, ["2 * 10 - 1"]),
        ("one nine ten2", 19, ["10 + 1 * 9"]),
        ("six ? -ty", 60, ["6 * 10"]),
        ("nearly nearly ten -ty", 89, ["(10 - 1) * 10 - 1"]),
        ("and", 1, []),
        ("ty", 10, []),  # nothing to multiply
        ("teen", 10, []),
        ("on", 1, []),
        ("ten2 five and nine", 49, []),  # it says 59
        ("two ten", 8, []),
    ],
)
def test_rules(glosses, number, expressions):
    assert [str(each) for each in read(glosses.split(), number)] == expressions


def test_what_tells_allomorphs_apart():
    assert [morpheme(each) for each in ("one5", "seven-2", "six(2)", "_ɖu", "0")] == ["one", "seven", "six", "_ɖu", "0"]


def test_how_much_is_read():
    unread = {each.name: tuple(each.unread) for each in spoken_languages() if not each.whole}
    assert len(spoken_languages()) == 52
    assert unread == {
        "Iraqw": (49, 59, 69, 79, 89),
        "Paung Nyuan (Khalai)": (19, 49, 59, 69, 79, *range(89, 100)),
    }
    opaque = {each.name: tuple(each.opaque.values()) for each in spoken_languages() if each.opaque}
    assert opaque == {"Finnish": (8, 9), "Russian": (90,)}


@pytest.mark.parametrize("language", spoken_languages(), ids=lambda each: each.name)
def test_what_is_read_is_right_and_can_be_derived(language):
    assert list(language.numerals) == list(range(1, 100))
    for number, expression in language.expressions.items():
        assert expression.value == number
        assert derives(language.system, expression)
