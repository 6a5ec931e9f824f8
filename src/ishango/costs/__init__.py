"""What a language costs beside size and length: regularity, processing, bases, packing, suppletion."""

from ishango.costs.automaton import Automaton, automaton_of, canonical_automaton
from ishango.costs.cost import Cost, Said, heard
from ishango.costs.regularity import COSTS, all_costs, is_packed, suppletive_words
from ishango.costs.tied import Bound, TiedLanguages, bound, most_regular, sampled_automata, tied_languages
from ishango.costs.tradeoffs import TradeOff, TradeOffs, estimate_tradeoffs

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
