import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ishango.errors import RequestError
from ishango.numerals import Expression, NumeralSystem, derives, word


def joined(children):
    return st.one_of(
        st.builds(lambda a, m: a * word(m), children, st.integers(1, 20)),
        st.builds(lambda a, m, b: a * word(m) + b, children, st.integers(1, 20), children),
        st.builds(lambda a, m, b: a * word(m) - b, children, st.integers(1, 20), children),
    )


expressions = st.recursive(st.integers(1, 20).map(word), joined, max_leaves=12)


@given(expressions)
def test_what_is_written_parses_back(expression):
    assert Expression.parse(str(expression)) == expression
    # The text means to Python's own parser what it means to us.
    assert eval(str(expression)) == expression.value
    for notation in ("prefix", "postfix"):
        assert Expression.from_tokens(expression.tokens(notation), notation) == expression


@given(expressions)
def test_complexity_counts_symbols(expression):
    tokens = expression.tokens("infix")
    assert expression.complexity == len(tokens) == 2 * expression.leaves - 1
    assert expression.leaves == sum(token.isdigit() for token in tokens)
    assert sum(1 for _ in expression.nodes()) == expression.complexity


def test_brackets_stand_only_where_they_are_needed():
    text = "(1 * 10 + 2) * 3 + 4 * 5 - (2 * 3 + 1)"
    assert str(Expression.parse(text)) == text
    assert str(Expression.parse("(2 * 3) * 4 + (5 * 2 + (1))")) == "2 * 3 * 4 + 5 * 2 + 1"


def test_an_expression_cannot_be_changed():
    with pytest.raises(AttributeError, match="cannot be changed"):
        word(3).value = 4


def test_derives_knows_the_two_grammars():
    modified = NumeralSystem.parse("1-3,7 | 7,10")
    hurford = modified.with_grammar("hurford")
    cases = {
        "3": (True, True),
        "10": (False, True),
        "2 * 10 + 3": (True, True),
        "10 + 3": (False, True),
        "3 + 2 * 10": (False, False),  # the left part of a sum is a phrase
        "7 + 3": (False, True),
        "2 * 3": (False, False),  # 3 is no multiplier
        "2 * 10 - (1 * 10 + 3)": (True, True),
        "10 - 2 * 10": (False, False),  # values are positive
    }
    for text, expected in cases.items():
        expression = Expression.parse(text)
        assert (derives(modified, expression), derives(hurford, expression)) == expected, text
    assert not derives(modified, Expression.parse("3 * 10 - 3"), limit=29)
    assert derives(modified, Expression.parse("3 * 10 - 3"), limit=30)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "breaks off"),
        ("2 +", "breaks off"),
        ("2 3", "cannot stand"),
        ("* 3", "cannot stand"),
        ("(2 + 3", "not closed"),
        ("2 + 3)", "not opened"),
        ("2 / 3", "only words"),
        ("30 - 2 * 10 + 3", "brackets around what follows the minus"),
        ("0 + 1", "not a word"),
    ],
)
def test_bad_expressions(text, message):
    with pytest.raises(RequestError, match=message):
        Expression.parse(text)


def test_bad_token_strings():
    with pytest.raises(RequestError, match="lacks an operand"):
        Expression.from_tokens(("1", "+"), "postfix")
    with pytest.raises(RequestError, match="not one expression"):
        Expression.from_tokens(("1", "2"), "prefix")
    with pytest.raises(RequestError, match="not a word"):
        Expression.from_tokens(("x",), "prefix")


def test_expressions_travel_between_processes():
    expression = Expression.parse("(1 * 10 + 2) * 3")
    assert pickle.loads(pickle.dumps(expression)) == expression
    assert copy.deepcopy(expression) is copy.copy(expression) is expression


def test_an_unknown_notation():
    with pytest.raises(RequestError, match="choose one of infix, prefix, postfix"):
        word(1).tokens("suffix")
