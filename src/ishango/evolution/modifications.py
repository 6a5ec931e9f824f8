"""How a system may be modified, by name: the six modifications of the paper's table, and which numeral they add."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ishango.errors import RequestError, RunError
from ishango.evolution.add_rules import ADD_RULES, LOWEST
from ishango.numerals import NumeralSystem, leaves_of_many, masks
from ishango.registry import Registry


@dataclass(frozen=True)
class Modification:
    """One way to modify a system."""

    name: str
    """What the option `modifications` and the field `action` of a record call it."""
    label: str
    """What pages, tables and legends call it."""
    sentence: str
    """What it does; for those of the paper in its own words."""
    apply: Callable[[NumeralSystem, int | None], NumeralSystem | None]
    """From a system and the numeral to add, if there is one, to the changed system, or None if it cannot apply."""


MODIFICATIONS: Registry[Modification] = Registry("modification", "ishango.modifications")


def add_digit(system: NumeralSystem, free: int | None) -> NumeralSystem | None:
    """Add a numeral that is not in D or M to D."""
    return None if free is None else changed({*system.digits, free}, system.multipliers, system)


def add_multiplier(system: NumeralSystem, free: int | None) -> NumeralSystem | None:
    """Add a numeral that is not in D or M to M."""
    return None if free is None else changed(system.digits, {*system.multipliers, free}, system)


def multiplier_to_digit(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
    """Move the lowest numeral in M to D; if D has it already, it is only removed from M."""
    lowest, *others = system.multipliers
    return changed({*system.digits, lowest}, others, system)


def digit_to_multiplier(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
    """Move the highest numeral in D to M; if M has it already, it is only removed from D."""
    if not system.digits:
        return None
    *others, highest = system.digits
    return changed(others, {*system.multipliers, highest}, system)


def drop_digit(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
    """Remove the highest numeral in D."""
    return changed(system.digits[:-1], system.multipliers, system)


def drop_multiplier(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
    """Remove the highest numeral in M."""
    return changed(system.digits, system.multipliers[:-1], system)


def changed(digits: Iterable[int], multipliers: Iterable[int], like: NumeralSystem) -> NumeralSystem | None:
    """The system of these words under the same grammar, or None where that does not allow it."""
    try:
        return NumeralSystem(tuple(digits), tuple(multipliers), like.grammar)
    except RequestError:
        return None


PAPER = tuple(
    MODIFICATIONS.add(each)
    for each in (
        Modification("m0", "add a digit", "Add highest numeral not in D or M to D", add_digit),
        Modification("m1", "add a multiplier", "Add highest numeral not in D or M to M", add_multiplier),
        Modification("m2", "multiplier becomes digit", "Move lowest numeral in M to D", multiplier_to_digit),
        Modification("m3", "digit becomes multiplier", "Move highest numeral in D to M", digit_to_multiplier),
        Modification("m4", "drop the highest digit", "Remove highest numeral in D", drop_digit),
        Modification("m5", "drop the highest multiplier", "Remove highest numeral in M", drop_multiplier),
    )
)
"""Those of the paper, in the order of its table. Which numeral is added is a rule of its own."""

PAPER_NAMES = ",".join(each.name for each in PAPER)


def parse_modifications(names: str) -> tuple[Modification, ...]:
    """The modifications that are named, with commas between them, in that order.

    >>> [each.label for each in parse_modifications("m4,m0")]
    ['drop the highest digit', 'add a digit']
    """
    found = [name.strip() for name in names.split(",")]
    twice = next((name for name in found if found.count(name) > 1), None)
    if twice is not None:
        raise RequestError(f"modifications is {names!r}, which has {twice} twice; name each once.")
    return tuple(MODIFICATIONS[name] for name in found)


def alternatives(
    system: NumeralSystem, upto: int, add: str = LOWEST.name, modifications: Sequence[Modification] = PAPER
) -> dict[NumeralSystem, str]:
    """The distinct systems that one modification leads to and that cover 1..upto, with the modification's name.

    One that cannot apply or changes nothing is left out; of several with the same result the first is named.
    """
    free = free_numeral(system, upto, add)
    found: dict[NumeralSystem, str] = {}
    for modification in modifications:
        other = _modified(modification, system, free)
        if other is not None and other != system:
            found.setdefault(other, modification.name)
    leaves = leaves_of_many(*masks(list(found), upto), system.grammar)
    return {other: name for (other, name), row in zip(found.items(), leaves, strict=True) if row.all()}


def free_numeral(system: NumeralSystem, upto: int, add: str) -> int | None:
    """The numeral to add under the rule of that name: one of 1..upto in neither set, or None if there is none."""
    words = set(system.words)
    free = [n for n in range(1, upto + 1) if n not in words]
    picked = ADD_RULES[add].pick(system, free)
    if picked is not None and picked not in free:
        raise RunError(f"The rule {add!r} picks {picked!r}, which is no free numeral of {system} up to {upto}.")
    return picked


def _modified(modification: Modification, system: NumeralSystem, free: int | None) -> NumeralSystem | None:
    """What a modification makes of a system; one from outside may make a mistake."""
    found: Any = modification.apply(system, free)
    if found is None or (isinstance(found, NumeralSystem) and found.grammar == system.grammar):
        return found
    raise RunError(
        f"The modification {modification.name!r} makes {found!r} of {system}; it must give a numeral system under the"
        " same grammar, or None."
    )
