"""The table of `docs/studies/game.md`: written by the measurement, kept as a file, shown as it is there."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path

FILE = Path("figures") / "game.csv"
"""Where the numbers lie, from the directory `docs`."""
BEGIN, END = "<!-- table of figures/game.csv -->", "<!-- end of the table -->"
"""What encloses the table on the page."""

Row = dict[str, float]
"""Microseconds a step by who plays, and what else was measured; a row a start."""

OTHERS = {"pytorch": "PyTorch", "torch_compile": "torch.compile", "jax": "JAX"}
PHASES = ("sampling", "tree", "forward", "backward", "adam")


def write(path: Path, rows: Sequence[Row]) -> None:
    """Keep the rows."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: f"{value:.6g}" for name, value in row.items()} for row in rows)


def read(path: Path) -> list[Row]:
    """The rows that were kept."""
    with path.open(newline="", encoding="utf-8") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def mean_ratio(rows: Sequence[Row], one: str, other: str = "kernel") -> float:
    """The geometric mean over the starts of how many times as long one takes as the other."""
    return math.exp(sum(math.log(row[one] / row[other]) for row in rows) / len(rows))


def markdown(rows: Sequence[Row]) -> str:
    """The rows as a table, with ratios to the kernel's step and of that to its floor."""
    others = {name: label for name, label in OTHERS.items() if name in rows[0]}
    titles = ["start", "step, µs", "floor, µs", "step / floor", *others.values(), "PyTorch, first 2,000 steps"]
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    for row in rows:
        ratios = [f"{row[name] / row['kernel']:.1f}" for name in others]
        lines.append(
            f"| {row['start']:.0f} | {row['kernel']:.0f} | {row['floor']:.0f} | {row['kernel'] / row['floor']:.1f} | "
            + " | ".join([*ratios, f"{row['pytorch_first'] / row['kernel_first']:.1f}"])
            + " |"
        )
    means = [mean_ratio(rows, "kernel", "floor"), *(mean_ratio(rows, name) for name in others)]
    means.append(mean_ratio(rows, "pytorch_first", "kernel_first"))
    lines.append("| geometric mean | | | " + " | ".join(f"**{mean:.1f}**" for mean in means) + " |")
    return "\n".join(lines)


def phases(rows: Sequence[Row]) -> str:
    """Where the time of a step goes, as a table."""
    lines = ["| start | " + " | ".join(PHASES) + " | nodes | below the first level |", "|" + "---|" * (3 + len(PHASES))]
    for row in rows:
        cells = [f"{row[name]:.0f}" for name in PHASES] + [f"{row['nodes']:.1f}", f"{row['recurrent']:.1f}"]
        lines.append(f"| {row['start']:.0f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def page_with(text: str, rows: Sequence[Row]) -> str:
    """The page with these tables in place of those that it has."""
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{markdown(rows)}\n\nMicroseconds by phase:\n\n{phases(rows)}\n{END}{after}"
