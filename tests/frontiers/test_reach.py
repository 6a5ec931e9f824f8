"""The search by reach and the checker's own agree with enumeration, and neither takes a lexicon that is not best."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from itertools import combinations as combinations_of
from pathlib import Path

import numpy as np
import pytest
from enumeration import optima
from tests.numerals import combinations

from ishango.frontiers import FrontierPoint, Problem, ProofError, check, solve, write_frontier, write_proof
from ishango.frontiers import _exact as exact
from ishango.frontiers import _reach as reach_free
from ishango.frontiers._everything import Everything
from ishango.frontiers._exact import REACH
from ishango.frontiers._proof import PROOF
from ishango.frontiers._reach import FreeReach, Reach, climb, reaches, reaches_free, together
from ishango.numerals import GRAMMARS, NumeralSystem

APPLIES = [grammar.name for grammar in combinations.COMBINATIONS if not grammar.bare_number]
FREE = [grammar.name for grammar in combinations.COMBINATIONS if grammar.bare_phrase]


@pytest.fixture(autouse=True)
def _combinations() -> Iterator[None]:
    with combinations.added():
        yield


def proof_of(directory: Path, problem: Problem, systems: list[NumeralSystem]) -> None:
    """Write a proof by reach that these systems are optimal, whether they are or not."""
    points = [
        FrontierPoint(system.size, system, average, float(average), True, 0, 0.0, bound=REACH)
        for system in systems
        if (average := problem.average(system)) is not None
    ]
    write_frontier(directory, problem, points)
    write_proof(directory, problem, points)


CASES = [(name, 8, None) for name in APPLIES + FREE] + [(name, 7, 2) for name in APPLIES]


@pytest.mark.parametrize(("grammar", "upto", "cap"), CASES)
def test_what_is_found_is_what_enumeration_finds(tmp_path: Path, grammar: str, upto: int, cap: int | None) -> None:
    problem = Problem(grammar, "uniform", upto, max_multipliers=cap)
    systems: list[NumeralSystem] = []
    for size in (2, 3, 4, 5):
        expected = optima(upto, size, list(problem.exact_need), GRAMMARS[grammar], False, cap)
        search = (FreeReach if grammar in FREE else Reach)(problem, size, float("inf"), problem.slack(every=False))
        found = []
        while not search.done:
            found = search.run(50) or found
        if expected is None:
            assert not found
            continue
        assert search.incumbent == pytest.approx(float(expected[0]) * problem.scale, abs=1e-9)
        systems.append(NumeralSystem(*found[-1], grammar))
        assert problem.average(systems[-1]) == expected[0]
    proof_of(tmp_path, problem, systems)
    assert [checked.size for checked in check(tmp_path)] == [system.size for system in systems]


def every_optimum(search: Reach | FreeReach | Everything) -> set[object]:
    found = set[object]()
    while not search.done:
        found |= set(search.run(100_000))
    return found


@pytest.mark.parametrize(("grammar", "search", "size"), [("modified", Reach, 4), ("hurford", FreeReach, 5)])
def test_as_much_is_found_as_by_looking_at_every_lexicon(
    tmp_path: Path, grammar: str, search: type[Reach | FreeReach], size: int
) -> None:
    """Also by the checker, which takes the optimum and refuses a lexicon of which the words need one leaf more."""
    problem = Problem(grammar, "uniform", 40)
    best = Everything(problem, size, float("inf"), problem.slack(every=False))
    every_optimum(best)
    expected = every_optimum(Everything(problem, size, best.incumbent, problem.slack(every=True)))
    assert every_optimum(search(problem, size, best.incumbent, problem.slack(every=True))) == expected
    nearly = every_optimum(Everything(problem, size, best.incumbent, 3.0)) - expected
    digits, multipliers = min(expected)  # pyright: ignore
    proof_of(tmp_path, problem, [NumeralSystem(digits, multipliers, grammar)])
    assert [checked.size for checked in check(tmp_path)] == [size]
    for digits, multipliers in list(nearly)[:3]:  # pyright: ignore
        proof_of(tmp_path, problem, [NumeralSystem(digits, multipliers, grammar)])
        with pytest.raises(ProofError, match="a lexicon that costs less than the optimum"):
            list(check(tmp_path))


def pairs(words: Sequence[int], upto: int) -> set[int]:
    made = {n for x, y in combinations_of(words, 2) for n in (x + y, x * y, y - x)}
    return {n for n in made if n <= upto}


@pytest.mark.parametrize("left", [2, 3, 4])
def test_new_words_make_no_more_two_by_two_than_is_counted(left: int) -> None:
    upto, table = 14, together(4, 14)
    most = dict.fromkeys(range(1, upto + 1), 0)
    for words in combinations_of(range(1, upto + 1), left):
        most[words[0]] = max(most[words[0]], len(pairs(words, upto)))
    assert all(table[left, x] >= made for x, made in most.items())
    assert any(table[left, x] == made > 0 for x, made in most.items())  # it is a bound, not just a large number


def test_the_best_climb_ends_at_the_top_of_a_small_hill() -> None:
    def reached(words: Sequence[int]) -> int:
        alone = {n for x in words for n in (x, 2 * x, x * x) if n <= 20}
        return len(alone | pairs(words, 20))

    found = climb(4, 20, 100, np.random.default_rng(0)).tolist()
    assert found == sorted(set(found))
    assert reached(found) == max(map(reached, combinations_of(range(1, 21), 4)))


def test_a_climb_is_where_the_search_of_many_words_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach_free, "CLIMBED", 5)
    monkeypatch.setattr(reach_free, "CLIMBS", 50)
    problem = Problem("hurford", "uniform", 40)
    search = FreeReach(problem, 5, float("inf"), problem.slack(every=False))
    ((digits, multipliers),) = search.run(1)
    assert search.seen == 0
    assert search.incumbent == float(problem.average(NumeralSystem(digits, multipliers, "hurford")) * problem.scale)  # pyright: ignore
    again = FreeReach(problem, 5, search.incumbent - 1, problem.slack(every=False))
    assert again.run(1) == []  # what is known is better
    every_optimum(search)
    best = Everything(problem, 5, float("inf"), problem.slack(every=False))
    every_optimum(best)
    assert search.incumbent == best.incumbent


def test_a_size_that_no_bound_closes_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "CHUNK", 50)
    monkeypatch.setattr(exact, "TRIED", 50)
    point = solve(Problem(need="uniform"), 6)
    assert (point.proved, point.bound) == (True, REACH)
    assert (str(point.system), point.average * 99) == ("4,7,11,18 | 3,5", 533)


@pytest.mark.parametrize("worse", [NumeralSystem.parse("1-3 | 5,7"), NumeralSystem.parse("none | 1,2,9", "hurford")])
def test_a_worse_lexicon_is_noticed(tmp_path: Path, worse: NumeralSystem) -> None:
    proof_of(tmp_path, Problem(worse.grammar, "uniform", 30), [worse])
    with pytest.raises(ProofError, match="a lexicon that costs less than the optimum"):
        list(check(tmp_path))


def test_it_is_for_equal_weights_and_plain_multipliers(tmp_path: Path) -> None:
    assert reaches(Problem(need="uniform"), 7)
    assert reaches_free(Problem("hurford", "uniform"), 11)
    assert not reaches_free(Problem("hurford", "uniform"), 12)
    assert not reaches_free(Problem("hurford", "uniform", max_multipliers=5), 9)
    assert not reaches_free(Problem("hurford"), 9)
    assert not reaches(Problem(), 7)
    assert not reaches(Problem(need="uniform", overlap=True), 7)
    assert not reaches(Problem(need="uniform", upto=200), 7)
    proof_of(tmp_path, Problem(need="uniform", upto=9), [NumeralSystem.parse("1,2 | 4")])
    path = tmp_path / PROOF
    header, *trees = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    header["problem"]["overlap"] = True
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, [header, *trees])).encode()))
    frontier = json.loads((tmp_path / "frontier.json").read_text())
    frontier["problem"]["overlap"] = True
    (tmp_path / "frontier.json").write_text(json.dumps(frontier))
    with pytest.raises(ProofError, match="for other lexicons than these"):
        list(check(tmp_path))
