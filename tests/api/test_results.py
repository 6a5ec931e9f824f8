"""Results: what they say, their tables, and runs from a script."""

import json
import math
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pandas as pd
import pytest
import vl_convert

import ishango
from ishango.api import Selection, Survey
from ishango.api._runs import _told
from ishango.cli import main
from ishango.cli._describe import Describe
from ishango.cli._frontier import Frontier as FrontierCommand
from ishango.errors import RequestError, RunWarning
from ishango.evolution import EvolutionOptions
from ishango.frontiers import Problem
from ishango.game import GameOptions
from ishango.generations import GenerationOptions, Generations
from ishango.lab import read_rounds, run
from ishango.numerals import DEFAULT_GRAMMAR

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
    with pytest.raises(RequestError, match="no size 9 among those that were asked for, 2-5"):
        found[9]


@pytest.mark.parametrize(("grammar", "top"), [("hurford", 2.1), ("modified", 2.9)])
def test_the_figure_of_a_frontier_has_all_its_points(grammar, top):
    found = ishango.frontier(range(2, 7), grammar=grammar)
    drawn = json.dumps(found.figure("core").to_dict())
    assert top - 0.1 < found.to_frame()["average_complexity"].max() < top
    assert f'"domain": [1, {top}]' in drawn


def test_sizes_have_whole_ticks_however_few_they_are():
    run = ishango.evolve("1-3 | 4", rounds=3, choose="coin", progress=False)
    for chart in (run.figure(), ishango.frontier("2-4").figure(False)):
        drawn = ElementTree.fromstring(vl_convert.vegalite_to_svg(chart.to_dict()))
        [axis] = [each for each in drawn.iter() if "X-axis" in each.get("aria-label", "")]
        labels = [each for each in axis.iter() if "role-axis-label" in each.get("class", "")]
        texts = [text for label in labels for text in label.itertext() if text.strip()]
        assert len(texts) > 1
        assert all(text.isdecimal() for text in texts)


def test_what_is_drawn_beside_the_frontier_may_be_text_or_one_alone():
    found = ishango.frontier([4, 5], grammar="hurford")
    french, system = ishango.find_language("French"), ishango.NumeralSystem.parse("1-4 | 5")
    for beside, name in (
        ("1-4 5", "1-4 | 5"),
        (["1-4 | 5", french], "1-4 | 5"),
        (system, "1-4 | 5"),
        (french, "French"),
    ):
        assert found.languages("core", beside=beside)["language"].iloc[0] == name
        assert found.figure(False, beside=beside).to_dict()["hconcat"]
    for wrong in (5, [5], "French"):
        with pytest.raises(RequestError):
            found.figure(False, beside=wrong)
    with pytest.raises(RequestError, match=r"a human language is ishango.find_language\('French'\)"):
        ishango.describe("French")


