"""Pictures: one function a figure, a table in, an Altair chart out."""
