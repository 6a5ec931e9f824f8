"""The listener that learns alone: gradients and Adam steps against PyTorch's, and what a control learns."""

import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.game import Agents, GameOptions, Lesson, encode
from ishango.game._agents import Agent, state_dict
from ishango.game._kernel import LINE, Mind, make_batch, make_rules, teach_steps

RANGE = 20
OPTIONS = GameOptions(upto=RANGE)
WORDS = {n: (str(n),) for n in range(1, RANGE + 1)}


def listener(answers: str, rng: np.random.Generator, options: GameOptions = OPTIONS) -> Agent:
    return Agents.random(options, rng, line=answers == "line").listener


class Taught:
    """A lesson a step at a time, whose last batch and gradient can be looked at."""

    def __init__(self, agent: Agent, strings, shuffled: bool, options: GameOptions = OPTIONS) -> None:
        encoded = encode([strings], RANGE)
        length = encoded.tokens.shape[-1]
        self.agent, self.shuffled = agent, shuffled
        self.rules = make_rules(options, encoded, np.full(RANGE, 1 / RANGE), np.zeros((RANGE, RANGE)))
        self.mind, self.batch = Mind.of(agent, options.batch, length), make_batch(options.batch, length)

    def step(self, rng) -> dict[str, np.ndarray]:
        teach_steps(self.mind, self.batch, self.rules, self.shuffled, rng, 1, np.zeros(RANGE, np.int64))
        twin = self.agent.copy()
        twin.value[...] = self.mind.flat_gradient
        return state_dict(twin)


def twin_of(agent: Agent, options: GameOptions = OPTIONS):
    torch = pytest.importorskip("torch")
    from ishango.game.torch_backend import Listener

    module = Listener(options.tokens, options.embedding, options.hidden, agent.sizes.outputs)
    module.load_state_dict({name: torch.from_numpy(array) for name, array in state_dict(agent).items()})
    return module.double()


def backward(module, batch, answers: str) -> None:
    import torch

    longest = int(batch.lengths.max())
    tokens, lengths = torch.from_numpy(batch.tokens[:, :longest].copy()), torch.from_numpy(batch.lengths.copy())
    told, logits = torch.from_numpy(batch.guesses.copy()), module(tokens, lengths)
    module.zero_grad()
    if answers == "classes":
        torch.nn.functional.cross_entropy(logits, told).backward()
    else:
        (0.5 * (logits[:, 0] - (told + 1) * LINE / RANGE) ** 2).mean().backward()


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("answers", ["classes", "line"])
def test_gradients_and_steps_equal_pytorchs(answers, shuffled):
    torch = pytest.importorskip("torch")
    from tests.game.test_gradients import assert_close, ragged

    rng = np.random.default_rng(1)
    lesson = Taught(listener(answers, rng), ragged(), shuffled)
    module = twin_of(lesson.agent)
    optimiser = torch.optim.Adam(module.parameters(), lr=OPTIONS.learning_rate)
    for _ in range(3):
        gradient = lesson.step(rng)
        assert (lesson.batch.guesses == lesson.batch.numbers).all() != shuffled
        backward(module, lesson.batch, answers)
        for name, parameter in module.named_parameters():
            assert_close(gradient[name], parameter.grad.numpy(), name)
        optimiser.step()
    for name, parameter in module.named_parameters():
        assert_close(state_dict(lesson.agent)[name], parameter.detach().numpy(), name)


@pytest.mark.parametrize("answers", ["classes", "line"])
def test_answers_are_those_of_pytorch(answers):
    torch = pytest.importorskip("torch")
    from tests.game.test_gradients import ragged

    rng = np.random.default_rng(2)
    agent, strings = listener(answers, rng), ragged()
    lesson = Lesson(agent, strings, np.ones(RANGE), OPTIONS)
    lesson.teach(200, rng)
    tokens, lengths = (torch.from_numpy(each[0]) for each in encode([strings], RANGE))
    with torch.no_grad():
        logits = twin_of(agent)(tokens, lengths).numpy()
    near = (logits[:, 0] * RANGE / LINE).round().clip(1, RANGE)
    expected = logits.argmax(-1) + 1 if answers == "classes" else near
    assert (lesson.answers() == expected).all()
    assert (lesson.answers() == lesson.answers()).all()


def test_however_it_is_cut_learning_has_the_same_bits_and_counts():
    results = []
    for pieces in ([30], [10, 20]):
        rng = np.random.default_rng(3)
        agent = listener("classes", rng)
        lesson = Lesson(agent, WORDS, np.arange(RANGE), OPTIONS)
        heard = sum(lesson.teach(steps, rng) for steps in pieces)
        assert heard[0] == 0
        assert heard.sum() == 30 * OPTIONS.batch
        results.append((agent.value.tobytes(), heard.tobytes()))
    assert results[0] == results[1]


def test_other_sizes_are_refused():
    agent = listener("line", np.random.default_rng(0), GameOptions(upto=9))
    with pytest.raises(RequestError, match=r"The listener has sizes .* do not fit the range 20"):
        Lesson(agent, WORDS, np.ones(RANGE), OPTIONS)


def test_learning_that_runs_away_is_stopped():
    from ishango.errors import RunError

    options, rng = GameOptions(upto=RANGE, learning_rate=1e38), np.random.default_rng(0)
    lesson = Lesson(listener("line", rng, options), WORDS, np.ones(RANGE), options)
    with pytest.raises(RunError, match="listener's parameters are no longer finite"):
        lesson.teach(50, rng)
