"""What all tests share: signals as a terminal gives them, and which tests stay together when several cores run them."""

import signal
from collections.abc import Iterator

import pytest

TOGETHER = {"reproduction": "report", "played": "explorer", "chrome": "explorer", "served": "explorer"}
"""Fixtures that are made once and cost seconds, and the group of the tests that use them (`xdist_group`)."""


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


def pytest_itemcollected(item: pytest.Item) -> None:
    """Tests that share something expensive run in one process, so that it is made once."""
    for name in {TOGETHER[name] for name in getattr(item, "fixturenames", ()) if name in TOGETHER}:
        item.add_marker(pytest.mark.xdist_group(name))
