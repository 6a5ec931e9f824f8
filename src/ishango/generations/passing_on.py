"""Generations as an experiment of the lab: a round is a generation that learns from the one before."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ishango.evolution import starting_system
from ishango.evolution.conversation import Communication
from ishango.frontier import Measures, measure
from ishango.game import Agents
from ishango.generations.generation_options import OTHER_NAMES, GenerationOptions
from ishango.generations.generation_record import GenerationRecord
from ishango.generations.ideal_kernel import (
    Passed,
    chain,  # pyright: ignore[reportUnknownVariableType]
    hear,  # pyright: ignore[reportUnknownVariableType]
    pass_on,  # pyright: ignore[reportUnknownVariableType]
)
from ishango.generations.lexicons import Words, rules_of, system_of, words_of, written
from ishango.generations.upbringing import Contest, Learnt, Talk, first_pair, learn, look, talk
from ishango.lab import Outcome, Progress, generator_from, generator_state
from ishango.lab.experiments import ExperimentKind
from ishango.lab.records import record_json
from ishango.numerals import Need, NumeralSystem


@dataclass(frozen=True)
class GenerationState:
    """What a generation hands to the next: its words, its agents if it has any, and the random states."""

    words: Words
    rng: np.random.Generator
    """Draws what is heard, lost and coined."""
    agents: Agents | None
    game_rng: np.random.Generator
    learners_rng: np.random.Generator
    """Draws the parameters of new agents."""


@dataclass(frozen=True)
class Grown:
    """What is told of a generation beside its words."""

    learnt: Learnt
    talk: Talk | None


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

    def start(self, progress: Progress) -> tuple[GenerationState, Outcome]:
        """The first language, which nobody had to learn; agents agree on messages for it."""
        began = time.perf_counter()
        options, words = self.options, words_of(self._first, self.options.game.upto)
        rng, game_rng, agents_rng, learners_rng = np.random.default_rng(options.seed).spawn(4)
        agents, grown = None, None
        if options.agents == "neural":
            agents, said = first_pair(self._first, options, agents_rng, game_rng, progress)
            grown = Grown(Learnt(), said)
        state = GenerationState(words, rng, agents, game_rng, learners_rng)
        return state, self._outcome(0, words, None, grown, began)

    def play(self, state: GenerationState, number: int, progress: Progress) -> tuple[GenerationState, Outcome]:
        """One generation: it hears its parents, knows what it heard, and may coin words."""
        began = time.perf_counter()
        passed = pass_on(state.words, self.rules, state.rng)
        words, agents, grown = passed.words, None, None
        if state.agents is not None:
            agents, grown = self._bring_up(state, state.agents, passed, progress)
            assert grown.talk is not None
            words = words_of(grown.talk.system, self.options.game.upto)
        after = GenerationState(words, state.rng, agents, state.game_rng, state.learners_rng)
        return after, self._outcome(number, words, passed, grown, began)

    def save(self, state: GenerationState) -> dict[str, np.ndarray]:
        """The state as arrays."""
        text = {"system": str(self._system(state.words)), "rng": generator_state(state.rng)}
        if state.agents is not None:
            text |= {
                "game_rng": generator_state(state.game_rng),
                "learners_rng": generator_state(state.learners_rng),
            }
        arrays = {"state": np.frombuffer(json.dumps(text).encode(), dtype=np.uint8)}
        return arrays | (state.agents.to_arrays() if state.agents else {})

    def load(self, arrays: Mapping[str, np.ndarray]) -> GenerationState:
        """The state that `save` wrote."""
        text = json.loads(arrays["state"].tobytes())
        words = words_of(NumeralSystem.parse(text["system"], self.options.grammar), self.options.game.upto)
        rng = generator_from(text["rng"])
        if self.options.agents != "neural":
            return GenerationState(words, rng, None, rng, rng)
        others = generator_from(text["game_rng"]), generator_from(text["learners_rng"])
        return GenerationState(words, rng, Agents.from_arrays(arrays), *others)

    def _bring_up(
        self, state: GenerationState, parents: Agents, passed: Passed, progress: Progress
    ) -> tuple[Agents, Grown]:
        """New agents imitate their parents, then talk."""
        options, before = self.options, self._system(state.words)
        # Where words are lost at random, agents still hear as many numbers, to learn their messages.
        counts = hear(self.rules, state.game_rng) if self.rules.random_loss else passed.numbers
        known, coined = self._system(passed.words & ~passed.invented), self._system(passed.words)
        child = Agents.random(options.game, state.learners_rng)
        learn(parents, child, before, counts, options, state.game_rng, progress)
        learnt = look(parents, child, before, known, counts, options) if options.imitation else Learnt()
        return child, Grown(learnt, talk(child, known, coined, options, state.game_rng, progress))

    def _system(self, words: Words) -> NumeralSystem:
        return system_of(words, self.options.grammar)

    def _measure(self, system: NumeralSystem) -> Measures:
        return measure(system, self.options.need, self.options.upto)

    def _outcome(self, number: int, words: Words, passed: Passed | None, grown: Grown | None, began: float) -> Outcome:
        """The record of a generation that ends with these words."""
        system = self._system(words)
        here = self._measure(system)
        hears = passed is not None and self.options.lose == "unheard"
        learnt = grown.learnt if grown else Learnt()
        said: Communication = grown.talk.communication if grown and grown.talk else {}
        contest = grown.talk.contest if grown and grown.talk else None
        seconds = time.perf_counter() - began
        steps = self._steps(number) if grown else 0
        record = GenerationRecord(
            round=number,
            digits=list(system.digits),
            multipliers=list(system.multipliers),
            size=here.size,
            average_complexity=here.average_complexity,
            gap=here.gap,
            action="coin" if contest else None,
            alternative=str(contest.alternative) if contest else None,
            accepted=contest.accepted if contest else None,
            delta_average=contest.delta_average if contest else None,
            delta_size=int(passed.invented.sum()) if contest and passed else None,
            delta_gap=self._delta_gap(contest, passed) if contest and passed else None,
            q=said.get("q"),
            uses=said.get("uses"),
            scores=said.get("scores"),
            accuracy=said.get("accuracy"),
            accuracy_by_arm=said.get("accuracy_by_arm"),
            accuracy_greedy=said.get("accuracy_greedy"),
            numbers_heard=int((passed.numbers > 0).sum()) if passed and hears else None,
            words_heard=int(passed.heard.sum()) if passed and hears else None,
            words_lost=int(passed.lost.sum()) if passed else None,
            words_restored=int(passed.restored.sum()) if passed and hears else None,
            words_invented=int((words & passed.invented).sum()) if passed else None,
            lost=_some(passed.lost) if passed else None,
            restored=_some(passed.restored) if passed else None,
            invented=_some(words & passed.invented) if passed else None,
            accuracy_learnt=learnt.accuracy,
            accuracy_unheard=learnt.accuracy_unheard,
            agreement=learnt.agreement,
            seconds=round(seconds, 6),
            steps_per_second=round(steps / seconds, 3) if steps else None,
        )
        return Outcome(record_json(record), grown.talk.curve if grown and grown.talk else None)

    def _delta_gap(self, contest: Contest, passed: Passed) -> float | None:
        with_it = self._measure(contest.alternative).gap
        without = self._measure(self._system(passed.words & ~passed.invented)).gap
        return None if with_it is None or without is None else with_it - without

    def _steps(self, number: int) -> int:
        """How many steps agents learn in a generation; the first pair only talks."""
        return self.options.imitation + self.options.steps if number else self.options.pretraining


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
