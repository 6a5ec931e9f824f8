"""Results: what they say, their tables, and runs from a script."""

import json
import math
import shutil
import subprocess
import sys

import pandas as pd
import pytest

import ishango
from ishango.api import Survey
from ishango.errors import RequestError, RunWarning
from ishango.frontiers import Problem
from ishango.game import GameOptions
from ishango.generations import GenerationOptions, Generations
from ishango.lab import read_rounds, run

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
    with pytest.raises(RequestError, match=r"choose is 'committee', but must be bandit, drift.* or "):
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
    languages = pd.DataFrame(rows, columns=["family", "size", "said", "gap_said"])
    families = Survey("own", Problem(), languages).by_family().set_index("family")
    assert families.loc["A", ["languages", "size", "said"]].tolist() == [2, 11, 1.5]
    assert families[["gap_said", "irregularity"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("source", "options", "sentence"),
    [
        ("cosinuss", {}, "source is 'cosinuss', but must be world, table, cosinus"),
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


def test_the_gap_of_what_is_said_is_never_that_of_the_shortest():
    table = ishango.survey(grammar="hurford").to_frame().set_index("language")
    assert table.said.isna().any()
    assert (table.gap_said.isna() == table.said.isna()).all()
    assert table.gap_shortest.notna().all()
    assert "gap" not in table


@pytest.mark.parametrize("given", ["1-9,11 | 10", ishango.NumeralSystem.parse("1-9,11 | 10"), "English"])
def test_systems_languages_and_text_are_taken_everywhere(given):
    system = ishango.find_language(given) if given == "English" else given
    found = ishango.describe(system)
    assert ishango.measure(system) == found.measures
    assert ishango.gap(system) == found.gap
    assert ishango.average_complexity(system) == found.average_complexity
    assert ishango.minimal_language(system).complexity(21) == found.language.complexity(21)


@pytest.mark.parametrize("verb", [ishango.gap, ishango.measure, ishango.average_complexity, ishango.minimal_language])
@pytest.mark.parametrize("given", [5, None, ishango.find_language("Mundurukú")])
def test_what_is_no_system_is_refused_in_one_sentence(verb, given):
    with pytest.raises(RequestError, match=r"A numeral system, a language or text such as 1-9,11 \| 10 is needed"):
        verb(given)


def test_sizes_are_numbers_or_text():
    assert [point.size for point in ishango.frontier("2-4")] == [2, 3, 4]
    assert [point.size for point in ishango.frontier(5)] == [5]
    for wrong in (2.5, None, [2, "3"]):
        with pytest.raises(RequestError, match="Sizes are whole numbers"):
            ishango.frontier(wrong)


def test_rooms_are_reached_in_a_fresh_process():
    code = "import ishango; print(ishango.numerals.__name__, ishango.generations.__name__, *dir(ishango))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert out[:2] == ["ishango.numerals", "ishango.generations"]
    assert not {"Any", "TYPE_CHECKING", "import_module", "annotations"} & set(out)


def test_bottlenecks_are_numbers(tmp_path):
    for bottleneck in ("20", "100", "all"):
        options = GenerationOptions(start="7", rounds=1, bottleneck=bottleneck)
        run(Generations(options), tmp_path / bottleneck)
    found = ishango.load_runs(tmp_path)
    assert sorted(found["bottleneck"].unique()) == [20, 100, math.inf]


@pytest.mark.parametrize(
    ("experiment", "options"),
    [
        ("generations", {"start": ishango.NumeralSystem.parse("1-3 | 5"), "upto": 9, "game": {"upto": 9}}),
        ("restricted", {"steps": 5, "game": {"upto": 5, "hidden": 4, "batch": 4}}),
        ("kinds", {"choose": "coin"}),
        ("kinds-generations", {}),
    ],
)
def test_every_experiment_is_played_in_memory_and_in_a_directory_alike(tmp_path, experiment, options):
    here = ishango.play(experiment, rounds=2, progress=False, **options)
    there = ishango.play(experiment, tmp_path, rounds=2, progress=False, **options)
    timed = ["seconds", "steps_per_second"]
    tables = [run.to_frame().drop(columns=timed, errors="ignore").astype(str) for run in (here, there)]
    assert tables[0].equals(tables[1])
    assert here.config == there.config
    assert ishango.lab.RunView(tmp_path).experiment == experiment == here.experiment
    assert "in memory" in str(here)


def test_an_experiment_or_option_that_is_not_there_is_refused():
    with pytest.raises(RequestError, match="generations"):
        ishango.play("generation")
    with pytest.raises(RequestError, match="no option wheels"):
        ishango.play("generations", wheels=4)


def test_a_copy_of_a_run_counts_once_wherever_runs_are_loaded(tmp_path):
    ishango.evolve(7, tmp_path / "a", rounds=3, choose="coin", progress=False)
    shutil.copytree(tmp_path / "a", tmp_path / "copy")
    ishango.evolve(7, tmp_path / "other", rounds=3, choose="coin", seed=1, progress=False)
    with pytest.warns(RunWarning, match="Left out: 1 runs that are copies"):
        found = ishango.load_runs(tmp_path)
    assert sorted(set(found["run"])) == ["a", "other"]
