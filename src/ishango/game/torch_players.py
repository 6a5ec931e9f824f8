"""PyTorch modules as players of a run: made from a function of one's own, kept in checkpoints, resumed bit by bit."""

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
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ishango.errors import RequestError, RunError
from ishango.game.agents import refuse_infinite
from ishango.game.ask import Competence, competence_of
from ishango.game.options import GameOptions
from ishango.game.round import Expressions, Round, check_need, encode

if TYPE_CHECKING:
    from ishango.game.torch_backend import TorchAgents

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
        with _seeded(rng):
            return self._agents(options)

    def load(self, arrays: Mapping[str, np.ndarray], options: GameOptions) -> TorchAgents:
        """The agents of a checkpoint: made anew, then given the parameters and the optimisers' memory of then."""
        from ishango.game import torch_backend as torch_arrays

        agents = self._agents(options)
        with self._told("load"):
            torch_arrays.restore(agents, arrays)
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
    ) -> Round:
        """As `ishango.game.torch_backend.play`; draws of the modules themselves, as in dropout, are the run's too."""
        from ishango.game import torch_backend

        with self._told("play", agents), _seeded(rng):
            played = torch_backend.play(agents, arms, need, options, steps, rng, progress=progress, even=even)
        _check_finite(agents)
        return played

    def competence(self, agents: Any, expressions: Expressions, need: np.ndarray) -> Competence:
        """What is understood when both modules take their most probable symbols."""
        from ishango.game import torch_backend

        need = check_need(need, len(need))
        tokens, lengths = (each[0] for each in encode([expressions], need.size))
        with self._told("be asked", agents), _one_thread():
            messages, guesses = torch_backend.best_guesses(agents, tokens, lengths)
        return competence_of(messages, lengths, guesses, need)

    def inputs(self) -> dict[str, str]:
        """The digest of the module's source, where it has one."""
        if not self.reference:
            return {}
        module = self.reference.partition(":")[0]
        with self._told("be found"):
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
        with self._told("be made"):
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
    def _told(self, what: str, agents: TorchAgents | None = None) -> Generator[None]:
        """Modules of others may make mistakes, which are told in a sentence."""
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

    with torch.random.fork_rng(devices=[]), _one_thread():  # pyright: ignore[reportUnknownMemberType]
        torch.manual_seed(int(rng.integers(2**63)))  # pyright: ignore[reportUnknownMemberType]
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
