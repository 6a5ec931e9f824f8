"""Grammars without an entry: rules that are written out, and files."""

import json

import pytest

from ishango.cli import main
from ishango.errors import RequestError
from ishango.evolution import EvolutionOptions
from ishango.frontier import Problem
from ishango.numerals import GRAMMARS, NumeralSystem, as_grammar, minimal_language


@pytest.fixture
def file(tmp_path):
    """Writes a grammar, gives its path."""

    def write(text: str) -> str:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_rules_tell_their_name_and_a_name_its_rules():
    for flags in ((), ("plus",), ("bare_number", "plus"), ("bare_number", "bare_phrase", "minus")):
        grammar = as_grammar("rules:" + ("+".join(flags) or "none"))
        assert [name for name, there in grammar.flags._asdict().items() if there] == list(flags)
        assert as_grammar(grammar.name) == grammar
        assert as_grammar("rules:" + ("+".join(reversed(flags)) or "none")) == grammar
        assert grammar.name in GRAMMARS


def test_rules_of_a_grammar_with_a_name_stay_written_out():
    """Else a run would be another one as soon as somebody gives its rules a name."""
    grammar = as_grammar("rules:minus+plus+bare_phrase+bare_number")
    assert grammar.flags == GRAMMARS["hurford"].flags
    assert grammar.name == "rules:bare_number+bare_phrase+plus+minus"
    assert grammar.name not in list(GRAMMARS)


@pytest.mark.parametrize(
    "name", ["rules:", "rules:plus+", "rules:plus+plus", "rules:sums", "rules:bare_phrase", "Rules:"]
)
def test_what_is_no_choice_of_rules_is_refused(name):
    assert name not in GRAMMARS
    with pytest.raises(RequestError):
        as_grammar(name)


def test_natural_numerals():
    """A multiplier stands alone, but heads no sum unless it is counted."""
    language = minimal_language(NumeralSystem.parse("1-9 | 10", "natural"))
    assert (str(language.expression(10)), str(language.expression(20))) == ("10", "2 * 10")
    assert str(language.expression(12)) == "1 * 10 + 2"
    assert str(minimal_language(NumeralSystem.parse("1-9 | 10", "hurford")).expression(12)) == "10 + 2"


def test_nothing_is_subtracted():
    shorter, longer = (minimal_language(NumeralSystem.parse("1,3 | 4", name)) for name in ("modified", "addition"))
    assert str(shorter.expression(11)) == "3 * 4 - 1"
    assert longer.complexity(11) == 9  # as 1 * 4 + 1 * 4 + 3
    assert "-" not in " ".join(map(str, longer.expressions.values()))


def test_a_file_stands_for_its_rules_wherever_they_are_recorded(file):
    path = file('name = "mine"\nabout = "no differences"\nbare_number = true\nminus = false\n')
    assert NumeralSystem.parse("1-9 | 10", path).grammar == "rules:bare_number+plus"
    assert Problem(path).grammar == EvolutionOptions(grammar=path).grammar == "rules:bare_number+plus"
    assert as_grammar(file("minus = false\n")).flags == GRAMMARS["addition"].flags


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "switches no rule on or off"),
        ("bare_number = 1\n", "is 1; write true or false"),
        ("sums = true\n", "there is no rule 'sums'"),
        ("bare_phrase = true\n", "a phrase but not a numeral"),
        ("bare_number = \n", "cannot be read"),
        ("a = " + "[" * 9000, "cannot be read"),
    ],
)
def test_a_file_that_is_none_is_refused(file, text, said, capsys):
    assert main(["describe", "1", "2", "--grammar", file(text)]) == 2
    assert said in capsys.readouterr().err


def test_a_run_goes_on_without_the_file(file, tmp_path, capsys):
    path, out = file("bare_number = true\nminus = false\n"), tmp_path / "run"
    small = ["--start", "1", "--steps", "3", "--game.hidden", "4", "--game.batch", "4", "--out", str(out)]
    assert main(["evolve", *small, "--grammar", path, "--rounds", "1"]) == 0
    assert json.loads((out / "run.json").read_text())["config"]["grammar"] == "rules:bare_number+plus"
    assert main(["evolve", *small, "--grammar", "rules:bare_number+plus", "--rounds", "2"]) == 0
    (tmp_path / "mine.toml").unlink()
    assert main(["evolve", *small, "--grammar", path, "--rounds", "3"]) == 2
    assert "cannot be read" in capsys.readouterr().err
