"""A wish that would be passed over in silence is refused."""

import pytest

import ishango
from ishango.cli import main
from ishango.cli._evolve import Evolve
from ishango.errors import RequestError
from ishango.evolution import EvolutionOptions


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("describe 1-9 10 --format csv --tied 9", "--tied means nothing to --format csv"),
        ("describe 1-9 10 --format latex --operators", "--operators means nothing to --format latex"),
        ("describe 1-9 10 --format markdown --need uniform", "--need means nothing to --format markdown"),
        ("languages French --disagreements", "leave out the names"),
        ("languages --disagreements --costs", "--costs means nothing to --disagreements"),
        ("languages --disagreements --need uniform", "--need means nothing to --disagreements"),
        ("languages --disagreements --beside own.csv", "leave out --file and --beside"),
        ("languages French --source world --disagreements", "leave out the names"),
        ("languages --source world --disagreements --costs", "--costs means nothing to --disagreements"),
        ("languages --source world --disagreements --range 20", "--range means nothing to --disagreements"),
        ("languages --source world --disagreements --area Africa", "--area means nothing to --disagreements"),
        ("languages --source world --file own.csv", "leave out --file and --beside"),
        ("languages --source world --import own.csv", "leave out --source"),
        ("languages French --source world --family Mayan", "--family chooses among the languages of a list"),
        ("languages --source cosinus --format csv", "--format is for lists of systems"),
        ("languages --format csv --json", "--json and --format csv exclude each other"),
        ("languages --format csv --costs", "--costs means nothing to --format csv"),
        ("languages --format cldf --out new --need uniform", "--need means nothing to --format cldf"),
        ("languages French --out new", "--out is the directory of --format cldf"),
        ("restricted describe Martuyhunira --kind approximate", "is exact restricted; leave --kind out"),
        ("selection runs --answer --figures new", "--figures means nothing to --answer"),
        ("results --tables new", "give a reproduction and --out FILE"),
        ("evolve 1-9 10 --rounds 0 --choose coin --start 1", "exclude each other"),
        ("evolve 1-9 10 --rounds 0 --choose coin --start=1", "exclude each other"),
        ("evolve 1-9 10 --rounds 0 --choose coin --start 2", "exclude each other"),
        ("frontier --objectives size,irregularity --method genetic --beside own.csv", "--beside is for the objectives"),
        ("explore --export new.html --port 80", "--port means nothing to --export"),
        ("explore --export new.html --host 0.0.0.0", "--host means nothing to --export"),
    ],
)
def test_an_option_that_means_nothing_is_refused(capsys, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    assert main(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [["--preset=able", "--preset", "paper"], ["--preset", "able", "--preset=paper"]])
def test_of_two_presets_the_last_one_counts_however_they_are_written(words):
    asked = Evolve.read("evolve", words)
    assert (asked.preset, asked.game) == ("paper", EvolutionOptions().game)


def test_options_beside_all_options_are_refused():
    with pytest.raises(RequestError, match="leave out rounds"):
        ishango.evolve(EvolutionOptions(choose="coin", rounds=1), rounds=5)
