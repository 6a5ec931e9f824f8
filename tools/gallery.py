"""The pictures of docs/gallery.md: every figure of the report and of the explorer's pages of a run.

`python -m tools.gallery` plays a quick reproduction (some minutes, resumable) and draws; `python -m tools.gallery DIR`
takes one that is there, `ishango reproduce --quick --out DIR`. What figures look like is to be seen, not a result.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import vl_convert

from ishango import survey
from ishango.cli import main as command_line
from ishango.explorer import Site
from ishango.explorer._run_page import exchange, pair_of, run_details
from ishango.figures.look import VEGA_LITE
from ishango.lab import LocalExecutor
from ishango.report import QUICK, reproduce

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "gallery"
RUN, NUMBER = "agents/seed=0,start=7", 37
"""The run whose page is drawn, and the number its agents are asked for."""
COMPARED = ("agents", "coin", "oracle")
"""Studies that are compared with one another."""


def main(arguments: list[str]) -> int:
    """Draw, or take what was drawn, and copy."""
    out = Path(arguments[0]) if arguments else ROOT / "out" / "gallery"
    if not arguments:
        reproduce(QUICK, out, LocalExecutor())
    PICTURES.mkdir(exist_ok=True)
    elsewhere = {path.stem for path in (ROOT / "docs" / "figures").iterdir()}  # from larger studies
    for picture in sorted((out / "figures").glob("*.svg")):
        if picture.stem not in elsewhere:
            shutil.copyfile(picture, PICTURES / picture.name)
    survey("cosinus").figure().save(PICTURES / "survey.svg")
    _draw_run(Site(out / "runs"))
    with TemporaryDirectory() as directory:
        command_line(["selection", *(str(out / "runs" / study) for study in COMPARED), "--figures", directory])
        for name in ("two-axes", "restoring-force"):
            shutil.copyfile(Path(directory) / f"{name}.svg", PICTURES / f"{name}.svg")
    return 0


def _draw_run(site: Site) -> None:
    """What the explorer shows of a run and of its agents."""
    details = run_details(site, RUN)
    for name in ("path", "lexicon", "communication", "mutations"):
        _draw(details[name], f"run-{name}", width=420)
    talk = exchange(pair_of(site.runs, RUN), NUMBER)
    for name in ("speaker", "listener"):
        _draw(talk[name], f"talk-{name}", width=420)


def _draw(drawn: Mapping[str, Any], name: str, width: int) -> None:
    """A chart of a page, which is as wide as its place there, on white and of a width."""
    chart = {**drawn["light"], "datasets": drawn["datasets"], "background": "white"}
    if chart.get("width") == "container":
        chart["width"] = width
    (PICTURES / f"{name}.svg").write_text(vl_convert.vegalite_to_svg(chart, vl_version=VEGA_LITE), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
