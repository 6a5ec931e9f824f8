"""Lexicons as kernels take them, and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ishango.generations.ideal_kernel import ALL, Rules
from ishango.generations.options import GenerationOptions
from ishango.generations.said_kernel import (
    language_of,  # pyright: ignore[reportUnknownVariableType]
    outer_bases,  # pyright: ignore[reportUnknownVariableType]
)
from ishango.numerals import GrammarName, Need, NumeralSystem, as_grammar, format_set, value_limit

Words = NDArray[np.bool_]
"""Which numbers are digits and which multipliers, (2, range + 1); number 0 is neither."""


def words_of(system: NumeralSystem, upto: int) -> Words:
    """The words of a system as sets."""
    words = np.zeros((2, upto + 1), np.bool_)
    words[0, list(system.digits)] = True
    words[1, list(system.multipliers)] = True
    return words


def system_of(words: Words, grammar: GrammarName) -> NumeralSystem:
    """The system that has these words."""
    return NumeralSystem(members(words[0]), members(words[1]), grammar)


def members(set_: NDArray[np.bool_]) -> tuple[int, ...]:
    """The numbers of a set, ascending."""
    return tuple(np.flatnonzero(set_).tolist())


def written(words: Words) -> str:
    """Words as `D | M`, either of which may be none."""
    return f"{format_set(members(words[0]))} | {format_set(members(words[1]))}"


def bases_of(words: Words, options: GenerationOptions) -> list[int]:
    """The base of each number's expression, from 1 to the game range; 0 for a bare digit.

    >>> from ishango.game import GameOptions
    >>> bases_of(words_of(NumeralSystem.parse("1-4 | 5"), 8), GenerationOptions(game=GameOptions(upto=8)))
    [0, 0, 0, 0, 5, 5, 5, 5]
    """
    rules = rules_of(options)
    return outer_bases(language_of(words, rules.flags, rules.upto, rules.limit), rules.flags, rules.upto).tolist()


def rules_of(options: GenerationOptions) -> Rules:
    """The options as kernels take them."""
    upto = options.game.upto
    return Rules(
        flags=as_grammar(options.grammar).flags,
        need=np.array(Need.parse(options.need).weights(upto)),
        upto=upto,
        limit=value_limit(upto),
        bottleneck=ALL if options.examples is None else options.examples,
        any_expression=options.say == "any",
        random_loss=options.lose == "random",
        invent=float(options.invent),
        multipliers=float(options.multiplier_share),
        uniform_coining=options.coin == "uniform",
    )
