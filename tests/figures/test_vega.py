import json
import math

import altair as alt
import pandas as pd

from ishango.figures.look import save_chart, specification


def test_numbers_that_json_does_not_have_are_left_out(tmp_path):
    """Altair itself cleans columns of numbers alone."""
    mixed = pd.DataFrame({"x": [1, 2, 3], "noise": pd.Series(["none", math.nan, math.inf], dtype=object)})
    chart = alt.Chart(mixed).mark_point().encode(x="x:Q")
    (rows,) = specification(chart)["datasets"].values()
    assert [row["noise"] for row in rows] == ["none", None, None]
    (page,) = [path for path in save_chart(chart, tmp_path, "mixed") if path.suffix == ".html"]
    text = page.read_text(encoding="utf-8")
    start = text.index('id="specification">') + len('id="specification">')
    assert json.loads(text[start : text.index("</script>", start)], parse_constant=lambda _: 1 / 0)["mark"]
    assert "src=" not in text.split("<body>")[1]  # it needs no network


def test_long_tables_are_drawn(tmp_path):
    chart = alt.Chart(pd.DataFrame({"x": range(6000)})).mark_point().encode(x="x:Q")
    assert save_chart(chart, tmp_path, "long")
