"""Who plays: the kernel's agents, or any PyTorch modules. Runs name them `kernel`, `torch` or `torch:MODULE:MAKE`."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from ishango.errors import RequestError, RunError
from ishango.game._agents import Agents, refuse_infinite
from ishango.game._ask import Competence, best, competence, competence_of
from ishango.game._play import Lesson, play
from ishango.game._round import Expressions, GameOptions, Round, check_need, encode
from ishango.registry import needs, refusal

if TYPE_CHECKING:
    from ishango.game.torch_backend import TorchAgents, TorchLesson

KERNEL = "kernel"
TORCH = "torch"


class Talkers(Protocol):
    """Speaker and listener, with the memory of their optimisers; they learn in place."""

    def with_listener(self, others: Any) -> Talkers:
        """This speaker and the listener of others of its kind, each with its optimiser."""
        ...

    def forget(self) -> None:
        """Reset both optimisers; the parameters stay."""
        ...

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Everything they are, for a checkpoint."""
        ...


class Teaching(Protocol):
    """A listener and the numerals that it learns, as `ishango.game.Lesson`."""

    def teach(self, steps: int, rng: np.random.Generator) -> np.ndarray:
        """Learn for some steps; returns how often each number was an example."""
        ...

    def answers(self) -> np.ndarray:
        """The best answer, from 1, to the expression of each number."""
        ...


def find_players(text: str) -> KernelPlayers | TorchPlayers:
    """The players that a text names: `kernel`, `torch` or `torch:MODULE:MAKE`.

    >>> find_players("kernel").inputs()
    {}
    """
    name, _, argument = text.partition(":")
    if name == TORCH:
        return TorchPlayers(argument)
    if name != KERNEL:
        raise RequestError(refusal("kind of players", name, (KERNEL, TORCH)))
    if argument:
        raise RequestError(f"The players kernel take nothing behind them; leave out {argument!r}.")
    return KernelPlayers()


class KernelPlayers:
    """The agents of `ishango.game.play`. All randomness comes from the generators that are handed over."""

    def make(self, options: GameOptions, rng: np.random.Generator) -> Agents:
        return Agents.random(options, rng)

    def load(self, arrays: Mapping[str, np.ndarray], options: GameOptions) -> Agents:
        return Agents.from_arrays(arrays, options)

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
        reward: np.ndarray | None = None,
    ) -> Round:
        return play(kernel_agents(agents), arms, need, options, steps, rng, None, reward, progress, even)

    def competence(self, agents: Talkers, expressions: Expressions, need: np.ndarray) -> Competence:
        """What is understood when both agents take their most probable symbols."""
        return competence(kernel_agents(agents), expressions, need)

    def guesses(self, agents: Talkers, expressions: Expressions) -> np.ndarray:
        """What is understood, from 1, of each number when both agents take their most probable symbols."""
        return best(kernel_agents(agents), expressions).heard.argmax(-1) + 1

    def lesson(
        self, agents: Any, expressions: Expressions, need: np.ndarray, options: GameOptions, shuffled: bool
    ) -> Lesson:
        return Lesson(kernel_agents(agents).listener, expressions, need, options, shuffled)

    def inputs(self) -> dict[str, str]:
        """Digests of the files that define the players, by name; they must not change while a run lasts."""
        return {}

    def packages(self) -> tuple[str, ...]:
        """Packages, beside the usual, whose versions can change the bits of a result."""
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


# PyTorch modules as players of a run: made from a function of one's own, kept in checkpoints, resumed bit by bit.

# PyTorch is loaded when it is used: naming these players in options must not take a second.

DIGITS = 16
"""Hexadecimal digits of a digest that are kept."""


