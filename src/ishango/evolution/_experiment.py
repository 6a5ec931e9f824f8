"""Algorithm 1 as an experiment of the lab: the record of a round, how a round goes, what is saved."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import numpy as np

from ishango import lab
from ishango.errors import RequestError
from ishango.evolution import _choosers as choosers
from ishango.evolution._choosers import communication
from ishango.evolution._modifications import RELABEL, alternatives, parse_modifications, starting_system
from ishango.evolution._options import EvolutionOptions
from ishango.frontiers import Measures, measure
from ishango.game import Expressions, Talkers, find_players, game_presets
from ishango.numerals import Need, NumeralSystem


@dataclass(frozen=True)
class RoundRecord:
    """What a round of Algorithm 1 leaves in `rounds.jsonl`; what was not measured in it is null."""

    round: Annotated[int, lab.About("0 is the start, after pre-training")]
    digits: Annotated[list[int], lab.About("the set D after the round")]
    multipliers: Annotated[list[int], lab.About("the set M after the round")]
    size: Annotated[int, lab.About("lexicon size, |D| + |M|", "words")]
    average_complexity: Annotated[
        float | None,
        lab.About("need-weighted average complexity of the shortest expressions of 1 to the range", "symbols"),
    ]
    gap: Annotated[float | None, lab.About("average complexity above the proved frontier of that size", "symbols")]
    action: Annotated[str | None, lab.About("the modification tried; null in round 0 and where none could be applied")]
    alternative: Annotated[str | None, lab.About("the system it leads to, D | M")]
    accepted: Annotated[bool | None, lab.About("whether the alternative was kept")]
    delta_average: Annotated[
        float | None,
        lab.About(
            "average complexity of the alternative minus that of the current system, over the game range", "symbols"
        ),
    ]
    delta_size: Annotated[int | None, lab.About("size of the alternative minus that of the current system", "words")]
    delta_gap: Annotated[float | None, lab.About("gap of the alternative minus that of the current system", "symbols")]
    changed: Annotated[
        float | None,
        lab.About("how new the alternative is: need-weighted share of the game range that it says otherwise"),
    ]
    q: Annotated[list[float] | None, lab.About("the bandit's values of the current system and the alternative")]
    uses: Annotated[list[int] | None, lab.About("how often the bandit used either", "steps")]
    scores: Annotated[
        list[float | None] | None,
        lab.About("what the judge gives the current system and the alternative, before their words are paid for"),
    ]
    practice: Annotated[int | None, lab.About("steps in which both were practised before either counted", "steps")]
    accuracy: Annotated[float | None, lab.About("share of games won in the last 500 steps of the round")]
    accuracy_by_arm: Annotated[list[float | None] | None, lab.About("the same for either system")]
    accuracy_greedy: Annotated[
        float | None, lab.About("need-weighted share of numbers understood if both agents take their likeliest symbols")
    ]
    numbers_understood: Annotated[
        int | None,
        lab.About("numbers of the game range that are understood so; a few frequent ones win most games", "numbers"),
    ]
    messages: Annotated[
        int | None, lab.About("different messages for them; those that share one are mixed up", "messages")
    ]
    seconds: Annotated[float, lab.About("how long the round took", "seconds")]
    steps_per_second: Annotated[float | None, lab.About("how fast agents played")]


# Algorithm 1: agents talk, the grammar is modified, and what is better understood is kept.

S = TypeVar("S", bound=choosers.AnySystem)


@dataclass(frozen=True)
class EvolutionState(Generic[S]):
    """What a round hands to the next: the current system, the agents (which learn in place), the random states."""

    system: S
    agents: Talkers | None
    grammar_rng: np.random.Generator
    game_rng: np.random.Generator
    learners_rng: np.random.Generator
    """Draws the parameters of agents that are new in a round."""
    names: choosers.Names = ()
    """What words are called, where some have been relabelled."""


@dataclass(frozen=True)
class Trial(Generic[S]):
    """A modification that was tried in a round, and what it would change."""

    action: str | None
    """None where both arms are the current system."""
    alternative: S
    names: choosers.Names = ()
    delta_average: float = 0.0
    delta_cost: float = 0.0
    changed: float = 0.0


@dataclass(frozen=True)
class Played(Generic[S]):
    """How a round went: the system it began and ended with, what was tried and decided, and how long it took."""

    number: int
    before: S
    system: S
    trial: Trial[S] | None
    decision: choosers.Decision
    seconds: float
    steps: int
    """Steps of communication; 0 where nobody talked."""

    @property
    def common(self) -> dict[str, Any]:
        """The fields that every record of a round of Algorithm 1 has."""
        trial = self.trial
        return {
            "action": trial.action if trial else None,
            "alternative": str(trial.alternative) if trial else None,
            "accepted": self.decision.accepted if trial else None,
            "delta_size": trial.alternative.size - self.before.size if trial else None,
            "changed": trial.changed if trial else None,
            "seconds": round(self.seconds, 6),
            "steps_per_second": round(self.steps / self.seconds, 3) if self.steps else None,
        }


def talked(record: type[Any], communication: choosers.Communication) -> dict[str, Any]:
    """The fields of a record that tell of communication; null where there was none."""
    names = choosers.Communication.__optional_keys__
    return {each.name: communication.get(each.name) for each in fields(record) if each.name in names}


class AlgorithmOne(ABC, Generic[S]):
    """The loop of Algorithm 1, whatever a system is: subclasses say what is tried, said and recorded."""

    def __init__(self, config: dict[str, Any], talk: EvolutionOptions, choose: str, first: S) -> None:
        """`talk` is how agents talk, whatever the options of a run are; `choose` names who decides."""
        self.config, self.talk, self.first = config, talk, first
        self.chooser = choosers.CHOOSERS[choose]
        self.players = find_players(talk.players)

    @property
    @abstractmethod
    def kind(self) -> lab.ExperimentKind:
        """What the lab knows of such runs."""

    @abstractmethod
    def propose(self, state: EvolutionState[S]) -> Trial[S] | None:
        """A modification to try; None where there is none."""

    @abstractmethod
    def words(self, system: S, names: choosers.Names, number: int) -> Expressions:
        """What the speaker reads for each number, in a round."""

    @abstractmethod
    def differences(self, current: S, alternative: S, number: int) -> tuple[float, float]:
        """By how much the alternative is longer on average, and by how much it costs more."""

    @abstractmethod
    def record(self, played: Played[S]) -> Any:
        """The record of a round."""

    @abstractmethod
    def parse(self, text: str) -> S:
        """The system that `str` wrote."""

    def reward(self, number: int) -> np.ndarray | None:  # noqa: ARG002 - subclasses may need the round
        """What a guess is worth in a round; None where the game's own option says it."""
        return None

    @property
    def inputs(self) -> dict[str, str]:
        needs = map(Need.parse, (self.talk.need, self.talk.eval_need or self.talk.need))
        files = {name: digest for need in needs for name, digest in need.inputs.items()}
        return files | (self.players.inputs() if self.chooser.uses_agents else {})

    @property
    def packages(self) -> tuple[str, ...]:
        return self.players.packages() if self.chooser.uses_agents else ()

    def start(self, progress: lab.Progress) -> tuple[EvolutionState[S], lab.Outcome]:
        """Initialise the agents and pre-train them on the starting system."""
        began, first = time.perf_counter(), self.first
        grammar_rng, game_rng, agents_rng, learners_rng = lab.run_generator(
            self.config, self.kind.defaults(), first
        ).spawn(4)
        state = EvolutionState(first, None, grammar_rng, game_rng, learners_rng)
        if not self.chooser.uses_agents:
            return state, self._outcome(0, state, first, choosers.Decision(False), None, began)
        agents, words, steps = self.players.make(self.talk.game, agents_rng), self.words(first, (), 0), self._steps(0)
        round_ = choosers.converse(
            agents, [words], self.talk, steps, game_rng, lab.counted(progress, steps), reward=self.reward(0)
        )
        decision = choosers.Decision(False, communication(round_, None, agents, words, self.talk), round_.curve())
        return replace(state, agents=agents), self._outcome(0, state, first, decision, None, began)

    def play(
        self, state: EvolutionState[S], number: int, progress: lab.Progress
    ) -> tuple[EvolutionState[S], lab.Outcome]:
        """One iteration: modify the grammar, communicate, update the current system."""
        began, current = time.perf_counter(), state.system
        # Grammar modification phase.
        trial = self.propose(state)
        if trial is None:
            return state, self._outcome(number, state, current, choosers.Decision(False), None, began)
        # Communication phase.
        question = self._question(state, trial, number, progress)
        decision = choosers.decide(self.chooser, question)
        # Update the current system.
        trial = replace(
            trial,
            delta_average=question.delta_average,
            delta_cost=question.delta_cost,
            changed=choosers.share_changed(*question.words, choosers.game_need(self.talk)),
        )
        system, names = (trial.alternative, trial.names) if decision.accepted else (current, state.names)
        after = replace(state, system=system, names=names, agents=decision.agents or state.agents)
        return after, self._outcome(number, state, system, decision, trial, began)

    def _question(
        self, state: EvolutionState[S], trial: Trial[S], number: int, progress: lab.Progress
    ) -> choosers.Question:
        current, alternative = state.system, trial.alternative
        delta_average, delta_cost = self.differences(current, alternative, number)
        words = self.words(current, state.names, number), self.words(alternative, trial.names, number)
        rngs = state.grammar_rng, state.game_rng, state.learners_rng
        return choosers.Question(
            current, alternative, delta_average, delta_cost, words, self.talk, state.agents, *rngs, progress,
            self.reward(number),
        )  # fmt: skip

    def save(self, state: EvolutionState[S]) -> dict[str, np.ndarray]:
        text: dict[str, Any] = {
            "system": str(state.system),
            "grammar_rng": lab.generator_state(state.grammar_rng),
            "game_rng": lab.generator_state(state.game_rng),
        }
        if self._draws_learners:  # others are saved as they were before there were new learners
            text["learners_rng"] = lab.generator_state(state.learners_rng)
        if state.names:
            text["names"] = state.names
        arrays = {"state": np.frombuffer(json.dumps(text).encode(), dtype=np.uint8)}
        return arrays | (state.agents.to_arrays() if state.agents else {})

    def load(self, arrays: Mapping[str, np.ndarray]) -> EvolutionState[S]:
        """The state that `save` wrote; of partial systems also as version 0.2 wrote it."""
        text = json.loads(arrays["state"].tobytes())
        agents = self.players.load(arrays, self.talk.game) if self.chooser.uses_agents else None
        learners_rng = lab.generator_from(text["learners_rng"]) if self._draws_learners else np.random.default_rng()
        grammar_rng = lab.generator_from(text["grammar_rng"] if "grammar_rng" in text else text["changes_rng"])
        rngs, names = (grammar_rng, lab.generator_from(text["game_rng"]), learners_rng), tuple(text.get("names", ()))
        if names and sorted(names) != list(range(1, self.talk.game.upto + 1)):
            raise RequestError("its names are not those of the numbers, each once")
        return EvolutionState(self.parse(text["system"]), agents, *rngs, names=names)

    @property
    def _draws_learners(self) -> bool:
        return self.chooser.uses_agents and self.talk.learners != choosers.SAME.name

    def _outcome(
        self,
        number: int,
        state: EvolutionState[S],
        system: S,
        decision: choosers.Decision,
        trial: Trial[S] | None,
        began: float,
    ) -> lab.Outcome:
        """The record of a round that began with `state` and ended with `system`."""
        practice = self._practice(number) + (decision.communication.get("practice") or 0)
        steps = 0 if decision.curve is None else self._steps(number) + practice
        seconds = time.perf_counter() - began
        played = Played(number, state.system, system, trial, decision, seconds, steps)
        return lab.Outcome(lab.record_json(self.record(played)), decision.curve)

    def _steps(self, number: int) -> int:
        """How long a round is; round 0 is what happens before the first, and nothing by default where it is lost."""
        if number > 0:
            return self.talk.steps
        if self.talk.pretraining is not None:
            return self.talk.pretraining
        return self.talk.steps if choosers.LEARNERS[self.talk.learners].practised else 0

    def _practice(self, number: int) -> int:
        """Steps that agents who are new in a round play before it."""
        anew = number > 0 and self.talk.learners != choosers.SAME.name
        return self.talk.pretraining or 0 if anew else 0


