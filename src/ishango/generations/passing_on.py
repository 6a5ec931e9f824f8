"""Generations as an experiment of the lab: a round is a generation that learns from the one before."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ishango.evolution import starting_system
from ishango.game import Agents
from ishango.game.game_options import game_presets
from ishango.game.population import Population
from ishango.generations.generation_options import OTHER_NAMES, GenerationOptions
from ishango.generations.generation_record import GenerationRecord
from ishango.generations.generation_state import GenerationState, load, save
from ishango.generations.ideal_kernel import (
    Passed,
    chain,  # pyright: ignore[reportUnknownVariableType]
    hear,  # pyright: ignore[reportUnknownVariableType]
    pass_on,  # pyright: ignore[reportUnknownVariableType]
)
from ishango.generations.lexicons import Words, rules_of, system_of, words_of
from ishango.generations.telling import Grown, record_of
from ishango.generations.upbringing import Company, Learnt, Talk, first_company, learn, look, similarity, talk
from ishango.lab import Outcome, Progress
from ishango.lab.experiments import SHARED_STREAMS, ExperimentKind
from ishango.lab.randomness import run_generator
from ishango.lab.records import record_json
from ishango.numerals import Need, NumeralSystem


class Generations:
    """A chain of generations, or a population, as an experiment of the lab."""

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
        return Need.parse(self.options.need).inputs

    def start(self, progress: Progress) -> tuple[GenerationState, Outcome]:
        """The first language, which nobody had to learn; agents agree on messages for it."""
        began = time.perf_counter()
        options, words = self.options, words_of(self._first, self.options.game.upto)
        rng, game_rng, agents_rng, learners_rng, parents_rng = generators(options)
        population, grown = None, None
        if options.agents == "neural":
            company, said = first_company(self._first, options, agents_rng, game_rng, progress)
            population = company.population
            grown = self._grown(company, Learnt(), said, options.pretraining * options.population)
        lexicons = (words,) * options.population
        state = GenerationState(lexicons, population, rng, game_rng, learners_rng, parents_rng)
        return state, self._outcome(0, words, state, None, grown, began)

    def play(self, state: GenerationState, number: int, progress: Progress) -> tuple[GenerationState, Outcome]:
        """One generation: it hears its parents, knows what it heard, and may coin words."""
        began = time.perf_counter()
        oldest, parents = who_is_replaced(number, self.options.population, state.parents_rng)
        passed = pass_on(state.lexicons[parents], self.rules, state.rng)
        words, grown = passed.words, None
        if state.population is not None:
            grown = self._bring_up(state, state.population, oldest, parents, passed, progress)
            words = words_of(grown.talk.system, self.options.game.upto)
        after = replace(state, lexicons=replaced(state.lexicons, oldest, words))
        return after, self._outcome(number, words, after, passed, grown, began)

    def save(self, state: GenerationState) -> dict[str, np.ndarray]:
        """The state as arrays."""
        return save(state, self.options)

    def load(self, arrays: Mapping[str, np.ndarray]) -> GenerationState:
        """The state that `save` wrote."""
        return load(arrays, self.options)

    def _bring_up(
        self, state: GenerationState, population: Population, oldest: int, parents: int, passed: Passed,
        progress: Progress,
    ) -> Grown:  # fmt: skip
        """New agents imitate their parents and take the place of the oldest; then all talk."""
        options, before = self.options, self._system(state.lexicons[parents])
        # Where words are lost at random, agents still hear as many numbers, to learn their messages.
        counts = hear(self.rules, state.game_rng) if self.rules.random_loss else passed.numbers
        known, coined = self._system(passed.words & ~passed.invented), self._system(passed.words)
        teachers, child = population.pairs[parents], Agents.random(options.game, state.learners_rng)
        learn(teachers, child, before, counts, options, state.game_rng, progress)
        learnt = look(teachers, child, before, known, counts, options) if options.imitation else Learnt()
        population.replace(oldest, child)
        systems = [self._system(words) for words in replaced(state.lexicons, oldest, passed.words)]
        company = Company(population, systems, oldest)
        said = talk(company, known, coined, options, state.game_rng, progress)
        return self._grown(company, learnt, said, options.imitation + options.steps)

    def _grown(self, company: Company, learnt: Learnt, said: Talk, steps: int) -> Grown:
        return Grown(learnt, said, similarity(company.newcomers, said.system, self.options), steps)

    def _system(self, words: Words) -> NumeralSystem:
        return system_of(words, self.options.grammar)

    def _outcome(
        self, number: int, words: Words, state: GenerationState, passed: Passed | None, grown: Grown | None,
        began: float,
    ) -> Outcome:  # fmt: skip
        record = record_of(number, words, state.lexicons, passed, grown, self.options, began)
        return Outcome(record_json(record), grown.talk.curve if grown else None)


def who_is_replaced(number: int, population: int, parents_rng: np.random.Generator) -> tuple[int, int]:
    """The oldest pair, whose place the generation takes, and another at random, its parents: in a chain the same."""
    oldest = (number - 1) % population
    if population == 1:
        return oldest, oldest
    other = int(parents_rng.integers(population - 1))
    return oldest, other + (other >= oldest)


def replaced(lexicons: tuple[Words, ...], index: int, words: Words) -> tuple[Words, ...]:
    """The lexicons of all pairs after one of them is another."""
    return (*lexicons[:index], words, *lexicons[index + 1 :])


def generators(options: GenerationOptions) -> list[np.random.Generator]:
    """The random numbers of words, of the game, of first agents, of new agents, and of who learns from whom."""
    first = starting_system(options.start, options.grammar, options.game.upto)
    return run_generator(options.to_config(), GENERATIONS.defaults(), first).spawn(5)


def play_chain(options: GenerationOptions) -> Words:
    """The lexicons of all generations of ideal learners, (generations + 1, 2, range + 1), as a run would have them.

    >>> history = play_chain(GenerationOptions(rounds=20, bottleneck="50"))
    >>> history.shape, int(history[0].sum())
    ((21, 2, 51), 12)
    """
    first = words_of(starting_system(options.start, options.grammar, options.game.upto), options.game.upto)
    rules, (rng, *_, parents_rng) = rules_of(options), generators(options)
    if options.population == 1:
        return chain(first, options.rounds, rules, rng)
    lexicons, history = (first,) * options.population, [first]
    for number in range(1, options.rounds + 1):
        oldest, parents = who_is_replaced(number, options.population, parents_rng)
        history.append(pass_on(lexicons[parents], rules, rng).words)
        lexicons = replaced(lexicons, oldest, history[-1])
    return np.array(history)


GENERATIONS = ExperimentKind(
    name="generations",
    label="generations",
    sentence="a language is passed on from parents to children, who know the words they heard",
    options=GenerationOptions,
    make=Generations,
    record=GenerationRecord,
    old_defaults=SHARED_STREAMS,
    presets=game_presets(),
    other_names=OTHER_NAMES,
)
