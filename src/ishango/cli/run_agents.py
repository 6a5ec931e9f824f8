"""The agents of a run, of Algorithm 1 or of restricted systems, with what they read; the run stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, Evolution
from ishango.evolution.conversation import expressions, with_brackets
from ishango.game import Agents, Expressions
from ishango.game.players import kernel_agents, require_kernel
from ishango.lab import RunView
from ishango.lab.checkpoint import Checkpoint
from ishango.restricted import LEARNING
from ishango.restricted.experiment import Learning, numbers


@dataclass(frozen=True, eq=False)
class RunAgents:
    """Speaker and listener after a round, and the expression that the speaker reads for each number."""

    round: int
    agents: Agents
    expressions: Expressions
    written: Mapping[int, str]
    """The same for people: with brackets where they matter."""


def run_agents(directory: Path) -> RunAgents:
    """The agents as the run's last checkpoint has them; of a run that goes on these change."""
    view = RunView(directory)
    readers = {EVOLUTION.name: _of_evolution, LEARNING.name: _of_learning}
    if view.kind is None or view.kind.name not in readers:
        raise RequestError(f"The run in {directory} is none of {' or '.join(readers)}; its agents are not known here.")
    return readers[view.kind.name](view.config, view.last_checkpoint(), directory)


# The need plays no part here, and its file may be gone.


def _of_evolution(config: Mapping[str, Any], checkpoint: Checkpoint, directory: Path) -> RunAgents:
    require_kernel(config["players"])
    evolution = Evolution(EVOLUTION.options_from({**config, "need": "uniform", "eval_need": None}))
    state = evolution.load(checkpoint.state)
    if state.agents is None:
        raise RequestError(f"Nobody talks in the run in {directory}; choose one in which communication decides.")
    said, written = expressions(state.spoken, evolution.options), with_brackets(state.system, evolution.options)
    return RunAgents(checkpoint.round, kernel_agents(state.agents), said, written)


def _of_learning(config: Mapping[str, Any], checkpoint: Checkpoint, directory: Path) -> RunAgents:  # noqa: ARG001
    learning = Learning(LEARNING.options_from({**config, "need": "uniform"}))
    said = numbers(learning.options.game.upto)
    written = {number: " ".join(tokens) for number, tokens in said.items()}
    return RunAgents(checkpoint.round, learning.load(checkpoint.state).agents, said, written)
