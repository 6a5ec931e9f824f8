"""`ishango selection`, `typology` and `restricted compare`: do runs select, where do they end, and do people too?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import tyro

from ishango.api import comparable, compare, first_rounds, read_runs, refuse_changed_needs, typology, with_numbers
from ishango.cli._output import (
    console,
    data_table,
    decimals,
    figures_table,
    plural,
    print_json,
    ready,
    records,
    say_written,
    waiting,
)
from ishango.cli._parsing import refuse_given
from ishango.errors import RequestError
from ishango.game import EXACT
from ishango.registry import needs
from ishango.restricted import restricted_ends, summary

# `ishango selection`: do runs select, and do they end nearer the frontier than drift?


@dataclass(frozen=True)
class Selection:
    """Compare the runs below directories: where they end, how strongly they select, and whether drift does as well.

    Runs that differ only in start, seed and rounds are pooled. Runs of drift are compared with others of its grammar,
    need, range, reading of m0 and m1 (add) and modifications. The strength of selection is the change in the log odds
    of keeping an alternative for each symbol by which it is shorter on average.

    Example: ishango selection out/agents out/drift out/oracle

    Example: ishango selection out/pressures --against learners=same judge=q
    """

    directories: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="DIR ...")]
    """Directories of runs or sweeps."""
    against: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FIELD=VALUE")] = ()
    """Also compare all others with the group of runs whose configs have these values, such as learners=same judge=mean,
    as they are compared with drift."""
    rounds: Annotated[int | None, tyro.conf.arg(metavar="N")] = None
    """Look at the first N rounds of each run only; runs that have played fewer are left out."""
    figures: Path | None = None
    """Also write figures and the tables behind them into this directory; paths are of each start's least seed."""
    answer: bool = False
    """Only answer, from finished runs of agents: do they prefer shorter languages? One number with its interval for
    each number of steps and setting. Yes: the whole interval is above 0; no: all of it is below 0.05."""
    json: bool = False
    """Print one JSON document instead of tables."""


def run_selection(command: Selection) -> int:
    if command.answer:
        refuse_given(command, ("figures",), "means nothing to --answer, which draws none.")
        refuse_given(command, ("against",), "means nothing to --answer, which compares nothing.")
    others = _values(command.against)
    needs("report", "Comparisons of runs")
    found, _ = read_runs(command.directories)
    rounds = first_rounds(found, command.rounds)
    if command.answer:
        return _answer(comparable(rounds), command.json)
    ready(command.figures)
    if command.figures:
        refuse_changed_needs(command.directories)  # frontiers are drawn anew
    with waiting("comparing the runs"):
        found = compare(rounds, others)
        tables = found.tables
        if command.figures:
            # Drawing libraries take a second to load, and most calls draw nothing.
            from ishango.cli._selection_figures import write_figures

            write_figures(found.rounds, tables["selection"], tables["two_axes"], command.figures)
            say_written(command.figures)
    if command.json:
        print_json({name: records(table) for name, table in tables.items()})
        return 0
    out = console()
    for answer in found.answers:
        out.print(answer, soft_wrap=True)
    out.print(NUMBERS)
    for name, heading in HEADINGS.items():
        if len(tables.get(name, ())):
            out.print(heading, style="bold")
            out.print(data_table(tables[name]))
            if "strength" in tables[name] and tables[name]["strength"].isna().any():
                out.print(TOO_LITTLE)
            if name == "two_axes" and tables[name]["length"].isna().any():
                out.print(NO_NUMBER)
            out.print()
    return 0


def _values(words: tuple[str, ...]) -> dict[str, str]:
    for word in words:
        if not re.fullmatch(r"[\w.]+=.+", word):
            raise RequestError(f"--against takes fields and their values, such as learners=same, not {word!r}.")
    values = dict(word.split("=", 1) for word in words)
    if len(values) < len(words):
        raise RequestError("--against names a field twice; give it one value.")
    return values


def _answer(rounds: pd.DataFrame, json: bool) -> int:
    # What judges is loaded only here: most calls need no report.
    from ishango.cli._selection_figures import answers, said

    found = answers(rounds)
    if json:
        print_json({"answers": records(pd.DataFrame(found))})
        return 0
    for each in found:
        console().print(said(each), soft_wrap=True)
    return 0


