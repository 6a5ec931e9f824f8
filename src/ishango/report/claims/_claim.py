"""Claims: an estimate, the rule that makes a verdict of it, and what a coin does beside."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypedDict, get_args

import numpy as np
import pandas as pd
from scipy import stats  # pyright: ignore[reportMissingTypeStubs] - SciPy has no types

from ishango.analysis.comparable import SHARED, under_start, units
from ishango.analysis.statistics import LEVEL, Contrast, contrast, holm, over_starts, redrawn, shared
from ishango.evolution import LOWEST
from ishango.report._data import RESULTS, Tables, shipped_results
from ishango.report._outcomes import lacking
from ishango.report._studies import FULL

PAPER_STEPS = 40_000
"""Steps of communication in a round of the paper."""

Ruling = Literal["holds", "so does a coin", "does not hold", "too little data here"]
RULINGS: tuple[Ruling, ...] = get_args(Ruling)
"""What may become of a claim, in the order in which it is told."""


@dataclass(frozen=True)
class Verdict:
    """One row of the table of claims."""

    measured: str
    """What we did and found, in a sentence or two."""
    statistic: str
    """What the number is."""
    value: float
    low: float
    high: float
    each: str
    """The value of every run, seed, system or size behind the statistic."""
    ruling: Ruling
    steps: int | None = None
    """Steps in a round, or of learning, on which it rests; None where nothing was played."""
    exact: bool = False
    """Whether the number is proved or computed, so that there is no interval."""
    coin: float = float("nan")
    """The same number of a coin from the same starts; nan where a coin has nothing to do with it."""
    contrast: float = float("nan")
    """Agents minus coin, mean over starts."""
    contrast_low: float = float("nan")
    contrast_high: float = float("nan")
    contrast_within: float = float("nan")
    """Agents and coin do not differ by more than this, at 95 %."""
    p: float = float("nan")
    """Of the permutation test of that contrast within starts, or of whole seeds that share their random numbers."""
    p_holm: float = float("nan")
    """The same, corrected by Holm's method for all contrasts of the page; `verdicts` fills it in."""
    by_hand: str = ""
    """The same number and ruling of the languages checked by hand alone, where human languages are judged."""
    alone: str = ""
    """What this reproduction by itself would say, where the shipped full study says otherwise: the ruling is the full
    study's."""
    name: str = ""
    """The claim's name; whoever judges leaves this and the next to the claim."""
    claim: str = ""
    """What is claimed."""
    brief: str = ""
    """The same in a few words."""

    @property
    def short(self) -> bool:
        """Whether agents had fewer steps than the paper's: what is ruled is then about those."""
        return self.steps is not None and self.steps < PAPER_STEPS

    @property
    def scope(self) -> str:
        """What the ruling is about, where that is not the paper's scale; and whose it is, where two differ."""
        steps = f"at {self.steps:,} steps" if self.short else ""
        return f"(the full study; this run alone{' ' * bool(steps)}{steps}: {self.alone})" if self.alone else steps

    @property
    def told(self) -> str:
        """The ruling with its scope: what every page and command says of the claim."""
        if self.statistic == NOT_JUDGED:
            return NOT_JUDGED
        return " ".join(filter(None, (self.ruling, self.scope)))

    @property
    def beside_coin(self) -> bool:
        """Whether a coin stands beside the agents."""
        return not np.isnan(self.contrast)


NOT_JUDGED = "not judged"
"""What stands for the statistic where runs are missing."""


def unjudged(missing: str) -> Verdict:
    nothing = float("nan")
    return Verdict(f"Not judged yet: {missing}.", NOT_JUDGED, nothing, nothing, nothing, "–", "too little data here")


def verdicts_table(found: Sequence[Verdict]) -> pd.DataFrame:
    empty = float("nan")  # as what is not there is read from a file
    texts = ("by_hand", "alone")
    rows = [
        {"name": each.name, "claim": each.claim, **vars(each), **{name: getattr(each, name) or empty for name in texts}}
        for each in found
    ]
    return pd.DataFrame(rows)


def rule(estimate: Estimate, *, above: float | None = None, below: float | None = None, margin: float = 0.0) -> Ruling:
    """Whether the claim, that the number lies above or below a bound, holds.

    It does not where the whole interval lies on the other side, or no farther than the margin on this one, which is
    of no interest; it holds where the whole interval lies on this side.
    """
    assert (above is None) != (below is None)
    if above is not None:
        beyond, refuted = estimate.low > above, estimate.high <= above + margin
    else:
        assert below is not None
        beyond, refuted = estimate.high < below, estimate.low >= below - margin
    return "does not hold" if refuted else "holds" if beyond else "too little data here"


