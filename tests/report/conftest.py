import os
import shutil

import pytest
from tests.report.tiny import TINY

from ishango.lab import LocalExecutor
from ishango.report import reproduce, verdicts
from ishango.report._data import Data


@pytest.fixture(scope="session")
def reproduction(tmp_path_factory):
    """A finished reproduction; tests that change it work on a copy."""
    out = tmp_path_factory.mktemp("reproduction") / "out"
    reproduce(TINY, out, LocalExecutor(2), say=lambda _text: None)
    return out


@pytest.fixture(scope="session")
def judged(reproduction):
    """Its verdicts, computed once."""
    return verdicts(Data(reproduction / "data"))


@pytest.fixture(scope="session")
def copied(reproduction):
    """Makes copies of the finished reproduction, at once: files are only ever replaced, so links will do."""
    return lambda directory: shutil.copytree(reproduction, directory, copy_function=os.link)


@pytest.fixture
def few_draws(monkeypatch):
    """Intervals and tests from fewer draws than usual."""
    monkeypatch.setattr("ishango.analysis.statistics.RESAMPLES", 300)
    monkeypatch.setattr("ishango.analysis.statistics.PERMUTATIONS", 999)
