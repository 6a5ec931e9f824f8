"""Needs from files: CSV tables with a line `number, need` for each number."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from ishango.errors import RequestError


def read_table(path: Path) -> tuple[Fraction, ...]:
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
