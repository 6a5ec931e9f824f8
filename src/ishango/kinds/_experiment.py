"""Algorithm 1 for systems of every kind, as an experiment of the lab: a language may begin approximate and end
recursive, or not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ishango.evolution import JUDGES, LEARNERS
from ishango.game import Agents, Round, game_presets, kernel_agents, play
from ishango.kinds._law import Floats, Law, OpenSystem, change, costs, error_table, lengths_of, lexicons, said
from ishango.kinds._options import OpenGenerationOptions, OpenGenerationRecord, SocietyOptions, SocietyRecord, measured
from ishango.lab import (
    SHARED_STREAMS,
    ExperimentKind,
    Outcome,
    Progress,
    counted,
    generator_from,
    generator_state,
    record_json,
    run_generator,
)
from ishango.numerals import Expression, Need, NumeralSystem, as_grammar, format_set, minimal_language


@dataclass(frozen=True)
class SocietyState:
    """What a round hands to the next: the system, the agents if there are any, and the random states."""

    system: OpenSystem
    agents: Agents | None
    changes_rng: np.random.Generator
    """Draws what is tried, and a coin's decisions."""
    game_rng: np.random.Generator
    learners_rng: np.random.Generator
    """Draws the parameters of new agents."""


@dataclass(frozen=True)
class _Trial:
    action: str
    alternative: OpenSystem
    accepted: bool
    round_: Round | None = None
    scores: tuple[float, float] | None = None


class Society:
    """A run of Algorithm 1 on systems that need not cover the range."""

    def __init__(self, options: SocietyOptions) -> None:
        self.options = options
        self.config = options.to_config()

    @property
    def kind(self) -> ExperimentKind:
        """What the lab knows of such runs."""
        return SOCIETY

    @property
    def inputs(self) -> dict[str, str]:
        """Digests of the files that the run depends on."""
        return Need.parse(self.options.need).inputs

    def start(self, progress: Progress) -> tuple[SocietyState, Outcome]:  # noqa: ARG002
        """The first system, and agents who have learnt nothing."""
        began = time.perf_counter()
        changes_rng, game_rng, agents_rng, learners_rng = run_generator(
            self.config, SOCIETY.defaults(), self.options.first
        ).spawn(4)
        agents = Agents.random(self.options.game, agents_rng) if self.options.choose == "bandit" else None
        state = SocietyState(self.options.first, agents, changes_rng, game_rng, learners_rng)
        return state, self._outcome(0, state.system, state.system, None, began)

    def play(self, state: SocietyState, number: int, progress: Progress) -> tuple[SocietyState, Outcome]:
        """Change the system, let it be decided, and go on with what was kept."""
        began = time.perf_counter()
        action, alternative = change(state.system, self.options.game.upto, state.changes_rng)
        agents, trial = self._decide(state, action, alternative, self.options.law(number), progress)
        system = alternative if trial.accepted else state.system
        return replace(state, system=system, agents=agents), self._outcome(number, state.system, system, trial, began)

    def save(self, state: SocietyState) -> dict[str, np.ndarray]:
        """The state as arrays."""
        rngs = {name: generator_state(getattr(state, name)) for name in ("changes_rng", "game_rng", "learners_rng")}
        text = json.dumps({"system": str(state.system), **rngs}).encode()
        return {"state": np.frombuffer(text, np.uint8)} | (state.agents.to_arrays() if state.agents else {})

    def load(self, arrays: Mapping[str, np.ndarray]) -> SocietyState:
        """The state that `save` wrote."""
        text = json.loads(arrays["state"].tobytes())
        agents = Agents.from_arrays(arrays, self.options.game) if self.options.choose == "bandit" else None
        rngs = (generator_from(text[name]) for name in ("changes_rng", "game_rng", "learners_rng"))
        return SocietyState(OpenSystem.parse(text["system"], self.options.grammar), agents, *rngs)

    def _decide(
        self, state: SocietyState, action: str, alternative: OpenSystem, law: Law, progress: Progress
    ) -> tuple[Agents | None, _Trial]:
        systems = (state.system, alternative)
        if state.agents is None:
            if self.options.choose == "coin":
                return None, _Trial(action, alternative, bool(state.changes_rng.random() < 0.5))
            return None, _Trial(action, alternative, worth(alternative, law) > worth(state.system, law))
        options = self.options
        met = LEARNERS[options.learners].meet(state.agents, lambda: Agents.random(options.game, state.learners_rng))
        agents = kernel_agents(met)
        arms, steps = [expressions(system, law) for system in systems], options.steps
        round_ = play(
            agents, arms, law.weights, options.game, steps, state.game_rng, reward=rewards(law),
            progress=counted(progress, steps), even=options.arms == "even",
        )  # fmt: skip
        current, other = (float(each) for each in JUDGES[options.judge].scores(round_))
        accepted = other - law.word * alternative.size > current - law.word * state.system.size
        return agents, _Trial(action, alternative, accepted, round_, (current, other))

    def _outcome(
        self, number: int, before: OpenSystem, system: OpenSystem, trial: _Trial | None, began: float
    ) -> Outcome:
        """The record of a round that began with `before` and ended with `system`."""
        law, round_ = self.options.law(number), trial.round_ if trial else None
        here, seconds = measured(number, system, law), time.perf_counter() - began
        record = SocietyRecord(
            **here,
            action=trial.action if trial else None,
            alternative=str(trial.alternative) if trial else None,
            accepted=trial.accepted if trial else None,
            delta_size=trial.alternative.size - before.size if trial else None,
            delta_cost=costs(trial.alternative, law).total - costs(before, law).total if trial else None,
            scores=[None if np.isnan(each) else each for each in trial.scores] if trial and trial.scores else None,
            accuracy=round_.accuracy() if round_ else None,
            seconds=round(seconds, 6),
            steps_per_second=round(self.options.steps / seconds, 3) if round_ else None,
        )
        return Outcome(record_json(record), round_.curve() if round_ else None)


