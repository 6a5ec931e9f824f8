import math
from pathlib import Path

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
    fill_tables,
    leaves_of_many,
    masks,
    minimal_language,
    missing,
)

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


@settings(max_examples=200, deadline=None)
@given(systems())
def test_expressions_parse_back_and_belong_to_the_grammar(system):
    language = minimal_language(system, RANGE)
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
        text = str(language._walk.sample(number, rng))
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


def test_thousands_of_nested_sums():
    language = minimal_language(NumeralSystem.parse("1 | 1"), 1500)
    expression = language.expression(1500)
    assert expression.complexity == 2 * (2 * 1499 + 1) - 1
    assert Expression.parse(str(expression)) == expression
    assert derives(language.system, expression)


def test_a_lower_limit_misses_more():
    system = NumeralSystem.parse("1,4,7,8,15 | 10,33")
    lower, higher = (fill_tables(system, 99, limit).number_level[1:100] for limit in (99, 200))
    assert (lower >= higher).all()
    assert higher.tolist() == minimal_language(system).leaves.tolist()


@pytest.mark.parametrize(
    ("upto", "message"),
    [
        (0, "integer between 1 and 10000"),
        (10**9, "between 1 and 10000"),
        (9, "The word 10 lies above the range 9"),
        (99.5, "must be an integer between 1"),
    ],
)
def test_bad_ranges(upto, message):
    with pytest.raises(RequestError, match=message):
        minimal_language(NumeralSystem.parse("1-9 | 10"), upto)


def test_asking_for_what_is_not_there():
    language = minimal_language(NumeralSystem.parse("2,6 | 4"), 20)
    assert missing(NumeralSystem.parse("2,6 | 4"), 20) == language.missing
    assert language.missing[0] == 1
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
