"""Frequencies of numbers, messages and guesses against their distributions: chi-square tests with fixed seeds."""

import numpy as np
import pytest
from scipy.stats import chisquare

from ishango.game import Agents, GameOptions, encode, listen, speak
from ishango.game._kernel import Mind, make_batch, make_rules, play_steps
from ishango.game._network import draw

LEAST = 1e-3
"""A fair sampler falls below this in one of a thousand seeds; the seed here is fixed."""


def fits(counts: np.ndarray, probabilities: np.ndarray) -> bool:
    """A chi-square test; categories expected fewer than five times are pooled."""
    expected = probabilities / probabilities.sum() * counts.sum()
    rare = expected < 5
    if rare.any():
        counts = np.append(counts[~rare], counts[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    return chisquare(counts, expected).pvalue > LEAST


@pytest.fixture(scope="module")
def played():
    """Games of agents that do not learn: numbers, messages and guesses of 40,000 of them."""
    options, rng = GameOptions(upto=6, vocabulary=9, learning_rate=0.0, batch=50), np.random.default_rng(8)
    agents = Agents.random(options, rng)
    agents.speaker.parameters().w_output[...] *= 20  # far from uniform
    agents.listener.parameters().w_output[...] *= 20
    expressions = {n: (str(n), "*", str(n))[: 1 if n < 3 else 3] for n in range(1, 7)}
    need = np.array([8, 4, 3, 2, 2, 1]) / 20
    encoded = encode([expressions], 6)
    rules = make_rules(options, encoded, need, np.eye(6))
    minds = [Mind.of(agent, options.batch, 3) for agent in (agents.speaker, agents.listener)]
    batch, games = make_batch(options.batch, 3), []
    so_far = np.zeros(1), np.zeros(1, np.int64), np.zeros(1)
    for _ in range(800):
        play_steps(*minds, batch, rules, *so_far, rng, np.zeros(1, np.uint8), np.zeros(1), np.zeros(1, np.int32))
        games += list(zip(batch.numbers + 1, batch.lengths, batch.messages.copy(), batch.guesses + 1, strict=True))
    return agents, expressions, need, games


def test_numbers_follow_the_need(played):
    _, _, need, games = played
    assert fits(np.bincount([g[0] for g in games], minlength=7)[1:], need)


def test_messages_follow_the_speaker(played):
    agents, expressions, _, games = played
    for number in range(1, 7):
        for position, probabilities in enumerate(speak(agents, expressions, number)):
            symbols = [g[2][position] for g in games if g[0] == number]
            assert fits(np.bincount(symbols, minlength=9), probabilities), (number, position)


def test_guesses_follow_the_listener(played):
    agents, _, _, games = played
    heard: dict[tuple[int, ...], list[int]] = {}
    for _, length, message, guess in games:
        heard.setdefault(tuple(message[:length].tolist()), []).append(guess)
    frequent = {message: guesses for message, guesses in heard.items() if len(guesses) > 300}
    assert len(frequent) > 5
    for message, guesses in frequent.items():
        assert fits(np.bincount(guesses, minlength=7)[1:], listen(agents, message)), message


def test_the_test_can_fail(played):
    _, _, need, games = played
    counts = np.bincount([g[0] for g in games], minlength=7)[1:]
    assert not fits(counts, need + np.array([0.01, -0.01, 0, 0, 0, 0]))


def test_no_draw_leaves_the_distribution():
    sums = np.array([0.0, 0.3, 0.3, 1.0])
    assert [draw(sums, u) for u in (0.0, 0.29, 0.3, 0.999999999999)] == [1, 1, 3, 3]