def beside_coin(own: Ruling, coin: Ruling, more: Ruling) -> Ruling:
    """The ruling where communication is named as the cause.

    Args:
        own: whether agents do what is claimed.
        coin: whether a coin does, judged by the same rule.
        more: whether agents do more of it than the coin, from the same starts.

    What agents do holds if they do more of it than the coin. If that is not shown and the coin does it too, so does a
    coin; if the coin does not, there is too little data to tell the two apart.
    """
    if own != "holds" or more == "holds":
        return own
    return "so does a coin" if coin == "holds" else "too little data here"


def every(rulings: Iterable[Ruling]) -> Ruling:
    """The ruling on a claim of several parts: it holds if each does, and does not if one does not."""
    found = set(rulings)
    if "does not hold" in found:
        return "does not hold"
    return "too little data here" if "too little data here" in found else "holds"


def steps_of(data: Tables, which: str) -> int:
    return int(data["scale"][which].iloc[0])


def listed(values: Iterable[float], places: int = 3) -> str:
    return " ".join("–" if np.isnan(value) else f"{value:.{places}f}" for value in values)


def by_start(rows: pd.DataFrame, describe: Callable[[pd.DataFrame], str]) -> str:
    """What there is to say about each start, its seeds in order."""
    grouped = rows.sort_values("seed").groupby("start")
    return "; ".join(f"start {start}: {describe(group)}" for start, group in grouped)


def enumerated(parts: Sequence[str]) -> str:
    """Parts of a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else "none"


# A claim, by name: what the paper says, and how the tables of a reproduction judge it.

Judge = Callable[[Tables], Verdict]

GROUPS = ("evolution", "learning", "frontier")
"""The groups of this package in the order of the page; others follow them."""


@dataclass(frozen=True)
class Claim:
    """What is claimed, and the function from tables to the verdict on it."""

    name: str
    group: str
    """Claims of one group stand together on the page."""
    sentence: str
    """What the paper says, in short; `Our question: ...?` where it says nothing of the kind."""
    judge: Judge
    """From the tables of a reproduction, and nothing else, to a verdict."""
    brief: str = ""
    """The same in a few words, for a list; its name if there are none."""
    studies: tuple[str, ...] = ()
    """The studies whose runs are judged; none where nothing was played."""

    def verdict(self, data: Tables) -> Verdict:
        """The verdict under this claim's name; before each start or setting of its studies has a run, there is none."""
        said = self.sentence if self.sentence.endswith("?") else f"{self.sentence}."
        brief = self.brief or self.name.replace("-", " ")
        missing = lacking(data, self.studies)
        return replace(unjudged(missing) if missing else self.judge(data), name=self.name, claim=said, brief=brief)


CLAIMS: dict[str, Claim] = {}
"""Filled by `claim`."""


def claim(
    group: str, name: str, sentence: str, brief: str = "", *, studies: tuple[str, ...] = ()
) -> Callable[[Judge], Judge]:
    """Add a function from tables to a verdict to the claims."""

    def add(judge: Judge) -> Judge:
        if name in CLAIMS:
            raise ValueError(f"there are two claims {name!r}")
        CLAIMS[name] = Claim(name, group, sentence, judge, brief, studies)
        return judge

    return add


def verdicts(data: Tables) -> list[Verdict]:
    """The verdicts on all claims, group by group; those of the shipped full study count more than a smaller one's."""
    found = [each.verdict(data) for each in in_order(CLAIMS.values())]
    corrected = holm(np.array([each.p for each in found]))
    found = [replace(each, p_holm=float(p)) for each, p in zip(found, corrected, strict=True)]
    scale = data["scale"]
    whole = "name" not in scale or scale["name"].iloc[0] == FULL.name
    return found if whole or not RESULTS.is_dir() else beside_full(found, shipped_results()["verdicts"])


