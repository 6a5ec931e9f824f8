"""Pictures: one function a figure, a table in, an Altair chart out."""

from ishango.registry import needs

needs("report", "Figures")
