"""The paper in one command: runs, tables, figures, verdicts and a page."""

from ishango.report.claims import Verdict, verdicts
from ishango.report.reproduction import reproduce
from ishango.report.scale import FULL, QUICK, Scale

__all__ = ["FULL", "QUICK", "Scale", "Verdict", "reproduce", "verdicts"]
