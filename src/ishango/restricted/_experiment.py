"""Agents that learn a restricted system, as an experiment of the lab, and what determines a run."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ishango import lab
from ishango.errors import require
from ishango.game import LINEAR, Agents, Expressions, GameOptions, RewardName, Round, best_message, listen, play
from ishango.numerals import Need, NeedSpec
from ishango.registry import Between, Count, Positive, Seed, check_fields
from ishango.restricted._best_systems import (
    best_rewarded,
    check_frontier_range,
    describe_system,
    expected_reward,
    restricted_gap,
)
from ishango.restricted._term_system import GREATEST, LEAST, NEED, WEBER, TermSystem

if TYPE_CHECKING:
    import pandas as pd

ENTROPIES = ("speaker_entropy", "lost_entropy", "listener_entropy")


def learning_game() -> GameOptions:
    """The game with defaults that come from learning curves; docs/studies/restricted.md shows them."""
    return GameOptions(
        upto=20,
        vocabulary=4,
        reward=LINEAR.name,
        batch=128,
        learning_rate=0.001,
        lost_entropy=0.05,
        baseline="mean",
    )


@dataclass(frozen=True)
class LearningOptions:
    """Agents that learn words for numbers: the signalling game with one token in and one symbol out."""

    need: NeedSpec = NEED
    """How often each number is needed, in the game and for costs."""
    weber: Annotated[float, Between(LEAST, GREATEST)] = WEBER
    """The Weber fraction of approximate words."""
    rounds: Count = 20
    """Rounds; after each the words are read off and recorded."""
    steps: Positive = 2_000
    """Steps of learning in a round."""
    seed: Seed = 0
    """Seed of all random numbers."""
    streams: lab.Streams = "run"
    """Where random numbers come from: the seed and all else that makes this run another one, or the seed alone, so that
    runs with one seed share their luck (as before format 3)."""
    halving: Annotated[int, Between(0)] = 3
    """Rounds after which the weights of all entropies are halved, again and again; 0 keeps them as they are."""
    game: GameOptions = field(default_factory=learning_game)
    """The signalling game; its vocabulary is the words that agents may use, some of which they may leave unused."""

    def __post_init__(self) -> None:
        game = self.game
        check_frontier_range(game.upto)
        Need.parse(self.need).weights(game.upto)
        require(game.vocabulary is not None and game.vocabulary <= game.upto, "vocabulary", game.vocabulary,
                f"between 1 and the range, {game.upto}")  # fmt: skip
        check_fields(self)

    def idle(self) -> lab.Idle:
        yield "there is one way to say a number, and nothing to choose", ("game.alpha", "game.epsilon")
        yield "every message is one word", ("game.effort", "game.effort_in")
        if not any(getattr(self.game, name) for name in ENTROPIES):
            yield "no entropy has a weight", ("halving",)

    def game_in_round(self, number: int) -> GameOptions:
        """The game of a round, from 1: entropies keep agents trying at first, and then let them settle."""
        share = 0.5 ** ((number - 1) / self.halving) if self.halving else 1.0
        return replace(self.game, **{name: share * getattr(self.game, name) for name in ENTROPIES})


OTHER_NAMES = {name.removeprefix("game."): name for name in GameOptions.names("alpha", "epsilon")}
"""Options of the game by the names that they had before there was `game`, which still do: `reward`, `vocabulary`."""


@dataclass(frozen=True)
class LearningRecord:
    """What a round leaves in `rounds.jsonl`; what was not measured in it is null."""

    round: Annotated[int, lab.About("0 is before anything is learned")]
    words: Annotated[str, lab.About("the numbers that each word names, by the speaker's most probable word for each")]
    size: Annotated[int, lab.About("words in use", "words")]
    kind: Annotated[str, lab.About("exact restricted (each word but the last names one number) or approximate")]
    contiguous: Annotated[bool, lab.About("whether every word names an interval")]
    complexity: Annotated[int, lab.About("complexity of the system", "nodes of its rules")]
    cost: Annotated[float, lab.About("communicative cost", "bits")]
    ideal_cost: Annotated[
        float, lab.About("communicative cost for a listener who weighs numbers by need alone", "bits")
    ]
    gap: Annotated[float, lab.About("cost above the least of the same complexity", "bits")]
    ideal_gap: Annotated[float, lab.About("ideal cost above the least of as many words that are intervals", "bits")]
    nearest: Annotated[
        str | None, lab.About("the language with the most similar system of as many words; null where none has so many")
    ]
    variation: Annotated[
        float | None, lab.About("variation of information from that system, over numbers alike", "bits")
    ]
    variation_by_need: Annotated[float | None, lab.About("the same, numbers counting by need", "bits")]
    guesses: Annotated[list[int], lab.About("the listener's most probable guess at each word")]
    mean_reward: Annotated[float | None, lab.About("mean reward in the last 500 steps of the round")]
    accuracy: Annotated[float | None, lab.About("share of games guessed exactly in the last 500 steps of the round")]
    seconds: Annotated[float, lab.About("how long the round took", "seconds")]
    steps_per_second: Annotated[float | None, lab.About("how fast agents played")]


@dataclass(frozen=True)
class LearningState:
    """What a round hands to the next: the agents, which learn in place, and the random state of the game."""

    agents: Agents
    rng: np.random.Generator


class Learning:
    """Agents that learn words for numbers, as an experiment of the lab."""

    def __init__(self, options: LearningOptions) -> None:
        self.options = options
        self.config = lab.config_of(options)

    @property
    def kind(self) -> lab.ExperimentKind:
        return LEARNING

    @property
    def inputs(self) -> dict[str, str]:
        return Need.parse(self.options.need).inputs

    def start(self, progress: lab.Progress) -> tuple[LearningState, lab.Outcome]:  # noqa: ARG002 - as the protocol has it
        """Initialise the agents; round 0 records what they say before they have learned anything."""
        began = time.perf_counter()
        game_rng, agents_rng = lab.run_generator(self.config, LEARNING.defaults()).spawn(2)
        state = LearningState(Agents.random(self.options.game, agents_rng), game_rng)
        return state, self._outcome(0, state, None, began)

    def play(self, state: LearningState, number: int, progress: lab.Progress) -> tuple[LearningState, lab.Outcome]:
        """Let the agents talk for a round's steps, then read off their words."""
        began = time.perf_counter()
        game, steps = self.options.game_in_round(number), self.options.steps
        need = Need.parse(self.options.need).weights(game.upto)
        progressing = lab.counted(progress, steps)
        round_ = play(state.agents, [numbers(game.upto)], need, game, steps, state.rng, progress=progressing)
        return state, self._outcome(number, state, round_, began)

    def save(self, state: LearningState) -> dict[str, np.ndarray]:
        text = json.dumps(lab.generator_state(state.rng)).encode()
        return {"rng": np.frombuffer(text, dtype=np.uint8)} | state.agents.to_arrays()

    def load(self, arrays: Mapping[str, np.ndarray]) -> LearningState:
        return LearningState(
            Agents.from_arrays(arrays, self.options.game), lab.generator_from(json.loads(arrays["rng"].tobytes()))
        )

    def _outcome(self, number: int, state: LearningState, round_: Round | None, began: float) -> lab.Outcome:
        """The record of a round: how well agents did, and where their words lie."""
        system, guesses = read_system(state.agents)
        figures = describe_system(system, self.options.need, self.options.weber)
        seconds = time.perf_counter() - began
        record = LearningRecord(
            round=number,
            **figures,
            guesses=guesses,
            mean_reward=float(round_.rewards[-_WINDOW:].mean()) if round_ else None,
            accuracy=round_.accuracy(_WINDOW) if round_ else None,
            seconds=round(seconds, 6),
            steps_per_second=round(self.options.steps / seconds, 3) if round_ else None,
        )
        return lab.Outcome(lab.record_json(record), round_.curve() if round_ else None)


