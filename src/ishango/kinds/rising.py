"""A precision that rises or falls over the rounds: a society that comes to count more, or less."""

from __future__ import annotations

from ishango.errors import RequestError, require
from ishango.kinds.law import GREATEST


def risen(precision: float, to: float | None, rounds: int, number: int) -> float:
    """The precision in a round: it goes on evenly over the logarithm, so that extending a run changes nothing that was.

    >>> [risen(1, 100, 2, number) for number in range(4)]
    [1.0, 10.0, 100.0, 100.0]
    """
    if to is None:
        return precision
    return min(GREATEST, precision * (to / precision) ** min(1.0, number / rounds))  # rounding may go beyond it


def check_rise(precision: float, to: float | None) -> None:
    """Refuse precisions that cannot be, or between which nothing can rise evenly."""
    for name, value in (("precision", precision), ("precision_to", to)):
        require(value is None or 0 <= value <= GREATEST, name, value, f"between 0 and {GREATEST:,.0f}")
    if to is not None and min(precision, to) <= 0:
        raise RequestError("A precision that rises or falls must stay above 0; set precision and precision_to so.")
