"""What all tests share: signals as a terminal gives them, and which tests stay together when several cores run them."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest

TOGETHER = (
    "tests/explorer/",
    "tests/report/",
    "tests/analysis/test_study.py",
    "tests/analysis/test_units.py",
    "tests/cli/test_agents.py",
    "tests/evolution/test_survival.py",
    "tests/lab/test_archive.py",
    "tests/lab/test_extension.py",
)
"""Tests under these paths share a browser, a server or runs that take seconds to play: one process runs them all."""


@pytest.fixture(scope="session", autouse=True)
def _interrupts_arrive() -> Iterator[None]:
    """Ctrl-C means the same however the tests were started.

    A background job of a shell ignores SIGINT, and so does every process that it starts. A handler undoes both: a
    child of a process that handles a signal begins with the signal's default.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    blocked = signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Commands keep help texts and scripts in the user's cache; tests have one of their own, and usual pipes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)  # pytest's workers set it
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Largest groups first, then single tests. (Marks with `xdist_group` are ignored under pytest 9.2.)"""
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return next((path for path in TOGETHER if nodeid.startswith(path)), nodeid)

    return Together(config, log)
