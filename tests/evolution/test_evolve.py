import json
from dataclasses import replace

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, Evolution, EvolutionOptions, load_state, starting_system
from ishango.evolution import _experiment as algorithm_1
from ishango.frontiers import gap, measure
from ishango.game import GameOptions, Round, competence
from ishango.lab import config_of, read_rounds, run
from ishango.numerals import Need, NumeralSystem, average_complexity, minimal_language

SMALL = EvolutionOptions(start="7", rounds=6, steps=60, game=GameOptions(hidden=8, batch=4))
FIELDS = """round digits multipliers size average_complexity gap action alternative accepted delta_average delta_size
delta_gap changed q uses scores practice accuracy
accuracy_by_arm accuracy_greedy numbers_understood messages seconds steps_per_second""".split()  # noqa: SIM905


def play(options: EvolutionOptions, tmp_path, name: str = "run") -> list[dict]:
    run(Evolution(options), tmp_path / name)
    return read_rounds(tmp_path / name)


def timeless(records: list[dict]) -> list[dict]:
    return [{k: v for k, v in r.items() if k not in ("seconds", "steps_per_second")} for r in records]


@pytest.mark.parametrize("choose", ["bandit", "coin", "shorter"])
def test_records_tell_the_run(tmp_path, choose):
    records = play(replace(SMALL, choose=choose, rounds=12), tmp_path)
    assert [r["round"] for r in records] == list(range(13))
    system = NumeralSystem.parse("1,4,12 | 9,25")
    for record in records:
        assert list(record) == FIELDS
        after = NumeralSystem(tuple(record["digits"]), tuple(record["multipliers"]))
        assert record["size"] == after.size
        assert record["average_complexity"] == average_complexity(after)
        assert record["gap"] == gap(after)
        if record["action"] is not None:
            alternative = NumeralSystem.parse(record["alternative"])
            assert after == (alternative if record["accepted"] else system)
            change = average_complexity(alternative, upto=50) - average_complexity(system, upto=50)
            assert record["delta_average"] == pytest.approx(change)
            assert record["delta_size"] == alternative.size - system.size
            assert record["delta_gap"] == pytest.approx(gap(alternative) - gap(system), abs=1e-12)
        else:
            assert record["delta_size"] is record["delta_gap"] is None
        assert minimal_language(after, 50).covers
        assert (record["q"] is None) == (choose != "bandit" or record["round"] == 0)
        system = after


def test_a_gap_that_is_not_known_has_no_difference(tmp_path, monkeypatch):
    def gap_of(system):
        return None if system.size % 5 == 0 else gap(system)

    monkeypatch.setattr(
        algorithm_1, "measure", lambda system, need, upto: measure(system, need, upto)._replace(gap=gap_of(system))
    )
    system, seen = NumeralSystem.parse("1,4,12 | 9,25"), set()
    for record in play(replace(SMALL, choose="coin", rounds=60), tmp_path)[1:]:
        before, other = gap_of(system), gap_of(NumeralSystem.parse(record["alternative"]))
        known = before is not None and other is not None
        assert record["delta_gap"] == (pytest.approx(other - before, abs=1e-12) if known else None)
        seen.add((before is None, other is None))
        system = NumeralSystem(tuple(record["digits"]), tuple(record["multipliers"]))
    assert len(seen) == 4


def test_the_bandit_keeps_the_higher_q(tmp_path):
    for record in play(replace(SMALL, rounds=10), tmp_path)[1:]:
        assert record["accepted"] == (record["q"][1] > record["q"][0])
        assert sum(record["uses"]) == SMALL.steps
        assert 0 <= record["accuracy"] <= 1


def test_the_oracle_never_gets_longer(tmp_path):
    records = play(replace(SMALL, choose="shorter", rounds=40), tmp_path)
    assert all(r["accepted"] == (r["delta_average"] < 0) for r in records[1:])
    assert records[-1]["average_complexity"] < records[0]["average_complexity"]


def test_the_coin_is_fair(tmp_path):
    records = play(replace(SMALL, choose="coin", rounds=400), tmp_path)
    assert 160 < sum(r["accepted"] for r in records[1:]) < 240


def test_a_seed_determines_the_run(tmp_path):
    first = play(SMALL, tmp_path, "a")
    assert timeless(first) == timeless(play(SMALL, tmp_path, "b"))
    assert timeless(first) != timeless(play(replace(SMALL, seed=1), tmp_path, "c"))


def test_the_state_survives_being_saved():
    experiment = Evolution(SMALL)
    state, _ = experiment.start(lambda *_: None)
    twin = experiment.load(experiment.save(state))
    for number in range(1, 4):
        state, outcome = experiment.play(state, number, lambda *_: None)
        twin, again = experiment.play(twin, number, lambda *_: None)
        assert timeless([outcome.record]) == timeless([again.record])
        assert outcome.curve.tolist() == again.curve.tolist()