TOO_LITTLE = (
    "Where there is a dash the data are too few to tell a strength: it takes at least two decisions, about alternatives"
    " that differ in how much shorter they are. Play more rounds or more runs."
)
NO_NUMBER = (
    "Where there is a dash the decisions are too few, or they follow a rule without exception, whose strength has no"
    " number."
)
NUMBERS = "The first tables have these numbers; the others say more.\n"
HEADINGS = {
    "against_coin": "Final gaps against those of drift, paired over starts, after as many rounds as both have (rank:"
    " share of runs of drift that are nearer; runs that are not done are left out; equivalent_within: the difference"
    " is not larger than this, at 95 %; over: what low and high are over; within: what the permutation test does not"
    " reject)",
    "against": "Final gaps against those of the group that was named, in the same way",
    "selection": "Strength of selection, pooled (95 % intervals from leaving out one run, or one seed that several runs"
    " share, after the other, if there are four or more; equivalent_within: it is not larger than this, at 95 %)",
    "ends": "Where runs end (gap to the proved frontier: least, median, greatest)",
    "lexicons": "The last lexicons (medians; single: share with one multiplier; based: share that count up to one;"
    " distance: words away from the nearest human lexicon)",
    "two_axes": "Selection for shorter languages and for smaller lexicons (log odds a symbol, a word; 95 % intervals;"
    " within: not larger than this, at 95 %; holm: p-values corrected for all of the table)",
    "at_equal_novelty": "The same among alternatives that change as much of the talk (novelty: log odds a tenth of it;"
    " preference: share of shorter kept minus longer, standardised over novelty; left_out: share of decisions that have"
    " nothing to be compared with)",
    "restoring_force": "Do lexicons return to some size? (change of size in a round as a line over size: its slope, and"
    " the size at which it is 0)",
    "judges": "The judge's own noise, where both arms are the same system (difference of their scores)",
    "selection_by_run": "Strength of selection of each run of agents",
}


# `ishango restricted compare`: where runs end, beside random systems and human ones.

EXPLANATION = """Shares of runs of intervals and of exact restricted systems, and medians (of ranks: means).
regret: reward lost against the best use of the words offered; gap: bits above the least cost of the same complexity;
rewarded: the gap of that best use; random: the median gap of 1,000 random systems of as many intervals; rank: the share
of these that are better; ideal gap: for a listener who weighs numbers by need alone; variation: bits from the most
similar human system of as many words, with its rank among random ones. --json has more."""

SHOWN = {
    "runs": "runs", "silent": "silent", "words": "words", "intervals": "intervals", "exact": "exact",
    "regret": "regret", "gap": "gap", "gap_rewarded": "rewarded", "gap_random": "random", "gap_rank": "rank",
    "ideal_gap": "ideal gap", "variation": "variation", "variation_rank": "its rank",
}  # fmt: skip
"""Columns of the tables for people, and their headings."""
PLANE = ["range", "need", "weber"]
"""What a plane and its frontier depend on: runs that differ in it cannot be put together."""


@dataclass(frozen=True)
class RestrictedCompare:
    """Compare the runs below directories: which systems agents learned, and whether random ones are as good.

    Example: ishango restricted compare out/restricted
    """

    directories: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="DIR ...")]
    """Directories of runs or sweeps."""
    figures: Path | None = None
    """Also write figures and the tables behind them into this directory."""
    json: bool = False
    """Print one JSON document instead of tables."""


def run_restricted_compare(command: RestrictedCompare) -> int:
    rounds = _read(command.directories)
    refuse_changed_needs(command.directories)  # what is random and what is best are computed anew
    ready(command.figures)
    with waiting("comparing the runs"):
        finals = restricted_ends(rounds)
        by = (*_told(finals), "reward")
        tables = {"rewards": summary(finals, by), "vocabularies": summary(finals, (*by, "vocabulary"))}
        if command.figures:
            _write_figures(rounds, finals, command.figures)
            say_written(command.figures)
    if command.json:
        print_json({**{name: records(table) for name, table in tables.items()}, "runs": records(_shown(finals))})
        return 0
    out = console()
    for table in tables.values():
        groups = [name for name in (*PLANE, "reward", "vocabulary") if name in table]
        out.print(data_table(table[[*groups, *SHOWN]].rename(columns=SHOWN)))
        out.print()
    out.print(EXPLANATION)
    return 0


def _told(finals: pd.DataFrame) -> list[str]:
    """What is told of a plane: its range, and whatever else varies."""
    return [name for name in PLANE if name == "range" or finals[name].nunique() > 1]


def _read(directories: tuple[Path, ...]) -> pd.DataFrame:
    rounds, _ = read_runs(directories)
    known = {"vocabulary", "complexity", "variation"} <= set(rounds.columns)
    strange = rounds[rounds["complexity"].isna()] if known else rounds
    if len(strange):
        raise RequestError(f"The run {strange['run'].iloc[0]} is not of ishango restricted train; give those that are.")
    return with_numbers(rounds, ["size", "complexity", "cost", "gap", "ideal_gap", "variation"], needed=["size"])


