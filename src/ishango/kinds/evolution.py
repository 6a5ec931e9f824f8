"""Algorithm 1 for systems of every kind, as an experiment of the lab: a language may begin approximate and end
recursive, or not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ishango.evolution import JUDGES, LEARNERS
from ishango.game import Agents, Round, play
from ishango.game.players import kernel_agents
from ishango.game.round import game_presets
from ishango.kinds.law import Law, costs, error_table, lengths_of, said
from ishango.kinds.options import SocietyOptions, SocietyRecord, measured
from ishango.kinds.system import OpenSystem, change, lexicons
from ishango.lab import Outcome, Progress, counted, generator_from, generator_state
from ishango.lab.experiments import SHARED_STREAMS, ExperimentKind, record_json
from ishango.lab.protocol import run_generator
from ishango.numerals import Need, NumeralSystem, minimal_language


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
        agents = Agents.from_arrays(arrays) if self.options.choose == "bandit" else None
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