def test_languages_and_systems_are_taken_in_every_notation():
    french, system = ishango.find_language("French"), ishango.NumeralSystem.parse("1-9 | 10")
    for source in (french, [french], ["French"], pd.Series(["French"])):
        assert ishango.survey(source).to_frame()["language"].tolist() == ["French"]
    lexicon = (system.digits, system.multipliers)
    notations = ([lexicon], [system], ["1-9 | 10"], system, "1-9 | 10")
    first, *others = (ishango.typology(mechanisms={"tens": each}).table for each in notations)
    assert all(each.equals(first) for each in others)
    begun = ishango.evolve(french, rounds=0, choose="drift")
    assert str(begun.system) == str(french.system)
    assert "0, 0 alternatives kept" in repr(begun)
    once = replace(begun, rounds=({**begun.rounds[0], "accepted": True},))
    assert "0, 1 alternative kept" in repr(once)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: ishango.survey([5]), "A survey is of languages"),
        (lambda: ishango.typology(mechanisms={"a": [5]}), "A lexicon is a system"),
        (lambda: ishango.typology(mechanisms={"a": 5}), "A lexicon is a system"),
        (lambda: ishango.typology(mechanisms={"a": [(9, 10)]}), "A lexicon is a system"),
        (lambda: ishango.frontier([]).figure(), "has no sizes here"),
        (ishango.load_runs, "There is nothing to load"),
        (lambda: ishango.describe(5, grammar="hurford"), r"text such as 1-9,11 \| 10 is needed; 5 is none"),
        (lambda: ishango.costs_of(ishango.find_language("Pirahã")), "Pirahã has no digits and multipliers"),
        (lambda: ishango.costs_of(ishango.find_language("Acheron")), "Acheron.* is outside the grammar for 50"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_a_sentence(call, told):
    with pytest.raises(RequestError, match=told):
        call()


@pytest.mark.parametrize(
    ("experiment", "drawn"),
    [("evolution", True), ("generations", True), ("kinds", False), ("kinds-generations", False), ("restricted", False)],
)
def test_a_run_of_any_experiment_draws_itself_or_says_why_not(experiment, drawn):
    choose = {"choose": "coin"} if experiment in ("evolution", "kinds") else {}
    tiny = {"steps": 5, "game": {"hidden": 4, "batch": 4}} if experiment == "restricted" else {}
    played = ishango.play(experiment, rounds=1, **choose, **tiny)
    if drawn:
        assert "layer" in played.figure().to_dict()
    else:
        with pytest.raises(RequestError, match="no path in it"):
            played.figure()


def test_in_memory_and_in_a_directory_a_run_is_the_same(tmp_path):
    here = ishango.evolve(7, **SMALL)
    there = ishango.evolve(7, tmp_path / "run", **SMALL)
    assert plain(here.rounds) == plain(there.rounds) == plain(read_rounds(tmp_path / "run"))
    assert here.system == there.system
    assert (here.agents.speaker.value == there.agents.speaker.value).all()
    assert here.directory is None
    assert "in memory" in repr(here)
    assert str(tmp_path) in repr(there)


def test_runs_of_every_experiment_print_alike():
    shown = str(ishango.play("evolution", start=7, rounds=2, choose="drift"))
    assert re.search(r"^average complexity +\d\.\d{6}$", shown, re.MULTILINE)
    assert not re.search(r"\de-\d|\.\d{7}", shown)
    assert "drift decides" in str(ishango.evolve(7, rounds=2, choose="coin"))


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
    with pytest.raises(RequestError, match=r"There is no option step \(did you mean steps\?\); there are"):
        ishango.evolve(7, step=4)
    with pytest.raises(RequestError, match=r"did you mean game\.hidden\?"):
        ishango.evolve(7, game={"hiden": 4})
    with pytest.raises(RequestError, match=r'Invalid value .*; text needs quotes, as in choose = "drift"\.'):
        ishango.sweep("[base]\nchoose = drift\n", "nowhere")
    with pytest.raises(RequestError, match=r"choose is 'committee', but must be bandit, drift.* or \w+\.$"):
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
        ("cosinus", {"upto": 20}, "leave out grammar and upto"),
    ],
)
def test_a_survey_that_cannot_be_made_is_refused(source, options, sentence):
    with pytest.raises(RequestError, match=sentence):
        ishango.survey(source, **options)


NEITHER = "is named by text or by a Path; .* is neither"


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda _: EvolutionOptions(rounds="a"), "rounds is 'a', but must be between 0 and"),
        (lambda _: EvolutionOptions(rounds=None), "rounds is None, but must be between 0 and"),
        (lambda _: EvolutionOptions(seed=1.5), "seed is 1.5, but must be an integer, 0 or more"),
        (lambda _: EvolutionOptions(word="a"), "word is 'a', but must be 0 or more"),
        (lambda _: EvolutionOptions(choose=["coin"]), r"choose is \['coin'\], but must be bandit"),
        (lambda _: EvolutionOptions(choose="coinn"), r"or \w+ \(did you mean coin\?\)\.$"),
        (lambda _: EvolutionOptions(reset_optimiser="no"), "reset_optimiser is 'no', but must be True or False"),
        (lambda _: EvolutionOptions(game=3), "game is 3, but must be GameOptions"),
        (lambda _: EvolutionOptions(upto="99"), "The range is '99'; it must be an integer"),
        (lambda _: GameOptions(hidden="a"), "hidden is 'a', but must be between 1 and"),
        (lambda _: GenerationOptions(bottleneck=2.5), "bottleneck is '2.5', but must be between 1 and"),
        (lambda _: ishango.play("generations", bottleneck=2.5), "bottleneck is 2.5, but must be a text or an integer"),
        (lambda _: ishango.describe("1-9 | 10", upto=True), "The range is True; it must be an integer"),
        (lambda at: ishango.sweep({"base": {}}, at), "A plan is TOML, as text or in a file, a name or a Plan; {'base"),
        (lambda _: ishango.sweep("base = {choose = 'coin'}\n", None), NEITHER),
        (lambda _: ishango.load_runs([]), NEITHER),
        (lambda _: ishango.load_runs(None), NEITHER),
        (lambda _: ishango.selection(None), NEITHER),
        (lambda _: ishango.typology(3), NEITHER),
        (lambda _: ishango.read_languages(None), NEITHER),
        (lambda _: ishango.load_table(None), NEITHER),
        (lambda _: ishango.evolve(7, out=3, rounds=0, choose="coin"), NEITHER),
        (lambda at: ishango.archive(None, at / "runs.tar.xz"), NEITHER),
        (lambda at: ishango.unarchive(None, at), NEITHER),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_in_a_sentence(call, told, tmp_path):
    with pytest.raises(RequestError, match=told) as refused:
        call(tmp_path)
    assert "--" not in str(refused.value)


