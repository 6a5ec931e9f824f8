"""What the paper leaves open, and what was chosen."""

from __future__ import annotations

CHOICES = (
    (
        "Which numeral m0 and m1 add",
        "the lowest free one",
        "docs/evolution.md: agents come to the frontier under no other",
    ),
    ("Message vocabulary", "53 symbols: numbers 1 to 50 and three operators", "docs/calibration.md"),
    ("Weight of the listener's entropy", "0.1", "docs/calibration.md"),
    ("Weight of the speaker's entropy", "0", "docs/calibration.md, docs/game.md"),
    ("Baseline of REINFORCE", "none", "docs/calibration.md"),
    ("Length of pre-training", "one round", "docs/calibration.md"),
    ("Optimiser between rounds", "keeps its moments", "docs/calibration.md"),
    ("Notation the speaker reads", "infix without brackets", "docs/calibration.md"),
    ("Which shortest expression", "the first that the search meets", "docs/design.md"),
    ("Values in between", "integers from 1 to 200, the limit of the published work", "docs/design.md"),
    ("A tie of Q-values", "keeps the current grammar", "docs/evolution.md"),
    ("Starting weights", "PyTorch's defaults", "docs/game.md"),
    ("What the exponential need is", "n^-2; needs that do fall exponentially are ours", "docs/reproduce.md"),
    ("What an epoch is", "one batch of 32 games", ""),
    ("What r is in the update of Q", "the mean reward of the batch", ""),
    ("How the alternative is drawn", "uniformly from the distinct systems that cover the range", "docs/evolution.md"),
    ("What must be covered", "the numbers 1 to 50 that are talked about, not 1 to 99", "docs/evolution.md"),
    ("Parameters of the genetic algorithm", "2,000 children, 100 generations", "docs/reproduce.md"),
)
"""What the paper leaves open, what we took, and where that is discussed in the project."""
