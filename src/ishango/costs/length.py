"""The cost `length`: how much there is to say."""

import math

from ishango.costs.cost import Cost, Said


def average_length(said: Said) -> float:
    """The need-weighted average complexity of what is said."""
    weights = said.need.weights(said.upto).tolist()
    return math.fsum(weight * said.expressions[n].complexity for n, weight in enumerate(weights, start=1))


LENGTH = Cost(
    name="length",
    label="length",
    sentence="the average complexity of what is said: symbols, operators included, weighted by the need",
    reference="Denić and Szymanik (2024)",
    unit="symbols",
    measure=average_length,
)
