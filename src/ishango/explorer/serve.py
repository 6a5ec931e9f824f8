"""Serving the page until it is told to stop."""

from __future__ import annotations

import errno
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from ishango.errors import RequestError
from ishango.explorer.app import create_app
from ishango.explorer.builder import describe
from ishango.explorer.costing import Axes
from ishango.explorer.groups import GROUPINGS
from ishango.explorer.launch import most_at_once
from ishango.explorer.optima import LATER, NEED
from ishango.explorer.run_page import run_details
from ishango.explorer.runs import NoRunError
from ishango.explorer.safety import BoundedProtocol
from ishango.explorer.site import Site
from ishango.figures.save import vega_script
from ishango.game import topographic_similarity
from ishango.numerals import MODIFIED, PAPERS, GrammarName

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Hosts that stand for all of a machine's addresses: nobody can open these, but the ones beside them."""
LAST_WORDS = 3
"""Seconds for requests to end when the server is stopped: one that never does must not keep it."""


def serve(
    directory: Path,
    host: str = "127.0.0.1",
    port: int = 8000,
    token: str | None = None,
    ready: Callable[[list[str]], None] | None = None,
    grammar: GrammarName = MODIFIED.name,
) -> None:
    """Listen until interrupted; `ready` is called with its addresses once the first click will be answered fast."""
    listener = listen(host, port)
    site = Site(directory, host, token, most_at_once(), grammar)
    server = server_of(site)
    warm_up(site)
    look_ahead(site)
    if ready:
        ready(addresses(listener, host, token))
    with listener:
        server.run([listener])


def server_of(site: Site, protocol: type[BoundedProtocol] = BoundedProtocol) -> uvicorn.Server:
    """What answers for a site; it tells the site when it stops."""
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(site),
            http=protocol,
            log_level="warning",
            access_log=False,
            h11_max_incomplete_event_size=65536,
            timeout_graceful_shutdown=LAST_WORDS,
        )
    )
    site.stopping = lambda: server.should_exit
    return server


def listen(host: str, port: int) -> socket.socket:
    """A socket on that port; port 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol must be named: asyncio sends small answers without delay only where it knows that this is TCP.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(256)  # from here on a browser that is early waits instead of being refused
    except (OSError, OverflowError, ValueError, TypeError) as error:  # the last two: no name of a host at all
        listener.close()
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        other = "--host" if _is_about_host(error) else "--port"
        raise RequestError(f"{host} port {port} cannot be listened on ({reason}); choose another {other}.") from None
    return listener


def _is_about_host(error: Exception) -> bool:
    """Whether it is the host that nobody knows or that is not this machine's, and not the port that is taken."""
    unknown = isinstance(error, (socket.gaierror, ValueError, TypeError))
    return unknown or getattr(error, "errno", None) == errno.EADDRNOTAVAIL


def addresses(listener: socket.socket, host: str, token: str | None) -> list[str]:
    """Where the page is; where it listens everywhere, by this machine's names, the one for this machine first."""
    names = [host]
    if host in EVERYWHERE:
        names = list(dict.fromkeys([EVERYWHERE[host], socket.gethostname(), *_own_addresses(host)]))
    port, query = listener.getsockname()[1], f"?token={token}" if token else ""
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}/{query}" for name in names]


def _own_addresses(host: str) -> list[str]:
    """The addresses that this machine's name has, of the same family."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, family, socket.SOCK_STREAM)
    except OSError:  # a machine whose name nobody knows
        return []
    return [str(each[4][0]) for each in found if not str(each[4][0]).startswith(("127.", "::1", "fe80"))]


def warm_up(site: Site) -> None:
    """Load kernels and libraries and make the script for charts, so that no click waits; solve frontiers meanwhile.

    Before the address is told, not beside the first requests: some of this keeps Python to itself for seconds.
    """
    for grammar in dict.fromkeys((site.grammar, *PAPERS)):
        describe([1], [2], grammar, NEED, site.optima)
        site.optima.points(grammar, NEED, when=LATER)
    vega_script()
    site.planes.small_plane(site.grammar, NEED)
    topographic_similarity([("1",), ("2", "3")], [("1",), ("2",)])


def look_ahead(site: Site) -> None:
    """Begin to read the runs and their ways, which the first page will ask for."""
    threading.Thread(target=_first_answers, args=(site,), name="first answers", daemon=True).start()


def _first_answers(site: Site) -> None:
    """The first plane, and the page of a run of each experiment: its charts serve all others."""
    site.planes.answer(site.grammar, NEED, Axes(), next(iter(GROUPINGS)))
    some = {run["experiment"]: run["name"] for run in site.runs.summaries() if run["round"] > 0}
    for name in some.values():
        with suppress(NoRunError):  # removed a moment ago
            run_details(site, name)


def open_browser(url: str) -> None:
    """Open the page where there is a browser; the address is printed in any case."""
    try:
        webbrowser.open(url)
    except webbrowser.Error:
        print("There is no browser here; open the address by hand.", file=sys.stderr)
