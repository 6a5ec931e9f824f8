"""The cost `processing`: how much a listener must be told while a numeral goes by.

At every state of the automaton the listener waits for one of the ways that lead on, an end of the numeral being one of
them; each way is as good as any other, so a state costs the logarithm of their number. Since merging equal nodes of a
tree leaves the ways that lead on as they are, the cost is the same in the tree of all numerals.
"""

from ishango.costs.cost import Cost

PROCESSING = Cost(
    name="processing",
    label="processing",
    sentence="the expected bits to follow a numeral through the automaton: at each state the log2 of the ways on",
    reference=(
        "in the spirit of Prasertsom et al. (2026), arXiv 2510.27049; ways of equal probability, the end as a way"
        " and the weighting by the need are ours"
    ),
    unit="bits",
    measure=lambda said: said.automaton.processing,
)
