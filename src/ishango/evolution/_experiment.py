"""Algorithm 1 as an experiment of the lab: the record of a round, how a round goes, what is saved."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from ishango.errors import RequestError
from ishango.evolution._choosers import (
    CHOOSERS,
    LEARNERS,
    SAME,
    Decision,
    Names,
    Question,
    Spoken,
    change_of_average,
    communication,
    converse,
    decide,
    relabelled,
    share_changed,
)
from ishango.evolution._modifications import RELABEL, alternatives, parse_modifications, starting_system
from ishango.evolution._options import EvolutionOptions
from ishango.frontiers import Measures, measure
from ishango.game import Talkers, find_players, game_presets
from ishango.lab import (
    SHARED_STREAMS,
    About,
    ExperimentKind,
    Outcome,
    Progress,
    RunView,
    counted,
    generator_from,
    generator_state,
    record_json,
    run_generator,
)
from ishango.numerals import Need, NumeralSystem


@dataclass(frozen=True)
class RoundRecord:
    """What a round of Algorithm 1 leaves in `rounds.jsonl`; what was not measured in it is null."""

    round: Annotated[int, About("0 is the start, after pre-training")]
    digits: Annotated[list[int], About("the set D after the round")]
    multipliers: Annotated[list[int], About("the set M after the round")]
    size: Annotated[int, About("lexicon size, |D| + |M|", "words")]
    average_complexity: Annotated[
        float | None, About("need-weighted average complexity of the shortest expressions of 1 to the range", "symbols")
    ]
    gap: Annotated[float | None, About("average complexity above the proved frontier of that size", "symbols")]
    action: Annotated[str | None, About("the modification tried; null in round 0 and where none could be applied")]
    alternative: Annotated[str | None, About("the system it leads to, D | M")]
    accepted: Annotated[bool | None, About("whether the alternative was kept")]
    delta_average: Annotated[
        float | None,
        About("average complexity of the alternative minus that of the current system, over the game range", "symbols"),
    ]
    delta_size: Annotated[int | None, About("size of the alternative minus that of the current system", "words")]
    delta_gap: Annotated[float | None, About("gap of the alternative minus that of the current system", "symbols")]
    changed: Annotated[
        float | None, About("how new the alternative is: need-weighted share of the game range that it says otherwise")
    ]
    q: Annotated[list[float] | None, About("the bandit's values of the current system and the alternative")]
    uses: Annotated[list[int] | None, About("how often the bandit used either", "steps")]
    scores: Annotated[
        list[float | None] | None,
        About("what the judge gives the current system and the alternative, before their words are paid for"),
    ]
    practice: Annotated[int | None, About("steps in which both were practised before either counted", "steps")]
    accuracy: Annotated[float | None, About("share of games won in the last 500 steps of the round")]
    accuracy_by_arm: Annotated[list[float | None] | None, About("the same for either system")]
    accuracy_greedy: Annotated[
        float | None, About("need-weighted share of numbers understood if both agents take their likeliest symbols")
    ]
    numbers_understood: Annotated[
        int | None,
        About("numbers of the game range that are understood so; a few frequent ones win most games", "numbers"),
    ]
    messages: Annotated[int | None, About("different messages for them; those that share one are mixed up", "messages")]
    seconds: Annotated[float, About("how long the round took", "seconds")]
    steps_per_second: Annotated[float | None, About("how fast agents played")]


# Algorithm 1: agents talk, the grammar is modified, and what is better understood is kept.


@dataclass(frozen=True)
class EvolutionState:
    """What a round hands to the next: the current system, the agents (which learn in place), the random states."""

    system: NumeralSystem
    agents: Talkers | None
    grammar_rng: np.random.Generator
    game_rng: np.random.Generator
    learners_rng: np.random.Generator
    """Draws the parameters of agents that are new in a round."""
    names: Names = ()
    """What words are called, where some have been relabelled."""

    @property
    def spoken(self) -> Spoken:
        """The current system as the speaker reads it."""
        return Spoken(self.system, self.names)


@dataclass(frozen=True)
class Trial:
    """A modification that was tried in a round, and what it would change."""

    action: str | None
    """None where both arms are the current system."""
    alternative: NumeralSystem
    delta_average: float
    changed: float


class Evolution:
    """A run of Algorithm 1 as an experiment of the lab."""

    def __init__(self, options: EvolutionOptions) -> None:
        self.options = options
        self.config = options.to_config()
        self.chooser = CHOOSERS[options.choose]
        self.players = find_players(options.players)
        self.modifications = parse_modifications(options.modifications)
        self._first = starting_system(options.start, options.grammar, options.game.upto)

    @property
    def kind(self) -> ExperimentKind:
        """What the lab knows of such runs."""
        return EVOLUTION

    @property
    def inputs(self) -> dict[str, str]:
        """Digests of the files that the run depends on."""
        needs = map(Need.parse, (self.options.need, self.options.eval_need or self.options.need))
        files = {name: digest for need in needs for name, digest in need.inputs.items()}
        return files | (self.players.inputs() if self.chooser.uses_agents else {})

    @property
    def packages(self) -> tuple[str, ...]:
        """Packages, beside the usual, whose versions the run records."""
        return self.players.packages() if self.chooser.uses_agents else ()

    def start(self, progress: Progress) -> tuple[EvolutionState, Outcome]:
        """Initialise the agents and pre-train them on the starting system."""
        began = time.perf_counter()
        options, system = self.options, self._first
        grammar_rng, game_rng, agents_rng, learners_rng = run_generator(
            self.config, EVOLUTION.defaults(), system
        ).spawn(4)
        if not self.chooser.uses_agents:
            state = EvolutionState(system, None, grammar_rng, game_rng, learners_rng)
            return state, self._outcome(0, system, system, Decision(False), None, began)
        agents = self.players.make(options.game, agents_rng)
        steps = self._steps(0)
        round_ = converse(agents, [Spoken(system)], options, steps, game_rng, counted(progress, steps))
        decision = Decision(False, communication(round_, None, agents, Spoken(system), options), round_.curve())
        state = EvolutionState(system, agents, grammar_rng, game_rng, learners_rng)
        return state, self._outcome(0, system, system, decision, None, began)

    def play(self, state: EvolutionState, number: int, progress: Progress) -> tuple[EvolutionState, Outcome]:
        """One iteration: modify the grammar, communicate, update the current system."""
        began = time.perf_counter()
        current = state.system
        # Grammar modification phase.
        options, modified = self.options, self._modified(state)
        if not modified:
            return state, self._outcome(number, current, current, Decision(False), None, began)
        action, (alternative, names) = modified[int(state.grammar_rng.integers(len(modified)))]
        delta = change_of_average(current, alternative, options)
        # Communication phase.
        rngs = state.grammar_rng, state.game_rng, state.learners_rng
        question = Question(current, alternative, delta, options, state.agents, *rngs, progress, (state.names, names))
        decision = decide(self.chooser, question)
        # Update the current system.
        system, names = (alternative, names) if decision.accepted else (current, state.names)
        trial = Trial(action, alternative, delta, share_changed(*question.arms, options))
        after = replace(state, system=system, names=names, agents=decision.agents or state.agents)
        return after, self._outcome(number, current, system, decision, trial, began)

    def _modified(self, state: EvolutionState) -> list[tuple[str | None, Spoken]]:
        """The modifications that can be tried, each with what it leads to."""
        if not self.chooser.modifies:
            return [(None, state.spoken)]
        options, upto, rng = self.options, self.options.game.upto, state.grammar_rng
        found = alternatives(state.system, upto, options.add, self.modifications, rng)
        tried: list[tuple[str | None, Spoken]] = [(name, Spoken(other, state.names)) for other, name in found.items()]
        renamed = relabelled(state.spoken, upto, rng) if RELABEL in self.modifications else None
        return [*tried, (RELABEL.name, renamed)] if renamed else tried

    def save(self, state: EvolutionState) -> dict[str, np.ndarray]:
        """The state as arrays."""
        text: dict[str, Any] = {
            "system": str(state.system),
            "grammar_rng": generator_state(state.grammar_rng),
            "game_rng": generator_state(state.game_rng),
        }
        if self._draws_learners:  # others are saved as they were before there were new learners
            text["learners_rng"] = generator_state(state.learners_rng)
        if state.names:
            text["names"] = state.names
        arrays = {"state": np.frombuffer(json.dumps(text).encode(), dtype=np.uint8)}
        return arrays | (state.agents.to_arrays() if state.agents else {})

    def load(self, arrays: Mapping[str, np.ndarray]) -> EvolutionState:
        """The state that `save` wrote."""
        text = json.loads(arrays["state"].tobytes())
        system = starting_system(text["system"], self.options.grammar, self.options.game.upto)
        agents = self.players.load(arrays, self.options.game) if self.chooser.uses_agents else None
        learners_rng = generator_from(text["learners_rng"]) if self._draws_learners else np.random.default_rng()
        rngs = generator_from(text["grammar_rng"]), generator_from(text["game_rng"]), learners_rng
        names = tuple(text.get("names", ()))
        if names and sorted(names) != list(range(1, self.options.game.upto + 1)):
            raise RequestError("its names are not those of the numbers, each once")
        return EvolutionState(system, agents, *rngs, names=names)

    @property
    def _draws_learners(self) -> bool:
        return self.chooser.uses_agents and self.options.learners != SAME.name

    def _outcome(
        self,
        number: int,
        current: NumeralSystem,
        system: NumeralSystem,
        decision: Decision,
        trial: Trial | None,
        began: float,
    ) -> Outcome:
        """The record of a round that began with `current` and ended with `system`."""
        here = self._measure(system)
        before, other = self._measure(current), self._measure(trial.alternative if trial else current)
        talk = decision.communication
        seconds = time.perf_counter() - began
        played = self._steps(number) + self._practice(number) + (talk.get("practice") or 0)
        steps = 0 if decision.curve is None else played
        record = RoundRecord(
            round=number,
            digits=list(system.digits),
            multipliers=list(system.multipliers),
            size=here.size,
            average_complexity=here.average_complexity,
            gap=here.gap,
            action=trial.action if trial else None,
            alternative=str(trial.alternative) if trial else None,
            accepted=decision.accepted if trial else None,
            delta_average=trial.delta_average if trial else None,
            delta_size=other.size - before.size if trial else None,
            delta_gap=None if trial is None or other.gap is None or before.gap is None else other.gap - before.gap,
            changed=trial.changed if trial else None,
            q=talk.get("q"),
            uses=talk.get("uses"),
            scores=talk.get("scores"),
            practice=talk.get("practice"),
            accuracy=talk.get("accuracy"),
            accuracy_by_arm=talk.get("accuracy_by_arm"),
            accuracy_greedy=talk.get("accuracy_greedy"),
            numbers_understood=talk.get("numbers_understood"),
            messages=talk.get("messages"),
            seconds=round(seconds, 6),
            steps_per_second=round(steps / seconds, 3) if steps else None,
        )
        return Outcome(record_json(record), decision.curve)

    def _measure(self, system: NumeralSystem) -> Measures:
        return measure(system, self.options.eval_need or self.options.need, self.options.upto)

    def _steps(self, number: int) -> int:
        """How long a round is; round 0 is what happens before the first, and nothing by default where it is lost."""
        if number > 0:
            return self.options.steps
        if self.options.pretraining is not None:
            return self.options.pretraining
        return self.options.steps if LEARNERS[self.options.learners].practised else 0

    def _practice(self, number: int) -> int:
        """Steps that agents who are new in a round play before it."""
        anew = number > 0 and self.options.learners != SAME.name
        return self.options.pretraining or 0 if anew else 0


EVOLUTION = ExperimentKind(
    name="evolution",
    label="Algorithm 1",
    sentence="a lexicon is modified, agents talk, and what is better understood is kept",
    options=EvolutionOptions,
    make=Evolution,
    record=RoundRecord,
    old_defaults=SHARED_STREAMS,
    presets=game_presets(),
)


def load_state(directory: Path | str) -> tuple[Evolution, int, EvolutionState]:
    """The experiment of a run's directory, the round of its last checkpoint and the state after it."""
    view = RunView(directory)
    evolution = Evolution(EVOLUTION.options_from(view.recorded, view.format))
    saved = view.last_checkpoint()
    return evolution, saved.round, saved.load(evolution)
