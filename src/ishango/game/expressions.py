"""Token strings as the speaker reads them: words and operators to whole numbers from 0."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ishango.errors import RequestError

OPERATORS = ("+", "-", "*")

Expressions = Mapping[int, Sequence[str]]
"""The token string of each number 1..range: words in decimal, and the operators."""


class Encoded(NamedTuple):
    """The expressions of the bandit's arms."""

    tokens: np.ndarray
    """(arms, range, longest) token numbers; word w is w - 1, the operators follow the words."""
    lengths: np.ndarray
    """(arms, range) tokens of each expression."""


def encode(arms: Sequence[Expressions], upto: int) -> Encoded:
    """The expressions of all arms as arrays; numbers that are missing and words outside 1..range_ are refused."""
    strings = [[_string(arm, number, upto) for number in range(1, upto + 1)] for arm in arms]
    lengths = np.array([[len(s) for s in arm] for arm in strings], np.int64)
    tokens = np.zeros((*lengths.shape, lengths.max()), np.int64)
    for a, arm in enumerate(strings):
        for n, string in enumerate(arm):
            tokens[a, n, : len(string)] = string
    return Encoded(tokens, lengths)


def _string(arm: Expressions, number: int, upto: int) -> list[int]:
    if not arm.get(number):
        raise RequestError(f"The number {number} has no expression, but the game needs one for each of 1-{upto}.")
    return [_token(token, number, upto) for token in arm[number]]


def _token(token: str, number: int, upto: int) -> int:
    if token in OPERATORS:
        return upto + OPERATORS.index(token)
    if not token.isdecimal():
        raise RequestError(f"The expression of {number} has the token {token!r}, which is no word and no operator.")
    if not 1 <= int(token) <= upto:
        raise RequestError(
            f"The expression of {number} uses the word {token}, which is outside the game range 1-{upto}."
        )
    return int(token) - 1