def beside_full(found: Sequence[Verdict], full: pd.DataFrame) -> list[Verdict]:
    """The verdicts of a smaller reproduction, with the rulings of the full study (its table) where the two differ.

    One seed of short rounds may happen to show what the full study cannot tell, so it never has the last word. What was
    not judged here stays so, and so do claims that the full study does not have.
    """
    rulings: dict[str, Ruling] = dict(zip(full["name"], full["ruling"], strict=True))

    def counted(each: Verdict) -> Verdict:
        ruling = rulings.get(each.name, each.ruling)
        if each.statistic == NOT_JUDGED or ruling == each.ruling:
            return each
        return replace(each, ruling=ruling, alone=each.ruling)

    return [counted(each) for each in found]


def in_order(claims: Iterable[Claim]) -> list[Claim]:
    """Claims as the page has them: those of one group together, groups of other packages last."""
    known = list(claims)
    groups = dict.fromkeys([*GROUPS, *(each.group for each in known)])
    return [each for group in groups for each in known if each.group == group]


# Numbers with their intervals: what verdicts are ruled by.

_stats: Any = stats

FEWEST_PAIRS = 4
"""Pairs below which a rank correlation has no interval."""


class Estimate(NamedTuple):
    """A number with its interval."""

    value: float
    low: float
    high: float


def mean_of_starts(values: pd.Series) -> Estimate:
    """The mean over starts of a number of runs, each under its start and unit, with its interval over either."""
    value, interval = over_starts(values)
    return Estimate(value, interval.low, interval.high)


def mean_of_blocks(values: pd.Series) -> Estimate:
    """The same over blocks (sizes, words offered) that stand for others like them, although they may share their luck.

    The interval is then the wider of that over blocks and that over what they share.
    """
    found = [mean_of_starts(each) for each in (values, values.groupby(level=0).mean())]
    return Estimate(found[0].value, min(each.low for each in found), max(each.high for each in found))


def share(value: float, independent: int) -> Estimate:
    """A share with Wilson's interval for so many independent cases, which may be fewer than those that were counted."""
    if not independent or np.isnan(value):
        return Estimate(value, 0.0, 1.0)
    z = float(_stats.norm.ppf((1 + LEVEL) / 2)) ** 2 / independent
    centre = (value + z / 2) / (1 + z)
    half = math.sqrt(z * value * (1 - value) + z**2 / 4) / (1 + z)
    return Estimate(value, max(0.0, centre - half), min(1.0, centre + half))


def regrouped(statistic: Callable[..., float], *samples: Sequence[np.ndarray]) -> Estimate:
    """A statistic of samples that consist of blocks (starts, seeds, families), with an interval from redrawing them."""
    value, interval = redrawn(statistic, *samples, seed=0)
    return Estimate(value, interval.low, interval.high)


def correlated(one: np.ndarray, other: np.ndarray) -> float:
    """Spearman's rank correlation; nan where one of the two does not vary."""
    ranks = [_stats.rankdata(each) - (len(each) + 1) / 2 for each in (one, other)]
    spread = math.sqrt((ranks[0] ** 2).sum() * (ranks[1] ** 2).sum())
    return float((ranks[0] * ranks[1]).sum() / spread) if spread else float("nan")


def mean_of_several(values: pd.Series, questions: int) -> Estimate:
    """The mean of independent values, with Student's interval for one of several questions asked together."""
    at = 1 - (1 - LEVEL) / questions
    half = float(_stats.t.ppf((1 + at) / 2, len(values) - 1) * _stats.sem(values))
    return Estimate(float(values.mean()), float(values.mean()) - half, float(values.mean()) + half)


def rank_correlation(one: np.ndarray, other: np.ndarray) -> Estimate:
    """Spearman's rank correlation with Bonett and Wright's interval, by Fisher's transformation.

    Pairs that are in perfect order have the error of those in which two neighbours are not: else it would be 0.
    """
    value, n = correlated(one, other), len(one)
    if n < FEWEST_PAIRS or np.isnan(value):
        return Estimate(value, float("-inf"), float("inf"))
    imperfect = 1 - 12 / (n * (n**2 - 1))
    r = float(np.clip(value, -imperfect, imperfect))
    margin = _stats.norm.ppf((1 + LEVEL) / 2) * math.sqrt((1 + r**2 / 2) / (n - 3))
    low, high = np.tanh(np.arctanh(r) + np.array([-margin, margin]))
    return Estimate(value, min(value, float(low)), max(value, float(high)))


FAMILY = 20
"""Values that stand for a family in a distribution, so that each counts once however many languages it has."""


