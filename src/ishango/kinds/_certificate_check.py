"""An independent check of a certificate: that the system costs what it is said to, and that nothing costs less than the
lower bound.

Nothing here comes from the search: not its evaluator, not its bound, not its errors or grammars. Everything is computed
anew from the definitions in `docs/studies/kinds.md`, in plain Python and double precision; sums may be off by `CLOSE`.
A need that is not known here is taken as it is recorded, and that is said.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from ishango.errors import damage

CERTIFICATE = "optimum.json"
CLOSE = 1e-9

Table = list[list[float]]
"""Rows of numbers; in a file null stands for what cannot be."""

ERRORS: dict[str, Callable[[int, int], float]] = {
    "weber": lambda n, v: abs(n - v) / n,
    "log": lambda n, v: abs(math.log(n) - math.log(v)),
    "exact": lambda n, v: float(n != v),
}
GRAMMARS = ("modified", "hurford")


class CertificateError(Exception):
    """The certificate does not hold; the message says where and why."""


@dataclass(frozen=True)
class Checked:
    cost: float
    lower: float
    tables: int
    unknown_need: str | None
    """A need that the checker does not know: what holds, holds for the recorded weights."""


def check_certificate(directory: Path) -> Checked:
    """Verify the certificate in a directory; raises `CertificateError` at the first thing that does not hold."""
    try:
        return _check(json.loads((directory / CERTIFICATE).read_text(encoding="utf-8")))
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise CertificateError(f"{directory / CERTIFICATE} is not a certificate ({damage(error)}).") from error


def _check(held: dict[str, Any]) -> Checked:
    law, weights = held["law"], [float(each) for each in held["weights"]]
    _require(law["grammar"] in GRAMMARS, f"The grammar {law['grammar']} is not known here.")
    _require(law["error"] in ERRORS, f"The error {law['error']} is not known here.")
    _require(len(weights) == law["upto"] and all(each >= 0 for each in weights), "There is not a weight a number.")
    _require(abs(math.fsum(weights) - 1) < CLOSE, "The weights do not add up to 1.")
    for name in ("word", "effort", "precision"):
        _require(0 <= law[name] < math.inf, f"The price {name} is {law[name]}, and must not be below 0.")
    for word in (*held["digits"], *held["multipliers"]):
        _require(type(word) is int and 1 <= word <= law["upto"], f"The word {word!r} is no number of the range.")
    known = _known_need(law["need"], law["upto"])
    for recorded, expected in zip(weights, known or weights, strict=True):
        _require(abs(recorded - expected) < CLOSE, f"The weights are not those of {law['need']}.")
    error = ERRORS[law["error"]]
    numbers = range(1, law["upto"] + 1)
    losses = [[law["precision"] * error(n, v) for v in numbers] for n in numbers]
    cost = _cost(held, weights, losses)
    _require(abs(cost - held["cost"]) < CLOSE, f"The system costs {cost}, not {held['cost']}.")
    _check_bound(held, weights, losses)
    _require(not held["proved"] or cost - held["lower"] < 2 * CLOSE, "It is called proved, and the bound is below.")
    return Checked(cost, held["lower"], 1 + len(held["priced"]), None if known else law["need"])


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise CertificateError(message)


def _known_need(need: str, upto: int) -> list[float] | None:
    form, _, value = need.partition(":")
    shapes: dict[str, Callable[[int], float]] = {
        "power": lambda n: n ** -float(value),
        "exp": lambda n: math.exp(-float(value) * n),
        "uniform": lambda _: 1.0,
    }
    if form not in shapes:
        return None
    raw = [shapes[form](n) for n in range(1, upto + 1)]
    return [each / math.fsum(raw) for each in raw]


def _cost(held: dict[str, Any], weights: list[float], losses: Table) -> float:
    law = held["law"]
    leaves = _leaves(held["digits"], held["multipliers"], law["grammar"], 2 * law["upto"] + 2)
    lengths = {v: 2 * leaves[v] - 1 for v in range(1, law["upto"] + 1) if v in leaves}
    saying = math.fsum(
        weight * min(law["effort"] * length + row[v - 1] for v, length in lengths.items())
        for weight, row in zip(weights, losses, strict=True)
    )
    return law["word"] * (len(set(held["digits"])) + len(set(held["multipliers"]))) + saying


def _leaves(digits: list[int], multipliers: list[int], grammar: str, limit: int) -> dict[int, int]:
    """The fewest leaves of each number, as the least fixed point of the rules: number = digit | phrase | phrase +-
    number, phrase = number * multiplier; under `hurford` a multiplier is a phrase, too."""
    bare = multipliers if grammar == "hurford" else []
    phrases: dict[int, int] = dict.fromkeys(bare, 1)
    numbers: dict[int, int] = {**phrases, **dict.fromkeys(digits, 1)}
    changed = True
    while changed:
        found = [(n * m, leaves + 1) for n, leaves in numbers.items() for m in multipliers]
        changed = _lower(phrases, found, limit)
        found = [*phrases.items()]
        for phrase, first in phrases.items():
            for number, second in numbers.items():
                found += [(phrase + number, first + second), (phrase - number, first + second)]
        changed = _lower(numbers, found, limit) or changed
    return numbers


def _lower(known: dict[int, int], found: list[tuple[int, int]], limit: int) -> bool:
    changed = False
    for value, leaves in found:
        if 1 <= value <= limit and leaves < known.get(value, leaves + 1):
            known[value], changed = leaves, True
    return changed


def _check_bound(held: dict[str, Any], weights: list[float], losses: Table) -> None:
    law, lower = held["law"], held["lower"]
    rows = len(held["plain"])
    large = law["effort"] + law["word"] * (rows + 1)
    _require(large >= lower - CLOSE or rows >= law["upto"], f"Systems of more than {rows} words may cost less.")
    _require(lower <= law["effort"] + law["word"] * law["upto"] + CLOSE, "A word for each number costs less.")
    lost = [[weight * loss for loss in row] for weight, row in zip(weights, losses, strict=True)]
    symbol = law["effort"] * math.fsum(weights)
    for words, value in enumerate(_proved(held["plain"], lost), start=1):
        least = symbol + value + law["word"] * words
        _require(least >= lower - CLOSE, f"{words} words without multipliers may cost less.")
    priced = [
        (each["price"], _proved(each["table"], _priced(law, weights, losses, each["price"]))) for each in held["priced"]
    ]
    for digits in range(rows):
        for multipliers in range(1, rows - digits + 1):
            words, two = _counts(digits, multipliers, law["grammar"])
            if words:
                words, two = min(words, law["upto"]), min(two, law["upto"])
                best = max((values[words - 1] - price * two for price, values in priced), default=-math.inf)
                _require(
                    best + law["word"] * (digits + multipliers) >= lower - CLOSE,
                    f"{digits} digits and {multipliers} multipliers may cost less.",
                )


def _counts(digits: int, multipliers: int, grammar: str) -> tuple[int, int]:
    """How many words are numerals by themselves, and how many expressions of two leaves there are at most."""
    if grammar == "modified":
        return digits, digits * multipliers
    products = digits * multipliers + multipliers * (multipliers + 1) // 2
    return digits + multipliers, products + 2 * multipliers * digits + multipliers**2  # sums, and differences above 0


def _priced(law: dict[str, Any], weights: list[float], losses: Table, price: float) -> Table:
    """What a number costs by the word of another, or else by an expression of its own, of another, or a long one."""
    _require(price >= 0, "A price is below 0.")
    found: Table = []
    for n, (weight, row) in enumerate(zip(weights, losses, strict=True)):
        other = min((loss for v, loss in enumerate(row) if v != n), default=math.inf)
        effort = law["effort"]
        otherwise = min(weight * 3 * effort + price, weight * (3 * effort + other), weight * 5 * effort)
        found.append([weight * (effort + loss) if v == n else min(weight * (effort + loss), otherwise)
                      for v, loss in enumerate(row)])  # fmt: skip
    return found


def _proved(table: list[list[float | None]], costs: Table) -> list[float]:
    """What 1, 2, ... words cost at least all together, once no step from word to word undercuts the table.

    `costs[n][v]`: what n costs where v is its word. Row k of the table: what k + 1 words cost at least with all numbers
    up to the last of them, which is given.
    """
    n = len(costs)
    rows = [[math.inf if each is None else float(each) for each in row] for row in table]
    first = [math.fsum(costs[i][v] for i in range(v + 1)) for v in range(n)]
    _below(rows[0], first)
    steps = [[math.inf] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1, n):
            steps[i][j] = math.fsum(min(costs[k][i], costs[k][j]) for k in range(i + 1, j)) + costs[j][j]
    for row, after in pairwise(rows):
        _below(after, [min((row[i] + steps[i][j] for i in range(j)), default=math.inf) for j in range(n)])
    rest = [math.fsum(costs[k][v] for k in range(v + 1, n)) for v in range(n)]
    return [min(each + more for each, more in zip(row, rest, strict=True)) for row in rows]


def _below(row: list[float], most: list[float]) -> None:
    for place, (held, limit) in enumerate(zip(row, most, strict=True), start=1):
        _require(held <= limit + 1e-12 * (1 + limit), f"A table says {held} at {place}, where {limit} can be had.")
