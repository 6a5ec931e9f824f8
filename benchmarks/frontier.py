"""How long proofs take, how far other needs get, and the genetic algorithm beside the exact search.

`ISHANGO_BENCH_SECONDS` is the time that each need and grammar without a quick proof may take (default 60).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from ishango.frontiers import FrontierPoint, GeneticSettings, Problem, compare, estimate, frontier, solve

SPEED = (
    ("modified, disjoint, sizes 2-25 (target 2 s)", Problem(), range(2, 26)),
    ("modified, overlap, sizes 2-16 (target 60 s)", Problem(overlap=True), range(2, 17)),
    ("Hurford, sizes 2-23 (target 10 s)", Problem("hurford"), range(2, 24)),
    ("Hurford, at most 5 multipliers, sizes 2-12", Problem("hurford", max_multipliers=5), range(2, 13)),
    ("modified, every size 2-99", Problem(), range(2, 100)),
    ("Hurford, every size 2-99", Problem("hurford"), range(2, 100)),
    ("modified, overlap, sizes 17-25", Problem(overlap=True), range(17, 26)),
    ("Hurford, at most 5 multipliers, sizes 13-16", Problem("hurford", max_multipliers=5), range(13, 17)),
)


def main() -> None:
    solve(Problem(), 3)  # compile before the clock starts
    print("need n^-2, range 1..99, limit 200, one core")
    for label, problem, sizes in SPEED:
        print_line(label, list(frontier(problem, sizes)))
    print_genetic()
    budget = float(os.environ.get("ISHANGO_BENCH_SECONDS", "60"))
    print(f"other needs, sizes 2-99, {budget:g} s each")
    for need in ("exp:0.1", "power:1", "uniform"):
        for grammar in ("modified", "hurford"):
            print_line(f"{grammar}, {need}", within(Problem(grammar, need), budget), True)


def print_line(label: str, points: list[FrontierPoint], each_open: bool = False) -> None:
    open_ = [point for point in points if not point.proved]
    nodes = sum(point.nodes for point in points)
    seconds = sum(point.seconds for point in points)
    verdict = f"{len(points) - len(open_)} of {len(points)} sizes proved"
    print(f"  {label:46} {seconds:8.2f} s {nodes:12,} nodes  {verdict}", flush=True)
    for point in open_ if each_open else ():
        print(f"      size {point.size}: {float(point.average):.6f}, at least {point.lower_bound:.6f}")


def within(problem: Problem, budget: float) -> list[FrontierPoint]:
    """A second for every size first; then the sizes that are open share what is left."""
    started = time.monotonic()
    points = {point.size: point for point in frontier(problem, range(2, 100), time_limit=1)}
    open_ = [size for size, point in points.items() if not point.proved]
    for i, size in enumerate(open_):
        share = (budget - (time.monotonic() - started)) / (len(open_) - i)
        points[size] = better(points[size], solve(problem, size, time_limit=max(share, 1), start=points[size].system))
    return list(points.values())


def better(one: FrontierPoint, other: FrontierPoint) -> FrontierPoint:
    best = other if other.proved or other.average <= one.average else one
    if best.proved:
        return best
    lower = max(one.lower_bound, other.lower_bound)
    return FrontierPoint(
        best.size, best.system, best.average, lower, False, one.nodes + other.nodes, one.seconds + other.seconds
    )


def print_genetic() -> None:
    print("genetic algorithm, 2,000 lexicons, 100 generations, beside the proofs of the sizes 2-12")
    for label, problem, keep in (
        ("modified", Problem(), False),
        ("Hurford, at most 5 multipliers", Problem("hurford", max_multipliers=5), False),
        ("Hurford", Problem("hurford"), False),
        ("Hurford, at most 5, duplicates kept", Problem("hurford", max_multipliers=5), True),
    ):
        started = time.perf_counter()
        found = estimate(problem, GeneticSettings(keep_duplicates=keep))
        seconds = time.perf_counter() - started
        started = time.perf_counter()
        points = list(compare(problem, found, range(2, 13)))
        ratio = (time.perf_counter() - started) / seconds
        print(f"  {label:36} {seconds:6.2f} s, proofs take {ratio:5.2f} of that; {len(found.history) - 1} generations")
        print(f"      above the proof: {excess(points)}", flush=True)


def excess(points: Iterable[FrontierPoint]) -> str:
    return " ".join(f"{point.size}:{float(point.average) - point.lower_bound:.4f}" for point in points)
