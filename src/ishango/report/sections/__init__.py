"""The sections of the page, one file each: its words, its figures and its tables beside each other.

Every file registers what it has, so that a new one needs no other change; `after` says where its section comes.
"""

from ishango.report.discovery import import_modules
from ishango.report.page_parts import FIGURES, SECTIONS, Figure, Section, ShownTable, figure

__all__ = ["FIGURES", "SECTIONS", "Figure", "Section", "ShownTable", "figure"]

import_modules(__name__, __path__)
