"""What the page of a run shows."""

from __future__ import annotations

from typing import Any

from ishango.explorer.drawing import picture
from ishango.explorer.optima import NEED
from ishango.explorer.plane import Planes
from ishango.explorer.run_tables import communication_table, lexicon_table, modifications_of, modifications_table
from ishango.explorer.runs import Runs
from ishango.figures.run_figures import communication_figure, lexicon_figure, modifications_figure
from ishango.lab.records import record_json

LISTED_ROUNDS = 200
"""Rounds in the list of a run's last rounds."""


def run_details(summary: dict[str, Any], planes: Planes, runs: Runs) -> dict[str, Any]:
    """One run: the way it went, its words, how the agents did, what was tried."""
    rounds = runs.rounds(summary["name"]) if summary["round"] >= 0 else []
    details: dict[str, Any] = {"run": summary, **dict.fromkeys(("path", "lexicon", "communication", "mutations"))}
    if rounds:
        details["path"] = planes.path([summary], NEED)
        details["lexicon"] = picture(lexicon_figure, {"words": lexicon_table(rounds)})
        labels = modifications_of(runs.view(summary["name"]).config)
        talked, tried = communication_table(rounds), modifications_table(rounds, labels)
        if len(talked):
            names = tuple(talked["series"].unique())
            details["communication"] = picture(communication_figure, {"communication": talked}, names=names)
        if len(tried):
            order = tuple(tried["modification"].unique())
            details["mutations"] = picture(modifications_figure, {"modifications": tried}, order=order)
    details["rounds"] = [record_json(each) for each in rounds[-LISTED_ROUNDS:]]
    return details
