"""Generations as an experiment of the lab: a round is a generation that learns from the one before."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ishango.evolution import starting_system
from ishango.frontier import measure
from ishango.generations.generation_options import OTHER_NAMES, GenerationOptions
from ishango.generations.generation_record import GenerationRecord
from ishango.generations.ideal_kernel import Passed, chain, pass_on  # pyright: ignore[reportUnknownVariableType]
from ishango.generations.lexicons import Words, rules_of, system_of, words_of, written
from ishango.lab import Outcome, Progress, generator_from, generator_state
from ishango.lab.experiments import ExperimentKind
from ishango.lab.records import record_json
from ishango.numerals import Need, NumeralSystem


@dataclass(frozen=True)
class GenerationState:
    """What a generation hands to the next: its words, and the random state."""

    words: Words
    rng: np.random.Generator


class Generations:
    """A chain of generations as an experiment of the lab."""

    def __init__(self, options: GenerationOptions) -> None:
        self.options = options
        self.config = options.to_config()
        self.rules = rules_of(options)
        self._first = starting_system(options.start, options.grammar, options.game.upto)

    @property
    def kind(self) -> ExperimentKind:
        """What the lab knows of such runs."""
        return GENERATIONS

    @property
    def inputs(self) -> dict[str, str]:
        """Digests of the files that the run depends on."""
        need = Need.parse(self.options.need)
        return {need.spec: need.fingerprint} if need.fingerprint is not None else {}

    def start(self, progress: Progress) -> tuple[GenerationState, Outcome]:  # noqa: ARG002
        """The first language, which nobody had to learn."""
        began = time.perf_counter()
        state = GenerationState(words_of(self._first, self.options.game.upto), first_rng(self.options))
        return state, self._outcome(0, state.words, None, began)

    def play(self, state: GenerationState, number: int, progress: Progress) -> tuple[GenerationState, Outcome]:  # noqa: ARG002
        """One generation: it hears its parents, knows what it heard, and may coin words."""
        began = time.perf_counter()
        passed = pass_on(state.words, self.rules, state.rng)
        return GenerationState(passed.words, state.rng), self._outcome(number, passed.words, passed, began)

    def save(self, state: GenerationState) -> dict[str, np.ndarray]:
        """The state as arrays."""
        text = {"system": str(self._system(state.words)), "rng": generator_state(state.rng)}
        return {"state": np.frombuffer(json.dumps(text).encode(), dtype=np.uint8)}

    def load(self, arrays: Mapping[str, np.ndarray]) -> GenerationState:
        """The state that `save` wrote."""
        text = json.loads(arrays["state"].tobytes())
        system = NumeralSystem.parse(text["system"], self.options.grammar)
        return GenerationState(words_of(system, self.options.game.upto), generator_from(text["rng"]))

    def _system(self, words: Words) -> NumeralSystem:
        return system_of(words, self.options.grammar)

    def _outcome(self, number: int, words: Words, passed: Passed | None, began: float) -> Outcome:
        """The record of a generation that ends with these words."""
        system = self._system(words)
        here = measure(system, self.options.need, self.options.upto)
        hears = passed is not None and self.options.lose == "unheard"
        record = GenerationRecord(
            round=number,
            digits=list(system.digits),
            multipliers=list(system.multipliers),
            size=here.size,
            average_complexity=here.average_complexity,
            gap=here.gap,
            **dict.fromkeys(_OF_CONTESTS),
            numbers_heard=int((passed.numbers > 0).sum()) if passed and hears else None,
            words_heard=int(passed.heard.sum()) if passed and hears else None,
            words_lost=int(passed.lost.sum()) if passed else None,
            words_restored=int(passed.restored.sum()) if passed and hears else None,
            words_invented=int(passed.invented.sum()) if passed else None,
            lost=_some(passed.lost) if passed else None,
            restored=_some(passed.restored) if passed else None,
            invented=_some(passed.invented) if passed else None,
            seconds=round(time.perf_counter() - began, 6),
            steps_per_second=None,
        )
        return Outcome(record_json(record))


_OF_CONTESTS = (
    "action", "alternative", "accepted", "delta_average", "delta_size", "delta_gap",
    "q", "uses", "scores", "accuracy", "accuracy_by_arm", "accuracy_greedy",
)  # fmt: skip
"""Fields of evolution's record that tell of a contest between two systems or of a game."""


def _some(words: Words) -> str | None:
    return written(words) if words.any() else None


def first_rng(options: GenerationOptions) -> np.random.Generator:
    """The random numbers of words: those of hearing, losing and coining."""
    return np.random.default_rng(options.seed).spawn(1)[0]


def play_chain(options: GenerationOptions) -> Words:
    """The lexicons of all generations of ideal learners, (generations + 1, 2, range + 1), as a run would have them.

    >>> history = play_chain(GenerationOptions(rounds=20, bottleneck="50"))
    >>> history.shape, int(history[0].sum())
    ((21, 2, 51), 12)
    """
    first = starting_system(options.start, options.grammar, options.game.upto)
    return chain(words_of(first, options.game.upto), options.rounds, rules_of(options), first_rng(options))


GENERATIONS = ExperimentKind(
    name="generations",
    label="generations",
    sentence="a language is passed on from parents to children, who know the words they heard",
    options=GenerationOptions,
    make=Generations,
    record=GenerationRecord,
    other_names=OTHER_NAMES,
)
