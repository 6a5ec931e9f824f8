"""The paper in one command: runs, tables, figures, verdicts and a page."""

from typing import TYPE_CHECKING, Any

from ishango.registry import needs

needs("report", "Reproductions of the paper")

from ishango.report.claims import Verdict, verdicts  # noqa: E402
from ishango.report.studies import FULL, QUICK, Scale  # noqa: E402

if TYPE_CHECKING:
    from ishango.report.reproduction import reproduce

__all__ = ["FULL", "QUICK", "Scale", "Verdict", "reproduce", "verdicts"]


def __getattr__(name: str) -> Any:
    # Drawing libraries take a second to load, and verdicts need none.
    if name == "reproduce":
        from ishango.report.reproduction import reproduce

        return reproduce
    raise AttributeError(f"module 'ishango.report' has no attribute {name!r}")
