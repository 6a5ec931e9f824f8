"""A verdict on a claim: what was measured, how sure that is, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import pandas as pd

from ishango.report.claims.estimates import Estimate
from ishango.report.data import Tables
from ishango.report.played import lacking

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
        """What the ruling is about, where that is not the paper's scale."""
        return f"at {self.steps:,} steps" if self.short else ""

    @property
    def beside_coin(self) -> bool:
        """Whether a coin stands beside the agents."""
        return not np.isnan(self.contrast)


NOT_JUDGED = "not judged"
"""What stands for the statistic where runs are missing."""


def unjudged(missing: str) -> Verdict:
    """What is said of a claim whose runs are not there."""
    nothing = float("nan")
    return Verdict(f"Not judged yet: {missing}.", NOT_JUDGED, nothing, nothing, nothing, "–", "too little data here")


def verdicts_table(found: Sequence[Verdict]) -> pd.DataFrame:
    """A row a verdict, the claim first."""
    return pd.DataFrame([{"name": each.name, "claim": each.claim, **vars(each)} for each in found])


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
    """How many steps of a kind the scale of a reproduction has."""
    return int(data["scale"][which].iloc[0])


def listed(values: Iterable[float], places: int = 3) -> str:
    """Numbers one after the other."""
    return " ".join("–" if np.isnan(value) else f"{value:.{places}f}" for value in values)


def by_start(rows: pd.DataFrame, describe: Callable[[pd.DataFrame], str]) -> str:
    """What there is to say about each start, its seeds in order."""
    grouped = rows.sort_values("seed").groupby("start")
    return "; ".join(f"start {start}: {describe(group)}" for start, group in grouped)


def enumerated(parts: Sequence[str]) -> str:
    """Parts of a sentence: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else "none"


# A claim, by name: what the paper says, and how the tables of a reproduction judge it.
#
# They are in the files of `ishango.report.claims`, each beside its function.

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
    name: str, group: str, sentence: str, brief: str = "", *, studies: tuple[str, ...] = ()
) -> Callable[[Judge], Judge]:
    """Add a function from tables to a verdict to the claims."""

    def add(judge: Judge) -> Judge:
        if name in CLAIMS:
            raise ValueError(f"there are two claims {name!r}")
        CLAIMS[name] = Claim(name, group, sentence, judge, brief, studies)
        return judge

    return add


def verdicts(data: Tables) -> list[Verdict]:
    """The verdicts on all claims, group by group."""
    return [each.verdict(data) for each in in_order(CLAIMS.values())]


def in_order(claims: Iterable[Claim]) -> list[Claim]:
    """Claims as the page has them: those of one group together, groups of other packages last."""
    known = list(claims)
    groups = dict.fromkeys([*GROUPS, *(each.group for each in known)])
    return [each for group in groups for each in known if each.group == group]
