"""`ishango.evolve`, `ishango.sweep` and `ishango.load_runs`: runs of Algorithm 1 from a script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from ishango.api.frontiers import Shown, decimal, run_reporter, sweep_reporter
from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, Evolution, EvolutionOptions, EvolutionState, load_state
from ishango.frontiers import Problem, frontier_value
from ishango.game import GameOptions, Talkers
from ishango.lab import Plan, Result, config_of, parse_plan, read_rounds, run
from ishango.lab import sweep as play_plan
from ishango.lab.plan import find_plan
from ishango.lab.playing import play_in_memory
from ishango.numerals import NumeralSystem
from ishango.options import OUTSIDE


@dataclass(frozen=True, repr=False)
class EvolutionRun(Shown):
    """A finished run of Algorithm 1: its options, its rounds, and where it ended."""

    options: EvolutionOptions
    rounds: tuple[Mapping[str, Any], ...]
    """The record of each round; `ishango.evolution.RoundRecord` says what the fields mean."""
    state: EvolutionState
    directory: Path | None
    """Where the run lives; None if it was played in memory."""

    @property
    def system(self) -> NumeralSystem:
        """The system it ended with."""
        return self.state.system

    @property
    def agents(self) -> Talkers | None:
        """The agents as they were in the end; None where nobody talked."""
        return self.state.agents

    def facts(self) -> dict[str, str]:
        """Where it began and ended, and who decided."""
        first, last = self.rounds[0], self.rounds[-1]
        kept = sum(bool(each["accepted"]) for each in self.rounds)
        return {
            "run": f"start {self.options.start}, {self.options.choose} decides, seed {self.options.seed}",
            "rounds": f"{last['round']}, {kept} alternatives kept",
            "system": str(self.system),
            "size": f"{first['size']} to {last['size']}",
            "average complexity": f"{decimal(first['average_complexity'])} to {decimal(last['average_complexity'])}",
            "gap": f"{decimal(first['gap'])} to {decimal(last['gap'])}",
            "directory": str(self.directory) if self.directory else "in memory",
        }

    def to_frame(self) -> pd.DataFrame:
        """A row a round."""
        return pd.DataFrame(list(self.rounds))

    def figure(self) -> Any:
        """The run's path through the plane of size and average complexity, as an Altair chart."""
        from ishango.figures.evolution_figures import trajectories_figure

        path = self.to_frame()[["round", "size", "average_complexity"]].dropna()
        options = self.options
        problem = Problem(options.grammar, options.eval_need or options.need, options.upto)
        sizes = range(problem.smallest_size, int(path["size"].max()) + 2)
        averages = [frontier_value(size, problem) for size in sizes]
        frontier = pd.DataFrame({"size": sizes, "average_complexity": averages}).dropna()
        return trajectories_figure(path.assign(run="run", start=options.start), frontier)


def evolve(
    start: str | int | NumeralSystem | EvolutionOptions = "1",
    out: Path | str | None = None,
    *,
    progress: bool | None = None,
    **options: Any,
) -> EvolutionRun:
    """Run Algorithm 1, into a directory (or go on with what is there) or in memory.

    Args:
        start: 1 to 8 for the paper's starts, `random:SEED`, a system, or all options at once.
        out: the run's directory: killed at any moment, the same call goes on where it was. In memory if not given.
        progress: show a progress bar; by default where a person can see it.
        options: fields of `EvolutionOptions`, such as `rounds=20`, `steps=5000`, `choose="coin"`, `seed=3`; `game`
            takes a `GameOptions` or a mapping, such as `game={"hidden": 25}`.

    Returns:
        The run, which prints, shows in a notebook, gives a table with `to_frame()` and a chart with `figure()`.

    >>> drift = evolve(7, rounds=5, choose="coin")
    >>> len(drift.rounds), drift.agents
    (6, None)
    """
    if isinstance(start, EvolutionOptions) and options:
        raise RequestError(f"All options are given at once; leave {next(iter(options))} away, or give it there.")
    chosen = start if isinstance(start, EvolutionOptions) else _options(start, options)
    experiment, reporter = Evolution(chosen), run_reporter(progress)
    if out is None:
        records, state = play_in_memory(experiment, reporter)
        return EvolutionRun(chosen, tuple(records), state, None)
    run(experiment, out, reporter)
    _, _, state = load_state(out)
    return EvolutionRun(chosen, tuple(read_rounds(out)), state, Path(out))


