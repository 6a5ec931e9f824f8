from __future__ import annotations

import re
from pathlib import Path

import altair as alt
import pandas as pd
import pytest
import vl_convert

from ishango.figures import look
from ishango.figures.look import COLOURS, save
from ishango.figures.plane_figures import (
    _HEIGHT,
    _labels,
    frontier_figure,
    genetic_figure,
    minimal_languages_figure,
    multipliers_figure,
    typology_figure,
    world_plane_figure,
)
from ishango.frontiers import (
    TABLE_4,
    GeneticSettings,
    Problem,
    frontier,
    frontier_table,
    genetic_table,
    minimal_table,
    regularity,
)


def test_every_format_is_written(tmp_path: Path) -> None:
    table = frontier_table(Problem(), frontier(Problem(), range(2, 6)))
    languages = pd.DataFrame(
        {"grammar": "modified", "size": [3, 5], "average_complexity": [2.0, 1.6], "languages": 1, "label": ["A", ""]}
    )
    paths = save(frontier_figure(table, languages), tmp_path, "frontier", table)
    assert [path.suffix for path in paths] == [".pdf", ".svg", ".png", ".html", ".csv"]
    assert paths[0].read_bytes().startswith(b"%PDF")
    assert "unattainable" in paths[1].read_text()
    assert paths[2].read_bytes().startswith(b"\x89PNG")
    assert "<script src=" not in paths[3].read_text()
    assert pd.read_csv(paths[4])["size"].tolist() == [2, 3, 4, 5]


def test_languages_of_ones_own_stand_out() -> None:
    line = pd.DataFrame({"grammar": "modified", "size": [3, 4, 5], "average_complexity": [1.96, 1.66, 1.5]})
    languages = pd.DataFrame(
        {"grammar": "modified", "size": [3, 5, 5], "average_complexity": [2.0, 1.6, 1.7], "languages": 1,
         "label": ["", "", "Mine"], "own": [False, False, True]}
    )  # fmt: skip
    svg = vl_convert.vegalite_to_svg(frontier_figure(line, languages, largest=6).to_dict())
    assert svg.count(f'fill="{COLOURS[1]}"') == 2  # the point and its name
    assert ">Mine<" in svg
    others = vl_convert.vegalite_to_svg(frontier_figure(line, languages.assign(own=False), largest=6).to_dict())
    assert f'fill="{COLOURS[1]}"' not in others
    only = vl_convert.vegalite_to_svg(frontier_figure(line, languages[languages["own"]], largest=6).to_dict())
    assert svg.count(">languages<") == 1
    assert ">languages<" not in only  # nothing that a circle's size would tell


def test_spans_of_multipliers_and_excess_of_the_genetic_algorithm() -> None:
    problem = Problem("hurford")
    points = list(frontier(problem, range(2, 6), every=True))
    optima = frontier_table(problem, points).assign(series="Hurford")
    assert (optima["fewest"].tolist(), optima["most"].tolist()) == ([1, 2, 2, 3], [2, 3, 4, 5])
    chart = multipliers_figure(optima, pd.DataFrame({"multipliers": [1], "languages": [3]})).to_dict()
    svg = vl_convert.vegalite_to_svg(chart)
    assert [svg.count(f'fill="{colour}"') for colour in COLOURS[:2]] == [4, 4]  # the fewest and the most of each size
    excess = genetic_table(problem, points, [0, 1], GeneticSettings(100, 4)).assign(search="Hurford")
    assert (excess["low"] <= excess["above"]).all()
    assert (excess["above"] <= excess["high"]).all()
    genetic_figure(excess).to_dict()


def test_names_are_placed_where_the_points_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    placed: list[pd.DataFrame] = []
    place_above = look.place_above
    monkeypatch.setattr(look, "place_above", lambda points, width: placed.append(points) or place_above(points, width))
    corners = pd.DataFrame({"size": [2, 6], "average_complexity": [1.8, 1.0], "label": ["A", "B"]})
    _labels(corners, alt.X("size:Q"), alt.Y("average_complexity:Q"), (2, 6), 1.8)
    assert placed[0][["px", "py"]].to_numpy().tolist() == [[0, 0], [look.panel_width(2), _HEIGHT]]


def test_the_frontier_of_the_plane_begins_at_the_smallest_language() -> None:
    line = pd.DataFrame({"size": [8, 9, 10], "average_complexity": [1.5, 1.2, 1.1]})
    chart = world_plane_figure(
        line, pd.DataFrame({"language": ["A"], "size": [9], "average_complexity": [1.3]})
    ).to_dict()
    assert [row["size"] for row in chart["datasets"][chart["layer"][0]["data"]["name"]]] == [9, 10]


def test_the_picture_of_mechanisms_is_no_wider_than_the_plane_of_the_world() -> None:
    """Though their names stand beside the axis."""
    line = pd.DataFrame({"size": [9, 10, 11], "average_complexity": [1.3, 1.2, 1.1]})
    plane = world_plane_figure(line, line.assign(language="A"))
    bits = pd.DataFrame(
        {"mechanism": ["a bottleneck of 200 numbers"], "bits": [-13.0], "low": [-14.0], "high": [-12.0]}
    )
    typology = typology_figure(bits)
    widths = [
        float(re.search(r'width="([0-9.]+)"', vl_convert.vegalite_to_svg(each.to_dict()))[1])
        for each in (plane, typology)
    ]
    assert widths[1] <= widths[0]


def test_the_modified_optimum_of_size_12_is_regular() -> None:
    table = minimal_table(TABLE_4)
    changes = regularity(table).set_index("system")["changes"]
    assert changes["modified: 1-11 | 12"] == 1
    assert changes["Hurford (published): 1-3,5,6,9-11,14 | 4,7,25"] > 50
    minimal_languages_figure(table).to_dict()
