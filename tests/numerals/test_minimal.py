import math
from functools import cache
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.numerals import oracle
from tests.numerals.combinations import COMBINATIONS

from ishango.errors import RequestError
from ishango.numerals import (
    GRAMMARS,
    STARTS,
    Expression,
    NumeralSystem,
    average_complexity,
    derives,
    evaluate_many,
    leaves_of_many,
    masks,
    minimal_language,
    missing,
    unlimited,
)
from ishango.numerals.derivations import Part, Role
from ishango.numerals.largest import Largest
from ishango.numerals.levels import fill_tables
from ishango.numerals.unlimited import Unlimited

RANGE = 12
MOST_LEAVES = 4


@st.composite
def systems(draw):
    """Small systems under every combination of rules that a grammar may have, half of them the built-in ones."""
    grammar = draw(st.sampled_from([GRAMMARS["modified"], GRAMMARS["hurford"]]) | st.sampled_from(COMBINATIONS))
    digits = draw(st.sets(st.integers(1, RANGE), min_size=not grammar.bare_number, max_size=4))
    multipliers = draw(st.sets(st.integers(1, RANGE), min_size=1, max_size=3))
    return NumeralSystem(tuple(digits), tuple(multipliers), grammar.name)


def brute_force(system, limit):
    return oracle.all_expressions(system.digits, system.multipliers, system.rules, limit, MOST_LEAVES)


def first_level(by_leaves, number):
    return next((k for k, values in by_leaves.items() if number in values), None)


@settings(max_examples=500, deadline=None)
@given(systems())
def test_least_leaves_agree_with_relaxation(system):
    limit = 2 * RANGE + 2
    expected = oracle.least_leaves(system.digits, system.multipliers, system.rules, limit)
    language = minimal_language(system, RANGE)
    assert language.leaves.tolist() == [expected.get(n, 0) for n in range(1, RANGE + 1)]
    assert language.missing == tuple(n for n in range(1, RANGE + 1) if n not in expected)
    assert leaves_of_many(*masks([system], RANGE), system.grammar)[0].tolist() == language.leaves.tolist()


@settings(max_examples=500, deadline=None)
@given(systems())
def test_ties_agree_with_all_derivations(system):
    language = minimal_language(system, RANGE)
    by_leaves = brute_force(system, 2 * RANGE + 2)
    for n in language:
        level = first_level(by_leaves, n)
        if level is None:
            assert language.complexity(n) > 2 * MOST_LEAVES - 1
        else:
            assert language.complexity(n) == 2 * level - 1
            assert language.ties(n) == len(by_leaves[level][n])
            assert oracle.as_tuple(language.expression(n)) in by_leaves[level][n]
    assert language.languages == math.prod(language.ties(n) for n in language)


@settings(max_examples=300, deadline=None)
@given(systems())
def test_the_canonical_expression_is_the_first_found(system):
    expected = oracle.first_found(system.digits, system.multipliers, system.rules, RANGE, 2 * RANGE + 2)
    found = minimal_language(system, RANGE).expressions
    assert {n: oracle.as_tuple(expression) for n, expression in found.items()} == expected


@pytest.mark.parametrize("seed", range(60))
def test_the_canonical_expressions_of_small_lexicons(seed):
    """Two or three words make long expressions, in which the order of discovery matters most."""
    rng = np.random.default_rng(seed)
    words = rng.permutation(np.arange(1, 12))[:3].tolist()
    system = NumeralSystem((1, *words[:1]), tuple(words[1:]), tuple(GRAMMARS)[seed % len(GRAMMARS)])
    expected = oracle.first_found(system.digits, system.multipliers, system.rules, 80, 162)
    found = minimal_language(system, 80).expressions
    assert {n: oracle.as_tuple(expression) for n, expression in found.items()} == expected


@pytest.mark.parametrize("start", STARTS, ids=str)
@pytest.mark.parametrize("grammar", ["modified", "hurford", *(each.name for each in COMBINATIONS)])
def test_the_canonical_expressions_of_the_starts(start, grammar):
    expected = oracle.first_found(start.digits, start.multipliers, GRAMMARS[grammar], 99, 200)
    found = minimal_language(start.with_grammar(grammar)).expressions
    assert {n: oracle.as_tuple(expression) for n, expression in found.items()} == expected


