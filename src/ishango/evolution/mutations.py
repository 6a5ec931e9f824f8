"""The six modifications of the paper's table: small named functions from a system to a changed one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ishango.errors import RequestError
from ishango.numerals import NumeralSystem, leaves_of_many, masks

Add = Literal["lowest", "highest", "highest-below-max"]
"""Which free numeral m0 and m1 add. The paper's table says the highest; see docs/evolution.md for why not."""

Mutation = Callable[[NumeralSystem, int | None], NumeralSystem | None]
"""From a system and the numeral to add, if there is one, to the changed system, or None if it cannot apply."""


def m0(system: NumeralSystem, free: int | None) -> NumeralSystem | None:
    """Add a numeral that is not in D or M to D."""
    return None if free is None else _system({*system.digits, free}, system.multipliers, system)


def m1(system: NumeralSystem, free: int | None) -> NumeralSystem | None:
    """Add a numeral that is not in D or M to M."""
    return None if free is None else _system(system.digits, {*system.multipliers, free}, system)


def m2(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
    """Move the lowest numeral in M to D; if D has it already, it is only removed from M."""
    lowest, *others = system.multipliers
    return _system({*system.digits, lowest}, others, system)


def m3(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
    """Move the highest numeral in D to M; if M has it already, it is only removed from D."""
    if not system.digits:
        return None
    *others, highest = system.digits
    return _system(others, {*system.multipliers, highest}, system)


def m4(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
    """Remove the highest numeral in D."""
    return _system(system.digits[:-1], system.multipliers, system)


def m5(system: NumeralSystem, _free: int | None) -> NumeralSystem | None:
    """Remove the highest numeral in M."""
    return _system(system.digits, system.multipliers[:-1], system)


MUTATIONS: dict[str, Mutation] = {"m0": m0, "m1": m1, "m2": m2, "m3": m3, "m4": m4, "m5": m5}


def alternatives(system: NumeralSystem, game_range: int, add: Add = "lowest") -> dict[NumeralSystem, str]:
    """The distinct systems that one modification leads to and that cover the game range, with the modification.

    One that cannot apply or changes nothing is left out; of several with the same result the first is named.
    """
    free = free_numeral(system, game_range, add)
    found: dict[NumeralSystem, str] = {}
    for name, mutation in MUTATIONS.items():
        changed = mutation(system, free)
        if changed not in (None, system):
            found.setdefault(changed, name)
    leaves = leaves_of_many(*masks(list(found), game_range), system.grammar)
    return {changed: name for (changed, name), row in zip(found.items(), leaves, strict=True) if row.all()}


def free_numeral(system: NumeralSystem, game_range: int, add: Add) -> int | None:
    """The numeral that m0 and m1 add: a numeral of 1..game_range in neither set, or None if there is none."""
    words = set(system.words)
    free = [n for n in range(1, game_range + 1) if n not in words]
    if add == "highest-below-max":
        free = [n for n in free if n < max(words)]
    elif add not in ("lowest", "highest"):
        raise RequestError(f"There is no rule {add!r} for adding; choose lowest, highest or highest-below-max.")
    if not free:
        return None
    return free[0] if add == "lowest" else free[-1]


def _system(digits: object, multipliers: object, like: NumeralSystem) -> NumeralSystem | None:
    """The system of these words, or None where the grammar does not allow it."""
    try:
        return NumeralSystem(tuple(digits), tuple(multipliers), like.grammar)  # type: ignore[arg-type]
    except RequestError:
        return None
