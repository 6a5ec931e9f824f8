"""The figure of the first screen, and those beside it."""

import numpy as np
import pandas as pd
import pytest
import vl_convert

from ishango.figures.evolution_figures import accuracy_figure, hero_figure
from ishango.figures.look import place_above
from ishango.figures.plane_figures import cardinalities_figure


def plane(*points, **columns):
    return pd.DataFrame(points, columns=["size", "average_complexity"]).assign(**columns)


def test_the_answer_has_agents_people_and_most_of_the_drift():
    drift = plane(*((5, 1.6 + run / 20) for run in range(10)), (9, 1.3), (9, 1.4))
    frontier = plane(*((size, 1 + 1 / size) for size in range(2, 12)))
    agents = plane((5, 1.7), (9, 1.3), start="1", seed=0)
    svg = vl_convert.vegalite_to_svg(hero_figure(frontier, plane((11, 1.2), (11, 1.2)), agents, drift).to_dict())
    assert svg.count('aria-roledescription="rect mark"') == 1, "two ends of a size are no range"
    assert svg.count('aria-roledescription="point"') == 2 + 1, "languages at one point are one"
    for words in ("agents: where they end", "human languages", "drift: four fifths of its ends", "average complexity"):
        assert words in svg


def test_an_end_above_the_plane_is_drawn_at_its_edge_with_its_value():
    drift, frontier = plane((5, 1.6)), plane(*((size, 1 + 1 / size) for size in range(2, 12)))
    agents = plane((5, 4.04), (9, 3.19), start="1", seed=0)
    svg = vl_convert.vegalite_to_svg(hero_figure(frontier, plane((11, 1.2)), agents, drift).to_dict())
    assert "\u2191 4.0<" in svg
    assert "\u2191 3.2<" not in svg


def test_games_won_over_the_rounds():
    rounds = pd.DataFrame(
        {"run": ["a", "a", "b", "b"], "start": "1", "round": [0, 1, 0, 1], "accuracy": [0.5, 0.6, 0.7, None]}
    )
    svg = vl_convert.vegalite_to_svg(accuracy_figure(rounds).to_dict())
    assert svg.count('aria-roledescription="line mark"') == 2 + 1


def test_a_size_counts_for_each_number_that_an_optimum_of_it_has():
    optima = pd.DataFrame({"series": "Hurford", "size": [2, 3], "fewest": [1, 2], "most": [2, 4]})
    people = pd.DataFrame({"multipliers": [1, 2], "languages": [18, 27]})
    chart = cardinalities_figure(optima, people).to_dict()
    rows = [row["sizes"] for row in chart["datasets"][chart["hconcat"][0]["data"]["name"]]]
    assert rows == [1, 2, 1, 1]
    assert len(chart["hconcat"]) == 2


@pytest.mark.parametrize("seed", range(20))
def test_names_among_many_points_cover_neither_points_nor_one_another(seed):
    """A letter is 5.8 wide and 10 high, with a pixel of air above and below; around a point 8 pixels are free."""
    rng = np.random.default_rng(seed)
    points = pd.DataFrame({"px": rng.uniform(0, 300, 25), "py": rng.uniform(150, 300, 25)})
    placed = place_above(points.assign(label=[f"Name {n}" for n in range(25)]), 400)
    assert len(placed) > 5
    width, middle = 5.8 * placed["label"].str.len(), placed["py"] + placed["dy"]
    left = placed["px"] + placed["dx"] - width * (placed["align"] == "right")
    boxes = np.column_stack([left, middle - 6, left + width, middle + 6])
    around = np.column_stack([points - 8, points + 8])
    for n, box in enumerate(boxes):
        others = np.vstack([boxes[:n], around])
        met = (box[:2] < others[:, 2:] - 1e-9).all(axis=1) & (others[:, :2] + 1e-9 < box[2:]).all(axis=1)
        assert not met.any()


def test_names_stand_above_their_points_and_do_not_meet():
    points = pd.DataFrame(
        {"label": ["Kunama", "", "English", "French"], "px": [10.0, 30, 40, 42], "py": [100.0, 90, 100, 100]}
    )
    placed = place_above(points, 200)
    assert list(placed["label"]) == ["French", "English", "Kunama"], "from the right"
    assert (placed["dy"] < 0).all()
    heights = (placed["py"] + placed["dy"]).tolist()
    assert len({round(height) for height in heights}) == 3
    assert place_above(points.assign(px=190.0), 200)["align"].eq("right").all(), "at the edge they turn back"
