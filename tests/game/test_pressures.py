"""What presses on a game: the effort of symbols, the noise of the channel, and arms that take turns."""

import numpy as np
import pytest
from tests.game.test_sampling import fits

from ishango.errors import RequestError
from ishango.game import Agents, GameOptions, encode, play
from ishango.game._kernel import Mind, make_batch, make_rules, play_steps

WORDS = {n: (str(n),) for n in range(1, 7)}
LONG = {n: (str(n), "*", str(n), "+", str(n)) for n in range(1, 7)}
NEED = np.array([8, 4, 3, 2, 2, 1]) / 20


def played(options: GameOptions, steps: int = 60, arms=(WORDS, LONG), even: bool = False):
    rng = np.random.default_rng(0)
    agents = Agents.random(options, rng)
    return agents, play(agents, list(arms), NEED, options, steps, rng, even=even)


@pytest.mark.parametrize("noise", [0.05, 0.5, 1.0])
def test_a_symbol_is_heard_as_another_as_often_as_asked(noise):
    options, rng = GameOptions(upto=6, vocabulary=5, learning_rate=0.0, batch=50, noise=noise), np.random.default_rng(8)
    agents = Agents.random(options, rng)
    minds = [Mind.of(agent, options.batch, 5) for agent in (agents.speaker, agents.listener)]
    batch, rules = make_batch(50, 5, noise=True), make_rules(options, encode([LONG], 6), NEED, np.eye(6))
    counts, so_far = np.zeros((5, 5)), (np.zeros(1), np.zeros(1, np.int64), np.zeros(1))
    for _ in range(200):
        play_steps(*minds, batch, rules, *so_far, rng, np.zeros(1, np.uint8), np.zeros(1), np.zeros(1, np.int32))
        np.add.at(counts, (batch.messages.ravel(), batch.heard.ravel()), 1)
    channel = np.full((5, 5), noise / 4) + np.eye(5) * (1 - noise - noise / 4)
    for said in range(5):
        assert counts[said].sum() > 1000
        if noise == 1:
            assert counts[said, said] == 0
            assert fits(np.delete(counts[said], said), np.ones(4))
        else:
            assert fits(counts[said], channel[said])
            assert not fits(counts[said], channel[said] + 0.2 * noise * np.eye(5)[(said + 1) % 5])


def test_noise_hurts():
    quiet, noisy = (played(GameOptions(upto=6, noise=noise), 1500, [WORDS])[1] for noise in (0.0, 0.4))
    assert quiet.accuracy(200) > 0.9
    assert 0.4 < noisy.accuracy(200) < 0.85


def test_effort_is_scored_and_changes_nothing_that_agents_learn():
    free_agents, free = played(GameOptions(upto=6, epsilon=0.0))
    agents, scored = played(GameOptions(upto=6, epsilon=0.0, effort=0.1))
    assert (agents.speaker.value == free_agents.speaker.value).all()
    assert (agents.listener.value == free_agents.listener.value).all()
    assert (scored.won == free.won).all()
    cost = np.where(scored.arms == 1, 0.1 * 4, 0.0)
    assert scored.rewards == pytest.approx(free.rewards - cost)
    assert scored.total == free.total
    assert scored.q[1] < free.q[1]


def test_effort_that_is_felt_changes_what_agents_learn():
    free_agents, free = played(GameOptions(upto=6, epsilon=0.0))
    agents, felt = played(GameOptions(upto=6, epsilon=0.0, effort=0.1, effort_in="reward"))
    assert not (agents.speaker.value == free_agents.speaker.value).all()
    assert felt.rewards[0] == pytest.approx(felt.won[0] / 32 - (0.4 if felt.arms[0] else 0.0))
    assert felt.total[0] == pytest.approx(felt.rewards.sum())
    assert free.rewards.min() >= 0 > felt.rewards.min()


def test_even_arms_take_turns_however_the_round_is_cut():
    options, rng = GameOptions(upto=6), np.random.default_rng(0)
    agents, so_far = Agents.random(options, rng), None
    for steps in (3, 5, 13):
        so_far = play(agents, [WORDS, LONG], NEED, options, steps, rng, so_far, even=True)
    assert so_far.arms.tolist() == [0, 1] * 10 + [0]
    assert so_far.uses.tolist() == [11, 10]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"effort": -0.1}, "effort is -0.1"),
        ({"effort": float("inf")}, "effort is inf"),
        ({"noise": 1.1}, "noise is 1.1"),
        ({"noise": 0.1, "vocabulary": 1}, "0 where there is only one symbol"),
        ({"effort_in": "both"}, "score or reward"),
    ],
)
def test_what_cannot_be(options, said):
    with pytest.raises(RequestError, match=said):
        GameOptions(**options)


def test_the_torch_backend_has_the_same_pressures():
    torch = pytest.importorskip("torch")
    from ishango.game import torch_backend as backend

    torch.set_num_threads(1)
    torch.manual_seed(0)
    options = GameOptions(upto=6, effort=0.1, noise=1.0, batch=200)
    rng = np.random.default_rng(0)
    round_ = backend.play(backend.TorchAgents.lstm(options), [WORDS, LONG], NEED, options, 10, rng, even=True)
    assert round_.arms.tolist() == [0, 1] * 5
    assert round_.rewards == pytest.approx(round_.won / 200 - np.where(round_.arms == 1, 0.4, 0))
    assert round_.total[0] == pytest.approx((round_.won / 200).sum())
    said = torch.randint(0, options.symbols, (2000, 5))
    heard = backend._disturbed(said, options, torch.Generator())
    assert (said != heard).all()
    assert fits(np.bincount(((heard - said) % options.symbols).ravel(), minlength=9)[1:], np.ones(options.symbols - 1))
    felt = GameOptions(upto=6, effort=0.1, effort_in="reward", batch=200)
    round_ = backend.play(backend.TorchAgents.lstm(felt), [LONG], NEED, felt, 3, rng)
    assert round_.rewards == pytest.approx(round_.won / 200 - 0.4)
    assert round_.total[0] == pytest.approx(round_.rewards.sum())
