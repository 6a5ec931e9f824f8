import doctest
import importlib
import re
from collections import Counter

import pandas as pd
import pytest
from tests.languages.reference import reference

from ishango.errors import RequestError
from ishango.languages import find_language, format_terms, last_lexicons, load_languages, parse_terms
from ishango.numerals import GRAMMARS, NumeralSystem, average_complexity, derives, minimal_language

LANGUAGES = load_languages()
RECURSIVE = [language for language in LANGUAGES if language.kind == "recursive"]
WITH_RULES = [language for language in RECURSIVE if language.rules]
SUBTRACTING = [name for name, grammar in GRAMMARS.items() if grammar.minus]
BASES = {"decimal", "vigesimal", "vigesimal-decimal", "quinary-decimal", "quinary-vigesimal", "other", "restricted"}

FIVE_AS_DIGIT = {
    "Diola-Fogny",
    "Drehu",
    "Gola",
    "Kana",
    "Kilivila",
    "Nahuatl (Sierra de Zacapoaxtla)",
    "Otomi (Mezquital)",
    "Supyire",
}
"""Denić and Szymanik list 5 as a digit; 5 + 1 needs it as a multiplier, as in Yang and Regier (2025)."""


def by_name(language):
    return language.name


def published() -> dict[str, dict[str, str]]:
    """Denić and Szymanik's rows by glottocode; their codes for languages are those of WALS."""
    glottocodes = {row["wals_code"]: row["glottocode"] for row in reference("wals_131A_numeral_bases.csv")}
    rows = reference("denic_languages_DM.csv")
    return {glottocodes[row["language"]]: row for row in rows if row["language"] in glottocodes}


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("English", "1-9,11 | 10"),
        ("French", "1-9 | 10,20"),
        ("Kunama", "1-4 | 5,10"),
        ("Mixtec (Atatlahuca)", "1-9 | 10,15,20"),
    ],
)
def test_the_systems_of_the_paper(name, system):
    assert find_language(name).system == NumeralSystem.parse(system)


def test_the_languages_of_the_paper_without_recursion():
    chiquitano, awa_pit = find_language("Chiquitano"), find_language("Awa Pit")
    assert (chiquitano.kind, format_terms(chiquitano.terms)) == ("approximate", "1|2-")
    assert (awa_pit.kind, format_terms(awa_pit.terms)) == ("exact restricted", "1|2|3|4|5-")
    assert chiquitano.expressions() is awa_pit.average_complexity() is awa_pit.system_under("modified") is None


@pytest.mark.parametrize("language", LANGUAGES, ids=by_name)
def test_every_row_is_whole(language):
    assert re.fullmatch(r"[a-z]{4}\d{4}", language.glottocode)
    assert language.family
    assert language.source
    assert language.base in BASES
    assert all(re.fullmatch(r"\d+ \S.*", other) for other in language.other_words)
    if language.terms:
        assert parse_terms(format_terms(language.terms)) == language.terms
    else:
        assert all(minimal_language(language.system.with_grammar(grammar)).covers for grammar in SUBTRACTING)


def test_the_table_is_sorted_and_each_language_is_there_once():
    assert [each.name for each in LANGUAGES] == sorted((each.name for each in LANGUAGES), key=str.casefold)
    assert max(Counter(each.glottocode for each in LANGUAGES).values()) == 1
    assert {language.base for language in LANGUAGES} == BASES


@pytest.mark.parametrize("language", WITH_RULES, ids=by_name)
@pytest.mark.parametrize("grammar", [name for name in SUBTRACTING if not GRAMMARS[name].flat])
def test_actual_numerals_derive_and_name_their_number(language, grammar):
    reach = language.rules.reach
    expressions = language.expressions(grammar, reach)
    assert list(expressions) == list(range(1, reach + 1))
    minimal = minimal_language(language.system_under(grammar))
    for number, expression in expressions.items():
        assert expression.value == number
        assert derives(language.system_under(grammar), expression, limit=200)
        assert expression.complexity >= minimal.complexity(number)
    assert language.expressions(grammar, reach + 1) is None
    assert language.average_complexity(grammar, upto=reach + 1) is None


