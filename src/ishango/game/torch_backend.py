"""The same game with any PyTorch modules as speaker and listener (extra `torch`).

A speaker maps token strings (games, longest) and their lengths to logits (games, longest, symbols); a listener maps
messages and lengths to logits (games, range). Strings are in no order and padded; the lengths say what counts.

>>> options = GameOptions(upto=5)
>>> agents = TorchAgents.lstm(options)
>>> words = {n: (str(n),) for n in range(1, 6)}
>>> play(agents, [words], np.ones(5), options, steps=2, rng=np.random.default_rng(0)).steps
2
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ishango.errors import RequestError
from ishango.game._agents import Agents, state_dict
from ishango.game._kernel import choose
from ishango.game._round import (
    Encoded,
    Expressions,
    GameOptions,
    Round,
    check_need,
    check_request,
    check_reward,
    encode,
    reward_table,
)
from ishango.registry import needs

try:
    import torch
    from torch import Tensor, nn
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
except ModuleNotFoundError:
    needs("torch", "Games with PyTorch modules")
    raise


class _Lstm(nn.Module):
    """The paper's network: an embedding, an LSTM and a linear layer, under the names that `state_dict` gives them."""

    def __init__(self, alphabet: int, embedding: int, hidden: int, outputs: int):
        super().__init__()
        self.embedding = nn.Embedding(alphabet, embedding)
        self.lstm = nn.LSTM(embedding, hidden, batch_first=True)
        self.output = nn.Linear(hidden, outputs)

    def packed(self, strings: Tensor, lengths: Tensor) -> Any:
        """The strings (games, longest) as the LSTM reads them; padding is not computed."""
        return pack_padded_sequence(self.embedding(strings), lengths, batch_first=True, enforce_sorted=False)


class Speaker(_Lstm):
    """The paper's speaker: after each token, logits over the symbols."""

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Logits (games, longest, symbols) for `tokens` (games, longest)."""
        states, _ = self.lstm(self.packed(tokens, lengths))
        return pad_packed_sequence(states._replace(data=self.output(states.data)), batch_first=True)[0]


class Listener(_Lstm):
    """The paper's listener: after the last symbol, logits over the numbers."""

    def forward(self, messages: Tensor, lengths: Tensor) -> Tensor:
        """Logits (games, numbers) for `messages` (games, longest)."""
        _, (state, _) = self.lstm(self.packed(messages, lengths))
        return self.output(state[0])


@dataclass(eq=False)
class TorchAgents:
    """Speaker and listener modules with an Adam optimiser each. Playing changes them in place."""

    speaker: nn.Module
    listener: nn.Module
    speaker_optimiser: torch.optim.Optimizer
    listener_optimiser: torch.optim.Optimizer

    @classmethod
    def of(cls, speaker: nn.Module, listener: nn.Module, options: GameOptions) -> TorchAgents:
        """Agents around any two modules, with the optimisers that `options` asks for."""
        optimisers = (
            torch.optim.Adam(m.parameters(), lr=options.learning_rate, fused=True) for m in (speaker, listener)
        )
        return cls(speaker, listener, *optimisers)

    @classmethod
    def lstm(cls, options: GameOptions) -> TorchAgents:
        """The paper's agents, initialised by PyTorch."""
        sizes = (options.embedding, options.hidden)
        return cls.of(
            Speaker(options.tokens, *sizes, options.symbols), Listener(options.symbols, *sizes, options.upto), options
        )

    def roles(self) -> tuple[tuple[str, nn.Module, torch.optim.Optimizer], ...]:
        """Both agents: what they are called, the module and its optimiser."""
        return (
            ("speaker", self.speaker, self.speaker_optimiser),
            ("listener", self.listener, self.listener_optimiser),
        )

    def with_listener(self, others: TorchAgents) -> TorchAgents:
        """This speaker and the listener of others, each with its optimiser."""
        return TorchAgents(self.speaker, others.listener, self.speaker_optimiser, others.listener_optimiser)

    def forget(self) -> None:
        """Reset both optimisers; the parameters stay."""
        for _role, _module, optimiser in self.roles():
            optimiser.state.clear()

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything both agents are, without Python objects: parameters, buffers and the optimisers' memory.

        Names: torch.speaker.parameter.lstm.bias_hh_l0, torch.speaker.optimiser.0.exp_avg, torch.speaker.groups
        """
        arrays: dict[str, np.ndarray] = {}
        for role, module, optimiser in self.roles():
            for name, tensor in module.state_dict().items():
                arrays[f"torch.{role}.parameter.{name}"] = _array(tensor)
            document: dict[str, Any] = optimiser.state_dict()
            for index, values in document["state"].items():
                for name, value in values.items():
                    if value is not None:
                        arrays[f"torch.{role}.optimiser.{index}.{name}"] = _array(torch.as_tensor(value))
            groups = [{name: v for name, v in group.items() if name != "params"} for group in document["param_groups"]]
            arrays[f"torch.{role}.groups"] = np.frombuffer(json.dumps(groups).encode(), dtype=np.uint8)
        return arrays

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Become the agents whose `to_arrays` gave these."""
        for role, module, optimiser in self.roles():
            parameters = _below(arrays, f"torch.{role}.parameter.")
            if not parameters or f"torch.{role}.groups" not in arrays:
                raise RequestError("The checkpoint holds no agents of PyTorch.")
            module.load_state_dict(parameters)
            document: dict[str, Any] = optimiser.state_dict()
            state: dict[int, dict[str, Any]] = {}
            for name, tensor in _below(arrays, f"torch.{role}.optimiser.").items():
                index, _, field = name.partition(".")
                state.setdefault(int(index), {})[field] = tensor
            groups = json.loads(arrays[f"torch.{role}.groups"].tobytes())
            merged = [fresh | kept for fresh, kept in zip(document["param_groups"], groups, strict=True)]
            optimiser.load_state_dict({"state": state, "param_groups": merged})


