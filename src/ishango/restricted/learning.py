"""Agents that learn restricted systems: the game engine of recursive ones, with numbers for expressions."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ishango.game import Agents, Expressions, Round, best_message, listen, play
from ishango.lab import Outcome, Progress, counted, generator_from, generator_state
from ishango.lab.experiments import ExperimentKind
from ishango.lab.records import About
from ishango.numerals import Need
from ishango.restricted.description import describe_system
from ishango.restricted.learning_options import LearningOptions, complete_config, options_from_config
from ishango.restricted.term_system import TermSystem

__all__ = ["LEARNING", "Learning", "LearningState", "complete_config", "experiment_from_config", "read_system"]


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

    def start(self, progress: Progress) -> tuple[LearningState, Outcome]:  # noqa: ARG002
        """Initialise the agents; round 0 records what they say before they have learned anything."""
        began = time.perf_counter()
        game_rng, agents_rng = np.random.default_rng(self.options.seed).spawn(2)
        state = LearningState(Agents.random(self.options, agents_rng), game_rng)
        return state, self._outcome(0, state, None, began)

    def play(self, state: LearningState, number: int, progress: Progress) -> tuple[LearningState, Outcome]:
        """Let the agents talk for a round's steps, then read off their words."""
        began = time.perf_counter()
        options = self.options.in_round(number)
        need = Need.parse(options.need).weights(options.upto)
        round_ = play(state.agents, [numbers(options.upto)], need, options, options.steps, state.rng,
                      progress=counted(progress, options.steps))  # fmt: skip
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
        record = {
            "round": number,
            **describe_system(system, self.options.need, self.options.weber),
            "guesses": guesses,
            "mean_reward": float(round_.rewards[-_WINDOW:].mean()) if round_ else None,
            "accuracy": round_.accuracy(_WINDOW) if round_ else None,
        }
        seconds = time.perf_counter() - began
        speed = round(self.options.steps / seconds, 3) if round_ else None
        record |= {"seconds": round(seconds, 6), "steps_per_second": speed}
        return Outcome(record, round_.curve() if round_ else None)


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


@dataclass(frozen=True)
class LearningRecord:
    """What a round leaves in `rounds.jsonl`; what was not measured in it is null."""

    round: Annotated[int, About("0 is before agents have learned anything")]
    words: Annotated[str, About("the most probable words, each with its numbers")]
    size: Annotated[int, About("words in use")]
    kind: Annotated[str, About("approximate or exact")]
    contiguous: Annotated[bool, About("whether every word stands for numbers without a hole")]
    complexity: Annotated[float, About("complexity of the system")]
    cost: Annotated[float, About("communicative cost")]
    ideal_cost: Annotated[float, About("communicative cost for an ideal listener")]
    gap: Annotated[float | None, About("cost above the frontier")]
    ideal_gap: Annotated[float | None, About("ideal cost above its frontier")]
    nearest: Annotated[str | None, About("the human language with the most similar system")]
    variation: Annotated[float | None, About("how far apart the two are", "bits")]
    variation_by_need: Annotated[float | None, About("the same, weighted by need", "bits")]
    guesses: Annotated[list[int], About("the listener's guess at each word")]
    mean_reward: Annotated[float | None, About("mean reward in the last 500 steps of the round")]
    accuracy: Annotated[float | None, About("share of games won in the last 500 steps of the round")]
    seconds: Annotated[float, About("how long the round took", "seconds")]
    steps_per_second: Annotated[float | None, About("how fast agents played")]


LEARNING = ExperimentKind(
    name="restricted",
    label="restricted systems",
    sentence="agents learn words for numbers, without recursion",
    options=LearningOptions,
    make=Learning,
    record=LearningRecord,
)


def experiment_from_config(config: Mapping[str, Any]) -> Learning:
    """The experiment that a config, complete or not, stands for."""
    return Learning(options_from_config(config))
