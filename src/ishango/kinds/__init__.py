"""One law for three kinds of systems: approximate, exact restricted and recursive."""

from ishango.kinds.experiment import OPEN_GENERATIONS, SOCIETY, OpenGenerations, Society
from ishango.kinds.law import ERROR_MEASURES, KINDS, Costs, ErrorMeasure, Kind, Law, OpenSystem, costs, kind_of, said
from ishango.kinds.optimum import Optimum, SizeOptima, best_of_sizes, optimum
from ishango.kinds.options import OpenGenerationOptions, SocietyOptions

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
