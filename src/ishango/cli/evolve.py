"""`ishango evolve`: a run of Algorithm 1."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro

from ishango.cli.evolve_view import view
from ishango.cli.one_run import Preset, parse_run, play_one, start_in_name
from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, Evolution, EvolutionOptions
from ishango.game.options import PAPER


@dataclass(frozen=True)
class Evolve(EvolutionOptions):
    """Let agents talk while their lexicon evolves, from one of the paper's starts or a system of your own.

    The run lives in a directory: interrupted at any moment, the same command goes on where it stopped, and a larger
    --rounds continues a finished run.

    Example: ishango evolve --start 1 --rounds 10 --steps 5000 --out out/first
    """

    system: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[DIGITS MULTIPLIERS]")] = ()
    """The starting system's digits and multipliers, such as 1-9,11 10, instead of --start."""
    preset: Preset = PAPER
    """Agents as in the paper's letter, most of whom understand few numbers, or the nearest to it who can talk."""
    out: Path | None = None
    """The run's directory; by default out/evolve/ with the start and the seed in its name."""
    json: bool = False
    """Print the last round's record as JSON at the end."""

    def options(self) -> EvolutionOptions:
        """The run that is asked for, without what only concerns this command."""
        names = EvolutionOptions.__dataclass_fields__
        options = EvolutionOptions(**{name: getattr(self, name) for name in names})
        if not self.system:
            return options
        if len(self.system) != 2:
            raise RequestError("A starting system is two sets, DIGITS and MULTIPLIERS, such as 1-9,11 10.")
        return replace(options, start=" | ".join(self.system))


def main(arguments: list[str]) -> int:
    """Parse, run, show."""
    command = parse_run(Evolve, EVOLUTION, "evolve", arguments)
    if command.system and any(word.partition("=")[0] == "--start" for word in arguments):
        raise RequestError("A starting system and --start exclude each other; give one of them.")
    options = command.options()
    directory = command.out or default_directory(options)
    return play_one(Evolution(options), directory, view(sys.stderr), command.json)


def default_directory(options: EvolutionOptions) -> Path:
    """A name that tells the start, who chooses, and the seed."""
    return Path("out") / "evolve" / f"start-{start_in_name(options.start)},{options.choose},seed-{options.seed}"
