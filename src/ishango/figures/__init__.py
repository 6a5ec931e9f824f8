"""Pictures: one function a figure, a table in, an Altair chart out."""

from ishango.extensions import needs

needs("report", "Figures")
