"""Benchmarks are run seldom and take minutes; here they are found to fit the package still."""

from importlib import import_module
from pathlib import Path

import benchmarks
import pytest

MODULES = sorted(path.stem for path in Path(benchmarks.__file__).parent.glob("*.py") if not path.stem.startswith("_"))


@pytest.mark.parametrize("name", MODULES)
def test_every_benchmark_can_be_started(name):
    if "game" in name or name in ("imitation", "lessons"):
        pytest.importorskip("torch")
    if "jax" in name:
        pytest.importorskip("jax")
    import_module(f"benchmarks.{name}")


def test_the_figures_of_the_frontier_page_are_there():
    from benchmarks.frontier_claims import DRAWN

    from ishango.report._sections import FIGURES

    assert set(DRAWN) <= set(FIGURES)
