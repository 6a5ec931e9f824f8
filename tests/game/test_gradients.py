"""The kernel's gradients and Adam steps against PyTorch's, on the same sampled batch."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from ishango.game import Agents, GameOptions, encode
from ishango.game._agents import state_dict
from ishango.game._kernel import Batch, Mind, make_batch, make_rules, play_steps

torch = pytest.importorskip("torch")
from ishango.game import torch_backend as oracle  # noqa: E402

torch.set_num_threads(1)
LIMIT = 1e-5
RANGE = 20
OPERATORS = ("+", "-", "*")
POWER = np.arange(1, RANGE + 1) ** -2.0
FLAT = np.ones(RANGE)


def ragged(seed: int = 0, longest: int = 13) -> dict[int, tuple[str, ...]]:
    """Strings of every odd length 1..longest that share prefixes: words and operators alternate."""
    rng, strings = np.random.default_rng(seed), {}
    for n in range(1, RANGE + 1):
        words = [str(w) for w in rng.integers(1, 4, size=1 + (n - 1) % ((longest + 1) // 2))]
        operators = [OPERATORS[o] for o in rng.integers(0, 3, size=len(words) - 1)]
        strings[n] = tuple(t for pair in zip(words, [*operators, ""], strict=True) for t in pair if t)
    return strings


class Played(NamedTuple):
    agents: Agents
    batch: Batch
    gradients: tuple[dict[str, np.ndarray], dict[str, np.ndarray]]


def play_one(agents, expressions, need, options, rng, reward, baseline) -> Played:
    """One step of the kernel, and the gradients it used under PyTorch's names."""
    encoded = encode([expressions], options.upto)
    length = encoded.tokens.shape[-1]
    rules = make_rules(options, encoded, need / need.sum(), reward)
    minds = [Mind.of(agent, options.batch, length) for agent in (agents.speaker, agents.listener)]
    batch = make_batch(options.batch, length, options.noise > 0)
    if baseline:
        rules = rules._replace(use_baseline=True)
    # Ten steps of mean reward `baseline` came before.
    so_far = np.zeros(1), np.array([10]), np.array([10 * baseline])
    play_steps(*minds, batch, rules, *so_far, rng, np.zeros(1, np.uint8), np.zeros(1), np.zeros(1, np.int32))
    gradients = []
    for agent, mind in zip((agents.speaker, agents.listener), minds, strict=True):
        twin = agent.copy()
        twin.value[...] = mind.flat_gradient
        gradients.append(state_dict(twin))
    return Played(agents, batch, tuple(gradients))


def autograd(twins, batch: Batch, options, baseline) -> None:
    """The oracle's gradients on a batch that was already played."""
    length = int(batch.lengths.max())
    games = oracle.TorchBatch(*(torch.from_numpy(a[:, :length].copy() if a.ndim == 2 else a.copy()) for a in batch))
    speaker = twins.speaker(games.tokens, games.lengths)
    listener = twins.listener(games.heard, games.lengths)
    twins.speaker_optimiser.zero_grad()
    twins.listener_optimiser.zero_grad()
    sum(oracle.losses(speaker, listener, games, options, baseline)).backward()


def assert_close(mine: np.ndarray, theirs: np.ndarray, what: str) -> None:
    scale = np.linalg.norm(theirs)
    assert np.linalg.norm(mine - theirs) <= LIMIT * scale, what


def double_twins(agents, options):
    twins = oracle.to_torch(agents, options)
    return oracle.TorchAgents.of(twins.speaker.double(), twins.listener.double(), options)


REWARDS = {"won or lost": np.eye(RANGE), "all won": np.ones((RANGE, RANGE)), "all lost": np.zeros((RANGE, RANGE)),
           "by distance": 1.0 - np.abs(np.subtract.outer(np.arange(RANGE), np.arange(RANGE))) / RANGE}  # fmt: skip
NEEDS = {"repeats": POWER, "ragged": FLAT, "single number": np.eye(RANGE)[12], "single short": np.eye(RANGE)[0]}


