"""Need distributions: how often each number has to be communicated."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ishango.errors import RequestError
from ishango.numerals.system import check_range

FORMS = "power:A, exp:RATE, uniform or file:PATH"
LARGEST_EXACT = 5000
"""Power times range up to which `power:A` is given as fractions."""

_LARGEST_PARAMETER = 100.0


@dataclass(frozen=True, slots=True)
class Need:
    """P(n), normalised over the range in use; made by `Need.parse`.

    >>> Need.parse("power:2").fractions(2)
    (Fraction(4, 5), Fraction(1, 5))
    """

    spec: str
    kind: str = field(repr=False)
    parameter: float = field(default=0.0, repr=False)
    table: tuple[Fraction, ...] = field(default=(), repr=False)
    """The unnormalised needs of 1, 2, ... for `file:PATH`, read once: later changes of the file do not matter."""

    @classmethod
    def parse(cls, spec: str | Need) -> Need:
        """Read `power:A` (n^-A), `exp:RATE` (exp(-RATE n)), `uniform`, or `file:PATH` (CSV: number, need)."""
        if isinstance(spec, Need):
            return spec
        kind, _, argument = spec.strip().partition(":")
        if kind == "uniform" and not argument:
            return cls("uniform", kind)
        if kind in ("power", "exp"):
            parameter = _parse_parameter(spec, kind, argument)
            return cls(f"{kind}:{parameter!r}".removesuffix(".0"), kind, parameter)
        if kind == "file" and argument:
            return cls(f"file:{argument}", kind, table=_read_table(Path(argument)))
        raise RequestError(f"{spec!r} is not a need distribution; write {FORMS}.")

    def __str__(self) -> str:
        return self.spec

    def weights(self, upto: int) -> NDArray[np.float64]:
        """P(1), ..., P(range) as floats, in an array that cannot be written to."""
        return _weights(self, upto)

    def fractions(self, upto: int) -> tuple[Fraction, ...] | None:
        """P(1), ..., P(range) as exact fractions, or None where the distribution is not rational."""
        raw = self._raw_fractions(check_range(upto))
        if raw is None:
            return None
        total = _sum(raw)
        if total == 0:
            raise RequestError(f"The need {self.spec} gives every number from 1 to {upto} probability 0.")
        return tuple(weight / total for weight in raw)

    def _raw_fractions(self, upto: int) -> list[Fraction] | None:
        numbers = range(1, upto + 1)
        if self.kind == "uniform":
            return [Fraction(1)] * upto
        if self.kind == "file":
            if len(self.table) < upto:
                raise RequestError(f"The need {self.spec} ends at {len(self.table)}; the range {upto} needs more.")
            return list(self.table[:upto])
        # Common denominators of large powers and long ranges have thousands of digits: exact, but no longer cheap.
        if self.kind == "power" and self.parameter.is_integer() and self.parameter * upto <= LARGEST_EXACT:
            return [Fraction(1, n ** int(self.parameter)) for n in numbers]
        return None


@lru_cache(maxsize=256)
def _weights(need: Need, upto: int) -> NDArray[np.float64]:
    exact = need.fractions(upto)
    if exact is not None:
        weights = np.array([float(weight) for weight in exact])
    else:
        numbers = np.arange(1, upto + 1, dtype=np.float64)
        raw = numbers**-need.parameter if need.kind == "power" else np.exp(-need.parameter * (numbers - 1))
        weights = raw / math.fsum(raw)
    weights.setflags(write=False)
    return weights


def _sum(terms: list[Fraction]) -> Fraction:
    """The sum over one common denominator: much faster than adding fractions one by one."""
    denominator = math.lcm(*{term.denominator for term in terms})
    return Fraction(sum(term.numerator * (denominator // term.denominator) for term in terms), denominator)


def _parse_parameter(spec: str, kind: str, argument: str) -> float:
    try:
        parameter = float(argument)
    except ValueError:
        parameter = math.nan
    lowest = "at least 0" if kind == "power" else "above 0"
    allowed = parameter >= 0 if kind == "power" else parameter > 0
    if not (allowed and parameter <= _LARGEST_PARAMETER):
        raise RequestError(
            f"{spec!r} is not a need distribution; after {kind}: comes a number {lowest}"
            f" and at most {_LARGEST_PARAMETER:g}."
        )
    return parameter


def _read_table(path: Path) -> tuple[Fraction, ...]:
    """Read lines `number, need`; a header line and lines that start with # are passed over."""
    needs: dict[int, Fraction] = {}
    for where, row in _rows(path):
        number, need = _parse_row(path, where, row)
        if number in needs:
            raise RequestError(f"{path}, line {where}: the number {number} is given twice.")
        needs[number] = need
    if not needs:
        raise RequestError(f"{path} holds no needs; write one line 'number,need' for each number from 1 on.")
    missing = next((n for n in range(1, len(needs) + 1) if n not in needs), None)
    if missing is not None:
        raise RequestError(f"{path} has no need for the number {missing}; numbers must run from 1 without a hole.")
    return tuple(needs[n] for n in range(1, len(needs) + 1))


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a path with a zero byte
        raise RequestError(f"The need file {path} cannot be read ({error}).") from error
    first = True
    for where, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        is_header = first and not any(character.isdigit() for character in line)
        first = False
        if not is_header:
            yield where, [cell.strip().strip('"') for cell in line.split(",")]


def _parse_row(path: Path, where: int, row: list[str]) -> tuple[int, Fraction]:
    if len(row) != 2:
        raise RequestError(f"{path}, line {where}: a line is a number and its need with a comma in between.")
    try:
        number = int(row[0])
    except ValueError:
        raise RequestError(f"{path}, line {where}: the number {row[0]!r} is not an integer.") from None
    try:
        # By way of float, so that a need such as 1e999999999 is refused instead of filling the memory.
        if not math.isfinite(float(row[1])):
            raise ValueError
        need = Fraction(row[1]) if float(row[1]) != 0 else Fraction(0)
    except ValueError:
        raise RequestError(f"{path}, line {where}: the need {row[1]!r} is not a number.") from None
    if number < 1:
        raise RequestError(f"{path}, line {where}: the number {number} is below 1.")
    if need < 0:
        raise RequestError(f"{path}, line {where}: the need of {number} is negative.")
    return number, need
