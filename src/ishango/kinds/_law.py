# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Systems that need not be recursive nor name every number, and the law under which all kinds compete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ishango import numerals
from ishango.compiling import entry
from ishango.errors import RequestError, require
from ishango.registry import OneOf, UpTo, by_name, check_choice, explained

Mask = NDArray[np.bool_]

HOW = "write its digits as in 1-4,7,16 or, with multipliers, 1-9,11 | 10"


@dataclass(frozen=True, slots=True)
class OpenSystem:
    """Digits and multipliers, of which there may be none; numbers without an expression are said as others near them.

    >>> few = OpenSystem.parse("1-4,7,16")
    >>> few.size, str(few)
    (6, '1-4,7,16 | none')
    """

    digits: tuple[int, ...]
    multipliers: tuple[int, ...] = ()
    grammar: numerals.GrammarName = numerals.DEFAULT_GRAMMAR.name

    def __post_init__(self) -> None:
        rules = numerals.as_grammar(self.grammar)
        object.__setattr__(self, "grammar", rules.name)
        for name in ("digits", "multipliers"):
            words = tuple(sorted(set(getattr(self, name))))
            if words and words[0] < 1:
                raise RequestError(f"The word {words[0]} is no number from 1 up; {HOW}.")
            object.__setattr__(self, name, words)
        if not self.digits and not (self.multipliers and rules.bare_number):
            raise RequestError(f"A system without a digit says nothing; {HOW}.")

    @classmethod
    def parse(cls, text: str, grammar: numerals.GrammarName = numerals.DEFAULT_GRAMMAR.name) -> OpenSystem:
        """Read digits, and multipliers if there are any: `1-4,7`, `1-9,11 | 10` or `1-9,11 10`."""
        parts = numerals.with_bar(text).split("|")
        if len(parts) > 2 or not parts[0].strip():
            raise RequestError(f"{text!r} is not a numeral system; {HOW}.")
        return cls(numerals.parse_set(parts[0]), numerals.parse_set(parts[1]) if len(parts) == 2 else (), grammar)

    @classmethod
    def of(cls, system: numerals.NumeralSystem) -> OpenSystem:
        """A recursive system as one that need not be."""
        return cls(system.digits, system.multipliers, system.grammar)

    @property
    def size(self) -> int:
        """|D| + |M|: a word in both sets counts twice."""
        return len(self.digits) + len(self.multipliers)

    def __str__(self) -> str:
        return f"{numerals.format_set(self.digits)} | {numerals.format_set(self.multipliers)}"


def lexicons(systems: Sequence[OpenSystem], upto: int) -> Mask:
    """Digits and multipliers of systems as masks (systems, 2, range)."""
    found = np.zeros((len(systems), 2, upto), np.bool_)
    for row, system in enumerate(systems):
        for role, words in enumerate((system.digits, system.multipliers)):
            if words and words[-1] > upto:
                raise RequestError(f"The word {words[-1]} lies outside the range 1 to {upto}.")
            found[row, role, np.array(words, np.intp) - 1] = True
    return found


def system_of(lexicon: Mask, grammar: numerals.GrammarName) -> OpenSystem:
    digits, multipliers = (tuple((np.flatnonzero(each) + 1).tolist()) for each in lexicon)
    return OpenSystem(digits, multipliers, grammar)


def change(system: OpenSystem, upto: int, rng: np.random.Generator) -> tuple[str, OpenSystem]:
    """One of the possible changes, each kind of change as likely as any other, and then each word.

    The first multiplier may come, and the last one go; what could not say anything is never proposed.

    >>> change(OpenSystem.parse("1"), 1, np.random.default_rng(0))
    ('add a multiplier', OpenSystem(digits=(1,), multipliers=(1,), grammar='modified'))
    """
    possible = changes(system, upto)
    name = list(possible)[int(rng.integers(len(possible)))]
    return name, possible[name][int(rng.integers(len(possible[name])))]


