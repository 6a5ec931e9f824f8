"""The sections of the page, in its order; words, figures and tables of a section stand beside each other."""

from ishango.registry import by_name
from ishango.report._page_parts import FIGURES, SECTIONS, Figure, Section, ShownTable, figure
from ishango.report.sections._run_sections import (
    ANSWER_SECTION,
    DRIFT_SECTION,
    LEARNING_SECTION,
    MULTIPLIERS_SECTION,
    PRESSURES_SECTION,
    TRAJECTORIES_SECTION,
)
from ishango.report.sections._system_sections import (
    FRONTIER_SECTION,
    GAME_SECTION,
    KINDS_SECTION,
    PLANE_SECTION,
    RESTRICTED_SECTION,
    SYSTEMS_SECTION,
)

__all__ = ["FIGURES", "SECTIONS", "Figure", "Section", "ShownTable", "figure"]

SECTIONS.update(
    by_name(
        ANSWER_SECTION,
        TRAJECTORIES_SECTION,
        DRIFT_SECTION,
        PRESSURES_SECTION,
        LEARNING_SECTION,
        MULTIPLIERS_SECTION,
        FRONTIER_SECTION,
        KINDS_SECTION,
        PLANE_SECTION,
        RESTRICTED_SECTION,
        SYSTEMS_SECTION,
        GAME_SECTION,
    )
)
