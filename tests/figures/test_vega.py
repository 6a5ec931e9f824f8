import json
import math

import altair as alt
import pandas as pd

from ishango.figures import look
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


def test_the_script_is_kept_and_made_anew_where_it_is_not_whole(tmp_path, monkeypatch):
    """It takes a second to put together, in each process that draws a figure."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    script, made = "script();\r\nmore", []
    monkeypatch.setattr(look.vl_convert, "javascript_bundle", lambda snippet: made.append(snippet) or script)

    def fresh() -> int:
        """How often it has been put together since."""
        before = len(made)
        assert look.vega_script.__wrapped__() == script
        return len(made) - before

    assert (fresh(), fresh()) == (1, 0)
    kept = tmp_path / "ishango" / "vega.js"
    whole = kept.read_bytes()
    for damaged in (b"", b"\xff", whole[:-1], whole.replace(b"script", b"evil()")):
        kept.write_bytes(damaged)
        assert (fresh(), fresh()) == (1, 0), damaged
    monkeypatch.setattr(look, "vega_version", lambda: "another")
    assert (fresh(), fresh()) == (1, 0)
    monkeypatch.setenv("XDG_CACHE_HOME", str(kept / "below"))
    assert (fresh(), fresh()) == (1, 1), "without a place to keep it"
