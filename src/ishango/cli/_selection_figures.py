"""The figures of `ishango selection`, one for each frontier that was played, and the one number of its answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from ishango.analysis.comparable import ALWAYS, FRONTIER, group_columns, modifies, uses_agents
from ishango.analysis.ends import ends, restoring_force
from ishango.analysis.selection import Preference, preference
from ishango.cli._output import plural
from ishango.errors import RequestError
from ishango.evolution import ADD_RULES, CHOOSERS, DRIFT, EvolutionOptions
from ishango.figures.evolution_figures import (
    ends_figure,
    restoring_force_figure,
    selection_figure,
    trajectories_figure,
    two_axes_figure,
)
from ishango.figures.look import figure_name, save
from ishango.frontiers import Problem, frontier_value
from ishango.report.claims import RELEVANT_SHARE, Estimate, Ruling, rule

_USUAL = EvolutionOptions()
_USUALLY = {"grammar": _USUAL.grammar, "eval_need": _USUAL.need, "range": _USUAL.upto, "add": _USUAL.add}
"""What a figure's name does not tell."""
ENOUGH = 20
"""Decisions below which the mean change at a size is not drawn."""


def write_figures(rounds: pd.DataFrame, strengths: pd.DataFrame, axes: pd.DataFrame, directory: Path) -> None:
    """Where runs end, how strongly they select, and the paths of those of agents; `rounds` are settled."""
    by = group_columns(rounds)
    for name, played in _parts(rounds, FRONTIER, "ends"):
        _write_ends(played, by, directory, name)
    if len(strengths) and strengths["strength"].notna().any():  # else no group has data enough
        named = strengths.assign(group=_group_names(strengths, by))
        save(selection_figure(named), directory, "selection", named)
    if len(axes) and axes["length_low"].notna().any():  # a point without an interval says nothing
        named = axes.assign(group=_group_names(axes, by))
        save(two_axes_figure(named[named["length_low"].notna()]), directory, "two-axes", named)
    _write_forces(rounds[modifies(rounds)], by, directory)
    paths = rounds.assign(drift=~uses_agents(rounds))[modifies(rounds) & rounds["gap"].notna()]
    for name, played in _parts(paths, [*FRONTIER, "add"], "trajectories"):
        _write_trajectories(played, directory, name)


def _write_ends(rounds: pd.DataFrame, by: list[str], directory: Path, name: str) -> None:
    finals = ends(rounds, by)
    labels = _labels(finals, [each for each in by if each not in FRONTIER])
    finals = finals.assign(who=[f"{who}{rest}" for who, rest in labels])
    table = finals[[*by, "who", "start", "seed", "gap", "gap_before", "size", "size_before"]]
    drifted = table["choose"] == DRIFT.name
    save(ends_figure(table[~drifted], table[drifted]), directory, name, table)


def _write_forces(rounds: pd.DataFrame, by: list[str], directory: Path) -> None:
    """The restoring force on size of each group, at sizes where enough was decided."""
    found = [
        restoring_force(runs).assign(group=_group_names(runs.head(1), by)[0])
        for _, runs in rounds.groupby(by, dropna=False)
    ]
    if not found:  # no run decided between two systems
        return
    table = pd.concat(found, ignore_index=True)
    sure = table[table["decisions"] >= ENOUGH]
    if sure.groupby("group").size().gt(1).any():  # else there is no line
        save(restoring_force_figure(sure), directory, "restoring-force", table)


def _write_trajectories(rounds: pd.DataFrame, directory: Path, name: str) -> None:
    columns = ["run", "start", "seed", "drift", "round", "size", "average_complexity", "gap"]
    least = rounds.groupby(["drift", "start"])["seed"].transform("min")  # one run of each start, or nobody sees them
    paths = rounds.loc[rounds["seed"] == least, columns]
    grammar, need, upto = rounds[FRONTIER].iloc[0]
    problem = Problem(grammar=grammar, need=need, upto=int(upto))
    sizes = range(2, int(paths["size"].max()) + 2)
    frontier = pd.DataFrame({"size": sizes, "average_complexity": [frontier_value(size, problem) for size in sizes]})
    save(trajectories_figure(paths, frontier.dropna()), directory, name, paths)