@pytest.mark.parametrize("baseline", [0.0, 0.3])
@pytest.mark.parametrize("entropies", [(0.0, 0.0, 0.0), (0.0, 0.0, 0.1), (0.05, 0.0, 0.1), (0.0, 0.05, 0.1)])
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("need", NEEDS)
def test_gradients_equal_autograd(need, reward, entropies, baseline):
    names = ("speaker_entropy", "lost_entropy", "listener_entropy")
    options = GameOptions(upto=RANGE, **dict(zip(names, entropies, strict=True)))
    rng = np.random.default_rng(1)
    agents = Agents.random(options, rng)
    twins = double_twins(agents, options)
    played = play_one(agents, ragged(), NEEDS[need], options, rng, REWARDS[reward], baseline)
    autograd(twins, played.batch, options, baseline)
    for module, gradient in zip((twins.speaker, twins.listener), played.gradients, strict=True):
        for name, parameter in module.named_parameters():
            assert_close(gradient[name], parameter.grad.numpy(), name)


PRESSURES = {
    "effort that is felt": {"effort": 0.2, "effort_in": "reward"},
    "effort that is only scored": {"effort": 0.2, "effort_in": "score"},
    "noise": {"noise": 0.3},
    "noise and effort": {"noise": 0.3, "effort": 0.2, "effort_in": "reward"},
}


@pytest.mark.parametrize("pressure", PRESSURES)
def test_gradients_under_pressure(pressure):
    options, rng = GameOptions(upto=RANGE, speaker_entropy=0.05, **PRESSURES[pressure]), np.random.default_rng(3)
    agents = Agents.random(options, rng)
    twins = double_twins(agents, options)
    played = play_one(agents, ragged(), FLAT, options, rng, REWARDS["won or lost"], 0.3)
    batch = played.batch
    won = batch.numbers == batch.guesses
    felt = 0.2 if options.effort_in == "reward" else 0.0
    assert batch.rewards == pytest.approx(won - felt * (batch.lengths - 1))
    assert (batch.heard is batch.messages) == (options.noise == 0)
    autograd(twins, batch, options, 0.3)
    for module, gradient in zip((twins.speaker, twins.listener), played.gradients, strict=True):
        for name, parameter in module.named_parameters():
            assert_close(gradient[name], parameter.grad.numpy(), name)


def test_three_adam_steps_equal_pytorch():
    options, rng = GameOptions(upto=RANGE, speaker_entropy=0.05), np.random.default_rng(2)
    agents = Agents.random(options, rng)
    twins = double_twins(agents, options)
    for _ in range(3):
        played = play_one(agents, ragged(), FLAT, options, rng, REWARDS["by distance"], 0.0)
        autograd(twins, played.batch, options, 0.0)
        twins.speaker_optimiser.step()
        twins.listener_optimiser.step()
    for module, agent in ((twins.speaker, agents.speaker), (twins.listener, agents.listener)):
        mine = state_dict(agent)
        for name, parameter in module.named_parameters():
            assert_close(mine[name], parameter.detach().numpy(), name)


@pytest.mark.parametrize(
    "sizes", [{"hidden": 7, "embedding": 3}, {"vocabulary": 5, "batch": 1}, {"batch": 3, "hidden": 17}]
)
def test_any_size(sizes):
    options, rng = replace(GameOptions(upto=RANGE, speaker_entropy=0.1), **sizes), np.random.default_rng(3)
    agents = Agents.random(options, rng)
    twins = double_twins(agents, options)
    played = play_one(agents, ragged(), FLAT, options, rng, REWARDS["by distance"], 0.0)
    autograd(twins, played.batch, options, 0.0)
    for module, gradient in zip((twins.speaker, twins.listener), played.gradients, strict=True):
        for name, parameter in module.named_parameters():
            assert_close(gradient[name], parameter.grad.numpy(), name)


@pytest.mark.parametrize("longest", [25, 41])
def test_long_strings(longest):
    options, rng = GameOptions(upto=RANGE), np.random.default_rng(4)
    agents = Agents.random(options, rng)
    twins = double_twins(agents, options)
    strings = ragged(longest=longest)
    strings[RANGE] = tuple(("1", "+") * (longest // 2) + ("1",))
    played = play_one(agents, strings, FLAT, options, rng, REWARDS["by distance"], 0.0)
    assert played.batch.lengths.max() == longest
    autograd(twins, played.batch, options, 0.0)
    for module, gradient in zip((twins.speaker, twins.listener), played.gradients, strict=True):
        for name, parameter in module.named_parameters():
            assert_close(gradient[name], parameter.grad.numpy(), name)