def by_family(languages: pd.DataFrame, column: str) -> list[np.ndarray]:
    """For each family so many quantiles of a column over its languages (a row may stand for several)."""
    each = languages.loc[languages.index.repeat(languages.get("languages", 1)), ["family", column]]
    at = (np.arange(FAMILY) + 0.5) / FAMILY
    return [np.quantile(rows, at, method="inverted_cdf") for rows in grouped(each, "family", column)]


def hand_checked(found: Estimate, ruling: Ruling, languages: pd.DataFrame) -> str:
    """What the languages checked by hand say of a claim that is judged on the catalogue."""
    interval = f"{found.value:.3g} [{found.low:.3g}, {found.high:.3g}]".replace("inf", "∞").replace("-", "−")
    return f"{interval} of {len(languages)} languages: {ruling}"


def grouped(table: pd.DataFrame, by: str, column: str) -> list[np.ndarray]:
    return [rows[column].to_numpy(float) for _, rows in table.groupby(by)]


def blocks(runs: pd.DataFrame, column: str) -> list[np.ndarray]:
    """The numbers of a column of runs (a row each) in blocks that are independent.

    These are starts; or seeds where runs of one seed share their random numbers, whatever start they are from.
    """
    if shared(under_start(runs, runs[column])):
        return [rows[column].to_numpy(float) for _, rows in runs.groupby(units(runs))]
    return grouped(runs, "start", column)


# Agents beside a coin from the same starts: what both do, and whether agents do more of it.


class Beside(TypedDict):
    """The fields of a verdict that tell of the coin."""

    coin: float
    contrast: float
    contrast_low: float
    contrast_high: float
    contrast_within: float
    p: float


def beside(coin: float, found: Contrast) -> Beside:
    return {"coin": coin, "contrast": found.value, "contrast_low": found.low, "contrast_high": found.high,
            "contrast_within": found.within, "p": found.p}  # fmt: skip


def verdict_beside(
    data: Tables, agents: pd.Series, coin: pd.Series, said: tuple[str, str, str], steps: str = "steps", **bound: Any
) -> Verdict:
    """The verdict on what runs of agents do on average, beside drift.

    Both series have a number for each run, under its start and unit. `said` is what was measured, the statistic, and
    what each start has; `steps` says which steps of the scale the runs had. The bounds are those of `rule`; agents do
    more than the coin if the contrast lies on the side of 0 that is claimed.
    """
    own, drift, found = mean_of_starts(agents), mean_of_starts(coin), contrast(agents, coin)
    more = rule(Estimate(*found[:3]), **{"above" if "above" in bound else "below": 0})
    ruling = beside_coin(rule(own, **bound), rule(drift, **bound), more)
    measured, statistic, each = said
    return Verdict(measured, statistic, *own, each, ruling, steps_of(data, steps), **beside(drift.value, found))


def of_study(data: Tables, study: str, add: str | None = None) -> pd.DataFrame:
    """Where the runs of a study began and ended; a run that ends without a gap tells nothing here."""
    rows = data["ends"][data["ends"]["study"] == study]
    rows = rows[rows["gap"].notna() & rows["gap_before"].notna()]
    return rows if add is None else rows[rows["add"] == add]


def of_coin(data: Tables, add: str = LOWEST.name) -> pd.DataFrame:
    return of_study(data, "coin", add)


def by_run(rows: pd.DataFrame, value: pd.Series, block: str = "start") -> pd.Series:
    """A number for each run (a row each), under its start, or another column, and its unit.

    Tables that do not tell seeds are of the first one; those that do not tell streams are of runs that shared theirs.
    """
    named: dict[str, Any] = {"run": rows.get("run", rows.index), "seed": rows.get("seed", 0), "start": rows[block]}
    return under_start(rows.assign(**named), value)


def with_streams(rows: pd.DataFrame, data: Tables, run: str = "run") -> pd.DataFrame:
    """Rows of a table that has only the names of runs, with their seeds and streams."""
    told = data["ends"].drop_duplicates("run").set_index("run").reindex(rows[run])
    streams = told["streams"].to_numpy() if "streams" in told else SHARED
    return rows.assign(run=rows[run].to_numpy(), seed=told["seed"].to_numpy(), streams=streams)


def changes(rows: pd.DataFrame, column: str) -> pd.Series:
    """What a column is at the end minus what it was at the start, for each run under its start and unit."""
    return by_run(rows, rows[column] - rows[f"{column}_before"])
