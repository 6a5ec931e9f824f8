"""The page's files and its server."""

from __future__ import annotations

import errno
import hashlib
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from ishango import __version__
from ishango.errors import RequestError
from ishango.explorer import _api as api
from ishango.explorer._builder import GROUPINGS, MOST_GROUPS, describe
from ishango.explorer._found_runs import NoRunError
from ishango.explorer._launch import BusyError, most_at_once
from ishango.explorer._optima import LATER, NEED, Axes
from ishango.explorer._run_page import run_details
from ishango.explorer._safety import BoundedProtocol, Gate
from ishango.explorer._site import Site
from ishango.figures import look
from ishango.game import topographic_similarity
from ishango.numerals import MODIFIED, PAPERS, GrammarName

STATIC = Path(__file__).parent / "static"
PAPER, DARK_PAPER = "#fbfaf7", "#16181c"

_VARIABLES = {
    "ink": look.INK,
    "note": look.NOTE,
    "line": look.GREY,
    "faint": look.GRID,
    "digit": look.COLOURS[0],
    "multiplier": look.COLOURS[1],
    "good": look.COLOURS[2],
    "both": look.COLOURS[3],
    "exact": look.STARTS[5],
    "card": look.SHADES[0],
    "shade": look.SHADES[1],
    "here": look.HERE,
    **look.ROLES,
}


@cache
def style() -> str:
    return theme_css() + _built("style.css")


def theme_css() -> str:
    """The colours of the figures as variables, for light and dark: as the system says, unless the switch says else."""
    light = _rules({**_VARIABLES, **_shades(look.ROLES), "paper": PAPER})
    night = {name: look.DARK[colour] for name, colour in _VARIABLES.items()}
    dark = _rules({**night, **_shades({name: night[name] for name in look.ROLES}, by_night=True), "paper": DARK_PAPER})
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ color-scheme: dark; {dark} }} }}\n"
        f":root[data-theme=dark] {{ color-scheme: dark; {dark} }}\n"
        + "".join(f".group-{name} {{ --group: var(--{name}); }}\n" for name in (*look.ROLES, *_shades(look.ROLES)))
    )


def _shades(roles: Mapping[str, str], by_night: bool = False) -> dict[str, str]:
    return {
        f"{name}-{i}": look.shade(colour, i, by_night) for name, colour in roles.items() for i in range(1, MOST_GROUPS)
    }


def _rules(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


# The page's own files: one of each kind, under an address that changes when any of them does: a browser asks once.


class PageFile(NamedTuple):
    media_type: str
    text: Callable[[], str]


@cache
def script() -> str:
    return _built("script.js")


def _built(name: str) -> str:
    """A file that is built from `web/explorer`."""
    return (STATIC / name).read_text(encoding="utf-8")


_making = threading.Lock()


def _charts() -> str:
    """The script for charts, which takes a second to make: whoever asks meanwhile waits for the same."""
    with _making:
        return look.vega_script()


FILES = {
    "style.css": PageFile("text/css", style),
    "script.js": PageFile("text/javascript", script),
    "vega.js": PageFile("text/javascript", _charts),
}
"""By name: what is asked for is looked up here and never joined to a path."""


@cache
def version() -> str:
    """Changes when any file does; the script for charts, which takes a second to make, by its package's version."""
    known = "\0".join((style(), script(), look.vega_version()))
    return hashlib.sha256(known.encode()).hexdigest()[:12]


@cache
def index() -> str:
    """The page, which names the files as they are now."""
    return page().replace('="static/', f'="static/{version()}/')


def page() -> str:
    return _built("index.html")


# The application: pages and API behind the gate.

FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}


def create_app(site: Site) -> Gate:
    """The whole site as an ASGI application."""
    return Gate(application(site), site.host, site.token)


def application(site: Site) -> FastAPI:
    """Pages and API, as they are behind the gate."""
    app = FastAPI(title="Ishango explorer", version=__version__, docs_url=None, redoc_url=None)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)
    app.state.site = site
    app.include_router(api.router)
    for error, handler in _HANDLERS.items():
        app.add_exception_handler(error, handler)
    _add_pages(app)
    return app


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def front() -> Response:
        return Response(index(), media_type="text/html", headers={"cache-control": "no-cache"})

    @app.get("/static/{of}/{name}", include_in_schema=False)
    def file(of: str, name: str) -> Response:
        if name not in FILES:
            raise HTTPException(404)
        # A page that is open since before the server was started anew may be of another version: it gets what there is.
        kept = FOR_EVER if of == version() else {}
        return Response(FILES[name].text(), media_type=FILES[name].media_type, headers=kept)


def _refuse(status: int) -> Any:
    def handler(_request: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, status)

    return handler


def _http_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": _sentence(str(error.detail))}, error.status_code, error.headers)


def _validation_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "The body"
    return JSONResponse({"error": _sentence(f"{where}: {first['msg']}")}, 422)


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def _failure(_request: Request, _error: Exception) -> JSONResponse:
    return JSONResponse({"error": "The server failed; its terminal says more."}, 500)


_HANDLERS: dict[type[Exception], Any] = {
    HTTPException: _http_error,
    RequestValidationError: _validation_error,
    NoRunError: _refuse(404),
    BusyError: _refuse(429),
    RequestError: _refuse(409),
    Exception: _failure,
}


# Serving the page until it is told to stop.

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}
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
    if ready:
        ready(addresses(listener, host, token))
    look_ahead(site)
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
        other = "host" if _is_about_host(error) else "port"
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
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, family, socket.SOCK_STREAM)
    except OSError:  # a machine whose name nobody knows
        return []
    return [str(each[4][0]) for each in found if not str(each[4][0]).startswith(("127.", "::1", "fe80"))]


def warm_up(site: Site) -> None:
    """Load the kernels, so that no click waits; solve frontiers meanwhile.

    Before the address is told, not beside the first requests: compiling keeps Python to itself for seconds.
    """
    for grammar in dict.fromkeys((site.grammar, *PAPERS)):
        describe([1], [2], grammar, NEED, site.optima)
        site.optima.points(grammar, NEED, when=LATER)
    site.planes.small_plane(site.grammar, NEED)
    topographic_similarity([("1",), ("2", "3")], [("1",), ("2",)])


HEAD_START = 1.0
"""Seconds that the first page has before others are made ahead."""


def look_ahead(site: Site) -> None:
    """Begin to make what the first pages will ask for, one thing after the other: threads would hold each other up."""
    site.planes.begins = True
    threading.Thread(target=_first_answers, args=(site,), name="first answers", daemon=True).start()


def _first_answers(site: Site) -> None:
    """The first plane, the script for charts, and the page of a run of each experiment: its charts serve all others."""
    site.planes.asked.wait(HEAD_START)  # whoever comes at once does not share the processor with what is made ahead
    try:
        site.runs.listed()
        site.planes.answer(site.grammar, NEED, Axes(), next(iter(GROUPINGS)), ahead=True)
    finally:
        site.planes.begins = False
    FILES["vega.js"].text()
    some = {run["experiment"]: run["name"] for run in site.runs.summaries() if run["round"] > 0}
    for name in some.values():
        with suppress(NoRunError):  # removed a moment ago
            run_details(site, name)


def open_browser(url: str) -> None:
    """Open the page where there is a browser, and say so where there is none."""
    if not webbrowser.open(url):
        print("There is no browser here; open the address by hand.", file=sys.stderr)
