"""Human languages as people speak them: the numerals of CoSiNuS, read off their glosses, and what they cost."""

from ishango.cosinus._spoken import (
    SOURCE,
    UPTO,
    Numeral,
    SpokenLanguage,
    morpheme,
    read,
    spoken_language,
    spoken_languages,
)
from ishango.cosinus._spoken_costs import (
    Comparison,
    FamilyCosts,
    SpokenCosts,
    by_family,
    compare,
    read_cldf,
    spoken_costs,
)

__all__ = [
    "SOURCE", "UPTO", "Comparison", "FamilyCosts", "Numeral", "SpokenCosts", "SpokenLanguage", "by_family", "compare",
    "morpheme", "read", "read_cldf", "spoken_costs", "spoken_language", "spoken_languages",
]  # fmt: skip
