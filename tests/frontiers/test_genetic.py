from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.frontiers import GeneticSettings, Problem, estimate, frontier_value
from ishango.frontiers._genetic import _first_generation, compare, mutate
from ishango.numerals import evaluate_many

SMALL = GeneticSettings(population=300, generations=15, seed=1)


def test_front_is_undominated_valid_and_above_the_proved_frontier() -> None:
    problem = Problem("hurford", max_multipliers=5)
    found = estimate(problem, SMALL)
    assert np.allclose(evaluate_many(found.systems), found.averages)
    sizes = [system.size for system in found.systems]
    assert sizes == sorted(set(sizes))
    assert list(found.averages) == sorted(found.averages, reverse=True)
    for system, average in zip(found.systems, found.averages, strict=True):
        assert len(system.multipliers) <= 5
        assert not system.overlap
        if system.size <= 7:
            least = frontier_value(system.size, problem)
            assert least is not None
            assert average >= least - 1e-9


@pytest.mark.parametrize("proved", [True, False])
def test_what_is_attained_is_proved_only_if_the_optimum_is(monkeypatch: pytest.MonkeyPatch, proved: bool) -> None:
    found = estimate(Problem(), SMALL)
    average = Problem().average(found.systems[0])
    least = SimpleNamespace(lower_bound=average, proved=proved, average=average, nodes=1)
    monkeypatch.setattr("ishango.frontiers._genetic.solve", lambda *_request, **_limits: least)
    [point] = compare(Problem(), found, [found.systems[0].size])
    assert point.proved == proved


def test_same_seed_same_front() -> None:
    assert estimate(Problem(), SMALL) == estimate(Problem(), SMALL)
    assert estimate(Problem(), SMALL) != estimate(Problem(), GeneticSettings(300, 15, seed=2))


def test_the_front_never_gets_worse() -> None:
    areas = [generation.hypervolume for generation in estimate(Problem(), SMALL).history]
    assert areas == sorted(areas)
    assert len(areas) == SMALL.generations + 1


def test_duplicates_fill_the_front_and_end_the_search() -> None:
    found = estimate(Problem("hurford", max_multipliers=5), GeneticSettings(300, 60, seed=1, keep_duplicates=True))
    assert len(found.history) < 61
    assert found.history[-1].parents > 300 > found.history[-1].points


def test_first_generation_follows_the_stated_distribution() -> None:
    n = 99
    lexicons = _first_generation(Problem(max_multipliers=5), GeneticSettings(), np.random.default_rng(0))
    multipliers = lexicons[:, n:].sum(axis=1)
    digits = lexicons[:, :n].sum(axis=1)
    assert np.bincount(multipliers)[1:].min() > 340
    assert multipliers.max() == 5
    assert digits.min() == 1
    assert digits.max() > 90
    assert not (lexicons[:, :n] & lexicons[:, n:]).any()
    free = _first_generation(Problem(), GeneticSettings(), np.random.default_rng(0))[:, n:].sum(axis=1)
    assert (free.min(), free.max()) == (1, 98)
    small = _first_generation(Problem(upto=5, max_multipliers=9), GeneticSettings(), np.random.default_rng(0))
    assert small[:, 5:].sum(axis=1).max() == 4  # a digit always has a word left


def test_mutations_keep_the_rules() -> None:
    rng = np.random.default_rng(0)
    lexicons = np.zeros((500, 2 * 12), dtype=np.bool_)
    lexicons[:, [0, 12 + 4]] = True
    seen = set()
    for _ in range(20):
        before = lexicons.copy()
        mutate(lexicons, np.ones(500, np.int64), rng.random((500, 3, 4)), 3)
        seen |= set((lexicons.sum(axis=1) - before.sum(axis=1)).tolist())
        assert ((lexicons ^ before).sum(axis=1) <= 2).all()
    assert seen == {-1, 0, 1}
    assert not (lexicons[:, :12] & lexicons[:, 12:]).any()
    assert lexicons[:, :12].sum(axis=1).min() >= 1
    assert (np.unique(lexicons[:, 12:].sum(axis=1)) == [1, 2, 3]).all()


def test_bad_requests() -> None:
    with pytest.raises(RequestError, match="population"):
        GeneticSettings(population=0)
    with pytest.raises(RequestError, match="disjoint"):
        estimate(Problem(overlap=True))
