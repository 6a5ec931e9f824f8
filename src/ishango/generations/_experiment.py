"""Passing a language on, as an experiment of the lab: the record of a generation, and how one follows another."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from ishango import lab
from ishango.errors import RequestError
from ishango.evolution import RoundRecord, starting_system, talked
from ishango.frontiers import measure
from ishango.game import Agents, Population, game_presets
from ishango.generations import _upbringing as upbringing
from ishango.generations._ideal_kernel import Passed, chain, hear, pass_on
from ishango.generations._options import OTHER_NAMES, GenerationOptions
from ishango.generations._upbringing import similarity, talk
from ishango.numerals import Need, NumeralSystem, changes, distinct, words_of


@dataclass(frozen=True)
class GenerationRecord(RoundRecord):
    """What a generation leaves in `rounds.jsonl`; what was not measured in it is null."""

    numbers_heard: Annotated[int | None, lab.About("distinct numbers that the generation heard", "numbers")]
    words_heard: Annotated[int | None, lab.About("words that it heard, each role of a word counting", "words")]
    words_lost: Annotated[int | None, lab.About("words of its parents that it does not know", "words")]
    words_restored: Annotated[
        int | None,
        lab.About("words that it did not hear and knows all the same, because the range needs them", "words"),
    ]
    words_invented: Annotated[int | None, lab.About("words that it invented", "words")]
    lost: Annotated[str | None, lab.About("the words lost, D | M")]
    restored: Annotated[str | None, lab.About("the words restored, D | M")]
    invented: Annotated[str | None, lab.About("the words invented, D | M")]
    accuracy_learnt: Annotated[
        float | None,
        lab.About("need-weighted share of numbers that new agents understand at their best after imitation alone"),
    ]
    accuracy_unheard: Annotated[float | None, lab.About("the same among numbers that they never heard")]
    agreement: Annotated[
        float | None,
        lab.About("need-weighted share of numbers whose likeliest message is their parents', after imitation"),
    ]
    topographic_similarity: Annotated[
        float | None,
        lab.About("rank correlation of the distances between expressions and between their likeliest messages"),
    ]
    regularity: Annotated[
        float | None,
        lab.About("share of the steps from n to n + 1, within the game range, that keep the expression's base"),
    ]
    bases: Annotated[int | None, lab.About("multipliers that are the base of some expression, within the game range")]
    lexicons: Annotated[
        int | None, lab.About("distinct lexicons in the population; this and the rest null for one pair")
    ]
    mean_size: Annotated[float | None, lab.About("mean lexicon size of the population's pairs", "words")]
    spread_size: Annotated[float | None, lab.About("standard deviation of their sizes", "words")]
    mean_average_complexity: Annotated[float | None, lab.About("mean of their average complexities", "symbols")]
    spread_average_complexity: Annotated[float | None, lab.About("standard deviation of these", "symbols")]
    mean_gap: Annotated[float | None, lab.About("mean of their gaps", "symbols")]
    spread_gap: Annotated[float | None, lab.About("standard deviation of these", "symbols")]


@dataclass(frozen=True)
class GenerationState:
    """The words of each pair, their agents if they have any, and the random states."""

    lexicons: tuple[upbringing.Words, ...]
    population: Population | None
    rng: np.random.Generator
    """Draws what is heard, lost and invented."""
    game_rng: np.random.Generator
    learners_rng: np.random.Generator
    """Draws the parameters of new agents."""
    parents_rng: np.random.Generator
    """Draws from whom a new pair learns."""


@dataclass(frozen=True)
class Grown:
    """How new agents grew up, for the record."""

    learnt: upbringing.Learnt
    talk: upbringing.Talk
    similarity: float | None
    steps: int
    """How many steps they learnt."""


def _of_everybody(lexicons: Sequence[upbringing.Words], options: GenerationOptions) -> dict[str, Any]:
    """Means and standard deviations over all pairs; none where a pair has no such measure, and for a single pair."""
    systems = [upbringing.system_of(words, options.grammar) for words in lexicons]
    measures = [measure(system, options.need, options.upto) for system in systems]
    found: dict[str, float | None] = {}
    for name in ("size", "average_complexity", "gap"):
        values = [getattr(each, name) for each in measures]
        known = len(values) > 1 and None not in values
        found[f"mean_{name}"] = float(np.mean(values)) if known else None
        found[f"spread_{name}"] = float(np.std(values)) if known else None
    return found


def _delta_gap(contest: upbringing.Contest, options: GenerationOptions) -> float | None:
    systems = contest.alternative, contest.known
    with_it, without = (measure(each, options.need, options.upto).gap for each in systems)
    return None if with_it is None or without is None else with_it - without


def _some(words: upbringing.Words) -> str | None:
    return upbringing.written(words) if words.any() else None


class Generations:
    """A chain of generations, or a population, as an experiment of the lab: a round is a generation."""

    def __init__(self, options: GenerationOptions) -> None:
        self.options = options
        self.config = lab.config_of(options)
        self.rules = upbringing.rules_of(options)
        self._first = starting_system(options.start, options.grammar, options.game.upto)

    @property
    def kind(self) -> lab.ExperimentKind:
        return GENERATIONS

    @property
    def inputs(self) -> dict[str, str]:
        return Need.parse(self.options.need).inputs

    def start(self, progress: lab.Progress) -> tuple[GenerationState, lab.Outcome]:
        """The first language, which is given; agents agree on messages for it."""
        began = time.perf_counter()
        options, words = self.options, words_of(self._first, self.options.game.upto)
        rng, game_rng, agents_rng, learners_rng, parents_rng = generators(options)
        population, grown = None, None
        if options.agents == "neural":
            company, said = upbringing.first_company(self._first, options, agents_rng, game_rng, progress)
            population = company.population
            grown = self._grown(company, upbringing.Learnt(), said, options.pretraining * options.population)
        lexicons = (words,) * options.population
        state = GenerationState(lexicons, population, rng, game_rng, learners_rng, parents_rng)
        return state, self._outcome(0, words, state, None, grown, began)

    def play(self, state: GenerationState, number: int, progress: lab.Progress) -> tuple[GenerationState, lab.Outcome]:
        """One generation: it hears its parents, knows what it heard, and may invent words."""
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
        """The state as arrays; a single pair is saved as it was before there were populations."""
        systems = [str(self._system(words)) for words in state.lexicons]
        text: dict[str, Any] = {"system": systems[0]} if self._alone else {"systems": systems}
        text["rng"] = lab.generator_state(state.rng)
        if state.population is not None:
            text |= {
                "game_rng": lab.generator_state(state.game_rng),
                "learners_rng": lab.generator_state(state.learners_rng),
            }
        if not self._alone:
            text["parents_rng"] = lab.generator_state(state.parents_rng)
        arrays = {"state": np.frombuffer(json.dumps(text).encode(), dtype=np.uint8)}
        for index, pair in enumerate(state.population.pairs if state.population else ()):
            arrays |= {self._prefix(index) + name: array for name, array in pair.to_arrays().items()}
        return arrays

    def load(self, arrays: Mapping[str, np.ndarray]) -> GenerationState:
        options, text = self.options, json.loads(arrays["state"].tobytes())
        systems = [text["system"]] if self._alone else list(text["systems"])
        if len(systems) != options.population:
            raise RequestError(f"it has {len(systems)} lexicons for {options.population} pairs")
        lexicons = tuple(words_of(NumeralSystem.parse(each, options.grammar), options.game.upto) for each in systems)
        rng, neural = lab.generator_from(text["rng"]), options.agents == "neural"
        used = {"game_rng": neural, "learners_rng": neural, "parents_rng": not self._alone}
        # What is not used was not saved.
        others = (lab.generator_from(text[name]) if used[name] else rng for name in used)
        return GenerationState(lexicons, self._population(arrays) if neural else None, rng, *others)

    @property
    def _alone(self) -> bool:
        return self.options.population == 1

    def _population(self, arrays: Mapping[str, np.ndarray]) -> Population:
        pairs: list[Agents] = []
        for each in map(self._prefix, range(self.options.population)):
            mine = {name.removeprefix(each): arrays[name] for name in arrays if name.startswith(each)}
            pairs.append(Agents.from_arrays(mine, self.options.game))
        return Population(pairs)

    def _prefix(self, index: int) -> str:
        return "" if self._alone else f"pair_{index}_"

    def _bring_up(
        self, state: GenerationState, population: Population, oldest: int, parents: int, passed: Passed,
        progress: lab.Progress,
    ) -> Grown:  # fmt: skip
        """New agents imitate their parents and take the place of the oldest; then all talk."""
        options, before = self.options, self._system(state.lexicons[parents])
        # Where words are lost at random, agents still hear as many numbers, to learn their messages.
        counts = hear(self.rules, state.game_rng) if self.rules.random_loss else passed.numbers
        known, invented = self._system(passed.words & ~passed.invented), self._system(passed.words)
        teachers, child = population.pairs[parents], Agents.random(options.game, state.learners_rng)
        upbringing.learn(teachers, child, before, counts, options, state.game_rng, progress)
        learnt = (
            upbringing.look(teachers, child, before, known, counts, options)
            if options.imitation
            else upbringing.Learnt()
        )
        population.replace(oldest, child)
        systems = [self._system(words) for words in replaced(state.lexicons, oldest, passed.words)]
        company = upbringing.Company(population, systems, oldest)
        said = talk(company, known, invented, options, state.game_rng, progress)
        return self._grown(company, learnt, said, options.imitation + options.steps)

    def _grown(
        self, company: upbringing.Company, learnt: upbringing.Learnt, said: upbringing.Talk, steps: int
    ) -> Grown:
        return Grown(learnt, said, similarity(company.newcomers, said.system, self.options), steps)

    def _system(self, words: upbringing.Words) -> NumeralSystem:
        return upbringing.system_of(words, self.options.grammar)

    def _outcome(
        self, number: int, words: upbringing.Words, state: GenerationState, passed: Passed | None, grown: Grown | None,
        began: float,
    ) -> lab.Outcome:  # fmt: skip
        """What a generation that ends with these words leaves behind; `began` is the clock's."""
        options, everybody = self.options, state.lexicons
        system = self._system(words)
        here = measure(system, options.need, options.upto)
        hears = passed is not None and options.lose == "unheard"
        learnt = grown.learnt if grown else upbringing.Learnt()
        contest = grown.talk.contest if grown else None
        bases, spread = upbringing.bases_of(words, options), _of_everybody(everybody, options)
        seconds = time.perf_counter() - began
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
            delta_size=contest.alternative.size - contest.known.size if contest else None,
            delta_gap=_delta_gap(contest, options) if contest else None,
            changed=contest.changed if contest else None,
            **talked(GenerationRecord, grown.talk.communication if grown else {}),
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
            topographic_similarity=grown.similarity if grown else None,
            regularity=1 - changes(bases) / max(1, len(bases) - 1),
            bases=distinct(bases),
            lexicons=len(set(map(bytes, everybody))) if len(everybody) > 1 else None,
            **spread,
            seconds=round(seconds, 6),
            steps_per_second=round(grown.steps / seconds, 3) if grown and grown.steps else None,
        )
        return lab.Outcome(lab.record_json(record), grown.talk.curve if grown else None)


