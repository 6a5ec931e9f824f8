"""Imitation against PyTorch's cross-entropy, and what agents learn by it."""

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.game import Agents, GameOptions, _play, best_message, competence, demonstrate, encode, imitate, play, speak
from ishango.game._agents import state_dict
from ishango.game._kernel import Mind, imitate_steps, make_batch, make_rules
from ishango.game._play import Demonstrations

torch = pytest.importorskip("torch")
from tests.game.test_gradients import assert_close, double_twins, ragged  # noqa: E402 - it needs PyTorch, too

RANGE = 20
OPTIONS = GameOptions(upto=RANGE, listener_entropy=0.0)


def examples(agents, rng, count=40) -> Demonstrations:
    return demonstrate(agents, ragged(), rng.integers(1, RANGE + 1, count).tolist(), rng)


def cross_entropy(twins, batch) -> None:
    """PyTorch's own loss: for the speaker summed over a message, for both a mean over games."""
    length = int(batch.lengths.max())
    tokens, messages = (torch.from_numpy(each[:, :length].copy()) for each in (batch.tokens, batch.messages))
    lengths, numbers = torch.from_numpy(batch.lengths.copy()), torch.from_numpy(batch.numbers.copy())
    said = torch.nn.functional.cross_entropy(twins.speaker(tokens, lengths).transpose(1, 2), messages, reduction="none")
    mask = torch.arange(length) < lengths[:, None]
    heard = torch.nn.functional.cross_entropy(twins.listener(messages, lengths), numbers)
    (said.where(mask, 0).sum(-1).mean() + heard).backward()


@pytest.mark.parametrize("seed", range(3))
def test_gradients_are_those_of_cross_entropy(seed):
    rng = np.random.default_rng(seed)
    parents, agents = Agents.random(OPTIONS, rng), Agents.random(OPTIONS, rng)
    shown, twins = examples(parents, rng), double_twins(agents, OPTIONS)
    rules = make_rules(OPTIONS, encode([ragged()], RANGE), np.full(RANGE, 1 / RANGE), np.eye(RANGE))
    minds = [Mind.of(agent, OPTIONS.batch, shown.tokens.shape[1]) for agent in (agents.speaker, agents.listener)]
    batch = make_batch(OPTIONS.batch, shown.tokens.shape[1])
    imitate_steps(*minds, batch, rules, *shown, rng, 1)
    assert len(set(batch.numbers.tolist())) > 5
    cross_entropy(twins, batch)
    for module, agent, mind in zip(
        (twins.speaker, twins.listener), (agents.speaker, agents.listener), minds, strict=True
    ):
        twin = agent.copy()
        twin.value[...] = mind.flat_gradient
        for name, parameter in module.named_parameters():
            assert_close(state_dict(twin)[name], parameter.grad.numpy(), name)


def test_what_is_demonstrated_is_what_the_speaker_would_say():
    rng = np.random.default_rng(0)
    agents, words = Agents.random(OPTIONS, rng), ragged()
    number = 4
    shown = demonstrate(agents, words, [number] * 4_000, rng)
    expected = speak(agents, words, number)
    assert (shown.numbers == number - 1).all()
    assert (shown.lengths == len(words[number])).all()
    for position, probabilities in enumerate(expected):
        seen = np.bincount(shown.messages[:, position], minlength=len(probabilities)) / 4_000
        assert np.abs(seen - probabilities).max() < 0.03
    greedy = demonstrate(agents, words, [number, 7], rng, greedy=True)
    for row, each in enumerate((number, 7)):
        assert tuple(greedy.messages[row, : len(words[each])]) == best_message(agents, words, each)
    with pytest.raises(RequestError, match="nothing to demonstrate"):
        demonstrate(agents, words, [], rng)


def test_children_speak_as_their_parents_do_and_understand_them():
    rng, words = np.random.default_rng(1), {n: (str(n),) for n in range(1, RANGE + 1)}
    need = np.full(RANGE, 1 / RANGE)
    parents, child = Agents.random(OPTIONS, rng), Agents.random(OPTIONS, rng)
    play(parents, [words], need, OPTIONS, 3_000, rng)
    shown = demonstrate(parents, words, list(words), rng, greedy=True)
    before = competence(child, words, need).accuracy
    imitate(child, shown, OPTIONS, 600, rng)
    same = [best_message(child, words, n) == best_message(parents, words, n) for n in words]
    assert all(same)
    # Where parents say two numbers alike, no child can tell them apart.
    distinct = len({best_message(parents, words, n) for n in words}) / RANGE
    assert before < 0.3 < distinct
    assert competence(child, words, need).accuracy == pytest.approx(distinct)


def test_entropies_play_no_part():
    """Nor does noise: what is imitated is what was shown."""
    results = []
    plain = {"speaker_entropy": 0.0, "lost_entropy": 0.0, "listener_entropy": 0.0, "noise": 0.0}
    for change in ({}, {"speaker_entropy": 0.3}, {"lost_entropy": 0.3}, {"listener_entropy": 0.3}, {"noise": 0.3}):
        options, rng = GameOptions(upto=RANGE, **{**plain, **change}), np.random.default_rng(2)
        agents, child = Agents.random(options, rng), Agents.random(options, rng)
        imitate(child, examples(agents, rng), options, 10, rng)
        results.append(child.speaker.value.tobytes() + child.listener.value.tobytes())
    assert len(set(results)) == 1


def test_however_it_is_cut_learning_has_the_same_bits(monkeypatch):
    """Into calls, or within a call into blocks, after each of which progress is told."""
    results = []
    for pieces, block in (([30], 1000), ([10, 20], 1000), ([30], 20)):
        monkeypatch.setattr(_play, "_BLOCK", block)
        rng = np.random.default_rng(2)
        agents, child = Agents.random(OPTIONS, rng), Agents.random(OPTIONS, rng)
        shown = examples(agents, rng)
        for steps in pieces:
            imitate(child, shown, OPTIONS, steps, rng)
        results.append(child.speaker.value.tobytes() + child.listener.value.tobytes())
    assert len(set(results)) == 1