def test_an_empty_file_is_no_table(tmp_path):
    for text in ("", "\n\n"):
        (tmp_path / "rounds.csv").write_text(text)
        with pytest.raises(RequestError, match=r"rounds\.csv is not a table \(it is empty\)"):
            ishango.load_table(tmp_path / "rounds.csv")


def test_a_table_that_a_selection_does_not_have_is_refused_with_those_it_has():
    nothing = Selection(pd.DataFrame(), {"ends": pd.DataFrame(), "judges": pd.DataFrame()})
    with pytest.raises(RequestError, match=r"no table 'judge' \(did you mean judges\?\); choose one of ends, judges"):
        nothing["judge"]


def test_a_survey_without_languages_says_so():
    nothing = ishango.survey([])
    assert "languages  0" in repr(nothing)
    for ask in (nothing.by_family, nothing.figure):
        with pytest.raises(RequestError, match="No language of this survey is measured"):
            ask()


def test_a_survey_leaves_out_languages_whose_numerals_end_below_the_last_ten():
    to_fifty = replace(ishango.find_language("English"), highest=50)
    assert [len(ishango.survey([to_fifty], upto=upto).languages) for upto in (49, 50, 59, 60)] == [1, 1, 1, 0]


def test_a_survey_leaves_out_languages_with_words_above_the_range():
    assert [len(ishango.survey(["Tommo So"], upto=upto).languages) for upto in (79, 80)] == [
        0,
        1,
    ]  # it has a word for 80


def test_two_hundred_languages_have_a_place_for_their_names():
    rows = [(f"Language {n}", 9 + n % 5, 1.5 + n / 500, 1.5) for n in range(201)]
    languages = pd.DataFrame(rows, columns=["language", "size", "said", "shortest"])
    for many, counted in ((200, False), (201, True)):
        chart = json.dumps(Survey("own", Problem(), languages[:many]).figure().to_dict())
        assert ("such_as" in chart) is counted


def test_the_gap_of_what_is_said_is_never_that_of_the_shortest():
    table = ishango.survey("table", grammar="hurford").to_frame().set_index("language")
    assert table.said.isna().any()
    assert (table.gap_said.isna() == table.said.isna()).all()
    assert table.gap_shortest.notna().all()
    assert "gap" not in table
    assert table.loc[["Danish", "Yoruba", "Haida", "English"], "outside"].tolist() == ["50-99", "45-99", "", ""]


def test_figures_of_a_survey_do_not_mix_what_is_said_with_the_shortest():
    danish = ishango.survey([ishango.find_language("Danish")])
    with pytest.raises(RequestError, match="is not known"):
        danish.figure()
    averages = {round(row["average_complexity"], 9) for rows in danish.figure("shortest").to_dict()["datasets"].values()
                for row in rows if row.get("label") == "Danish"}  # fmt: skip
    assert averages == {round(danish.to_frame()["shortest"][0], 9)}


def test_the_frontier_below_a_survey_reaches_its_largest_language():
    french = ishango.survey(["French"])
    rows = [
        row for rows in french.figure().to_dict()["datasets"].values() for row in rows if "average_complexity" in row
    ]
    size = french.to_frame()["size"][0]
    line = [row["size"] for row in rows if "label" not in row]
    assert max(line) == size


def test_many_languages_are_the_worlds_by_default_and_one_grammar_is_everybodys():
    found = ishango.survey()
    assert len(found.to_frame()) > 2_800
    assert found.problem.grammar == ishango.describe("1-9 | 10").system.grammar == ishango.frontier(3).problem.grammar
    assert found.problem.grammar == DEFAULT_GRAMMAR.name
    commands = (Describe(), FrontierCommand(), EvolutionOptions(), GenerationOptions())
    assert {each.grammar for each in commands} == {DEFAULT_GRAMMAR.name}


def test_the_plane_has_the_worlds_languages_as_counts():
    frontier = ishango.frontier("9-11")
    world, core = frontier.languages(), frontier.languages("core")
    assert len(core) == 61
    assert len(world) > 2_800
    assert world["language"].tolist()[:61] == core["language"].tolist()
    assert (world["glottocode"] != "").mean() > 0.99
    points = {
        which: [row for rows in frontier.figure(which).to_dict()["datasets"].values() for row in rows if "label" in row]
        for which in ("core", True)
    }
    assert max(row["languages"] for row in points[True]) > 1_000
    assert {row["label"] for row in points[True]} <= {*core["language"], ""}
    assert max(row["languages"] for row in points["core"]) < 40
    own = frontier.languages(beside=[ishango.Language("English", ishango.NumeralSystem.parse("1-9 | 10"))])
    assert own["language"].tolist().count("English") == 1
    with pytest.raises(RequestError, match="languages is 'all'"):
        frontier.figure("all")


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
    with pytest.raises(RequestError, match="'x' in 'x' is not a size"):
        ishango.frontier("x")
    for wrong in ("2", 0, 1.5):
        with pytest.raises(RequestError, match="multipliers leaves no numeral system"):
            ishango.frontier(3, upto=9, max_multipliers=wrong)
    for wrong in ("2", 0, math.nan):
        with pytest.raises(RequestError, match="The time limit is"):
            ishango.frontier(3, upto=9, time_limit=wrong)


