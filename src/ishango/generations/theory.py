"""What a bottleneck leaves alive, worked out: a word survives if it is heard, with probability 1 - (1 - use)^B."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROUNDS = 10_000
_CLOSE = 1e-10


def survival(use: Floats | float, bottleneck: int) -> Floats:
    """The probability that a word of such use is heard among so many examples.

    >>> float(survival(0.01, 100).round(3))
    0.634
    """
    return 1 - (1 - np.asarray(use, np.float64)) ** bottleneck


def expected_digits(need: Floats, bottleneck: int, coined: float) -> Floats:
    """For each number the share of generations in which it is a digit, by a mean-field theory without free parameters.

    Each number gains and loses its word on its own. It is lost with the probability that the number is not heard,
    (1 - P(n))^B: as if a digit were of use only for its own number. It is coined, `coined` digits a generation, in
    proportion to P(n) among the numbers that have none, as if all of those were equally long. Shares are where gains
    and losses balance.

    >>> shares = expected_digits(np.full(10, 0.1), 1000, coined=0.4)
    >>> float(shares.sum().round(2))
    10.0
    """
    need = np.asarray(need, np.float64)
    lost = (1 - need) ** bottleneck
    shares = np.full(need.size, 0.5)
    for _ in range(_ROUNDS):
        nameless = float(((1 - shares) * need).sum())
        gained = np.minimum(1, coined * need / max(nameless, 1e-12))
        # A word that is coined at the end of a generation must survive the next one to be lost or kept.
        after = gained / np.maximum(gained + lost, 1e-300)
        if float(np.abs(after - shares).max()) < _CLOSE:
            return after
        shares = (shares + after) / 2
    return shares
