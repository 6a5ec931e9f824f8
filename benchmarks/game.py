"""The signalling game: the kernel against PyTorch and JAX side by side, where its time goes, two processes, memory.

python -m benchmarks game          prints everything
python -m benchmarks.game docs     also writes docs/figures/game.csv and the tables of docs/studies/game.md
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import torch

from benchmarks import game_table
from benchmarks.game_others import Other, others
from benchmarks.game_phases import PHASES, Floor, profile
from benchmarks.game_worker import NEED, OPTIONS, WARMUP, expressions, seconds
from ishango.game import Agents, play


def compare(start: int, names: Mapping[str, Callable[[int], Other]], first: int, last: int, blocks: int) -> list[float]:
    """Seconds a step of the kernel and of each other, while the kernel goes from step `first` to `last`.

    They alternate: at the start of each block the others take the kernel's parameters and play a tenth of it.
    """
    arms, rng = [expressions(start)], np.random.default_rng(0)
    agents = Agents.random(OPTIONS, rng)
    play(agents, arms, NEED, OPTIONS, first, rng)
    size = (last - first) // blocks
    fewer, players = size // 10, [make(start) for make in names.values()]
    for player in players:
        player(agents, fewer)  # whoever compiles does it now
    taken = np.zeros(1 + len(players))
    for _ in range(blocks):
        for i, player in enumerate(players, 1):
            player(agents, 1)
            taken[i] += seconds(lambda player=player: player(agents, fewer)) / fewer
        taken[0] += seconds(lambda: play(agents, arms, NEED, OPTIONS, size, rng)) / size
    return list(taken / blocks)


def compare_all(
    title: str, names: Mapping[str, Callable[[int], Other]], first: int, last: int, blocks: int
) -> list[list[float]]:
    """Seconds a step of the kernel and of each other, a row a start."""
    print(f"\n{title}: steps a second, and how many times as many the kernel does")
    print("start   kernel  " + "  ".join(f"{name:>20}" for name in names))
    rows: list[list[float]] = []
    for start in range(1, 9):
        mine, *theirs = compare(start, names, first, last, blocks)
        rows.append([mine, *theirs])
        cells = "  ".join(f"{1 / each:12.0f} ({each / mine:5.1f})" for each in theirs)
        print(f"{start:5}   {1 / mine:6.0f}  {cells}", flush=True)
    means = np.exp(np.mean(np.log([[each / mine for each in theirs] for mine, *theirs in rows]), axis=0))
    print("geometric means: " + ", ".join(f"{name} {mean:.1f}" for name, mean in zip(names, means, strict=True)))
    return rows


def phases(floor: Floor) -> list[game_table.Row]:
    """Where the time of a step goes, a row a start."""
    print(f"\nWhere a step's time goes after {WARMUP} steps (microseconds), and the floor: {floor.note}")
    print("start  step  " + "  ".join(f"{p:>8}" for p in PHASES) + "  floor  step/floor  nodes  recurrent")
    rows: list[game_table.Row] = []
    for start in range(1, 9):
        p = profile(expressions(start), NEED, WARMUP, 1000)
        spent = {name: p.shares[name] * p.seconds * 1e6 for name in PHASES}
        least = floor.seconds(p, OPTIONS) * 1e6
        times = "  ".join(f"{each:8.1f}" for each in spent.values())
        print(
            f"{start:5} {p.seconds * 1e6:5.0f}  {times}  {least:5.0f}  {p.seconds * 1e6 / least:10.1f}  {p.nodes:5.1f}"
            f"  {p.recurrent:9.1f}",
            flush=True,
        )
        rows.append({"start": start, "floor": least, **spent, "nodes": p.nodes, "recurrent": p.recurrent})
    return rows


def together(count: int, steps: int = 6000) -> list[float]:
    """Steps a second of `count` processes at once by clock and by processor time, and the peak memory of one."""
    command = [sys.executable, "-c", f"from benchmarks.game_worker import worker; worker({steps})"]
    pipe = subprocess.PIPE
    workers = [subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) for _ in range(count)]
    for process in workers:
        assert process.stdout is not None
        process.stdout.readline()
    for process in workers:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    results = np.array([[float(x) for x in process.communicate()[0].split()] for process in workers])
    return [*results[:, :2].sum(axis=0), results[:, 2].max()]


def processes() -> None:
    print(f"\nProcesses on start 1 (medians of three, alternating) on {os.cpu_count()} cores")
    one, two = np.median([[together(1), together(2)] for _ in range(3)], axis=0)
    for how, i in (("by the clock", 0), ("by processor time", 1)):
        print(f"{how}: one {one[i]:.0f} steps/s, two {two[i]:.0f} steps/s together, ratio {two[i] / one[i]:.2f}")
    print(f"peak memory of one process: {one[2]:.0f} MB; load average {os.getloadavg()[0]:.1f}")


def main(docs: Path | None = None) -> None:
    """Print everything, and write the tables of the documentation; some ten minutes on an idle machine."""
    torch.set_num_threads(1)
    names = others()
    later = compare_all(f"After {WARMUP} steps", names, WARMUP, WARMUP + 4000, blocks=10)
    first = compare_all("The first 2,000 steps", {"PyTorch": names["PyTorch"]}, 0, WARMUP, blocks=20)
    where = phases(Floor.measured())
    keys = ["kernel", *(key for key, label in game_table.OTHERS.items() if label in names)]
    rows: list[game_table.Row] = [
        {
            "start": parts["start"],
            **{key: 1e6 * seconds for key, seconds in zip(keys, after, strict=True)},
            "kernel_first": 1e6 * before[0],
            "pytorch_first": 1e6 * before[1],
            **parts,
        }
        for after, before, parts in zip(later, first, where, strict=True)
    ]
    print("\n" + game_table.markdown(rows), flush=True)
    processes()
    if docs is not None:
        page = docs / "studies" / "game.md"
        game_table.write(docs / game_table.FILE, rows)
        page.write_text(game_table.page_with(page.read_text(encoding="utf-8"), rows), encoding="utf-8")
        print(f"\nwritten to {docs / game_table.FILE} and {page}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
