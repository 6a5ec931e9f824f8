"""Need distributions: how often each number has to be communicated."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.numerals.system import check_range
from ishango.registry import Registry

Floats = NDArray[np.float64]


class Need(ABC):
    """P(n), normalised over the range in use; made by `Need.parse`.

    A form of need is a frozen dataclass with a `spec` and its `unnormalised` weights; it must be hashable.

    >>> Need.parse("power:2").fractions(2)
    (Fraction(4, 5), Fraction(1, 5))
    """

    __slots__ = ()

    @property
    @abstractmethod
    def spec(self) -> str:
        """What `Need.parse` makes this need of."""

    @abstractmethod
    def unnormalised(self, upto: int) -> Sequence[Fraction] | Floats:
        """Weights of 1, ..., range that need not add up to 1: fractions where they are exact, else floats."""

    @property
    def fingerprint(self) -> str | None:
        """A digest of what the need takes from outside its spec, such as a file; None where there is nothing."""
        return None

    @property
    def inputs(self) -> dict[str, str]:
        """That digest under the spec, as a run records what it depends on; empty where there is nothing."""
        return {} if self.fingerprint is None else {self.spec: self.fingerprint}

    @staticmethod
    def parse(spec: str | Need) -> Need:
        """The need that a text such as `power:2` stands for; `NEEDS` has its forms."""
        if isinstance(spec, Need):
            return spec
        name, _, argument = spec.strip().partition(":")
        try:
            if name not in NEEDS:
                raise SpecError
            return NEEDS[name].parse(argument)
        except SpecError as error:
            allowed = str(error) or f"write {forms()}"
            raise RequestError(f"{spec!r} is not a need distribution; {allowed}.") from None

    def __str__(self) -> str:
        return self.spec

    def weights(self, upto: int) -> Floats:
        """P(1), ..., P(range) as floats, in an array that cannot be written to."""
        return _weights(self, upto)

    def fractions(self, upto: int) -> tuple[Fraction, ...] | None:
        """P(1), ..., P(range) as exact fractions, or None where they are not rational or not cheap."""
        raw = self.unnormalised(check_range(upto))
        if isinstance(raw, np.ndarray):
            return None
        total = _sum(raw)
        if total == 0:
            raise RequestError(f"The need {self.spec} gives every number from 1 to {upto} probability 0.")
        return tuple(weight / total for weight in raw)


@dataclass(frozen=True)
class NeedForm:
    """One way to write a need."""

    name: str
    """What stands before the colon."""
    form: str
    """The whole, as in `power:A`."""
    sentence: str
    parse: Callable[[str], Need]
    """From what stands after the colon; raises `SpecError` with what is allowed there."""


class SpecError(ValueError):
    """What stands after the colon is wrong; the message, if any, says what may stand there."""


NEEDS: Registry[NeedForm] = Registry("need", "ishango.needs")


def forms() -> str:
    """All forms as a sentence has them.

    >>> forms()  # doctest: +ELLIPSIS
    'power:A, exp:RATE, uniform...file:PATH...'
    """
    *first, last = (need.form for need in NEEDS.values())
    return f"{', '.join(first)} or {last}"


@lru_cache(maxsize=256)
def _weights(need: Need, upto: int) -> Floats:
    exact = need.fractions(upto)
    if exact is not None:
        weights = np.array([float(weight) for weight in exact])
    else:
        raw = np.asarray(need.unnormalised(upto), dtype=np.float64)
        weights = raw / math.fsum(raw)
    weights.setflags(write=False)
    return weights


def _sum(terms: Sequence[Fraction]) -> Fraction:
    """The sum over one common denominator: much faster than adding fractions one by one."""
    denominator = math.lcm(*{term.denominator for term in terms})
    return Fraction(sum(term.numerator * (denominator // term.denominator) for term in terms), denominator)
