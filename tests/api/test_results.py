"""Results: what they say, their tables, and runs from a script."""

import json

import pandas as pd
import pytest

import ishango
from ishango.api import Survey
from ishango.errors import RequestError
from ishango.frontiers import Problem
from ishango.game import GameOptions
from ishango.lab import read_rounds

SMALL = {"rounds": 3, "steps": 20, "game": {"hidden": 4, "batch": 4}}


def plain(records):
    return [{**record, "seconds": 0, "steps_per_second": 0} for record in map(dict, records)]


def test_a_description_prints_and_tables():
    found = ishango.describe("1-9,11 | 10")
    assert found.size == 11
    assert round(found.average_complexity, 6) == 1.193660
    assert "average complexity  1.193660 (need power:2)" in repr(found)
    table = found.to_frame()
    assert list(table.columns) == ["number", "expression", "complexity", "ties"]
    assert table.set_index("number").loc[21].tolist() == ["1 * 10 + 11", 5, 3]
    assert "<table" in found._repr_html_()


def test_a_language_and_another_grammar():
    french = ishango.find_language("French")
    assert ishango.describe(french, grammar="hurford").system.grammar == "hurford"
    assert ishango.describe(french.system).system == french.system
    with pytest.raises(RequestError, match="Pirahã has no digits and multipliers"):
        ishango.describe(ishango.find_language("Piraha"))


def test_what_a_system_cannot_say_is_said():
    assert "85 of them without expression" in repr(ishango.describe("2 | 10"))
    assert ishango.describe("2 | 10").average_complexity is None


def test_html_is_escaped():
    found = ishango.describe("1-9 | 10")
    object.__setattr__(found, "need", "<script>")
    assert "<script>" not in found._repr_html_()


def test_the_frontier_prints_tables_and_draws():
    found = ishango.frontier(range(2, 6), grammar="hurford")
    assert found.proved
    assert len(found) == 4
    assert [point.size for point in found] == [2, 3, 4, 5]
    assert "proved    4 of 4" in repr(found)
    assert found.to_frame()["average_complexity"].round(6).tolist()[:2] == [2.012362, 1.603689]
    assert found.figure().to_dict()["hconcat"]
    with pytest.raises(KeyError):
        found[9]


def test_in_memory_and_in_a_directory_a_run_is_the_same(tmp_path):
    here = ishango.evolve(7, **SMALL)
    there = ishango.evolve(7, tmp_path / "run", **SMALL)
    assert plain(here.rounds) == plain(there.rounds) == plain(read_rounds(tmp_path / "run"))
    assert here.system == there.system
    assert (here.agents.speaker.value == there.agents.speaker.value).all()
    assert here.directory is None
    assert "in memory" in repr(here)
    assert str(tmp_path) in repr(there)


def test_a_run_goes_on(tmp_path):
    ishango.evolve(7, tmp_path / "run", **SMALL)
    longer = ishango.evolve(7, tmp_path / "run", **{**SMALL, "rounds": 5})
    assert plain(longer.rounds) == plain(ishango.evolve(7, **{**SMALL, "rounds": 5}).rounds)
    with pytest.raises(RequestError, match="only rounds may change"):
        ishango.evolve(7, tmp_path / "run", **{**SMALL, "rounds": 5, "seed": 1})


def test_options_may_be_given_in_three_ways(tmp_path):
    options = ishango.EvolutionOptions(start="7", rounds=2, choose="coin", upto=60, game=GameOptions(upto=40))
    by_object = ishango.evolve(options, tmp_path / "a")
    game = GameOptions(upto=40)
    by_name = ishango.evolve(ishango.STARTS[6], tmp_path / "b", rounds=2, choose="coin", upto=60, game=game)
    by_config = ishango.evolve("7", rounds=2, choose="coin", range=60, game={"range": 40})
    assert plain(by_object.rounds) == plain(by_name.rounds) == plain(by_config.rounds)
    assert json.loads((tmp_path / "a" / "run.json").read_text())["config"]["game"]["range"] == 40


def test_a_wrong_option_is_one_sentence():
    with pytest.raises(RequestError, match="There is no option wheels"):
        ishango.evolve(7, wheels=4)
    with pytest.raises(RequestError, match=r"choose is 'committee', but must be bandit, coin.* or "):
        ishango.evolve(7, choose="committee")


def test_a_sweep_and_its_table(tmp_path):
    plan = "[base]\nrounds = 2\nchoose = 'coin'\n[vary]\nstart = [1, 7]\n"
    found = ishango.sweep(plan, tmp_path / "sweep", workers=1)
    assert "played  2" in repr(found)
    assert not found.failed
    table = ishango.load_runs(tmp_path / "sweep")
    assert len(table) == 6
    assert set(table["run"]) == {"start=1", "start=7"}
    assert found.to_frame().equals(table)
    (tmp_path / "plan.toml").write_text(plan)
    assert len(ishango.sweep(tmp_path / "plan.toml", tmp_path / "sweep").results) == 0


@pytest.mark.parametrize("progress", [True, False])
def test_progress_bars(tmp_path, capsys, progress):
    ishango.evolve(7, rounds=2, choose="coin", progress=progress)
    ishango.sweep("[base]\nrounds = 1\nchoose = 'coin'\n", tmp_path / "sweep", workers=1, progress=progress)
    assert ("100%" in capsys.readouterr().err) is progress


def test_figures_have_the_frontier_that_was_played():
    chart = ishango.evolve(7, rounds=3, choose="coin", grammar="hurford").figure().to_dict()
    averages = [row["average_complexity"] for rows in chart["datasets"].values() for row in rows if "run" not in row]
    assert round(min(averages), 3) < 1.4
    assert 2.012362 in [round(each, 6) for each in averages]


def test_other_results_are_readable_too():
    language = ishango.minimal_language(ishango.NumeralSystem.parse("1-9 | 10"))
    assert repr(language) == "<minimal language of 1-9 | 10 (modified) over 1 to 99>"
    assert language.upto == 99
    assert repr(ishango.frontier([4])[4]) == "<size 4: 1-3 | 4, average complexity 1.659265, proved>"


def test_a_survey_has_averages_of_what_is_known():
    """Costs of one's own languages may not be known: then a column is all None, or not there."""
    rows = [("A", 10, 1.5, None), ("A", 12, None, None), ("B", 9, 2.0, None)]
    languages = pd.DataFrame(rows, columns=["family", "size", "said", "gap"])
    families = Survey("own", Problem(), languages).by_family().set_index("family")
    assert families.loc["A", ["languages", "size", "said"]].tolist() == [2, 11, 1.5]
    assert families[["gap", "irregularity"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("source", "options", "sentence"),
    [
        ("cosinuss", {}, "source is 'cosinuss', but must be table, cosinus"),
        ("cosinus", {"grammar": "modified"}, "CoSiNuS is measured under Hurford's grammar over 1 to 99"),
        ("cosinus", {"upto": 20}, "leave grammar and upto away"),
    ],
)
def test_a_survey_that_cannot_be_made_is_refused(source, options, sentence):
    with pytest.raises(RequestError, match=sentence):
        ishango.survey(source, **options)


def test_a_survey_without_languages_says_so():
    nothing = ishango.survey([])
    assert "languages  0" in repr(nothing)
    for ask in (nothing.by_family, nothing.figure):
        with pytest.raises(RequestError, match="No language of this survey is measured"):
            ask()
