from __future__ import annotations

import re

import pytest
from tests.languages.reference import reference

from ishango.errors import RequestError
from ishango.languages import format_terms, load_languages
from ishango.restricted import complexity, find_study_language, study_languages
from ishango.restricted._term_system import GAUSSIAN, HIGHER, NUMBER, SUCCESSOR

RESTRICTED = [language for language in study_languages() if not language.recursive]

NODES = {
    "number": NUMBER, "successor": SUCCESSOR, "higher": HIGHER, "gaussian": GAUSSIAN,
    "equation": 3,  # `thir = three`
    "arithmetic": 6,  # `cap cob popog = m(five) + m(one)`, and one more for each part of the form
    "member": 2,  # `u in {...}`, and one more for each member
}  # fmt: skip


def nodes(rule: str) -> int:
    """Of `number`, `number*3` (three times) or `arithmetic:2*3` (with two parts)."""
    match = re.fullmatch(r"([a-z]+)(?::([0-9]+))?(?:\*([0-9]+))?", rule)
    assert match
    assert bool(match[2]) == (match[1] in ("arithmetic", "member"))
    return (NODES[match[1]] + int(match[2] or 0)) * int(match[3] or 1)


def test_thirty_languages_of_three_kinds() -> None:
    kinds = [language.kind for language in study_languages()]
    counts = {kind: kinds.count(kind) for kind in kinds}
    assert counts == {"exact restricted": 18, "approximate": 6, "recursive": 6}


def test_the_table_agrees_with_the_published_one() -> None:
    published = {row["code"]: row for row in reference("xu2020_languages.csv")}
    assert set(published) == {language.code for language in study_languages()}
    for language in study_languages():
        row = published[language.code]
        assert row["type"].startswith(language.kind), language.name
        assert int(row["complexity"]) == language.complexity, language.name
        if row["upper_limit"]:
            assert language.system().size == int(row["upper_limit"]) + 1, language.name
        if row["term_extents"]:
            assert language.terms == row["term_extents"], language.name


@pytest.mark.parametrize("language", RESTRICTED, ids=lambda language: language.name)
def test_the_published_complexity_counts_the_rules(language) -> None:
    assert sum(map(nodes, language.rules.split())) == language.complexity


def test_complexity_follows_from_the_words_of_15_exact_and_2_approximate_languages() -> None:
    differ = {each.name: each.complexity - complexity(each.system()) for each in RESTRICTED}
    assert {name: excess for name, excess in differ.items() if excess} == {
        "Hup": 8, "Krenak": 4, "Waskia": 28, "Chiquitano": 1, "Fuyuge": 1, "Gooniyandi": 3, "Wari'": 3,
    }  # fmt: skip


def test_words_agree_with_the_table_of_human_languages() -> None:
    others = {other.name: other for other in load_languages() if other.kind != "recursive"}
    shared = [language for language in RESTRICTED if language.name in others]
    assert len(shared) == len(others) > 0
    for language in shared:
        other = others[language.name]
        assert (other.kind, format_terms(other.terms)) == (language.kind, language.terms)


def test_words_above_the_range_are_left_out() -> None:
    assert str(find_study_language("Mundurukú").system(10)) == "1|2|3|4|5-"
    assert find_study_language("hpd").system(20).size == 20


def test_recursive_languages_cost_nothing_and_have_no_words() -> None:
    assert find_study_language("English").position().cost == 0
    with pytest.raises(RequestError, match="recursive"):
        find_study_language("English").system()


def test_an_unknown_language_gets_advice() -> None:
    with pytest.raises(RequestError, match="Pirahã"):
        find_study_language("pira")


def test_a_range_that_nobody_can_mean_is_refused():
    for upto in (10**20, 0, -1):
        with pytest.raises(RequestError, match="range"):
            find_study_language("Pirahã").system(upto)
