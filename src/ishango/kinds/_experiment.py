"""Algorithm 1 for systems of every kind, as an experiment of the lab: a language may begin approximate and end
recursive, or not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ishango import lab
from ishango.evolution import AlgorithmOne, EvolutionState, Names, Played, Trial, talked
from ishango.game import Expressions, game_presets
from ishango.kinds._law import Floats, Law, OpenSystem, change, costs, error_table, in_use, said
from ishango.kinds._options import OpenGenerationOptions, OpenGenerationRecord, SocietyOptions, SocietyRecord, measured
from ishango.numerals import DIGIT, MULTIPLIER, Need, NumeralSystem, as_grammar, format_set, minimal_language, spoken


class Society(AlgorithmOne[OpenSystem]):
    """A run of Algorithm 1 on systems that need not cover the range: the loop is that of `evolve`."""

    def __init__(self, options: SocietyOptions) -> None:
        self.options = options
        super().__init__(lab.config_of(options), options.talk, options.choose, options.first)

    @property
    def kind(self) -> lab.ExperimentKind:
        return SOCIETY

    def propose(self, state: EvolutionState[OpenSystem]) -> Trial[OpenSystem]:
        """A word comes, goes, or changes its role; nothing changes where both arms are to be the same."""
        if not self.chooser.modifies:
            return Trial(None, state.system)
        return Trial(*change(state.system, self.options.game.upto, state.grammar_rng))

    def words(self, system: OpenSystem, names: Names, number: int) -> Expressions:  # noqa: ARG002 - nothing is renamed
        return expressions(system, self.options.law(number))

    def differences(self, current: OpenSystem, alternative: OpenSystem, number: int) -> tuple[float, float]:
        """Of the mean length of what is said, and of what the systems are worth."""
        law = self.options.law(number)
        longer = costs(alternative, law).length - costs(current, law).length
        return longer, worth(current, law) - worth(alternative, law)

    def reward(self, number: int) -> np.ndarray:
        return rewards(self.options.law(number))

    def parse(self, text: str) -> OpenSystem:
        return OpenSystem.parse(text, self.options.grammar)

    def record(self, played: Played[OpenSystem]) -> SocietyRecord:
        law, trial = self.options.law(played.number), played.trial
        dearer = costs(trial.alternative, law).total - costs(played.before, law).total if trial else None
        talk = talked(SocietyRecord, played.decision.communication)
        return SocietyRecord(**measured(played.number, played.system, law), delta_cost=dearer, **talk, **played.common)


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
    chosen, lengths = in_use(system, law)
    reward = rewards(law)[np.arange(law.upto), chosen]
    return float(law.weights @ (reward - law.effort * (lengths - 1))) - law.word * system.size


SOCIETY = lab.ExperimentKind(
    name="kinds",
    label="systems of every kind",
    sentence="a system that need not cover the range is changed, agents talk, and what is worth more to them is kept",
    options=SocietyOptions,
    make=Society,
    record=SocietyRecord,
    old_defaults=lab.SHARED_STREAMS,
    presets=game_presets(),
)


# What becomes of the words of a system that is passed on, where who did not hear a word does not know it.

Word = tuple[int, int]
"""A role and a number."""
Words = frozenset[Word]


def words_heard(system: OpenSystem, law: Law, meant: Iterable[int]) -> Words:
    """The words in what parents say where they mean these numbers.

    >>> sorted(words_heard(OpenSystem.parse("1-9 | 10"), Law(precision=100), [12]))
    [(0, 1), (0, 2), (1, 10)]
    """
    chosen = said(system, law)
    numbers = {int(chosen[number - 1]) for number in meant}
    if not system.multipliers:
        return frozenset((DIGIT, word) for word in numbers)
    leaves = spoken(NumeralSystem(system.digits, system.multipliers, system.grammar), law.upto)
    said_ = [slice(leaves.start[number], leaves.start[number + 1]) for number in numbers]
    return frozenset(
        each for here in said_ for each in zip(leaves.role[here].tolist(), leaves.word[here].tolist(), strict=True)
    )


def with_new_words(words: Words, law: Law, multiplier_share: float, uniform: bool, rng: np.random.Generator) -> Words:
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
    chosen, lengths = in_use(system, law)
    return law.weights * (law.effort * (lengths - 1) + law.losses[np.arange(law.upto), chosen])


def spared(words: Words, number: int, law: Law, rng: np.random.Generator) -> Words:
    """The words without some that are drawn uniformly; the last one that says something stays."""
    for _ in range(number):
        droppable = [word for word in sorted(words) if _says_something(words - {word}, law)]
        if droppable:
            words = words - {droppable[int(rng.integers(len(droppable)))]}
    return words


def words_of(system: OpenSystem) -> Words:
    return frozenset({(DIGIT, n) for n in system.digits} | {(MULTIPLIER, n) for n in system.multipliers})


def system_of(words: Words, law: Law) -> OpenSystem:
    return OpenSystem(_in_role(words, DIGIT), _in_role(words, MULTIPLIER), law.grammar)


def written(words: Words) -> str | None:
    """Words as `D | M`, either of which may be none; null where there are none."""
    return f"{format_set(_in_role(words, DIGIT))} | {format_set(_in_role(words, MULTIPLIER))}" if words else None


def _in_role(words: Words, role: int) -> tuple[int, ...]:
    return tuple(sorted(number for each, number in words if each == role))


def _says_something(words: Words, law: Law) -> bool:
    return any(role == DIGIT or as_grammar(law.grammar).bare_number for role, _ in words)


# Generations of ideal learners, as an experiment of the lab: who did not hear a word does not know it, even if numbers
# can no longer be said. They are then said as others near them, so that any kind of system may come about.


@dataclass(frozen=True)
class OpenGenerationState:
    """What a generation hands to the next."""

    system: OpenSystem
    rng: np.random.Generator


class OpenGenerations:
    """A chain of ideal learners, whose systems need not cover the range."""

    def __init__(self, options: OpenGenerationOptions) -> None:
        self.options = options
        self.config = lab.config_of(options)

    @property
    def kind(self) -> lab.ExperimentKind:
        return OPEN_GENERATIONS

    @property
    def inputs(self) -> dict[str, str]:
        return Need.parse(self.options.need).inputs

    def start(self, progress: lab.Progress) -> tuple[OpenGenerationState, lab.Outcome]:  # noqa: ARG002 - as the protocol has it
        began = time.perf_counter()
        state = OpenGenerationState(
            self.options.first, lab.run_generator(self.config, OPEN_GENERATIONS.defaults(), self.options.first)
        )
        nothing: dict[str, Any] = dict.fromkeys(
            ("numbers_heard", "words_heard", "words_lost", "words_invented", "lost", "invented")
        )
        return state, self._outcome(0, state.system, nothing, began)

    def play(
        self, state: OpenGenerationState, number: int, progress: lab.Progress  # noqa: ARG002 - as the protocol has it
    ) -> tuple[OpenGenerationState, lab.Outcome]:  # fmt: skip
        """One generation: it hears its parents, knows what it heard, and may invent words."""
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
            after = with_new_words(after, law, self.options.multiplier_share, self.options.coin == "uniform", rng)
        system = system_of(after, law)
        lost, invented = parents - known, after - known
        passed = {
            "numbers_heard": numbers,
            "words_heard": None if numbers is None else len(known),
            "words_lost": len(lost),
            "words_invented": len(invented),
            "lost": written(lost),
            "invented": written(invented),
        }
        return replace(state, system=system), self._outcome(number, system, passed, began)

    def save(self, state: OpenGenerationState) -> dict[str, np.ndarray]:
        text = json.dumps({"system": str(state.system), "rng": lab.generator_state(state.rng)}).encode()
        return {"state": np.frombuffer(text, np.uint8)}

    def load(self, arrays: Mapping[str, np.ndarray]) -> OpenGenerationState:
        text = json.loads(arrays["state"].tobytes())
        return OpenGenerationState(
            OpenSystem.parse(text["system"], self.options.grammar), lab.generator_from(text["rng"])
        )

    def _meant(self, law: Law, rng: np.random.Generator) -> list[int]:
        """The numbers that parents have in mind when they speak, each once."""
        if self.options.examples is None:
            return list(range(1, law.upto + 1))
        return (np.flatnonzero(rng.multinomial(self.options.examples, law.weights)) + 1).tolist()

    def _how_many(self, rng: np.random.Generator) -> int:
        """A whole number with the mean of the option that varies as little as it can."""
        whole = int(self.options.invent)
        return whole + int(rng.random() < self.options.invent - whole)

    def _outcome(self, number: int, system: OpenSystem, passed: Mapping[str, Any], began: float) -> lab.Outcome:
        """The record of a generation; `passed` has what became of the words."""
        here = measured(number, system, self.options.law(number))
        record = OpenGenerationRecord(**here, **passed, seconds=round(time.perf_counter() - began, 6))
        return lab.Outcome(lab.record_json(record))


OPEN_GENERATIONS = lab.ExperimentKind(
    name="kinds-generations",
    label="generations of every kind",
    sentence="a system that need not cover the range is passed on; words that are not heard are lost, others invented",
    options=OpenGenerationOptions,
    make=OpenGenerations,
    record=OpenGenerationRecord,
    old_defaults=lab.SHARED_STREAMS,
    other_names={"generations": "rounds"},
)
