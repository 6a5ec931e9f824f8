"""What a reproduction needs compiled, before anything is played: in several processes at once, each with its part.

Left to themselves all workers would compile the agents' kernel at the same time, and each later part wait for its own.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ishango.lab.engines.executors import available_cores
from ishango.report.page_parts import Say

POLL = 0.2
"""Seconds between two looks at who is done."""


def _agents() -> None:
    import numpy as np

    from ishango.game import Agents, GameOptions, play
    from ishango.game.ask import edit_distances

    words = {number: (str(number),) for number in range(1, 6)}
    options, rng = GameOptions(upto=5), np.random.default_rng(0)
    play(Agents.random(options, rng), [words, words], np.ones(5), options, 1, rng)
    edit_distances(list(words.values()))


def _proofs() -> None:
    from ishango.frontiers import GeneticSettings, Problem, estimate, solve

    solve(Problem(), 3)
    estimate(Problem(), GeneticSettings(population=10, generations=1))


def _systems() -> None:
    from ishango.numerals import NumeralSystem, minimal_language

    minimal_language(NumeralSystem.parse("1-9 | 10"))


@dataclass(frozen=True)
class Part:
    """Kernels that one process compiles."""

    name: str
    compile: Callable[[], None]
    """Uses each of them once."""
    kernel: str
    """The one that takes longest, `module:name`; if it is on the disk the others are, too."""


PARTS = (
    Part("agents", _agents, "ishango.game.kernel:play_steps"),
    Part("proofs", _proofs, "ishango.frontiers.search:_run"),
    Part("systems", _systems, "ishango.numerals.levels:fill_levels"),
)


def compile_kernels(say: Say) -> None:
    """Compile what is not on the disk yet, with a line when it begins and one for each part that is done.

    A part that fails is left to whoever needs it: the same error comes there, with its own words.
    """
    missing = [part for part in PARTS if not _on_disk(part.kernel)]
    if len(missing) < 2 or available_cores() < 2:
        return
    say(f"First use: compiling the kernels in {len(missing)} processes, once; later calls take them from a cache")
    began, context = time.monotonic(), multiprocessing.get_context("spawn")
    processes = {part.name: context.Process(target=_compile, args=(part,), daemon=True) for part in missing}
    try:
        for process in processes.values():
            process.start()
        while processes:
            time.sleep(POLL)
            for name in [name for name, process in processes.items() if not process.is_alive()]:
                del processes[name]
                say(f"  {name} compiled, {time.monotonic() - began:.0f} s, {len(processes)} parts left")
    finally:
        for process in processes.values():
            process.terminate()


def _compile(part: Part) -> None:
    """In a process of its own; Ctrl-C is for the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    part.compile()


def _on_disk(kernel: str) -> bool:
    from importlib import import_module

    from ishango.compiling import on_disk

    module, name = kernel.split(":")
    found: Any = getattr(import_module(module), name)
    return on_disk(found)
