"""The controls beside the coin of 1/2 and the oracle on length."""

import pytest

from ishango.errors import RequestError
from ishango.evolution import Evolution, EvolutionOptions, change_of_average
from ishango.evolution._choosers import game_average
from ishango.frontiers import gap
from ishango.lab import read_rounds, run
from ishango.numerals import NumeralSystem, format_set


def rounds(tmp_path, **options):
    run(Evolution(EvolutionOptions(start="1", **options)), tmp_path)
    return list(read_rounds(tmp_path))


@pytest.mark.parametrize("keep", [0.0, 0.2, 1.0])
def test_a_biased_coin_keeps_as_often_as_it_is_told(tmp_path, keep):
    kept = [each["accepted"] for each in rounds(tmp_path, choose="biased", keep=keep, rounds=120)[1:]]
    assert sum(kept) / len(kept) == pytest.approx(keep, abs=0.1)
    assert (keep not in (0.0, 1.0)) or set(kept) == {bool(keep)}


def test_a_biased_coin_of_a_half_is_the_coin(tmp_path):
    fair, biased = (
        [each["accepted"] for each in rounds(tmp_path / choose, choose=choose, rounds=20, streams="seed")]
        for choose in ("coin", "biased")
    )
    assert fair == biased


def test_a_tie_is_no_change_however_floats_round():
    """The averages of these two differ in the last digit, though they have as many symbols over 1 to 50."""
    options = EvolutionOptions(need="uniform")
    one = NumeralSystem.parse("1,3,10,12,25,28,34,42,44,45,48 | 5,9,26,27,31,49")
    other = NumeralSystem.parse("1,4,9,19,24,27,31,34 | 7,15-17,26,29,30,36,38,39,44")
    assert game_average(one, options) != game_average(other, options)
    assert change_of_average(one, other, options) == change_of_average(other, one, options) == 0


def test_the_oracle_on_the_gap_keeps_what_lies_nearer_to_the_frontier(tmp_path):
    records = rounds(tmp_path, choose="nearer", rounds=25)[1:]
    assert [each["accepted"] for each in records] == [each["delta_gap"] < 0 for each in records]
    assert any(each["accepted"] != (each["delta_average"] < 0) for each in records), "else it is the other oracle"
    end = records[-1]
    system = NumeralSystem.parse(f"{format_set(tuple(end['digits']))} | {format_set(tuple(end['multipliers']))}")
    assert end["gap"] == gap(system) < 0.395


@pytest.mark.parametrize("keep", [-0.1, 1.1, float("nan")])
def test_what_is_no_probability_is_refused(keep):
    with pytest.raises(RequestError, match="keep is"):
        EvolutionOptions(keep=keep)