def rewards(law: Law) -> np.ndarray:
    """What a guess is worth: exp(-precision x error), so that rewards lie in 0..1 for every precision."""
    return np.exp(-law.precision * error_table(law.error, law.upto))


def expressions(system: OpenSystem, law: Law) -> dict[int, tuple[str, ...]]:
    """What the speaker reads for each number: the expression of the number that it says for it."""
    chosen = said(system, law).tolist()
    if not system.multipliers:
        return {number: (str(word),) for number, word in enumerate(chosen, start=1)}
    language = minimal_language(NumeralSystem(system.digits, system.multipliers, system.grammar), law.upto)
    return {number: language.expression(word).tokens("infix") for number, word in enumerate(chosen, start=1)}


def worth(system: OpenSystem, law: Law) -> float:
    """What a system is worth to agents who understand everything that is said: the mean reward, less its costs."""
    chosen = said(system, law) - 1
    lengths = lengths_of(lexicons([system], law.upto), law)[0][chosen]
    reward = rewards(law)[np.arange(law.upto), chosen]
    return float(law.weights @ (reward - law.effort * (lengths - 1))) - law.word * system.size


SOCIETY = ExperimentKind(
    name="kinds",
    label="systems of every kind",
    sentence="a system that need not cover the range is changed, agents talk, and what is worth more to them is kept",
    options=SocietyOptions,
    make=Society,
    record=SocietyRecord,
    old_defaults=SHARED_STREAMS,
    presets=game_presets(),
)


# What becomes of the words of a system that is passed on, where who did not hear a word does not know it.

DIGIT, MULTIPLIER = 0, 1
Word = tuple[int, int]
"""A role and a number."""
Words = frozenset[Word]


def words_heard(system: OpenSystem, law: Law, meant: Iterable[int]) -> Words:
    """The words in what parents say where they mean these numbers.

    >>> sorted(words_heard(OpenSystem.parse("1-9 | 10"), Law(precision=100), [12]))
    [(0, 1), (0, 2), (1, 10)]
    """
    chosen = said(system, law)
    spoken = {int(chosen[number - 1]) for number in meant}
    if not system.multipliers:
        return frozenset((DIGIT, word) for word in spoken)
    language = minimal_language(NumeralSystem(system.digits, system.multipliers, system.grammar), law.upto)
    return frozenset(each for number in spoken for each in _words_in(language.expression(number), system))


def coined(words: Words, law: Law, multiplier_share: float, uniform: bool, rng: np.random.Generator) -> Words:
    """The words and one more: its role is drawn first, then a number that has no word in it; nothing where all have,
    or where nothing would be gained. For n with a probability proportional to what it loses, or uniformly."""
    role = MULTIPLIER if rng.random() < multiplier_share else DIGIT
    free = np.array([(role, number) not in words for number in range(1, law.upto + 1)])
    weights = free * (1.0 if uniform else losses(system_of(words, law), law))
    if weights.sum() <= 0:
        return words
    return words | {(role, int(rng.choice(law.upto, p=weights / weights.sum())) + 1)}


def losses(system: OpenSystem, law: Law) -> Floats:
    """Need x what it costs to say each number, beyond the one symbol that a word of its own would take.

    >>> losses(OpenSystem.parse("1,3"), Law(precision=3, upto=3)).round(3).tolist()
    [0.0, 0.276, 0.0]
    """
    chosen = said(system, law) - 1
    lengths = lengths_of(lexicons([system], law.upto), law)[0][chosen]
    return law.weights * (law.effort * (lengths - 1) + law.losses[np.arange(law.upto), chosen])


def spared(words: Words, number: int, law: Law, rng: np.random.Generator) -> Words:
    """The words without some that are drawn uniformly; the last one that says something stays."""
    for _ in range(number):
        droppable = [word for word in sorted(words) if _says_something(words - {word}, law)]
        if droppable:
            words = words - {droppable[int(rng.integers(len(droppable)))]}
    return words


def words_of(system: OpenSystem) -> Words:
    """The words of a system, each in its role."""
    return frozenset({(DIGIT, n) for n in system.digits} | {(MULTIPLIER, n) for n in system.multipliers})


def system_of(words: Words, law: Law) -> OpenSystem:
    """The system that has these words."""
    return OpenSystem(_in_role(words, DIGIT), _in_role(words, MULTIPLIER), law.grammar)


def written(words: Words) -> str | None:
    """Words as `D | M`, either of which may be none; null where there are none."""
    return f"{format_set(_in_role(words, DIGIT))} | {format_set(_in_role(words, MULTIPLIER))}" if words else None


def _in_role(words: Words, role: int) -> tuple[int, ...]:
    return tuple(sorted(number for each, number in words if each == role))


def _says_something(words: Words, law: Law) -> bool:
    return any(role == DIGIT or as_grammar(law.grammar).bare_number for role, _ in words)


def _words_in(expression: Expression, system: OpenSystem) -> Iterable[Word]:
    """A factor is a multiplier, and so is what a sum or difference begins with; other words are digits, if they can."""
    stack = [(expression, DIGIT)]
    while stack:
        node, role = stack.pop()
        if node.left is None or node.right is None:
            yield (role if node.value in system.digits else MULTIPLIER), node.value
        else:
            product = node.operator == "*"
            stack += ((node.left, DIGIT if product else MULTIPLIER), (node.right, MULTIPLIER if product else DIGIT))


# Generations of ideal learners, as an experiment of the lab: who did not hear a word does not know it, even if numbers
# can no longer be said. They are then said as others near them, so that any kind of system may come about.


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
