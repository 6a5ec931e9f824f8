"""`ishango generations`: a language that is passed on from parents to children."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from ishango.cli.evolve_view import view
from ishango.cli.one_run import Preset, parse_run, play_one, start_in_name
from ishango.game.options import PAPER
from ishango.generations import GENERATIONS, GenerationOptions, Generations


@dataclass(frozen=True)
class PassOn(GenerationOptions):
    """Let a language be passed on: each generation knows the words that it heard, and may coin others.

    A generation is a round of the lab; --generations is another name of --rounds. The run lives in a directory:
    interrupted at any moment, the same command goes on where it stopped, and more generations continue a finished run.

    Example: ishango generations --start 1 --generations 80 --bottleneck 200 --out out/chain
    """

    preset: Preset = PAPER
    """Agents as in the paper's letter, most of whom understand few numbers, or the nearest to it who can talk."""
    out: Path | None = None
    """The run's directory; by default out/generations/ with the start, the bottleneck and the seed in its name."""
    json: bool = False
    """Print the last generation's record as JSON at the end."""

    def options(self) -> GenerationOptions:
        """The run that is asked for, without what only concerns this command."""
        return GenerationOptions(**{name: getattr(self, name) for name in GenerationOptions.__dataclass_fields__})


def main(arguments: list[str]) -> int:
    """Parse, run, show."""
    command = parse_run(PassOn, GENERATIONS, "generations", arguments)
    options = command.options()
    directory = command.out or default_directory(options)
    return play_one(Generations(options), directory, view(sys.stderr), command.json)


def default_directory(options: GenerationOptions) -> Path:
    """A name that tells what one varies."""
    controls = [each for each in (options.say, options.lose, options.coin) if each in ("any", "random", "uniform")]
    parts = [
        f"start-{start_in_name(options.start)}",
        options.agents,
        *([f"population-{options.population}"] if options.population > 1 else []),
        f"bottleneck-{options.bottleneck}",
        *controls,
        f"seed-{options.seed}",
    ]
    return Path("out") / "generations" / ",".join(parts)