class TorchBatch(NamedTuple):
    """The games of a step, as `ishango.game._kernel.Batch`."""

    numbers: Tensor
    tokens: Tensor
    lengths: Tensor
    messages: Tensor
    heard: Tensor
    guesses: Tensor
    rewards: Tensor


def losses(
    speaker_logits: Tensor, listener_logits: Tensor, batch: TorchBatch, options: GameOptions, baseline: float
) -> tuple[Tensor, Tensor]:
    """REINFORCE losses of speaker and listener, with their entropy terms."""
    pull = (batch.rewards - baseline).to(speaker_logits.dtype)
    mask = torch.arange(batch.tokens.shape[1]) < batch.lengths[:, None]
    said = speaker_logits.log_softmax(-1)
    symbol = said.gather(-1, batch.messages[..., None]).squeeze(-1).where(mask, 0).sum(-1)
    speaker = -(pull * symbol).mean()
    if options.speaker_entropy or options.lost_entropy:
        weight = options.speaker_entropy + options.lost_entropy * (batch.guesses != batch.numbers)
        entropy = -(said.exp() * said).sum(-1).where(mask, 0).sum(-1)
        speaker = speaker - (weight * entropy).mean()
    heard = listener_logits.log_softmax(-1)
    listener = -(pull * heard.gather(-1, batch.guesses[:, None]).squeeze(-1)).mean()
    if options.listener_entropy:
        listener = listener + options.listener_entropy * (heard.exp() * heard).sum(-1).mean()
    return speaker, listener


def _sample(logits: Tensor, generator: torch.Generator) -> Tensor:
    """One draw from each distribution along the last dimension."""
    flat = torch.multinomial(logits.softmax(-1).flatten(0, -2), 1, generator=generator)
    return flat.view(logits.shape[:-1])


def _disturbed(messages: Tensor, options: GameOptions, generator: torch.Generator) -> Tensor:
    """The messages as they arrive: each symbol may be another one, all of which are equally likely."""
    shift = torch.randint(1, options.symbols, messages.shape, generator=generator)
    hit = torch.rand(messages.shape, generator=generator) < options.noise
    return torch.where(hit, (messages + shift) % options.symbols, messages)


def _step(
    agents: TorchAgents, data: _Data, arm: int, options: GameOptions, baseline: float, generator: torch.Generator
) -> TorchBatch:
    """Play one batch and learn from it."""
    numbers = torch.multinomial(data.need, options.batch, replacement=True, generator=generator)
    lengths = data.lengths[arm, numbers]
    tokens = data.tokens[arm, numbers, : int(lengths.max())]
    speaker_logits = agents.speaker(tokens, lengths)
    messages = _sample(speaker_logits.detach(), generator)
    heard = _disturbed(messages, options, generator) if options.noise else messages
    listener_logits = agents.listener(heard, lengths)
    guesses = _sample(listener_logits.detach(), generator)
    rewards = data.reward[numbers, guesses] - options.felt_effort * (lengths - 1)
    batch = TorchBatch(numbers, tokens, lengths, messages, heard, guesses, rewards)
    speaker_loss, listener_loss = losses(speaker_logits, listener_logits, batch, options, baseline)
    agents.speaker_optimiser.zero_grad()
    agents.listener_optimiser.zero_grad()
    (speaker_loss + listener_loss).backward()  # pyright: ignore[reportUnknownMemberType]  # PyTorch gives no types
    agents.speaker_optimiser.step()
    agents.listener_optimiser.step()
    return batch


def _tensor(array: np.ndarray) -> Tensor:
    return torch.from_numpy(array)  # pyright: ignore[reportUnknownMemberType]  # PyTorch gives no types


class _Data(NamedTuple):
    need: Tensor
    reward: Tensor
    tokens: Tensor
    lengths: Tensor

    @classmethod
    def of(cls, need: np.ndarray, reward: np.ndarray, encoded: Encoded) -> _Data:
        return cls(*map(_tensor, (need, reward, *encoded)))