_WINDOW = 500
"""Steps at the end of a round over which reward and accuracy are taken."""


def numbers(upto: int) -> Expressions:
    """Every number as its own expression of one token."""
    return {number: (str(number),) for number in range(1, upto + 1)}


def read_system(agents: Agents) -> tuple[TermSystem, list[int]]:
    """The system of the most probable word for each number, and the listener's guess at each of its words."""
    upto = agents.listener.sizes.outputs
    expressions = numbers(upto)
    said = [best_message(agents, expressions, number)[0] for number in expressions]
    system = TermSystem.from_word_map(said)
    guesses = [int(listen(agents, [said[word[0] - 1]]).argmax()) + 1 for word in system.words]
    return system, guesses


LEARNING = lab.ExperimentKind(
    name="restricted",
    label="restricted systems",
    sentence="agents learn a few words for the numbers, without a grammar",
    options=LearningOptions,
    make=Learning,
    record=LearningRecord,
    old_defaults=lab.SHARED_STREAMS,
    other_names=OTHER_NAMES,
)


# Comparing runs: where agents end, beside random systems of as many words and beside human ones.
#
# Tables come from `ishango.lab.rounds_table`: a row a round, with the fields of the config beside those of the record.

DRAWS = 1000
"""Random systems for each number of words."""

