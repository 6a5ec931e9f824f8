import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ishango.analysis.ends import against, against_coin, by_start, ends
from ishango.analysis.selection import selection, selection_by_run
from ishango.api import Selection, first_rounds
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
    told = capsys.readouterr().out
    assert told.startswith("Do they end nearer than drift? Oracle: gap minus that of drift -")
    assert " is ruled out); no difference is shown.\nThe first tables have these numbers" in told
    assert told.index("Final gaps against those of drift") < told.index("Strength of selection, pooled")
    assert main(["selection", str(directory / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err


def _answers(selected: list[dict[str, object]], beside: list[dict[str, object]], by: tuple[str, ...] = ()):
    rounds = _table("coin", [1.0], **dict.fromkeys(by, 0))
    for value in (0, 1):
        rounds += _table("bandit", [1.0], **dict.fromkeys(by, value))
    tables = {"selection": pd.DataFrame(selected), "against_coin": pd.DataFrame(beside)}
    return Selection(pd.DataFrame(rounds), tables).answers


def test_the_answers_are_those_of_the_tables():
    nan, inf = float("nan"), float("inf")
    agents = {"add": "any", "choose": "bandit", "shorter_kept": 0.6, "longer_kept": 0.25, "low": -1.0, "high": 2.0}
    drift = agents | {"choose": "coin", "low": 1.0}
    near = {"add": "any", "choose": "bandit", "difference": -0.5, "low": -0.75, "high": 0.25, "equivalent_within": 0.7}
    preference, nearer = _answers([agents, drift], [near])
    kept = "Do they select? Agents: kept 60% of shorter and 25% of longer alternatives; "
    assert preference == f"{kept}no preference is shown."
    assert nearer == (
        "Do they end nearer than drift? Agents: gap minus that of drift -0.500 symbols, 95 % interval -0.750 to +0.250"
        " (over 0.700 is ruled out); no difference is shown."
    )
    assert _answers([agents | {"low": 0.1}], [])[0] == f"{kept}a preference for shorter ones."
    assert _answers([agents | {"high": -0.1}], [])[0] == f"{kept}a preference for longer ones."
    assert _answers([agents | {"low": nan}], [])[0] == f"{kept}too little was decided to tell."
    assert _answers([agents], [])[1].startswith("Do they end nearer than drift? Not known")
    for changed, end in (
        ({"high": -0.1}, "-0.750 to -0.100; nearer the frontier."),
        ({"difference": 0.5, "low": 0.1, "high": 0.9}, "+0.100 to +0.900; farther from the frontier."),
        ({"low": -inf, "high": inf}, "-0.500 symbols; too few runs to tell."),
    ):
        assert _answers([], [near | changed])[0].endswith(end)


def test_of_many_groups_it_is_told_how_many_answer_what():
    near = {"add": "any", "choose": "bandit", "difference": -0.5, "low": -0.75, "high": 0.25, "equivalent_within": 0.7}
    rows = [near | {"word": each, "high": 0.25 if each < 2 else -0.1} for each in range(5)]
    assert _answers([], rows, by=("word",)) == (
        "Do they end nearer than drift? Of 5 groups of runs: no difference is shown in 2, nearer the frontier in 3.",
    )
    two = _answers([], rows[:2], by=("word",))
    assert [each.partition("?")[2].partition(":")[0] for each in two] == [" Agents, word 0", " Agents, word 1"]


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


def test_of_one_start_the_interval_of_the_difference_is_welchs():
    gaps = {"coin": [5.0, 6.0, 7.5, 9.0], "law": [1.0, 4.0, 2.0]}
    rows = [
        {**row, "run": f"{who}{i}", "seed": f"{who}{i}"}  # no random numbers in common
        for who, lasts in gaps.items()
        for i, last in enumerate(lasts)
        for row in _table(who, [1.0, last])
        if row["start"] == "1"
    ]
    [row] = against_coin(pd.DataFrame(rows)).to_dict("records")
    welch = stats.ttest_ind(gaps["law"], gaps["coin"], equal_var=False)
    assert (row["over"], row["p"]) == ("runs", pytest.approx(welch.pvalue))
    assert (row["low"], row["high"]) == pytest.approx(welch.confidence_interval())


def test_gaps_that_are_equal_count_half():
    rows = pd.DataFrame(_table("coin", [1.0, 2.0]) + _table("law", [1.0, 2.0]))
    assert against_coin(rows)["rank"].tolist() == [0.5]


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


def test_tables_that_were_put_together_are_compared():
    tables = [pd.DataFrame(_table(who, [1.0, end])) for who, end in (("coin", 4.0), ("law", 0.5))]
    together = pd.concat(tables)  # with one index twice
    expected = against_coin(pd.concat(tables, ignore_index=True))
    pd.testing.assert_frame_equal(against_coin(together), expected)
    pd.testing.assert_frame_equal(against(together, {"choose": "coin"}), expected)


@pytest.mark.parametrize("written", [True, "True", "true"])
def test_a_group_is_named_by_yes_or_no_as_plans_and_tables_write_it(written):
    rows = _table("bandit", [1.0, 0.5], reset_optimiser=True) + _table("bandit", [1.0, 0.75], reset_optimiser=False)
    [row] = against(pd.DataFrame(rows), {"reset_optimiser": written}).to_dict("records")
    assert (row["reset_optimiser"], row["difference"]) == (False, 0.25)


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
