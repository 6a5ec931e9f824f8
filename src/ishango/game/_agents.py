"""The two agents: their parameters, how these begin, and Adam's memory of them."""

import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
from numpy.lib.npyio import NpzFile
from safetensors.numpy import save

from ishango.errors import RequestError, RunError, damage
from ishango.game._network import Weights
from ishango.game._round import GameOptions
from ishango.game._vectors import padded
from ishango.safe_files import write

_LINE = 16
"""Floats in a cache line: every matrix starts on one."""


class Sizes(NamedTuple):
    """What determines the shapes of an agent's parameters."""

    alphabet: int
    embedding: int
    hidden: int
    outputs: int

    def shapes(self) -> list[tuple[int, ...]]:
        """Shapes of the fields of `Weights`: PyTorch's, but with matrices as (inputs, outputs)."""
        gates = 4 * self.hidden
        recurrent = [(self.embedding, gates), (self.hidden, gates), (gates,), (gates,)]
        return [(self.alphabet, self.embedding), *recurrent, (self.hidden, self.outputs), (self.outputs,)]

    def stored(self) -> list[tuple[int, ...]]:
        """Shapes as stored: rows padded to whole vectors, the embedding's aside."""
        embedding, *others = self.shapes()
        return [embedding, *((*shape[:-1], padded(shape[-1])) for shape in others)]


def aligned(size: int) -> np.ndarray:
    """Zeros that start on a cache line."""
    raw = np.zeros(size + _LINE, np.float32)
    start = -raw.ctypes.data % (4 * _LINE) // 4
    return raw[start : start + size]


def split(flat: np.ndarray, sizes: Sizes) -> Weights:
    """Views of the padded matrices inside a flat vector."""
    return Weights(*(flat[start : start + math.prod(shape)].reshape(shape) for start, shape in places(sizes)))


def places(sizes: Sizes) -> list[tuple[int, tuple[int, ...]]]:
    """Where each of the padded matrices begins in the flat vector, and its shape."""
    shapes = sizes.stored()
    return list(zip(accumulate(map(_lines, shapes[:-1]), initial=0), shapes, strict=True))


def length(sizes: Sizes) -> int:
    return sum(map(_lines, sizes.stored()))


