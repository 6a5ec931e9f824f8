"""A panel a grammar, in both planes."""

import pandas as pd
from studies.figures import lengths_figure, regularity_figure

GROUPS = ("human language", "agents", "coin", "random system", "optimum")
POINTS = pd.DataFrame(
    [
        {"grammar": grammar, "label": grammar.upper(), "group": group, "name": group, "size": 5 + i, "length": 1.5,
         "irregularity": 200.0, "processing": 4.0}
        for grammar in ("modified", "flat", "natural", "hurford", "natural+")
        for i, group in enumerate(GROUPS[: 2 if grammar == "flat" else 5])
    ]
)  # fmt: skip
FRONTIER = pd.DataFrame({"grammar": "modified", "size": [2, 3], "average_complexity": [2.8, 1.9]})


def panels(chart):
    return [each for row in chart.to_dict()["vconcat"] for each in row["hconcat"]]


def test_each_grammar_has_a_panel_with_its_groups():
    for found in (panels(lengths_figure(POINTS, FRONTIER)), panels(regularity_figure(POINTS))):
        assert [each["title"]["text"] for each in found] == ["MODIFIED", "FLAT", "NATURAL", "HURFORD", "NATURAL+"]
    regular = panels(regularity_figure(POINTS))
    assert [len(each["layer"]) for each in regular] == [5, 2, 5, 5, 5]
    assert len(panels(lengths_figure(POINTS, FRONTIER))[0]["layer"]) == 6  # and what is unattainable