def test_what_is_learned_carries_over_and_the_optimiser_may_be_reset():
    for reset in (False, True):
        experiment = Evolution(replace(SMALL, reset_optimiser=reset))
        state, _ = experiment.start(lambda *_: None)
        state, _ = experiment.play(state, 1, lambda *_: None)
        assert state.agents.speaker.steps[0] == SMALL.steps * (1 if reset else 2)


def test_a_round_without_alternatives_says_so(tmp_path):
    # With one number there is nothing that could be added, moved or removed.
    options = EvolutionOptions(start="1 | 1", rounds=2, choose="coin", upto=1, game=GameOptions(upto=1))
    records = play(options, tmp_path)
    assert [(r["action"], r["alternative"], r["accepted"]) for r in records] == [(None, None, None)] * 3
    assert records[-1]["digits"] == [1]


def test_progress_counts_the_steps_of_a_round():
    seen = []
    experiment = Evolution(replace(SMALL, steps=2500, pretraining=1200))
    state, outcome = experiment.start(lambda done, of: seen.append((done, of)))
    assert seen == [(1000, 1200), (1200, 1200)]
    assert len(outcome.curve) == 12
    seen.clear()
    experiment.play(state, 1, lambda done, of: seen.append((done, of)))
    assert seen[-1] == (2500, 2500)


def test_the_curve_averages_blocks():
    round_ = Round.empty(1, 4).extended(250)
    round_.rewards[:] = np.arange(250)
    assert round_.curve().tolist() == [49.5, 149.5, 224.5]


def test_starts():
    assert str(starting_system("1-9 | 10", "modified", 50)) == "1-9 | 10"
    assert starting_system("6", "hurford", 50).grammar == "hurford"
    one, other = (starting_system(f"random:{seed}", "modified", 50) for seed in (0, 1))
    assert one == starting_system("random:0", "modified", 50) != other
    assert minimal_language(one, 50).covers
    assert gap(one, upto=50) > 0


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ("9", "give 1 to 8"),
        ("random:", "give 1 to 8"),
        ("2 | 4", "has no expression for 1"),
        ("1-9 | 60", "has the word 60, which lies above the game's range, 50"),
        ("1-9 | none", "at least one multiplier"),
    ],
)
def test_bad_starts(start, message):
    with pytest.raises(RequestError, match=message):
        starting_system(start, "modified", 50)


def test_no_start_is_drawn_where_no_frontier_is_known():
    with pytest.raises(RequestError, match="up to the range 1,000"):
        starting_system("random:1", "modified", 1200)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"round": 5}, "no option round"),
        ({"game": {"size": 5}}, "no option game.size"),
        ({"rounds": -1}, "rounds is -1"),
        ({"steps": 0}, "steps is 0"),
        ({"add": "middle"}, "add is 'middle'"),
        ({"choose": "dice"}, "choose is 'dice'"),
        ({"notation": "roman"}, 'notation is "roman", but must be infix or prefix or postfix'),
        ({"need": "often"}, "not a need"),
        ({"range": 20}, "the game range is 50"),
        ({"steps": "many"}, 'steps is "many", but must be an integer'),
    ],
)
def test_bad_configs(config, message):
    with pytest.raises(RequestError, match=message):
        EVOLUTION.complete(config)


def test_a_config_is_completed():
    config = EVOLUTION.complete({"start": 3, "game": {"hidden": 25}})
    assert config["start"] == "3"
    assert config["game"]["hidden"] == 25
    assert config["rounds"] == 100
    assert config_of(EVOLUTION.options_from(json.loads(json.dumps(config)))) == config


def test_agents_can_be_taken_from_a_run(tmp_path):
    options = EvolutionOptions(rounds=2, steps=20)
    records = play(options, tmp_path)
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    evolution, number, state = load_state(tmp_path / "run")
    assert (evolution.options, number) == (options, 2)
    assert list(state.system.digits) == records[-1]["digits"]
    words = minimal_language(state.system, options.game.upto).tokens("infix")
    greedy = competence(state.agents, words, Need.parse("power:2").weights(options.game.upto)).accuracy
    assert greedy == records[-1]["accuracy_greedy"]
    assert before == {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}


def test_a_torn_checkpoint_gives_way_to_the_one_before_and_stays_where_it_is(tmp_path):
    play(EvolutionOptions(rounds=2, steps=20, choose="coin"), tmp_path)
    checkpoint = tmp_path / "run" / "checkpoint.npz"
    checkpoint.write_bytes(checkpoint.read_bytes()[:-1])
    assert load_state(tmp_path / "run")[1] == 1
    assert checkpoint.exists()


def test_where_there_are_no_agents_one_is_told(tmp_path):
    with pytest.raises(RequestError, match="no run"):
        load_state(tmp_path)
    play(EvolutionOptions(rounds=1, steps=20, choose="coin"), tmp_path)
    for path in (tmp_path / "run").glob("checkpoint*"):
        path.unlink()
    with pytest.raises(RequestError, match="no agents"):
        load_state(tmp_path / "run")
