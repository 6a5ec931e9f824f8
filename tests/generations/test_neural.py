"""Neural learners: what is imitated, what is kept, contests, and runs that are taken up again."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.frontiers import gap
from ishango.game import GameOptions
from ishango.generations import GenerationOptions, Generations, play_chain
from ishango.lab import play_in_memory, read_rounds, run
from ishango.numerals import DIGIT, NumeralSystem, words_of

SMALL = GenerationOptions(
    agents="neural", rounds=6, imitation=60, steps=40, pretraining=60, game=GameOptions(hidden=12, batch=16)
)


def test_without_a_contest_words_are_those_of_ideal_learners():
    records, _ = play_in_memory(Generations(SMALL))
    for words, record in zip(play_chain(SMALL), records, strict=True):
        assert (words == words_of(NumeralSystem(record["digits"], record["multipliers"]), 50)).all()
    assert all(record["accuracy"] is not None and record["accepted"] is None for record in records)
    assert records[0]["accuracy_learnt"] is None
    assert all(0 <= record[name] <= 1 for record in records[1:] for name in ("accuracy_learnt", "agreement"))
    assert all(record["numbers_heard"] < 50 and record["accuracy_unheard"] is not None for record in records[1:])
    steps = [record["steps_per_second"] * record["seconds"] for record in records[1:]]
    assert steps == pytest.approx([SMALL.imitation + SMALL.steps] * 6, rel=1e-3)


def test_a_language_of_which_everything_is_heard_is_kept_for_fifty_generations():
    """Words and messages; without imitation, messages would agree as those of strangers do."""
    kept = replace(
        SMALL, rounds=50, bottleneck="all", invent=0, start="1-3 | 4", steps=0, imitation=250, teach="greedy",
        pretraining=1_000, game=GameOptions(upto=12, hidden=20, batch=32, learning_rate=0.01),
    )  # fmt: skip
    records, _ = play_in_memory(Generations(kept))
    assert {tuple(record["digits"]) for record in records} == {(1, 2, 3)}
    assert {tuple(record["multipliers"]) for record in records} == {(4,)}
    agreement = [record["agreement"] for record in records[1:]]
    assert np.mean(agreement) > 0.99
    strangers, _ = play_in_memory(Generations(replace(kept, rounds=5, imitation=1)))
    assert np.mean([record["agreement"] for record in strangers[1:]]) < 0.5


def test_rare_words_die_in_the_order_of_use_without_communication():
    """Ten generations of 20 examples, 40 chains: what lives longer is used more; chance would not care."""
    options = replace(
        SMALL, agents="ideal", rounds=10, bottleneck="20", invent=0, start="1-9 | 10", steps=0, streams="seed"
    )
    lived = np.zeros(8)
    for seed in range(40):
        chain = play_chain(replace(options, seed=seed))
        lived += chain[:, DIGIT, 2:10].sum(axis=0)
    neural, _ = play_in_memory(Generations(replace(options, agents="neural", rounds=3, imitation=5)))
    chain = play_chain(replace(options, rounds=3))
    assert [record["digits"] for record in neural] == [np.flatnonzero(each[DIGIT]).tolist() for each in chain]
    ranks = lived.argsort().argsort()  # 7 lived longest
    order = np.corrcoef(ranks, -np.arange(8))[0, 1]
    shuffled = [np.corrcoef(np.random.default_rng(i).permutation(8), -np.arange(8))[0, 1] for i in range(2_000)]
    assert order > np.quantile(shuffled, 0.99)


def test_a_contest_decides_about_coined_words():
    options = replace(SMALL, contest="bandit", judge="mean", arms="even", invent=1.0, rounds=10, bottleneck="400")
    records, _ = play_in_memory(Generations(options))
    verdicts = [record["accepted"] for record in records[1:]]
    assert {True, False} <= set(verdicts)
    for before, record in pairwise(records):
        if record["accepted"] is None:
            continue
        current, alternative = record["scores"]
        assert record["accepted"] == (alternative > current)
        assert record["words_invented"] == int(record["accepted"])
        assert record["size"] == before["size"] - record["words_lost"] + record["words_invented"]
        system = NumeralSystem(record["digits"], record["multipliers"])
        assert (str(system) == record["alternative"]) == record["accepted"]
        assert record["delta_size"] == 1
        if not record["accepted"]:  # the system stays the one that children know
            change = gap(NumeralSystem.parse(record["alternative"])) - gap(system)
            assert record["delta_gap"] == pytest.approx(change, abs=1e-12)


def test_a_run_that_is_taken_up_again_ends_with_the_same_bytes(tmp_path):
    options = replace(SMALL, contest="bandit", invent=1.0)
    run(Generations(options), tmp_path / "whole")
    experiment = Generations(options)
    play = experiment.play

    def interrupted(state, number, progress):
        if number > 3:
            raise KeyboardInterrupt
        return play(state, number, progress)

    experiment.play = interrupted
    with pytest.raises(KeyboardInterrupt):
        run(experiment, tmp_path / "cut", checkpoint_share=1.0)
    run(Generations(options), tmp_path / "cut")
    for name in ("checkpoint.npz", "run.json"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    clock = {"seconds": 0, "steps_per_second": 0}
    cut, whole = ([{**each, **clock} for each in read_rounds(tmp_path / name)] for name in ("cut", "whole"))
    assert cut == whole


def test_progress_counts_both_phases():
    seen = []
    experiment = Generations(replace(SMALL, imitation=1_500, steps=1_200, rounds=1))
    state, _ = experiment.start(lambda *_: None)
    experiment.play(state, 1, lambda done, of: seen.append((done, of)))
    assert seen == [(1_000, 2_700), (1_500, 2_700), (2_500, 2_700), (2_700, 2_700)]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"contest": "bandit", "agents": "ideal"}, "Only agents who communicate"),
        ({"contest": "bandit", "steps": 0}, "Only agents who communicate"),
        ({"say": "any"}, "Agents are shown the shortest"),
        ({"bottleneck": "1000000"}, "at most 100,000"),
        ({"imitation": -1}, "imitation is -1"),
        ({"judge": "jury"}, "judge is 'jury'"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong, sentence):
    with pytest.raises(RequestError, match=sentence):
        replace(SMALL, **wrong)