def changes(system: OpenSystem, upto: int) -> dict[str, list[OpenSystem]]:
    """All systems one change away, by the kind of change; kinds that lead nowhere are left out."""
    digits, multipliers = set(system.digits), set(system.multipliers)
    numbers = range(1, upto + 1)
    pairs = {
        "add a digit": [(digits | {n}, multipliers) for n in numbers if n not in digits],
        "add a multiplier": [(digits, multipliers | {n}) for n in numbers if n not in multipliers],
        "remove a digit": [(digits - {n}, multipliers) for n in digits],
        "remove a multiplier": [(digits, multipliers - {n}) for n in multipliers],
        "make a digit a multiplier": [(digits - {n}, multipliers | {n}) for n in digits - multipliers],
        "make a multiplier a digit": [(digits | {n}, multipliers - {n}) for n in multipliers - digits],
    }
    bare = numerals.as_grammar(system.grammar).bare_number
    made = {
        name: [OpenSystem(tuple(d), tuple(m), system.grammar) for d, m in each if d or (m and bare)]
        for name, each in pairs.items()
    }
    return {name: each for name, each in made.items() if each}


@entry
def lost_between(losses):
    """For each i < j the sum over all n between them of the lesser of losses[n, i] and losses[n, j].

    Sums begin at the first number, as NumPy's cumulative ones do: the same bits as without a kernel.
    """
    n = len(losses)
    by_word = np.ascontiguousarray(losses.T)  # by_word[v]: what is lost where v is said, number by number
    between = np.zeros((n, n))
    for i in range(n - 1):
        for j in range(i + 1, n):
            first, second, total, upto_i = by_word[i], by_word[j], 0.0, 0.0
            for k in range(j):
                total += min(first[k], second[k])
                if k == i:
                    upto_i = total
            between[i, j] = total - upto_i
    return between


# What it costs to say each number, for many systems at once.
#
# The error does not fall with the distance, so among expressions of one length only the nearest number below and the
# nearest above can be the cheapest: a walk up the line and one down it see them all.


@entry
def fill_least(leaves, efforts, losses, least):
    """Fill `least` (systems, range) with the least efforts[leaves of v] + losses[n, v] over all v that have leaves."""
    n_systems, n = leaves.shape
    nearest = np.empty(len(efforts), np.int64)
    for row in range(n_systems):
        for i in range(n):
            least[row, i] = np.inf
        for step in (1, -1):
            nearest[:] = -1
            longest = 0
            i = 0 if step == 1 else n - 1
            for _ in range(n):
                level = leaves[row, i]
                if level > 0:
                    nearest[level] = i
                    longest = max(longest, level)
                for level in range(1, longest + 1):
                    v = nearest[level]
                    if v >= 0:
                        cost = efforts[level] + losses[i, v]
                        if cost < least[row, i]:
                            least[row, i] = cost
                i += step


Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ErrorMeasure:
    """One way to measure what is lost. It must be 0 for the number itself, and must not fall with the distance on
    either side of it: then numbers that share a word lie side by side, which the optima rest on."""

    name: str
    sentence: str
    of: Callable[[Floats, Floats], Floats]
    """The error of saying the second number for the first, elementwise."""


WEBER = ErrorMeasure("weber", "the distance over the number meant", lambda meant, said: np.abs(meant - said) / meant)
LOGARITHM = ErrorMeasure(
    "log", "the distance between the logarithms", lambda meant, said: np.abs(np.log(meant) - np.log(said))
)
EXACT = ErrorMeasure("exact", "1 for every other number", lambda meant, said: (meant != said).astype(np.float64))

ERROR_MEASURES = by_name(WEBER, LOGARITHM, EXACT)


def error_table(name: str, upto: int) -> Floats:
    numbers = np.arange(1.0, upto + 1)
    return ERROR_MEASURES[name].of(numbers[:, None], numbers[None, :])