def test_languages_that_multiply_sums_have_no_numerals_where_products_are_flat():
    others = {"Cahuilla", "Guaraní", "Kannada", "Khanty", "Kunama", "Noon", "Quileute"}
    assert {each.name for each in WITH_RULES if each.expressions("flat", each.rules.reach) is None} == others


def test_languages_that_subtract_have_no_numerals_without_differences():
    lost = [each.name for each in WITH_RULES if each.expressions("addition", each.rules.reach) is None]
    subtracting = [
        each.name
        for each in WITH_RULES
        if any(
            node.operator == "-"
            for said in each.expressions("modified", each.rules.reach).values()
            for node in said.nodes()
        )
    ]
    assert lost == subtracting
    assert "Latin" in lost


def test_every_multiplier_is_used_by_the_actual_numerals():
    for language in WITH_RULES:
        said = language.expressions("hurford", language.rules.reach)
        words = {node.value for each in said.values() for node in each.nodes() if node.operator is None}
        assert words == set(language.system.words), language.name


@pytest.mark.parametrize(
    ("name", "number", "hurford"),
    [
        ("English", 21, "2 * 10 + 1"),
        ("French", 71, "6 * 10 + 10 + 1"),
        ("French", 99, "4 * 20 + 10 + 9"),
        ("Kunama", 9, "10 - 1"),
        ("Tagalog", 10, "1 * 10"),
        ("Hindi", 29, "3 * 10 - 1"),
        ("Latin", 18, "2 * 10 - 2"),
        ("Welsh", 18, "2 * 9"),
        ("Welsh", 39, "20 + 15 + 4"),
        ("Khalaj", 97, "50 + 40 + 7"),
    ],
)
def test_known_numerals(name, number, hurford):
    assert str(find_language(name).expressions("hurford")[number]) == hurford


def test_numerals_that_reach_less_far():
    yoruba = find_language("Yoruba")
    assert yoruba.expressions("hurford") is None
    assert str(yoruba.expressions("hurford", 44)[36]) == "2 * 20 - 4"


def test_english_costs_more_than_it_must_under_hurford():
    english = find_language("english")
    assert english.average_complexity("hurford") == pytest.approx(1.137838, abs=5e-7)
    assert average_complexity(english.system_under("hurford")) == pytest.approx(1.135064, abs=5e-7)
    assert english.average_complexity() == average_complexity(english.system_under("modified"))
    assert english.average_complexity("hurford", "uniform", 10) == 1.0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Frnch", r"no language 'Frnch' .*did you mean French\?"),
        ("mixtec", r"did you mean Mixtec \(Atatlahuca\) or Mixtec \(Chalcatongo\)"),
        ("xyzzy", r"it has 3\d{3} others"),
        ("", "no language ''"),
    ],
)
def test_unknown_languages(name, message):
    with pytest.raises(RequestError, match=message):
        find_language(name)


def test_languages_are_found_by_any_spelling():
    assert find_language(" GUARANI ").name == find_language("para1311").name == "Guaraní"


def test_systems_agree_with_the_published_ones():
    rows = published()
    shared = [language for language in RECURSIVE if language.glottocode in rows]
    assert len(shared) >= 50
    for language in shared:
        row = rows[language.glottocode]
        digits, multipliers = ({int(word) for word in row[column].split()} for column in ("D", "M"))
        if language.name in FIVE_AS_DIGIT:
            digits, multipliers = digits - {5}, multipliers | {5}
        assert set(language.system.digits) == digits, language.name
        assert set(language.system.multipliers) == multipliers, language.name
        assert language.system.size == int(row["word_n"]), language.name
        assert language.type == row["type"], language.name


