"""`ishango restricted train`: agents that learn words for numbers."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ishango.cli.one_run import play_one
from ishango.cli.output import decimals
from ishango.cli.parsing import own_names, parse
from ishango.cli.run_view import view
from ishango.cli.text_plane import plane
from ishango.restricted import LEARNING, Learning, LearningOptions


@dataclass(frozen=True)
class RestrictedTrain(LearningOptions):
    """Let two agents learn a few words for the numbers 1 to RANGE, and see where their system lies.

    After each round the most probable word for each number is read off; the record says where the system lies in the
    plane of complexity and cost and which human system it resembles. The run lives in a directory: interrupted at any
    moment, the same command goes on where it stopped, and a larger --rounds continues a finished run. Options of the
    game may be given without its name: --reward is --game.reward.

    Example: ishango restricted train --vocabulary 5 --reward linear --out out/five
    """

    out: Path | None = None
    """The run's directory; by default out/restricted/ with vocabulary, reward, range and seed in its name."""
    json: bool = False
    """Print the last round's record as JSON at the end."""

    def options(self) -> LearningOptions:
        """The run that is asked for, without what only concerns this command."""
        return LearningOptions(**{name: getattr(self, name) for name in LearningOptions.__dataclass_fields__})


def main(arguments: list[str]) -> int:
    """Parse, run, show."""
    command = parse(RestrictedTrain, "restricted train", own_names(arguments, LEARNING.other_names))
    options = command.options()
    directory = command.out or default_directory(options)
    shown = view(sys.stderr, _summary, _figures, _picture)
    return play_one(Learning(options), directory, shown, command.json)


def default_directory(options: LearningOptions) -> Path:
    """A name that tells what one varies."""
    game = options.game
    name = f"vocabulary-{game.vocabulary},{game.reward},range-{game.upto},seed-{options.seed}"
    return Path("out") / "restricted" / name


def _summary(record: Mapping[str, Any]) -> str:
    return "  ".join(f"{name} {value}" for name, value in _figures(record).items())


def _figures(record: Mapping[str, Any]) -> dict[str, str]:
    rows = {
        "words": f"{record['words']} ({record['kind']})",
        "cost": f"{decimals(record['cost'], 4)}  gap {decimals(record['gap'], 4)}",
    }
    if record["nearest"]:
        rows["like"] = f"{record['nearest']} ({decimals(record['variation'], 3)} bits apart)"
    if record["mean_reward"] is not None:
        rows["reward"] = f"{record['mean_reward']:.3f}  {record['steps_per_second']:,.0f} steps/s"
    return rows


def _picture(records: list[Mapping[str, Any]], columns: int) -> str:
    return plane(records, columns, "complexity", "cost", "cost")
