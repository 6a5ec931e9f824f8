"""A chooser and a modification from outside, and one more rule for adding: options, help, runs and tables know them."""

import json
from collections.abc import Iterator

import pandas as pd
import pytest

from ishango.cli import main
from ishango.errors import RequestError, RunError
from ishango.evolution import (
    ADD_RULES,
    CHOOSERS,
    DRIFT,
    EVOLUTION,
    MODIFICATIONS,
    Chooser,
    Decision,
    Evolution,
    EvolutionOptions,
    Modification,
    Question,
)
from ishango.evolution._modifications import PAPER_NAMES, AddRule, changed
from ishango.lab import read_rounds, run
from ishango.numerals import NumeralSystem


def always(_question: Question) -> Decision:
    return Decision(True)


def merge(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
    """All digits but the first become multipliers."""
    first, *others = system.digits
    return changed([first], {*system.multipliers, *others}, system)


@pytest.fixture
def extended(monkeypatch) -> Iterator[None]:
    CHOOSERS.add(Chooser("always", "always new", "every alternative is kept", False, always))
    MODIFICATIONS.add(Modification("merge", "merge digits", "digits but the first become multipliers", merge))
    middle = AddRule("middle", "middle", "the one in the middle", lambda _system, free: free[len(free) // 2])
    monkeypatch.setitem(ADD_RULES, middle.name, middle)
    yield
    for registry, name in ((CHOOSERS, "always"), (MODIFICATIONS, "merge")):
        registry.remove(name)


@pytest.mark.usefixtures("extended")
def test_the_help_and_refusals_name_them(capsys):
    assert main(["evolve", "--help-all"]) == 0
    help_text = " ".join(capsys.readouterr().out.replace("│", " ").split())
    for said in (
        "{bandit,drift,shorter,law,biased,nearer,aa,always}",
        "always: every alternative is kept",
        "merge: digits but the first become multipliers",
        f"{{{','.join(ADD_RULES)}}}",
        "middle: the one in the middle",
    ):
        assert said in help_text
    for config, said in (
        ({"choose": "alway"}, "bandit, drift, shorter.* or always"),
        ({"add": "mid"}, "lowest, highest, highest-below-max.* or middle"),
        ({"modifications": "m0,merg"}, "did you mean merge"),
    ):
        with pytest.raises(RequestError, match=said):
            EVOLUTION.complete(config)


@pytest.mark.usefixtures("extended")
def test_runs_and_tables_have_them(tmp_path, capsys):
    arguments = ["--choose", "always", "--add", "middle", "--modifications", "merge,m0", "--rounds", "9"]
    assert main(["evolve", *arguments, "--out", str(tmp_path / "runs/one"), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    records = read_rounds(tmp_path / "runs/one")
    assert all(each["accepted"] for each in records[1:])
    assert {each["action"] for each in records[1:]} == {"merge", "m0"}
    assert record == records[-1]
    assert main(["table", str(tmp_path / "runs"), "-o", str(tmp_path / "rounds.csv")]) == 0
    table = pd.read_csv(tmp_path / "rounds.csv")
    assert (table["choose"] == "always").all()
    assert (table["add"] == "middle").all()
    assert (table["modifications"] == "merge,m0").all()
    capsys.readouterr()
    assert main(["selection", str(tmp_path / "runs"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["selection"][0]["choose"] == "always"


def test_what_is_installed_does_not_change_a_run(tmp_path, request):
    for name in ("without", "with"):
        if name == "with":
            request.getfixturevalue("extended")
        options = EvolutionOptions(choose=DRIFT.name, rounds=20)
        assert options.modifications == PAPER_NAMES
        run(Evolution(options), tmp_path / name)
    one, other = ([each | {"seconds": 0} for each in read_rounds(tmp_path / name)] for name in ("with", "without"))
    assert one == other


def broken(_question: Question) -> Decision:
    raise KeyError("weather")


@pytest.mark.parametrize(
    ("decide", "said"),
    [
        (broken, r"The chooser 'wrong' failed with KeyError: 'weather' \(.*test_extension.py, line [0-9]+\)"),
        (lambda _: True, "The chooser 'wrong' decided True; it must give a Decision"),
        (lambda _: None, "The chooser 'wrong' decided None"),
        (lambda _: Decision("perhaps"), "decided Decision"),
        (lambda _: Decision(True, {"mood": 1.0}), "tells mood of communication, which no record has"),
    ],
)
def test_a_chooser_that_makes_a_mistake_is_told(decide, said, tmp_path, capsys):
    CHOOSERS.add(Chooser("wrong", "wrong", "makes a mistake", False, decide))
    try:
        with pytest.raises(RunError, match=said):
            run(Evolution(EvolutionOptions(choose="wrong", rounds=2)), tmp_path / "run")
        assert main(["evolve", "--choose", "wrong", "--rounds", "2", "--out", str(tmp_path / "again")]) == 1
        assert capsys.readouterr().err.splitlines()[-1].startswith("ishango: The chooser 'wrong'")
    finally:
        CHOOSERS.remove("wrong")


def test_a_modification_that_makes_a_mistake_is_told(tmp_path):
    MODIFICATIONS.add(Modification("wrong", "wrong", "makes a mistake", lambda *_: (1, 2)))
    try:
        with pytest.raises(RunError, match=r"The modification 'wrong' makes \(1, 2\) of"):
            run(Evolution(EvolutionOptions(choose=DRIFT.name, modifications="wrong", rounds=2)), tmp_path)
    finally:
        MODIFICATIONS.remove("wrong")


def test_a_rule_that_makes_a_mistake_is_told(tmp_path, monkeypatch):
    wrong = AddRule("wrong", "wrong", "makes a mistake", lambda system, _: system.words[0])
    monkeypatch.setitem(ADD_RULES, wrong.name, wrong)
    with pytest.raises(RunError, match="The rule 'wrong' picks 1, which is no free numeral"):
        run(Evolution(EvolutionOptions(choose=DRIFT.name, add="wrong", rounds=2)), tmp_path)
