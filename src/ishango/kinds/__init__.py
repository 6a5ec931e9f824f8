"""One law for three kinds of systems: approximate, exact restricted and recursive."""

from ishango.kinds.error_measures import ERROR_MEASURES, ErrorMeasure
from ishango.kinds.kind import KINDS, Kind, kind_of
from ishango.kinds.law import Costs, Law, costs, said
from ishango.kinds.open_generation_options import OpenGenerationOptions
from ishango.kinds.open_generations import OPEN_GENERATIONS, OpenGenerations
from ishango.kinds.open_system import OpenSystem
from ishango.kinds.optimum import Optimum, SizeOptima, best_of_sizes, optimum
from ishango.kinds.society import SOCIETY, Society
from ishango.kinds.society_options import SocietyOptions

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
