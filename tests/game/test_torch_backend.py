import numpy as np
import pytest

from ishango.errors import RequestError
from ishango.game import GameOptions, Round, speak

torch = pytest.importorskip("torch")
from ishango.game import torch_backend as backend  # noqa: E402

torch.set_num_threads(1)
OPTIONS = GameOptions(upto=6)
WORDS = {n: (str(n),) if n < 4 else ("3", "+", str(n - 3)) for n in range(1, 7)}
NEED = np.ones(6)


class Recurrent(torch.nn.Module):
    """A speaker with a GRU: any module of the right shapes plays."""

    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(OPTIONS.tokens, 8)
        self.gru = torch.nn.GRU(8, 16, batch_first=True)
        self.output = torch.nn.Linear(16, OPTIONS.symbols)

    def forward(self, tokens, lengths):  # noqa: ARG002
        return self.output(self.gru(self.embedding(tokens))[0])


def fresh() -> backend.TorchAgents:
    torch.manual_seed(0)
    return backend.TorchAgents.lstm(OPTIONS)


def test_agents_learn():
    result = backend.play(fresh(), [WORDS], NEED, OPTIONS, 300, np.random.default_rng(0))
    assert result.won[-50:].mean() > 1.5 * result.won[:20].mean()


def test_other_architectures_play():
    torch.manual_seed(0)
    listener = backend.Listener(OPTIONS.symbols, 5, 20, OPTIONS.upto)
    agents = backend.TorchAgents.of(Recurrent(), listener, OPTIONS)
    result = backend.play(agents, [WORDS, WORDS], NEED, OPTIONS, 40, np.random.default_rng(0))
    assert result.steps == 40
    assert result.uses.sum() == 40
    assert np.array_equal(np.bincount(result.arms, minlength=2), result.uses)


def test_cutting_a_round_changes_no_bit():
    curves = []
    for chunks in ([30], [10, 20]):
        agents, rng, so_far = fresh(), np.random.default_rng(1), None
        for steps in chunks:
            so_far = backend.play(agents, [WORDS, WORDS], NEED, OPTIONS, steps, rng, so_far)
        curves.append(so_far)
    assert np.array_equal(curves[0].rewards, curves[1].rewards)
    assert np.array_equal(curves[0].q, curves[1].q)


def test_modules_are_the_kernels_agents():
    from ishango.game import Agents

    agents = Agents.random(OPTIONS, np.random.default_rng(2))
    twins = backend.to_torch(agents, OPTIONS)
    tokens, lengths = torch.tensor([[2, 6, 1], [0, 0, 0]]), torch.tensor([3, 1])
    said = twins.speaker(tokens, lengths).softmax(-1).detach().numpy()
    assert np.allclose(said[0], speak(agents, WORDS, 5), atol=1e-6)
    assert np.allclose(said[1, :1], speak(agents, WORDS, 1), atol=1e-6)


def test_wrong_requests_are_refused():
    with pytest.raises(RequestError, match="2 arms"):
        backend.play(fresh(), [WORDS], NEED, OPTIONS, 1, np.random.default_rng(0), Round.empty(2, 32))