def play(
    agents: TorchAgents,
    arms: Sequence[Expressions],
    need: np.ndarray,
    options: GameOptions,
    steps: int,
    rng: np.random.Generator,
    so_far: Round | None = None,
    reward: np.ndarray | None = None,
    progress: Callable[[int], None] | None = None,
    even: bool = False,
) -> Round:
    """As `ishango.game.play`; PyTorch's draws come from a generator that `rng` seeds for each step."""
    before = so_far or Round.empty(len(arms), options.batch)
    check_request(arms, before, options, steps)
    reward = reward_table(options.reward, options.upto) if reward is None else reward
    reward = check_reward(reward, options.upto)
    data = _Data.of(check_need(need, options.upto), reward, encode(arms, options.upto))
    generator, after = torch.Generator(), before.extended(steps)
    for t in range(before.steps, after.steps):
        arm: int = t % len(arms) if even else choose(after.q, after.uses, options.epsilon, rng)
        baseline = after.total[0] / t if options.baseline == "mean" and t else 0.0
        generator.manual_seed(int(rng.integers(2**63)))  # pyright: ignore[reportUnknownArgumentType]  # PyTorch gives no types
        batch = _step(agents, data, arm, options, baseline, generator)
        felt = float(batch.rewards.mean())
        score = felt - options.scored_effort * (float(batch.lengths.double().mean()) - 1)
        after.record(t, arm, felt, score, int((batch.numbers == batch.guesses).sum()), options.alpha)
        if progress:
            progress(1)
    return after


def best_guesses(agents: TorchAgents, tokens: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Messages, and what is understood, from 0, of each string when both modules take their most probable symbols."""
    with _asked(agents.speaker, agents.listener):
        counts = _tensor(lengths)
        messages = agents.speaker(_tensor(tokens), counts).argmax(-1)
        return messages.numpy(), agents.listener(messages, counts).argmax(-1).numpy()


@contextmanager
def _asked(*modules: nn.Module) -> Generator[None]:
    """Let modules answer without learning; afterwards each is in the mode in which it was."""
    modes = [module.training for module in modules]
    for module in modules:
        module.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module, mode in zip(modules, modes, strict=True):
            module.train(mode)


class TorchLesson:
    """A listener module and the numerals that it learns, as `ishango.game.Lesson`, by cross-entropy."""

    def __init__(
        self,
        agents: TorchAgents,
        expressions: Expressions,
        need: np.ndarray,
        options: GameOptions,
        shuffled: bool = False,
    ) -> None:
        self._agents, self._options, self._shuffled = agents, options, shuffled
        tokens, lengths = encode([expressions], options.upto)
        self._tokens, self._lengths = _tensor(tokens[0]), _tensor(lengths[0])
        self._sums = np.cumsum(check_need(need, options.upto))

    def _drawn(self, rng: np.random.Generator) -> np.ndarray:
        thresholds = rng.random(self._options.batch) * self._sums[-1]
        return np.asarray(np.searchsorted(self._sums[:-1], thresholds, side="right"), np.int64)

    def teach(self, steps: int, rng: np.random.Generator) -> np.ndarray:
        """Learn for some steps; returns how often each number was an example."""
        listener, optimiser = self._agents.listener, self._agents.listener_optimiser
        heard = np.zeros(self._options.upto, np.int64)
        for _ in range(steps):
            numbers = self._drawn(rng)
            heard += np.bincount(numbers, minlength=heard.size)
            told = self._drawn(rng) if self._shuffled else numbers
            lengths = self._lengths[numbers]
            logits = listener(self._tokens[numbers][:, : int(lengths.max())], lengths)
            optimiser.zero_grad()
            nn.functional.cross_entropy(logits, _tensor(told)).backward()  # pyright: ignore[reportUnknownMemberType]  # PyTorch gives no types
            optimiser.step()
        return heard

    def answers(self) -> np.ndarray:
        """The best answer, from 1, to the expression of each number."""
        with _asked(self._agents.listener):
            return self._agents.listener(self._tokens, self._lengths).argmax(-1).numpy() + 1


def to_torch(agents: Agents, options: GameOptions) -> TorchAgents:
    """The kernel's agents as modules with equal parameters (and fresh optimisers)."""
    twins = TorchAgents.lstm(options)
    for module, agent in ((twins.speaker, agents.speaker), (twins.listener, agents.listener)):
        module.load_state_dict({name: _tensor(array) for name, array in state_dict(agent).items()})
    return twins


def _below(arrays: Mapping[str, np.ndarray], prefix: str) -> dict[str, torch.Tensor]:
    found = ((name.removeprefix(prefix), array) for name, array in arrays.items() if name.startswith(prefix))
    return {name: torch.from_numpy(np.array(array)) for name, array in found}  # pyright: ignore[reportUnknownMemberType]  # PyTorch gives no types


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().cpu().numpy().copy()
