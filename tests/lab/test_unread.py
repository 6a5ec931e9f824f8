"""An option that nothing reads is refused, whoever gives it; runs that have one go on."""

from dataclasses import replace
from itertools import islice

import pytest
from tests.fuzz.options import BASES, VALUES, bases, findings, options_of, wrong

import ishango
from ishango.cli import main
from ishango.errors import RequestError
from ishango.evolution import CHOOSERS, EVOLUTION, Chooser, Decision, Evolution, EvolutionOptions
from ishango.explorer._launch import without_unread
from ishango.lab import EXPERIMENTS, PLANS, foresee, parse_plan, run

EVERY = 17
"""The suite tries so many fewer than `python -m tests.fuzz.options`."""


@pytest.mark.parametrize("first", range(3))
def test_an_option_changes_something_or_is_refused(first: int) -> None:
    every = ((name, base, option) for name, base in bases() for option in options_of(name))
    assert findings(islice(every, 3 * first, None, 3 * EVERY)) == []


def test_the_oracle_sees_what_is_passed_over_and_what_is_refused_without_need(monkeypatch: pytest.MonkeyPatch) -> None:
    _, base = next(each for each in bases() if each[1].get("choose") == "coin")
    assert wrong("evolution", base, "keep") is None
    monkeypatch.setattr(EvolutionOptions, "idle", lambda _self: iter(()))
    assert "changes nothing and is not refused" in str(wrong("evolution", base, "keep"))
    monkeypatch.setattr(EvolutionOptions, "idle", lambda _self: iter([("of a mistake", ("seed",))]))
    assert "is refused, but" in str(wrong("evolution", base, "seed"))


def test_all_options_are_tried() -> None:
    assert set(EXPERIMENTS) == set(BASES)
    assert {option for name in BASES for option in options_of(name)} <= VALUES.keys()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("evolve --choose coin --keep 0.99", "--keep changes nothing here, because the chooser drift"),
        ("evolve --keep 0.99", "--keep changes nothing here, because the chooser bandit"),
        ("evolve --judge-noise 0.1", "--judge-noise changes nothing here, because the chooser bandit"),
        (
            "evolve --arms even --game.epsilon=0.5",
            "--game.epsilon changes nothing here, because the systems",
        ),
        ("evolve --choose law --word 1 --game.hidden 7", "--game.hidden changes nothing here, because no agents talk"),
        ("evolve --choose coin --preset able", "--preset changes nothing here, because no agents talk"),
        ("generations --imitation 10", "--imitation changes nothing here, because ideal learners do not talk"),
        ("generations --game.hidden 10", "--game.hidden changes nothing here, because ideal learners do not talk"),
        ("restricted train --game.effort 1", "--game.effort changes nothing here, because every message is one word"),
        ("restricted train --effort 1", "--effort changes nothing here, because every message is one word"),
        ("kinds generations --lose random --bottleneck 9", "--bottleneck changes nothing here, because words are lost"),
        ("learnability --game.reward linear", "--game.reward changes nothing here, because the listener is told"),
        ("learnability --learner pair --game.alpha 0.2", "--game.alpha changes nothing here, because there is one"),
        ("learnability --learner pair --game.effort 1", "--game.effort changes nothing here, because no symbol costs"),
        ("kinds evolve --choose law --steps 9", "--steps changes nothing here, because no agents talk"),
    ],
)
def test_commands_refuse_it(capsys, tmp_path, monkeypatch, arguments: str, sentence: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"ishango: {sentence}")
    assert said.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_python_refuses_it_without_flags() -> None:
    for given in ({"keep": 0.9}, {"game": {"hidden": 5}}):
        with pytest.raises(RequestError, match=r"^(keep|game.hidden) changes nothing here"):
            ishango.evolve(7, rounds=1, choose="coin", **given)
    with pytest.raises(RequestError, match=r"^keep changes nothing here"):
        ishango.evolve(EvolutionOptions(rounds=1, choose="coin", keep=0.9))


