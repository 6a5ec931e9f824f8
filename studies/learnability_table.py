"""Tables, sentences and the figure of docs/learnability.md, from the rows of the study.

`python -m studies.learnability_study tables --out DIR` summarises the runs in DIR by system, writes that to
docs/figures, and puts every table and every sentence about results into the page. A test holds the page against the
shipped summary.
"""

from __future__ import annotations

from pathlib import Path

import altair as alt
import numpy as np
import pandas as pd
from scipy import stats

from ishango.analysis.statistics import student_interval
from ishango.figures.look import COLOURS, COLUMN, save_specification, specification
from ishango.languages import recursive_languages
from ishango.numerals import MODIFIED
from studies.generations_table import shown as printed

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, SUMMARY = DOCS / "learnability.md", DOCS / "figures" / "learnability.csv"
KEYS = ["condition", "group", "of", "system", "numerals"]
FIGURES = ["size", "length", "irregularity", "changes", "bases"]
MEASURES = ["area", "accuracy", "generalisation", "area_by_need"]
OTHERS = {
    "permuted": "their permuted twins",
    "ties": "their twins of tied expressions",
    "matched": "random systems of their size and length",
    "optimum": "the optimum of their size",
}
"""What human systems are compared with, and what the page calls it."""
LEARNERS = {
    "line": "listener, number line",
    "classes": "listener, classes",
    "line, uniform": "listener, number line, uniform examples",
    "classes, uniform": "listener, classes, uniform examples",
    "pair": "pair that talks",
    "imitation": "pair that imitates",
}
FEWEST_SYSTEMS, FOLDS = 30, 10


