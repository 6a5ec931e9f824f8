"""The rounds of a run, few of many: what a picture needs of a file that may be very long."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ishango.lab.rounds import NAME, parse_last_round, parse_rounds

WHOLE = 256 * 1024
"""Bytes up to which a file is read whole."""
LOOKS, LONGEST_LINE = 160, 16 * 1024
"""How often a longer file is looked into, and how far each time; a line that is longer is not seen there."""


def thinned_rounds(directory: Path | str) -> list[dict[str, Any]]:
    """Rounds in their order: all of them where there are few, else some, evenly spread, with the first and the last.

    A link, or what is no file, has none; what is damaged, or not whole yet, is left out.
    """
    try:
        descriptor = os.open(Path(directory) / NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return []
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return []
        if found.st_size <= WHOLE:
            return parse_rounds(os.pread(descriptor, WHOLE, 0))
        return list(_sampled(descriptor, found.st_size))
    finally:
        os.close(descriptor)


def _sampled(descriptor: int, length: int) -> Iterator[dict[str, Any]]:
    """The last whole round before each of some evenly spaced places; they must go up, or something is wrong."""
    last = -1
    for place in range(LOOKS + 1):
        end = LONGEST_LINE + (length - LONGEST_LINE) * place // LOOKS
        data = os.pread(descriptor, LONGEST_LINE, end - LONGEST_LINE)
        record = next(iter(parse_rounds(data)), None) if place == 0 else parse_last_round(data)
        if record is not None and record["round"] > last:
            last = record["round"]
            yield record
