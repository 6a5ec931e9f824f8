"""A reproduction: what is compiled first, what is played, and the tables made from it.

Left to themselves all workers would compile the agents' kernel at the same time, and each later part wait for its own.
"""

from __future__ import annotations

import json
import multiprocessing
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd

from ishango._locks import LOCK, adding_to
from ishango.compiling import on_disk
from ishango.errors import RequestError, RunError, plural
from ishango.frontiers import GeneticSettings, Problem, estimate, solve
from ishango.game import Agents, GameOptions, edit_distances
from ishango.game import play as talk
from ishango.lab import DONE, Executor, LocalExecutor, SweepReporter, Task, available_cores, play_missing
from ishango.numerals import NumeralSystem, minimal_language
from ishango.report import _data as systems
from ishango.report import _outcomes as outcomes
from ishango.report._columns import columns_text, explained_tables
from ishango.report._data import Data, shipped_tables, write_tables
from ishango.report._outcomes import STUDIES, finished_runs, played_table
from ishango.report._results import write_page
from ishango.report._sections import Say, check_page, draw_figures
from ishango.report._studies import Scale, prepare_matched, prepare_studies
from ishango.report.claims import Verdict, verdicts, verdicts_table
from ishango.safe_files import is_half, write

POLL = 0.2
"""Seconds between two looks at who is done."""


def _agents() -> None:
    words = {number: (str(number),) for number in range(1, 6)}
    options, rng = GameOptions(upto=5), np.random.default_rng(0)
    talk(Agents.random(options, rng), [words, words], np.ones(5), options, 1, rng)
    edit_distances(list(words.values()))


def _proofs() -> None:
    solve(Problem(), 3)
    estimate(Problem(), GeneticSettings(population=10, generations=1))


def _systems() -> None:
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
    Part("agents", _agents, "ishango.game._kernel:play_steps"),
    Part("proofs", _proofs, "ishango.frontiers._search:_run"),
    Part("systems", _systems, "ishango.numerals._levels:fill_levels"),
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
                say(f"  {name} compiled, {time.monotonic() - began:.0f} s, {plural(len(processes), 'part')} left")
    finally:
        for process in processes.values():
            process.terminate()