def summarised(rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each system under each condition: means over its seeds."""
    found = rows.groupby(KEYS, sort=False, as_index=False)[[*FIGURES, *MEASURES]].mean()
    counts = rows.groupby(KEYS, sort=False, as_index=False).size()
    return found.merge(counts.rename(columns={"size": "seeds"}), on=KEYS).round(6)


def differences(table: pd.DataFrame, condition: str, other: str, measure: str) -> pd.Series:
    """For each human system, how much more it has than what it is compared with."""
    rows = table[(table["condition"] == condition) & table[measure].notna()]
    human = rows[rows["group"] == "human"].set_index("system")
    theirs = rows[rows["group"] == other]
    if other == "optimum":
        values = human["size"].map(theirs.groupby("size")[measure].mean())
    else:
        values = theirs.groupby("of")[measure].mean().reindex(human.index)
    return (human[measure] - values).dropna()


def by_family(values: pd.Series) -> float:
    """The mean over families of the mean over their languages, each of which has the value of its system."""
    systems = ((each.family, str(each.system_under(MODIFIED.name))) for each in recursive_languages())
    table = pd.DataFrame([(family, values[text]) for family, text in systems if text in values.index])
    return float(table.groupby(0)[1].mean().mean()) if len(table) else float("nan")


def comparisons(table: pd.DataFrame) -> pd.DataFrame:
    """Human systems less what they are compared with, a row for each learner and comparison."""
    found: list[dict[str, object]] = []
    for condition in LEARNERS:
        for measure in ("area", "generalisation"):
            for other in OTHERS:
                values = differences(table, condition, other, measure)
                if len(values) < 3:
                    continue
                low, high, _ = student_interval(values.to_numpy())
                found.append({
                    "condition": condition, "measure": measure, "other": other, "systems": len(values),
                    "difference": float(values.mean()), "low": low, "high": high, "by_family": by_family(values),
                })  # fmt: skip
    return pd.DataFrame(found)


def held_out_r2(x: np.ndarray, y: np.ndarray) -> float:
    """The share of the variance of systems that were left out of a fit, a tenth at a time, which it explains."""
    order, left = np.random.default_rng(0).permutation(len(y)), np.zeros(len(y))
    design = np.column_stack((np.ones(len(y)), x))
    for fold in range(FOLDS):
        test = order[fold::FOLDS]
        train = np.setdiff1d(order, test)
        beta = np.linalg.lstsq(design[train], y[train], rcond=None)[0]
        left[test] = y[test] - design[test] @ beta
    return float(1 - (left**2).sum() / ((y - y.mean()) ** 2).sum())


def regression(table: pd.DataFrame, condition: str, measure: str = "area") -> pd.DataFrame:
    """How learnability goes with each predictor, all standardised; permuted twins, whose parts mean nothing, aside."""
    rows = table[(table["condition"] == condition) & (table["group"] != "permuted") & table[measure].notna()]
    if len(rows) < FEWEST_SYSTEMS:
        return pd.DataFrame()
    x, y = (stats.zscore(rows[names].to_numpy(float)) for names in (FIGURES, measure))
    design = np.column_stack((np.ones(len(y)), x))
    beta, *_ = np.linalg.lstsq(design, y, rcond=None)
    freedom = len(y) - design.shape[1]
    noise = ((y - design @ beta) ** 2).sum() / freedom
    half = stats.t.ppf(0.975, freedom) * np.sqrt(noise * np.diag(np.linalg.inv(design.T @ design)))
    alone = [held_out_r2(x[:, [i]], y) for i in range(len(FIGURES))]
    return pd.DataFrame({
        "condition": condition, "predictor": FIGURES, "coefficient": beta[1:], "low": (beta - half)[1:],
        "high": (beta + half)[1:], "r2_alone": alone, "r2": held_out_r2(x, y), "systems": len(y),
    })  # fmt: skip


# Sentences and tables of the page.


def signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def between(value: float, low: float, high: float) -> str:
    return f"{signed(value)} [{signed(low)}, {signed(high)}]"


def verdict(row: pd.Series) -> str:
    """What an interval says of human systems."""
    if row["low"] > 0:
        return "easier"
    return "harder" if row["high"] < 0 else "no difference shown"


def comparison_table(found: pd.DataFrame, measure: str) -> str:
    rows = found[found["measure"] == measure]
    table = pd.DataFrame({
        "learner": rows["condition"].map(LEARNERS),
        "human systems less": rows["other"].map(OTHERS),
        "difference [95 %]": [between(r.difference, r.low, r.high) for r in rows.itertuples()],
        "mean over families": [signed(each) for each in rows["by_family"]],
        "systems": rows["systems"].astype(str),
        "verdict": [verdict(row) for _, row in rows.iterrows()],
    })  # fmt: skip
    return printed(table)


def regression_table(table: pd.DataFrame) -> str:
    found = [each for each in (regression(table, condition) for condition in LEARNERS) if len(each)]
    if not found:
        return "Too few systems have been learned so far for a regression."
    rows = pd.concat(found)
    return printed(pd.DataFrame({
        "learner": rows["condition"].map(LEARNERS),
        "predictor": rows["predictor"],
        "coefficient [95 %]": [between(r.coefficient, r.low, r.high) for r in rows.itertuples()],
        "held-out R² alone": [f"{each:.2f}".replace("-", "−") for each in rows["r2_alone"]],
        "of all together": [f"{each:.2f}".replace("-", "−") for each in rows["r2"]],
        "systems": rows["systems"].astype(str),
    }))  # fmt: skip


def answer(found: pd.DataFrame, condition: str, measure: str, other: str, what: str) -> str:
    """One sentence about one comparison."""
    rows = found[(found["condition"] == condition) & (found["measure"] == measure) & (found["other"] == other)]
    if not len(rows):
        return f"- {what}, compared with {OTHERS[other]}: not played yet."
    row = rows.iloc[0]
    found_so = between(row["difference"], row["low"], row["high"])
    how = {"easier": "more", "harder": "less", "no difference shown": "not shown to differ"}[verdict(row)]
    return f"- {what}, compared with {OTHERS[other]}: {how} ({found_so})."


def answers(found: pd.DataFrame) -> str:
    asked = (
        ("line", "generalisation", "New numbers that a listener on the number line understands"),
        ("line", "area", "What it understands while it learns"),
        ("classes", "area", "What a listener with classes understands while it learns"),
    )
    lines = [answer(found, condition, measure, other, what) for condition, measure, what in asked for other in OTHERS]
    return "\n".join(lines)


def control(table: pd.DataFrame) -> str:
    rows = table[table["condition"].isin(["line, shuffled", "classes, shuffled"])]
    if not len(rows):
        return "The control has not been played yet."
    worst = rows["accuracy"].max()
    return (
        f"With shuffled labels the listener learns nothing: in the end it understands {rows['accuracy'].mean():.1%}"
        f" of numbers, as a mean over {len(rows)} lessons, and in none more than {worst:.1%}."
    )


def progress(table: pd.DataFrame) -> str:
    counts = table.groupby("condition", sort=False)["seeds"].agg(["size", "sum"]).astype(int)
    names = [LEARNERS.get(name, name) for name in counts.index]
    rows = pd.DataFrame({"learner": names, "systems": counts["size"].astype(str), "runs": counts["sum"].astype(str)})
    return printed(rows.reset_index(drop=True))


def parts(table: pd.DataFrame) -> dict[str, str]:
    """Everything on the page that is about results, by the name of its place."""
    found = comparisons(table)
    return {
        "answers": answers(found),
        "control": control(table),
        "area": comparison_table(found, "area"),
        "generalisation": comparison_table(found, "generalisation"),
        "regression": regression_table(table),
        "progress": progress(table),
    }


def page_with(text: str, table: pd.DataFrame) -> str:
    """The page with what the table says in its places."""
    for name, content in parts(table).items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, rest = text.split(begin)
        text = f"{before}{begin}\n\n{content}\n\n{end}{rest.split(end)[1]}"
    return text


def figure(table: pd.DataFrame) -> alt.TopLevelMixin:
    """The area under the curve of every system, human ones and what they are compared with, for both listeners."""
    names = {"human": "human", "permuted": "permuted twins", "ties": "tied twins", "matched": "random, matched",
             "optimum": "optimum", "start": "paper's starts", "random": "random"}  # fmt: skip
    rows = table[table["condition"].isin(["line", "classes"])].copy()
    rows["system of"], rows["learner"] = rows["group"].map(names), rows["condition"].map(LEARNERS)
    order = [each for each in names.values() if each in set(rows["system of"])]
    y = alt.Y("system of:N", sort=order, title=None)
    x = alt.X(
        "area:Q", title="area under the curve of accuracy", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)
    )
    ticks = alt.Chart().mark_tick(thickness=1.5, size=12, opacity=0.45, color=COLOURS[0]).encode(x=x, y=y)
    means = (
        alt.Chart().mark_point(filled=True, size=60, color=COLOURS[1], opacity=1).encode(x=alt.X("mean(area):Q"), y=y)
    )
    return (
        alt.layer(ticks, means, data=rows, width=COLUMN // 2 - 90, height=22 * len(order))
        .facet(column=alt.Column("learner:N", title=None, sort=list(LEARNERS.values())[:2]))
        .resolve_scale(x="independent")
    )


def read_summary() -> pd.DataFrame:
    """The shipped summary."""
    return pd.read_csv(SUMMARY, keep_default_na=False, na_values=dict.fromkeys(MEASURES, ""))


def write_tables(rows: pd.DataFrame) -> None:
    """The summary, the page and the figure."""
    summarised(rows).to_csv(SUMMARY, index=False)
    table = read_summary()
    PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), table), encoding="utf-8")
    save_specification(specification(figure(table)), SUMMARY.parent, "learnability", ("svg",))
    print(progress(table), f"\n\n{answers(comparisons(table))}")
