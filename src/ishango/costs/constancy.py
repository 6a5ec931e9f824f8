"""The cost `changes`: how often counting on means another base."""

from ishango.costs.cost import Cost, Said
from ishango.numerals.bases import changes, outer_base


def base_changes(said: Said) -> int:
    """On how many steps from a number to the next the multiplier of the outermost phrase changes."""
    return changes([outer_base(said.expressions[n], said.system) for n in range(1, said.upto + 1)])


CHANGES = Cost(
    name="changes",
    label="changes of base",
    sentence="the steps from a number to the next on which the multiplier of the outermost phrase changes",
    reference="Silvi et al. (2025), who look at the structure of neighbouring numerals; the count is ours",
    unit="steps",
    measure=base_changes,
)
