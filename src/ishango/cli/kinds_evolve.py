"""`ishango kinds evolve`: Algorithm 1 for systems of every kind."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from ishango.cli.kinds_view import kinds_view
from ishango.cli.one_run import Preset, parse_run, play_one, start_in_name
from ishango.game.options import PAPER
from ishango.kinds.evolution import SOCIETY, Society
from ishango.kinds.options import SocietyOptions


@dataclass(frozen=True)
class KindsEvolve(SocietyOptions):
    """Let a system of any kind be changed word by word, and keep what is worth more to agents who use it.

    A guess is worth exp(-precision x error), a further symbol costs game.effort, a word costs word. The run lives in a
    directory: interrupted at any moment, the same command goes on where it stopped, and a larger --rounds continues a
    finished run.

    Example: ishango kinds evolve --start 1,2 --precision 0.1 --precision-to 10 --out out/society
    """

    preset: Preset = PAPER
    """Agents as in the paper's letter, most of whom understand few numbers, or the nearest to it who can talk."""
    out: Path | None = None
    """The run's directory; by default out/kinds/ with start, who decides and seed in its name."""
    json: bool = False
    """Print the last round's record as JSON at the end."""

    def options(self) -> SocietyOptions:
        """The run that is asked for, without what only concerns this command."""
        return SocietyOptions(**{name: getattr(self, name) for name in SocietyOptions.__dataclass_fields__})


def main(arguments: list[str]) -> int:
    """Parse, run, show."""
    command = parse_run(KindsEvolve, SOCIETY, "kinds evolve", arguments)
    options = command.options()
    name = f"start-{start_in_name(options.start)},{options.choose},seed-{options.seed}"
    directory = command.out or Path("out") / "kinds" / name
    return play_one(Society(options), directory, kinds_view(sys.stderr), command.json)
