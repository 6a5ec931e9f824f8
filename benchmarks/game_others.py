"""Others that play the same game, for comparison: PyTorch as it is, compiled by torch.compile, and JAX."""

from collections.abc import Callable

import numpy as np
import torch

from benchmarks.game_worker import NEED, OPTIONS, expressions
from ishango.game import Agents, encode
from ishango.game import torch_backend as reference

Other = Callable[[Agents, int], object]
"""Plays so many steps from the agents' parameters, and leaves the agents as they are."""


def pytorch(start: int, compiled: bool = False) -> Other:
    arms, rng, twins = [expressions(start)], np.random.default_rng(0), reference.TorchAgents.lstm(OPTIONS)
    # One pair of modules for all blocks: compiled code belongs to its module.
    speaker, listener = twins.speaker, twins.listener
    if compiled:
        speaker, listener = (torch.compile(m) for m in (speaker, listener))  # pyright: ignore

    def play(agents: Agents, steps: int) -> None:
        fresh = reference.to_torch(agents, OPTIONS)
        twins.speaker.load_state_dict(fresh.speaker.state_dict())
        twins.listener.load_state_dict(fresh.listener.state_dict())
        players = reference.TorchAgents.of(speaker, listener, OPTIONS)
        reference.play(players, arms, NEED, OPTIONS, steps, rng)

    return play


def jitted_jax(start: int) -> Other:
    from benchmarks.game_jax import JaxGame

    return JaxGame(encode([expressions(start)], OPTIONS.upto), NEED, OPTIONS).play


def others() -> dict[str, Callable[[int], Other]]:
    """Those that are installed here, by name; a sentence for who is not."""
    found: dict[str, Callable[[int], Other]] = {
        "PyTorch": pytorch,
        "torch.compile": lambda start: pytorch(start, compiled=True),
    }
    try:
        import jax  # noqa: F401  # pyright: ignore
    except ModuleNotFoundError:
        print("JAX is not installed and left out; pip install 'ishango[benchmarks]' brings it.")
    else:
        found["JAX"] = jitted_jax
    return found