@settings(max_examples=500, deadline=None)
@given(systems(), st.sampled_from([0, 40]))
def test_no_limit_agrees_with_all_derivations(system, listed):
    by_leaves = brute_force(system, math.inf)  # takes far longer than what it is compared with
    compare_languages(minimal_language(system, RANGE, limit=None), by_leaves)
    compare_searches(Unlimited(system, RANGE, fill_tables(system, RANGE, RANGE)), by_leaves)
    with patch.object(unlimited, "LARGEST_LEVEL", listed):  # hardly anything is listed, the rest is looked up
        compare_searches(Unlimited(system, RANGE, fill_tables(system, RANGE, RANGE)), by_leaves)
    compare_largest(Largest(system, RANGE), by_leaves)


def compare_largest(largest, by_leaves):
    """No value is larger than it can be, and no part of an expression larger than the theorem says."""
    for leaves, values in by_leaves.items():
        assert max(values, default=0) <= largest.number(leaves)
        for n in set(values) & set(range(1, RANGE + 1)):
            for value, leaves_of_part in {part for each in values[n] for part in parts_of(each)}:
                assert value <= largest.needed(leaves_of_part, leaves)


def parts_of(expression) -> list[tuple[int, int]]:
    """The value and the leaves of every number and phrase in a nested tuple; what multiplies is neither."""
    if isinstance(expression, int):
        return [(expression, 1)]
    left, operator, right = expression
    below = parts_of(left) + (parts_of(right) if operator != "*" else [])
    return [(value_of(expression), leaves_of(expression)), *below]


def leaves_of(expression) -> int:
    return 1 if isinstance(expression, int) else leaves_of(expression[0]) + leaves_of(expression[2])


def compare_languages(language, by_leaves):
    for n in range(1, RANGE + 1):
        level = first_level(by_leaves, n)
        if level is not None:
            assert language.complexity(n) == 2 * level - 1
            assert language.ties(n) == len(by_leaves[level][n])
            assert oracle.as_tuple(language.expression(n)) in by_leaves[level][n]
        elif n in language.missing:
            assert n in language.impossible or language.searched >= MOST_LEAVES
        else:
            assert language.complexity(n) > 2 * MOST_LEAVES - 1


def compare_searches(unlimited, by_leaves):
    """From hardly any help, an upper bound inside the limit RANGE, it finds all that brute force finds."""
    for n in range(1, RANGE + 1):
        level = first_level(by_leaves, n)
        if level is not None and level <= unlimited.searched:
            assert unlimited.small[n] == level
            ways = unlimited.rules(Part(n, Role.NUMBER)).ways(n)
            tops = {each if isinstance(each, int) else each[1:2] + values(each) for each in by_leaves[level][n]}
            assert level == 1 or {(w.operator, w.left.value, w.right.value) for w in ways} == tops


def values(expression) -> tuple[int, int]:
    """The values of the two parts of a nested tuple."""
    left, _, right = expression
    return value_of(left), value_of(right)


def value_of(expression) -> int:
    if isinstance(expression, int):
        return expression
    (left, right), operator = values(expression), expression[1]
    return {"+": left + right, "-": left - right, "*": left * right}[operator]


@settings(max_examples=200, deadline=None)
@given(systems(), st.sampled_from(["default", None]))
def test_expressions_parse_back_and_belong_to_the_grammar(system, limit):
    language = minimal_language(system, RANGE, limit)
    for n, expression in language.expressions.items():
        assert expression.value == n
        assert expression.complexity == language.complexity(n)
        assert derives(system, expression, language.limit)
        assert Expression.parse(str(expression)) == expression
        for notation in ("prefix", "postfix"):
            tokens = language.tokens(notation)[n]
            assert len(tokens) == language.complexity(n)
            assert Expression.from_tokens(tokens, notation) == expression


@settings(max_examples=200, deadline=None)
@given(systems(), st.integers(0, 2**32))
def test_samples_are_minimal(system, seed):
    language = minimal_language(system, RANGE)
    for n, expression in language.sample(np.random.default_rng(seed)).items():
        assert expression.value == n
        assert expression.complexity == language.complexity(n)
        assert derives(system, expression, language.limit)


@settings(max_examples=200, deadline=None)
@given(systems())
def test_bracketless_strings_follow_the_clash_rule(system):
    language = minimal_language(system, RANGE)
    by_leaves = brute_force(system, 2 * RANGE + 2)
    strings = language.tokens()
    smaller: set[tuple[str, ...]] = set()
    for n in language:
        canonical = language.expression(n).tokens()
        if canonical not in smaller:
            assert strings[n] == canonical
        if strings[n] in smaller:
            assert any(n in group for group in language.clashes)
        assert len(strings[n]) == language.complexity(n)
        level = first_level(by_leaves, n)
        if level is not None:
            assert strings[n] in {flatten(each) for each in by_leaves[level][n]}
        smaller.add(strings[n])


