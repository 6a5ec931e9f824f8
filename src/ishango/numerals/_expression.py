"""Numeral expressions: trees of words and operators, and the four ways of writing them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from ishango.errors import RequestError
from ishango.numerals._system import NumeralSystem

Operator = Literal["+", "-", "*"]
Notation = Literal["infix", "prefix", "postfix"]
"""How an expression is written for agents: infix has no brackets and need not parse back; the others do."""

_PRECEDENCE = {"+": 1, "-": 1, "*": 2}


class Expression:
    """A word, or two expressions joined by an operator; immutable, with the number it names.

    Built with `word` and the operators of Python, or by parsing. `str` writes infix with brackets for people.
    Every walk over the tree uses a stack of its own: expressions of small lexicons nest thousands deep.

    >>> e = (word(1) * word(10) + word(2)) * word(3)
    >>> e.value, e.complexity, str(e)
    (36, 7, '(1 * 10 + 2) * 3')
    """

    __slots__ = ("leaves", "left", "operator", "right", "value")

    value: int
    leaves: int
    operator: Operator | None
    left: Expression | None
    right: Expression | None

    def __init__(self, value: int, operator: Operator | None, left: Expression | None, right: Expression | None):
        set_ = object.__setattr__
        set_(self, "value", value)
        set_(self, "operator", operator)
        set_(self, "left", left)
        set_(self, "right", right)
        set_(self, "leaves", left.leaves + right.leaves if left and right else 1)

    @classmethod
    def parse(cls, text: str) -> Expression:
        """Read infix with brackets, as `str` writes it.

        A sum or difference after a minus must stand in brackets: without them readers disagree on its value.
        """
        return _parse_infix(text)

    @classmethod
    def from_tokens(cls, tokens: Iterable[str], notation: Literal["prefix", "postfix"]) -> Expression:
        """Read the token string that `tokens` writes in that notation."""
        ordered = list(tokens)
        text = " ".join(ordered)
        if notation == "prefix":
            ordered.reverse()
        stack: list[Expression] = []
        for token in ordered:
            if token not in _PRECEDENCE:
                stack.append(word(_read_word(token)))
            elif len(stack) < 2:
                raise RequestError(f"The token string {text!r} lacks an operand for {token!r}.")
            elif notation == "prefix":
                stack.append(join(token, stack.pop(), stack.pop()))
            else:
                right = stack.pop()
                stack.append(join(token, stack.pop(), right))
        if len(stack) != 1:
            raise RequestError(f"The token string {text!r} is not one expression.")
        return stack[0]

    def __reduce__(self) -> tuple[object, ...]:
        return Expression.from_tokens, (self.tokens("postfix"), "postfix")

    def __copy__(self) -> Expression:
        return self

    def __deepcopy__(self, _memo: object) -> Expression:
        return self

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"An Expression cannot be changed (tried to set {name}).")

    def __add__(self, other: Expression) -> Expression:
        return Expression(self.value + other.value, "+", self, other)

    def __sub__(self, other: Expression) -> Expression:
        return Expression(self.value - other.value, "-", self, other)

    def __mul__(self, other: Expression) -> Expression:
        return Expression(self.value * other.value, "*", self, other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.tokens("postfix") == other.tokens("postfix")

    def __hash__(self) -> int:
        return hash(self.tokens("postfix"))

    def __repr__(self) -> str:
        return f"Expression.parse({str(self)!r})"

    def __str__(self) -> str:
        return _bracketed(self)

    @property
    def complexity(self) -> int:
        """The number of symbols, operators included; brackets are free."""
        return 2 * self.leaves - 1

    def tokens(self, notation: Notation = "infix") -> tuple[str, ...]:
        """The expression as a token string for agents.

        >>> Expression.parse("2 * 10 + 1").tokens("prefix")
        ('+', '*', '2', '10', '1')
        """
        return tuple(_tokens(self, check_notation(notation)))

    def nodes(self) -> Iterator[Expression]:
        """Every sub-expression, each before its parts."""
        stack: list[Expression] = [self]
        while stack:
            node = stack.pop()
            yield node
            if node.left and node.right:
                stack += (node.right, node.left)


def word(value: int) -> Expression:
    return Expression(value, None, None, None)


def check_notation(notation: Notation) -> Notation:
    """The notation itself when it is one that is known."""
    if notation not in get_args(Notation):
        raise RequestError(f"There is no notation {notation!r}; choose one of {', '.join(get_args(Notation))}.")
    return notation


def derives(system: NumeralSystem, expression: Expression, limit: int | None = None) -> bool:
    """Whether the system's grammar derives the expression, every value lying in 1..limit.

    >>> derives(NumeralSystem.parse("1-9 | 10"), Expression.parse("2 * 10 + 1"))
    True
    """
    rules = system.rules
    numbers = {*system.digits, *(system.multipliers if rules.bare_number else ())}
    phrases = set(system.multipliers) if rules.bare_phrase else set[int]()
    joins = ("+",) * rules.plus + ("-",) * rules.minus
    stack = [(expression, False)]
    while stack:
        node, must_be_phrase = stack.pop()
        if node.value < 1 or (limit is not None and node.value > limit):
            return False
        if node.left is None or node.right is None:
            if node.value not in (phrases if must_be_phrase else numbers):
                return False
        elif node.operator == "*":
            if node.right.operator is not None or node.right.value not in system.multipliers:
                return False
            if rules.flat and node.left.operator in ("+", "-"):
                return False
            stack.append((node.left, False))
        elif must_be_phrase or node.operator not in joins:
            return False
        else:
            stack += ((node.left, True), (node.right, False))
    return True


def join(operator: str, left: Expression, right: Expression) -> Expression:
    if operator == "+":
        return left + right
    return left - right if operator == "-" else left * right


def _tokens(expression: Expression, notation: Notation) -> Iterator[str]:
    stack: list[Expression | str] = [expression]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif item.operator is None or item.left is None or item.right is None:
            yield str(item.value)
        elif notation == "infix":
            stack += (item.right, item.operator, item.left)
        elif notation == "prefix":
            stack += (item.right, item.left, item.operator)
        else:
            stack += (item.operator, item.right, item.left)


def _bracketed(expression: Expression) -> str:
    stack: list[Expression | str] = [expression]
    pieces: list[str] = []
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            pieces.append(item)
        elif item.operator is None or item.left is None or item.right is None:
            pieces.append(str(item.value))
        else:
            brackets = _needs_brackets(item.operator, item.right, on_the_right=True)
            stack += (")", item.right, "(") if brackets else (item.right,)
            stack.append(f" {item.operator} ")
            brackets = _needs_brackets(item.operator, item.left, on_the_right=False)
            stack += (")", item.left, "(") if brackets else (item.left,)
    return "".join(pieces)


def _needs_brackets(operator: Operator, part: Expression, on_the_right: bool) -> bool:
    """Products bind tighter and nest to the left, sums nest to the right; anything else is bracketed."""
    if part.operator is None:
        return False
    if operator == "*":
        return on_the_right or part.operator != "*"
    return part.operator != "*" and not (on_the_right and operator == "+")


def _read_word(token: str) -> int:
    if re.fullmatch(r"[0-9]{1,9}", token) is None or int(token) < 1:
        raise RequestError(f"{token!r} is not a word; words are positive integers below a billion.")
    return int(token)


def _parse_infix(text: str) -> Expression:
    """Operator precedence parsing: a stack of operands, one of operators and open brackets."""
    operands: list[Expression] = []
    operators: list[str] = []
    expects_operand = True

    def reduce() -> None:
        right = operands.pop()
        operands.append(join(operators.pop(), operands.pop(), right))

    for token in re.findall(r"\d+|\S", text):
        if expects_operand != (token == "(" or token.isdigit()):
            raise RequestError(f"The expression {text!r} has {token!r} where it cannot stand.")
        if token == "(":
            operators.append(token)
        elif token == ")":
            while operators and operators[-1] != "(":
                reduce()
            if not operators:
                raise RequestError(f"The expression {text!r} closes a bracket that was not opened.")
            operators.pop()
        elif token in _PRECEDENCE:
            while operators and operators[-1] == "*":
                reduce()
            if token != "*" and operators and operators[-1] == "-":
                raise RequestError(f"The expression {text!r} must have brackets around what follows the minus.")
            operators.append(token)
            expects_operand = True
        elif token.isdigit():
            operands.append(word(_read_word(token)))
            expects_operand = False
        else:
            raise RequestError(f"The expression {text!r} has {token!r}; only words, + - * and brackets are known.")
    if expects_operand:
        raise RequestError(f"The expression {text!r} breaks off where a word is expected.")
    while operators:
        if operators[-1] == "(":
            raise RequestError(f"The expression {text!r} has a bracket that is not closed.")
        reduce()
    return operands[0]