def who_is_replaced(number: int, population: int, parents_rng: np.random.Generator) -> tuple[int, int]:
    """The oldest pair, whose place the generation takes, and another at random, its parents: in a chain the same."""
    oldest = (number - 1) % population
    if population == 1:
        return oldest, oldest
    other = int(parents_rng.integers(population - 1))
    return oldest, other + (other >= oldest)


def replaced(
    lexicons: tuple[upbringing.Words, ...], index: int, words: upbringing.Words
) -> tuple[upbringing.Words, ...]:
    """The lexicons of all pairs after one of them is another."""
    return (*lexicons[:index], words, *lexicons[index + 1 :])


def generators(options: GenerationOptions) -> list[np.random.Generator]:
    """The random numbers of words, of the game, of first agents, of new agents, and of who learns from whom."""
    first = starting_system(options.start, options.grammar, options.game.upto)
    return lab.run_generator(lab.config_of(options), GENERATIONS.defaults(), first).spawn(5)


def play_chain(options: GenerationOptions) -> upbringing.Words:
    """The lexicons of all generations of ideal learners, (generations + 1, 2, range + 1), as a run would have them.

    >>> history = play_chain(GenerationOptions(rounds=20, bottleneck="50"))
    >>> history.shape, int(history[0].sum())
    ((21, 2, 51), 12)
    """
    first = words_of(starting_system(options.start, options.grammar, options.game.upto), options.game.upto)
    rules, (rng, *_, parents_rng) = upbringing.rules_of(options), generators(options)
    if options.population == 1:
        return chain(first, options.rounds, rules, rng)
    lexicons, history = (first,) * options.population, [first]
    for number in range(1, options.rounds + 1):
        oldest, parents = who_is_replaced(number, options.population, parents_rng)
        history.append(pass_on(lexicons[parents], rules, rng).words)
        lexicons = replaced(lexicons, oldest, history[-1])
    return np.array(history)


GENERATIONS = lab.ExperimentKind(
    name="generations",
    label="generations",
    sentence="a language is passed on from parents to children, who know the words they heard",
    options=GenerationOptions,
    make=Generations,
    record=GenerationRecord,
    old_defaults=lab.SHARED_STREAMS,
    presets=game_presets(),
    other_names=OTHER_NAMES,
)