def flatten(expression):
    if isinstance(expression, int):
        return (str(expression),)
    left, operator, right = expression
    return (*flatten(left), operator, *flatten(right))


def test_sampling_is_uniform_over_tied_expressions():
    language = minimal_language(NumeralSystem.parse("1-4 | 2,3"), 30)
    number = max(language, key=lambda n: language.ties(n) if language.ties(n) <= 12 else 0)
    ties = language.ties(number)
    assert ties >= 6
    rng = np.random.default_rng(0)
    draws = 600 * ties
    counts: dict[str, int] = {}
    for _ in range(draws):
        text = str(language._free.sample(number, rng))
        counts[text] = counts.get(text, 0) + 1
    assert len(counts) == ties
    chi_square = sum((count - 600) ** 2 / 600 for count in counts.values())
    assert chi_square < 3 * ties  # far beyond the 99.9 % quantile for these sizes


CHECKS = {
    "1-9,11 | 10": (1.193660, 1.135064),
    "1-11 | 12": (1.175054, 1.120793),
    "1-4 | 5,10": (1.466354, 1.263921),
}
START_AVERAGES = (1.569906, 2.485027, 2.057312, 2.140685, 1.299084, 1.724585, 4.138448, 3.046458)


@pytest.mark.parametrize(("text", "expected"), CHECKS.items())
def test_check_values(text, expected):
    for grammar, average in zip(("modified", "hurford"), expected, strict=True):
        system = NumeralSystem.parse(text, grammar)
        assert average_complexity(system) == pytest.approx(average, abs=5e-7)
        assert evaluate_many([system])[0] == pytest.approx(average, abs=5e-7)


def test_the_papers_starts():
    assert [start.size for start in STARTS] == [12, 7, 12, 21, 18, 13, 5, 12]
    assert [average_complexity(start) for start in STARTS] == pytest.approx(START_AVERAGES, abs=5e-7)
    assert all(minimal_language(start, 50).covers for start in STARTS)


def test_start_6_has_two_numbers_with_one_string():
    start = STARTS[5]
    language = minimal_language(start, 50)
    assert start.overlap == (40,)
    assert language.expression(16).tokens() == language.expression(36).tokens() == ("1", "*", "10", "+", "2", "*", "3")
    assert language.tokens()[16] == language.expression(16).tokens()
    assert language.tokens()[36] == ("1", "*", "30", "+", "2", "*", "3")
    assert language.clashes == ()


def test_a_clash_without_alternative_stays_and_is_reported():
    language = minimal_language(NumeralSystem.parse("1 | 2,12"), 30)
    assert (str(language.expression(10)), str(language.expression(22))) == ("1 * 12 - 1 * 2", "(1 * 12 - 1) * 2")
    assert language.clashes == ((10, 22),)
    assert language.tokens()[10] == language.tokens()[22] == ("1", "*", "12", "-", "1", "*", "2")


def test_empty_levels_do_not_end_the_search():
    language = minimal_language(NumeralSystem.parse("7,50 | 10,31"))
    expected = oracle.least_leaves((7, 50), (10, 31), GRAMMARS["modified"], 200)
    assert language.leaves.tolist() == [expected[n] for n in range(1, 100)]
    assert language.leaves.max() == 57
    assert len(set(range(1, 57)) - set(language.leaves.tolist())) > 0


def test_without_a_limit_the_same_system_needs_fewer_and_is_settled():
    language = minimal_language(NumeralSystem.parse("7,50 | 10,31"), limit=None)
    assert language.leaves.max() == language.searched == 17
    assert language.unproved == ()
    expression = language.expression(5)  # its parts have up to 14 leaves, of which 10 are listed
    assert (expression.value, expression.complexity) == (5, 33)
    assert language.ties(5) == 216


def test_what_cannot_be_settled_is_said():
    with patch.object(unlimited, "LARGEST_LOOKUP", 1000):
        language = minimal_language(NumeralSystem.parse("7,50 | 10,31"), limit=None)
    assert language.unproved
    for n in language.unproved:
        assert language.ties(n) is None
        assert language.complexity(n) > 2 * language.searched + 1
        assert language.expression(n).value == n


@cache
def leaves_without_limit(text, upto):
    return minimal_language(NumeralSystem.parse(text), upto, None).leaves


