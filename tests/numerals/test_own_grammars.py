"""Grammars without an entry: rules that are written out, and files."""

import json

import pytest

from ishango.cli import main
from ishango.errors import RequestError
from ishango.evolution import EvolutionOptions
from ishango.frontiers import Problem
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
    assert grammar.sentence == "a multiplier alone is a phrase"
    assert as_grammar("rules:plus+multiplier_words=2").sentence.endswith("a multiplier costs 2 words")
    assert grammar.name not in list(GRAMMARS)


@pytest.mark.parametrize(
    "name",
    [
        "rules:", "rules:plus+", "rules:plus+plus", "rules:sums", "rules:bare_phrase", "Rules:",
        "rules:multiplier_words=0", "rules:multiplier_words=2+multiplier_words=3", "rules:plus+multiplier_words=100",
    ],
)  # fmt: skip
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


def test_a_multiplier_may_cost_more_than_a_word():
    for name, words in (("natural+", 2), ("natural+3", 3), ("rules:plus+multiplier_words=7", 7)):
        assert NumeralSystem.parse("1-9 | 10,20", name).size == 9 + 2 * words
        assert as_grammar(as_grammar(name).name) == as_grammar(name)
    # All else is as under Hurford's grammar.
    theirs, ours = (minimal_language(NumeralSystem.parse("1-9 | 10", name)) for name in ("hurford", "natural+"))
    assert theirs.expressions == ours.expressions
    assert as_grammar("rules:plus+multiplier_words=1").name == "rules:plus"


def test_records_say_what_a_multiplier_costs():
    assert Problem("natural+").describe()["rules"] == Problem("hurford").describe()["rules"] | {"multiplier_words": 2}
    assert Problem("flat").describe()["rules"] == Problem().describe()["rules"] | {"flat": True}
    assert set(Problem().describe()["rules"]) == {"bare_number", "bare_phrase", "plus", "minus"}  # as always


def test_nothing_is_multiplied_but_words_and_products():
    deep, flat = (minimal_language(NumeralSystem.parse("1,2 | 3", name)) for name in ("modified", "flat"))
    assert str(deep.expression(15)) == "(1 * 3 + 2) * 3"
    assert str(flat.expression(15)) == "2 * 3 + 1 * 3 * 3"
    assert flat.complexity(45) > deep.complexity(45)
    assert not any(each.operator == "*" and each.left and each.left.operator in ("+", "-")
                   for whole in flat.expressions.values() for each in whole.nodes())  # fmt: skip


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
    flat = as_grammar(file("flat = true\nmultiplier_words = 3\n"))
    assert (flat.name, flat.multiplier_words) == ("rules:plus+minus+flat+multiplier_words=3", 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "switches no rule on or off"),
        ("bare_number = 1\n", "is 1; write true or false"),
        ("sums = true\n", "there is no rule 'sums'"),
        ("bare_phrase = true\n", "a phrase but not a numeral"),
        ("bare_number = \n", "cannot be read"),
        ("a = " + "[" * 9000, "cannot be read"),
        ("multiplier_words = 0\n", "costs 0 words; it must be a whole number from 1 to 99"),
        ("multiplier_words = 1.5\n", "multiplier_words is 1.5; write a whole number"),
        ("multiplier_words = true\n", "multiplier_words is True; write a whole number"),
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


@pytest.mark.parametrize("command", [["describe", "1", "2"], ["frontier"], ["evolve", "--out", "o"], ["explore"]])
def test_rules_that_contradict_each_other_are_refused_by_every_command(file, command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([*command, "--grammar", file("bare_phrase = true\n")]) == 2
    assert "a phrase but not a numeral; every phrase is a numeral" in capsys.readouterr().err


def test_a_range_that_nothing_covers_is_refused(file, tmp_path, capsys):
    path = file("plus = false\nminus = false\n")
    assert main(["frontier", "--grammar", path, "--sizes", "2-25"]) == 2
    assert "no frontier at size 2 under the grammar rules:none; sizes run from 26 to" in capsys.readouterr().err
    assert main(["evolve", "--start", "1", "--grammar", path, "--out", str(tmp_path / "o")]) == 2
    assert (
        "no expression for 5 under the grammar rules:none; a start must cover 1..50; without sums and differences"
        in (capsys.readouterr().err)
    )
    assert main(["frontier", "--range", "1", "--sizes", "2"]) == 2
    assert "No lexicon of the grammar modified with words in 1 to 1 covers that range." in capsys.readouterr().err
    assert main(["frontier", "--grammar", file("multiplier_words = 9\n"), "--sizes", "9", "--range", "20"]) == 2
    assert "sizes run from 10 to 28" in capsys.readouterr().err


def test_a_file_is_described_and_proved(file, tmp_path, capsys):
    path, out = file("bare_number = true\nflat = true\nmultiplier_words = 2\n"), str(tmp_path / "proved")
    assert main(["describe", "1-9", "10", "--grammar", path]) == 0
    assert "11 (a multiplier counts for 2)" in capsys.readouterr().out
    assert main(["frontier", "--grammar", path, "--sizes", "2-6", "--range", "30", "--proof", "--out", out]) == 0
    assert main(["check", out]) == 0
    assert json.loads((tmp_path / "proved" / "frontier.json").read_text())["problem"]["rules"]["multiplier_words"] == 2