# One law for all kinds of systems: what words cost, what it takes to say them, and what is lost.
#
#     cost = word x size + effort x E[length] + precision x E[error]
#
# A number is said as the expressible number v that makes effort x length(v) + precision x error(n, v) least, the
# smaller one in a tie. Nothing says whether a system should be approximate, exact or recursive: that follows.

GREATEST = 1e6
"""Costs beyond which nothing else would count."""
LONGEST_RANGE = 2_000
"""Tables grow with the square of the range, and a batch of systems has one each."""

ErrorName = Annotated[str, OneOf(ERROR_MEASURES), explained(ERROR_MEASURES)]


@dataclass(frozen=True)
class Law:
    """What a system costs its speakers."""

    precision: float = 10.0
    """What an error of 1 costs."""
    word: float = 0.03
    """What a word of the lexicon costs."""
    effort: float = 1.0
    """What a symbol of an expression costs."""
    error: ErrorName = WEBER.name
    """How an error is measured."""
    need: numerals.NeedSpec = "power:2"
    """How often each number is needed."""
    upto: UpTo = 50
    """The largest number."""
    grammar: numerals.GrammarChoice = numerals.DEFAULT_GRAMMAR.name
    """The meta-grammar."""

    def __post_init__(self) -> None:
        for name in ("precision", "word", "effort"):
            value = getattr(self, name)
            require(0 <= value <= GREATEST, name, value, f"between 0 and {GREATEST:,.0f}")
        require(1 <= self.upto <= LONGEST_RANGE, "the range", self.upto, f"between 1 and {LONGEST_RANGE:,}")
        check_choice(ERROR_MEASURES, "error", self.error)
        rules = numerals.as_grammar(self.grammar)
        if rules.multiplier_words > 1:
            raise RequestError(
                f"Under this law every word costs the same, and in the grammar {rules.name} a multiplier counts for"
                f" {rules.multiplier_words}; choose another grammar."
            )
        object.__setattr__(self, "grammar", rules.name)
        numerals.Need.parse(self.need).weights(self.upto)

    @cached_property
    def weights(self) -> Floats:
        return numerals.Need.parse(self.need).weights(self.upto)

    @cached_property
    def losses(self) -> Floats:
        """precision x error of saying v for n, (range, range)."""
        return self.precision * error_table(self.error, self.upto)


@dataclass(frozen=True)
class Costs:
    size: int
    length: float
    """The mean length of what is said."""
    error: float
    """The mean error."""
    words_cost: float
    effort_cost: float
    error_cost: float

    @property
    def total(self) -> float:
        return self.words_cost + self.effort_cost + self.error_cost


def said(system: OpenSystem, law: Law) -> NDArray[np.int64]:
    """What is said for each number 1..range.

    >>> said(OpenSystem.parse("1,2,5"), Law(precision=3, upto=10)).tolist()
    [1, 2, 2, 5, 5, 5, 5, 5, 5, 5]
    """
    return in_use(system, law)[0] + 1


def in_use(system: OpenSystem, law: Law) -> tuple[NDArray[np.intp], Floats]:
    """What is said for each number, as an index from 0, and how long that is; of what costs the same, the smaller."""
    lengths = lengths_of(lexicons([system], law.upto), law)[0]
    # What has no expression stays impossible where effort costs nothing.
    efforts = np.multiply(law.effort, lengths, where=np.isfinite(lengths), out=np.full_like(lengths, np.inf))
    total = efforts + law.losses
    least = total.min(axis=1, keepdims=True)
    chosen = (total <= least + 1e-12 * (1 + np.abs(least))).argmax(axis=1)
    return chosen, lengths[chosen]


def costs(system: OpenSystem, law: Law) -> Costs:
    """What the system costs under the law.

    >>> round(costs(OpenSystem.parse("1-4 | 5"), Law(precision=30, word=0.1)).total, 4)
    1.953
    """
    chosen, lengths = in_use(system, law)
    length = float(law.weights @ lengths)
    error = float(law.weights @ error_table(law.error, law.upto)[np.arange(law.upto), chosen])
    return Costs(system.size, length, error, law.word * system.size, law.effort * length, law.precision * error)


