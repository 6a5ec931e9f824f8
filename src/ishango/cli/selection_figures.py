"""The figures of `ishango selection`: one for each frontier that was played, since gaps are measured from one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from ishango.analysis.comparable import ALWAYS, FRONTIER, group_columns, modifies, uses_agents
from ishango.analysis.ends import ends, restoring_force
from ishango.evolution import EvolutionOptions
from ishango.evolution.choosers import CHOOSERS, DRIFT
from ishango.evolution.modifications import ADD_RULES
from ishango.figures.evolution_figures import (
    ends_figure,
    restoring_force_figure,
    selection_figure,
    trajectories_figure,
    two_axes_figure,
)
from ishango.figures.save import figure_name, save
from ishango.frontiers import Problem, frontier_value

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
    paths = rounds[uses_agents(rounds) & modifies(rounds) & rounds["gap"].notna()]
    for name, played in _parts(paths, [*FRONTIER, "add"], "trajectories"):
        _write_trajectories(played, directory, name)


def _write_ends(rounds: pd.DataFrame, by: list[str], directory: Path, name: str) -> None:
    finals = ends(rounds, by)
    finals = finals.assign(who=_who(finals, [each for each in by if each not in FRONTIER]))
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
    columns = ["run", "start", "seed", "round", "size", "average_complexity", "gap"]
    paths = rounds.loc[rounds["seed"] == rounds["seed"].min(), columns]
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


def _who(table: pd.DataFrame, by: list[str]) -> list[str]:
    return [f"{who}{rest}" for who, rest in _labels(table, by)]


def _labels(table: pd.DataFrame, by: list[str]) -> Iterator[tuple[str, str]]:
    """Who decides, as pages call it, and the fields beside reading and chooser that tell groups apart."""
    for row in table[by].to_dict("records"):
        fields: dict[Any, Any] = {name: value for name, value in row.items() if name not in ALWAYS and value == value}
        name = str(row["choose"])
        who = CHOOSERS[name].label if name in CHOOSERS else name
        yield who, "".join(f", {field} {value}" for field, value in fields.items())
