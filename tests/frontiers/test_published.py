"""The published estimate of Hurford's frontier lies above the proved one, and Table 4's rows cost what we say."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from ishango.frontiers import TABLE_4, Problem, frontier, solve
from ishango.numerals import NumeralSystem, average_complexity

REFERENCE = Path(__file__).parents[2] / ".." / "shared" / "reference" / "denic_ga_frontier.csv"


def test_mixtec_beats_the_published_hurford_row_under_hurford() -> None:
    averages = {name: average_complexity(system.with_grammar("hurford")) for name, system in TABLE_4.items()}
    assert averages["Mixtec A"] == pytest.approx(1.119435, abs=5e-7)
    assert averages["Hurford (published)"] == pytest.approx(1.121881, abs=5e-7)
    best = solve(Problem("hurford", max_multipliers=5), 12)
    assert best.proved
    assert float(best.average) == pytest.approx(1.102313, abs=5e-7)


@pytest.mark.skipif(not REFERENCE.exists(), reason="the reference tables are not there")
def test_published_estimate_lies_above_the_proved_frontier() -> None:
    with REFERENCE.open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    published = {int(row["lexicon_size"]): row for row in rows}
    above = []
    for point in frontier(Problem("hurford", max_multipliers=5), range(2, 13)):
        assert point.proved
        if row := published.get(point.size):
            digits, multipliers = (tuple(map(int, row[name].replace(",", " ").split())) for name in "DM")
            found = average_complexity(NumeralSystem(digits, multipliers, "hurford"))
            assert found is not None
            above.append(found - float(point.average))
    assert len(above) > 8
    assert min(above) > -1e-12
    assert max(above) > 0.01
