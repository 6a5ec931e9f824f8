"""Which runs `ishango selection` pools, compares and refuses."""

import json
from pathlib import Path

import pandas as pd
import pytest

from ishango.analysis.comparable import _ONCE, group_columns, settled
from ishango.analysis.ends import against_coin, by_start
from ishango.analysis.selection import selection
from ishango.cli import main
from ishango.evolution import DRIFT, EVOLUTION, ORACLE
from ishango.evolution._choosers import COMMUNICATION
from ishango.lab import read_rounds, rounds_table, run
from ishango.restricted import LEARNING

COIN = {"choose": DRIFT.name, "rounds": 15}
SHORTER = {"choose": ORACLE.name, "rounds": 15}


def play(directory: Path, **config) -> Path:
    run(EVOLUTION.from_config(config), directory)
    return directory


def selected(capsys, *directories: Path | str) -> dict:
    capsys.readouterr()
    assert main(["selection", *map(str, directories), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def decisions(directory: Path) -> int:
    return sum(record["accepted"] is not None for record in read_rounds(directory))


def test_runs_of_one_name_in_two_directories_are_two(tmp_path, capsys):
    places = [play(tmp_path / side / "runs" / "one", seed=seed, **COIN) for seed, side in enumerate("AB")]
    (row,) = selected(capsys, tmp_path / "A/runs", tmp_path / "B/runs")["selection"]
    assert (row["runs"], row["decisions"]) == (2, sum(map(decisions, places)))
    (ended,) = selected(capsys, tmp_path / "A/runs", tmp_path / "B/runs")["ends"]
    assert ended["runs"] == 2


def test_a_run_counts_once_however_often_it_is_given(tmp_path, capsys, monkeypatch):
    directory = play(tmp_path / "runs" / "one", **COIN)
    play(tmp_path / "runs" / "two", seed=1, **COIN)
    once = selected(capsys, tmp_path / "runs")
    assert once["selection"][0]["decisions"] == sum(decisions(each) for each in (tmp_path / "runs").iterdir())
    monkeypatch.chdir(tmp_path)
    for given in (("runs", "runs"), ("runs", directory), (tmp_path / "runs", "runs/../runs"), ("runs/two", directory)):
        (row,) = selected(capsys, *given)["selection"]
        assert row == pytest.approx(once["selection"][0])  # the order of runs may change the last digit


def test_what_pretraining_is_where_it_is_left_open_depends_on_the_learners():
    """New pairs have none, since it would be lost; others as many steps as a round has."""
    rounds = pd.DataFrame(
        [("a", "new", None), ("b", "new", 0), ("c", "new", 50), ("d", "same", None), ("e", "same", 50)],
        columns=["run", "learners", "pretraining"],
    ).assign(choose=COMMUNICATION.name, steps=50, add="lowest", round=1)
    told = settled(rounds)
    assert told["pretraining"].tolist() == [0, 0, 50, 50, 50]
    assert group_columns(told) == ["add", "choose", "pretraining", "learners"]
    assert group_columns(told[told["run"].isin(["a", "b", "d"])]) == ["add", "choose", "learners"]


def test_listeners_who_practise_in_each_round_are_not_pooled_with_those_who_never_do():
    rounds = pd.DataFrame(
        [("a", "new-listener", None), ("b", "new-listener", 50), ("c", "same", None)],
        columns=["run", "learners", "pretraining"],
    ).assign(choose=COMMUNICATION.name, steps=50, add="lowest", round=1)
    told = settled(rounds)
    assert told["pretraining"].tolist() == [_ONCE, 50, 50]
    assert "pretraining" in group_columns(told)
    assert group_columns(told[told["run"] != "b"]) == ["add", "choose", "learners"]


def test_runs_are_pooled_that_differ_in_nothing_that_mattered(tmp_path):
    for seed, more in enumerate([{}, {"grammar": "hurford"}, {"need": "uniform"}, {"range": 60}, {"steps": 7}]):
        play(tmp_path / f"coin{seed}", start="1", seed=seed, **COIN, **more)
    play(tmp_path / "last", start="7", seed=9, **{**COIN, "rounds": 12, "game": {"hidden": 7}})
    rounds = settled(rounds_table(tmp_path))
    assert group_columns(rounds) == ["add", "choose", "grammar", "need", "range"]
    table = selection(rounds)
    # Steps and layers say nothing about a coin, so those two are with the first.
    assert sorted(table["runs"]) == [1, 1, 1, 3]
    assert set(by_start(rounds).columns) >= {"add", "choose", "grammar", "need", "range", "start"}


def test_where_the_coin_went_has_nothing_to_do_with_agents(tmp_path):
    for start in ("1", "7"):
        play(tmp_path / f"coin{start}", start=start, **COIN, steps=9, game={"reward": "linear"})
        play(tmp_path / f"power{start}", start=start, **COIN, eval_need="power:1")
        play(tmp_path / f"same{start}", start=start, **SHORTER)
        play(tmp_path / f"few{start}", start=start, **SHORTER, modifications="m0,m4")
        play(tmp_path / f"hurford{start}", start=start, **SHORTER, grammar="hurford")
        play(tmp_path / f"need{start}", start=start, **SHORTER, need="uniform", eval_need="power:2")
    compared = against_coin(rounds_table(tmp_path))
    rows = set(zip(compared["grammar"], compared["modifications"], compared["need"], strict=True))
    assert rows == {("modified", "m0,m1,m2,m3,m4,m5", "power:2"), ("modified", "m0,m1,m2,m3,m4,m5", "uniform")}
    assert set(compared["eval_need"]) == {"power:2"}


def test_agents_are_grouped_by_their_games(tmp_path):
    small = {"choose": COMMUNICATION.name, "rounds": 3, "game": {"hidden": 8, "batch": 4}}
    for name, steps in (("short", 20), ("long", 40), ("control", None)):
        for start in ("1", "7"):
            config = COIN if steps is None else {**small, "steps": steps}
            play(tmp_path / name / start, start=start, **config)
    rounds = settled(rounds_table(tmp_path))
    assert group_columns(rounds) == ["add", "choose", "steps"]
    table = selection(rounds)
    assert [(row.choose, row.steps if row.steps == row.steps else None, row.runs) for row in table.itertuples()] == [
        (COMMUNICATION.name, 20, 2), (COMMUNICATION.name, 40, 2), (DRIFT.name, None, 2),
    ]  # fmt: skip
    compared = against_coin(rounds)
    assert compared[["choose", "steps", "starts"]].values.tolist() == [
        [COMMUNICATION.name, 20, 2], [COMMUNICATION.name, 40, 2],
    ]  # fmt: skip


def test_agents_in_a_contest_are_compared_with_drift_which_holds_none(tmp_path):
    small = {"choose": COMMUNICATION.name, "rounds": 3, "steps": 20, "game": {"hidden": 8, "batch": 4}}
    for start in ("1", "7"):
        play(tmp_path / f"coin{start}", start=start, **COIN)
        play(tmp_path / f"fair{start}", start=start, **small, contest="criterion", practice=20, criterion=0.5)
    compared = against_coin(settled(rounds_table(tmp_path)))
    assert compared[["choose", "starts"]].values.tolist() == [[COMMUNICATION.name, 2]]


def test_a_run_from_before_a_field_has_its_default(tmp_path):
    old = play(tmp_path / "old", **COIN)
    document = json.loads((old / "run.json").read_text())
    del document["config"]["modifications"]
    (old / "run.json").write_text(json.dumps(document))
    play(tmp_path / "new", seed=1, **COIN)
    assert group_columns(settled(rounds_table(tmp_path))) == ["add", "choose"]
    play(tmp_path / "other", seed=2, modifications="m0,m4", **COIN)
    assert sorted(selection(rounds_table(tmp_path))["runs"]) == [1, 2]


@pytest.mark.parametrize("beside", [True, False])
def test_runs_of_another_experiment_are_refused(tmp_path, capsys, beside):
    small = {"rounds": 1, "steps": 20, "game": {"range": 6, "hidden": 8, "batch": 4, "vocabulary": 2}}
    run(LEARNING.from_config(small), tmp_path / "words")
    if beside:
        play(tmp_path / "coin", **COIN)
    assert main(["selection", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert "words was not played by Algorithm 1" in err
    assert "ishango typology and ishango table take others" in err
    assert err.count("\n") == 1


def test_figures_have_the_frontier_that_was_played(tmp_path, capsys):
    small = {"start": "1-9 | 10", "rounds": 2, "steps": 20, "game": {"hidden": 8, "batch": 4, "range": 20}}
    play(tmp_path / "runs/default", **small)
    play(tmp_path / "runs/hurford", grammar="hurford", range=30, **small)
    play(tmp_path / "runs/coin", **{**small, **COIN})
    play(tmp_path / "runs/more", **{**small, **COIN}, seed=1)
    play(tmp_path / "runs/far", **{**small, **COIN, "start": "1-5 | 6"}, seed=5)
    assert main(["selection", str(tmp_path / "runs"), "--figures", str(tmp_path / "figures")]) == 0
    capsys.readouterr()
    names = {path.stem for path in (tmp_path / "figures").glob("*.svg")}
    assert names == {"ends", "ends-hurford-30", "selection", "trajectories", "trajectories-hurford-30"}
    legend = (tmp_path / "figures/selection.svg").read_text()
    assert "agents, lowest, grammar hurford, range 30" in legend
    assert COMMUNICATION.name not in legend
    chart = (tmp_path / "figures/trajectories-hurford-30.html").read_text()
    # The least average of four words under hurford over 1..30, and not that of the default frontier.
    assert str(hurford_value()) in chart
    drawn = pd.read_csv(tmp_path / "figures/trajectories.csv")  # of each start its least seed
    assert {Path(run).name for run in drawn["run"]} == {"default", "coin", "far"}


def hurford_value() -> float:
    from ishango.frontiers import Problem, frontier_value

    value = frontier_value(4, Problem(grammar="hurford", upto=30))
    assert value is not None
    assert value != frontier_value(4, Problem())
    return value
