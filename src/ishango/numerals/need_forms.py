"""The needs that come with the package: powers, exponentials, uniform, and tables of one's own."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

from ishango.errors import RequestError
from ishango.numerals.need import NEEDS, Floats, Need, NeedForm, SpecError
from ishango.numerals.need_files import read_table

LARGEST_EXACT = 5000
"""Power times range up to which `power:A` is given as fractions."""

_LARGEST_PARAMETER = 100.0


@dataclass(frozen=True, slots=True)
class PowerNeed(Need):
    """P(n) falls as a power of n."""

    power: float

    @property
    def spec(self) -> str:
        """As in `power:2`."""
        return _spec("power", self.power)

    def unnormalised(self, upto: int) -> Sequence[Fraction] | Floats:
        """Fractions for integer powers.

        Common denominators of large powers and long ranges have thousands of digits: exact, but no longer cheap.
        """
        if self.power.is_integer() and self.power * upto <= LARGEST_EXACT:
            return [Fraction(1, n ** int(self.power)) for n in range(1, upto + 1)]
        return np.arange(1, upto + 1, dtype=np.float64) ** -self.power


@dataclass(frozen=True, slots=True)
class ExponentialNeed(Need):
    """P(n) falls exponentially."""

    rate: float

    @property
    def spec(self) -> str:
        """As in `exp:0.1`."""
        return _spec("exp", self.rate)

    def unnormalised(self, upto: int) -> Floats:
        """Relative to P(1), so that large rates do not underflow."""
        return np.exp(-self.rate * np.arange(upto, dtype=np.float64))


@dataclass(frozen=True, slots=True)
class UniformNeed(Need):
    """P(n) is the same for all numbers."""

    @property
    def spec(self) -> str:
        """`uniform`."""
        return "uniform"

    def unnormalised(self, upto: int) -> list[Fraction]:
        """One each."""
        return [Fraction(1)] * upto


@dataclass(frozen=True, slots=True)
class TabledNeed(Need):
    """P(n) is read from a file."""

    path: str
    table: tuple[Fraction, ...] = field(repr=False)
    """The needs of 1, 2, ..., read once: later changes of the file do not matter."""

    @property
    def spec(self) -> str:
        """As in `file:need.csv`."""
        return f"file:{self.path}"

    @property
    def fingerprint(self) -> str:
        """Of the table, however the file writes it."""
        return hashlib.sha256(" ".join(map(str, self.table)).encode()).hexdigest()

    def unnormalised(self, upto: int) -> Sequence[Fraction]:
        """The head of the table."""
        if len(self.table) < upto:
            raise RequestError(f"The need {self.spec} ends at {len(self.table)}; the range {upto} needs more.")
        return self.table[:upto]


def _spec(name: str, parameter: float) -> str:
    return f"{name}:{parameter!r}".removesuffix(".0")


def _parse_power(argument: str) -> Need:
    power = _number(argument)
    if not 0 <= power <= _LARGEST_PARAMETER:
        raise SpecError(f"after power: comes a number at least 0 and at most {_LARGEST_PARAMETER:g}")
    return PowerNeed(power)


def _parse_exponential(argument: str) -> Need:
    rate = _number(argument)
    if not 0 < rate <= _LARGEST_PARAMETER:
        raise SpecError(f"after exp: comes a number above 0 and at most {_LARGEST_PARAMETER:g}")
    return ExponentialNeed(rate)


def _parse_uniform(argument: str) -> Need:
    if argument:
        raise SpecError
    return UniformNeed()


def _parse_table(argument: str) -> Need:
    if not argument:
        raise SpecError
    return TabledNeed(argument, read_table(Path(argument)))


def _number(text: str) -> float:
    """NaN, which no interval holds, for what is no number."""
    try:
        return float(text)
    except ValueError:
        return math.nan


NEEDS.add(NeedForm("power", "power:A", "n to the power of -A", _parse_power))
NEEDS.add(NeedForm("exp", "exp:RATE", "e to the power of -RATE times n", _parse_exponential))
NEEDS.add(NeedForm("uniform", "uniform", "all numbers alike", _parse_uniform))
NEEDS.add(NeedForm("file", "file:PATH", "a table of your own, a line 'number,need' each", _parse_table))
