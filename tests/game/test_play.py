import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.game import Agents, GameOptions, Round, competence, play
from ishango.game._kernel import choose
from ishango.registry import OUTSIDE

OPTIONS = GameOptions()
FRESH = """
import hashlib, numpy as np
from ishango.registry import OUTSIDE
from ishango.game import Agents, GameOptions, play
arms = [{n: (str(n % 7 + 1), "*", str(n)) for n in range(1, 51)}, {n: (str(n),) for n in range(1, 51)}]
options, rng = GameOptions(), np.random.default_rng(3)
agents = Agents.random(options, rng)
result = play(agents, arms, np.arange(1.0, 51) ** -2, options, 300, rng)
arrays = {**agents.to_arrays(), **result.to_arrays()}
print(hashlib.sha256(b"".join(arrays[n].tobytes() for n in sorted(arrays))).hexdigest())
"""


def identical(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> bool:
    return a.keys() == b.keys() and all(np.array_equal(a[n], b[n], equal_nan=True) for n in a)


@pytest.mark.parametrize("arms", [(1,), (1, 7)])
@pytest.mark.parametrize("baseline", ["none", "mean"])
def test_cutting_a_round_changes_no_bit(starts, need, arms, baseline):
    options = replace(OPTIONS, baseline=baseline)
    results = []
    for chunks in ([600], [100] * 6, [1, 99, 250, 0, 250]):
        rng = np.random.default_rng(1)
        agents, so_far = Agents.random(options, rng), None
        for steps in chunks:
            # Through arrays and the generator's state, as a checkpoint does.
            state = rng.bit_generator.state
            rng = np.random.default_rng()
            rng.bit_generator.state = state
            agents = Agents.from_arrays(agents.to_arrays())
            so_far = play(agents, [starts[a] for a in arms], need, options, steps, rng, so_far)
            so_far = Round.from_arrays(so_far.to_arrays())
        results.append({**agents.to_arrays(), **so_far.to_arrays()})
    assert identical(results[0], results[1])
    assert identical(results[0], results[2])


@pytest.mark.slow
def test_ten_thousand_steps_are_ten_times_a_thousand(starts, need):
    results = []
    for chunks in ([10_000], [1000] * 10):
        rng = np.random.default_rng(2)
        agents, so_far = Agents.random(OPTIONS, rng), None
        for steps in chunks:
            so_far = play(agents, [starts[1], starts[7]], need, OPTIONS, steps, rng, so_far)
        results.append({**agents.to_arrays(), **so_far.to_arrays()})
    assert identical(*results)


def fresh_process(cache: str | None = None) -> str:
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    run = subprocess.run([sys.executable, "-c", FRESH], env=environment, capture_output=True, text=True, check=True)
    return run.stdout.strip()


def test_fresh_processes_give_the_same_bits():
    assert fresh_process() == fresh_process()


@pytest.mark.slow
def test_cold_and_warm_cache_give_the_same_bits(tmp_path):
    cold, warm = fresh_process(str(tmp_path)), fresh_process(str(tmp_path))
    assert any(tmp_path.rglob("*.nbc"))
    assert cold == warm == fresh_process()


def test_playing_leaves_the_round_so_far_alone(starts, need, agents):
    rng = np.random.default_rng(0)
    first = play(agents, [starts[1]], need, OPTIONS, 5, rng)
    before = {name: array.copy() for name, array in first.to_arrays().items()}
    second = play(agents, [starts[1]], need, OPTIONS, 5, rng, first)
    assert identical(before, first.to_arrays())
    assert second.steps == 10
    assert np.array_equal(second.won[:5], first.won)


def test_a_copy_learns_on_its_own(starts, need, agents):
    twin = agents.copy()
    play(agents, [starts[1]], need, OPTIONS, 3, np.random.default_rng(0))
    assert agents.speaker.steps[0] == 3
    assert twin.speaker.steps[0] == 0
    assert not np.array_equal(agents.listener.value, twin.listener.value)


def test_agents_learn(starts, need, agents):
    result = play(agents, [starts[1]], need, OPTIONS, 2000, np.random.default_rng(0))
    assert result.won[:20].mean() < 4 < 20 < result.won[-100:].mean()
    assert competence(agents, starts[1], need).accuracy > 0.6


def test_round_follows_the_bandit(starts, need, agents):
    options = replace(OPTIONS, alpha=0.25)
    result = play(agents, [starts[1], starts[7]], need, options, 400, np.random.default_rng(0))
    q = np.zeros(2)
    for arm, reward in zip(result.arms, result.rewards, strict=True):
        q[arm] += 0.25 * (reward - q[arm])
    assert np.array_equal(q, result.q)
    assert np.array_equal(np.bincount(result.arms, minlength=2), result.uses)
    assert np.array_equal(result.won / options.batch, result.rewards)
    assert result.accuracy(100) == pytest.approx(result.won[-100:].mean() / options.batch)
    shares = result.accuracy_by_arm(100)
    last = result.arms[-100:]
    assert np.dot(shares, [np.mean(last == 0), np.mean(last == 1)]) == pytest.approx(result.accuracy(100))


def test_the_bandit_exploits_with_probability_epsilon():
    rng, uses = np.random.default_rng(0), np.array([10, 20])
    chosen = [choose(np.array([0.1, 0.9]), uses, 0.2, rng) for _ in range(4000)]
    assert np.mean(chosen) == pytest.approx(0.2, abs=0.02)  # arm 1 is better, arm 0 less used
    ties = [choose(np.zeros(2), np.zeros(2, np.int64), 0.2, rng) for _ in range(4000)]
    assert np.mean(ties) == pytest.approx(0.5, abs=0.03)
    assert choose(np.zeros(1), np.zeros(1, np.int64), 0.2, rng) == 0


def test_rewards_come_from_the_table(starts, need, agents):
    table = np.random.default_rng(0).uniform(size=(50, 50))
    result = play(agents, [starts[1]], need, OPTIONS, 50, np.random.default_rng(0), reward=table)
    assert 0.3 < result.rewards.mean() < 0.7
    assert result.won.mean() / OPTIONS.batch < 0.2


def test_progress_is_told(starts, need, agents):
    told = []
    play(agents, [starts[1]], need, OPTIONS, 1100, np.random.default_rng(0), progress=told.append)
    assert sum(told) == 1100
    assert len(told) > 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"arms": []}, "0 arms"),
        ({"need": np.ones(49)}, "50 weights"),
        ({"need": -np.ones(50)}, "none negative"),
        ({"reward": np.eye(49)}, "50 by 50"),
        ({"steps": -1}, "0 or more"),
        ({"options": replace(OPTIONS, hidden=50)}, "have sizes"),
        ({"so_far": Round.empty(2, 32)}, "2 arms"),
        ({"so_far": Round.empty(1, 16)}, "batches of 16"),
    ],
)
def test_wrong_requests_are_refused(starts, need, agents, change, sentence):
    request = {"arms": [starts[1]], "need": need, "options": OPTIONS, "steps": 1, **change}
    with pytest.raises(RequestError, match=sentence):
        play(agents, rng=np.random.default_rng(0), **request)


@pytest.mark.parametrize(
    ("field", "value"),
    [("upto", 0), ("batch", 0), ("epsilon", 1.5), ("alpha", -0.1), ("learning_rate", -1.0), ("vocabulary", 0),
     ("baseline", "median"), ("lost_entropy", -0.1)],
)  # fmt: skip
def test_wrong_options_are_refused(field, value):
    with pytest.raises(RequestError, match=f"{OUTSIDE.get(field, field)} is {value!r}"):
        replace(OPTIONS, **{field: value})
