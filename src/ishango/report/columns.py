"""What every column of every table means: the text of `data/README.md`."""

from __future__ import annotations

from ishango.report.data import Tables
from ishango.report.explained import Explained
from ishango.report.outcome_columns import outcome_tables
from ishango.report.shipped import shipped_columns
from ishango.report.system_columns import system_tables

VERDICTS = Explained(
    "The paper's claims and what we find; computed from the other tables alone.",
    {
        "name": "a short name",
        "claim": "what the paper says, in short",
        "brief": "the same in a few words",
        "measured": "what was found",
        "statistic": "what the number is",
        "value": "the number",
        "low": "lower end of its 95 % interval; the value itself where it is exact",
        "high": "upper end",
        "each": "the values of all runs, seeds or sizes behind it",
        "ruling": "holds, so does a coin, does not hold, or too little data here",
        "steps": "steps in a round, or of learning, on which it rests; empty where nothing was played",
        "exact": "whether the number is proved or computed, without uncertainty",
        "coin": "the same number of a coin from the same starts; empty where a coin has nothing to do with it",
        "contrast": "agents minus coin, mean over starts",
        "contrast_low": "lower end of its 95 % interval, from permutations within starts, or of whole seeds",
        "contrast_high": "upper end",
        "contrast_within": "agents and coin do not differ by more than this, at 95 %",
        "p": "p-value of the permutation test of that contrast",
    },
)


def explained_tables() -> dict[str, Explained]:
    """Every table of a reproduction by its name."""
    return {**system_tables(), **outcome_tables(), **shipped_columns(), "verdicts": VERDICTS}


def columns_text(data: Tables) -> str:
    """The README of the data directory; a column without an explanation is an error."""
    lines = [
        "# The tables behind the page",
        "",
        "Comma-separated, UTF-8, an empty field where there is no value. Unless said otherwise, systems are evaluated"
        " over 1 to 99 under the need n^-2.",
    ]
    for name, (about, columns) in explained_tables().items():
        lines += ["", f"## {name}.csv", "", about, "", "| column | meaning |", "|---|---|"]
        lines += [f"| `{column}` | {columns[column].replace('|', chr(92) + '|')} |" for column in data[name].columns]
    return "\n".join(lines) + "\n"
