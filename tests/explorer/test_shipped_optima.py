"""The frontiers that the package brings: there at once, and what the search finds."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from ishango.explorer._optima import NEED, NEEDS, RANGE, SIZES, Optima, shipped_points, sizes_upto, solved_point
from ishango.numerals import PAPERS

QUICK = [("modified", NEED, 5), ("hurford", NEED, 12), ("modified", "power:1", 4), ("modified", "uniform", 24)]


@pytest.mark.parametrize("key", QUICK)
def test_a_shipped_point_is_what_the_search_finds(key: tuple[str, str, int]) -> None:
    grammar, need, size = key
    (shipped,) = (point for point in shipped_points(grammar, need) if point.size == size)
    assert shipped == replace(solved_point(key), seconds=0.0)


@pytest.mark.parametrize("need", NEEDS)
@pytest.mark.parametrize("grammar", PAPERS)
def test_the_papers_grammars_are_complete_at_once(grammar: str, need: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("nothing has to be solved")

    monkeypatch.setattr("ishango.explorer._optima.solve", refuse)
    optima = Optima()
    began = time.monotonic()
    points, counts = optima.points(grammar, need, sizes_upto(RANGE)), optima.solved(grammar, need, sizes_upto(RANGE))
    assert counts["solved"] == counts["sizes"]
    assert {point.size for point in points} >= set(SIZES[4:])
    assert all(point.lower_bound <= float(point.average) for point in points)
    assert time.monotonic() - began < 20


def test_a_larger_lexicon_is_never_bound_to_cost_more() -> None:
    """Proved averages fall with the size, for every grammar and need of the table."""
    for grammar in PAPERS:
        for need in NEEDS:
            proved = [float(point.average) for point in shipped_points(grammar, need) if point.proved]
            assert proved == sorted(proved, reverse=True)