def lengths_of(masks: Mask, law: Law) -> Floats:
    """The length of each number's shortest expression, (systems, range); infinite where it has none."""
    leaves = numerals.leaves_of_many(masks[:, 0], masks[:, 1], law.grammar)
    return np.where(leaves == 0, np.inf, 2.0 * leaves - 1.0)


_BATCH = 2**23
"""Numbers that a table of costs may hold at once."""
_LEAVES = (3, 6, numerals.ENDLESS)
"""Expressions of more leaves are looked for only where they could be worth their effort."""


def saying_costs(masks: Mask, law: Law) -> Floats:
    """effort x E[length] + precision x E[error] of each system: its cost but for its words."""
    found, portion = np.empty(len(masks)), max(1, _BATCH // law.upto)
    for start in range(0, len(masks), portion):
        part = slice(start, start + portion)
        found[part] = _least(masks[part], law) @ law.weights
    return found


def _least(masks: Mask, law: Law) -> Floats:
    least, rows = np.empty((len(masks), law.upto)), np.arange(len(masks))
    for most in _LEAVES:
        leaves = numerals.leaves_of_many(masks[rows, 0], masks[rows, 1], law.grammar, most=most)
        efforts = law.effort * np.arange(-1.0, 2.0 * int(leaves.max(initial=0)), 2.0)  # of 0, 1, ... leaves
        here = np.empty(leaves.shape)
        fill_least(leaves, efforts, law.losses, here)
        least[rows] = here
        rows = rows[here.max(axis=1, initial=0.0) > law.effort * (2.0 * most + 1.0)]
        if not len(rows):
            break
    return least


def risen(precision: float, to: float | None, rounds: int, number: int) -> float:
    """The precision in a round: it goes on evenly over the logarithm, so that extending a run changes nothing that was.

    >>> [risen(1, 100, 2, number) for number in range(4)]
    [1.0, 10.0, 100.0, 100.0]
    """
    if to is None:
        return precision
    return min(GREATEST, precision * (to / precision) ** min(1.0, number / rounds))  # rounding may go beyond it


def check_rise(precision: float, to: float | None) -> None:
    """Refuse precisions between which nothing can rise evenly."""
    if to is not None and min(precision, to) <= 0:
        raise RequestError("A precision that rises or falls must stay above 0; set precision and precision_to so.")


# Which kind a system is: by what is said under a law, not by which words there are.

KindName = Literal["approximate", "exact restricted", "partly recursive", "recursive"]
KINDS: tuple[KindName, ...] = get_args(KindName)


@dataclass(frozen=True)
class Kind:
    name: KindName
    exact_upto: int
    """The numbers 1..k are said exactly, and k + 1 is not; the range where all are."""

    def __str__(self) -> str:
        return f"{self.name}, exact up to {self.exact_upto}"


def kind_of(system: OpenSystem, law: Law) -> Kind:
    """The kind of a system in use.

    Recursive: every number is said exactly, and some by a multiplier. Partly recursive: some number is said by a
    multiplier, but not all exactly. Where multipliers are there and nobody says them, they do not count. Exact
    restricted: every word but the last means one number, from 1 on, and the last one all others (none are left where
    every number has a word). Approximate: everything else.

    >>> str(kind_of(OpenSystem.parse("1-4"), Law()))
    'exact restricted, exact up to 4'
    """
    chosen, lengths = in_use(system, law)
    exact = [number == other for number, other in enumerate(chosen.tolist())]
    upto = exact.index(False) if False in exact else law.upto
    if (lengths > 1).any():
        return Kind("recursive" if all(exact) else "partly recursive", upto)
    return Kind("exact restricted" if _exact(chosen.tolist()) else "approximate", upto)


def _exact(chosen: Sequence[int]) -> bool:
    """Whether each number has a word of its own up to some number, and all that follow share one."""
    different = len(set(chosen)) - 1
    return len(set(chosen[:different])) == different and len(set(chosen[different:])) == 1
