"""The sections of the page, one file each: its words, its figures and its tables beside each other."""

from ishango.registry import by_name
from ishango.report.page_parts import FIGURES, SECTIONS, Figure, Section, ShownTable, figure
from ishango.report.sections import (
    answer_section,
    drift_section,
    frontier_section,
    game_section,
    kinds_section,
    learning_section,
    multipliers_section,
    plane_section,
    pressures_section,
    restricted_section,
    systems_section,
    trajectories_section,
)

__all__ = ["FIGURES", "SECTIONS", "Figure", "Section", "ShownTable", "figure"]

# In the order of the page.
SECTIONS.update(
    by_name(
        answer_section.SECTION,
        trajectories_section.SECTION,
        drift_section.SECTION,
        pressures_section.SECTION,
        learning_section.SECTION,
        multipliers_section.SECTION,
        frontier_section.SECTION,
        kinds_section.SECTION,
        plane_section.SECTION,
        restricted_section.SECTION,
        systems_section.SECTION,
        game_section.SECTION,
    )
)
