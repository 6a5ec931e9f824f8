"""Tables made from runs: who decides, and what columns mean."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ishango.evolution import CHOOSERS, Chooser, Decision, RoundRecord
from ishango.report import weigh
from ishango.report._columns import columns_text, explained_tables
from ishango.report._data import Data
from ishango.report._outcomes import LEFT_OUT, STUDIES, Study, begun, changes_data, ends_data, selection_data
from ishango.report._studies import CONTROL_ROUND


@pytest.fixture
def miser():
    yield CHOOSERS.add(Chooser("miser", "a miser", "it never changes anything", False, lambda _: Decision(False)))
    CHOOSERS.remove("miser")


def test_a_section_begins_when_each_of_its_studies_has_a_finished_run():
    studies = pd.DataFrame([Study("agents", 8, 2, 8, 1, 100, 40_000), Study("coin", 8, 0, 8, 0, 100, None)])
    assert not begun({STUDIES: studies}, ["agents", "coin"])
    assert begun({STUDIES: studies}, ["agents"])
    assert begun({STUDIES: studies.assign(finished=1)}, ["agents", "coin"])


def test_before_a_change_are_the_system_and_the_accuracy_of_the_round_before(monkeypatch):
    class View:
        def __init__(self, _run):
            pass

        def curve(self):
            return {"round": np.array([1, 1, 2, 3]), "reward": np.array([0.1, 0.9, 0.2, 0.3])}

    asked = []
    monkeypatch.setattr("ishango.report._outcomes.RunView", View)
    monkeypatch.setattr("ishango.report._outcomes.changed", lambda *pair: asked.append(pair) or 0.5)
    played = {"study": "agents", "run": "one", "start": "1", "round": range(4), "action": "add", "multipliers": "10",
              "digits": ["1-9", "1-8", "1-7", "1-6"], "accuracy": [0.4, 0.5, 0.6, 0.7],
              "alternative": [None, "1-8 | 10", None, "1-6 | 10"]}  # fmt: skip
    found = changes_data(Path(), pd.DataFrame(played))
    assert found["round"].tolist() == [1, 3]
    assert found["before"].tolist() == [0.4, 0.6]
    assert found["early"].tolist() == [0.1, 0.3]
    assert asked == [("1-9 | 10", "1-8 | 10"), ("1-7 | 10", "1-6 | 10")]


@pytest.mark.usefixtures("miser")
def test_another_chooser_is_named_in_tables_and_their_explanations(reproduction):
    rounds = Data(reproduction / "data")["rounds"]
    rounds = rounds[rounds["study"].isin(["coin", "agents"])].replace({"choose": {"coin": "miser"}})
    for table in (ends_data(rounds), selection_data(rounds)):
        assert dict(zip(table["choose"], table["who"], strict=True)) == {"bandit": "agents", "miser": "a miser"}
    assert set(selection_data(rounds)["group"]) == {"agents, lowest", "a miser, lowest", "a miser, highest"}
    assert explained_tables()["rounds"].columns["choose"] == (
        "who decides: bandit (agents), coin (drift), shorter (oracle), law (costs alone), biased (biased drift), nearer"
        " (oracle on the gap), aa (A/A) or miser (a miser)"
    )


def test_how_well_talk_went_before_a_change_is_that_of_the_round_before(reproduction):
    data = Data(reproduction / "data")
    known = data["rounds"].set_index(["run", "round"])["accuracy"]
    changes = data["changes"]
    before = [known[run, number - 1] for run, number in changes[["run", "round"]].itertuples(index=False)]
    assert changes["before"].tolist() == pytest.approx(before)
    assert changes["before"].tolist() != pytest.approx(
        [known[key] for key in changes.set_index(["run", "round"]).index]
    )


def test_runs_without_agents_are_short(miser):
    class Task:
        config = {"choose": miser.name, "rounds": 100, "steps": 40_000}  # noqa: RUF012

    assert weigh(Task) == CONTROL_ROUND


def test_rounds_have_every_field_of_a_record_but_those_left_out(reproduction):
    names = [each.name for each in fields(RoundRecord) if each.name not in LEFT_OUT]
    rounds = Data(reproduction / "data")["rounds"]
    assert list(rounds.columns[-len(names) :]) == names
    changed = rounds[rounds["accepted"].eq(True) & (rounds["study"] == "coin")]
    sizes = rounds.groupby("run")["size"].diff()
    assert (changed["delta_size"] == sizes[changed.index]).all()


def test_a_column_without_an_explanation_is_an_error(reproduction):
    data = dict(Data(reproduction / "data"))
    data["starts"] = data["starts"].assign(colour="red")
    with pytest.raises(KeyError, match="colour"):
        columns_text(data)
    assert "colour" not in columns_text({**data, "starts": pd.DataFrame(columns=["start"])})
