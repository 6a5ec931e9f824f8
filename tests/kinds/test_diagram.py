"""The phase diagram: cells, resuming, human languages and the commands."""

import json
from dataclasses import replace

import pandas as pd
import pytest

from ishango.cli import main
from ishango.errors import RequestError
from ishango.kinds import LAW as LAW_THAT_SHIPS
from ishango.kinds import Grid, Law, OpenSystem, costs, diagram, human_systems, human_table, optimum, shipped_diagram
from ishango.kinds._diagram import row_of

GRID = Grid.spread((1.0, 100.0), (0.01, 0.3), 3)
LAW = Law(upto=20)


def test_a_diagram_is_what_single_optima_are_and_goes_on(tmp_path):
    cells = diagram(LAW, GRID, tmp_path)
    assert len(cells) == 9
    for row in cells.to_dict("records"):
        alone = optimum(Law(precision=row["precision"], word=row["word"], upto=20))
        assert row["cost"] <= alone.costs.total + 1e-9
        assert row["lower"] <= row["cost"]
    (tmp_path / "rows" / "001.json").unlink()
    cut = tmp_path / "rows" / "002.json"
    cut.write_bytes(cut.read_bytes()[:-20])  # cannot be read, and is computed again
    before = (tmp_path / "rows" / "000.json").stat().st_mtime_ns
    pd.testing.assert_frame_equal(diagram(LAW, GRID, tmp_path), cells)
    assert (tmp_path / "rows" / "000.json").stat().st_mtime_ns == before
    edited = cut.read_text().replace('"size": ', '"size": 1')  # so is what somebody has changed
    assert edited != cut.read_text()
    cut.write_text(edited)
    pd.testing.assert_frame_equal(diagram(LAW, GRID, tmp_path), cells)
    with pytest.raises(RequestError, match="holds a diagram of other options"):
        diagram(Law(upto=20, effort=0.5), GRID, tmp_path)


def test_human_languages_against_chance(tmp_path):
    table = human_table(LAW, diagram(LAW, GRID, tmp_path), draws=20, which="core")
    assert {"recursive", "approximate", "exact restricted"} == set(table["kind"])
    assert (table["excess"] >= -1e-9).all()
    assert (table["chance_excess"] > table["excess"]).mean() > 0.8
    assert table["share_near"].between(0, 1).all()


def test_how_far_a_language_is_from_the_best_is_counted_above_one_symbol(tmp_path):
    cells = diagram(LAW, GRID, tmp_path)
    table = human_table(LAW, cells, draws=1).set_index("language")
    excesses = []
    for cell in cells.to_dict("records"):
        law = Law(precision=cell["precision"], word=cell["word"], upto=20)
        found = costs(OpenSystem.parse("1-9,11 | 10"), law)
        excesses.append((found.total - law.effort) / (cell["cost"] - law.effort) - 1)
    assert table.loc["English", "excess"] == pytest.approx(min(excesses))
    assert table.loc["English", "size"] == 11


def test_the_worlds_languages_stand_beside_those_that_were_checked_by_hand():
    core, world = (human_systems(Law(), which) for which in ("core", "world"))
    tens = OpenSystem.parse("1-9 | 10")
    assert [each.system for each in world][: len(core)].count(tens) == 1
    counts = {row.system: len(row.speakers) for row in world}
    assert counts[tens] > 1_000
    names = [each.name for row in world for each in row.speakers]
    assert len(names) > 3_000
    assert all(each.highest is None or each.highest >= 50 or each.highest <= 5
               for row in world for each in row.speakers if hasattr(each, "highest"))  # fmt: skip
    codes = [each.glottocode for row in core for each in row.speakers]
    assert all(codes)


def test_languages_are_measured_under_the_grammar_of_the_law():
    names = {
        grammar: {each.name for row in human_systems(Law(upto=20, grammar=grammar)) for each in row.speakers}
        for grammar in ("modified", "hurford")
    }
    systems = {
        each[2].grammar for each in human_systems(Law(upto=20, grammar="hurford")) if hasattr(each[2], "grammar")
    }
    assert systems == {"hurford"}
    assert names["modified"] <= names["hurford"]


def test_the_diagram_that_ships_is_that_of_the_command():
    cells = shipped_diagram()
    assert cells.shape[0] == 1600
    by_precision = dict(list(cells.groupby("precision")))
    for precision in list(by_precision)[3::30]:
        rows = by_precision[precision].to_dict("records")
        found = row_of(replace(LAW_THAT_SHIPS, precision=precision), [row["word"] for row in rows])
        sums = ("length", "error", "cost", "lower")  # whose last bits depend on the machine
        assert [{**row, **dict.fromkeys(sums)} for row in found] == [{**row, **dict.fromkeys(sums)} for row in rows]
        for name in sums:
            assert [row[name] for row in found] == pytest.approx([row[name] for row in rows], abs=1e-9)


def test_the_commands(tmp_path, capsys):
    assert main(["kinds", "describe", "1-4,7,16", "--precision", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == "approximate"
    assert found["said"][-1] == {"said": 16, "numbers": "12-50"}
    assert main(["kinds", "optimum", "--precision", "100", "--word", "0.1", "--range", "20"]) == 0
    assert "recursive" in capsys.readouterr().out
    out = tmp_path / "out"
    words = ["kinds", "diagram", "--out", str(out), "--cells", "2", "--range", "12"]
    assert main([*words, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["cells"]) == 4
    assert main(words) == 0
    for name in ("kinds.csv", "kinds.svg", "languages.csv"):
        assert (out / name).stat().st_size > 100
    capsys.readouterr()
    for wrong in (
        ["kinds", "fly"],
        ["kinds", "describe", "x"],
        [*words, "--cells", "0"],
        [*words, "--words", "2", "1"],
        [*words, "--precision", "77"],
        [*words, "--word", "5"],
    ):
        assert main(wrong) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("grammar", ["modified", "hurford"])
def test_what_costs_nothing_is_proved(capsys, grammar):
    assert main(["kinds", "optimum", "--word", "0", "--effort", "0", "--range", "10", "--grammar", grammar]) == 0
    assert "proved: no system costs less" in capsys.readouterr().out


def test_where_an_optimum_goes_is_tried_before_it_is_searched(tmp_path, capsys, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("ishango.kinds.optimum", lambda _: pytest.fail("it was begun"))
    assert main(["kinds", "optimum", "--out", str(tmp_path / "file")]) == 2
    assert "choose another directory" in capsys.readouterr().err
