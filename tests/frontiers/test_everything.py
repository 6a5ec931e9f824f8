"""Every lexicon of a small size: the solver's look and the checker's agree with enumeration, under all rules."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from enumeration import leaves, lexicons, optima
from tests.numerals import combinations

from ishango.frontiers import FrontierPoint, Problem, ProofError, check, solve, write_frontier, write_proof
from ishango.frontiers import _everything as everything_module
from ishango.frontiers import _exact as exact
from ishango.frontiers._everything import Everything, few_enough
from ishango.frontiers._exact import EVERYTHING
from ishango.frontiers._proof import PROOF
from ishango.numerals import GRAMMARS, NumeralSystem

RANGE = 7


@pytest.fixture(autouse=True)
def _combinations() -> Iterator[None]:
    with combinations.added():
        yield


@pytest.mark.parametrize("grammar", [grammar.name for grammar in combinations.COMBINATIONS])
def test_what_is_found_is_what_enumeration_finds_and_the_checker_agrees(tmp_path: Path, grammar: str) -> None:
    for need in ("uniform", "power:1"):
        for cap in (None, 2):
            problem = Problem(grammar, need, RANGE, max_multipliers=cap)
            points: list[FrontierPoint] = []
            for size in (3, 4):
                expected = optima(RANGE, size, list(problem.exact_need), GRAMMARS[grammar], False, cap)
                search = Everything(problem, size, float("inf"), problem.slack(every=False))
                found = search.run(10_000)
                assert search.done
                if expected is None:
                    assert not found
                    continue
                assert search.incumbent == pytest.approx(float(expected[0]) * problem.scale, abs=1e-9)
                system = NumeralSystem(*found[-1], grammar)
                assert problem.average(system) == expected[0]
                points.append(
                    FrontierPoint(size, system, expected[0], float(expected[0]), True, 0, 0.0, bound=EVERYTHING)
                )
            write_frontier(tmp_path, problem, points)
            write_proof(tmp_path, problem, points)
            assert [checked.size for checked in check(tmp_path)] == [point.size for point in points]


@pytest.mark.parametrize("grammar", ["modified", "hurford", "natural"])
def test_what_is_dismissed_covers_nothing(grammar: str) -> None:
    """The lemma on divisors, on every lexicon of three words up to 11."""
    rules, dismissed = GRAMMARS[grammar], 0
    may_cover: Any = everything_module._may_cover
    for digits, multipliers in lexicons(11, 3, False, rules):
        if not may_cover.py_func(digits, multipliers, rules.flags):
            dismissed += 1
            assert leaves(digits, multipliers, rules, 11, 24) is None
    assert dismissed > 10


def test_a_size_that_no_bound_closes_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "CHUNK", 50)
    monkeypatch.setattr(exact, "TRIED", 50)
    problem = Problem("hurford", "uniform", 30)
    point = solve(problem, 3)
    assert (point.proved, point.bound) == (True, EVERYTHING)
    every = solve(problem, 3, every=True)
    assert every.average == point.average
    monkeypatch.undo()
    by_layers = solve(problem, 3, every=True)
    assert by_layers.bound == "layers"
    assert every.optima == by_layers.optima


def test_a_size_with_more_splits_than_candidates_is_left_to_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "CHUNK", 50)
    monkeypatch.setattr(exact, "TRIED", 50)
    point = solve(Problem("hurford", "uniform", 15), 13, every=True)
    assert (point.proved, point.bound, len(point.optima)) == (True, "layers", 105)


def test_overlap_and_large_sizes_are_left_alone() -> None:
    assert few_enough(Problem(), 4)
    assert not few_enough(Problem(), 12)
    assert not few_enough(Problem(overlap=True), 4)
    assert few_enough(Problem("hurford", overlap=True), 4)


def written(directory: Path, problem: Problem, system: NumeralSystem) -> list[Any]:
    average = problem.average(system)
    assert average is not None
    point = FrontierPoint(system.size, system, average, float(average), True, 0, 0.0, bound=EVERYTHING)
    write_frontier(directory, problem, [point])
    write_proof(directory, problem, [point])
    return [json.loads(line) for line in gzip.decompress((directory / PROOF).read_bytes()).splitlines()]


def test_a_worse_lexicon_is_noticed(tmp_path: Path) -> None:
    for need in ("uniform", "power:2", "power:20"):  # the last one has sums beyond 64 bits
        written(tmp_path, Problem(need=need, upto=9), NumeralSystem.parse("1,2,9 | 4"))
        with pytest.raises(ProofError, match="a lexicon that costs less than the optimum"):
            list(check(tmp_path))


def test_overlapping_lexicons_are_not_proved_so(tmp_path: Path) -> None:
    written(tmp_path, Problem(need="uniform", upto=9, overlap=True), NumeralSystem.parse("1,2 | 2,5"))
    with pytest.raises(ProofError, match="lexicons that overlap are not looked at"):
        list(check(tmp_path))
