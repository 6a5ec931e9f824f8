"""Draw figures of the docs anew, in today's look, from the tables that are kept: python -m studies.docs_figures.

The tables are those beside the figures, in docs/figures, and those that ship with the package; nothing is computed
again. Names of figures as arguments draw only these.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import altair as alt

from ishango.figures.evolution_figures import pressures_figure
from ishango.figures.look import save_specification, specification
from ishango.report._data import Data, shipped_tables
from ishango.report._sections import FIGURES

DIRECTORY = Path(__file__).parents[1] / "docs" / "figures"


def of_page(name: str) -> Callable[[], alt.TopLevelMixin]:
    """A figure of the report's page, from the tables of its name beside the docs' figures."""
    return lambda: FIGURES[name].chart(Data(DIRECTORY))


def pressures() -> alt.TopLevelMixin:
    """The study of pressures, from the tables that ship."""
    tables = shipped_tables()
    return pressures_figure(tables["pressures"], tables["pressures-runs"])


DRAWN: dict[str, tuple[str, Callable[[], alt.TopLevelMixin]]] = {
    "frontier": ("png", of_page("frontier")),
    "multipliers": ("svg", of_page("multipliers")),
    "genetic": ("svg", of_page("genetic")),
    "size-twelve": ("svg", of_page("size-twelve")),
    "pressures": ("png", pressures),
}
"""The figures of the docs whose tables are kept, with the format that the docs show."""


def main(names: list[str]) -> None:
    for name in names or DRAWN:
        format, draw = DRAWN[name]
        save_specification(specification(draw()), DIRECTORY, name, (format,))
        print(f"docs/figures/{name}.{format}")


if __name__ == "__main__":
    main(sys.argv[1:])
