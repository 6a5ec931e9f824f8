"""Who decides between two systems: what agents say to each other, contests, and choosers by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict

import numpy as np

from ishango.errors import RequestError, RunError
from ishango.frontiers import gap
from ishango.game import Expressions, Round, Talkers, find_players
from ishango.lab import Progress, counted
from ishango.numerals import Need, NumeralSystem, average_complexity, minimal_language
from ishango.registry import Labelled, Registry, by_name

if TYPE_CHECKING:
    from ishango.evolution._options import EvolutionOptions

ROUNDING = 1e-12
"""Averages over the game range that differ by less are the same, summed from other rounded products."""

BLOCK = 500
"""Steps of practice between two checks of whether both systems have been learnt."""

Names = tuple[int, ...]
"""What each number of the game range is called as a word, from 1 up; empty where each has its own name."""


class Spoken(NamedTuple):
    """A system as the speaker reads it: words may have been given other names."""

    system: NumeralSystem
    names: Names = ()


class AnySystem(Protocol):
    """What Algorithm 1 asks of a numeral system: it may be a recursive one, or one that need not cover the range."""

    @property
    def size(self) -> int: ...


class Communication(TypedDict, total=False):
    """The fields of a round's record that only communication fills."""

    q: list[float] | None
    uses: list[int] | None
    scores: list[float | None] | None
    practice: int | None
    accuracy: float | None
    accuracy_by_arm: list[float | None] | None
    accuracy_greedy: float | None
    numbers_understood: int | None
    messages: int | None


def converse(
    agents: Talkers,
    arms: Sequence[Expressions],
    options: EvolutionOptions,
    steps: int,
    rng: np.random.Generator,
    progress: Callable[[int], None],
    even: bool = False,
    reward: np.ndarray | None = None,
) -> Round:
    """Let the agents talk with the expressions of one system, or of two; `even` lets them take turns in any case."""
    even = even or options.arms == "even"
    return find_players(options.players).play(
        agents, arms, game_need(options), options.game, steps, rng, progress=progress, even=even, reward=reward
    )


def compete(
    agents: Talkers,
    arms: Sequence[Expressions],
    options: EvolutionOptions,
    rng: np.random.Generator,
    progress: Progress,
    reward: np.ndarray | None = None,
) -> tuple[Round, int]:
    """A round between two systems, and the steps of practice before it, in which neither counted."""
    most = most_practice(options)
    report = counted(progress, most + options.steps)
    practised = _practise(agents, arms, options, most, rng, report, reward)
    if practised < most:  # what was not needed counts as done
        report(most - practised)
    return converse(agents, arms, options, options.steps, rng, report, reward=reward), practised


def most_practice(options: EvolutionOptions) -> int:
    """Steps that are practised before a round counts, at the most; both systems share them evenly."""
    if options.contest == "bandit":
        return 0
    return 2 * (options.steps if options.practice is None else options.practice)


def _practise(
    agents: Talkers,
    arms: Sequence[Expressions],
    options: EvolutionOptions,
    most: int,
    rng: np.random.Generator,
    report: Callable[[int], None],
    reward: np.ndarray | None,
) -> int:
    """Let both systems take turns without counting, until both are known well enough or time is up."""
    if options.contest == "practised":
        converse(agents, arms, options, most, rng, report, even=True, reward=reward)
        return most
    practised = 0
    while practised < most:
        steps = min(BLOCK, most - practised)
        block = converse(agents, arms, options, steps, rng, report, even=True, reward=reward)
        practised += steps
        if min(block.accuracy_by_arm()) >= options.criterion:
            break
    return practised


def expressions(spoken: Spoken, options: EvolutionOptions) -> dict[int, tuple[str, ...]]:
    """What the speaker reads: the minimal language over the game range."""
    said = minimal_language(spoken.system, options.game.upto).tokens(options.notation)
    if not spoken.names:
        return said
    called = {str(number): str(name) for number, name in enumerate(spoken.names, 1)}
    return {number: tuple(called.get(token, token) for token in tokens) for number, tokens in said.items()}


