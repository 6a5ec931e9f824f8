"""Tables, sentences and the figure of docs/learnability.md, from the rows of the study.

`python -m studies.learnability_study tables --out DIR` packs the rows of DIR into studies/learnability-*.csv.xz, and
puts every table and every sentence about results into the page. A test holds the page against these archives.
"""

from __future__ import annotations

import lzma
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import altair as alt
import numpy as np
import pandas as pd
from scipy import stats

from ishango.analysis.statistics import holm, student, student_p
from ishango.figures.look import COLOURS, COLUMN, save_specification, specification
from ishango.report import verdicts, write_results
from ishango.report._data import DIRECTORY, RESULTS, Data
from ishango.report._data import write_tables as write_data
from ishango.report.claims import CLAIMS
from ishango.report.claims._claim import mean_of_several, verdicts_table
from ishango.report.claims._learning_claims import LEARNERS as LEARNED_BY
from ishango.report.claims._learning_claims import easier
from studies.generations_table import shown as printed
from studies.learnability_kept import predictions
from studies.learnability_study import Item, Run, shares

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = DOCS / "learnability.md", DOCS / "studies" / "learnability.md"
"""What was found, and the lab log; each has some of the places for results."""
TABLE = DOCS / "figures" / "learnability.csv"
EFFICIENT = DIRECTORY / "learnability.csv"
"""What the report judges."""
FIGURES = ["size", "length", "irregularity", "changes", "bases"]
MEASURES = {
    "area": "area",
    "generalisation": "new numbers",
    "area_by_need": "area, tested as trained",
}
"""What is compared, and what the page calls it."""
OTHERS = {
    "permuted": "permuted twins",
    "ties": "tied twins",
    "matched": "matched random systems",
    "optimum": "optimum of the size",
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
SHUFFLED = ["line, shuffled", "classes, shuffled"]
FEWEST_SYSTEMS, FEWEST_FAMILIES, FOLDS, SMALLEST = 60, 4, 10, 4
CHANCE, BIN = 0.05, 0.005
Taught = tuple[str, str]
"""A system and how its numerals are said."""


class Study(NamedTuple):
    """What has been played."""

    items: list[Item]
    rows: pd.DataFrame
    kept: pd.DataFrame


class Learned(NamedTuple):
    """The lessons of one system."""

    mean: float
    error: float
    """The squared error of the mean."""


def by_taught(rows: pd.DataFrame, measure: str) -> dict[Taught, Learned]:
    """What became of each system; where it had one lesson, the variance is the pooled one of the others."""
    known = rows.dropna(subset=measure)
    groups = known.groupby(["system", "numerals"])[measure]
    found = pd.DataFrame({"mean": groups.mean(), "var": groups.var(), "size": groups.size()})
    again = found[found["size"] > 1]
    pooled = float(np.average(again["var"], weights=again["size"] - 1)) if len(again) else 0.0
    errors = found["var"].fillna(pooled) / found["size"]
    return {taught: Learned(*each) for taught, *each in zip(found.index, found["mean"], errors, strict=True)}


def beside(items: Iterable[Item], other: str, sizes: pd.Series) -> dict[str, list[Taught]]:
    """For each human system what it is compared with."""
    found: defaultdict[str, list[Taught]] = defaultdict(list)
    chosen = [each for each in items if each.group == other]
    if other != "optimum":
        for each in chosen:
            found[each.of].append((each.system, each.numerals))
        return dict(found)
    optima = {sizes.get(each.system): (each.system, each.numerals) for each in chosen}
    humans = [each.system for each in items if each.group == "human"]
    return {text: [optima[size]] for text in humans if (size := sizes.get(text)) in optima}


def compared(study: Study, condition: str, other: str, measure: str) -> dict[str, Any] | None:
    """Human systems less what they are compared with: a mean over families, with its interval.

    The squared error is that of families, as if each had lessons of its own, plus that of lessons: systems that many
    families share share their luck. Random systems are drawn, so what varies is these and not their lessons alone.
    """
    rows = study.rows[study.rows["condition"] == condition]
    lessons = by_taught(rows, measure)
    others = beside(study.items, other, rows.groupby("system")["size"].first())
    pairs = {text: [each for each in theirs if each in lessons] for text, theirs in others.items()}
    pairs = {text: theirs for text, theirs in pairs.items() if theirs and (text, "shortest") in lessons}
    share = shares(pairs)
    if len(share) < FEWEST_FAMILIES:
        return None
    less = {
        text: lessons[text, "shortest"].mean - float(np.mean([lessons[each].mean for each in theirs]))
        for text, theirs in pairs.items()
    }
    families = (share * pd.Series(less)).sum(axis=1)
    value, freedom = float(families.mean()), len(families) - 1
    luck = of_luck(lessons, share.mean().to_dict(), pairs, drawn=other == "matched")
    error = float(np.sqrt(families.var() / len(families) + luck))
    low, high, _ = student(value, error, freedom)
    return {
        "condition": condition, "measure": measure, "other": other, "difference": value, "low": low, "high": high,
        "p": student_p(value, error, freedom), "by_system": float(np.mean(list(less.values()))),
        "systems": len(pairs), "families": len(families),
    }  # fmt: skip


def of_luck(
    lessons: dict[Taught, Learned], weights: dict[str, float], pairs: dict[str, list[Taught]], *, drawn: bool
) -> float:
    """The squared error that comes from lessons; of systems that were drawn, from which these are."""
    counted, between = Counter[Taught](), 0.0
    variances = {text: np.var([lessons[each].mean for each in theirs], ddof=1)
                 for text, theirs in pairs.items() if len(theirs) > 1}  # fmt: skip
    usual = float(np.mean([*variances.values()])) if variances else 0.0
    for text, theirs in pairs.items():
        counted[text, "shortest"] += weights[text]
        if drawn:
            between += weights[text] ** 2 * float(variances.get(text, usual)) / len(theirs)
        else:  # an optimum may be the human system itself
            counted.subtract(dict.fromkeys(theirs, weights[text] / len(theirs)))
    return between + sum(times**2 * lessons[each].error for each, times in counted.items())


def comparisons(study: Study) -> pd.DataFrame:
    """All comparisons of human systems; p-values are corrected for all of them together."""
    asked = [
        (condition, other, measure)
        for measure in MEASURES
        for condition in LEARNERS
        for other in OTHERS
        if (measure != "generalisation" or condition.startswith("line"))
        and (measure != "area_by_need" or "uniform" not in condition)
    ]
    found = [row for each in asked if (row := compared(study, *each)) is not None]
    table = pd.DataFrame(found, columns=[*(found[0] if found else ("condition", "measure", "other", "p"))])
    return table.assign(p_holm=holm(table["p"].to_numpy(float)))


# What goes with learnability, and whether efficient systems are easier to learn.


def held_out_r2(x: np.ndarray, y: np.ndarray, units: np.ndarray) -> float:
    """The share of the variance of systems that were left out of a fit, a tenth at a time, which it explains."""
    fold = np.random.default_rng(0).permutation(int(units.max()) + 1)[units] % FOLDS
    design, left = np.column_stack((np.ones(len(y)), x)), np.zeros(len(y))
    for each in range(FOLDS):
        test = fold == each
        left[test] = y[test] - design[test] @ np.linalg.lstsq(design[~test], y[~test], rcond=None)[0]
    return float(1 - (left**2).sum() / ((y - y.mean()) ** 2).sum())


def regression(study: Study, condition: str, measure: str = "area") -> pd.DataFrame:
    """How learnability goes with each predictor, all standardised; permuted twins, whose parts mean nothing, aside."""
    rows = study.rows[(study.rows["condition"] == condition) & (study.rows["numerals"] != "permuted")]
    means = rows.groupby(["system", "numerals"])[[*FIGURES, measure]].mean().dropna()
    units = pd.factorize(means.index.get_level_values("system"))[0]
    if len(means) < FEWEST_SYSTEMS:
        return pd.DataFrame()
    x, y = (stats.zscore(means[names].to_numpy(float)) for names in (FIGURES, measure))
    design = np.column_stack((np.ones(len(y)), x))
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ design.T @ y
    scores = np.zeros((int(units.max()) + 1, design.shape[1]))
    np.add.at(scores, units, design * (y - design @ beta)[:, None])
    freedom = len(scores) - design.shape[1]
    covariance = inverse @ scores.T @ scores @ inverse * len(scores) / freedom
    half = stats.t.ppf(0.975, freedom) * np.sqrt(np.diag(covariance))
    return pd.DataFrame({
        "condition": condition, "predictor": FIGURES, "coefficient": beta[1:], "low": (beta - half)[1:],
        "high": (beta + half)[1:], "r2_alone": [held_out_r2(x[:, [i]], y, units) for i in range(len(FIGURES))],
        "r2": held_out_r2(x, y, units), "systems": len(y),
    })  # fmt: skip


def efficient(study: Study) -> pd.DataFrame:
    """The area of the optimum of each size less that of random systems of the size, a row a learner and size."""
    groups = {(each.system, each.numerals): each.group for each in study.items if each.group in ("optimum", "random")}
    found: list[pd.DataFrame] = []
    for condition in LEARNED_BY:
        rows = study.rows[study.rows["condition"] == condition]
        means = rows.groupby(["system", "numerals"], as_index=False)[["size", "length", "area"]].mean()
        kinds = [groups.get(each, "") for each in zip(means["system"], means["numerals"], strict=True)]
        means = means.assign(group=kinds)[lambda each: (each["numerals"] == "shortest") & (each["size"] >= SMALLEST)]
        sizes = means[means["group"] != ""].groupby(["size", "group"])[["length", "area"]].mean().unstack()
        if {("area", "optimum"), ("area", "random")} <= {*sizes.columns}:
            flat = sizes.dropna()
            flat.columns = [f"{name}_{group}" for name, group in flat.columns]
            found.append(flat.reset_index().assign(learner=condition)[["learner", "size", *flat.columns]])
    return pd.concat(found, ignore_index=True).round(6) if found else pd.DataFrame()


# Sentences and tables of the page.


def signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def between(value: float, low: float, high: float) -> str:
    return f"{signed(value)} [{signed(low)}, {signed(high)}]"


def verdict(row: pd.Series) -> str:
    """What a comparison says of human systems, after the correction."""
    if not row["p_holm"] < CHANCE:
        return "no difference shown"
    return "easier" if row["difference"] > 0 else "harder"


def comparison_table(found: pd.DataFrame, measure: str) -> str:
    rows = found[found["measure"] == measure]
    if not len(rows):
        return "Not played yet."
    return printed(pd.DataFrame({
        "learner": rows["condition"].map(LEARNERS),
        "human systems less": rows["other"].map(OTHERS),
        "difference [95 %]": [between(r.difference, r.low, r.high) for r in rows.itertuples()],
        "mean over systems": [signed(each) for each in rows["by_system"]],
        "systems": rows["systems"].astype(str),
        "families": rows["families"].astype(str),
        "verdict": [verdict(row) for _, row in rows.iterrows()],
    }))  # fmt: skip


def at_a_glance(found: pd.DataFrame) -> str:
    """All verdicts on areas and new numbers at a glance."""
    rows = found.assign(
        verdict=[verdict(row) for _, row in found.iterrows()],
        learner=[f"{LEARNERS[c]}: {MEASURES[m]}" for c, m in zip(found["condition"], found["measure"], strict=True)],
    )
    wide = rows.pivot(index="learner", columns="other", values="verdict")
    wide = wide.reindex(index=rows["learner"].unique(), columns=[*OTHERS]).fillna("not played")
    return printed(wide.rename(columns=OTHERS).reset_index())


def regression_table(study: Study) -> str:
    found = [each for each in (regression(study, condition) for condition in LEARNERS) if len(each)]
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


def best_predictors(study: Study) -> str:
    """One sentence a learner: which predictor alone explains most."""
    lines: list[str] = []
    for condition, name in LEARNERS.items():
        rows = regression(study, condition)
        if len(rows):
            best = rows.loc[rows["r2_alone"].idxmax()]
            lines.append(
                f"- {name.capitalize()}: **{best['predictor']}** alone explains {best['r2_alone']:.0%} of the variance,"
                f" all five together {best['r2']:.0%}."
            )
    return "\n".join(lines) or "Too few systems have been learned so far."


def answer(found: pd.DataFrame, condition: str, measure: str, other: str) -> str:
    rows = found[(found["condition"] == condition) & (found["measure"] == measure) & (found["other"] == other)]
    if not len(rows):
        return "not played yet"
    row = rows.iloc[0]
    return f"{verdict(row)} ({between(row['difference'], row['low'], row['high'])})"


def answers(found: pd.DataFrame) -> str:
    """What the two listeners say of human systems, in a line for each comparison."""
    return "\n".join(
        f"- Beside the **{name}**: on the number line {answer(found, 'line', 'area', other)};"
        f" with classes {answer(found, 'classes', 'area', other)}."
        for other, name in OTHERS.items()
    )


def other_learners(found: pd.DataFrame) -> str:
    """What human systems are easier or harder than for the other learners, a line for each."""
    lines: list[str] = []
    for condition in [*LEARNERS][2:]:
        rows = found[(found["condition"] == condition) & (found["measure"] == "area")]
        said = [f"{OTHERS[row['other']]}: {verdict(row)}" for _, row in rows.iterrows()]
        lines.append(f"- {LEARNERS[condition].capitalize()}: {'; '.join(said) or 'not played yet'}.")
    return "\n".join(lines)


def efficiency(study: Study) -> str:
    """Whether efficient systems are easier to learn, as the report asks it."""
    table, lines = efficient(study), list[str]()
    for condition, name in LEARNED_BY.items():
        less = easier(table, condition) if len(table) else pd.Series()
        if len(less) < 2:
            lines.append(f"- {name.capitalize()}: not played yet.")
            continue
        found = mean_of_several(less, len(LEARNED_BY))
        lines.append(f"- {name.capitalize()}: {between(found.value, found.low, found.high)}, {len(less)} sizes.")
    said = CLAIMS["easier-to-learn"].verdict({"learnability": table}).told
    return "\n".join([*lines, f"\nThe claim that efficient systems are easier to learn: **{said}**."])


def kept_words(kept: pd.DataFrame) -> str:
    """Whether words that make a lexicon easier to learn are kept."""
    if not len(kept):
        return "Not played yet."
    found = predictions(kept)
    names = {"easier": "easier to learn", "shorter": "shorter"}
    together = found["fit"] == "together"
    table = pd.DataFrame({
        "the word makes the lexicon": found["predictor"].map(names),
        "beside": np.where(together, "the other one", "nothing"),
        "log odds of being kept [95 %]": [between(r.coefficient, r.low, r.high) for r in found.itertuples()],
        "words": found["words"].astype(str),
    })  # fmt: skip
    return printed(table)


def control(rows: pd.DataFrame) -> str:
    found = rows[rows["condition"].isin(SHUFFLED)]
    if not len(found):
        return "The control has not been played yet."
    return (
        f"With shuffled labels the listener learns nothing: in the end it understands {found['accuracy'].mean():.1%}"
        f" of numbers, as a mean over {len(found)} lessons, and in none more than {found['accuracy'].max():.1%}."
    )


def progress(rows: pd.DataFrame) -> str:
    names = {**LEARNERS, "line, shuffled": "control, number line", "classes, shuffled": "control, classes"}
    counts = {name: rows[rows["condition"] == condition] for condition, name in names.items()}
    taught = {name: each.groupby(["system", "numerals"]).size() for name, each in counts.items()}
    table = pd.DataFrame({
        "learner": [*counts],
        "systems": [f"{len(each):,}" for each in taught.values()],
        "with three seeds": [f"{(each >= 3).sum():,}" for each in taught.values()],
        "runs": [f"{len(each):,}" for each in counts.values()],
    })  # fmt: skip
    return f"{len(rows):,} runs have been played.\n\n{printed(table)}"


def parts(study: Study, found: pd.DataFrame) -> dict[str, str]:
    """Everything on the page that is about results, by the name of its place."""
    return {
        "answers": answers(found),
        "verdicts": at_a_glance(found),
        "others": other_learners(found),
        "predictors": best_predictors(study),
        "efficiency": efficiency(study),
        "kept": kept_words(study.kept),
        "control": control(study.rows),
        "area": comparison_table(found, "area"),
        "generalisation": comparison_table(found, "generalisation"),
        "by need": comparison_table(found, "area_by_need"),
        "regression": regression_table(study),
        "progress": progress(study.rows),
    }


def page_with(text: str, contents: dict[str, str]) -> str:
    """The page with what the rows say in those places that it has."""
    for name, content in contents.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if begin not in text:
            continue
        before, rest = text.split(begin)
        text = f"{before}{begin}\n\n{content}\n\n{end}{rest.split(end)[1]}"
    return text


def figure(study: Study) -> alt.TopLevelMixin:
    """The area under the curve of every system, human ones and what they are compared with, for both listeners."""
    names = {"human": "human", "permuted": "permuted twins", "ties": "tied twins", "matched": "random, matched",
             "optimum": "optimum", "start": "paper's starts", "random": "random"}  # fmt: skip
    items = pd.DataFrame([each for each in study.items if (each.group, each.numerals) != ("random", "ties")])
    items = items.drop_duplicates(["group", "system", "numerals"])
    chosen = study.rows[study.rows["condition"].isin(["line", "classes"])]
    means = chosen.groupby(["condition", "system", "numerals"], as_index=False)["area"].mean()
    rows = means.merge(items, on=["system", "numerals"])
    rows["system of"], rows["learner"] = rows["group"].map(names), rows["condition"].map(LEARNERS)
    groups = ["system of", "learner"]
    centres_of = rows.groupby(groups, as_index=False)["area"].median().round(4).assign(median=True)
    binned = rows.assign(area=(rows["area"] / BIN).round() * BIN).groupby([*groups, "area"], as_index=False).size()
    binned["share"] = binned["size"] / binned.groupby(groups)["size"].transform("max")
    rows = pd.concat([binned.round(4).drop(columns="size"), centres_of])
    order = [each for each in names.values() if each in set(rows["system of"])]
    y = alt.Y("system of:N", sort=order, title=None)
    x = alt.X(
        "area:Q", title="area under the curve of accuracy", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)
    )
    plain, dots = alt.Chart().transform_filter("!datum.median"), alt.Chart().transform_filter("datum.median")
    shade = alt.Opacity("share:Q", legend=None, scale=alt.Scale(domain=[0, 1], range=[0.1, 1]))
    ticks = plain.mark_tick(thickness=2, size=12, color=COLOURS[0]).encode(x=x, y=y, opacity=shade)
    centres = dots.mark_point(filled=True, size=60, color=COLOURS[1], opacity=1).encode(x=x, y=y)
    return (
        alt.layer(ticks, centres, data=rows, width=COLUMN // 2 - 90, height=22 * len(order))
        .facet(column=alt.Column("learner:N", title=None, sort=list(LEARNERS.values())[:2]))
        .resolve_scale(x="independent")
    )


def archive(study: Study) -> None:
    """Pack the rows; the same rows have the same bytes."""
    rows = study.rows.drop(columns="seconds").sort_values([*Run._fields])
    for name, table in (("runs", rows), ("systems", pd.DataFrame(study.items)), ("kept", study.kept)):
        text = table.to_csv(index=False, float_format="%.6g", lineterminator="\n").encode()
        _archive(name).write_bytes(lzma.compress(text, preset=9))


def shipped() -> Study:
    """What was packed."""
    blank = {"generalisation": "", "steps_to_90": ""}
    runs, systems, kept = (
        pd.read_csv(_archive(name), dtype={"start": str}, keep_default_na=False, na_values=blank)
        for name in ("runs", "systems", "kept")
    )
    return Study([Item(*row) for row in systems.itertuples(index=False)], runs, kept)


def _archive(name: str) -> Path:
    return Path(__file__).resolve().parent / f"learnability-{name}.csv.xz"


def write_tables(items: list[Item], rows: pd.DataFrame, kept: pd.DataFrame) -> None:
    """The archives, and from them the page, the table of comparisons, the figure and what the report says."""
    archive(Study(items, rows, kept))
    study = shipped()
    found = comparisons(study).round(6)
    found.to_csv(TABLE, index=False)
    contents = parts(study, found)
    for page in PAGES:
        page.write_text(page_with(page.read_text(encoding="utf-8"), contents), encoding="utf-8")
    save_specification(specification(figure(study)), TABLE.parent, "learnability", ("svg",))
    judged = efficient(study)
    judged.to_csv(EFFICIENT, index=False)
    write_data({"learnability": judged}, RESULTS, packed=True)
    write_data({"verdicts": verdicts_table(verdicts(Data(RESULTS)))}, RESULTS, packed=True)
    write_results(RESULTS, DOCS / "studies" / "results.md", DOCS / "studies" / "figures")
    print("\n\n".join(contents.values()))
