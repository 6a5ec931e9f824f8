"""The batch evaluator beside a plain-Python dynamic programme, and the cost of larger ranges."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ishango.numerals import NumeralSystem, evaluate_many, leaves_of_many, masks, minimal_language

RANGE, LIMIT, WORDS = 99, 200, 12


def main() -> None:
    systems = covering_systems(20_000, np.random.default_rng(0))
    digits, multipliers = masks(systems, RANGE)
    leaves_of_many(digits[:10], multipliers[:10])  # compile before the clock starts
    fast, slow = [], []
    for round_ in range(5):  # alternating, so that both see the same noise of the machine
        fast.append(len(systems) / seconds(lambda: leaves_of_many(digits, multipliers)))
        some = systems[40 * round_ : 40 * (round_ + 1)]
        slow.append(len(some) / seconds(lambda: [plain_leaves(each) for each in some]))  # noqa: B023
    assert [plain_leaves(each) for each in systems[:20]] == leaves_of_many(digits[:20], multipliers[:20]).tolist()
    print(f"random {WORDS}-word systems that cover 1..{RANGE}, limit {LIMIT}, one core; median of 5 rounds")
    print(f"  batch evaluator          {np.median(fast):12,.0f} systems a second")
    print(f"  plain dynamic programme  {np.median(slow):12,.0f} systems a second")
    print(f"  ratio                    {np.median(np.array(fast) / np.array(slow)):12,.0f}")
    whole = len(systems) / seconds(lambda: evaluate_many(systems))
    print(f"  from NumeralSystem objects to averages {whole:,.0f} systems a second")
    print_ranges()


def print_ranges() -> None:
    """D = 1-9, M = the powers of ten inside the range (words lie in the range)."""
    print("cost as the range grows, D = 1-9, M = 10, 100, 1000 as far as inside the range")
    print("  range   limit  least leaves   expressions          ties")
    for upto in (99, 999, 9999):
        system = NumeralSystem(tuple(range(1, 10)), tuple(m for m in (10, 100, 1000) if m <= upto))
        search = min(seconds(lambda: minimal_language(system, upto)) for _ in range(3))  # noqa: B023
        language = minimal_language(system, upto)
        expressions = seconds(lambda: language.expressions)  # noqa: B023
        ties = seconds(lambda: language.languages)  # noqa: B023
        times = f"{1e3 * search:9.2f} ms  {1e3 * expressions:9.1f} ms  {1e3 * ties:9.1f} ms"
        print(f"  {upto:5}  {language.limit:6}  {times}")


def covering_systems(count: int, rng: np.random.Generator) -> list[NumeralSystem]:
    """1 is a digit, |M| is uniform in 1..5, the other words are drawn from 2..99; those that cover are kept."""
    found: list[NumeralSystem] = []
    while len(found) < count:
        drawn = []
        for _ in range(count):
            others = rng.choice(np.arange(2, RANGE + 1), WORDS - 1, replace=False).tolist()
            n_multipliers = int(rng.integers(1, 6))
            drawn.append(NumeralSystem((1, *others[n_multipliers:]), tuple(others[:n_multipliers])))
        averages = evaluate_many(drawn, upto=RANGE)
        found += [system for system, average in zip(drawn, averages, strict=True) if not np.isnan(average)]
    return found[:count]


def plain_leaves(system: NumeralSystem) -> list[int]:
    """Level by level with Python's sets: what one writes first."""
    numbers, phrases = {1: set(system.digits)}, {1: set()}
    leaves = dict.fromkeys(system.digits, 1)
    seen_phrases: set[int] = set()
    level = 1
    while any(n not in leaves for n in range(1, RANGE + 1)) and level < 2 * max(leaves.values()):
        level += 1
        products = {n * m for n in numbers[level - 1] for m in system.multipliers if n * m <= LIMIT}
        phrases[level] = products - seen_phrases
        seen_phrases |= phrases[level]
        new = set(phrases[level])
        for x in range(1, level):
            for p in phrases[x]:
                for n in numbers[level - x]:
                    new.update(value for value in (p + n, p - n) if 1 <= value <= LIMIT)
        numbers[level] = new - leaves.keys()
        leaves.update(dict.fromkeys(numbers[level], level))
    return [leaves.get(n, 0) for n in range(1, RANGE + 1)]


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