def _parts(rounds: pd.DataFrame, by: list[str], name: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rounds of each setting, and a figure's name that tells where it is not the usual one."""
    taken: set[str] = set()
    for key, part in rounds.groupby(by, sort=False):
        told = [value for each, value in zip(by, key, strict=True) if value != _USUALLY[each]]
        yield figure_name([name, *told], taken), part


def _group_names(table: pd.DataFrame, by: list[str]) -> list[str]:
    """What a legend calls a group: who decides, the reading, and what else varies."""
    readings = [ADD_RULES[name].label if name in ADD_RULES else name for name in table["add"]]
    return [f"{who}, {reading}{rest}" for (who, rest), reading in zip(_labels(table, by), readings, strict=True)]


def _labels(table: pd.DataFrame, by: list[str]) -> Iterator[tuple[str, str]]:
    """Who decides, as pages call it, and the fields beside reading and chooser that tell groups apart."""
    for row in table[by].to_dict("records"):
        fields: dict[Any, Any] = {name: value for name, value in row.items() if name not in ALWAYS and value == value}
        name = str(row["choose"])
        who = CHOOSERS[name].label if name in CHOOSERS else name
        yield who, "".join(f", {field} {value}" for field, value in fields.items())


# `ishango selection --answer`: do agents prefer shorter languages? One number with its interval.

ANSWERS: dict[Ruling, str] = {"holds": "yes", "does not hold": "no", "too little data here": "undecided"}
NOT_KNOWN = "unbounded (it takes six starts)"


def answers(rounds: pd.DataFrame) -> list[dict[str, Any]]:
    """For each group of finished runs in which agents decided between two systems: the number and what follows."""
    last = rounds.groupby("run")["round"].transform("max")
    finished = rounds[uses_agents(rounds) & modifies(rounds) & (last == rounds["rounds"])]
    if finished.empty:
        raise RequestError("No run in which agents decide is finished here; give directories of such runs.")
    by = [name for name in group_columns(finished) if name != "steps"]
    groups = finished.groupby(["steps", *by], dropna=False)
    return [_answer_of(dict(zip(["steps", *by], key, strict=True)), rows) for key, rows in groups]


def _answer_of(group: dict[str, Any], rows: pd.DataFrame) -> dict[str, Any]:
    found = preference(rows)
    ruling = rule(Estimate(found.value, found.low, found.high), above=0, margin=RELEVANT_SHARE)
    return {**group, "answer": ANSWERS[ruling], **found._asdict()}


def said(answer: dict[str, Any]) -> str:
    found = Preference(**{name: answer[name] for name in Preference._fields})
    others = [f"{name} {value}" for name, value in answer.items()
              if name not in (*Preference._fields, "steps", "answer", "add", "choose") and value == value]  # fmt: skip
    setting = f" ({', '.join(others)})" if others else ""
    bounded = abs(found.low) < float("inf")
    interval = f"{found.low:+.3f} to {found.high:+.3f}" if bounded else NOT_KNOWN
    question = f"At {int(answer['steps']):,} steps a round{setting}, do agents prefer shorter languages?"
    left = f" A preference of more than {found.equivalent_within:.3f} either way can be excluded."
    excluded = left if answer["answer"] != "yes" and found.equivalent_within < float("inf") else ""
    return (
        f"{question} {answer['answer'].capitalize()}:"
        f" {found.value:+.3f}, 95 % interval over starts {interval}. That is the share of shorter alternatives kept"
        f" ({found.shorter_kept:,} of {found.shorter:,}) minus that of longer ones ({found.longer_kept:,} of"
        f" {found.longer:,}), mean over {plural(found.starts, 'start')} and {plural(found.runs, 'run')};"
        f" for these runs alone {found.here_low:+.3f} to {found.here_high:+.3f}.{excluded}"
    )