def with_brackets(system: NumeralSystem, options: EvolutionOptions) -> dict[int, str]:
    """The same language for people, with brackets where they matter, and every word under its own name."""
    language = minimal_language(system, options.game.upto)
    return {number: str(language.expression(number)) for number in language}


def relabelled(system: NumeralSystem, names: Names, upto: int, rng: np.random.Generator) -> Names | None:
    """Another name for one word of a system: one that no word has; None where every name is taken.

    The number whose name it was gets the word's old one, so that words which come later have names of their own.
    """
    words = system.words
    free = [number for number in range(1, upto + 1) if number not in set(words)]
    if not free:
        return None
    called = list(names or range(1, upto + 1))
    word, other = (int(among[int(rng.integers(len(among)))]) for among in (words, free))
    called[word - 1], called[other - 1] = called[other - 1], called[word - 1]
    return tuple(called)


def share_changed(before: Expressions, after: Expressions, need: np.ndarray) -> float:
    """The share of talk that is said otherwise: how often a number is needed whose expression changes."""
    return float(need @ np.array([before[number] != after[number] for number in range(1, need.size + 1)]))


def game_need(options: EvolutionOptions) -> np.ndarray:
    """How often each number of the game range is talked about."""
    return Need.parse(options.need).weights(options.game.upto)


def game_average(system: NumeralSystem, options: EvolutionOptions) -> float:
    """The average complexity over the game range, which every system of a run covers."""
    average = average_complexity(system, options.need, options.game.upto)
    assert average is not None
    return average


def change_of_average(before: NumeralSystem, after: NumeralSystem, options: EvolutionOptions) -> float:
    """By how much the average over the game range changes; where it is the same but for rounding, by nothing."""
    change = game_average(after, options) - game_average(before, options)
    return change if abs(change) > ROUNDING else 0.0


def communication(
    round_: Round,
    scores: np.ndarray | None,
    agents: Talkers,
    kept: Expressions,
    options: EvolutionOptions,
    practice: int | None = None,
) -> Communication:
    """How a round of communication went, for its record; how well agents talk is about the system that was kept."""
    two_arms, players = len(round_.q) == 2, find_players(options.players)
    able = players.competence(agents, kept, game_need(options))
    return {
        "q": round_.q.tolist() if two_arms else None,
        "uses": round_.uses.tolist() if two_arms else None,
        "scores": None if scores is None else [_number(each) for each in scores.tolist()],
        "practice": practice,
        "accuracy": _number(round_.accuracy()),
        "accuracy_by_arm": [_number(each) for each in round_.accuracy_by_arm()] if two_arms else None,
        "accuracy_greedy": able.accuracy,
        "numbers_understood": able.numbers,
        "messages": able.messages,
    }


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value


# How a round of communication is judged, by name: what each of the two systems was worth to those who used it.


@dataclass(frozen=True)
class Judge(Labelled):
    """One way to compare the two systems of a round."""

    scores: Callable[[Round], np.ndarray]
    """From a round to the score of either system; nan for one that was never used."""


def mean_scores(round_: Round, first: int = 0) -> np.ndarray:
    """The mean score of the steps played with each system, from the step `first` on."""
    arms, rewards = round_.arms[first:], round_.rewards[first:]
    return np.array([rewards[arms == arm].mean() if (arms == arm).any() else np.nan for arm in range(round_.q.size)])


