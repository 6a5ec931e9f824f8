"""The tests can be started as a background job (`nohup make test &`), where SIGINT is ignored."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


def test_interrupts_arrive_here_and_in_children():
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    child = subprocess.run([sys.executable, "-c", "import signal; signal.raise_signal(signal.SIGINT)"], check=False)
    assert child.returncode == -signal.SIGINT


@pytest.mark.parametrize("how", ["ignored", "blocked"])
def test_interrupts_arrive_in_a_background_job(how):
    def background() -> None:
        if how == "ignored":
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        else:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

    test = f"{Path(__file__)}::{test_interrupts_arrive_here_and_in_children.__name__}"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", test]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # they take seconds, and none is needed
    done = subprocess.run(command, preexec_fn=background, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
