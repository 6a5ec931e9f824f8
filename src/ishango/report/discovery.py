"""Finding what registers itself: every module of a package is imported once."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules


def import_modules(package: str, path: Iterable[str]) -> None:
    """Import all modules of a package, so that a new file is found without being listed anywhere."""
    for module in iter_modules(path):
        import_module(f"{package}.{module.name}")
