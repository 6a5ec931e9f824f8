"""Need distributions: how often each number has to be communicated."""

from __future__ import annotations

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro
from numpy.typing import NDArray

from ishango.errors import RequestError, damage
from ishango.numerals._system import GRAMMARS, SUFFIX, check_range
from ishango.registry import OneOf, Registry, explained

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
        name, _, argument = str(spec).strip().partition(":")
        try:
            if name not in NEEDS:
                raise SpecError
            return NEEDS[name].parse(argument)
        except SpecError as error:
            *first, last = (need.form for need in NEEDS.values())
            allowed = str(error) or f"write {', '.join(first)} or {last}"
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


# Needs from files: CSV tables with a line `number, need` for each number.


def read_table(path: Path) -> tuple[Fraction, ...]:
    """Read lines `number, need`; a header line and lines that start with # are skipped."""
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
        raise RequestError(f"The need file {path} cannot be read ({damage(error)}); name a CSV file.") from error
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


LARGEST_EXACT = 5000
"""Power times range up to which `power:A` is given as fractions."""

_LARGEST_PARAMETER = 100.0


@dataclass(frozen=True, slots=True)
class PowerNeed(Need):
    power: float

    @property
    def spec(self) -> str:
        return _spec("power", self.power)

    def unnormalised(self, upto: int) -> Sequence[Fraction] | Floats:
        # Common denominators of large powers and long ranges have thousands of digits: exact, but no longer cheap.
        if self.power.is_integer() and self.power * upto <= LARGEST_EXACT:
            return [Fraction(1, n ** int(self.power)) for n in range(1, upto + 1)]
        return np.arange(1, upto + 1, dtype=np.float64) ** -self.power


@dataclass(frozen=True, slots=True)
class ExponentialNeed(Need):
    rate: float

    @property
    def spec(self) -> str:
        return _spec("exp", self.rate)

    def unnormalised(self, upto: int) -> Floats:
        return np.exp(-self.rate * np.arange(upto, dtype=np.float64))  # relative to P(1): large rates do not underflow


@dataclass(frozen=True, slots=True)
class UniformNeed(Need):
    @property
    def spec(self) -> str:
        return "uniform"

    def unnormalised(self, upto: int) -> list[Fraction]:
        return [Fraction(1)] * upto


@dataclass(frozen=True, slots=True)
class TabledNeed(Need):
    path: str
    table: tuple[Fraction, ...] = field(repr=False)
    """The needs of 1, 2, ..., read once: later changes of the file do not matter."""

    @property
    def spec(self) -> str:
        return f"file:{self.path}"

    @property
    def fingerprint(self) -> str:
        """Of the table, however the file writes it."""
        return hashlib.sha256(" ".join(map(str, self.table)).encode()).hexdigest()

    def unnormalised(self, upto: int) -> Sequence[Fraction]:
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


# Grammar and need as options: their choices, forms and sentences come from the registries.


class _GrammarWord(OneOf):
    """The name of a grammar, rules written out, or a file: too many to be listed as choices."""

    choices = None  # type: ignore[assignment]  # tyro reads it from the class

    @property
    def metavar(self) -> str:  # type: ignore[override]  # tyro reads it from the class
        """How the help text shows them: the first two; the others stand in the explanation."""
        return "{" + ",".join([*self.registry][:2]) + ",...}|FILE" + SUFFIX


GrammarChoice = Annotated[str, _GrammarWord(GRAMMARS), explained(GRAMMARS)]
"""A grammar as `as_grammar` reads it."""


def _hint(default: str) -> str:
    """All forms of needs with their sentences, behind the option's own help."""
    return f"({'; '.join(f'{need.form}: {need.sentence}' for need in NEEDS.values())}; default: {default})"


NeedSpec = Annotated[str, tyro.conf.arg(help_behavior_hint=_hint)]
"""A need as `Need.parse` reads it."""
