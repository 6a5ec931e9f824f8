"""Algorithm 1: agents talk, the grammar is modified, and what is better understood is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ishango.errors import RequestError
from ishango.evolution.choices import (
    SILENT,
    Decision,
    by_coin,
    by_communication,
    by_length,
    communication,
    converse,
    game_average,
)
from ishango.evolution.evolution_options import EvolutionOptions, options_from_config
from ishango.evolution.mutations import alternatives
from ishango.evolution.starts import starting_system
from ishango.frontier import gap
from ishango.game import Agents
from ishango.lab import Outcome, Progress, generator_from, generator_state, read_run, read_state
from ishango.numerals import NumeralSystem, average_complexity


@dataclass(frozen=True)
class EvolutionState:
    """What a round hands to the next: the current system, the agents (which learn in place), the random states."""

    system: NumeralSystem
    agents: Agents | None
    grammar_rng: np.random.Generator
    game_rng: np.random.Generator


class Evolution:
    """A run of Algorithm 1 as an experiment of the lab."""

    def __init__(self, options: EvolutionOptions) -> None:
        self.options = options
        self.config = options.to_config()
        self._first = starting_system(options.start, options.grammar, options.game.upto)

    def start(self, progress: Progress) -> tuple[EvolutionState, Outcome]:
        """Initialise the agents and pre-train them on the starting system."""
        began = time.perf_counter()
        options = self.options
        grammar_rng, game_rng, agents_rng = np.random.default_rng(options.seed).spawn(3)
        system = self._first
        if options.choose != "bandit":
            state = EvolutionState(system, None, grammar_rng, game_rng)
            return state, self._outcome(0, system, Decision(False), began)
        agents = Agents.random(options.game, agents_rng)
        steps = options.steps if options.pretraining is None else options.pretraining
        round_ = converse(agents, [system], options, steps, game_rng, progress)
        decision = Decision(False, communication(round_, agents, system, options), round_.curve())
        return EvolutionState(system, agents, grammar_rng, game_rng), self._outcome(0, system, decision, began)

    def play(self, state: EvolutionState, number: int, progress: Progress) -> tuple[EvolutionState, Outcome]:
        """One iteration: modify the grammar, communicate, update the current system."""
        began = time.perf_counter()
        current = state.system
        # GrammarName modification phase.
        modified = alternatives(current, self.options.game.upto, self.options.add)
        if not modified:
            return state, self._outcome(number, current, Decision(False), began)
        alternative = list(modified)[int(state.grammar_rng.integers(len(modified)))]
        delta = game_average(alternative, self.options) - game_average(current, self.options)
        # Communication phase.
        decision = self._choose(state, alternative, delta, progress)
        # Update the current system.
        system = alternative if decision.accepted else current
        outcome = self._outcome(number, system, decision, began, modified[alternative], alternative, delta)
        return replace(state, system=system), outcome

    def save(self, state: EvolutionState) -> dict[str, np.ndarray]:
        """The state as arrays."""
        text = {
            "system": str(state.system),
            "grammar_rng": generator_state(state.grammar_rng),
            "game_rng": generator_state(state.game_rng),
        }
        arrays = {"state": np.frombuffer(json.dumps(text).encode(), dtype=np.uint8)}
        return arrays | (state.agents.to_arrays() if state.agents else {})

    def load(self, arrays: Mapping[str, np.ndarray]) -> EvolutionState:
        """The state that `save` wrote."""
        text = json.loads(arrays["state"].tobytes())
        system = NumeralSystem.parse(text["system"], self.options.grammar)
        agents = Agents.from_arrays(arrays) if self.options.choose == "bandit" else None
        return EvolutionState(system, agents, generator_from(text["grammar_rng"]), generator_from(text["game_rng"]))

    def _choose(self, state: EvolutionState, alternative: NumeralSystem, delta: float, progress: Progress) -> Decision:
        if self.options.choose == "coin":
            return by_coin(state.grammar_rng)
        if self.options.choose == "shorter":
            return by_length(delta)
        assert state.agents is not None
        if self.options.reset_optimiser:
            state.agents.forget()
        return by_communication(state.agents, state.system, alternative, self.options, state.game_rng, progress)

    def _outcome(
        self,
        number: int,
        system: NumeralSystem,
        decision: Decision,
        began: float,
        action: str | None = None,
        alternative: NumeralSystem | None = None,
        delta: float | None = None,
    ) -> Outcome:
        """The record of a round; `action` is null in round 0 and where no modification could be applied."""
        need = self.options.eval_need or self.options.need
        seconds = time.perf_counter() - began
        steps = 0 if decision.curve is None else self._steps(number)
        record: dict[str, Any] = {
            "round": number,
            "digits": list(system.digits),
            "multipliers": list(system.multipliers),
            "size": system.size,
            "average_complexity": average_complexity(system, need, self.options.upto),
            "gap": gap(system, need, self.options.upto),
            "action": action,
            "alternative": str(alternative) if alternative else None,
            "accepted": decision.accepted if alternative else None,
            "delta_average": delta,
            **(SILENT | decision.communication),
            "seconds": round(seconds, 6),
            "steps_per_second": round(steps / seconds, 3) if steps else None,
        }
        return Outcome(record, decision.curve)

    def _steps(self, number: int) -> int:
        if number > 0 or self.options.pretraining is None:
            return self.options.steps
        return self.options.pretraining


def experiment_from_config(config: Mapping[str, Any]) -> Evolution:
    """The experiment that a config, complete or not, stands for."""
    return Evolution(options_from_config(config))


def load_state(directory: Path | str) -> tuple[Evolution, int, EvolutionState]:
    """The experiment of a run's directory, the round of its last checkpoint and the state after it."""
    document = read_run(Path(directory))
    if document is None:
        raise RequestError(f"There is no run in {directory}; give the directory of one.")
    evolution = experiment_from_config(document["config"])
    saved = read_state(evolution, directory)
    if saved is None:
        raise RequestError(f"The run in {directory} has no checkpoint that can be used; wait for its first round.")
    return evolution, *saved
