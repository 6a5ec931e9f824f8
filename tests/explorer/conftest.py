from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from benchmarks.explorer_server import explorer
from selenium.webdriver import Chrome
from tests.browser import browser

from ishango.evolution import Evolution, EvolutionOptions
from ishango.explorer import Site
from ishango.explorer._app import addresses, listen, server_of
from ishango.explorer._optima import Optima
from ishango.explorer._safety import BoundedProtocol
from ishango.lab import run

RUNS = {
    "start-1": EvolutionOptions(start="1", rounds=6, steps=300),
    "drift/start-3": EvolutionOptions(start="3", rounds=8, choose="coin"),
}


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a short run of agents and one of a coin; nothing is written to it."""
    directory = tmp_path_factory.mktemp("played")
    for name, options in RUNS.items():
        run(Evolution(options), directory / name)
    return directory


@pytest.fixture(scope="session")
def optima() -> Optima:
    """One frontier for all sites of the tests."""
    return Optima()


@pytest.fixture(scope="session")
def client(played: Path, optima: Optima) -> Iterator[httpx.Client]:
    """The API of the played directory; runs cannot be started in it."""
    with client_of(Site(played, most_runs=0, optima=optima)) as each:
        yield each


@contextmanager
def client_of(site: Site, protocol: type[BoundedProtocol] = BoundedProtocol) -> Iterator[httpx.Client]:
    """A client of the site, which is served by a thread."""
    listener = listen("127.0.0.1", 0)
    server = server_of(site, protocol)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        with httpx.Client(base_url=addresses(listener, "127.0.0.1", None)[0], timeout=60) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(timeout=60)
        listener.close()
        assert not thread.is_alive(), "the server does not end"


@pytest.fixture(scope="session")
def served(played: Path) -> Iterator[str]:
    """The address of `ishango explore` on the played directory, as a process of its own."""
    with explorer(played) as address:
        yield address


@pytest.fixture(scope="session")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One browser for all tests of pages."""
    with browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver
