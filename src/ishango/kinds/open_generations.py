"""Generations of ideal learners, as an experiment of the lab: who did not hear a word does not know it, even if numbers
can no longer be said. They are then said as others near them, so that any kind of system may come about."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ishango.kinds.law import Law
from ishango.kinds.open_generation_options import OpenGenerationOptions
from ishango.kinds.open_records import OpenGenerationRecord, measured
from ishango.kinds.open_system import OpenSystem
from ishango.kinds.passing import Words, coined, spared, system_of, words_heard, words_of, written
from ishango.lab import Outcome, Progress, generator_from, generator_state
from ishango.lab.experiments import SHARED_STREAMS, ExperimentKind
from ishango.lab.randomness import run_generator
from ishango.lab.records import record_json
from ishango.numerals import Need


@dataclass(frozen=True)
class OpenGenerationState:
    """What a generation hands to the next."""

    system: OpenSystem
    rng: np.random.Generator


@dataclass(frozen=True)
class _Passed:
    """What became of the words in one generation."""

    numbers_heard: int | None
    words_heard: int | None
    lost: Words
    invented: Words


class OpenGenerations:
    """A chain of ideal learners, whose systems need not cover the range."""

    def __init__(self, options: OpenGenerationOptions) -> None:
        self.options = options
        self.config = options.to_config()

    @property
    def kind(self) -> ExperimentKind:
        """What the lab knows of such runs."""
        return OPEN_GENERATIONS

    @property
    def inputs(self) -> dict[str, str]:
        """Digests of the files that the run depends on."""
        return Need.parse(self.options.need).inputs

    def start(self, progress: Progress) -> tuple[OpenGenerationState, Outcome]:  # noqa: ARG002
        """The first system, which nobody had to learn."""
        began = time.perf_counter()
        state = OpenGenerationState(
            self.options.first, run_generator(self.config, OPEN_GENERATIONS.defaults(), self.options.first)
        )
        return state, self._outcome(0, state.system, None, began)

    def play(
        self, state: OpenGenerationState, number: int, progress: Progress  # noqa: ARG002
    ) -> tuple[OpenGenerationState, Outcome]:  # fmt: skip
        """One generation: it hears its parents, knows what it heard, and may coin words."""
        began = time.perf_counter()
        law, rng, parents = self.options.law(number), state.rng, words_of(state.system)
        numbers: int | None = None
        if self.options.lose == "unheard":
            meant = self._meant(law, rng)
            numbers, known = len(meant), words_heard(state.system, law, meant)
        else:
            known = spared(parents, self._how_many(rng), law, rng)
        after = known
        for _ in range(self._how_many(rng)):
            after = coined(after, law, self.options.multiplier_share, self.options.coin == "uniform", rng)
        system = system_of(after, law)
        passed = _Passed(numbers, None if numbers is None else len(known), parents - known, after - known)
        return replace(state, system=system), self._outcome(number, system, passed, began)

    def save(self, state: OpenGenerationState) -> dict[str, np.ndarray]:
        """The state as arrays."""
        text = json.dumps({"system": str(state.system), "rng": generator_state(state.rng)}).encode()
        return {"state": np.frombuffer(text, np.uint8)}

    def load(self, arrays: Mapping[str, np.ndarray]) -> OpenGenerationState:
        """The state that `save` wrote."""
        text = json.loads(arrays["state"].tobytes())
        return OpenGenerationState(OpenSystem.parse(text["system"], self.options.grammar), generator_from(text["rng"]))

    def _meant(self, law: Law, rng: np.random.Generator) -> list[int]:
        """The numbers that parents have in mind when they speak, each once."""
        if self.options.examples is None:
            return list(range(1, law.upto + 1))
        return (np.flatnonzero(rng.multinomial(self.options.examples, law.weights)) + 1).tolist()

    def _how_many(self, rng: np.random.Generator) -> int:
        """A whole number with the mean of the option that varies as little as it can."""
        whole = int(self.options.invent)
        return whole + int(rng.random() < self.options.invent - whole)

    def _outcome(self, number: int, system: OpenSystem, passed: _Passed | None, began: float) -> Outcome:
        record = OpenGenerationRecord(
            **measured(number, system, self.options.law(number)),
            numbers_heard=passed.numbers_heard if passed else None,
            words_heard=passed.words_heard if passed else None,
            words_lost=len(passed.lost) if passed else None,
            words_invented=len(passed.invented) if passed else None,
            lost=written(passed.lost) if passed else None,
            invented=written(passed.invented) if passed else None,
            seconds=round(time.perf_counter() - began, 6),
        )
        return Outcome(record_json(record))


OPEN_GENERATIONS = ExperimentKind(
    name="kinds-generations",
    label="generations of every kind",
    sentence="a system that need not cover the range is passed on; words that are not heard are lost, others coined",
    options=OpenGenerationOptions,
    make=OpenGenerations,
    record=OpenGenerationRecord,
    old_defaults=SHARED_STREAMS,
    other_names={"generations": "rounds"},
)