def test_what_is_as_by_default_is_no_wish() -> None:
    assert ishango.evolve(7, rounds=1, choose="coin", keep=0.5, steps=40_000).rounds[-1]["round"] == 1


def test_a_run_that_has_it_goes_on(tmp_path, capsys) -> None:
    options = EvolutionOptions(start="7", choose="coin", keep=0.9, steps=7, rounds=1)
    run(Evolution(options), tmp_path / "old")  # as versions did that did not refuse it
    words = ["evolve", "--start", "7", "--choose", "coin", "--keep", "0.9", "--steps", "7", "--rounds"]
    assert main([*words, "3", "--out", str(tmp_path / "old")]) == 0
    assert ishango.evolve(replace(options, rounds=5), tmp_path / "old").rounds[-1]["round"] == 5
    assert main([*words, "3", "--out", str(tmp_path / "new")]) == 2
    assert "--steps changes nothing here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ("base.choose = 'coin'\nbase.keep = 0.9", "line 2: keep changes nothing here, because the chooser drift"),
        ("base.choose = 'coin'\nvary.steps = [5, 6]", "line 2: steps changes nothing here, because no agents talk"),
        ("base.rounds = 2\nvariant = [{choose = 'coin', keep = 0.9}, {choose = 'biased'}]", "keep changes nothing"),
        ("base.choose = 'coin'\nbase.preset = 'able'", "line 2: preset changes nothing here"),
        ("experiment = 'generations'\nbase.steps = 3", "line 2: steps changes nothing here, because ideal learners"),
        ("experiment = 'restricted'\nbase.effort = 3", "line 2: effort changes nothing here, because every message"),
    ],
)
def test_plans_refuse_what_none_of_their_runs_reads(tmp_path, plan: str, sentence: str) -> None:
    with pytest.raises(RequestError, match=sentence):
        foresee(parse_plan(plan), tmp_path / "new")


def test_plans_may_give_what_some_of_their_runs_read(tmp_path) -> None:
    plan = parse_plan("base = {steps = 9, word = 0.1, preset = 'able'}\nvary.choose = ['bandit', 'coin']")
    assert len(foresee(plan, tmp_path)) == 2
    old = parse_plan("base = {choose = 'coin', keep = 0.9, rounds = 1}\nvary.seed = '0-1'")
    run(EVOLUTION.from_config({"choose": "coin", "keep": 0.9, "rounds": 1}), tmp_path / "seed=0")
    assert len(foresee(old, tmp_path)) == 2  # a sweep that has begun goes on


@pytest.mark.parametrize("name", PLANS)
def test_shipped_plans_give_nothing_in_vain(name: str) -> None:
    from ishango.lab._plan import refuse_unread

    plan = PLANS[name].plan
    refuse_unread(plan, lambda _name, config: EXPERIMENTS[plan.experiment or "evolution"].unread(config))


def test_a_chooser_of_ones_own_says_what_it_reads() -> None:
    keeps = CHOOSERS.add(Chooser("own", "own", "keeps all", False, lambda _question: Decision(True), ("keep",)))
    try:
        assert EVOLUTION.unread({"choose": "own", "keep": 0.9}) == {}
        assert list(EVOLUTION.unread({"choose": "own", "word": 0.9})) == ["word"]
    finally:
        CHOOSERS.remove(keeps.name)


def test_an_experiment_of_ones_own_need_not_say_what_it_reads() -> None:
    assert replace(EVOLUTION, options=object).unread({"anything": 3}) == {}


def test_the_page_starts_runs_without_it() -> None:
    config = EVOLUTION.complete({"choose": "coin", "steps": 2_000, "game": {"noise": 0.1}, "rounds": 7})
    started = without_unread("evolution", config)
    assert (started["steps"], started["game"]["noise"], started["rounds"]) == (40_000, 0.0, 7)
