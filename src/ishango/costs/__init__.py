"""What a language costs beside size and length: regularity, processing, bases, packing, suppletion."""

from ishango.costs._automaton import Automaton, automaton_of, canonical_automaton
from ishango.costs._regularity import COSTS, Cost, Said, all_costs, heard, is_packed, suppletive_words
from ishango.costs._tradeoffs import (
    Bound,
    TiedLanguages,
    TradeOff,
    TradeOffs,
    bound,
    estimate_tradeoffs,
    most_regular,
    sampled_automata,
    tied_languages,
)

__all__ = [
    "COSTS",
    "Automaton",
    "Bound",
    "Cost",
    "Said",
    "TiedLanguages",
    "TradeOff",
    "TradeOffs",
    "all_costs",
    "automaton_of",
    "bound",
    "canonical_automaton",
    "estimate_tradeoffs",
    "heard",
    "is_packed",
    "most_regular",
    "sampled_automata",
    "suppletive_words",
    "tied_languages",
]
