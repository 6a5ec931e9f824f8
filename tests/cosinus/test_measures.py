"""What spoken languages cost, and where they differ from the table of human languages."""

from dataclasses import replace

import pytest
from tests.languages.reference import FOLDER, reference

from ishango.cosinus import by_family, compare, spoken_costs, spoken_language, spoken_languages
from ishango.errors import RequestError
from ishango.frontiers import frontier_value, problem_of
from ishango.languages import find_language
from ishango.numerals import Need
from tools import catalogue


def test_a_language_that_the_table_has_too():
    """Georgian is the same in both, so its costs are those that the table gives."""
    found = spoken_costs(spoken_language("Georgian"))
    assert found is not None
    georgian = find_language("Georgian")
    assert (found.size, found.said) == (11, pytest.approx(georgian.average_complexity("hurford")))
    least = frontier_value(11, problem_of("hurford", Need.parse("power:2"), 99))
    assert least is not None
    assert found.gap_said == pytest.approx(found.said - least)
    assert found.gap_narrow > found.gap_said


def test_words_counted_broadly_and_narrowly():
    """German: nine units, eleven, twelve, ten, -ty- and twen; Czech: 2, 3 and 10 forms of five, six, nine and ten."""
    german, czech = spoken_language("German"), spoken_language("Czech")
    assert german.morphemes == german.forms
    assert len(german.forms) == 14
    assert czech.forms - czech.morphemes == {"=5.2", "=6.2", "=9.2", "=10.2"}
    assert len(spoken_language("Finnish").morphemes) == 11  # 8 and 9 are words of their own; ten and teen
    assert spoken_language("Finnish").heard(98) == ("=9?", "=10", "=8?")


def test_words_above_the_range():
    """Latin counts 99 down from a hundred: a word to learn, but none for the shortest expressions of 1 to 99."""
    found = spoken_costs(spoken_language("Latin"))
    assert found is not None
    assert 100 in found.language.system.multipliers
    assert found.size == 12
    assert found.shortest == pytest.approx(1.126692, abs=1e-6)  # that of 1-9 | 10,20


def test_what_is_not_read_is_not_measured():
    assert spoken_costs(spoken_language("Iraqw")) is None


def test_allomorphs_make_languages_irregular():
    kashmiri, mandarin = (spoken_costs(spoken_language(name)) for name in ("Kashmiri", "Mandarin"))
    assert kashmiri is not None
    assert mandarin is not None
    assert mandarin.irregularity_narrow == mandarin.irregularity_broad == mandarin.costs["irregularity"]
    assert kashmiri.irregularity_narrow > 2 * kashmiri.irregularity_broad


def test_families():
    measured = [spoken_costs(spoken_language(name)) for name in ("Finnish", "Hungarian", "Mandarin")]
    uralic, sinitic = by_family([each for each in measured if each])
    assert (uralic.family, uralic.languages, uralic.size) == ("Uralic", 2, 10.5)
    assert (sinitic.family, sinitic.languages) == ("Sino-Tibetan", 1)


def test_a_family_has_the_average_of_what_is_known():
    """A gap that is not known is none of zero."""
    found = [spoken_costs(spoken_language(name)) for name in ("Finnish", "Hungarian")]
    finnish, hungarian = (replace(each, gap_broad=None) for each in found if each)
    costs = {**hungarian.costs, "processing": None}
    [uralic] = by_family([replace(finnish, gap_said=None), replace(hungarian, costs=costs)])
    assert (uralic.gap_said, uralic.gap_broad) == (hungarian.gap_said, None)
    assert uralic.processing == finnish.costs["processing"]


def test_disagreements_with_the_table():
    found = {each.language.name: each for each in compare()}
    assert {name for name, each in found.items() if not each.differing} == {
        "Finnish", "Georgian", "Hungarian", "Kalasha", "Mandarin", "Paraguayan Guarani",
    }  # fmt: skip
    assert list(found["Russian"].differing) == list(range(90, 100))
    assert list(found["German"].differing) == [11, 12]
    assert "such as 80: 8 * 10; in the table 80" in found["Tommo So"].sentence


def test_what_ships_is_computed_from_the_published_table():
    rows = reference("cosinus_numerals_morphemes.csv")
    first = {(row["language"], int(row["number"])): row for row in rows if row["form_id"].endswith("-1")}
    shipped = {(each.name, n): numeral for each in spoken_languages() for n, numeral in each.numerals.items()}
    assert shipped.keys() == first.keys()
    assert all(len(shipped[key].glosses) == len(row["morphemes"].split()) for key, row in first.items())
    assert not any(numeral.form for numeral in shipped.values())  # no word forms
    assert catalogue.spoken(FOLDER) == catalogue.SPOKEN.read_bytes()


def test_unknown_names():
    with pytest.raises(RequestError, match="did you mean French"):
        spoken_language("Frnch")