class Evolution(AlgorithmOne[NumeralSystem]):
    """A run of Algorithm 1 as in the paper: every system covers the range."""

    def __init__(self, options: EvolutionOptions) -> None:
        self.options = options
        first = starting_system(options.start, options.grammar, options.game.upto)
        super().__init__(lab.config_of(options), options, options.choose, first)
        self.modifications = parse_modifications(options.modifications)

    @property
    def kind(self) -> lab.ExperimentKind:
        return EVOLUTION

    def propose(self, state: EvolutionState[NumeralSystem]) -> Trial[NumeralSystem] | None:
        """One of the modifications that lead to another system, each as likely as any other."""
        if not self.chooser.modifies:
            state.grammar_rng.integers(1)  # the draw that choosing among modifications takes
            return Trial(None, state.system, state.names)
        options, upto, rng = self.options, self.options.game.upto, state.grammar_rng
        found = alternatives(state.system, upto, options.add, self.modifications, rng, options.body)
        tried = [Trial(name, other, state.names) for other, name in found.items()]
        if RELABEL in self.modifications and (names := choosers.relabelled(state.system, state.names, upto, rng)):
            tried.append(Trial(RELABEL.name, state.system, names))
        return tried[int(rng.integers(len(tried)))] if tried else None

    def words(
        self, system: NumeralSystem, names: choosers.Names = (), number: int = 0  # noqa: ARG002 - the same in every round
    ) -> Expressions:  # fmt: skip
        return choosers.expressions(choosers.Spoken(system, names), self.options)

    def differences(
        self, current: NumeralSystem, alternative: NumeralSystem, number: int  # noqa: ARG002 - the same in every round
    ) -> tuple[float, float]:  # fmt: skip
        """Of average complexity, and of its price and that of the words."""
        options = self.options
        longer = choosers.change_of_average(current, alternative, options)
        return longer, options.game.effort * longer + options.word * (alternative.size - current.size)

    def parse(self, text: str) -> NumeralSystem:
        return starting_system(text, self.options.grammar, self.options.game.upto)

    def record(self, played: Played[NumeralSystem]) -> RoundRecord:
        trial, system = played.trial, played.system
        here, before = self._measure(system), self._measure(played.before)
        other = self._measure(trial.alternative if trial else played.before)
        return RoundRecord(
            round=played.number,
            digits=list(system.digits),
            multipliers=list(system.multipliers),
            size=here.size,
            average_complexity=here.average_complexity,
            gap=here.gap,
            delta_average=trial.delta_average if trial else None,
            delta_gap=None if trial is None or other.gap is None or before.gap is None else other.gap - before.gap,
            **talked(RoundRecord, played.decision.communication),
            **played.common,
        )

    def _measure(self, system: NumeralSystem) -> Measures:
        return measure(system, self.options.eval_need or self.options.need, self.options.upto)


EVOLUTION = lab.ExperimentKind(
    name="evolution",
    label="Algorithm 1",
    sentence="a lexicon is modified, agents talk, and what is better understood is kept",
    options=EvolutionOptions,
    make=Evolution,
    record=RoundRecord,
    old_defaults=lab.SHARED_STREAMS,
    presets=game_presets(),
)


def load_state(directory: Path | str) -> tuple[Evolution, int, EvolutionState[NumeralSystem]]:
    """The experiment of a run's directory, the round of its last checkpoint and the state after it."""
    view = lab.RunView(directory)
    evolution = Evolution(EVOLUTION.options_from(view.recorded, view.format))
    saved = view.last_checkpoint()
    return evolution, saved.round, saved.load(evolution)
