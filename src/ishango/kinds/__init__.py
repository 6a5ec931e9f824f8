"""One law for three kinds of systems: approximate, exact restricted and recursive."""

from ishango.kinds._certificate_check import CERTIFICATE, CertificateError, check_certificate
from ishango.kinds._diagram import LAW, NEAR, Grid, Plane, cell, diagram, human_systems, human_table, shipped_diagram
from ishango.kinds._experiment import OPEN_GENERATIONS, SOCIETY, OpenGenerations, Society
from ishango.kinds._law import ERROR_MEASURES, KINDS, Law, OpenSystem, costs, kind_of, said
from ishango.kinds._optimum import certificate, optimum
from ishango.kinds._options import OpenGenerationOptions, SocietyOptions

__all__ = [
    "CERTIFICATE", "ERROR_MEASURES", "KINDS", "LAW", "NEAR", "OPEN_GENERATIONS", "SOCIETY", "CertificateError", "Grid",
    "Law", "OpenGenerationOptions", "OpenGenerations", "OpenSystem", "Plane", "Society", "SocietyOptions", "cell",
    "certificate", "check_certificate", "costs", "diagram", "human_systems", "human_table", "kind_of", "optimum",
    "said", "shipped_diagram",
]  # fmt: skip
