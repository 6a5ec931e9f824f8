"""Slow and plain answers to check the fast ones against; nothing here is shared with the package.

`rules` says what the grammar has: `bare_number`, `bare_phrase`, `plus`, `minus` and `flat`.
"""

from __future__ import annotations

from itertools import product


def joined(rules, phrase: int, number: int) -> list[tuple[int, str]]:
    """What a phrase and a number make, and with which operator; the sum comes first."""
    return [(phrase + number, "+")] * rules.plus + [(phrase - number, "-")] * rules.minus


def least_leaves(digits, multipliers, rules, limit: int) -> dict[int, int]:
    """Least leaves of every value up to the limit: relax all rules until nothing changes."""
    numbers = dict.fromkeys(digits, 1)
    phrases: dict[int, int] = {}

    def relax(table: dict[int, int], value: int, leaves: int) -> bool:
        if 1 <= value <= limit and leaves < table.get(value, 10**9):
            table[value] = leaves
            return True
        return False

    changed = True
    while changed:
        changed = False
        for m in multipliers:
            changed |= rules.bare_number and relax(numbers, m, 1)
            changed |= rules.bare_phrase and relax(phrases, m, 1)
        words = {*digits, *(multipliers if rules.bare_number else ())}
        factors = {**phrases, **dict.fromkeys(words, 1)} if rules.flat else numbers
        for (n, leaves), m in product(list(factors.items()), multipliers):
            changed |= relax(phrases, n * m, leaves + 1)
        for p, leaves in list(phrases.items()):
            changed |= relax(numbers, p, leaves)
        for (p, p_leaves), (n, n_leaves) in product(list(phrases.items()), list(numbers.items())):
            for value, _ in joined(rules, p, n):
                changed |= relax(numbers, value, p_leaves + n_leaves)
    return numbers


def all_expressions(digits, multipliers, rules, limit: float, most_leaves: int) -> dict[int, dict[int, set]]:
    """Every expression with at most so many leaves as a nested tuple: leaves -> value -> expressions."""
    numbers: dict[int, dict[int, set]] = {}
    phrases: dict[int, dict[int, set]] = {}
    for k in range(1, most_leaves + 1):
        numbers[k], phrases[k] = {}, {}
        if k == 1:
            for d in digits:
                numbers[k].setdefault(d, set()).add(d)
            for m in multipliers:
                if rules.bare_number:
                    numbers[k].setdefault(m, set()).add(m)
                if rules.bare_phrase:
                    phrases[k].setdefault(m, set()).add(m)
        else:
            for n, expressions in numbers[k - 1].items():
                for m in multipliers:
                    if n * m <= limit:
                        factors = {e for e in expressions if not rules.flat or isinstance(e, int) or e[1] == "*"}
                        if factors:
                            phrases[k].setdefault(n * m, set()).update((e, "*", m) for e in factors)
        for value, expressions in phrases[k].items():
            numbers[k].setdefault(value, set()).update(expressions)
        for x in range(1, k):
            for (p, ps), (n, ns) in product(phrases[x].items(), numbers[k - x].items()):
                for value, operator in joined(rules, p, n):
                    if 1 <= value <= limit:
                        pairs = {(a, operator, b) for a in ps for b in ns}
                        numbers[k].setdefault(value, set()).update(pairs)
    return numbers


def first_found(digits, multipliers, rules, upto: int, limit: int) -> dict[int, object]:
    """The rule of docs/minimal.md word by word: the first expression met for each number, as a nested tuple."""
    numbers: dict[int, object] = {}
    phrases: dict[int, object] = {}
    number_levels: dict[int, list[int]] = {1: []}
    phrase_levels: dict[int, list[int]] = {1: []}
    for d in sorted(digits):
        numbers[d] = d
        number_levels[1].append(d)
    for m in sorted(multipliers):
        if rules.bare_phrase:
            phrases[m] = m
            phrase_levels[1].append(m)
        if rules.bare_number and m not in numbers:
            numbers[m] = m
            number_levels[1].append(m)
    level = last_new = 1
    while any(n not in numbers for n in range(1, upto + 1)) and level < 2 * last_new:
        level += 1
        number_levels[level], phrase_levels[level] = [], []
        at, called = (phrase_levels, phrases) if rules.flat and level > 2 else (number_levels, numbers)
        for n in at[level - 1]:
            for m in sorted(multipliers):
                if n * m <= limit and n * m not in phrases:
                    phrases[n * m] = (called[n], "*", m)
                    phrase_levels[level].append(n * m)
        for p in phrase_levels[level]:
            if p not in numbers:
                numbers[p] = phrases[p]
                number_levels[level].append(p)
        for x in range(1, level):
            for p in phrase_levels[x]:
                for n in number_levels[level - x]:
                    for value, operator in joined(rules, p, n):
                        if 1 <= value <= limit and value not in numbers:
                            numbers[value] = (phrases[p], operator, numbers[n])
                            number_levels[level].append(value)
        if number_levels[level] or phrase_levels[level]:
            last_new = level
    return {n: numbers[n] for n in range(1, upto + 1) if n in numbers}


def as_tuple(expression):
    """An Expression of the package as a nested tuple."""
    if expression.operator is None:
        return expression.value
    return (as_tuple(expression.left), expression.operator, as_tuple(expression.right))
