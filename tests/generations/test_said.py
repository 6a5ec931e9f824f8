"""The words that numbers are said with, against the minimal language of the package."""

import numpy as np
import pytest

from ishango.generations._ideal_kernel import (
    count_ways,
    covers,
    say_any,
    use_of,
)
from ishango.numerals import (
    DIGIT,
    GRAMMARS,
    MULTIPLIER,
    Need,
    NumeralSystem,
    canonical_leaves,
    levels_of,
    minimal_language,
    outer_base,
    outer_bases,
    words_of,
)


def leaves(expression, system, is_factor=False, is_phrase=False):
    """The leaves of an expression from left to right, with their roles, read off the tree."""
    if expression.operator is None:
        digit = not is_factor and not is_phrase and expression.value in system.digits
        return [(expression.value, DIGIT if digit else MULTIPLIER)]
    if expression.operator == "*":
        return leaves(expression.left, system) + leaves(expression.right, system, is_factor=True)
    return leaves(expression.left, system, is_phrase=True) + leaves(expression.right, system)


def random_systems(number, grammar, upto, seed):
    rng = np.random.default_rng(seed)
    for _ in range(number):
        digits = rng.choice(np.arange(1, upto + 1), rng.integers(1, 12), replace=False)
        multipliers = rng.choice(np.arange(1, upto + 1), rng.integers(1, 6), replace=False)
        yield NumeralSystem(
            (*digits.tolist(), *([1] if rng.random() < 0.7 else [])), tuple(multipliers.tolist()), grammar
        )
        number -= 1


@pytest.mark.parametrize("grammar", list(GRAMMARS))
@pytest.mark.parametrize("upto", [20, 50, 99])
def test_the_words_of_every_number_are_those_of_the_minimal_language(grammar, upto):
    covered = 0
    for system in random_systems(150, grammar, upto, seed=upto):
        language = minimal_language(system, upto)
        words, flags = words_of(system, upto), system.rules.flags
        assert covers(words, flags, upto, 2 * upto + 2) == language.covers
        levels = levels_of(words, flags, upto, 2 * upto + 2)
        found = canonical_leaves(levels, flags, upto)
        for n, expression in language.expressions.items():
            here = slice(found.start[n], found.start[n + 1])
            spoken = list(zip(found.word[here].tolist(), found.role[here].tolist(), strict=True))
            assert spoken == leaves(expression, system), (system, n)
        if language.covers:
            bases = [outer_base(expression, system) for expression in language.expressions.values()]
            assert outer_bases(levels, flags, upto).tolist() == bases, system
            covered += 1
    assert covered > (20 if GRAMMARS[grammar].minus else 2)  # without differences little is covered


def test_use_is_the_need_of_the_numbers_that_a_word_is_part_of():
    system, need = NumeralSystem.parse("1-3 | 2,10"), Need.parse("power:2").weights(20)
    flags = system.rules.flags
    use = use_of(canonical_leaves(levels_of(words_of(system, 20), flags, 20, 42), flags, 20), need, 20)
    expected = np.zeros((2, 21))
    for n, expression in minimal_language(system, 20).expressions.items():
        for word, role in set(leaves(expression, system)):
            expected[role, word] += need[n - 1]
    assert np.allclose(use, expected)
    assert use[DIGIT, 1] > use[DIGIT, 2] > 0


def brute_force(system, most, limit):
    """All expressions of up to `most` leaves by value: as sets of trees written out."""
    flags = system.rules.flags
    numbers = {1: {(d, f"d{d}") for d in system.digits}}
    phrases = {1: {(m, f"m{m}") for m in system.multipliers} if flags.bare_phrase else set()}
    if flags.bare_number:
        numbers[1] |= {(m, f"m{m}") for m in system.multipliers if m not in system.digits}
    for k in range(2, most + 1):
        factors = phrases[k - 1] if flags.flat and k > 2 else numbers[k - 1]
        phrases[k] = {(n * m, f"({t}*{m})") for n, t in factors for m in system.multipliers if n * m <= limit}
        numbers[k] = set(phrases[k])
        for x in range(1, k):
            for p, left in phrases[x]:
                for n, right in numbers[k - x]:
                    if flags.plus and p + n <= limit:
                        numbers[k].add((p + n, f"({left}+{right})"))
                    if flags.minus and p > n:
                        numbers[k].add((p - n, f"({left}-{right})"))
    return numbers


@pytest.mark.parametrize("grammar", list(GRAMMARS))
@pytest.mark.parametrize("text", ["1,2,4 | 3,5", "1-12 | 5"])
def test_ways_are_counted_as_brute_force_counts_them(grammar, text):
    system = NumeralSystem.parse(text, grammar)
    flags = system.rules.flags
    ways = count_ways(levels_of(words_of(system, 12), flags, 12, 26), flags, 4)
    for k, expressions in brute_force(system, 4, 26).items():
        values = [value for value, _ in expressions]
        assert ways.numbers[k, 1:].tolist() == [values.count(value) for value in range(1, 27)]


def test_any_expression_is_drawn_uniformly():
    system, rng = NumeralSystem.parse("1,2,4 | 3,5"), np.random.default_rng(0)
    flags = system.rules.flags
    language = levels_of(words_of(system, 12), flags, 12, 26)
    ways = count_ways(language, flags, 3)
    trees = [text for value, text in brute_force(system, 3, 26)[3] if value == 7]
    with_four = sum("d4" in text for text in trees) / len(trees)
    drawn = 0
    for _ in range(20_000):
        heard = np.zeros((2, 13), np.bool_)
        say_any(language, ways, flags, 7, 3, heard, rng)
        drawn += heard[DIGIT, 4]
    assert 0 < with_four < 1
    assert abs(drawn / 20_000 - with_four) < 4 * (with_four * (1 - with_four) / 20_000) ** 0.5
