"""Ishango: a laboratory for the evolution of numeral systems.

The names of `ishango.numerals` are available here and loaded on first use, so that importing the package (and
asking the command line for help) does not wait for the kernels.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ishango.numerals import *  # noqa: F403

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if not name.startswith("_"):
        numerals = import_module("ishango.numerals")
        if name in numerals.__all__:
            return getattr(numerals, name)
    raise AttributeError(f"module 'ishango' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module("ishango.numerals").__all__})
