"""Tests that share something run in one process; the others wherever there is room."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.conftest import TOGETHER

ROOT = Path(__file__).parents[1]
TESTS = """
import time
import pytest

@pytest.mark.parametrize("number", range(6))
def test_something(number):
    time.sleep(0.1)
"""


def test_what_shares_something_runs_in_one_process(tmp_path):
    shared, single = tmp_path / "tests" / "explorer" / "test_shared.py", tmp_path / "tests" / "test_single.py"
    shared.parent.mkdir(parents=True)
    for file in (shared, single):
        file.write_text(TESTS)
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_xdist_make_scheduler\n")
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-v", "-p", "xdist", "-n", "2", "--import-mode=importlib", "tests"]
    out = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    workers = re.findall(r"\[(gw\d)\] .* PASSED (\S+)::", out)
    assert len(workers) == 12
    assert len({worker for worker, file in workers if "explorer" in file}) == 1
    assert len({worker for worker, _file in workers}) == 2


def test_the_groups_are_of_files_that_there_are():
    assert all((ROOT / path).exists() for path in TOGETHER)
