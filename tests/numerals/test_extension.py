"""A grammar and a need from outside the package: options, help, refusals and results follow."""

import json
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import pytest

from ishango.cli import main
from ishango.evolution import EvolutionOptions
from ishango.lab import config_of
from ishango.languages import find_language
from ishango.numerals import GRAMMARS, NEEDS, Grammar, Need, NeedForm, NumeralSystem, SpecError, minimal_language

Run = Callable[..., tuple[int, str, str]]

ADDITIVE = Grammar(
    "additive", "additive", "no subtraction, and a multiplier alone is a numeral", True, False, minus=False
)


@dataclass(frozen=True)
class FirstNeed(Need):
    """Only the first so many numbers are needed, alike."""

    count: int

    @property
    def spec(self) -> str:
        return f"first:{self.count}"

    def unnormalised(self, upto: int) -> list[Fraction]:
        return [Fraction(n <= self.count) for n in range(1, upto + 1)]


def parse_first(argument: str) -> Need:
    if not argument.isdigit() or not int(argument):
        raise SpecError("after first: comes a positive integer")
    return FirstNeed(int(argument))


@pytest.fixture(autouse=True)
def _extended() -> Iterator[None]:
    GRAMMARS.add(ADDITIVE)
    NEEDS.add(NeedForm("first", "first:COUNT", "the first numbers alone", parse_first))
    yield
    GRAMMARS.remove("additive")
    NEEDS.remove("first")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def help_of(run: Run, *command: str) -> str:
    """The help text as one line without its frame."""
    code, out, _ = run(*command, "--help-all")
    assert code == 0
    return " ".join(out.replace("│", " ").split())


@pytest.mark.parametrize("command", ["describe", "frontier", "evolve"])
def test_help_names_them(run: Run, command: str) -> None:
    text = help_of(run, command)
    assert "--grammar {modified,hurford,...}|FILE.toml" in text
    assert f"additive: {ADDITIVE.sentence}" in text
    assert "power:A: n to the power of -A;" in text
    assert "first:COUNT: the first numbers alone; default: power:2" in text


@pytest.mark.parametrize(
    "command",
    [["languages"], ["restricted", "train"], ["restricted", "frontier"], ["restricted", "describe"],
     ["restricted", "languages"]],
)  # fmt: skip
def test_help_of_other_commands_names_the_need(run: Run, command: list[str]) -> None:
    assert "first:COUNT: the first numbers alone; default: power:2" in help_of(run, *command)


def test_describe(run: Run) -> None:
    code, out, _ = run("describe", "1-9", "10", "--grammar", "additive", "--need", "first:010", "--json")
    document = json.loads(out)
    assert code == 0
    assert (document["grammar"], document["need"], document["average_complexity"]) == ("additive", "first:10", 1.0)
    assert document["expressions"]["10"] == "10"
    assert document["expressions"]["12"] == "1 * 10 + 2"
    assert document["expressions"]["19"] == "1 * 10 + 9"
    assert document["gap"] == 0


def test_languages(run: Run) -> None:
    code, out, _ = run("languages", "French", "--need", "first:3", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["additive"]["expressions"]["10"] == "10"
    assert document["additive"]["expressions"]["97"] == "4 * 20 + 1 * 10 + 7"
    assert document["additive"]["said"] == 1


def test_a_language_that_subtracts_has_no_way() -> None:
    assert find_language("Yoruba").expressions("hurford", 44) is not None
    assert find_language("Yoruba").expressions("additive", 44) is None


def test_evolve_takes_them() -> None:
    config = config_of(EvolutionOptions(grammar="additive", need="first:5"))
    assert (config["grammar"], config["need"]) == ("additive", "first:5")


def test_refusals(run: Run) -> None:
    for command in ("describe 1 2", "frontier", "evolve"):
        code, _, err = run(*command.split(), "--grammar", "latin")
        assert code == 2
        assert "choose one of modified, hurford" in err
        assert ", additive, " in err
    for spec, sentence in (
        ("zipf", "write power:A, exp:RATE, uniform"),
        ("zipf", " or first:COUNT."),
        ("first:none", "'first:none' is not a need distribution; after first: comes a positive integer."),
    ):
        code, out, err = run("describe", "1", "2", "--need", spec)
        assert (code, out) == (2, "")
        assert sentence in err
    code, _, err = run("describe", "none", "1,2")
    assert code == 2
    assert "additive allows none" in err


def test_values() -> None:
    need = Need.parse("first:2")
    assert need.fractions(4) == (Fraction(1, 2), Fraction(1, 2), 0, 0)
    assert need.weights(4).tolist() == [0.5, 0.5, 0, 0]
    assert pickle.loads(pickle.dumps(need)) == need
    assert not minimal_language(NumeralSystem.parse("2 | 3", "additive"), 4).covers
