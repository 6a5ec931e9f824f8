"""Claims about how often numbers are needed. What the paper calls the exponential need is n^-2.

It says so of the need "used in Denić and Szymanik", whose code has `number ** (-2)`, and gives n^-2 itself elsewhere.
"""

from __future__ import annotations

import pandas as pd

from ishango.report.claims.claim import claim
from ishango.report.claims.estimates import Estimate, mean
from ishango.report.claims.learning_claims import GROUP
from ishango.report.claims.verdict import PAPER_STEPS, Verdict, listed, rule, steps_of, unjudged
from ishango.report.data import Tables
from ishango.report.outcomes import BANDS, SMALL
from ishango.report.studies import EXPONENTIAL
from ishango.report.systems import PAPER_NEED

RARE = 0.01
"""What comes up in fewer games than this is very rare."""
RELEVANT = 0.05
"""A difference in shares of numbers understood below this is none to speak of."""
GAMES = 32 * PAPER_STEPS
"""Games in a round of the paper."""
SILENT = "the runs were kept without their agents, who cannot be asked"
LARGE = f"{BANDS[-1][0]} to {BANDS[-1][1]}"


@claim(
    "large-numbers-are-rare",
    GROUP,
    "Larger terms become very rare when the need is used to sample what is said",
    "large numbers are rare",
)
def large_numbers_are_rare(data: Tables) -> Verdict:
    """How often large numbers are drawn under n^-2; there is nothing to sample."""
    shares = data["shares"].pivot(index="number", columns="need", values="share")
    above = {limit: shares[shares.index > limit].sum() for limit in (10, 20, SMALL)}
    often = float(above[SMALL][PAPER_NEED])
    each = round(GAMES * often / (len(shares) - SMALL))
    parts = ", ".join(f"above {limit} in {row[PAPER_NEED]:.2%} of games" for limit, row in above.items())
    return Verdict(
        f"We read the paper's exponential need as its n^-2. A number comes up {parts}. Very rare means: in fewer than"
        f" {RARE:.0%} of games. In a round of the paper, of {GAMES:,} games, each number above {SMALL} still comes up"
        f" {each:,} times on average.",
        f"share of games about a number above {SMALL}, under n^-2",
        *Estimate(often, often, often),
        "; ".join(f"above {limit}: " + ", ".join(f"{need} {part:.2%}" for need, part in row.items())
                  for limit, row in above.items()),
        rule(Estimate(often, often, often), below=RARE),
        exact=True,
    )  # fmt: skip


@claim(
    "large-numbers-are-lost",
    GROUP,
    "Our question: are the larger terms, which are rare, understood less?",
    "large numbers are understood less",
    studies=("learning",),
)
def large_numbers_are_lost(data: Tables) -> Verdict:
    """Large numbers understood beside small ones, after learning the starts from scratch under n^-2."""
    known = _understood(data, PAPER_NEED)
    if known.empty:
        return unjudged(SILENT)
    differences = known[LARGE] - known.drop(columns=LARGE).mean(axis=1)
    estimate = mean(differences)
    means = ", ".join(f"{share:.0%} of {numbers}" for numbers, share in known.mean().items())
    return Verdict(
        f"Agents that learn the starts from scratch under n^-2 understand {means} (each number counts once).",
        f"share of numbers above {SMALL} understood minus that of smaller ones, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {listed(row, 2)}" for start, row in known.iterrows()),
        rule(estimate, below=0, margin=RELEVANT),
        steps_of(data, "learning_steps"),
    )


@claim(
    "exponential-is-worse",
    GROUP,
    "Our question: are still fewer large numbers learned if the need falls exponentially?",
    "an exponential need makes that worse",
    studies=("learning", "needs"),
)
def exponential_is_worse(data: Tables) -> Verdict:
    """Large numbers understood after learning the same systems from scratch under exp(-0.2 n) and under n^-2."""
    ours, theirs = (_understood(data, need)[LARGE] for need in (EXPONENTIAL, PAPER_NEED))
    differences = (ours - theirs).dropna()
    if differences.empty:
        return unjudged(SILENT)
    estimate = mean(differences)
    room = theirs.mean() > RELEVANT  # where hardly any are understood anyway, nothing can be lost
    return Verdict(
        f"Of the numbers above {SMALL}, agents that learn the starts from scratch understand {ours.mean():.0%} under"
        f" exp(-0.2 n) and {theirs.mean():.0%} under n^-2 after equally many steps (each number counts once).",
        f"share of numbers above {SMALL} understood, exp(-0.2 n) minus n^-2, mean over starts",
        *estimate,
        "; ".join(f"start {start}: {value:+.2f}" for start, value in differences.items()),
        rule(estimate, below=0, margin=RELEVANT) if room else "too little data here",
        steps_of(data, "learning_steps"),
    )


def _understood(data: Tables, need: str) -> pd.DataFrame:
    """The shares understood, a row a start and a column for each band of numbers."""
    rows = data["understood"][data["understood"]["need"] == need]
    table = rows.pivot(index="start", columns="numbers", values="understood")
    return table.reindex(columns=[f"{first} to {last}" for first, last in BANDS])
