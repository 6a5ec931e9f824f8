"""Every option of every experiment: it changes what a short run leaves behind, or it is refused.

`python -m tests.fuzz.options` tries them all, under all choices that change who reads what; the suite tries some.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from ishango.errors import RequestError
from ishango.lab import EXPERIMENTS, flatten
from ishango.lab._plan import nested, overlaid

GAME = {
    "range": 10, "hidden": 4, "embedding": 2, "batch": 4, "learning_rate": 0.05
}  # fmt: skip
TALK = {"steps": 6, "start": "1-4 | 5", "range": 12, "rounds": 4, "streams": "seed", "game": GAME}
NEURAL = {"agents": "neural", "imitation": 3, "pretraining": 4, "invent": 1.0}
CONTEST = {**NEURAL, "contest": "bandit"}

BASES: dict[str, tuple[Mapping[str, Any], tuple[Mapping[str, Any], ...]]] = {
    "evolution": (
        {**TALK, "add": "any"},
        (
            {}, {"choose": "coin"}, {"choose": "biased"}, {"choose": "shorter"}, {"choose": "nearer"},
            {"choose": "law", "word": 0.1, "game.effort": 0.2}, {"choose": "aa", "need": "uniform"}, {"arms": "even"},
            {"contest": "practised"}, {"contest": "criterion", "practice": 600}, {"learners": "new"},
            {"learners": "new", "pretraining": 4, "seed": 5}, {"learners": "new-listener"}, {"game.effort": 0.1},
            {"modifications": "m3,m4,m5", "add": "lowest", "choose": "biased", "keep": 0.9},
            {"judge": "mean", "arms": "even"},
        ),
    ),
    "generations": (
        {**TALK, "rounds": 8, "bottleneck": 8, "invent": 1.0},
        (
            {}, {"lose": "random"}, {"invent": 0.0}, {"population": 2}, NEURAL, CONTEST, {**CONTEST, "arms": "even"},
            {**CONTEST, "contest": "criterion", "practice": 600}, {**NEURAL, "imitation": 0},
            {**NEURAL, "population": 2}, {**NEURAL, "lose": "random"}, {**NEURAL, "invent": 0.0},
            {**NEURAL, "game.effort": 0.1},
        ),
    ),
    "kinds": (
        {"start": "1-3 | 5", "rounds": 8, "steps": 8, "streams": "seed", "game": GAME},
        (
            {}, {"choose": "coin"}, {"choose": "law"}, {"arms": "bandit"}, {"judge": "q"}, {"game.effort": 0.0},
            {"precision_to": 9.0}, {"learners": "same"},
            {"choose": "biased"}, {"choose": "shorter"}, {"choose": "aa"},
        ),
    ),
    "kinds-generations": (
        {"start": "1-3 | 5", "rounds": 10, "range": 10, "streams": "seed", "bottleneck": 8, "invent": 1.0},
        ({}, {"lose": "random"}, {"invent": 0.0}, {"precision_to": 90.0}, {"coin": "uniform"}),
    ),
    "restricted": (
        {"rounds": 6, "steps": 40, "streams": "seed", "game": {**GAME, "vocabulary": 4}},
        ({}, {"game.lost_entropy": 0.0, "game.listener_entropy": 0.0}),
    ),
    "learnability": (
        {"system": "1-4 | 5", "rounds": 6, "steps": 30, "streams": "seed", "game": GAME},
        (
            {}, {"learner": "pair"}, {"learner": "imitation"}, {"answers": "line"}, {"examples": 5},
            {"learner": "pair", "game.effort": 0.01, "game.effort_in": "reward", "game.hidden": 12, "steps": 60},
            {"labels": "shuffled", "need": "uniform", "game.learning_rate": 0.01, "game.hidden": 12},
        ),
    ),
}  # fmt: skip
"""By experiment: what makes its runs short, and the choices that decide who reads what."""

VALUES: dict[str, tuple[Any, ...]] = {
    "start": ("1-3,7 | 4,5", "1,2 | 3"), "grammar": ("hurford", "natural+"), "rounds": (2,), "steps": (9, 15),
    "pretraining": (9,), "seed": (1, 2, 3), "streams": ("run",), "modifications": ("m0,m1,m4", "m3,m4", "m3,m5"),
    "add": ("lowest", "highest", "highest-below-max"), "learners": ("same", "new", "new-listener"),
    "judge": ("q", "mean", "late"), "arms": ("bandit", "even"), "practice": (3, 12), "criterion": (0.0, 1.0),
    "word": (0.3, 2.0), "judge_noise": (5.0,), "keep": (0.01, 0.99), "notation": ("prefix", "postfix"),
    "reset_optimiser": (True,), "need": ("uniform", "power:1"), "eval_need": ("uniform", "power:1"), "range": (15,),
    "population": (3,), "bottleneck": (2, 3, "all"), "say": ("any",), "lose": ("random", "unheard"),
    "invent": (2.0, 3.5),
    "multiplier_share": (0.0, 1.0), "coin": ("uniform", "need", "loss"), "body": (1000.0,),
    "imitation": (6,), "teach": ("greedy",),
    "precision": (0.2, 60.0), "precision_to": (70.0,), "precision_rounds": (2, 4), "error": ("absolute", "squared"),
    "effort": (0.1, 5.0), "weber": (0.1, 0.9), "halving": (0, 1), "game.range": (11, 12),
    "game.vocabulary": (3, 5), "game.embedding": (3,), "game.hidden": (5,), "game.batch": (7,),
    "game.learning_rate": (0.2,), "game.reward": ("linear", "inverse"), "game.effort": (0.3, 5.0),
    "game.effort_in": ("reward", "score"), "game.noise": (0.5,), "game.speaker_entropy": (3.0,),
    "game.lost_entropy": (3.0,), "game.listener_entropy": (3.0,), "game.baseline": ("mean", "none"),
    "game.alpha": (0.9,), "game.epsilon": (0.95, 0.0),
    "system": ("1-9 | 10", "1-4 | 6"), "numerals": ("ties", "permuted"), "answers": ("line", "classes"),
    "labels": ("shuffled", "own"), "test_need": ("power:2",), "examples": (3,), "held_out": (2,),
}  # fmt: skip
"""By option: other values than those that the runs above have. One of them must matter."""

NOT_TRIED = {"choose", "contest", "agents", "learner", "players", "preset"}
"""Options that are the choices themselves, and players, which need PyTorch."""


def bases() -> Iterator[tuple[str, dict[str, Any]]]:
    """All experiments under all choices, as nested configs."""
    for name, (short, choices) in BASES.items():
        for each in choices:
            yield name, overlaid(short, nested(each))


def wrong(experiment: str, base: Mapping[str, Any], option: str) -> str | None:
    """What is wrong with an option under some choices; None where nothing is."""
    kind, refused, changes = EXPERIMENTS[experiment], list[Any](), list[Any]()
    for value in VALUES[option]:
        config = overlaid(base, nested({option: value}))
        try:
            unread = option in kind.unread(config)
            if flatten(kind.complete(config)) == flatten(kind.complete(base)):
                continue
            output = played(experiment, json.dumps(config))
        except RequestError:  # it cannot be together with the choices, which is said
            return None
        if unread:
            refused.append(value)
        if output != played(experiment, json.dumps(base)):
            changes.append(value)
    if refused and changes:
        return f"{experiment} {base}: {option} is refused, but {changes} change something"
    return None if refused or changes else f"{experiment} {base}: {option} changes nothing and is not refused"


@cache
def played(experiment: str, config: str) -> str:
    """All that a run leaves behind but for how long it took."""
    kind = EXPERIMENTS[experiment]
    played = kind.make(kind.options_from(json.loads(config)))
    state, outcome = played.start(lambda _done, _of: None)
    outcomes = [outcome]
    for number in range(1, played.config["rounds"] + 1):
        state, outcome = played.play(state, number, lambda _done, _of: None)
        outcomes.append(outcome)
    timed = ("seconds", "steps_per_second")
    return json.dumps([
        [{name: value for name, value in each.record.items() if name not in timed},
         None if each.curve is None else each.curve.tolist()] for each in outcomes
    ])  # fmt: skip


def options_of(experiment: str) -> list[str]:
    """The options of an experiment that are tried; one without values here is a mistake."""
    return [name for name in flatten(EXPERIMENTS[experiment].defaults()) if name not in NOT_TRIED]


def findings(cases: Iterable[tuple[str, Mapping[str, Any], str]]) -> list[str]:
    """What is wrong with each of some cases."""
    return [found for case in cases if (found := wrong(*case)) is not None]


if __name__ == "__main__":
    every = [(name, base, option) for name, base in bases() for option in options_of(name)]
    found = findings(every)
    print(*found, f"{len(every)} options under choices, {len(found)} findings", sep="\n")
    sys.exit(bool(found))
