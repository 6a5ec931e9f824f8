"""What one sees of a run of Algorithm 1."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, TextIO

from ishango.cli import run_view
from ishango.cli.output import decimals
from ishango.cli.text_plane import plane
from ishango.lab import Reporter
from ishango.numerals import format_set


def view(stream: TextIO) -> AbstractContextManager[Reporter]:
    """A reporter that draws on the stream: the current system, its figures, and the path it took in the plane."""
    return run_view.view(stream, _summary, _figures, plane, _few_understood)


def _few_understood(config: Mapping[str, Any], record: Mapping[str, Any]) -> str | None:
    """What to say of agents who can hardly talk: what they decide says little of the languages."""
    understood, upto = record.get("numbers_understood"), config["game"]["range"]
    if understood is None or 2 * understood >= upto:
        return None
    won = record["accuracy"] or 0
    though = f", though they win {won:.0%} of games: a few numbers are most of the talk" if won > 0.5 else ""
    helps = "What helps: --preset able, or more steps."
    return f"Note: these agents understand {understood} of {upto} numbers{though}. {helps}"


def _summary(record: Mapping[str, Any]) -> str:
    accuracy, understood = record["accuracy"], record.get("numbers_understood")
    return (
        f"D {format_set(record['digits'])}  M {format_set(record['multipliers'])}"
        f"  size {record['size']}  average {decimals(record['average_complexity'], 4)}"
        f"  gap {decimals(record['gap'], 4)}"
        + ("" if accuracy is None else f"  games won {accuracy:.3f}  {record['steps_per_second']:,.0f} steps/s")
        + ("" if understood is None else f"  understood {understood}")
    )


def _figures(record: Mapping[str, Any]) -> dict[str, str]:
    rows = {
        "D": format_set(record["digits"]),
        "M": format_set(record["multipliers"]),
        "size": str(record["size"]),
        "average": f"{decimals(record['average_complexity'], 4)}   gap {decimals(record['gap'], 4)}",
    }
    if record["accuracy"] is not None:
        rows["games won"] = f"{record['accuracy']:.3f}   {record['steps_per_second'] or 0:,.0f} steps a second"
    if record.get("numbers_understood") is not None:
        rows["understood"] = f"{record['numbers_understood']} numbers, {record['messages']} different messages"
    return rows
