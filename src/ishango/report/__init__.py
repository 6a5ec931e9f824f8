"""The paper in one command: runs, tables, figures, verdicts and a page."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ishango.registry import needs

needs("report", "Reproductions of the paper")

from ishango.report._studies import FULL, QUICK, Scale, weigh  # noqa: E402 - needs come first
from ishango.report.claims import Verdict, verdicts  # noqa: E402 - needs come first

if TYPE_CHECKING:
    from ishango.report._data import Data, shipped_results
    from ishango.report._outcomes import still_missing
    from ishango.report._reproduction import PlayedElsewhereError, reproduce
    from ishango.report._results import reproduced, ship, write_results

__all__ = [
    "FULL", "QUICK", "Data", "PlayedElsewhereError", "Scale", "Verdict", "reproduce", "reproduced", "ship",
    "shipped_results", "still_missing", "verdicts", "weigh", "write_results",
]  # fmt: skip


_LATER = {
    "Data": "_data",
    "shipped_results": "_data",
    "still_missing": "_outcomes",
    "PlayedElsewhereError": "_reproduction",
    "reproduce": "_reproduction",
    "reproduced": "_results",
    "ship": "_results",
    "write_results": "_results",
}
"""What needs drawing libraries, which take a second to load; verdicts need none."""


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f"ishango.report.{_LATER[name]}"), name)
    raise AttributeError(f"module 'ishango.report' has no attribute {name!r}")
