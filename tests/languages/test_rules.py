import pytest
from hypothesis import given
from hypothesis import strategies as st

from ishango.errors import RequestError
from ishango.languages import Clause, Clauses, Language
from ishango.numerals import GRAMMARS, NumeralSystem, derives

clauses = st.builds(
    Clause,
    numbers=st.sets(st.integers(1, 120), min_size=1, max_size=20).map(lambda numbers: tuple(sorted(numbers))),
    multiplier=st.integers(1, 99),
    factor=st.none() | st.integers(1, 99),
    subtracts=st.booleans(),
)


def said(system: str, rules: str, number: int, grammar="hurford") -> str:
    return str(Clauses.parse(rules).expressions(NumeralSystem.parse(system, grammar), number)[number])


@given(st.lists(clauses, min_size=1, max_size=6).map(tuple))
def test_rules_are_read_as_written(clauses):
    assert Clauses.parse(str(Clauses(clauses))) == Clauses(clauses)


@pytest.mark.parametrize(
    ("system", "rules", "number", "hurford", "modified"),
    [
        ("1-9 | 10", "10-99:10", 10, "10", "1 * 10"),
        ("1-9 | 10", "10-99:10", 12, "10 + 2", "1 * 10 + 2"),
        ("1-9 | 10", "10-99:10", 30, "3 * 10", "3 * 10"),
        ("1-9 | 10", "10:1*10 11-99:10", 10, "1 * 10", "1 * 10"),
        ("1-9 | 10", "10:1*10 11-99:10", 11, "10 + 1", "1 * 10 + 1"),
        ("1-9 | 10", "18,19:10- 10-99:10", 18, "2 * 10 - 2", "2 * 10 - 2"),
        ("1-9 | 10", "18,19:10- 10-99:10", 17, "10 + 7", "1 * 10 + 7"),
        ("1-9 | 10,20", "10-19:10 20-59:20 60-79:2*20", 71, "2 * 20 + 20 + 10 + 1", "2 * 20 + 1 * 20 + 1 * 10 + 1"),
        ("1-4 | 5,10", "5-8:5 9:10- 10-99:10", 96, "(10 - 1) * 10 + 5 + 1", "(1 * 10 - 1) * 10 + 1 * 5 + 1"),
        ("1-9 | 10,20", "10-19:10 20-29:20 30:2*20-", 30, "2 * 20 - 10", "2 * 20 - 1 * 10"),
        ("1-9,11 | 10", "10-99:10", 11, "11", "11"),
    ],
)
def test_what_is_said(system, rules, number, hurford, modified):
    assert said(system, rules, number) == hurford
    assert said(system, rules, number, "modified") == modified


@given(
    st.sets(st.integers(2, 12), max_size=8),
    st.sets(st.integers(2, 60), min_size=1, max_size=5),
    st.lists(clauses, max_size=3),
    st.sampled_from(tuple(GRAMMARS)),
)
def test_whatever_is_said_is_right(digits, multipliers, extra, grammar):
    """Clauses either refuse or give, for each number, an expression of the grammar that evaluates to it."""
    system = NumeralSystem((1, *digits), tuple(multipliers), grammar)
    rules = Clauses((*extra, *(Clause(tuple(range(m, 121)), m) for m in sorted(multipliers, reverse=True))))
    try:
        expressions = rules.expressions(system, 99)
    except RequestError:
        return
    assert list(expressions) == list(range(1, 100))
    for number, expression in expressions.items():
        assert expression.value == number
        assert derives(system, expression)


@pytest.mark.parametrize(
    "text",
    ["10-99", "10-99:", "10-99:ten", "10-99:0", ":10", "10-99:1*", "10-99:10+", "none:10", "99-10:10", "10:-10"],
)
def test_bad_rules(text):
    with pytest.raises(RequestError):
        Clauses.parse(text)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("11-99:10", "do not tell how 10 is said"),
        ("10-99:20", "needs the multiplier 20, which is not in the set"),
        ("10-99:2*10", r"does not fit 10: 2 \* 10 \+ \(-10\)"),
        ("10-19:5*10- 20-99:10", r"does not fit 10: 5 \* 10 - \(40\) is not made of numbers from 1 to 9"),
        ("10-99:12*10-", r"does not fit 10: 12 \* 10"),
    ],
)
def test_rules_that_do_not_fit(rules, message):
    with pytest.raises(RequestError, match=message):
        said("1-9 | 10", rules, 99)


def test_only_the_numbers_that_are_listed_are_outside():
    tens = Language("Tens", NumeralSystem.parse("1-9 | 10"), highest=99, outside=((50, "is half of a hundred"),))
    assert tens.outside_numbers() == (50,)


def test_a_rule_cannot_build_on_itself():
    with pytest.raises(RequestError, match="does not fit 1"):
        said("2 | 1", "1:1*1", 1)


def test_long_rules_do_not_exhaust_the_stack():
    system = NumeralSystem((1,), (1,))
    assert Clauses.parse("2-9999:1*1").expressions(system, 9999)[9999].leaves == 2 * 9999 - 1