@pytest.mark.parametrize(("text", "upto"), [("10,17 | 20", 30), ("22,30 | 29", 30), ("7,50 | 10,31", 60)])
@pytest.mark.parametrize("limit", ["default", 500, 3000])
def test_no_limit_is_never_worse_than_a_limit(text, upto, limit):
    free, bounded = leaves_without_limit(text, upto), minimal_language(NumeralSystem.parse(text), upto, limit).leaves
    assert ((free > 0) | (bounded == 0)).all()
    assert (free <= bounded)[bounded > 0].all()


def test_impossible_numbers_are_proved_by_a_congruence():
    language = minimal_language(NumeralSystem.parse("2,6 | 4"), 20, limit=None)
    assert all(language.impossible[n] == 2 for n in range(1, 21, 2))
    assert set(language.missing) >= set(range(1, 21, 2))
    assert missing(NumeralSystem.parse("2,6 | 4"), 20)[0] == 1


def test_what_is_impossible_depends_on_the_rules():
    """Modulo 3 the phrases of M = 3 are 0, so that 2 takes a difference; modulo 5 products of 4 and 6 are never 0."""
    without_minus = minimal_language(NumeralSystem.parse("1 | 3", "no-bare+"), 10, limit=None)
    assert without_minus.impossible == dict.fromkeys((2, 5, 8), 3)
    assert not minimal_language(NumeralSystem.parse("1 | 3"), 10, limit=None).impossible
    products = minimal_language(NumeralSystem.parse("4 | 6", "bare-number"), 12, limit=None)
    assert products.impossible[10] == 5
    assert not {4, 6} & set(products.impossible)


def test_a_search_that_is_exhausted_ends():
    """Residues prove nothing here, since 1 to 200 leave none free; but nothing new can come."""
    language = minimal_language(NumeralSystem.parse("1-200 | 1", "no-bare"), 250, limit=None)
    assert language.missing == tuple(range(201, 251))
    assert not language.impossible
    assert not language.unproved


def test_thousands_of_nested_sums():
    language = minimal_language(NumeralSystem.parse("1 | 1"), 1500)
    expression = language.expression(1500)
    assert expression.complexity == 2 * (2 * 1499 + 1) - 1
    assert Expression.parse(str(expression)) == expression
    assert derives(language.system, expression)


def test_a_lower_limit_misses_more():
    system = NumeralSystem.parse("1,4,7,8,15 | 10,33")
    assert (minimal_language(system, 99, 99).leaves >= minimal_language(system, 99, 200).leaves).all()


@pytest.mark.parametrize(
    ("upto", "limit", "message"),
    [
        (0, "default", "integer between 1 and 10000"),
        (10**9, "default", "between 1 and 10000"),
        (99, 98, "between the range, 99"),
        (9, "default", "The word 10 lies above the range 9"),
        (99.5, "default", "must be an integer between 1"),
        (99, 200.0, "must be an integer between the range"),
        (99, "none", "must be an integer between the range"),
    ],
)
def test_bad_ranges_and_limits(upto, limit, message):
    with pytest.raises(RequestError, match=message):
        minimal_language(NumeralSystem.parse("1-9 | 10"), upto, limit)


def test_asking_for_what_is_not_there():
    language = minimal_language(NumeralSystem.parse("2,6 | 4"), 20)
    with pytest.raises(RequestError, match="no expression for 3"):
        language.expression(3)
    with pytest.raises(RequestError, match=r"outside the range 1\.\.20"):
        language.complexity(21)


def test_one_grammar_a_batch():
    english = NumeralSystem.parse("1-9,11 | 10")
    with pytest.raises(RequestError, match="one grammar"):
        evaluate_many([english, english.with_grammar("hurford")])
    assert len(evaluate_many([])) == 0


REFERENCE = Path(__file__).parents[3] / "shared" / "reference" / "denic_languages_DM.csv"


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference table is not here")
@pytest.mark.parametrize("grammar", ["modified", "hurford"])
def test_published_languages(grammar):
    import pandas as pd

    table = pd.read_csv(REFERENCE, comment="#")
    assert len(table) == 128
    for row in table.itertuples():
        system = NumeralSystem(tuple(map(int, row.D.split())), tuple(map(int, row.M.split())), grammar)
        expected = getattr(row, f"lmin_{grammar}")
        average = average_complexity(system)
        assert (average is None) == bool(np.isnan(expected)), row.name
        if average is not None:
            assert average == pytest.approx(expected, abs=1e-6), row.name
