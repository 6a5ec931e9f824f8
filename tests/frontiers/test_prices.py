"""The bound by prices: sound for any prices and rules, as good as enumeration, checked by code of its own."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from enumeration import Lexicon, optima, table
from tests.numerals import combinations

from ishango.frontiers import FrontierPoint, Problem, ProofError, check, solve, write_frontier, write_proof
from ishango.frontiers import _prices as prices_module
from ishango.frontiers._exact import PRICES
from ishango.frontiers._prices import PRICE_BITS, Choices, Market, Prices, PriceSearch, applies, rounded
from ishango.frontiers._proof import PROOF
from ishango.numerals import GRAMMARS, NumeralSystem

RULES = [grammar.name for grammar in combinations.COMBINATIONS if not grammar.bare_phrase]
RANGE, SIZES = 6, (3, 4)


@pytest.fixture(autouse=True)
def _combinations() -> Iterator[None]:
    with combinations.added():
        yield


def problems(grammar: str) -> Iterator[Problem]:
    for need, overlap, cap in (("power:1", False, None), ("uniform", True, None), ("power:1", True, 2)):
        yield Problem(grammar, need, RANGE, overlap, cap)


@pytest.mark.parametrize("grammar", RULES)
def test_no_lexicon_costs_less_than_any_prices_say(grammar: str) -> None:
    chance = random.Random(grammar)
    for problem in problems(grammar):
        for size in SIZES:
            market = Market(problem, size)
            known = lexicons(problem, size)
            for i in range(30):
                choices = tuple(some_of(options, chance) for options in market.every_choice)
                if i % 2 and known:
                    choices = near(chance.choice(list(known)), market.every_choice, chance)
                inside = [cost for lexicon, cost in known.items() if is_in(lexicon, choices)]
                target = chance.choice(list(known.values()))[1] if known else 0
                left, bound = market.narrowed(choices, random_prices(market, chance), None)
                assert left is not None or not inside
                assert all(bound <= cost << PRICE_BITS for _, cost in inside)
                left, _ = market.narrowed(choices, random_prices(market, chance), target << PRICE_BITS)
                better = [lexicon for lexicon, (_, cost) in known.items() if cost < target and is_in(lexicon, choices)]
                assert all(left is not None and is_in(lexicon, left) for lexicon in better)


@pytest.mark.parametrize("grammar", RULES)
def test_what_counting_decides_has_as_many_words_as_asked(grammar: str) -> None:
    decided, chance = 0, random.Random(1)
    for problem in (Problem(grammar, "uniform", RANGE, False, cap) for cap in (None, 2)):
        for size in SIZES:
            market = Market(problem, size)
            for _ in range(300):
                left, _ = market.narrowed(tuple(some_of(each, chance, 0.6) for each in market.every_choice), None, None)
                lexicon = None if left is None else market.lexicon(left)
                if lexicon is not None:
                    decided += 1
                    assert sum(map(len, lexicon)) == size
                    assert market.fewest <= len(lexicon[1]) <= market.most
    assert decided > 50


def lexicons(problem: Problem, size: int) -> dict[Lexicon, tuple[int, int]]:
    """The lexicons that the tree must hold: |M| and the cost of each."""
    fewest, most = problem.multiplier_counts(size)
    disjoint = problem.rules.bare_number or not problem.overlap
    return {
        (d, m): (len(m), sum(unit * (2 * k - 1) for unit, k in zip(problem.units, leaves, strict=True)))
        for (d, m), leaves in table(problem.upto, size, GRAMMARS[problem.grammar]).items()
        if fewest <= len(m) <= most and (not disjoint or set(d).isdisjoint(m))
    }


def some_of(options: frozenset[int], chance: random.Random, part: float = 0.8) -> frozenset[int]:
    return frozenset(choice for choice in options if chance.random() < part) or options


def near(lexicon: Lexicon, every: Choices, chance: random.Random) -> Choices:
    """Most numbers are what they are in the lexicon: bounds come close to its cost."""
    made = (frozenset({(n in lexicon[0]) + 2 * (n in lexicon[1])}) for n in range(len(every)))
    return tuple(one if chance.random() < 0.9 else options for one, options in zip(made, every, strict=True))


def is_in(lexicon: Lexicon, choices: Choices) -> bool:
    return all((n in lexicon[0]) + 2 * (n in lexicon[1]) in choices[n] for n in range(1, len(choices)))


def random_prices(market: Market, chance: random.Random) -> Prices:
    whole = 1 << PRICE_BITS
    prices = Prices(
        tuple(chance.randrange(whole // 4) for _ in range(market.upto)),
        tuple(chance.randrange(whole // 4) for _ in market.products),
        chance.randrange(whole // 2),
        chance.randrange(-whole // 4, whole // 4),
    )
    return rounded(market, prices)


@pytest.mark.parametrize("grammar", RULES)
def test_the_search_finds_what_enumeration_finds_and_the_checker_agrees(tmp_path: Path, grammar: str) -> None:
    for problem in problems(grammar):
        points: list[FrontierPoint] = []
        for size in SIZES:
            search = PriceSearch(problem, size)
            assert search.run(10_000)
            expected = optima(
                RANGE, size, list(problem.exact_need), GRAMMARS[grammar], problem.overlap, problem.max_multipliers
            )
            assert search.best == (None if expected is None else expected[0])
            if search.lexicon is not None and search.best is not None:
                assert search.lower_bound == float(search.best)
                points.append(point_of(problem, size, search.lexicon, search.best))
        write_frontier(tmp_path, problem, points)
        write_proof(tmp_path, problem, points)
        assert [checked.size for checked in check(tmp_path)] == [point.size for point in points]


def point_of(problem: Problem, size: int, lexicon: Lexicon, average: Fraction) -> FrontierPoint:
    system = NumeralSystem(*lexicon, problem.grammar)
    return FrontierPoint(size, system, average, float(average), True, 0, 0.0, bound=PRICES)


def test_sizes_that_counting_leaves_open_are_proved() -> None:
    point = solve(Problem(need="power:1"), 42)
    assert (point.proved, point.bound) == (True, PRICES)
    assert str(point.system) == "1-10,12,13,15,17,20-27,29-31,34,35,37,39-41,43,45-47,49,50 | 11,14,16,18,19"


def test_every_optimum_is_still_sought_by_counting() -> None:
    assert solve(Problem(need="power:1", upto=30), 8, every=True).bound == "layers"


class MoreRules(NamedTuple):
    bare_number: bool
    bare_phrase: bool
    plus: bool
    minus: bool
    unheard_of: bool


def test_rules_that_are_not_known_are_left_to_the_other_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    assert applies(Problem())
    assert applies(Problem("natural"))
    assert not applies(Problem("hurford"))
    monkeypatch.setattr(prices_module, "GrammarFlags", MoreRules)
    assert not applies(Problem())


def unnamed_bound(lines: Any) -> None:
    del lines[0]["bounds"]


def unknown_bound(lines: Any) -> None:
    lines[0]["bounds"] = lines[0]["bounds"] + ["hope"]


def too_dear(lines: Any) -> None:
    lines[1]["prices"][0]["reached"][98] = 1 << PRICE_BITS


def negative_price(lines: Any) -> None:
    lines[1]["prices"][0]["reached"][98] = -1


def greedy_share(lines: Any) -> None:
    lines[1]["prices"][0]["shares"] = [1 << PRICE_BITS] * len(lines[1]["prices"][0]["shares"])


def fractional_price(lines: Any) -> None:
    lines[1]["prices"][0]["word"] += 0.5


def free_words(lines: Any) -> None:
    lines[1]["prices"][0]["word"] = 0


def cut_tree(lines: Any) -> None:
    lines[1]["splits"] = lines[1]["splits"][:-1]


def longer_tree(lines: Any) -> None:
    lines[1]["splits"].append(0)


def settled_root(lines: Any) -> None:
    lines[1]["splits"], lines[1]["prices"] = [0], lines[1]["prices"][:1]


def settled_without_prices(lines: Any) -> None:
    lines[1]["splits"], lines[1]["prices"] = [0], []


def fewer_prices(lines: Any) -> None:
    del lines[1]["prices"][0]["shares"][-1]


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("prices")
    problem = Problem(need="power:1")
    points = [solve(problem, 50)]
    assert points[0].bound == PRICES
    write_frontier(directory, problem, points)
    write_proof(directory, problem, points)
    assert [checked.size for checked in check(directory)] == [50]
    return directory


@pytest.mark.parametrize(
    ("tamper", "sentence"),
    [
        (unnamed_bound, "the header does not name"),
        (unknown_bound, "not known here: hope, prices"),
        (too_dear, "priced above its weight"),
        (negative_price, "or below 0"),
        (greedy_share, "a share is more than the price"),
        (fractional_price, "not a whole number"),
        (free_words, "Size 50"),
        (cut_tree, "ends early"),
        (longer_tree, "goes on after the tree"),
        (settled_root, "lexicons are left"),
        (settled_without_prices, "lexicons are left"),
        (fewer_prices, "a share for each product"),
    ],
)
def test_what_is_tampered_with_is_rejected(
    tmp_path: Path, proved: Path, tamper: Callable[[Any], None], sentence: str
) -> None:
    for path in proved.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = [json.loads(line) for line in gzip.decompress((proved / PROOF).read_bytes()).splitlines()]
    tamper(lines)
    (tmp_path / PROOF).write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    with pytest.raises(ProofError, match=sentence):
        list(check(tmp_path))


def test_prices_prove_nothing_where_a_multiplier_is_a_phrase(tmp_path: Path, proved: Path) -> None:
    lines = [json.loads(line) for line in gzip.decompress((proved / PROOF).read_bytes()).splitlines()]
    document = json.loads((proved / "frontier.json").read_text())
    for record in (lines[0]["problem"], document["problem"]):
        record["grammar"] = "latin"
        record["rules"] = {"bare_number": True, "bare_phrase": True, "plus": True, "minus": True}
    point = solve(Problem("hurford", "power:1"), 50)
    for record in (lines[1], document["points"][0]):
        record["digits"], record["multipliers"] = list(point.system.digits), list(point.system.multipliers)
    lines[1]["average"] = str(point.average)
    document["points"][0].update(average_complexity=float(point.average), lower_bound=float(point.average))
    del document["points"][0]["optima"]
    (tmp_path / PROOF).write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    (tmp_path / "frontier.json").write_text(json.dumps(document))
    with pytest.raises(ProofError, match="prices prove nothing where a multiplier alone is a phrase"):
        list(check(tmp_path))