@pytest.mark.parametrize("wrong", [3, [3]])
def test_what_is_no_need_grammar_or_name_is_refused_in_one_sentence(wrong):
    for verb in (ishango.describe, ishango.costs_of, ishango.gap):
        with pytest.raises(RequestError, match="is not a need distribution"):
            verb("1-9 | 10", need=wrong)
    for verb, given in ((ishango.describe, "1-9 | 10"), (ishango.frontier, 3), (ishango.survey, "table")):
        with pytest.raises(RequestError, match="There is no grammar"):
            verb(given, grammar=wrong)
    with pytest.raises(RequestError, match="There is no language"):
        ishango.find_language(wrong)


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
    for name in ("rounds.csv", "rounds.parquet"):
        assert main(["table", str(tmp_path), "--out", str(tmp_path / name)]) == 0
        assert sorted(ishango.load_table(tmp_path / name)["bottleneck"].unique()) == [20, 100, math.inf]
    with pytest.raises(RequestError, match="nothing to load; name directories"):
        ishango.load_runs()


def test_a_size_that_is_asked_for_twice_is_one_size():
    assert [point.size for point in ishango.frontier([3, 2, 3])] == [3, 2]


def test_one_step_is_one_step():
    shown = ishango.costs_of("1-9 | 10").facts()
    assert shown["changes of base"] == "1 step"
    assert shown["states"] == "4 states"


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
    there = ishango.play(experiment, out=tmp_path, rounds=2, progress=False, **options)
    timed = ["seconds", "steps_per_second"]
    tables = [run.to_frame().drop(columns=timed, errors="ignore").astype(str) for run in (here, there)]
    assert tables[0].equals(tables[1])
    assert here.config == there.config
    assert ishango.lab.RunView(tmp_path).experiment == experiment == here.experiment
    with pytest.raises(TypeError):  # no directory called "7", where `evolve` would take a start
        ishango.play(experiment, "7", rounds=2)
    assert "in memory" in str(here)


def test_an_experiment_or_option_that_is_not_there_is_refused():
    with pytest.raises(RequestError, match="generations"):
        ishango.play("generation")
    with pytest.raises(RequestError, match="There is no experiment '3'"):
        ishango.play(3)
    for wrong in ("nowhere:KIND", "json:dumps", "json:absent", ":KIND"):
        with pytest.raises(RequestError, match=f"The name {wrong} leads to no experiment"):
            ishango.play(wrong)
    with pytest.raises(RequestError, match="no option wheels"):
        ishango.play("generations", wheels=4)


@pytest.mark.parametrize(
    ("experiment", "options", "unread"),
    [
        ("generations", {"lose": "random", "bottleneck": 20}, "bottleneck"),
        ("generations", {"agents": "ideal", "steps": 20}, "steps"),
        ("kinds-generations", {"lose": "random", "bottleneck": 20}, "bottleneck"),
        ("restricted", {"game": {"effort": 0.2}}, "game.effort"),
        ("kinds", {"choose": "coin", "judge": "q"}, "judge"),
    ],
)
def test_an_option_that_nothing_reads_is_refused_as_commands_refuse_it(experiment, options, unread):
    with pytest.raises(RequestError, match=f"{unread} changes nothing here, because"):
        ishango.play(experiment, rounds=1, progress=False, **options)


def test_a_copy_of_a_run_counts_once_wherever_runs_are_loaded(tmp_path):
    ishango.evolve(7, tmp_path / "a", rounds=3, choose="coin", progress=False)
    shutil.copytree(tmp_path / "a", tmp_path / "copy")
    ishango.evolve(7, tmp_path / "other", rounds=3, choose="coin", seed=1, progress=False)
    with pytest.warns(RunWarning, match=r"Left out: 1 run \(copies of others"):
        found = ishango.load_runs(tmp_path)
    assert sorted(set(found["run"])) == ["a", "other"]


def test_an_answer_names_a_group_by_what_it_has():
    table = pd.DataFrame({"choose": ["bandit", "law"], "judge_noise": [math.nan, 0.004]})
    told = list(_told(table, ["choose", "judge_noise"], lambda _: ("numbers", "an answer")))
    assert told == ["Agents: numbers; an answer.", "Costs alone, judge_noise 0.004: numbers; an answer."]
