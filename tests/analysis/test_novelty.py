"""The preference for what is shorter, at equal novelty."""

import numpy as np
import pandas as pd
import pytest

from ishango.analysis.selection import (
    at_equal_novelty,
    changed,
    selection_at_equal_novelty,
    standardised_preference,
    with_novelty,
)
from ishango.evolution import Evolution, EvolutionOptions
from ishango.lab import play_in_memory
from ishango.numerals import Need


def rows(stratum: float, shorter: tuple[int, int], longer: tuple[int, int], run: str = "a") -> list[dict]:
    """Decisions of one novelty: so many shorter ones, of them kept, and longer ones."""
    told = {"run": run, "changed": stratum}
    return [
        {**told, "delta_average": sign, "accepted": i < kept}
        for sign, (count, kept) in ((-1.0, shorter), (1.0, longer))
        for i in range(count)
    ]


def test_strata_count_by_their_share_of_decisions():
    table = pd.DataFrame(
        rows(0.005, (10, 5), (20, 5))  # 30 decisions: .5 - .25
        + rows(0.02, (5, 1), (5, 4))  # 10: .2 - .8
        + rows(0.5, (0, 0), (10, 3))  # 10, and nothing shorter to compare with
        + rows(0.0, (7, 7), (7, 0))  # changes nothing, in no stratum
    )
    found = standardised_preference(table)
    assert found.preference == pytest.approx((30 * 0.25 + 10 * -0.6) / 40)
    assert found.left_out == pytest.approx(10 / 50)
    assert np.isnan(found.preference_low)  # one unit
    several = pd.concat([table.assign(run=name) for name in "abcd"])
    again = standardised_preference(several)
    assert again.preference_low == pytest.approx(again.preference) == pytest.approx(found.preference)


def test_a_preference_for_the_familiar_is_no_preference_for_the_short():
    """What is shorter is newer here, and only what is new is refused."""
    rng = np.random.default_rng(0)
    parts = []
    for run in range(12):
        shorter = rng.random(200) < 0.5
        new = np.where(rng.random(200) < np.where(shorter, 0.8, 0.2), 0.5, 0.01)
        kept = rng.random(200) < np.where(new > 0.1, 0.3, 0.7)
        parts.append(pd.DataFrame({"run": str(run), "start": "1", "seed": run, "streams": "run", "round": range(200),
                                   "choose": "bandit", "add": "any",
                                   "delta_average": np.where(shorter, -1, 1) * rng.uniform(0.1, 0.5, 200),
                                   "delta_size": rng.integers(-1, 2, 200),
                                   "changed": new, "accepted": kept}))  # fmt: skip
    table = pd.concat(parts, ignore_index=True)
    [row] = selection_at_equal_novelty(table).to_dict("records")
    assert row["preference_low"] < 0 < row["preference_high"]
    assert row["length_low"] < 0 < row["length_high"]
    assert row["novelty_high"] < 0
    assert row["novelty_p"] == pytest.approx(1 / 1000)
    assert row["novelty_p_holm"] == pytest.approx(3 / 1000)
    assert row["novelty"] == pytest.approx((np.log(3 / 7) - np.log(7 / 3)) / 4.9, abs=0.05)  # .01 to .5: 4.9 tenths
    assert at_equal_novelty(table).length_within < 0.6
    blind = table.assign(changed=table["changed"].mask(table["run"] == "3"))
    assert selection_at_equal_novelty(blind)["runs"].tolist() == [11]  # runs that did not record it do not count
    assert selection_at_equal_novelty(table.drop(columns="changed")).empty


def test_novelty_is_computed_where_it_was_not_recorded():
    records = play_in_memory(Evolution(EvolutionOptions(start="7", choose="coin", rounds=8)))[0]
    table = pd.DataFrame(records).assign(run="a", need="power:2", grammar="modified", **{"game.range": 50})
    found = with_novelty(table)["changed"]
    assert found.isna().tolist() == [True] + [False] * 8
    before = f"{','.join(map(str, records[3]['digits']))} | {','.join(map(str, records[3]['multipliers']))}"
    assert found[4] == pytest.approx(changed(before, records[4]["alternative"]))
    assert (found[1:] > 0).all()
    assert (found[1:] <= 1).all()
    kept = with_novelty(table.assign(changed=[0.5] * 4 + [None] * 5))["changed"]
    assert kept[:4].tolist() == [0.5] * 4
    assert kept[4:].tolist() == pytest.approx(found[4:].tolist())


def test_how_much_changes_by_hand():
    """Without the digit 50, all but 50 is said as before."""
    weights = np.asarray(Need.parse("power:2").weights(50))
    assert changed("1-50 | 50", "1-49 | 50", "power:2", 50) == pytest.approx(weights[49] / weights.sum())