def _options(start: str | int | NumeralSystem, options: Mapping[str, Any]) -> EvolutionOptions:
    config: dict[str, Any] = {OUTSIDE.get(name, name): value for name, value in options.items()}
    if isinstance(config.get("game"), GameOptions):
        config["game"] = config_of(config["game"])
    if isinstance(start, NumeralSystem):
        config.setdefault("grammar", start.grammar)
    return EVOLUTION.options_from({"start": str(start), **config})


@dataclass(frozen=True, repr=False)
class SweepResults(Shown):
    """What a sweep played: one result for each run that was not done before."""

    directory: Path
    results: tuple[Result, ...]

    @property
    def failed(self) -> tuple[Result, ...]:
        """The runs that did not end well."""
        return tuple(each for each in self.results if each.status != "done")

    def facts(self) -> dict[str, str]:
        """How many runs were played, and what failed."""
        facts = {"sweep": str(self.directory), "played": str(len(self.results)), "failed": str(len(self.failed))}
        return facts | {each.task.directory.name: each.message for each in self.failed}

    def to_frame(self) -> pd.DataFrame:
        """All rounds of all runs of the sweep, those played before included."""
        return load_runs(self.directory)


def sweep(
    plan: Plan | Path | str, out: Path | str, *, workers: int | None = None, progress: bool | None = None
) -> SweepResults:
    """Play all runs of a plan that are not done yet, on all cores.

    In a script (not in a notebook or an interactive shell) the call belongs below `if __name__ == "__main__":`, because
    workers are new processes that import the script.

    Args:
        plan: a TOML file, the text of one, the name of a plan that ships (`ishango plans` lists them), or a `Plan`.
        out: the sweep's directory; each run gets a directory below it.
        workers: processes that play; one a core if not given.
        progress: show a progress bar; by default where a person can see it.

    Returns:
        What was played; `to_frame()` has all rounds of all runs, those played before included.

    >>> from tempfile import TemporaryDirectory
    >>> plan = '''
    ... base = {choose = "coin", rounds = 5}
    ... vary = {start = [5, 7]}
    ... '''
    >>> with TemporaryDirectory() as directory:
    ...     rounds = sweep(plan, directory, workers=1).to_frame()
    >>> rounds.groupby("start")["round"].max().to_dict()
    {'5': 5, '7': 5}
    """
    results = play_plan(_plan(plan), out, workers=workers, reporter=sweep_reporter(progress))
    return SweepResults(Path(out), tuple(results))


def _plan(plan: Plan | Path | str) -> Plan:
    if isinstance(plan, Plan):
        return plan
    return parse_plan(plan) if isinstance(plan, str) and "\n" in plan else find_plan(plan)


def load_runs(*directories: Path | str) -> pd.DataFrame:
    """All rounds of all runs in and below directories, a row each, beside the fields of their configs.

    Args:
        directories: directories of runs or sweeps; a run that is found twice counts once.

    Returns:
        A table: `run` (the run's directory), the fields of its config, and those of its rounds. It needs the extra
        `tables`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     _ = evolve(7, f"{directory}/drift", rounds=5, choose="coin")
    ...     rounds = load_runs(directory)
    >>> len(rounds), rounds["choose"].unique().tolist()
    (6, ['coin'])
    """
    from ishango.lab import rounds_table  # what it needs is an extra

    return rounds_table(directories)


def load_table(file: Path | str) -> pd.DataFrame:
    """The table that `ishango table` wrote, or pandas, read back as `load_runs` gave it.

    Parquet keeps every type. In CSV a column of lists is one whose every entry is a list in JSON, such as `[1,2]`, and
    options that are text, such as `start`, stay text where it looks like a number.

    Args:
        file: a `.csv` or `.parquet` file.

    Returns:
        A row a round. It needs the extra `tables`.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     file = Path(directory, "rounds.csv")
    ...     _ = file.write_text('run,start,digits\\na,7,"[1,2]"\\n')
    ...     table = load_table(file)
    >>> table.start[0], table.digits[0].tolist()
    ('7', [1, 2])
    """
    from ishango.lab.tables import load_table as read  # what it needs is an extra

    return read(file)
