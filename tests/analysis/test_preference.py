"""Do agents prefer shorter languages? The number and its intervals, from decisions made by hand."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from ishango.analysis.selection import changed, preference, preferences, with_novelty
from ishango.cli import main
from ishango.cli._selection_figures import answers, said


def decisions(shorter: float, longer: float, starts: int = 8, seeds: int = 2, rounds: int = 100, **fields):
    """Runs that keep such shares of shorter and longer alternatives, every other one of either kind."""
    rng = np.random.default_rng(0)
    rows = []
    for start in range(1, starts + 1):
        for seed in range(seeds):
            for number in range(rounds + 1):
                delta = (-1.0 if number % 2 else 1.0) * (1 + number % 3)
                kept = bool(rng.random() < (shorter if delta < 0 else longer))
                decided = number > 0
                rows.append({"run": f"{start}-{seed}", "start": str(start), "seed": seed, "round": number,
                             "streams": "run", "rounds": rounds, "steps": 40_000, "add": "lowest", "choose": "bandit",
                             "delta_average": delta if decided else None,
                             "accepted": kept if decided else None} | fields)  # fmt: skip
    return pd.DataFrame(rows)


def test_the_number_is_the_mean_over_starts_of_differences_of_shares():
    few, many = decisions(1.0, 0.0, starts=1), decisions(0.0, 1.0, starts=1, seeds=4)
    table = pd.concat([few, many.assign(start="2", run="x" + many["run"])])
    assert preferences(table).tolist() == [1, 1, -1, -1, -1, -1]
    found = preference(table)
    assert found.value == 0  # starts count alike, however many runs they have
    assert (found.starts, found.runs) == (2, 6)
    assert (found.shorter, found.shorter_kept, found.longer, found.longer_kept) == (300, 100, 300, 200)


def test_equal_lengths_and_runs_that_had_only_one_kind_tell_nothing():
    table = decisions(0.9, 0.1, starts=2, seeds=1)
    equal = table.assign(delta_average=0.0, run="equal")
    one_sided = table[table["delta_average"] < 0].assign(run="one-sided", start="3")
    assert preference(pd.concat([table, equal, one_sided]))[:5] == preference(table)[:5]


def test_intervals_hold_what_is_so_and_too_few_starts_have_none():
    found = preference(decisions(0.55, 0.35))
    assert found.low < 0.2 < found.high
    assert found.here_low < 0.2 < found.here_high
    few = preference(decisions(0.55, 0.35, starts=5))
    assert (few.low, few.high) == (-math.inf, math.inf)
    assert 0 < few.here_low < 0.2 < few.here_high < 0.4


@pytest.mark.parametrize(("shares", "answer"), [((0.8, 0.4), "yes"), ((0.4, 0.6), "no"), ((0.5, 0.45), "undecided")])
def test_answers(shares, answer):
    assert [each["answer"] for each in answers(decisions(*shares))] == [answer]


def test_the_scale_of_the_answer_is_told_and_unfinished_runs_do_not_count():
    table = decisions(0.8, 0.4)
    short = decisions(0.4, 0.6, starts=3).assign(steps=400, run=lambda rows: "s" + rows["run"])
    unfinished = decisions(0.0, 1.0).assign(run=lambda rows: "u" + rows["run"])
    together = pd.concat([table, short, unfinished[unfinished["round"] < 50]])
    first, second = map(said, answers(together))
    assert first.startswith("At 400 steps a round, do agents prefer shorter languages? Undecided: -0.")
    assert "95 % interval over starts unbounded (it takes six starts)" in first
    assert second.startswith("At 40,000 steps a round, do agents prefer shorter languages? Yes: +0.")
    assert "mean over 8 starts and 16 runs" in second


def test_the_command(tmp_path, capsys):
    run = ["evolve", "--start", "7", "--rounds", "3", "--steps", "3", "--game.hidden", "4", "--game.batch", "4"]
    assert main([*run, "--out", str(tmp_path / "runs" / "a")]) == 0
    assert main([*run[:5], "--choose", "coin", "--out", str(tmp_path / "runs" / "b")]) == 0
    capsys.readouterr()
    assert main(["selection", str(tmp_path / "runs"), "--answer"]) == 0
    assert capsys.readouterr().out.startswith("At 3 steps a round, do agents prefer shorter languages?")
    assert main(["selection", str(tmp_path / "runs"), "--answer", "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)["answers"]
    assert (answer["steps"], answer["low"]) == (3, None)
    assert main(["selection", str(tmp_path / "runs" / "b"), "--answer"]) == 2
    assert "No run in which agents decide is finished here" in capsys.readouterr().err


def test_novelty_is_that_of_the_system_before_each_round_of_the_same_run():
    """Where it was not recorded; the first round has none, and runs may lie in any order."""
    systems = [["1-4 | 5", "1-4 | 6", "1-4,7 | 6"], ["1-3 | 4", "1-3 | 4", "1-3 | 5"]]
    tried = [[None, "1-4 | 6", "1-4,7 | 6"], [None, "1-3 | 7", "1-3 | 5"]]
    rows = [
        {"run": run, "round": number, "digits": system.split(" | ")[0], "multipliers": system.split(" | ")[1],
         "alternative": tried[run][number], "game.range": 9}
        for run in (0, 1)
        for number, system in enumerate(systems[run])
    ]  # fmt: skip
    found = with_novelty(pd.DataFrame(rows[::-1]))["changed"]
    assert found[[5, 2]].isna().all()
    before, after = ["1-4 | 5", "1-4 | 6", "1-3 | 4", "1-3 | 4"], ["1-4 | 6", "1-4,7 | 6", "1-3 | 7", "1-3 | 5"]
    assert found[[4, 3, 1, 0]].tolist() == [changed(*each, upto=9) for each in zip(before, after, strict=True)]
    assert len(set(found.dropna())) == 3