def _compile(part: Part) -> None:
    """In a process of its own; Ctrl-C is for the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    part.compile()


def _on_disk(kernel: str) -> bool:
    module, name = kernel.split(":")
    return on_disk(getattr(import_module(module), name))


# Every table of a reproduction, made from its finished runs and from what can be proved.


def all_tables(scale: Scale, runs: Path) -> dict[str, pd.DataFrame]:
    """Every table but the verdicts; one whose runs are not there has its columns and no rows."""
    proved = systems.frontiers(scale.capped)
    return {
        "scale": systems.scale_table(scale),
        "bands": systems.bands_table(),
        **systems.restricted_tables(),
        "languages": systems.languages_table(),
        "world": systems.world_table(),
        "starts": systems.starts_table(),
        "modifications": systems.modifications_table(),
        "frontier": systems.frontiers_table(proved),
        "genetic": systems.estimates_table(proved, scale),
        **systems.size_twelve(proved),
        **tables_of_runs(scale, runs),
        "shares": systems.shares_table(),
        "beyond": systems.beyond_table(),
        **shipped_tables(),
    }


def tables_of_runs(scale: Scale, runs: Path) -> dict[str, pd.DataFrame]:
    """What was played, from the runs that are finished; a table without rows has its columns."""
    explained = explained_tables("outcomes")
    return {
        name: table if len(table) else pd.DataFrame(columns=list(explained[name].columns))
        for name, table in _of_runs(scale, runs).items()
    }


def _of_runs(scale: Scale, runs: Path) -> dict[str, pd.DataFrame]:
    rounds = outcomes.rounds_data(runs)
    finals = outcomes.ends_data(rounds) if len(rounds) else pd.DataFrame()
    final_systems = outcomes.final_systems(finals) if len(finals) else []
    return {
        STUDIES: played_table(scale, runs),
        **outcomes.game_data(runs),
        "rounds": rounds,
        "ends": finals,
        "selection": outcomes.selection_data(rounds) if len(rounds) else pd.DataFrame(),
        "learning": outcomes.learning_data(runs),
        "rewards": outcomes.rewards_data(runs),
        "understood": outcomes.understood_data(runs),
        "changes": outcomes.changes_data(runs, rounds),
        **outcomes.restricted_data(runs),
        "evaluations": systems.evaluations_table(final_systems),
    }


# The whole paper: play what is missing, then tables, figures, verdicts and the page.

MARK = "reproduction.json"
"""Says which scale a directory holds."""


class PlayedElsewhereError(RunError):
    """The runs were given away and are not done yet; the page can be made when they are."""


def reproduce(
    scale: Scale,
    out: Path,
    executor: Executor | None = None,
    reporter: SweepReporter | None = None,
    say: Say = print,
    *,
    play: bool = True,
) -> list[Verdict]:
    """Make or bring up to date `out`: `runs/`, `data/`, `figures/` and `index.html`.

    Args:
        scale: how much is computed.
        out: the directory; one of another scale is refused.
        executor: what plays the runs; a process for each core of this machine if not given.
        reporter: told how the runs go.
        say: told which part begins.
        play: whether to play what is missing first; otherwise all is made from the runs that are finished.
    """
    check_page(explained_tables())
    with adding_to(out):
        _take(out, scale)
    if play:
        executor = executor or LocalExecutor()
        if isinstance(executor, LocalExecutor):
            compile_kernels(say)
        say("Playing the runs")
        _play(prepare_studies(scale, out / "runs"), reporter, executor)
        _play(prepare_matched(scale, out / "runs"), reporter, executor)
    elif not finished_runs(out / "runs"):
        raise RequestError(f"There are no finished runs in {out / 'runs'}; play or unpack some first.")
    say("Proving the frontiers, computing the tables")
    with adding_to(out):  # tables, figures and page belong together
        write_tables(all_tables(scale, out / "runs"), out / "data")
        data = Data(out / "data")
        found = verdicts(data)
        write_tables({"verdicts": verdicts_table(found)}, out / "data")
        write(out / "data" / "README.md", columns_text(Data(out / "data")).encode())
        say("Drawing the figures")
        charts = draw_figures(data, out / "figures", say)
        write_page(out, scale, data, charts, found)
    return found


def _play(tasks: Sequence[Task], reporter: SweepReporter | None, executor: Executor) -> None:
    """Play what is missing; the failure of one run ends the reproduction when the others are done."""
    results = play_missing("runs", tasks, reporter=reporter, executor=executor)
    failed = [result for result in results if result.status != "done"]
    if failed:
        first = failed[0]
        raise RunError(
            f"{len(failed)} of {len(tasks)} runs failed, the first in {first.task.directory} ({first.message});"
            " the same command tries them again."
        )
    if left := sum(not (task.directory / DONE).exists() for task in tasks):
        raise PlayedElsewhereError(f"{left} of {len(tasks)} runs are not done yet; the same command goes on with them.")


def _take(out: Path, scale: Scale) -> None:
    """Take a new or empty directory, or one of this scale; nothing else is written into."""
    mark = out / MARK
    if mark.exists():
        try:
            held = json.loads(mark.read_text(encoding="utf-8"))["scale"]
        except (ValueError, KeyError, TypeError):
            raise RequestError(f"{mark} cannot be read; choose another directory.") from None
        if held != scale.name:
            raise RequestError(f"{out} holds a {held} reproduction; choose another directory for a {scale.name} one.")
        return
    # Runs alone are what an archive of a reproduction unpacks to; each is compared with its plan before it counts.
    if not all(path.name in ("runs", LOCK) or is_half(path.name, MARK) for path in out.iterdir()):
        raise RequestError(f"{out} is not empty and holds no reproduction; choose a new directory.")
    began = time.strftime("%Y-%m-%d", time.gmtime())
    write(mark, json.dumps({"scale": scale.name, "began": began}).encode() + b"\n")
