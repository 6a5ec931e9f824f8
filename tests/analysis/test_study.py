import json

import numpy as np
import pandas as pd
import pytest

from ishango.analysis.ends import against, against_coin, by_start, ends
from ishango.analysis.selection import selection, selection_by_run
from ishango.api import first_rounds
from ishango.cli import main
from ishango.errors import RequestError
from ishango.evolution import Evolution, EvolutionOptions
from ishango.lab import rounds_table, run

STARTS, SEEDS = ("1", "7", "8"), range(6)


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """Real runs of the two controls."""
    out = tmp_path_factory.mktemp("runs")
    for choose in ("coin", "shorter"):
        for start in STARTS:
            for seed in SEEDS:
                options = EvolutionOptions(start=start, seed=seed, choose=choose, rounds=60)
                run(Evolution(options), out / f"{choose}-{start}-{seed}")
    return out


@pytest.fixture(scope="module")
def rounds(directory):
    return rounds_table(directory)


def test_where_runs_end(rounds):
    table = ends(rounds)
    assert len(table) == 2 * len(STARTS) * len(SEEDS)
    one = rounds[rounds["run"] == "coin-1-0"].sort_values("round")
    row = table[table["run"] == "coin-1-0"].iloc[0]
    assert row["gap_before"] == one["gap"].iloc[0] == pytest.approx(0.395, abs=5e-4)
    assert row["gap"] == one["gap"].iloc[-1]
    assert row["size"] == one["size"].iloc[-1]
    starts = by_start(rounds).set_index(["choose", "start"])
    finals = table[(table["choose"] == "coin") & (table["start"] == "7")]["gap"]
    assert starts.loc[("coin", "7"), "gap"] == np.median(finals)
    assert starts.loc[("coin", "7"), "runs"] == len(SEEDS)


def test_the_oracle_selects_and_the_coin_does_not(rounds):
    table = selection(rounds).set_index("choose")
    assert table.loc["coin", "low"] < 0 < table.loc["coin", "high"]
    assert table.loc["shorter", "low"] > 5
    assert table.loc["shorter", "shorter_kept"] == 1
    assert len(selection_by_run(rounds)) == rounds["run"].nunique()


def test_gaps_are_compared_within_starts():
    rng = np.random.default_rng(0)
    rows = []
    for start in range(8):
        # Starts differ far more than the groups: only a paired comparison can tell.
        for choose, shift, runs in (("coin", 0.0, 50), ("bandit", -0.1, 3)):
            rows += [
                {"run": f"{choose}{start}{i}", "start": str(start), "seed": i, "add": "lowest", "choose": choose,
                 "round": r, "gap": g, "size": 9, "average_complexity": g + 1}
                for i in range(runs)
                for r, g in ((0, 5.0), (1, 10.0 * start + shift + rng.normal(0, 0.05)))
            ]  # fmt: skip
    comparison = against_coin(pd.DataFrame(rows)).iloc[0]
    assert (comparison["choose"], comparison["starts"]) == ("bandit", 8)
    assert comparison["low"] < -0.1 < comparison["high"] < 0
    assert comparison["p"] < 0.01
    assert comparison["rank_high"] < 0.5


def test_the_command(directory, capsys):
    assert main(["selection", str(directory), "--against", "choose=shorter", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {each["choose"] for each in document["selection"]} == {"coin", "shorter"}
    [mine], [coins] = document["against"], document["against_coin"]
    assert (mine["choose"], coins["choose"], mine["difference"]) == ("coin", "shorter", -coins["difference"])
    assert main(["selection", str(directory)]) == 0
    assert "Strength of selection, pooled" in capsys.readouterr().out
    assert main(["selection", str(directory / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


def _table(who: str, gaps: list[float], rounds: int | None = None, **more: object) -> list[dict[str, object]]:
    """Rounds of one run from each of three starts, all with these gaps."""
    total = len(gaps) - 1 if rounds is None else rounds
    return [
        {"run": f"{who}{start}{total}{more}", "start": start, "seed": 0, "add": "any", "choose": who, "rounds": total,
         "round": i, "gap": gap, "size": 9, "average_complexity": gap + 1, **more}
        for start in "123"
        for i, gap in enumerate(gaps)
    ]  # fmt: skip


def test_runs_are_compared_after_as_many_rounds_as_both_have():
    long_coin = _table("coin", [1.0, 2.0, 3.0, 4.0, 5.0])
    law = {"game.effort": 0.2, "word": 0.01}
    rows = pd.DataFrame(long_coin + _table("law", [1.0, 0.5, 0.25], **law))
    [row] = against_coin(rows).to_dict("records")
    assert (row["after"], row["difference"]) == (2, 0.25 - 3.0)  # not the 5.0 with which the coin ends
    [row] = against_coin(pd.DataFrame(_table("coin", [1.0, 2.0]) + _table("law", [1.0, 0.5, 0.25], **law))).to_dict(
        "records"
    )
    assert (row["after"], row["difference"]) == (1, 0.5 - 2.0)
    # Of two coins the one serves that has played for as long.
    both = pd.DataFrame(long_coin + _table("coin", [1.0, 9.0]) + _table("law", [1.0, 0.5, 0.25], **law))
    [row] = against_coin(both).to_dict("records")
    assert (row["after"], row["difference"]) == (2, 0.25 - 3.0)
    assert by_start(both)["rounds"].tolist() == [1] * 3 + [4] * 3 + [2] * 3


def test_a_run_that_is_not_done_is_not_compared():
    rows = (
        _table("coin", [1.0, 2.0, 3.0]) + _table("law", [1.0, 0.5, 0.25]) + _table("law", [1.0, 8.0], rounds=2, seed=1)
    )
    [row] = against_coin(pd.DataFrame(rows)).to_dict("records")
    assert (row["after"], row["difference"]) == (2, 0.25 - 3.0)


def test_groups_are_compared_with_the_one_that_is_named():
    talked = {"learners": "same", "judge": "mean"}
    rows = _table("bandit", [1.0, 0.5], **talked) + _table("bandit", [1.0, 0.75], **{**talked, "learners": "new"})
    rows = pd.DataFrame(rows + _table("coin", [1.0, 4.0], learners="same"))
    table = against(rows, {"learners": "same"}).set_index("choose")  # which says nothing of a coin
    assert table["difference"].to_dict() == {"bandit": 0.25, "coin": 3.5}
    with pytest.raises(
        RequestError, match=r"There are 2 groups of runs with judge=mean; say which of these: learners="
    ):
        against(rows, {"judge": "mean"})
    with pytest.raises(RequestError, match="There is no field 'lerners'"):
        against(rows, {"lerners": "same"})
    with pytest.raises(RequestError, match="No run that is done has learners=old"):
        against(rows, {"learners": "old"})


def test_the_first_rounds_alone_can_be_looked_at(rounds):
    early = first_rounds(rounds, 20)
    assert by_start(early)["gap"].tolist() == by_start(rounds[rounds["round"] <= 20])["gap"].tolist()
    assert against_coin(early)["after"].tolist() == [20]
    for count, said in ((61, "No run has played 61 rounds"), (0, "rounds is 0, but must be 1 or more")):
        with pytest.raises(RequestError, match=said):
            first_rounds(rounds, count)


def test_groups_that_cannot_be_compared_with_are_refused(directory, capsys):
    for words, said in (
        (["shorter"], "such as learners=same, not 'shorter'"),
        (["choose=coin", "choose=shorter"], "names a field twice"),
        (["choose=nobody"], "No run that is done has choose=nobody"),
    ):
        assert main(["selection", str(directory), "--against", *words]) == 2
        assert said in capsys.readouterr().err