MEASURES = ("gap", "ideal_gap", "variation")
"""What agents are compared by: bits above the frontier, for Gaussian and for ideal listeners, and bits from the most
similar human system."""


def random_terms(upto: int, size: int, rng: np.random.Generator) -> TermSystem:
    """A system of so many intervals, every choice of where they end being equally likely.

    >>> random_terms(20, 3, np.random.default_rng(0)).size
    3
    """
    cuts = np.sort(rng.permutation(upto - 1)[: size - 1] + 1)
    return TermSystem.from_word_map(np.searchsorted(cuts, np.arange(upto), side="right").tolist())


def restricted_ends(rounds: pd.DataFrame) -> pd.DataFrame:
    """One row a run, after its last round, beside random systems and beside what its reward asks for.

    For each measure `_random` is the median over random systems of as many intervals as the run has words, and
    `_rank` the share of them that are better, ties counting half. `regret` is the reward that is lost against the
    best use of the words offered, `gap_rewarded` how far that best use lies above the frontier.
    """
    import pandas as pd

    last = rounds.sort_values(["run", "round"]).groupby("run", sort=False).tail(1).reset_index(drop=True)
    beside = [
        {f"{measure}_{name}": value for measure in MEASURES for name, value in _against_random(run, measure).items()}
        | _against_rewarded(run)
        for run in last.to_dict("records")
    ]
    return pd.concat([last, pd.DataFrame(beside)], axis=1)


def summary(finals: pd.DataFrame, by: tuple[str, ...] = ("range", "reward", "vocabulary")) -> pd.DataFrame:
    """Groups of runs: how many words they use, shares, and medians (of ranks: means) of what they are compared by.

    The shares are of runs whose words are all intervals, that are exact restricted, that lie nearer the frontier than
    the median random system, and that end with the very words of a human language.
    Runs that use a single word say nothing and are counted (`silent`), but left out of the medians.
    """
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for key, runs in finals.groupby(list(by), sort=True):
        talking = runs[runs["size"] > 1]
        shares = {
            "intervals": talking["contiguous"],
            "exact": talking["kind"] == "exact restricted",
            "nearer": talking["gap"] < talking["gap_random"],
            "human": talking["variation"] == 0,
        }
        rows.append(
            dict(zip(by, key, strict=True))
            | {"runs": len(runs), "silent": len(runs) - len(talking), "words": _median(talking["size"])}
            | {name: _mean(share) for name, share in shares.items()}
            | {name: (_mean if name.endswith("rank") else _median)(talking[name]) for name in COMPARED}
        )
    return pd.DataFrame(rows)


COMPARED = ("regret", "gap", "gap_rewarded", "gap_random", "gap_rank", "ideal_gap", "ideal_gap_random",
            "ideal_gap_rank", "variation", "variation_random", "variation_rank")  # fmt: skip
"""The columns of a summary that compare."""


def _against_rewarded(run: dict[Any, Any]) -> dict[str, float]:
    setting = (run["reward"], str(run["need"]), int(run["range"]))
    best, system = _best_rewarded(int(run["vocabulary"]), *setting)
    earned = expected_reward(TermSystem.parse(str(run["words"]), int(run["range"])), run["reward"], str(run["need"]))
    return {
        "regret": max(0.0, best - earned),
        "gap_rewarded": restricted_gap(system, str(run["need"]), float(run["weber"])),
    }


@cache
def _best_rewarded(size: int, reward: RewardName, need: str, upto: int) -> tuple[float, TermSystem]:
    return best_rewarded(size, reward, need, upto)


def _against_random(run: dict[Any, Any], measure: str) -> dict[str, float]:
    values = _random_values(int(run["range"]), int(run["size"]), str(run["need"]), float(run["weber"]))[measure]
    own = run[measure]
    if own is None or np.isnan(own) or not values.size:
        return {"random": np.nan, "rank": np.nan}
    # Costs of equal systems, computed in another order, may differ in their last bits.
    better, equal = values < own - 1e-9, np.abs(values - own) <= 1e-9
    return {"random": float(np.median(values)), "rank": float(better.mean() + 0.5 * equal.mean())}


@cache
def _random_values(upto: int, size: int, need: str, weber: float) -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng([upto, size])
    described = cache(describe_system)  # few words can be cut in few ways, so many draws are the same
    drawn = [described(random_terms(upto, size, rng), need, weber) for _ in range(DRAWS)]
    return {name: np.array([each[name] for each in drawn if each[name] is not None], float) for name in MEASURES}


def _median(values: pd.Series) -> float:
    return float(values.median()) if values.notna().any() else float("nan")


def _mean(values: pd.Series) -> float:
    return float(values.mean()) if values.notna().any() else float("nan")
