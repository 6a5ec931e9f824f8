"""What a language costs beside size and length: regularity, processing, bases, packing, suppletion."""

from ishango.costs._automaton import Automaton, automaton_of, canonical_automaton
from ishango.costs._regularity import COSTS, Cost, Said, all_costs, heard
from ishango.costs._tradeoffs import TiedLanguages, TradeOff, TradeOffs, estimate_tradeoffs, tied_languages

__all__ = [
    "COSTS", "Automaton", "Cost", "Said", "TiedLanguages", "TradeOff", "TradeOffs", "all_costs", "automaton_of",
    "canonical_automaton", "estimate_tradeoffs", "heard", "tied_languages",
]  # fmt: skip