def test_actual_averages_agree_with_the_published_ones():
    rows = published()
    checked = 0
    for language in WITH_RULES:
        average = language.average_complexity("hurford")
        if language.glottocode in rows and average is not None:
            assert average == pytest.approx(float(rows[language.glottocode]["expected_complexity"]), abs=1e-6)
            checked += 1
    assert checked >= 47


def test_every_published_type_is_there():
    assert {row["type"] for row in reference("denic_languages_DM.csv")} <= {each.type for each in LANGUAGES}


def test_bases_agree_with_wals():
    allowed = {
        "decimal": {"Decimal"},
        "quinary-decimal": {"Decimal"},
        "vigesimal": {"Pure vigesimal"},
        "vigesimal-decimal": {"Hybrid vigesimal-decimal"},
        "quinary-vigesimal": {"Pure vigesimal", "Hybrid vigesimal-decimal"},
        "other": {"Other base"},
        "restricted": {"Restricted"},
    }
    bases = {row["glottocode"]: row["value"] for row in reference("wals_131A_numeral_bases.csv")}
    differ = {
        language.name
        for language in LANGUAGES
        if language.glottocode in bases and bases[language.glottocode] not in allowed[language.base]
    }
    assert differ == {"French"}  # decimal in WALS, for which 70 to 99 do not count
    assert sum(language.glottocode in bases for language in LANGUAGES) >= 60


def test_words_agree_with_those_of_cosinus():
    """The words in each numeral are the morphemes of the CoSiNuS gloss, but where a word is outside the grammar."""
    glosses = _glosses()
    tens = range(10)
    differ = {
        "French": {tens_ + n for tens_ in (0, 60, 80) for n in range(11, 17)},
        "Georgian": set(),
        "Guaraní": set(),
        "Hungarian": set(),
        "Kalasha": set(),
        "Latin": {18, 19, 98, 99, *(20 + n for n in tens if n < 8)},
        "Mandarin": set(),
        "Russian": {90 + n for n in tens},
        "Spanish": {*range(11, 16), *(20 + n for n in tens)},
    }
    for name, expected in differ.items():
        language = find_language(name)
        said = {
            number: Counter(node.value for node in each.nodes() if node.operator is None)
            for number, each in language.expressions("hurford").items()
        }
        assert {n for n in said if said[n] != glosses[language.glottocode][n]} == expected, name


def _glosses() -> dict[str, dict[int, Counter[int]]]:
    names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    values = {name: value for value, name in enumerate(names, start=1)}
    values |= {"twenty": 20, "forty": 40, "tens_suff": 10, "tenstep": 10, "ty": 10}
    glosses: dict[str, dict[int, Counter[int]]] = {}
    for row in reference("cosinus_numerals_morphemes.csv"):
        if row["form_id"].endswith("-1"):  # the primary variant; ten2 and six(2) are variants of a morpheme
            morphemes = [re.sub(r"(\(\d\)|\d)$", "", each) for each in row["morphemes"].split()]
            words = Counter(values[each] for each in morphemes if each in values)
            glosses.setdefault(row["glottocode"], {})[int(row["number"])] = words
    return glosses


@pytest.mark.parametrize("module", ["_language", "_catalogue"])
def test_examples_in_the_docstrings(module):
    result = doctest.testmod(importlib.import_module(f"ishango.languages.{module}"))
    assert result.attempted > 0
    assert result.failed == 0


def test_the_size_of_a_last_lexicon_is_what_its_run_recorded() -> None:
    """Under natural+ a multiplier costs two words, so that |D| + |M| is not the size."""
    rounds = pd.DataFrame(
        {
            "run": "a",
            "round": [0, 1],
            "choose": "coin",
            "digits": [[1], [1, 2, 3, 5]],
            "multipliers": [[4], [4, 10]],
            "size": [3, 8],
        }
    )
    (last,) = last_lexicons(rounds, ["choose"]).to_dict("records")
    assert (last["size"], last["multipliers"], last["choose"]) == (8, 2, "coin")
