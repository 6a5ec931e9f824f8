"""Parts that are installed only where they are wanted: which modules each needs, and what to say without them."""

from __future__ import annotations

from importlib.util import find_spec

from ishango.errors import RequestError

EXTRAS: dict[str, tuple[str, ...]] = {
    "tables": ("duckdb",),
    "report": ("altair", "duckdb", "jinja2", "scipy", "vl_convert"),
    "explorer": ("altair", "duckdb", "fastapi", "jinja2", "scipy", "uvicorn", "vl_convert"),
    "torch": ("torch",),
    "cldf": ("pycldf",),
}
"""The extras of pyproject.toml that parts of this package cannot do without, and the modules that they bring."""


class MissingExtraError(RequestError, ImportError):
    """A part that was asked for is not installed; the message says how to install it."""


def needs(extra: str, what: str) -> None:
    """Refuse, before anything is loaded, what cannot work here.

    Args:
        extra: the extra that brings what is needed.
        what: who needs it, in the plural, as the beginning of a sentence.

    >>> needs("report", "Figures")  # they are installed where this runs
    """
    missing = [module for module in EXTRAS[extra] if find_spec(module) is None]
    if missing:
        raise MissingExtraError(
            f"{what} need {_listed(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed:"
            f" pip install 'ishango[{extra}]' brings {'it' if len(missing) == 1 else 'them'}."
        )


def _listed(names: list[str]) -> str:
    """Names as in a sentence.

    >>> _listed(["altair", "duckdb", "scipy"])
    'altair, duckdb and scipy'
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
