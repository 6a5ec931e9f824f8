"""Who plays: the kernel's agents, or any PyTorch modules. Runs name them `kernel`, `torch` or `torch:MODULE:MAKE`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ishango.errors import RequestError
from ishango.game.agents import Agents
from ishango.game.ask import Competence, competence
from ishango.game.options import GameOptions
from ishango.game.play import play
from ishango.game.round import Expressions, Round
from ishango.registry import refusal

KERNEL, TORCH = "kernel", "torch"


class Talkers(Protocol):
    """Speaker and listener, with the memory of their optimisers; they learn in place."""

    def with_listener(self, others: Any) -> "Talkers":
        """This speaker and the listener of others of its kind, each with its optimiser."""
        ...

    def forget(self) -> None:
        """Reset both optimisers; the parameters stay."""
        ...

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything they are, for a checkpoint."""
        ...


class Players(Protocol):
    """What a game asks of those who play it. All randomness comes from the generators that are handed over."""

    def make(self, options: GameOptions, rng: np.random.Generator) -> Talkers:
        """Untrained agents."""
        ...

    def load(self, arrays: Mapping[str, np.ndarray], options: GameOptions) -> Talkers:
        """The agents whose `to_arrays` gave these; they go on with the same bits."""
        ...

    def play(
        self,
        agents: Talkers,
        arms: Sequence[Expressions],
        need: np.ndarray,
        options: GameOptions,
        steps: int,
        rng: np.random.Generator,
        progress: Callable[[int], None],
        even: bool = False,
    ) -> Round:
        """A round of so many steps, as `ishango.game.play`."""
        ...

    def competence(self, agents: Talkers, expressions: Expressions, need: np.ndarray) -> Competence:
        """What is understood when both agents take their most probable symbols."""
        ...

    def inputs(self) -> dict[str, str]:
        """Digests of the files that define them, by name; they must not change while a run lasts."""
        ...

    def packages(self) -> tuple[str, ...]:
        """Packages, beside the usual, whose versions can change the bits of a result."""
        ...


def find_players(text: str) -> Players:
    """The players that a text names: `kernel`, `torch` or `torch:MODULE:MAKE`.

    >>> find_players("kernel").inputs()
    {}
    """
    name, _, argument = text.partition(":")
    if name == TORCH:
        from ishango.game.torch_players import TorchPlayers

        return TorchPlayers(argument)
    if name != KERNEL:
        raise RequestError(refusal("kind of players", name, (KERNEL, TORCH)))
    if argument:
        raise RequestError(f"The players kernel take nothing behind them; leave out {argument!r}.")
    return KernelPlayers()


class KernelPlayers:
    """The agents of `ishango.game.play`."""

    def make(self, options: GameOptions, rng: np.random.Generator) -> Agents:
        """Untrained agents."""
        return Agents.random(options, rng)

    def load(self, arrays: Mapping[str, np.ndarray], options: GameOptions) -> Agents:  # noqa: ARG002
        """The agents of a checkpoint."""
        return Agents.from_arrays(arrays)

    def play(
        self,
        agents: Talkers,
        arms: Sequence[Expressions],
        need: np.ndarray,
        options: GameOptions,
        steps: int,
        rng: np.random.Generator,
        progress: Callable[[int], None],
        even: bool = False,
    ) -> Round:
        """As `ishango.game.play`."""
        return play(kernel_agents(agents), arms, need, options, steps, rng, progress=progress, even=even)

    def competence(self, agents: Talkers, expressions: Expressions, need: np.ndarray) -> Competence:
        """As `ishango.game.competence`."""
        return competence(kernel_agents(agents), expressions, need)

    def inputs(self) -> dict[str, str]:
        """The kernel is part of the package."""
        return {}

    def packages(self) -> tuple[str, ...]:
        """Those that every run records."""
        return ()


def kernel_agents(agents: object) -> Agents:
    """Agents that can be asked and exported; those of other players are refused."""
    if isinstance(agents, Agents):
        return agents
    raise RequestError(f"These agents are {type(agents).__name__}; only the kernel's can be asked here.")


def require_kernel(players: str) -> None:
    """Refuse runs of other players where only the kernel's agents can be read; their modules are not loaded."""
    if players != KERNEL:
        raise RequestError(
            f"The agents of this run were made by {players}; ask them in Python, with ishango.evolution.load_state."
        )