class TorchPlayers:
    """Modules that `MODULE:MAKE` makes from `GameOptions`: a pair of speaker and listener, or `TorchAgents`."""

    def __init__(self, reference: str) -> None:
        if reference and not re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*", reference):
            raise RequestError(
                f"The players 'torch:{reference}' are not allowed; write torch, or torch:MODULE:MAKE as in"
                " torch:my_module:make."
            )
        self.reference = reference

    def __str__(self) -> str:
        return f"torch:{self.reference}" if self.reference else "torch"

    def make(self, options: GameOptions, rng: np.random.Generator) -> TorchAgents:
        """Untrained agents; what the modules draw when they are made comes from `rng`."""
        needs("torch", "Games with PyTorch modules")
        with _seeded(rng):
            return self._agents(options)

    def load(self, arrays: Mapping[str, np.ndarray], options: GameOptions) -> TorchAgents:
        """The agents of a checkpoint: made anew, then given the parameters and the optimisers' memory of then."""
        agents = self._agents(options)
        with self.told("load"):
            agents.restore(arrays)
        return agents

    def play(
        self,
        agents: Any,
        arms: Sequence[Expressions],
        need: np.ndarray,
        options: GameOptions,
        steps: int,
        rng: np.random.Generator,
        progress: Callable[[int], None],
        even: bool = False,
        reward: np.ndarray | None = None,
    ) -> Round:
        """As `ishango.game.torch_backend.play`; draws of the modules themselves, as in dropout, are the run's too."""
        from ishango.game import torch_backend

        with self.told("play", agents), _seeded(rng):
            played = torch_backend.play(agents, arms, need, options, steps, rng, None, reward, progress, even)
        _check_finite(agents)
        return played

    def competence(self, agents: Any, expressions: Expressions, need: np.ndarray) -> Competence:
        need = check_need(need, len(need))
        messages, lengths, guesses = self._said(agents, expressions, need.size)
        return competence_of(messages, lengths, guesses, need)

    def guesses(self, agents: Any, expressions: Expressions) -> np.ndarray:
        return self._said(agents, expressions, len(expressions))[2] + 1

    def _said(self, agents: Any, expressions: Expressions, upto: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Messages, their lengths, and what is understood, from 0."""
        from ishango.game import torch_backend

        tokens, lengths = (each[0] for each in encode([expressions], upto))
        with self.told("be asked", agents), _one_thread():
            messages, guesses = torch_backend.best_guesses(agents, tokens, lengths)
        return messages, lengths, guesses

    def lesson(
        self, agents: Any, expressions: Expressions, need: np.ndarray, options: GameOptions, shuffled: bool
    ) -> Teaching:
        from ishango.game import torch_backend

        return _ToldLesson(self, agents, torch_backend.TorchLesson(agents, expressions, need, options, shuffled))

    def inputs(self) -> dict[str, str]:
        """The digest of the module's source, where it has one."""
        if not self.reference:
            return {}
        module = self.reference.partition(":")[0]
        with self.told("be found"):
            _here_too()
            spec = find_spec(module)
        if spec is None:
            raise RequestError(f"The players {str(self)!r} cannot be found: there is no module {module}.")
        source = Path(spec.origin) if spec.origin else None
        if source is None or not source.is_file():
            return {}
        return {str(self): hashlib.sha256(source.read_bytes()).hexdigest()[:DIGITS]}

    def packages(self) -> tuple[str, ...]:
        """PyTorch's version can change the bits."""
        return ("torch",)

    def _agents(self, options: GameOptions) -> TorchAgents:
        from ishango.game.torch_backend import TorchAgents, nn

        if not self.reference:
            return TorchAgents.lstm(options)
        with self.told("be made"):
            _here_too()
            module, _, attribute = self.reference.partition(":")
            made: Any = attrgetter(attribute)(import_module(module))(options)
        if isinstance(made, TorchAgents):
            return made
        given = type(cast(object, made)).__name__
        pair = cast(tuple[Any, ...], made) if isinstance(made, tuple) else ()
        if len(pair) != 2 or not all(isinstance(each, nn.Module) for each in pair):
            raise RequestError(
                f"The players {str(self)!r} cannot be used: {self.reference} gives {given}, but must give"
                " a speaker and a listener, two PyTorch modules."
            )
        return TorchAgents.of(pair[0], pair[1], options)

    @contextmanager
    def told(self, what: str, agents: TorchAgents | None = None) -> Generator[None]:
        """Mistakes in a user's modules become one clear sentence."""
        try:
            yield
        except (RequestError, RunError):
            raise
        except Exception as error:
            if agents is not None:
                _check_finite(agents)  # drawing from what is not a number fails, too
            where = extract_tb(error.__traceback__)[-1]
            message = (
                f"The players {str(self)!r} cannot {what} ({type(error).__name__}: {' '.join(str(error).split())};"
                f" {where.filename}, line {where.lineno})."
            )
            raise (RequestError if agents is None else RunError)(message) from error


class _ToldLesson:
    """A lesson of modules of others: mistakes become one clear sentence, and draws are the run's."""

    def __init__(self, players: TorchPlayers, agents: TorchAgents, lesson: TorchLesson) -> None:
        self._players, self._agents, self._lesson = players, agents, lesson

    def teach(self, steps: int, rng: np.random.Generator) -> np.ndarray:
        with self._players.told("learn", self._agents), _seeded(rng):
            heard = self._lesson.teach(steps, rng)
        _check_finite(self._agents)
        return heard

    def answers(self) -> np.ndarray:
        with self._players.told("be asked", self._agents), _one_thread():
            return self._lesson.answers()


def _check_finite(agents: TorchAgents) -> None:
    """Stop where learning has run away, as the kernel's players do."""
    modules = (agents.speaker, agents.listener)
    refuse_infinite(*(all(bool(each.isfinite().all()) for each in module.parameters()) for module in modules))


def _here_too() -> None:
    """Let modules in the current directory be found, which the installed command does not look at."""
    if "" not in sys.path and (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)


@contextmanager
def _seeded(rng: np.random.Generator) -> Generator[None]:
    """PyTorch's own generator, seeded by `rng`; afterwards it is as it was."""
    import torch

    with torch.random.fork_rng(devices=[]), _one_thread():  # pyright: ignore[reportUnknownMemberType]  # PyTorch gives no types
        torch.manual_seed(int(rng.integers(2**63)))  # pyright: ignore[reportUnknownMemberType]  # PyTorch gives no types
        yield


@contextmanager
def _one_thread() -> Generator[None]:
    """One thread: how many there are can change the last bits, and models are small."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
