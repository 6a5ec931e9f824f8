"""Learning one numeral system from scratch, as an experiment of the lab: the record of a test, learners, the rounds."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from ishango import lab
from ishango.costs import COSTS, Said
from ishango.errors import RequestError
from ishango.game import (
    Agents,
    Demonstrations,
    Talkers,
    Teaching,
    encode,
    find_players,
    game_presets,
    imitate,
    kernel_agents,
)
from ishango.learnability._options import OTHER_NAMES, LearnabilityOptions, Taught, taught
from ishango.numerals import Need, NumeralSystem, distinct, outer_base

CRITERION = 0.9
"""The accuracy at which a system counts as learned."""


@dataclass(frozen=True)
class LearnabilityRecord:
    """What a test leaves in `rounds.jsonl`; what was not measured in it is null."""

    round: Annotated[int, lab.About("0 is before anything is learned")]
    steps_learned: Annotated[int, lab.About("steps of learning so far", "steps")]
    accuracy: Annotated[
        float, lab.About("share of numbers understood, by the test need; numbers held out do not count")
    ]
    accuracy_seen: Annotated[float | None, lab.About("the same of numbers that have been an example; null for pairs")]
    accuracy_unseen: Annotated[float | None, lab.About("the same of those that have not been one yet")]
    generalisation: Annotated[float | None, lab.About("share of the numbers held out that are understood")]
    accuracy_by_words: Annotated[
        list[float | None],
        lab.About("the accuracy of numbers of one word, of two words, and so on; null where none has so"),
    ]
    guesses: Annotated[list[int], lab.About("what is understood when each number is said")]
    area: Annotated[float, lab.About("area under the curve of accuracy so far, as a share of the largest possible")]
    steps_to_90: Annotated[int | None, lab.About("steps at the first test in which 90 % are understood", "steps")]
    size: Annotated[int, lab.About("lexicon size", "words")]
    length: Annotated[float, lab.About("average length of the numerals, by the need of the examples", "symbols")]
    irregularity: Annotated[float, lab.About("bits of the smallest automaton that accepts the numerals", "bits")]
    changes: Annotated[int, lab.About("steps from a number to the next on which the base changes", "steps")]
    bases: Annotated[int, lab.About("different bases of the numerals", "bases")]
    homonyms: Annotated[int, lab.About("numbers that are said like another one", "numbers")]
    seconds: Annotated[float, lab.About("how long the round took", "seconds")]
    steps_per_second: Annotated[float | None, lab.About("how fast the learner learned")]


@dataclass(eq=False)
class LearnabilityState:
    """What a round hands to the next; the learner learns in place."""

    agents: Talkers
    lesson: Teaching | None
    """Of a listener that learns alone."""
    rng: np.random.Generator
    heard: np.ndarray
    """(range,) how often each number has been an example."""
    curve: np.ndarray
    """The accuracy of every test so far."""


class Learnability:
    """One learner and one system, as an experiment of the lab."""

    def __init__(self, options: LearnabilityOptions) -> None:
        self.options = options
        self.config = lab.config_of(options)
        self._players = find_players(options.players)
        self._game, self._upto = options.played, options.game.upto
        _ = self._lesson  # refuses what cannot be taught before a run is begun

    @property
    def kind(self) -> lab.ExperimentKind:
        return LEARNABILITY

    @property
    def inputs(self) -> dict[str, str]:
        needs = (Need.parse(each).inputs for each in (self.options.need, self.options.test_need))
        return {name: value for each in (*needs, self._players.inputs()) for name, value in each.items()}

    @property
    def packages(self) -> tuple[str, ...]:
        return self._players.packages()

    def _generators(self) -> list[np.random.Generator]:
        """Of what the seed decides about the lesson, of the learner's beginning and learning; new ones each time."""
        return lab.run_generator(self.config, LEARNABILITY.defaults()).spawn(3)

    @cached_property
    def _lesson(self) -> tuple[Taught, np.ndarray, np.ndarray]:
        """The numerals, which numbers are held out, and how often each is an example: all that the seed decides."""
        options, rng = self.options, self._generators()[0]
        system = NumeralSystem.parse(options.system, options.grammar)
        numerals = taught(system, options.numerals, self._upto, options.notation, rng)
        composed = [number for number, string in numerals.tokens.items() if len(string) > 1]
        if options.held_out >= max(len(composed), 1):
            raise RequestError(
                f"held_out is {options.held_out}, but only {len(composed)} numbers of {options.system} are composed,"
                " and one must be left; hold out fewer."
            )
        held_out = np.zeros(self._upto, np.bool_)
        held_out[rng.permutation(composed)[: options.held_out] - 1] = True
        weights = np.where(held_out, 0.0, Need.parse(options.need).weights(self._upto))
        if not weights.any():
            raise RequestError(
                f"held_out is {options.held_out}, which leaves no number that is needed as an example; hold out fewer,"
                " or choose another need."
            )
        weights /= weights.sum()
        if options.examples is not None:
            weights = rng.multinomial(options.examples, weights) / options.examples
        return numerals, held_out, weights

    @property
    def numerals(self) -> Taught:
        return self._lesson[0]

    @property
    def held_out(self) -> tuple[int, ...]:
        """The numbers that are never examples."""
        return tuple((np.flatnonzero(self._lesson[1]) + 1).tolist())

    @property
    def weights(self) -> np.ndarray:
        """(range,) how often each number is an example."""
        return self._lesson[2]

    @cached_property
    def figures(self) -> dict[str, Any]:
        """What the numerals cost, whoever learns them."""
        options, system = self.options, NumeralSystem.parse(self.options.system, self.options.grammar)
        said = Said(system, self.numerals.said, Need.parse(options.need), self._upto)
        found = {name: COSTS[name].measure(said) for name in ("size", "length", "irregularity", "changes")}
        bases = [outer_base(each, system) for each in self.numerals.said.values()]
        return found | {"bases": distinct(bases), "homonyms": self.numerals.homonyms}

    def start(self, progress: lab.Progress) -> tuple[LearnabilityState, lab.Outcome]:  # noqa: ARG002 - as the protocol has it
        """Make the learner; round 0 tests what it understands before it has learned anything."""
        began, options = time.perf_counter(), self.options
        _, beginning, learning = self._generators()
        line = options.answers == "line"
        agents = Agents.random(self._game, beginning, line) if line else self._players.make(self._game, beginning)
        state = self._state(agents, learning, np.zeros(self._upto, np.int64), np.zeros(0))
        return self._tested(0, state, began)

    def _state(
        self, agents: Talkers, rng: np.random.Generator, heard: np.ndarray, curve: np.ndarray
    ) -> LearnabilityState:
        lesson = None
        if self.options.learner == "listener":
            shuffled = self.options.labels == "shuffled"
            lesson = self._players.lesson(agents, self.numerals.tokens, self.weights, self._game, shuffled)
        return LearnabilityState(agents, lesson, rng, heard, curve)

    def play(
        self, state: LearnabilityState, number: int, progress: lab.Progress
    ) -> tuple[LearnabilityState, lab.Outcome]:
        """Learn for a round's steps, then test."""
        began, steps = time.perf_counter(), self.options.steps
        told = lab.counted(progress, steps)
        if state.lesson is not None:
            state.heard += state.lesson.teach(steps, state.rng)
            told(steps)
        elif self.options.learner == "pair":
            tokens, game = self.numerals.tokens, self._game
            self._players.play(state.agents, [tokens], self.weights, game, steps, state.rng, told)
        else:
            shown = self._demonstrations(state.rng)
            state.heard += np.bincount(shown.numbers, minlength=self._upto)
            imitate(kernel_agents(state.agents), shown, self._game, steps, state.rng, told)
        return self._tested(number, state, began)

    def _demonstrations(self, rng: np.random.Generator) -> Demonstrations:
        """A round's examples of a teacher who says each expression word by word."""
        (tokens,), (lengths,) = encode([self.numerals.tokens], self._upto)
        numbers = rng.choice(self._upto, self.options.steps * self._game.batch, p=self.weights)
        return Demonstrations(numbers, tokens[numbers], lengths[numbers], tokens[numbers])

    def _tested(self, number: int, state: LearnabilityState, began: float) -> tuple[LearnabilityState, lab.Outcome]:
        """Ask for every number, and record what is understood."""
        options, (numerals, held_out, weights) = self.options, self._lesson
        lesson = state.lesson
        guesses = lesson.answers() if lesson else self._players.guesses(state.agents, numerals.tokens)
        right = guesses == np.arange(1, self._upto + 1)
        test = Need.parse(options.test_need).weights(self._upto)
        seen = self._seen(state, weights)
        words = np.array([(len(numerals.tokens[n]) + 1) // 2 for n in range(1, self._upto + 1)])
        accuracy = _share(right, test, ~held_out) or 0.0
        state.curve = np.append(state.curve, accuracy)
        reached = np.flatnonzero(state.curve >= CRITERION)
        seconds = time.perf_counter() - began
        record = LearnabilityRecord(
            round=number,
            steps_learned=number * options.steps,
            accuracy=accuracy,
            accuracy_seen=None if seen is None else _share(right, test, seen & ~held_out),
            accuracy_unseen=None if seen is None else _share(right, test, ~seen & ~held_out),
            generalisation=_share(right, np.ones(self._upto), held_out),
            accuracy_by_words=[_share(right, test, (words == each) & ~held_out) for each in range(1, words.max() + 1)],
            guesses=guesses.tolist(),
            area=area(state.curve),
            steps_to_90=int(reached[0]) * options.steps if reached.size else None,
            **self.figures,
            seconds=round(seconds, 6),
            steps_per_second=round(options.steps / seconds, 3) if number else None,
        )
        return state, lab.Outcome(lab.record_json(record), None)

    def _seen(self, state: LearnabilityState, weights: np.ndarray) -> np.ndarray | None:
        """Which numbers have been examples; a pair that talks does not tell, unless its examples were drawn once."""
        if self.options.learner != "pair":
            return state.heard > 0
        return weights > 0 if self.options.examples is not None and state.curve.size else None

    def save(self, state: LearnabilityState) -> dict[str, np.ndarray]:
        text = json.dumps(lab.generator_state(state.rng)).encode()
        own = {"rng": np.frombuffer(text, dtype=np.uint8), "heard": state.heard, "curve": state.curve}
        return own | state.agents.to_arrays()

    def load(self, arrays: Mapping[str, np.ndarray]) -> LearnabilityState:
        line = self.options.answers == "line"
        agents = Agents.from_arrays(arrays) if line else self._players.load(arrays, self._game)
        rng = lab.generator_from(json.loads(arrays["rng"].tobytes()))
        heard, curve = np.array(arrays["heard"]), np.array(arrays["curve"])
        if heard.shape != (self._upto,) or heard.dtype.kind not in "iu" or (heard < 0).any():
            raise RequestError("it does not say how often each number was heard")
        if curve.ndim != 1 or curve.dtype.kind != "f" or not ((curve >= 0) & (curve <= 1)).all():
            raise RequestError("its curve is none of accuracies")
        return self._state(agents, rng, heard, curve)


def _share(right: np.ndarray, weights: np.ndarray, among: np.ndarray) -> float | None:
    """The share of some numbers that are right, by weight; None where none has any."""
    total = weights[among].sum()
    return float(weights[among & right].sum() / total) if total > 0 else None


def area(curve: np.ndarray) -> float:
    """The area under the tests' accuracies, joined by straight lines, as a share of the largest possible.

    >>> area(np.array([0.0, 1.0, 1.0])), area(np.array([0.25]))
    (0.75, 0.25)
    """
    return float((curve[1:] + curve[:-1]).mean() / 2) if curve.size > 1 else float(curve.mean())


LEARNABILITY = lab.ExperimentKind(
    name="learnability",
    label="learnability",
    sentence="a learner from scratch learns one numeral system",
    options=LearnabilityOptions,
    make=Learnability,
    record=LearnabilityRecord,
    other_names=OTHER_NAMES,
    presets=game_presets(),
)
