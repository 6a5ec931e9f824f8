"""Every table of a reproduction, made from its finished runs and from what can be proved."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from ishango.report import outcomes, systems
from ishango.report.outcome_columns import outcome_tables
from ishango.report.played import STUDIES, played_table
from ishango.report.scale import Scale
from ishango.report.shipped import shipped_tables


def all_tables(scale: Scale, runs: Path) -> dict[str, pd.DataFrame]:
    """Every table but the verdicts; one whose runs are not there has its columns and no rows."""
    proved = systems.frontiers(scale.capped)
    return {
        "scale": systems.scale_table(scale),
        "bands": systems.bands_table(),
        **systems.restricted_tables(),
        "languages": systems.languages_table(),
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
    explained = outcome_tables()
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
