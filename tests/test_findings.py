"""The numbers by which the README and the explanations say what was found are those of the tables that ship."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).parents[1]


def said(number: float, places: int = 2) -> str:
    """As pages write it: .30, 4.1."""
    return f"{number:.{places}f}".removeprefix("0")


def pressures(cell: str) -> float:
    table = pd.read_csv(ROOT / "src" / "ishango" / "report" / "shipped_files" / "pressures.csv")
    return float(table.set_index("cell")["gap"][cell])


def independent(cell: str) -> float:
    table = pd.read_csv(ROOT / "docs" / "figures" / "pressures-independent.csv")
    return float(table.set_index("cell")["gap"][cell])


def neural(cell: str, bottleneck: str) -> float:
    table = pd.read_csv(ROOT / "docs" / "figures" / "generations-neural.csv", dtype={"bottleneck": str})
    return float(table.set_index(["cell", "bottleneck"])["gap"][cell, bottleneck])


def kept(contest: str) -> float:
    table = pd.read_csv(ROOT / "docs" / "figures" / "novelty-axes.csv")
    return float(table.set_index("contest")["kept"][contest])


def best_ten() -> float:
    return float(pd.read_csv(ROOT / "docs" / "typology.csv")["base_ten"].max())


PAYING = "same learners, judge mean, effort 0.2, word 0.01"
FOUND: list[tuple[str, str, Callable[[], str]]] = [
    ("README.md", "end {} symbols from the best possible", lambda: said(independent(PAYING))),
    ("README.md", "keep {} % of what is proposed", lambda: f"{100 * kept('40,000 steps'):.0f}"),
    ("README.md", "under no mechanism do more than {} % of the resulting languages", lambda: f"{100 * best_ten():.0f}"),
    ("docs/evolution.md", "keep {} % of what is proposed", lambda: f"{100 * kept('40,000 steps'):.0f}"),
    ("docs/pressures.md", "it ends {} symbols above it", lambda: said(independent("drift"), 1)),
    ("docs/pressures.md", "ends {} above the frontier, drift", lambda: said(independent("same learners, judge q"), 1)),
    ("docs/pressures.md", "end {} above with six words", lambda: said(independent(PAYING))),
    ("docs/pressures.md", "end at {} after 100 rounds", lambda: said(pressures(f"{PAYING}, remedy 0.01"))),
    ("docs/pressures.md", "at {} after 300", lambda: said(pressures(f"{PAYING}, remedy 0.01, 300 rounds"))),
    ("docs/pressures.md", "it ends {} above the frontier, nearer than agents",
     lambda: said(pressures("costs alone, effort 0.2, word 0.01, blurred by 0.004"))),
    ("docs/generations.md", "agents judge they end at {}", lambda: said(neural("agents judge", "200"))),
    ("docs/generations.md", "keeps as few words end at {}",
     lambda: said(neural("a coin keeps as many: agents judge", "200"))),
]  # fmt: skip


@pytest.mark.parametrize(("page", "words", "number"), FOUND, ids=[f"{page}: {words}" for page, words, _ in FOUND])
def test_what_was_found_is_in_the_tables(page, words, number):
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert words.format(number()) in text, f"{page} must say: {words.format(number())}"
