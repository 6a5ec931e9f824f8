from __future__ import annotations

import altair as alt
import pandas as pd
import pytest
import vl_convert

from ishango.errors import RequestError
from ishango.figures.kinds_figures import (
    restricted_ends_figure,
    restricted_learning_figure,
    restricted_plane_figure,
)
from ishango.figures.look import place_names, save_chart
from ishango.restricted import restricted_frontier_table, restricted_language_table


def svg(chart) -> str:
    return vl_convert.vegalite_to_svg(chart.to_dict())


def test_the_plane_has_all_languages_and_the_agents() -> None:
    frontier, languages = restricted_frontier_table(upto=30), restricted_language_table(upto=30)
    assert languages["languages"].sum() == 30
    plain = svg(restricted_plane_figure(frontier, languages))
    assert all(
        name in plain for name in ("Pirahã", "Mundurukú", "Georgian", "exact restricted", "English and 3 others")
    )
    points = plain.count('aria-roledescription="point"')
    agents = pd.DataFrame({"kind": "approximate", "complexity": [9, 12], "cost": [1.2, 0.9]})
    assert svg(restricted_plane_figure(frontier, languages, agents)).count('aria-roledescription="point"') == points + 2


def test_names_do_not_cover_each_other() -> None:
    points = pd.DataFrame({"label": ["one", "two", "three"], "px": [100, 104, 102], "py": [100, 102, 98]})
    placed = place_names(points, 400, 300)
    assert len(set(zip(placed["align"], placed["dx"], placed["dy"], strict=True))) == 3


def test_names_stay_inside() -> None:
    points = pd.DataFrame({"label": ["a long name"], "px": [395.0], "py": [150.0]})
    (row,) = place_names(points, 400, 300).to_dict("records")
    assert row["align"] == "right"


def test_every_run_is_drawn() -> None:
    runs = [(reward, words, seed) for reward in ("linear", "exact") for words in (2, 3) for seed in range(2)]
    ends = pd.DataFrame(runs, columns=["reward", "vocabulary", "seed"]).assign(gap=0.1, gap_random=1.0)
    picture = svg(restricted_ends_figure(ends.assign(contiguous=ends["seed"] == 0)))
    assert picture.count('aria-roledescription="point"') == len(runs)
    assert picture.count('aria-roledescription="tick"') == 4


def test_learning_curves_have_a_line_a_reward() -> None:
    rows = [
        {
            "run": f"{reward}{seed}",
            "reward": reward,
            "vocabulary": 4,
            "round": n,
            "steps": 10,
            "gap": 1 / (n + 1),
            "size": n,
        }
        for reward in ("linear", "exact")
        for seed in range(3)
        for n in range(4)
    ]
    picture = svg(restricted_learning_figure(pd.DataFrame(rows)))
    assert picture.count('aria-roledescription="line mark"') == 4
    assert "linear" in picture


@pytest.mark.parametrize(("need", "top"), [("power:2.02", 3.5), ("uniform", 7.5)])
def test_no_language_is_left_out_whatever_the_need(need: str, top: float) -> None:
    frontier, languages = restricted_frontier_table([1, 2], need), restricted_language_table(need)
    picture = restricted_plane_figure(frontier, languages).to_dict()
    assert picture["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0, top]
    assert picture["layer"][0]["encoding"]["x"]["scale"]["domain"] == [3, 200]
    drawn = [row for rows in picture["datasets"].values() for row in rows if "languages" in row]
    assert sum(row["languages"] for row in drawn) == 30
    assert all(row["cost"] <= top for rows in picture["datasets"].values() for row in rows)
    rare = pd.DataFrame({"kind": "approximate", "complexity": [250], "cost": [9.1]})
    wide = restricted_plane_figure(frontier, languages, rare).to_dict()["layer"][0]["encoding"]
    assert (wide["x"]["scale"]["domain"], wide["y"]["scale"]["domain"]) == ([3, 250], [0, 9.5])


def test_costs_beyond_the_frame_do_not_blow_the_picture_up(tmp_path):
    frontier = pd.DataFrame({"kind": ["approximate"] * 2, "complexity": [4, 9], "cost": [1.0, 0.5], "worst_cost": 2.0})
    languages = pd.DataFrame(
        {"kind": "approximate", "complexity": [4, 5], "cost": [1.0, 1e6], "languages": 1, "label": ["a", "b"]}
    )
    assert save_chart(restricted_plane_figure(frontier, languages), tmp_path, "plane")


def test_a_picture_of_nothing_or_of_too_much_is_refused(tmp_path):
    far = alt.Chart(pd.DataFrame({"x": [1e9]})).mark_point()
    far = far.encode(x=alt.X("x:Q", scale=alt.Scale(domain=[0, 1])))
    with pytest.raises(RequestError, match="points large"):
        save_chart(far, tmp_path, "far")
    assert list(tmp_path.iterdir()) == []


def test_names_keep_clear_of_curves_and_of_one_another() -> None:
    points = pd.DataFrame({"label": ["one", "two"], "px": [100.0, 112.0], "py": [100.0, 100.0]})
    curve = [(float(x), 92.0) for x in range(0, 300, 2)]
    heights = [(100 + place_names(points, 300, 200, lines)["dy"]).tolist() for lines in ((), curve)]
    assert any(abs(y - 92) < 6 for y in heights[0])  # on the curve, were it there
    assert all(abs(y - 92) > 6 for y in heights[1])
    assert heights[1][0] != heights[1][1]
