from __future__ import annotations

import pandas as pd
import vl_convert

from ishango.figures.evolution_figures import ends_figure, pressures_figure, selection_figure, two_axes_figure


def ends(*deciding: str, add: str = "lowest") -> pd.DataFrame:
    """A run from each of two starts for each of those who decide."""
    rows = [
        {"add": add, "who": who, "start": start, "gap": 0.1 * place}
        for place, who in enumerate(deciding, start=1)
        for start in ("1", "2")
    ]
    return pd.DataFrame(rows, columns=["add", "who", "start", "gap"])


def test_all_who_decide_have_a_place_in_the_legend_and_a_look_of_their_own() -> None:
    deciding = ("agents", "oracle", "a miser", "a spendthrift")
    chart = ends_figure(ends(*deciding), ends("coin", "coin"))
    (panel,) = chart.to_dict()["hconcat"]
    points = panel["layer"][-1]["encoding"]
    for look in ("color", "shape"):
        assert points[look]["scale"]["domain"][1:] == list(deciding)
        assert len(set(points[look]["scale"]["range"])) == len(deciding) + 1
    svg = vl_convert.vegalite_to_svg(chart.to_dict())
    assert all(f">{who}<" in svg for who in (*deciding, "drift (middle half, median)"))
    assert svg.count('aria-roledescription="bar"') == 2


def test_agents_look_the_same_in_the_panel_of_each_reading() -> None:
    both = pd.concat([ends("agents", "oracle"), ends("agents", add="highest")])
    panels = ends_figure(both, pd.concat([ends("coin"), ends("coin", add="highest")])).to_dict()["hconcat"]
    lowest, highest = (panel["layer"][-1]["encoding"]["color"]["scale"] for panel in panels)
    assert lowest == highest
    assert len(panels) == 2


def test_who_always_keeps_what_is_shorter_has_words_in_place_of_a_point():
    """A point at 21,667 log odds would flatten everything else."""
    table = pd.DataFrame(
        {"group": ["agents", "oracle"], "strength": [0.5, 21667.7], "low": [-1.0, 5000], "high": [2.0, 30000],
         "separated": [False, True]}
    )  # fmt: skip
    chart = selection_figure(table).to_dict()
    svg = vl_convert.vegalite_to_svg(chart)
    assert "no bound" in svg
    assert svg.count('aria-roledescription="point"') == 1
    assert "10000" not in svg
    assert "no bound" not in vl_convert.vegalite_to_svg(selection_figure(table.drop(columns="separated")).to_dict())


def test_two_axes_show_every_group_with_both_intervals():
    table = pd.DataFrame(
        {
            "group": ["coin", "agents"],
            "length": [0.0, 0.8],
            "length_low": [-0.1, 0.4],
            "length_high": [0.1, 1.2],
            "size": [0.0, 0.3],
            "size_low": [-0.1, 0.1],
            "size_high": [0.1, 0.5],
        }
    )
    chart = two_axes_figure(table).to_dict()
    marks = [layer["mark"]["type"] for layer in chart["layer"]]
    assert marks == ["rule", "rule", "rule", "rule", "point"]
    across, along = chart["layer"][2]["encoding"], chart["layer"][3]["encoding"]
    assert (across["x"]["field"], across["x2"]["field"]) == ("length_low", "length_high")
    assert (along["y"]["field"], along["y2"]["field"]) == ("size_low", "size_high")
    assert chart["layer"][4]["encoding"]["color"]["scale"]["domain"] == ["coin", "agents"]


def test_a_strength_without_an_interval_is_a_point_without_a_bar():
    cell = {"kind": "agents", "gap_low": 0.1, "gap": 0.2, "gap_high": 0.3, "length": 2.0, "size": 1.0}
    known = cell | {f"{axis}_{end}": at for axis in ("length", "size") for end, at in (("low", 0.5), ("high", 3.0))}
    cells = pd.DataFrame([known | {"cell": "many units"}, cell | {"cell": "few units"}])
    drawn = pressures_figure(cells, cells).to_dict()
    for panel in drawn["hconcat"][1:]:
        shown = {layer["mark"]["type"]: layer["data"]["name"] for layer in panel["layer"]}
        names = {kind: {row.get("cell") for row in drawn["datasets"][name]} for kind, name in shown.items()}
        assert names["point"] == {"many units", "few units"}
    spans = [layer for panel in drawn["hconcat"][1:] for layer in panel["layer"] if "x2" in layer["encoding"]]
    for layer in spans:
        assert {row["cell"] for row in drawn["datasets"][layer["data"]["name"]]} == {"many units"}
