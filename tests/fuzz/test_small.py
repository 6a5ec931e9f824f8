"""A small part of the fuzzer, always the same calls; `make fuzz` makes many more."""

import re
from pathlib import Path

import pytest
from tests.fuzz import oracles
from tests.fuzz.commands import ALWAYS
from tests.fuzz.commands import COMMANDS as FUZZED
from tests.fuzz.judge import Answer, Judge
from tests.fuzz.oracles import ORACLES, fuzz_meaning, results

from ishango.cli import COMMANDS, Group, main

CALLS = 60
MEANING = 25


QUICK = {
    each: ORACLES[each] for each in (oracles.describe, oracles.frontier, oracles.restricted_describe, oracles.evolve)
}


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    return Judge(tmp_path_factory.mktemp("fuzz"))


def test_every_option_of_every_command_is_tried(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "100")
    groups = {name: each.commands for name, each in COMMANDS.items() if isinstance(each, Group)}
    commands = [f"{name} {part}" for name, parts in groups.items() for part in parts]
    commands += [name for name in COMMANDS if name not in groups]
    assert set(commands) == set(FUZZED)
    for name in commands:
        assert main([*name.split(), "--help"]) == 0
        options = re.findall(r"^[^\w\n]{1,3}(?:-\w [A-Z]+, |-\w, )?--([a-z][\w.-]*)", capsys.readouterr().out, re.M)
        tried = {*FUZZED[name][1], *(word[2:] for word in ALWAYS.get(name, ()) if word.startswith("--"))}
        assert not {*options} - {"help"} - tried, name


def test_no_call_goes_wrong(judge: Judge) -> None:
    judge.fuzz(CALLS, 5, quick=True)
    assert judge.findings == {}
    assert {0, 2} <= set(judge.codes)  # good requests were among the calls, and bad ones


def test_answers_mean_what_they_say(tmp_path: Path) -> None:
    _, wrong = fuzz_meaning(MEANING, 3, tmp_path, QUICK)
    assert wrong == {}


def test_every_command_has_an_oracle() -> None:
    asked = {each.__name__.replace("_", " ") for each in (*ORACLES, results)}
    within = {"archive", "unarchive", "kinds check", "restricted compare"}  # archives, kinds_optimum, restricted_train
    within |= {"explore", "playground", "restricted bands"}  # pages, bands
    assert set(FUZZED) == (asked | within) & set(FUZZED)


def test_oracles_notice_wrong_answers(tmp_path: Path, monkeypatch) -> None:
    """Averages a little too short, and systems that change though the alternative was refused."""
    real = oracles.average_of
    monkeypatch.setattr(oracles, "average_of", lambda *request: real(*request) * 1.001)
    assert "describe" in fuzz_meaning(10, 0, tmp_path, {oracles.describe: 1})[1]
    kept = oracles._records
    monkeypatch.setattr(
        oracles, "_records", lambda name: [{**each, "digits": [i]} for i, each in enumerate(kept(name))]
    )
    assert "evolve" in fuzz_meaning(8, 0, tmp_path, {oracles.evolve: 1})[1]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(2, "", "ishango: No.\n", 0.1), None),
        (Answer(2, "", "counting ... 2 s so far; Ctrl-C stops it\nishango: No.\n", 0.1), None),
        (Answer(0, "size 3  gap –", "", 0.1), None),
        (Answer(None, "", "10:00:00 size 3", 1.0), None),
        (Answer(71, "", "Traceback (most recent call last):\nKeyError: 'x'\n", 0.1), "traceback"),
        (Answer(2, "", "ishango: No.\nishango: Really not.\n", 0.1), "not one sentence"),
        (Answer(2, "", "usage: ishango\n", 0.1), "not one sentence"),
        (Answer(-11, "", "", 0.1), "exit code"),
        (Answer(1, "", "ishango: It broke.\n", 0.1), "failed"),
        (Answer(0, "strength nan", "", 0.1), "nan"),
        (Answer(0, "", "", 1000.0), "silence"),
    ],
)
def test_the_judge_knows_good_answers_from_bad_ones(judge, monkeypatch, answer, kind):
    monkeypatch.setattr("tests.fuzz.judge.answer_of", lambda _call, _world: answer)
    monkeypatch.setattr(judge, "findings", {})
    judge.judge(["describe", "1", "2"])
    assert [found for found, _ in judge.findings] == ([kind] if kind else [])


def test_half_a_file_is_noticed_and_taken_away(judge, monkeypatch):
    def leave(_call, world):
        (world / ".out.csv.tmp").write_text("half")
        return Answer(0, "", "", 0.1)

    monkeypatch.setattr("tests.fuzz.judge.answer_of", leave)
    monkeypatch.setattr(judge, "findings", {})
    judge.judge(["table", "run"])
    assert [found for found, _ in judge.findings] == ["half a file"]
    assert not (judge.world / ".out.csv.tmp").exists()
