"""`ishango.evolve`, `play`, `sweep`, `load_runs` and `selection`: runs from a script, and what they show."""

from __future__ import annotations

import math
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pandas as pd

from ishango.analysis.comparable import group_columns, modifies, settled, uses_agents, without_copies
from ishango.api._descriptions import system_of
from ishango.api._frontiers import Shown, decimal, run_reporter, sweep_reporter
from ishango.errors import RequestError, RunWarning, plural, require
from ishango.evolution import CHOOSERS, EVOLUTION, Evolution, EvolutionOptions, EvolutionState, load_state
from ishango.frontiers import Problem, frontier_value
from ishango.game import GameOptions, Talkers
from ishango.lab import (
    Plan,
    Result,
    RunView,
    config_of,
    find_kind,
    find_plan,
    named_runs,
    parse_plan,
    play_in_memory,
    read_rounds,
    refuse_unread,
    run,
)
from ishango.lab import sweep as play_plan
from ishango.languages import Language, last_lexicons
from ishango.numerals import NEEDS, Need, NumeralSystem
from ishango.registry import OUTSIDE, needs, refusal
from ishango.safe_files import as_paths


@dataclass(frozen=True, repr=False)
class EvolutionRun(Shown):
    """A finished run of Algorithm 1: its options, its rounds, and where it ended."""

    options: EvolutionOptions
    rounds: tuple[Mapping[str, Any], ...]
    """The record of each round; `ishango.evolution.RoundRecord` says what the fields mean."""
    state: EvolutionState[NumeralSystem]
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
        chooser = CHOOSERS.called(self.options.choose)
        return {
            "run": f"start {self.options.start}, {chooser} decides, seed {self.options.seed}",
            "rounds": f"{last['round']}, {plural(kept, 'alternative')} kept",
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
        return _path_figure(self.to_frame(), config_of(self.options))


def _path_figure(rounds: pd.DataFrame, config: Mapping[str, Any]) -> Any:
    """A path through the plane; what has none there is refused."""
    from ishango.figures.evolution_figures import trajectories_figure

    columns = ["round", "size", "average_complexity"]
    path = rounds[columns].dropna() if {*columns, "multipliers"} <= {*rounds} else pd.DataFrame()
    if path.empty:
        raise RequestError("The plane of size and average complexity is for runs that have digits and multipliers and"
                           " say every number, so this run has no path in it; to_frame() has its rounds.")  # fmt: skip
    problem = Problem(config["grammar"], config.get("eval_need") or config["need"], config["range"])
    sizes = range(problem.smallest_size, int(path["size"].max()) + 2)
    averages = [frontier_value(size, problem) for size in sizes]
    frontier = pd.DataFrame({"size": sizes, "average_complexity": averages}).dropna()
    return trajectories_figure(path.assign(run="run", start=str(config["start"])), frontier)


def evolve(
    start: str | int | NumeralSystem | Language | EvolutionOptions = "1",
    out: Path | str | None = None,
    *,
    progress: bool | None = None,
    **options: Any,
) -> EvolutionRun:
    """Run Algorithm 1, into a directory (or go on with what is there) or in memory.

    Args:
        start: 1 to 8 for the paper's starts, `random:SEED`, a system, a language, or all options at once.
        out: the run's directory: killed at any moment, the same call continues where it was. In memory if not given.
        progress: show a progress bar; by default where a person can see it.
        options: fields of `EvolutionOptions`, such as `rounds=20`, `steps=5000`, `choose="drift"`, `seed=3`; `game`
            takes a `GameOptions` or a mapping, such as `game={"hidden": 25}`.

    Returns:
        The run, which prints, shows in a notebook, gives a table with `to_frame()` and a chart with `figure()`.

    >>> drift = evolve(7, rounds=5, choose="coin")
    >>> len(drift.rounds), drift.agents
    (6, None)
    """
    if isinstance(start, EvolutionOptions) and options:
        raise RequestError(f"All options are given at once; leave out {next(iter(options))}, or give it there.")
    if isinstance(start, Language):
        start = system_of(start, options.get("grammar"))
    chosen = start if isinstance(start, EvolutionOptions) else _options(start, options)
    refuse_unread(EVOLUTION, config_of(chosen), out)
    experiment, reporter = Evolution(chosen), run_reporter(progress)
    if out is None:
        records, state = play_in_memory(experiment, reporter)
        return EvolutionRun(chosen, tuple(records), state, None)
    run(experiment, out, reporter)
    _, _, state = load_state(out)
    return EvolutionRun(chosen, tuple(read_rounds(out)), state, Path(out))


@dataclass(frozen=True, repr=False)
class PlayedRun(Shown):
    """A finished run of any experiment: what was played, and what each round recorded."""

    experiment: str
    config: Mapping[str, Any]
    """All options, those that were not given included."""
    rounds: tuple[Mapping[str, Any], ...]
    """The record of each round; `ishango.lab.table_columns` says what the fields mean."""
    directory: Path | None
    """Where the run lives; None if it was played in memory."""

    def facts(self) -> dict[str, str]:
        """What was played, and the last round's record."""
        last = {
            name.replace("_", " "): decimal(value) if isinstance(value, float) else str(value)
            for name, value in self.rounds[-1].items()
            if value is not None
        }
        return {
            "run": f"{self.experiment}, seed {self.config['seed']}",
            **last,
            "directory": str(self.directory) if self.directory else "in memory",
        }

    def to_frame(self) -> pd.DataFrame:
        """A row a round."""
        return pd.DataFrame(list(self.rounds))

    def figure(self) -> Any:
        """A chain's or a run's path through the plane of size and average complexity, as an Altair chart."""
        return _path_figure(self.to_frame(), self.config)


def play(experiment: str, *, out: Path | str | None = None, progress: bool | None = None, **options: Any) -> PlayedRun:
    """Play a run of any experiment, into a directory (or go on with what is there) or in memory.

    Args:
        experiment: `evolution`, `generations` (a language that is passed on), `restricted` (agents who learn words for
            numbers), `kinds` and `kinds-generations` (systems of every kind), or one of your own.
        out: the run's directory: killed at any moment, the same call continues where it was. In memory if not given.
        progress: show a progress bar; by default where a person can see it.
        options: what the command of that experiment takes, such as `rounds=20`, `seed=3`, `bottleneck=200`; `game`
            takes a `GameOptions` or a mapping, such as `game={"hidden": 25}`.

    Returns:
        The run, which prints, shows in a notebook, gives a table with `to_frame()` and, where there are digits and
        multipliers, a chart with `figure()`.

    >>> passed_on = play("generations", rounds=3, bottleneck=200)
    >>> len(passed_on.rounds), passed_on.config["bottleneck"]
    (4, '200')
    >>> play("kinds", rounds=2, choose="coin").to_frame()["round"].tolist()
    [0, 1, 2]
    """
    kind = find_kind(experiment)
    chosen = kind.options_from(_config(options))
    refuse_unread(kind, config_of(chosen), out)
    played, reporter = kind.make(chosen), run_reporter(progress)
    if out is None:
        records, _ = play_in_memory(played, reporter)
        return PlayedRun(kind.name, config_of(chosen), tuple(records), None)
    run(played, out, reporter)
    return PlayedRun(kind.name, RunView(out).config, tuple(read_rounds(out)), Path(out))


def _config(options: Mapping[str, Any]) -> dict[str, Any]:
    config: dict[str, Any] = {OUTSIDE.get(name, name): value for name, value in options.items()}
    game: Any = config.get("game")
    if isinstance(game, GameOptions):
        config["game"] = config_of(game)
    elif isinstance(game, Mapping):
        config["game"] = _config(cast(Mapping[str, Any], game))
    return {name: str(value) if isinstance(value, NumeralSystem) else value for name, value in config.items()}


def _options(start: str | int | NumeralSystem, options: Mapping[str, Any]) -> EvolutionOptions:
    config = _config(options)
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
    if not isinstance(plan, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance] - of whoever has no types
        raise RequestError(f"A plan is TOML, as text or in a file, a name or a Plan; {plan!r} is none.")
    return parse_plan(plan) if isinstance(plan, str) and "\n" in plan else find_plan(plan)


def load_runs(*directories: Path | str) -> pd.DataFrame:
    """All rounds of all runs in and below directories, a row each, beside the fields of their configs.

    Args:
        directories: directories of runs or sweeps; a run counts once, however many copies of it are found.

    Returns:
        A table: `run` (the run's directory), the fields of its config, and those of its rounds; `bottleneck` is a
        number, infinite where every number is heard. It needs the extra `tables`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as directory:
    ...     _ = evolve(7, f"{directory}/drift", rounds=5, choose="coin")
    ...     rounds = load_runs(directory)
    >>> len(rounds), rounds["choose"].unique().tolist()
    (6, ['coin'])
    """
    from ishango.lab import rounds_table  # what it needs is an extra

    if not directories:
        raise RequestError("There is nothing to load; name directories of runs.")
    return _bottlenecks_as_numbers(_once(rounds_table(directories))[0])


def _bottlenecks_as_numbers(rounds: pd.DataFrame) -> pd.DataFrame:
    """Configs have them as text, in which 100 comes before 20."""
    if "bottleneck" in rounds and pd.api.types.is_string_dtype(rounds["bottleneck"]):
        rounds["bottleneck"] = pd.to_numeric(rounds["bottleneck"].replace("all", "inf"))
    return rounds


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
    from ishango.lab import load_table as read  # what it needs is an extra

    return _bottlenecks_as_numbers(read(file))


# Needs that are files: one name must mean one need wherever runs are compared, with each other or with what is new.


def refuse_two_needs_of_one_name(directories: Sequence[Path]) -> None:
    """Refuse runs of one need's name that was not one need: a file may have changed between them."""
    first: dict[str, tuple[str, Path]] = {}
    for view in _views(directories):
        for name, digest in view.inputs.items():
            known, where = first.setdefault(name, (digest, view.directory))
            if known != digest and name.partition(":")[0] in NEEDS:
                raise RequestError(
                    f"What {name} holds was changed between the runs in {where} and in {view.directory}, which cannot"
                    " be compared; leave one of them out."
                )


def refuse_changed_needs(directories: Sequence[Path]) -> None:
    """Refuse runs that were measured by a need which is another one today.

    What they recorded would stand beside what is computed now.
    """
    today: dict[str, dict[str, str]] = {}  # each file is read once, however many runs it was given to
    for view in _views(directories):
        need = view.config.get("eval_need") or view.config.get("need")
        if isinstance(need, str):
            today[need] = today.get(need) or Need.parse(need).inputs
            view.refuse_changed(today[need])


def _views(directories: Sequence[Path]) -> Iterator[RunView]:
    """The runs that can be read; those that cannot are reported where rounds are read."""
    views = (RunView.look(run) for run in named_runs(directories).values())
    return (view for view in views if view is not None)


# `ishango.selection`: do runs select, and do they end nearer the frontier than drift?

FIGURES = ("size", "average_complexity", "gap", "delta_average", "delta_size", "changed")
"""What is compared: columns of numbers."""
COPIES = "copies of others, which count once"


@dataclass(frozen=True, repr=False)
class Selection(Shown):
    """What runs show of selection, as tables by name: `selection["against_coin"]`."""

    rounds: pd.DataFrame
    """All rounds of all runs that were compared."""
    tables: Mapping[str, pd.DataFrame]
    """`ends`, `lexicons`, `selection`, `two_axes`, `at_equal_novelty`, `restoring_force`, `against_coin`, `judges`,
    `selection_by_run`; and `against`, where a group was named."""
    copies: int = 0
    """Runs that were left out because they are copies of others."""

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self.tables:
            raise RequestError(refusal("table", name, self.tables))
        return self.tables[name]

    @property
    def answers(self) -> tuple[str, ...]:
        """Do they select? Do they end nearer than drift? In sentences, from `selection` and `against_coin`."""
        selected, beside = self.tables["selection"], self.tables["against_coin"]
        agents = selected[uses_agents(selected)] if len(selected) else selected
        by = group_columns(self.rounds)
        told = [f"Do they select? {each}" for each in _told(agents, by, _preference)]
        told += [f"Do they end nearer than drift? {each}" for each in _told(beside, by, _nearer)]
        if beside.empty:
            told.append("Do they end nearer than drift? Not known: finished runs of drift and of others that share"
                        " a start are not here.")  # fmt: skip
        return tuple(told)

    def facts(self) -> dict[str, str]:
        """How many runs were compared, what follows, and the tables there are."""
        shown = {name: len(table) for name, table in self.tables.items() if len(table)}
        return {
            "selection": plural(self.rounds["run"].nunique(), "run"),
            "answer": " ".join(self.answers),
            **({"left out": f"{plural(self.copies, 'run')} ({COPIES})"} if self.copies else {}),
            "tables": ", ".join(f"{name} ({rows} {'row' if rows == 1 else 'rows'})" for name, rows in shown.items()),
        }

    def to_frame(self) -> pd.DataFrame:
        """The strength of selection of each group of runs; `selection[NAME]` has the other tables."""
        return self.tables["selection"]


_MANY = 4
"""Groups of runs; of more it is told how many there are of each answer."""


def _told(table: pd.DataFrame, by: list[str], answer: Callable[[Any], tuple[str, str]]) -> Iterator[str]:
    """Of each group (a row) a sentence; of many groups in how many the answer is which."""
    rows = table.to_dict("records")
    if len(rows) > _MANY:
        counts = Counter(answer(row)[1] for row in rows)
        yield f"Of {len(rows)} groups of runs: {', '.join(f'{short} in {count}' for short, count in counts.items())}."
        return
    for row in rows:
        who = CHOOSERS[row["choose"]].label if row["choose"] in CHOOSERS else str(row["choose"])
        varying = [name for name in by if name != "choose" and table[name].nunique(dropna=False) > 1]
        fields = [f"{name} {row[name]}" for name in varying if not pd.isna(row[name])]  # others mean nothing here
        yield f"{', '.join([who[0].upper() + who[1:], *fields])}: {'; '.join(answer(row))}."


def _preference(row: Any) -> tuple[str, str]:
    """The shares of alternatives that a group kept, and whether it prefers shorter languages."""
    kept = [f"{row[f'{which}_kept']:.0%} of {which}" for which in ("shorter", "longer")
            if not math.isnan(row[f"{which}_kept"])]  # fmt: skip
    numbers = f"kept {' and '.join(kept) or 'none of the'} alternatives"
    if math.isnan(row["low"]):
        return numbers, "too little was decided to tell"
    if row["low"] <= 0 <= row["high"]:
        return numbers, "no preference is shown"
    return numbers, f"a preference for {'shorter' if row['low'] > 0 else 'longer'} ones"


def _nearer(row: Any) -> tuple[str, str]:
    """How much greater the gap of a group is than that of drift, and whether that is a difference."""
    low, high, within = row["low"], row["high"], row["equivalent_within"]
    numbers = f"gap minus that of drift {row['difference']:+.3f} symbols"
    if not math.isfinite(high - low):
        return numbers, "too few runs to tell"
    excluded = f" (over {within:.3f} is ruled out)" if low <= 0 <= high and math.isfinite(within) else ""
    numbers += f", 95 % interval {low:+.3f} to {high:+.3f}{excluded}"
    if low <= 0 <= high:
        return numbers, "no difference is shown"
    return numbers, "nearer the frontier" if high < 0 else "farther from the frontier"


def selection(
    *directories: Path | str, against: Mapping[str, Any] | None = None, rounds: int | None = None
) -> Selection:
    """Compare runs: where they end, how strongly they select, and whether drift does as well.

    Runs that differ only in start, seed and rounds are pooled. `ishango selection` prints the same;
    docs/studies/evolution.md explains it.

    Args:
        directories: directories of runs or sweeps; a run counts once, however many copies of it are found.
        against: fields of the config and their values, which name a group of runs, such as `{"learners": "same"}`: all
            others are compared with it as they are with drift.
        rounds: how many rounds of each run are looked at; all if not given. Runs that have played fewer are left out.

    Returns:
        The answers in sentences (print it, or take `answers`), and tables by name; `against_coin` compares with drift.
        They need the extra `report`.

    >>> from tempfile import TemporaryDirectory
    >>> from ishango import evolve
    >>> with TemporaryDirectory() as directory:
    ...     for choose in ("coin", "shorter"):
    ...         _ = evolve(7, f"{directory}/{choose}", rounds=20, choose=choose)
    ...     found = selection(directory)
    >>> found["ends"]["choose"].tolist()
    ['coin', 'shorter']
    """
    needs("report", "Comparisons of runs")
    found, copies = read_runs(as_paths(directories))
    return replace(compare(first_rounds(found, rounds), against), copies=copies)


def comparable(rounds: pd.DataFrame) -> pd.DataFrame:
    """Rounds with settled configs and with numbers where numbers are compared."""
    rounds = settled(rounds)
    for name in ("delta_size", "changed"):
        if name not in rounds:  # no run is from after it began to be recorded
            rounds = rounds.assign(**{name: math.nan})
    return with_numbers(rounds, FIGURES, needed=["size"])


def compare(rounds: pd.DataFrame, others: Mapping[str, Any] | None = None) -> Selection:
    """The tables of runs whose rounds are there."""
    from ishango.analysis import ends, selection  # SciPy is an extra

    rounds = comparable(rounds)
    by_agents = rounds[uses_agents(rounds) & modifies(rounds)]
    tables = {
        "ends": ends.by_start(rounds),
        "lexicons": _lexicons(rounds),
        "selection": _known(selection.selection(rounds)),
        "two_axes": selection.selection_on_two_axes(rounds),
        "at_equal_novelty": selection.selection_at_equal_novelty(rounds),
        "restoring_force": ends.restoring_forces(rounds),
        "against_coin": ends.against_coin(rounds),
        **({"against": ends.against(rounds, others)} if others else {}),
        "judges": ends.judges_noise(rounds),
        "selection_by_run": _known(selection.selection_by_run(by_agents, group_columns(rounds))),
    }
    return Selection(rounds, tables)


def _once(rounds: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    rounds, copies = without_copies(rounds)
    if copies:
        warnings.warn(f"Left out: {plural(copies, 'run')} ({COPIES}).", RunWarning, stacklevel=3)
    return rounds, copies


def read_runs(directories: Sequence[Path]) -> tuple[pd.DataFrame, int]:
    """All rounds of all runs below the directories, and how many runs were left out because they are copies of others.

    A run counts once, wherever its copies lie; a warning says how many were left out. `run` is the run's name below the
    directory that was given, with that directory's name before it, or the whole path where two runs would have one
    name.
    """
    if not directories:
        raise RequestError("There is nothing to compare; give directories of runs.")
    from ishango.lab import rounds_table  # what it needs is an extra

    refuse_two_needs_of_one_name(directories)
    rounds, copies = _once(rounds_table(directories))
    if len(directories) > 1:
        return rounds, copies  # with their directories' names, which tell them apart
    return rounds.assign(run=f"{directories[0].resolve().name}/" + rounds["run"].astype(str)), copies


def first_rounds(rounds: pd.DataFrame, count: int | None) -> pd.DataFrame:
    """The rounds up to that one of runs that have played it; all rounds where no number is given."""
    if count is None:
        return rounds
    require(count >= 1, "rounds", count, "1 or more")
    played = rounds.groupby("run")["round"].transform("max") >= count
    if not played.any():
        raise RequestError(f"No run has played {plural(count, 'round')}; give fewer.")
    return rounds[played & (rounds["round"] <= count)].assign(rounds=count)


def with_numbers(rounds: pd.DataFrame, columns: Sequence[str], needed: Sequence[str] = ()) -> pd.DataFrame:
    """The table with these columns as numbers; text in one of them, or nothing where one is needed, is damage."""
    for name in columns:
        try:
            numbers = pd.to_numeric(rounds[name])
        except (ValueError, TypeError, KeyError):
            raise RequestError(f"What the runs recorded as {name} are not numbers; leave damaged runs out.") from None
        if name in needed and numbers.isna().any():
            run = rounds.loc[numbers.isna(), "run"].iloc[0]
            raise RequestError(f"The run {run} has rounds without {name}, so it is damaged; leave it out.")
        rounds = rounds.assign(**{name: numbers})
    return rounds


def _lexicons(rounds: pd.DataFrame) -> pd.DataFrame:
    """Of each group: how like human lexicons those are with which runs end."""
    by = group_columns(rounds)
    return last_lexicons(rounds, by).groupby(by, dropna=False).agg(
        runs=("size", "size"), size=("size", "median"), multipliers=("multipliers", "median"),
        single=("single", "mean"), based=("based", "mean"), distance=("distance", "median"),
    ).reset_index()  # fmt: skip


def _known(strengths: pd.DataFrame) -> pd.DataFrame:
    """Without the numbers of fits that are not determined: their intervals are infinite."""
    if strengths.empty:  # no run decided between two systems
        return strengths
    estimates = ["strength", "low", "high", "equivalent_within", "intercept"]
    known = ~strengths[["low", "high"]].isin([math.inf, -math.inf]).any(axis=1)
    return strengths.assign(**{name: strengths[name].astype(float).where(known) for name in estimates})
