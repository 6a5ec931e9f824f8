"""Benchmarks and the scripts of studies run seldom and take minutes; this checks that they still fit the package."""

from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    f"{folder}.{path.stem}"
    for folder in ("benchmarks", "studies")
    for path in (ROOT / folder).glob("*.py")
    if not path.stem.startswith("_")
)


@pytest.mark.parametrize("name", MODULES)
def test_every_script_can_be_started(name):
    if "game" in name or name in ("benchmarks.imitation", "benchmarks.lessons"):
        pytest.importorskip("torch")
    if "jax" in name:
        pytest.importorskip("jax")
    import_module(name)


def test_the_figures_of_the_frontier_page_are_there():
    from studies.frontier_claims import DRAWN

    from ishango.report._sections import FIGURES

    assert set(DRAWN) <= set(FIGURES)