Q = Judge("q", "Q", "the bandit's last estimate, as in the paper", lambda round_: round_.q)
MEAN = Judge("mean", "mean", "the mean over the round", mean_scores)
LATE = Judge("late", "late mean", "the mean over the round's second half", lambda r: mean_scores(r, r.steps // 2))

JUDGES = by_name(Q, MEAN, LATE)


# Who plays a round, by name: the agents of the round before, or some that have learnt nothing yet.


@dataclass(frozen=True)
class Learners(Labelled):
    """Which agents begin a round anew."""

    meet: Callable[[Talkers, Callable[[], Talkers]], Talkers]
    """From the agents of the round before, and a way to make untrained ones, to those who play."""
    practised: bool = True
    """Whether what is learnt before the first round lasts, so that agents are trained before it by default."""


SAME = Learners("same", "same agents", "one pair plays all rounds, as in the paper", lambda agents, _: agents)
NEW = Learners("new", "new agents", "a new pair plays each round", lambda _, untrained: untrained(), practised=False)
NEW_LISTENER = Learners(
    "new-listener",
    "new listeners",
    "the speaker stays, with a new listener each round",
    lambda agents, untrained: agents.with_listener(untrained()),
)

LEARNERS = by_name(SAME, NEW, NEW_LISTENER)


# Who decides between the current system and the alternative, by name: communication, a coin, an oracle, the costs.


@dataclass(frozen=True)
class Question:
    """What a chooser is asked in a round: keep the current system, or take the alternative?"""

    current: AnySystem
    alternative: AnySystem
    delta_average: float
    """Mean length of what is said with the alternative minus that with the current system, over the game range."""
    delta_cost: float
    """What the alternative costs beyond the current system, by the prices of symbols, of words and of errors."""
    words: tuple[Expressions, Expressions]
    """What the speaker reads for each number, with the current system and with the alternative."""
    options: EvolutionOptions
    agents: Talkers | None
    """They learn in place; None where the chooser uses none."""
    grammar_rng: np.random.Generator
    game_rng: np.random.Generator
    learners_rng: np.random.Generator
    """Draws the parameters of new agents."""
    progress: Progress
    reward: np.ndarray | None = None
    """What a guess is worth for each number meant, where the game's own option does not say it."""

    @property
    def delta_size(self) -> int:
        """Size of the alternative minus that of the current system."""
        return self.alternative.size - self.current.size


@dataclass(frozen=True)
class Decision:
    """Whether the alternative is kept, how communication went, and its curve of rewards."""

    accepted: bool
    communication: Communication = field(default_factory=Communication)
    curve: np.ndarray | None = None
    agents: Talkers | None = None
    """Those who go on to the next round, where they are not those of the question."""


@dataclass(frozen=True)
class Chooser(Labelled):
    """One way to decide."""

    uses_agents: bool
    """Whether agents are made, trained before the first round and kept with the run."""
    decide: Callable[[Question], Decision]
    reads: tuple[str, ...] = ()
    """Fields of the config that it reads, beside those of the agents if it uses any; runs are compared by these."""
    modifies: bool = True
    """Whether there is an alternative to decide about; where not, both arms are the current system, which stays."""


CHOOSERS: Registry[Chooser] = Registry("chooser", "ishango.choosers", spelled={"drift": "coin"})


def decide(chooser: Chooser, question: Question) -> Decision:
    """What a chooser decides; a mistake in one from outside becomes a clear sentence."""
    try:
        decision: Any = chooser.decide(question)
    except (RequestError, RunError):
        raise
    except Exception as error:
        where = extract_tb(error.__traceback__)[-1]
        raise RunError(
            f"The chooser {chooser.name!r} failed with {type(error).__name__}: {error}"
            f" ({where.filename}, line {where.lineno})."
        ) from error
    accepted: Any = getattr(decision, "accepted", None)
    if not isinstance(decision, Decision) or not isinstance(accepted, (bool, np.bool_)):
        raise RunError(
            f"The chooser {chooser.name!r} decided {decision!r}; it must give a Decision that is accepted or not."
        )
    if unknown := set(decision.communication) - Communication.__optional_keys__:
        raise RunError(f"The chooser {chooser.name!r} tells {min(unknown)} of communication, which no record has.")
    return replace(decision, accepted=bool(decision.accepted))


def by_communication(question: Question) -> Decision:
    """The communication phase of Algorithm 1: the system of the higher score is kept, and a tie keeps the current one.

    A score is the judge's, less what the words of the lexicon cost.
    """
    options, agents = question.options, question.agents
    assert agents is not None
    agents = _meet(question, agents)
    round_, practised = compete(agents, question.words, options, question.game_rng, question.progress, question.reward)
    scores = JUDGES[options.judge].scores(round_)
    sizes = question.current.size, question.alternative.size
    current, alternative = (score - options.word * size for score, size in zip(scores, sizes, strict=True))
    accepted = bool(alternative > current)
    practice = None if options.contest == "bandit" else practised
    talk = communication(round_, scores, agents, question.words[accepted], options, practice)
    return Decision(accepted, talk, round_.curve(), agents)


def _meet(question: Question, agents: Talkers) -> Talkers:
    """Those who play the round; new ones may practise the current system first."""
    options = question.options
    players, learners = find_players(options.players), LEARNERS[options.learners]
    met = learners.meet(agents, lambda: players.make(options.game, question.learners_rng))
    if met is not agents and options.pretraining:
        report = counted(question.progress, options.pretraining)
        rng = question.game_rng
        converse(met, question.words[:1], options, options.pretraining, rng, report, reward=question.reward)
    if options.reset_optimiser:
        met.forget()
    return met


def by_coin(question: Question) -> Decision:
    return Decision(bool(question.grammar_rng.random() < 0.5))


def by_biased_coin(question: Question) -> Decision:
    """Drift that changes as often as somebody else does."""
    return Decision(bool(question.grammar_rng.random() < question.options.keep))


def by_length(question: Question) -> Decision:
    return Decision(question.delta_average < 0)


def by_gap(question: Question) -> Decision:
    options = question.options
    current, alternative = (
        gap(system, options.eval_need or options.need, options.upto)
        for system in (_recursive(question.current), _recursive(question.alternative))
    )
    if current is None or alternative is None:
        size = (question.current if current is None else question.alternative).size
        raise RunError(
            f"The frontier is not proved for {size} words, so it is not known which of two systems lies nearer to it;"
            " choose shorter, which needs no frontier."
        )
    return Decision(alternative < current)


def _recursive(system: AnySystem) -> NumeralSystem:
    if not isinstance(system, NumeralSystem):
        raise RunError("Only systems that cover the range have a distance from the frontier; choose law or shorter.")
    return system


def by_law(question: Question) -> Decision:
    """Noise, if there is any, blurs the comparison as the noise of a round of communication does."""
    options = question.options
    change = question.delta_cost
    if options.judge_noise:
        change += options.judge_noise * question.grammar_rng.standard_normal()
    return Decision(bool(change < 0))


COMMUNICATION = CHOOSERS.add(
    Chooser("bandit", "agents", "agents talk, and what is better understood is kept", True, by_communication, ("word",))
)
DRIFT = CHOOSERS.add(
    Chooser("coin", "drift", "neutral drift: an alternative is kept with probability 1/2", False, by_coin)
)
ORACLE = CHOOSERS.add(Chooser("shorter", "oracle", "an oracle keeps what is shorter on average", False, by_length))
LAW = CHOOSERS.add(
    Chooser(
        "law",
        "costs alone",
        "what costs less is kept, by game.effort and word, and no agents talk",
        False,
        by_law,
        ("word", "judge_noise", "game.effort"),
    )
)
BIASED = CHOOSERS.add(
    Chooser(
        "biased",
        "biased drift",
        "drift that keeps alternatives with probability keep",
        False,
        by_biased_coin,
        ("keep",),
    )
)
NEARER = CHOOSERS.add(
    Chooser("nearer", "oracle on the gap", "an oracle keeps what lies nearer to the frontier", False, by_gap)
)
A_A = CHOOSERS.add(
    Chooser(
        "aa",
        "A/A",
        "nothing is modified: agents talk with the current system in both arms, so that what is kept shows the judge's"
        " own noise",
        True,
        by_communication,
        modifies=False,
    )
)
