"""Populations: several pairs at a time, one of which is replaced in each generation."""

from dataclasses import replace

import numpy as np
import pytest
from tests.generations.test_lab import contents

from ishango.errors import RequestError
from ishango.frontiers import measure
from ishango.game import GameOptions
from ishango.generations import GenerationOptions, Generations, play_chain
from ishango.generations._experiment import who_is_replaced
from ishango.generations._upbringing import system_of
from ishango.lab import play_in_memory, run
from ishango.numerals import NumeralSystem, words_of

PAIRS = 3
IDEAL = GenerationOptions(rounds=12, population=PAIRS, bottleneck="50", invent=1.0)
NEURAL = replace(
    IDEAL, agents="neural", rounds=6, imitation=30, steps=20, pretraining=20, game=GameOptions(hidden=12, batch=16)
)


def lexicon(record) -> NumeralSystem:
    return NumeralSystem(record["digits"], record["multipliers"])


def test_pairs_are_replaced_in_turns_by_children_of_another():
    rng = np.random.default_rng(0)
    drawn = [who_is_replaced(number, PAIRS, rng) for number in range(1, 301)]
    assert [oldest for oldest, _ in drawn[:6]] == [0, 1, 2, 0, 1, 2]
    for oldest in range(PAIRS):
        others = [parents for replaced, parents in drawn if replaced == oldest]
        assert set(others) == set(range(PAIRS)) - {oldest}
        assert min(np.bincount(others, minlength=PAIRS)[list(set(others))]) > 30
    assert who_is_replaced(5, 1, rng) == (0, 0)


@pytest.mark.parametrize("options", [IDEAL, NEURAL])
def test_the_record_is_of_the_new_pair_and_of_all_pairs(options):
    records, _ = play_in_memory(Generations(options))
    history = play_chain(options)
    first = system_of(history[0], options.grammar)
    for words, record in zip(history, records, strict=True):
        assert (words == words_of(lexicon(record), 50)).all()
    for number, record in enumerate(records):
        alive = [lexicon(each) for each in records[max(1, number - PAIRS + 1) : number + 1]]
        alive += [first] * (PAIRS - len(alive))
        measures = [measure(each) for each in alive]
        assert record["lexicons"] == len(set(alive))
        for name in ("size", "average_complexity", "gap"):
            values = [getattr(each, name) for each in measures]
            assert record[f"mean_{name}"] == pytest.approx(np.mean(values))
            assert record[f"spread_{name}"] == pytest.approx(np.std(values), abs=1e-12)
    assert max(record["lexicons"] for record in records) == PAIRS


def test_a_chain_has_no_spread_and_its_words_do_not_depend_on_there_being_populations():
    records, _ = play_in_memory(Generations(replace(IDEAL, population=1, streams="seed")))
    assert {record[name] for record in records for name in ("lexicons", "mean_size", "spread_gap")} == {None}
    # What this chain ended with before there were populations.
    assert str(lexicon(records[-1])) == "1-4,7,46 | 5"


def test_a_population_that_is_taken_up_again_ends_with_the_same_bytes(tmp_path):
    run(Generations(NEURAL), tmp_path / "whole")
    experiment = Generations(NEURAL)
    play = experiment.play

    def interrupted(state, number, progress):
        if number > 4:
            raise KeyboardInterrupt
        return play(state, number, progress)

    experiment.play = interrupted
    with pytest.raises(KeyboardInterrupt):
        run(experiment, tmp_path / "cut", checkpoint_share=1.0)
    run(Generations(NEURAL), tmp_path / "cut")
    cut, whole = (contents(tmp_path / name) for name in ("cut", "whole"))
    for files in (cut, whole):
        files["rounds.jsonl"] = [{**each, "steps_per_second": 0} for each in files["rounds.jsonl"]]
    assert cut == whole
    with np.load(tmp_path / "whole" / "checkpoint.npz") as arrays:
        assert sum(name.endswith("speaker_value") for name in arrays) == PAIRS


def test_all_pairs_learn_and_come_to_understand_one_another():
    """Trained agents talk across pairs: better than chance by far, also where a speaker meets another's listener."""
    options = replace(NEURAL, rounds=0, start="1-3 | 4", pretraining=1_500, game=GameOptions(upto=8, hidden=20))
    records, state = play_in_memory(Generations(options))
    assert records[0]["accuracy"] > 0.6
    assert all(pair.speaker.steps[0] > 1_000 for pair in state.population.pairs)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"population": 0}, "population is 0"),
        ({"population": 101}, "between 1 and 100"),
        ({"contest": "bandit"}, "held by a single pair"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong, sentence):
    with pytest.raises(RequestError, match=sentence):
        replace(NEURAL, **wrong)
