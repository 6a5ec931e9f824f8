"""Agents that learn restricted systems: the game engine of recursive ones, with numbers for expressions."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ishango.game import Agents, Expressions, Round, best_message, listen, play
from ishango.lab import Outcome, Progress, counted, generator_from, generator_state
from ishango.lab.experiments import SHARED_STREAMS, ExperimentKind
from ishango.lab.randomness import run_generator
from ishango.lab.records import record_json
from ishango.numerals import Need
from ishango.restricted.description import describe_system
from ishango.restricted.learning_options import OTHER_NAMES, LearningOptions
from ishango.restricted.learning_record import LearningRecord
from ishango.restricted.term_system import TermSystem


@dataclass(frozen=True)
class LearningState:
    """What a round hands to the next: the agents, which learn in place, and the random state of the game."""

    agents: Agents
    rng: np.random.Generator


class Learning:
    """Agents that learn words for numbers, as an experiment of the lab."""

    def __init__(self, options: LearningOptions) -> None:
        self.options = options
        self.config = options.to_config()

    @property
    def kind(self) -> ExperimentKind:
        """What the lab knows of such runs."""
        return LEARNING

    @property
    def inputs(self) -> dict[str, str]:
        """Digests of the files that the run depends on."""
        return Need.parse(self.options.need).inputs

    def start(self, progress: Progress) -> tuple[LearningState, Outcome]:  # noqa: ARG002
        """Initialise the agents; round 0 records what they say before they have learned anything."""
        began = time.perf_counter()
        game_rng, agents_rng = run_generator(self.config, LEARNING.defaults()).spawn(2)
        state = LearningState(Agents.random(self.options.game, agents_rng), game_rng)
        return state, self._outcome(0, state, None, began)

    def play(self, state: LearningState, number: int, progress: Progress) -> tuple[LearningState, Outcome]:
        """Let the agents talk for a round's steps, then read off their words."""
        began = time.perf_counter()
        game, steps = self.options.game_in_round(number), self.options.steps
        need = Need.parse(self.options.need).weights(game.upto)
        progressing = counted(progress, steps)
        round_ = play(state.agents, [numbers(game.upto)], need, game, steps, state.rng, progress=progressing)
        return state, self._outcome(number, state, round_, began)

    def save(self, state: LearningState) -> dict[str, np.ndarray]:
        """The state as arrays."""
        text = json.dumps(generator_state(state.rng)).encode()
        return {"rng": np.frombuffer(text, dtype=np.uint8)} | state.agents.to_arrays()

    def load(self, arrays: Mapping[str, np.ndarray]) -> LearningState:
        """The state that `save` wrote."""
        return LearningState(Agents.from_arrays(arrays), generator_from(json.loads(arrays["rng"].tobytes())))

    def _outcome(self, number: int, state: LearningState, round_: Round | None, began: float) -> Outcome:
        """The record of a round: how well agents did, and where their words lie."""
        system, guesses = read_system(state.agents)
        figures = describe_system(system, self.options.need, self.options.weber)
        seconds = time.perf_counter() - began
        record = LearningRecord(
            round=number,
            **figures,
            guesses=guesses,
            mean_reward=float(round_.rewards[-_WINDOW:].mean()) if round_ else None,
            accuracy=round_.accuracy(_WINDOW) if round_ else None,
            seconds=round(seconds, 6),
            steps_per_second=round(self.options.steps / seconds, 3) if round_ else None,
        )
        return Outcome(record_json(record), round_.curve() if round_ else None)


_WINDOW = 500
"""Steps at the end of a round over which reward and accuracy are taken."""


def numbers(upto: int) -> Expressions:
    """Every number as its own expression of one token."""
    return {number: (str(number),) for number in range(1, upto + 1)}


def read_system(agents: Agents) -> tuple[TermSystem, list[int]]:
    """The system of the most probable word for each number, and the listener's guess at each of its words."""
    upto = agents.listener.sizes.outputs
    expressions = numbers(upto)
    said = [best_message(agents, expressions, number)[0] for number in expressions]
    system = TermSystem.from_word_map(said)
    guesses = [int(listen(agents, [said[word[0] - 1]]).argmax()) + 1 for word in system.words]
    return system, guesses


LEARNING = ExperimentKind(
    name="restricted",
    label="restricted systems",
    sentence="agents learn a few words for the numbers, without a grammar",
    options=LearningOptions,
    make=Learning,
    record=LearningRecord,
    old_defaults=SHARED_STREAMS,
    other_names=OTHER_NAMES,
)
