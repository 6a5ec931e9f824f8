"""`ishango kinds generations`: systems of every kind that are passed on."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from ishango.cli.kinds_view import kinds_view
from ishango.cli.one_run import play_one, start_in_name
from ishango.cli.parsing import own_names, parse
from ishango.kinds import OPEN_GENERATIONS, OpenGenerationOptions, OpenGenerations


@dataclass(frozen=True)
class KindsGenerations(OpenGenerationOptions):
    """Let a system of any kind be passed on: a generation knows the words that it heard, whether they suffice or not.

    Parents say the number that costs least under the law, so that a number without an expression is said as another
    near it. A generation is a round of the lab; --generations is another name of --rounds. The run lives in a
    directory: interrupted at any moment, the same command goes on where it stopped, and more generations continue a
    finished run.

    Example: ishango kinds generations --start 1,2 --precision 100 --bottleneck 200 --out out/heirs
    """

    out: Path | None = None
    """The run's directory; by default out/kinds/ with start, precision, bottleneck and seed in its name."""
    json: bool = False
    """Print the last generation's record as JSON at the end."""

    def options(self) -> OpenGenerationOptions:
        """The run that is asked for, without what only concerns this command."""
        names = OpenGenerationOptions.__dataclass_fields__
        return OpenGenerationOptions(**{name: getattr(self, name) for name in names})


def main(arguments: list[str]) -> int:
    """Parse, run, show."""
    command = parse(KindsGenerations, "kinds generations", own_names(arguments, OPEN_GENERATIONS.other_names))
    options = command.options()
    controls = [each for each in (options.lose, options.coin) if each in ("random", "uniform")]
    parts = [
        f"generations,start-{start_in_name(options.start)}", f"precision-{options.precision:g}",
        f"bottleneck-{options.bottleneck}", *controls, f"seed-{options.seed}",
    ]  # fmt: skip
    directory = command.out or Path("out") / "kinds" / ",".join(parts)
    return play_one(OpenGenerations(options), directory, kinds_view(sys.stderr), command.json)
