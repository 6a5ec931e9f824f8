"""Ishango: a laboratory for the evolution of numeral systems."""

__version__ = "0.1.0"
