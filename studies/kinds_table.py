"""Where societies of every kind end, and what they keep on the way: tables of docs/studies/kinds.md, from the runs.

    ishango sweep kinds --out RUNS
    python -m studies.kinds_table RUNS

Runs that are not done are left out, and said so.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pandas as pd

from ishango.analysis.comparable import without_copies
from ishango.kinds import KINDS
from ishango.lab import RunView, find_runs, rounds_table
from studies.generations_table import shown

WHO = {"law": "the law", "bandit": "agents", "coin": "coin"}
"""Who decides, in the table's order and words."""


def ends_table(rounds: pd.DataFrame) -> pd.DataFrame:
    """A row a start and who decides: how many runs end as which kind, with the medians of cost and size."""
    last = rounds.sort_values(["run", "round"]).drop_duplicates("run", keep="last")
    rows = []
    for (start, choose), runs in last.groupby(["start", "choose"]):
        kinds = {kind: int((runs["kind"] == kind).sum()) for kind in reversed(KINDS)}
        medians = {"median cost": f"{runs['cost'].median():.3g}", "median size": f"{runs['size'].median():g}"}
        rows.append({"start": f"`{start}`", "who decides": choose, **kinds, **medians})
    table = pd.DataFrame(rows).sort_values("who decides", key=lambda names: names.map(list(WHO).index), kind="stable")
    return table.sort_values("start", key=lambda names: names.str.len(), kind="stable").replace({"who decides": WHO})


def kept_table(rounds: pd.DataFrame) -> pd.DataFrame:
    """A row for each who decides: the share kept of alternatives that cost less under the law, and of those that cost
    more."""
    tried = rounds[rounds["delta_cost"].notna()]
    rows = []
    for choose, words in WHO.items():
        mine = tried[tried["choose"] == choose]
        less, more = mine[mine["delta_cost"] < 0], mine[mine["delta_cost"] > 0]
        shares = {"kept of those that cost less": less, "kept of those that cost more": more}
        told = {name: f"{each['accepted'].astype(float).mean():.0%} of {len(each):,}" for name, each in shares.items()}
        rows.append({"who decides": words, **told})
    return pd.DataFrame(rows)


def main() -> int:
    """Read, count, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", type=Path, help="the directory of the sweep")
    asked = parser.parse_args()
    views = [RunView(path) for path in find_runs(asked.runs)]
    done = [view.directory for view in views if view.state == "done"]
    if not done:
        sys.exit(f"There are no runs that are done in {asked.runs}; play them with ishango sweep kinds --out DIR.")
    rounds, _ = without_copies(rounds_table(done))
    print(shown(ends_table(rounds)), shown(kept_table(rounds)), sep="\n\n")
    print(f"\n{len(done)} runs; {len(views) - len(done)} that are not done are left out.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
