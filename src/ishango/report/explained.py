"""What a table of the report holds, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Explained(NamedTuple):
    """A table in words."""

    about: str
    """What it holds, in a sentence."""
    columns: Mapping[str, str]
    """What each of its columns means."""
