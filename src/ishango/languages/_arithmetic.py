"""From what a language says for each number, written as arithmetic, to its digits, its multipliers and its rules.

A table gives expressions such as `(1 * 10) + 2`. Hurford's grammar decides what their words are: `Num = D | Phrase |
Phrase + Num | Phrase - Num`, `Phrase = M | Num * M`. Words stand in the order in which they are said, so a product may
have its multiplier on either side, and a sum its head; sums of several parts have no order at all. So each expression
says which words must be multipliers, often in several ways, and the multipliers of the language are the fewest that
derive everything it says. 1 is never one: it multiplies nothing. A product of three words (`2 * (2 * 10)`) makes none
either: the grammar has it where other numbers show that two of the three are multipliers, and else it is outside.
Where several sets are equally small, the reading is ambiguous; the set with the larger words is taken, and the words
in doubt are listed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ishango.languages._language import Clause, Clauses
from ishango.numerals import HURFORD, Expression, NumeralSystem

UPTO = 99
"""Systems describe the numbers from 1 to this one."""

Heads = frozenset[int]
Ways = frozenset[Heads]
"""The sets of multipliers that each derive an expression; without any, the grammar does not."""

AS_A_WORD: Ways = frozenset((frozenset[int](),))
TWICE = "multiplies a product by a word that is no multiplier elsewhere"
NO_WAY: Ways = frozenset[Heads]()


@dataclass(frozen=True)
class SaidNumbers:
    """What a language says, as far as the grammar has it."""

    system: NumeralSystem | None
    """Its words; None where nothing is composed, so that there is no multiplier."""
    said: Mapping[int, Expression]
    """What is said for each number, the phrase first; also for numbers that are not given and follow from others."""
    follow: frozenset[int]
    """The numbers that are not given: they are said as the number below, with another rest."""
    outside: Mapping[int, str]
    """Numbers that are known and have no expression in the grammar, each with the reason."""
    unknown: tuple[int, ...]
    """Numbers that are not given and do not follow."""
    doubtful: tuple[int, ...]
    """Words that another choice of multipliers, just as small, would read otherwise."""
    rules: Clauses | None
    """The rules of what is said, as far as they reach without a gap."""
    highest: int
    """The highest number that is given."""
    base: str
    """The base by which it counts, with the smaller one inside it: decimal, quinary-vigesimal, ..."""


def read_expressions(given: Mapping[int, Sequence[Expression]], upto: int = UPTO) -> SaidNumbers:
    """Read a language off its expressions; of several for a number the first that the grammar derives counts.

    >>> english = {n: [Expression.parse(str(n))] for n in range(1, 13)} | {13: [Expression.parse("3 + 10")]}
    >>> found = read_expressions(english | {20: [Expression.parse("2 * 10")]})
    >>> str(found.system), str(found.said[13])
    ('1-9,11,12 | 10', '10 + 3')
    """
    inside = {number: list(forms) for number, forms in sorted(given.items()) if number <= upto}
    chosen, outside = _choose(inside)
    top = upto if upto - upto % 10 in given else min(upto, max(given))
    showing = [each for each in chosen.values() if not _multiplies_twice(each)]
    multipliers, doubtful = fewest_multipliers([*map(derivations, showing), *map(_only, _followed(chosen, top))])
    for number in [number for number, each in chosen.items() if not _meets(each, multipliers)]:
        outside[number] = TWICE
        del chosen[number]
    said = {number: _ordered(each, multipliers) for number, each in chosen.items()}
    follow, unknown = _fill(said, outside, multipliers, top)
    words = {leaf for number in chosen for leaf in _leaves(said[number])}
    system = NumeralSystem(tuple(words - multipliers), tuple(multipliers), HURFORD.name) if multipliers else None
    rules = _rules(said, system) if system else None
    return SaidNumbers(system, said, follow, outside, unknown, doubtful, rules, max(given), base_of(inside))


def _choose(given: Mapping[int, Sequence[Expression]]) -> tuple[dict[int, Expression], dict[int, str]]:
    chosen: dict[int, Expression] = {}
    outside: dict[int, str] = {}
    for number, forms in given.items():
        fits = next((form for form in forms if derivations(form) and max(_leaves(form)) <= UPTO), None)
        if fits is None:
            outside[number] = why_outside(forms[0])
        else:
            chosen[number] = fits
    return chosen, outside


def _multiplies_twice(expression: Expression) -> bool:
    products = [node for node in expression.nodes() if node.operator == "*"]
    return any(side.operator == "*" for node in products for side in _sides(node))


def _only(multiplier: int) -> Ways:
    return frozenset((frozenset((multiplier,)),))


def _leaves(expression: Expression) -> set[int]:
    return {node.value for node in expression.nodes() if node.operator is None}


# Which words must be multipliers.


@cache
def derivations(expression: Expression) -> Ways:
    """The least sets of multipliers that derive an expression as a number.

    >>> sorted(map(sorted, derivations(Expression.parse("2 * 10 + 1"))))
    [[2], [10]]
    """
    if expression.operator is None:
        return AS_A_WORD
    if expression.operator == "-":
        head, rest = _sides(expression)
        return _least(_both(_phrases(head), derivations(rest)))
    if expression.operator == "*":
        return _phrases(expression)
    parts = _parts(expression)
    found: set[Heads] = set()
    for last in range(len(parts)):
        ways = [derivations(part) if at == last else _phrases(part) for at, part in enumerate(parts)]
        found |= {frozenset().union(*each) for each in itertools.product(*ways)}
    return _least(found)


@cache
def _phrases(expression: Expression) -> Ways:
    """The least sets of multipliers that derive it as a phrase: a multiplier, or a number times one."""
    if expression.operator is None:
        return NO_WAY if expression.value == 1 else _only(expression.value)
    if expression.operator != "*":
        return NO_WAY
    left, right = _sides(expression)
    found: set[Heads] = set()
    for factor, multiplier in ((left, right), (right, left)):
        if multiplier.operator is None and multiplier.value != 1:
            found |= _both(derivations(factor), _only(multiplier.value))
    return _least(found)


def _both(one: Ways, other: Ways) -> set[Heads]:
    return {a | b for a in one for b in other}


def _least(sets: Iterable[Heads]) -> Ways:
    found = set(sets)
    return frozenset(each for each in found if not any(other < each for other in found))


def _sides(expression: Expression) -> tuple[Expression, Expression]:
    """What stands on both sides of its operator, of which a word has none."""
    assert expression.left is not None
    assert expression.right is not None
    return expression.left, expression.right


def _parts(expression: Expression) -> list[Expression]:
    """The parts of a sum, however it is bracketed."""
    if expression.operator != "+":
        return [expression]
    return [part for side in _sides(expression) for part in _parts(side)]


def fewest_multipliers(needs: Iterable[Ways]) -> tuple[frozenset[int], tuple[int, ...]]:
    """The smallest set of words with which everything can be derived, and the words that another one has instead.

    >>> fewest_multipliers([frozenset({frozenset({2}), frozenset({4})})])
    (frozenset({4}), (2, 4))
    """
    open_needs = {each for each in needs if each and frozenset[int]() not in each}
    forced = frozenset[int]().union(*(next(iter(each)) for each in open_needs if len(each) == 1))
    best: list[frozenset[int]] = []
    for size in range(len(forced), len(forced) + len(open_needs) + 1):
        best = sorted(set(_sets(forced, open_needs, size)), key=lambda each: (-sum(each), sorted(each)))
        if best:
            break
    chosen = best[0]
    return chosen, tuple(sorted(frozenset[int]().union(*best) - frozenset(chosen).intersection(*best)))


def _sets(chosen: frozenset[int], needs: Iterable[Ways], size: int) -> Iterator[frozenset[int]]:
    """All sets of at most that many words that meet the needs, one need after the other."""
    open_need = min((each for each in needs if not any(way <= chosen for way in each)), key=_order, default=None)
    if open_need is None:
        yield chosen
        return
    for way in open_need:
        if len(chosen | way) <= size:
            yield from _sets(chosen | way, needs, size)


def _order(ways: Ways) -> tuple[int, list[list[int]]]:
    return len(ways), sorted(map(sorted, ways))


def why_outside(expression: Expression) -> str:
    """Why the grammar has no such expression, in words.

    >>> why_outside(Expression.parse("((3 * 20) - 10) - 5"))
    'subtracts from a difference'
    """
    for node in expression.nodes():
        if node.operator is None or derivations(node):
            continue
        left, right = _sides(node)
        if not derivations(left) or not derivations(right):
            continue  # the fault lies deeper
        if node.operator == "-":
            return f"subtracts from {_named(left)}"
        if node.operator == "*":
            return "multiplies by what is not one word"
        differences = [part for part in _parts(node) if part.operator == "-"]
        return "adds to a difference" if differences else "adds to 1, which multiplies nothing"
    return f"uses the word for {max(_leaves(expression))}, which lies above the range"


def _named(expression: Expression) -> str:
    return {"+": "a sum", "-": "a difference", None: "1, which multiplies nothing"}.get(
        expression.operator, "a product"
    )


# What is said in the grammar's own order: the phrase first.


def _ordered(expression: Expression, multipliers: frozenset[int]) -> Expression:
    if expression.operator is None:
        return expression
    if expression.operator == "-":
        head, rest = _sides(expression)
        return _ordered(head, multipliers) - _ordered(rest, multipliers)
    if expression.operator == "*":
        left, right = _sides(expression)
        sides = ((left, right), (right, left))
        fits = [pair for pair in sides if _is_multiplier(pair[1], multipliers) and _meets(pair[0], multipliers)]
        factor, multiplier = max(fits, key=lambda pair: pair[1].value)
        return _ordered(factor, multipliers) * multiplier
    parts = sorted(_parts(expression), key=lambda part: -part.value)
    phrases = [part for part in parts if any(way <= multipliers for way in _phrases(part))]
    others = [part for part in parts if part not in phrases]
    rest = others[0] if others else phrases.pop()
    said = _ordered(rest, multipliers)
    for phrase in reversed(phrases):
        said = _ordered(phrase, multipliers) + said
    return said


def _is_multiplier(expression: Expression, multipliers: frozenset[int]) -> bool:
    return expression.operator is None and expression.value in multipliers


def _meets(expression: Expression, multipliers: frozenset[int]) -> bool:
    return any(way <= multipliers for way in derivations(expression))


# Numbers that are not given are said as the number below, with another rest: 41 as 40, 97 as 90.


def _followed(chosen: Mapping[int, Expression], upto: int) -> set[int]:
    """The words above ten that head numbers which are not given, such as a word for 40 where nobody lists 41."""
    return {
        number
        for number, each in chosen.items()
        if each.operator is None and number % 10 == 0 and number + 1 <= upto and number + 1 not in chosen
    }


def _fill(
    said: dict[int, Expression], outside: Mapping[int, str], multipliers: frozenset[int], upto: int
) -> tuple[frozenset[int], tuple[int, ...]]:
    follow: set[int] = set()
    unknown: list[int] = []
    below: Expression | None = None
    for number in range(1, upto + 1):
        if number in said:
            below = said[number]
        elif number in outside:
            below = None
        else:
            head = None if below is None or number < 10 else _head(below, multipliers)
            rest = None if head is None else said.get(number - head.value)
            if head is None or rest is None:
                unknown.append(number)
            else:
                said[number] = head + rest
                follow.add(number)
    return frozenset(follow), tuple(unknown)


def _head(expression: Expression, multipliers: frozenset[int]) -> Expression | None:
    """The phrase to which a rest can be added; none where something is taken away, or a digit stands alone."""
    if expression.operator == "+":
        return _sides(expression)[0]
    if expression.operator == "*":
        return expression
    return expression if _is_multiplier(expression, multipliers) else None


# The rules in the table's notation.


def _rules(said: Mapping[int, Expression], system: NumeralSystem) -> Clauses | None:
    """The clauses that say exactly this, as far as they reach without a gap; what no clause has stands as it is."""
    grouped: dict[tuple[int, int | None, bool], list[int]] = {}
    exact: list[tuple[int, Expression]] = []
    for number in itertools.takewhile(said.__contains__, itertools.count(1)):
        is_digit = number in system.digits
        if is_digit and said[number].operator is None:
            continue
        clause = None if is_digit else _clause(number, said)
        if clause is None:
            exact.append((number, said[number]))
        else:
            grouped.setdefault((clause.multiplier, clause.factor, clause.subtracts), []).append(number)
    clauses = tuple(Clause(tuple(numbers), *head) for head, numbers in grouped.items())
    return Clauses(clauses, tuple(exact)) if clauses or exact else None


def _clause(number: int, said: Mapping[int, Expression]) -> Clause | None:
    """The clause of one number; None where it says a part otherwise than alone, so that no rule has it."""
    expression = said[number]
    subtracts = expression.operator == "-"
    head, rest = expression, None
    if expression.operator in ("+", "-"):
        head, rest = _sides(expression)
    if rest is not None and said.get(rest.value) != rest:
        return None
    if head.operator is None:
        clause = Clause((number,), head.value, None, subtracts)
        return clause if clause.split(number)[0] == 1 else None
    factor, multiplier = _sides(head)
    if said.get(factor.value) != factor:
        return None
    plain = Clause((number,), multiplier.value, None, subtracts)
    if factor.value != 1 and plain.split(number)[0] == factor.value:
        return plain
    return Clause((number,), multiplier.value, factor.value, subtracts)


# The base by which a language counts.

BASES = {2: "binary", 3: "ternary", 4: "quaternary", 5: "quinary", 6: "senary", 8: "octal", 10: "decimal",
         12: "duodecimal", 15: "pentadecimal", 20: "vigesimal"}  # fmt: skip


def base_of(given: Mapping[int, Sequence[Expression]]) -> str:
    """What is counted in the numbers given, also in those that the grammar does not have.

    The base is what most of 30, 40, ..., 90 are multiples of (`3 * 20`), or, where nothing is multiplied, the largest
    word that heads half of the numbers up to its double (`10 + 2`). A smaller word that does so, at most 5, is named
    before it: 20 with 5 is quinary-vigesimal. 20 with 10 is vigesimal-decimal, as usual.

    >>> base_of({n: [Expression.parse(said)] for n, said in {11: "10 + 1", 15: "10 + 5", 60: "3 * 20"}.items()})
    'vigesimal-decimal'
    """
    first = {number: forms[0] for number, forms in given.items()}
    heads = [head for head in range(2, 21) if _heads_most(head, first)]
    # 20 = 2 * 10 tells nothing: it begins both tens and twenties.
    tens = [each for number, each in first.items() if number >= 30 and number % 10 == 0] or first.values()
    multiples = [multiple for each in tens if (multiple := _multiple(each)) > 1]
    if multiples:
        base = max(set(multiples), key=lambda each: (multiples.count(each), -each))
    elif heads:
        base = max(heads)
    else:
        return ""
    name = BASES.get(base, f"base {base}")
    inner = [each for each in heads if each < base]
    if base == 20 and 10 in inner and 5 not in inner:
        return f"{name}-decimal"
    smallest = next((each for each in (5, 4, 3, 2) if each in inner), None)
    return name if smallest is None else f"{BASES[smallest]}-{name}"


def _heads_most(head: int, first: Mapping[int, Expression]) -> bool:
    """Whether a word, or what is worth as much, is what most of the numbers up to its double are added to."""
    numbers = [number for number in range(head + 1, 2 * head) if number in first]
    sums = [_parts(first[number])[:2] for number in numbers if first[number].operator == "+"]
    added = [parts for parts in sums if any(part.value == head for part in parts)]
    return len(numbers) > 0 and 2 * len(added) >= len(numbers)


def _multiple(expression: Expression) -> int:
    """What the largest part of an expression is a multiple of; 1 where nothing is multiplied."""
    whole = _sides(expression)[0] if expression.operator == "-" else expression
    part = max(_parts(whole), key=lambda each: each.value)
    if part.operator != "*":
        return 1
    sides = _sides(part)
    if min(side.value for side in sides) == 1:
        return 1
    composed = [side.value for side in sides if side.operator == "*"]
    return composed[0] if composed else max((side.value for side in sides if side.operator is None), default=1)