def _shown(finals: pd.DataFrame) -> pd.DataFrame:
    columns = (
        "run range need weber reward vocabulary seed words size kind contiguous complexity cost ideal_cost"
        " gap gap_random gap_rank gap_rewarded ideal_gap ideal_gap_random ideal_gap_rank"
        " nearest variation variation_random variation_rank variation_by_need mean_reward regret accuracy"
    )
    return finals[columns.split()]


def _write_figures(rounds: pd.DataFrame, finals: pd.DataFrame, directory: Path) -> None:
    # Drawing libraries take a second to load, and most calls draw nothing.
    from ishango.figures.kinds_figures import (
        restricted_ends_figure,
        restricted_learning_figure,
        restricted_plane_figure,
    )
    from ishango.figures.look import figure_name, save
    from ishango.restricted import restricted_frontier_table, restricted_language_table

    shown, taken = _shown(finals), set[str]()
    for (upto, need, weber), here in shown.groupby(PLANE):
        setting: dict[str, Any] = {"need": need, "upto": upto, "weber": weber}
        name = figure_name((str(here[part].iloc[0]).replace(":", "-") for part in _told(finals)), taken)
        by_distance = here[here["reward"] != EXACT.name]
        chart = restricted_plane_figure(
            restricted_frontier_table(**setting), restricted_language_table(**setting), by_distance
        )
        save(chart, directory, f"restricted-agents-{name}", by_distance)
        save(restricted_ends_figure(here), directory, f"restricted-ends-{name}", here)
        columns = ["run", "reward", "vocabulary", "round", "steps", "gap", "size"]
        curves = rounds.loc[rounds["run"].isin(here["run"]), columns]
        save(restricted_learning_figure(curves), directory, f"restricted-learning-{name}", curves)


# `ishango typology`: which mechanism predicts the numeral systems of the world.


@dataclass(frozen=True)
class TypologyCommand:
    """Score mechanisms by how well the lexicons of their runs predict human numeral systems, over families.

    A mechanism is a group of runs with the same options; the score is the average over families of the logarithm, to
    base 2, of the probability that it gives to a language's size, number of multipliers and base. 0 is certainty.

    Example: ishango typology out/generations --by bottleneck
    """

    directories: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="DIRECTORIES")]
    """Directories of runs or sweeps; of each run the lexicons of the second half of its rounds count."""
    by: Annotated[tuple[str, ...], tyro.conf.arg(metavar="OPTION")] = ()
    """Options that tell mechanisms apart; by default all in which the runs differ but seed and start."""
    runs: int | None = None
    """Runs of each mechanism that count in a draw; by default as many as the mechanism with fewest has."""
    smoothing: float = 0.05
    """The share of each mechanism's probability that is spread evenly over all cells."""
    json: bool = False
    """Print one JSON document instead of tables."""


def run_typology(command: TypologyCommand) -> int:
    with waiting("scoring the mechanisms"):
        found = typology(*command.directories, by=command.by or None, smoothing=command.smoothing, runs=command.runs)
    if command.json:
        share, low, high = found.ten
        print_json({"smoothing": found.smoothing, "runs": found.runs, "languages": len(found.people.lexicons),
                    "families": len(set(found.people.families)), "mechanisms": records(found.table),
                    "held_out": records(found.held_out),
                    "base_ten": {"share": share, "low": low, "high": high}, "sentence": found.sentence})  # fmt: skip
        return 0
    out = console()
    table = figures_table(("mechanism",), ("runs", "bits", "95 % interval", "bits, system", "base ten"))
    for row in found.table.to_dict("records"):
        table.add_row(row["mechanism"], f"{row['runs']:,}" if row["runs"] else "–", decimals(row["bits"], 2),
                      f"{decimals(row['low'], 2)} to {decimals(row['high'], 2)}", decimals(row["bits_system"], 1),
                      f"{row['base_ten']:.0%}")  # fmt: skip
    out.print(table)
    for row in found.held_out.to_dict("records"):
        there = decimals(row["bits_where_chosen"], 2)
        out.print(f"Half {row['half']}: {row['chosen']} is best on the other half ({there} bits); here"
                  f" {decimals(row['bits'], 2)}, rank {row['rank']}.")  # fmt: skip
    out.print(found.sentence)
    out.print(f"Of each mechanism {plural(found.runs, 'run')} count in a draw, since more runs score higher;"
              f" {100 * command.smoothing:g}% of its probability is spread evenly over all cells.")  # fmt: skip
    return 0
