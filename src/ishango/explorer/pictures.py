"""Charts as the page takes them: light and dark, with one copy of the data."""

from __future__ import annotations

from typing import Any

import altair as alt

from ishango.figures.page import dark, specification


def picture(chart: alt.TopLevelMixin) -> dict[str, Any]:
    """A chart's specification for both pages; the data, which is most of it, is given once."""
    light = specification(chart)
    datasets = light.pop("datasets", {})
    return {"light": light, "dark": dark(light), "datasets": datasets}
