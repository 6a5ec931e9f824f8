"""The costs `states`, `transitions` and `irregularity`: how large the automaton is that knows the numerals.

Regular languages need a small one, in which many numerals share their parts. The letters are words, and a word is one
letter whether it is a digit or a multiplier, as people hear it; operators are letters only on request.
"""

from ishango.costs.cost import Cost

_REFERENCE = "Prasertsom, Silvi, Culbertson, Johansson, Dubhashi and Smith (2026), arXiv 2510.27049"

IRREGULARITY = Cost(
    name="irregularity",
    label="irregularity",
    sentence="the bits of the minimal automaton that accepts the numerals: transitions * (log2 letters + log2 states)",
    reference=f"{_REFERENCE}; this count of bits is ours",
    unit="bits",
    measure=lambda said: said.automaton.bits,
)
STATES = Cost(
    name="states",
    label="states",
    sentence="the states of that automaton, which is deterministic and has no sink",
    reference=_REFERENCE,
    unit="states",
    measure=lambda said: said.automaton.states,
)
TRANSITIONS = Cost(
    name="transitions",
    label="transitions",
    sentence="the transitions of that automaton",
    reference=_REFERENCE,
    unit="transitions",
    measure=lambda said: said.automaton.transitions,
)
HOMONYMS = Cost(
    name="homonyms",
    label="homonyms",
    sentence="the numbers that sound like another one: the automaton takes their strings for one",
    reference="ours: an automaton is small, too, where numerals cannot be told apart",
    unit="numbers",
    measure=lambda said: said.automaton.homonyms,
)
