"""The playground's agents against the Numba kernel: gradients of given batches, and how fast they learn."""

import numpy as np
import pytest

from ishango.game import Agents, GameOptions, encode, play, reward_table
from ishango.game._kernel import Mind, make_batch, make_rules, play_steps
from ishango.numerals import STARTS, Need, NumeralSystem, minimal_language

LIMIT = 1e-4


def weights_of(agent, flat=None) -> dict[str, list[float]]:
    return {name: array.ravel().tolist() for name, array in agent.parameters(flat)._asdict().items()}


@pytest.mark.parametrize(
    ("hidden", "count", "simd"),
    [(100, 20, True), (20, 5, False)],
    ids=["vectors", "scalar"],
)
def test_same_gradients(ask, hidden, count, simd):
    """Batches that the Python kernel plays from saved weights, under all entropies."""
    upto, games = 50, 16
    rng = np.random.default_rng(5)
    entropies = {"speaker_entropy": 0.05, "lost_entropy": 0.03}
    options = GameOptions(upto=upto, batch=games, hidden=hidden, learning_rate=0.0, **entropies)
    said = minimal_language(STARTS[6], upto).tokens()
    encoded = encode([said], upto)
    length = encoded.tokens.shape[-1]
    agents = Agents.random(options, rng)
    # Trained a while, so that games are won and lost and probabilities are far from even.
    play(
        agents,
        [said],
        Need.parse("power:2").weights(upto),
        GameOptions(upto=upto, batch=games, hidden=hidden),
        300,
        rng,
    )
    rules = make_rules(options, encoded, np.full(upto, 1 / upto), reward_table("exact", upto))
    minds = [Mind.of(agent, games, length) for agent in (agents.speaker, agents.listener)]
    batch, batches, expected = make_batch(games, length), [], []
    for _ in range(count):
        state = np.zeros(1), np.zeros(1, np.int64), np.zeros(1)
        play_steps(*minds, batch, rules, *state, rng, np.zeros(1, np.uint8), np.zeros(1), np.zeros(1, np.int32))
        messages = [row[:n].tolist() for row, n in zip(batch.messages, batch.lengths, strict=True)]
        batches.append({"numbers": batch.numbers.tolist(), "messages": messages, "guesses": batch.guesses.tolist()})
        expected.append([weights_of(a, m.flat_gradient.copy()) for a, m in zip(_both(agents), minds, strict=True)])
    told = ask(
        "gradients",
        options={"hidden": hidden, "batch": games, "speakerEntropy": 0.05, "lostEntropy": 0.03},
        upto=upto,
        weights=[weights_of(agent) for agent in _both(agents)],
        expressions=[list(said[n]) for n in range(1, upto + 1)],
        batches=batches,
        simd=simd,
    )
    assert len({tuple(each["guesses"]) for each in batches}) == count
    for theirs, mine in zip(told, expected, strict=True):
        for found, wanted in zip(theirs, mine, strict=True):
            for name, values in wanted.items():
                scale = np.abs(values).max()
                assert scale > 0, name
                assert np.abs(np.subtract(found[name], values)).max() <= LIMIT * scale, name


def _both(agents: Agents):
    return agents.speaker, agents.listener


@pytest.mark.parametrize(
    ("start", "upto", "hidden", "need", "steps"),
    [
        pytest.param("1-5 | 6,10", 20, 40, "power:1", 600, id="a small game"),
        # Twenty pairs of agents as large as by default take minutes, here and there.
        pytest.param(str(STARTS[0]), 50, 100, "power:2", 2000, id="start 1", marks=pytest.mark.slow),
    ],
)
def test_same_learning(ask, start, upto, hidden, need, steps):
    """The median curve of twenty seeds lies between the quartiles of the Python kernel's twenty."""
    block, seeds = steps // 6, 20
    said, needed = minimal_language(NumeralSystem.parse(start), upto).tokens(), Need.parse(need).weights(upto)
    options = GameOptions(upto=upto, hidden=hidden, lost_entropy=0.03)
    mine = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        round_ = play(Agents.random(options, rng), [said], needed, options, steps // block * block, rng)
        mine.append(round_.won.reshape(-1, block).mean(1) / options.batch)
    told = ask("curves", options={"hidden": hidden}, upto=upto, start=start, need=need, seeds=seeds,
               steps=steps // block * block, block=block)  # fmt: skip
    low, high = np.quantile(mine, (0.25, 0.75), axis=0)
    median = np.median(told["curves"], axis=0)
    assert (low <= median).all()
    assert (median <= high).all()
    assert median[-1] > 1.2 * median[0]  # something is learnt
