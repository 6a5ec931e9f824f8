"""One law for three kinds of systems: approximate, exact restricted and recursive."""

from ishango.kinds.evolution import SOCIETY, Society
from ishango.kinds.generations import OPEN_GENERATIONS, OpenGenerations
from ishango.kinds.law import ERROR_MEASURES, KINDS, Costs, ErrorMeasure, Kind, Law, costs, kind_of, said
from ishango.kinds.optimum import Optimum, SizeOptima, best_of_sizes, optimum
from ishango.kinds.options import OpenGenerationOptions, SocietyOptions
from ishango.kinds.system import OpenSystem

__all__ = [
    "ERROR_MEASURES",
    "KINDS",
    "OPEN_GENERATIONS",
    "SOCIETY",
    "Costs",
    "ErrorMeasure",
    "Kind",
    "Law",
    "OpenGenerationOptions",
    "OpenGenerations",
    "OpenSystem",
    "Optimum",
    "SizeOptima",
    "Society",
    "SocietyOptions",
    "best_of_sizes",
    "costs",
    "kind_of",
    "optimum",
    "said",
]
