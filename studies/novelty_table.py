"""Are words refused because they are new? The tables and the figure of docs/studies/evolution.md on a fair contest.

    ishango sweep novelty --out DIR
    python -m studies.novelty_table DIR

A contest is how long two systems compete, or that both are learnt first. `novelty.csv` has the share of alternatives
that agents kept: renamed words, added ones, removed ones, by how much of the talk they change. `novelty-axes.csv` has
a row a contest: how well agents talk, and whether they prefer shorter languages and smaller lexicons among alternatives
that are equally new. Intervals leave out one run after the other. Contests that are not played to their end are left
out, and said so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from ishango.analysis.comparable import units, without_copies
from ishango.analysis.selection import EDGES, at_equal_novelty, decisions, standardised_preference, with_holm
from ishango.analysis.statistics import jackknife
from ishango.figures.look import save_chart
from ishango.lab import rounds_table

OUT = Path("docs/figures")
KINDS = {"relabel": "renamed", "m0": "added", "m1": "added", "m4": "removed", "m5": "removed"}
ALL, NOTHING = "all", "nothing"
STRATA = (NOTHING, *(f"{100 * low:g} to {100 * high:g} %" for low, high in pairwise(EDGES)))
"""Shares of the talk that an alternative changes; a word that is never part of a shortest expression changes none."""


def contest(config: dict[str, Any]) -> str:
    """How a table calls what systems of a run went through before one was kept."""
    after = f", both learnt to {config['criterion']:.0%} first" if config["contest"] == "criterion" else ""
    return f"{config['steps']:,} steps{after}"


def finished(directories: list[Path], label: Callable[[dict[str, Any]], str] = contest) -> pd.DataFrame:
    """The rounds of all contests that are played to their end; others are told. `label` names a run's contest."""
    table, _ = without_copies(rounds_table(directories))
    table["contest_label"] = [
        label({str(name): value for name, value in row.items()}) for row in table.to_dict("records")
    ]
    last = table.groupby("run")["round"].max()
    open_runs = set(last.index[last < table.groupby("run")["rounds"].first()])
    left_out = sorted(set(table.loc[table["run"].isin(open_runs), "contest_label"]))
    for name in left_out:
        print(f"Left out, not played to its end: {name}", file=sys.stderr)
    return table[~table["contest_label"].isin(left_out)]


def share_kept(rows: pd.DataFrame) -> dict[str, Any]:
    """How many of some alternatives were kept, with the interval from leaving out one run after the other."""
    sums = rows.groupby(units(rows))["accepted"].agg(["sum", "count"]).to_numpy(float)
    total = sums.sum(axis=0)
    rest = total - sums
    kept = total[0] / total[1]
    low, high = jackknife(kept, rest[:, 0] / rest[:, 1])[:2] if (rest[:, 1] > 0).all() else (np.nan, np.nan)
    return {"decisions": len(rows), "kept": kept, "low": max(low, 0.0), "high": min(high, 1.0)}


def kept_table(rounds: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """A row for each contest, kind of change and how much of the talk it changes."""
    decided = decisions(rounds)
    decided = decided.assign(
        kind=decided["action"].map(KINDS),
        accepted=decided["accepted"].astype(float),
        stratum=[STRATA[int(np.searchsorted(EDGES, share))] for share in decided["changed"]],
    )
    for (name, kind), rows in decided.groupby(["contest_label", "kind"]):
        yield {"contest": name, "kind": kind, "changes": ALL, **share_kept(rows)}
        for stratum, some in rows.groupby("stratum"):
            yield {"contest": name, "kind": kind, "changes": stratum, **share_kept(some)}


def axes_table(rounds: pd.DataFrame) -> pd.DataFrame:
    """How well agents talk in each contest, and what they prefer among what is equally new."""
    rows = [
        {
            "contest": name,
            "rounds": int(runs["round"].max()),
            "games_won": runs["accuracy"].median(),
            "numbers_understood": runs["numbers_understood"].median(),
            "fewest_understood": runs.groupby("run")["numbers_understood"].median().min(),
            "practice": runs["practice"].median(),
            **standardised_preference(runs)._asdict(),
            **vars(at_equal_novelty(runs)),
        }
        for name, runs in rounds.groupby("contest_label")
    ]
    return with_holm(pd.DataFrame(rows), ["length_p", "size_p", "novelty_p"])


def figure(table: pd.DataFrame, contests: list[str]) -> alt.FacetChart:
    """The share kept over how new an alternative is, a panel a contest."""
    drawn = table[(table["changes"] != ALL) & (table["decisions"] >= 10)]
    x = alt.X("changes:N", sort=list(STRATA), title="talk that changes", axis=alt.Axis(labelAngle=-35))
    y = alt.Y("kept:Q", title="share kept", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    side, colour = alt.XOffset("kind:N"), alt.Color("kind:N", title="words")
    shape = alt.Shape("kind:N", legend=None)
    points = alt.Chart().mark_point(filled=True, size=40).encode(x=x, y=y, xOffset=side, color=colour, shape=shape)
    spans = alt.Chart().mark_rule().encode(x=x, y=alt.Y("low:Q"), y2="high:Q", xOffset=side, color=colour)
    half = alt.Chart().mark_rule(strokeDash=[3, 3], color="#888").encode(y=alt.datum(0.5))
    panels = alt.layer(half, spans, points, data=drawn).properties(width=120, height=160)
    header = alt.Header(labelExpr="split(datum.label, ', ')")
    return panels.facet(facet=alt.Facet("contest:N", sort=contests, title=None, header=header), columns=5)


def main(directories: list[Path]) -> None:
    """Write both tables and the figure."""
    rounds = finished(directories)
    order = rounds.assign(criterion_last=rounds["contest"] == "criterion").sort_values(["criterion_last", "steps"])
    contests = list(dict.fromkeys(order["contest_label"]))
    kept, axes = pd.DataFrame(kept_table(rounds)), axes_table(rounds)
    for name, table in (("novelty", kept), ("novelty-axes", axes)):
        place = pd.Categorical(table["contest"], contests, ordered=True)
        table.assign(place=place).sort_values("place", kind="stable").drop(columns="place").round(6).to_csv(
            OUT / f"{name}.csv", index=False
        )
    save_chart(figure(kept, contests), OUT, "novelty")
    print(axes.T.to_string())


if __name__ == "__main__":
    main([Path(each) for each in sys.argv[1:]])