def _lines(shape: tuple[int, ...]) -> int:
    """Floats of the whole cache lines that a matrix takes."""
    return -(-math.prod(shape) // _LINE) * _LINE


@dataclass(eq=False)
class Agent:
    """One agent: parameters and Adam's two moments as flat vectors, and the number of updates so far."""

    sizes: Sizes
    value: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    steps: np.ndarray

    @classmethod
    def zeros(cls, sizes: Sizes) -> "Agent":
        value, mean, square = (aligned(length(sizes)) for _ in range(3))
        return cls(sizes, value, mean, square, np.zeros(1, np.int64))

    @classmethod
    def random(cls, sizes: Sizes, rng: np.random.Generator) -> "Agent":
        """An untrained agent, drawn as PyTorch initialises nn.Embedding, nn.LSTM and nn.Linear."""
        agent = cls.zeros(sizes)
        bound = 1 / np.sqrt(sizes.hidden)
        for name, weight in agent.parameters()._asdict().items():
            shape = weight.shape
            weight[...] = rng.standard_normal(shape) if name == "embedding" else rng.uniform(-bound, bound, shape)
        return agent

    def forget(self) -> None:
        self.mean[...] = self.square[...] = 0
        self.steps[...] = 0

    @property
    def weights(self) -> Weights:
        """The parameters as stored, padding included (views)."""
        return split(self.value, self.sizes)

    def parameters(self, flat: np.ndarray | None = None) -> Weights:
        """The parameters (or a vector laid out like them) without the padding (views)."""
        stored = split(self.value if flat is None else flat, self.sizes)
        return Weights(*(w[..., : s[-1]] for w, s in zip(stored, self.sizes.shapes(), strict=True)))

    def copy(self) -> "Agent":
        twin = Agent.zeros(self.sizes)
        twin.take(self)
        return twin

    def take(self, other: "Agent") -> None:
        for mine, its in zip(self._arrays().values(), other._arrays().values(), strict=True):
            mine[...] = its

    def _arrays(self) -> dict[str, np.ndarray]:
        return {"value": self.value, "mean": self.mean, "square": self.square, "steps": self.steps}

    def to_arrays(self) -> dict[str, np.ndarray]:
        return {"sizes": np.array(self.sizes, np.int64), **self._arrays()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> "Agent":
        try:
            agent = cls.zeros(Sizes(*(int(s) for s in arrays["sizes"])))
            for name, array in agent._arrays().items():
                if arrays[name].shape != array.shape:
                    raise ValueError(f"{name} has another shape than its sizes ask for")
                if not np.can_cast(arrays[name].dtype, array.dtype, "same_kind"):
                    raise ValueError(f"{name} has numbers of another kind")
                array[...] = arrays[name]
        except (KeyError, TypeError, ValueError, OverflowError, MemoryError) as error:
            raise RequestError(f"This is not a saved agent: {damage(error)}.") from error
        if not all(np.isfinite(array).all() for array in agent._arrays().values()):
            raise RequestError("This is not a saved agent: some of its parameters are no numbers.")
        if (agent.steps < 0).any() or (agent.square < 0).any():
            raise RequestError("This is not a saved agent: its steps or squares are below 0.")
        return agent


@dataclass(eq=False)
class Agents:
    """Speaker and listener, with the memory of their optimisers. Playing changes them in place.

    >>> agents = Agents.random(GameOptions(), np.random.default_rng(0))
    >>> agents.speaker.parameters().w_hidden.shape
    (100, 400)
    """

    speaker: Agent
    listener: Agent

    @classmethod
    def random(cls, options: GameOptions, rng: np.random.Generator, line: bool = False) -> "Agents":
        """Untrained agents of the sizes that `options` asks for; `line`: a listener whose single output is a number."""
        speaker, listener = agent_sizes(options)
        if line:
            listener = listener._replace(outputs=1)
        return cls(Agent.random(speaker, rng), Agent.random(listener, rng))

    def copy(self) -> "Agents":
        return Agents(self.speaker.copy(), self.listener.copy())

    def take(self, others: "Agents") -> None:
        self.speaker.take(others.speaker)
        self.listener.take(others.listener)

    def with_listener(self, others: "Agents") -> "Agents":
        """This speaker and the listener of others, each with its optimiser."""
        return Agents(self.speaker, others.listener)

    def forget(self) -> None:
        self.speaker.forget()
        self.listener.forget()

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything both agents are, for a checkpoint: `speaker_value`, `listener_mean`, ..."""
        pairs = (("speaker", self.speaker), ("listener", self.listener))
        return {f"{role}_{name}": array for role, agent in pairs for name, array in agent.to_arrays().items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], options: GameOptions | None = None) -> "Agents":
        """The agents that `to_arrays` wrote; refused if they are not of the sizes that options ask for."""
        agents = cls(*(
            Agent.from_arrays({n.removeprefix(f"{role}_"): arrays[n] for n in arrays if n.startswith(f"{role}_")})
            for role in ("speaker", "listener")
        ))  # fmt: skip
        if options is not None:
            agents.check(options)
        return agents

    def check(self, options: GameOptions) -> None:
        """Refuse options of other sizes than these agents have."""
        if (self.speaker.sizes, self.listener.sizes) != agent_sizes(options):
            raise RequestError(
                f"The agents have sizes {tuple(self.speaker.sizes)} and {tuple(self.listener.sizes)}, but the options "
                f"ask for {tuple(agent_sizes(options)[0])} and {tuple(agent_sizes(options)[1])}."
            )


def agent_sizes(options: GameOptions) -> tuple[Sizes, Sizes]:
    return (
        Sizes(options.tokens, options.embedding, options.hidden, options.symbols),
        Sizes(options.symbols, options.embedding, options.hidden, options.upto),
    )


def check_finite(agents: Agents) -> None:
    """Stop where learning has run away: agents whose parameters are not numbers understand nothing ever after."""
    refuse_infinite(*(bool(np.isfinite(agent.value).all()) for agent in (agents.speaker, agents.listener)))


def refuse_infinite(speaker: bool, listener: bool) -> None:
    """Stop unless the parameters of both are finite numbers; players of other agents pass what they found."""
    for role, is_finite in (("speaker", speaker), ("listener", listener)):
        if not is_finite:
            raise RunError(
                f"The {role}'s parameters are no longer finite numbers, so the round was stopped and what was kept"
                " before it stands; choose a smaller learning rate or smaller entropies, in another directory."
            )


# Agents as files: to go on playing, and to load into PyTorch.


def state_dict(agent: Agent) -> dict[str, np.ndarray]:
    """Parameters under the names and shapes of modules `embedding`, `lstm` and `output` of PyTorch.

    `nn.Embedding`, `nn.LSTM` (one layer) and `nn.Linear` load them with `load_state_dict`.
    """
    p = agent.parameters()
    named = {
        "embedding.weight": p.embedding,
        "lstm.weight_ih_l0": p.w_input.T,
        "lstm.weight_hh_l0": p.w_hidden.T,
        "lstm.bias_ih_l0": p.b_input,
        "lstm.bias_hh_l0": p.b_hidden,
        "output.weight": p.w_output.T,
        "output.bias": p.b_output,
    }
    return {name: np.array(array, order="C") for name, array in named.items()}


def export(agents: Agents, path: Path | str) -> None:
    """Write both agents' parameters as safetensors: `speaker.lstm.weight_hh_l0`, `listener.output.bias`, ..."""
    pairs = (("speaker", agents.speaker), ("listener", agents.listener))
    tensors = {f"{role}.{name}": array for role, agent in pairs for name, array in state_dict(agent).items()}
    write(Path(path), save(tensors), goes_on=False)


def save_agents(agents: Agents, path: Path | str) -> None:
    """Write everything the agents are, optimisers included (.npz)."""
    content = io.BytesIO()
    np.savez(content, **agents.to_arrays())  # type: ignore[arg-type]  # names are arrays here
    write(Path(path), content.getvalue(), goes_on=False)


def load_agents(path: Path | str) -> Agents:
    """The agents that `save_agents` wrote."""
    try:
        with Path(path).open("rb") as file, NpzFile(file) as arrays:
            return Agents.from_arrays(arrays)
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else damage(error)
        raise RequestError(f"{path} does not hold saved agents: {why}.") from error
