"""The figure of the first screen, and those beside it."""

import pandas as pd
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
