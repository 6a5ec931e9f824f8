"""A run without a directory: for notebooks and tests, where nothing has to survive."""

from __future__ import annotations

from functools import partial
from typing import Any

from ishango.lab.config import normalised
from ishango.lab.protocol import Experiment, Reporter, Silent, StateT


def play_in_memory(
    experiment: Experiment[StateT], reporter: Reporter | None = None
) -> tuple[list[dict[str, Any]], StateT]:
    """Play all rounds and give back their records and the last state; the same random numbers as in a directory."""
    reporter, config = reporter or Silent(), normalised(experiment.config)
    reporter.begin(config, 0)
    try:
        state, outcome = experiment.start(partial(reporter.steps, 0))
        records = [outcome.record]
        reporter.round(outcome.record)
        for number in range(1, config["rounds"] + 1):
            state, outcome = experiment.play(state, number, partial(reporter.steps, number))
            records.append(outcome.record)
            reporter.round(outcome.record)
    finally:
        reporter.end()
    return records, state
