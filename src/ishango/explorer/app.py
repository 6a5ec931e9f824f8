"""The page itself: its files, and the style sheet that takes its colours from the figures."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from ishango import __version__
from ishango.errors import RequestError
from ishango.explorer import api
from ishango.explorer.launch import BusyError
from ishango.explorer.runs import NoRunError
from ishango.explorer.safety import Gate
from ishango.explorer.site import Site
from ishango.figures.look import COLOURS, DARK, GREY, GRID, GROUPS, INK, NOTE, SHADES, SPOKEN, STARTS
from ishango.figures.save import vega_script, vega_version

STATIC = Path(__file__).parent / "static"
SHEETS = ("base", "controls", "builder", "runs", "kinds")
"""Style sheets, each of which may refine what those before it say."""
PAPER, DARK_PAPER = "#fbfaf7", "#16181c"

_VARIABLES = {
    "ink": INK,
    "note": NOTE,
    "line": GREY,
    "faint": GRID,
    "digit": COLOURS[0],
    "multiplier": COLOURS[1],
    "good": COLOURS[2],
    "both": COLOURS[3],
    "exact": STARTS[5],
    "card": SHADES[0],
    "shade": SHADES[1],
    "human": SPOKEN,
    **{f"group-{i}": colour for i, colour in enumerate(GROUPS)},
}


@cache
def style() -> str:
    """The whole style of the page."""
    sheets = ((STATIC / "css" / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS)
    return "\n".join((theme_css(), *sheets))


def theme_css() -> str:
    """The colours of the figures as variables, for light and dark: as the system says, unless the switch says else."""
    light = _rules({**_VARIABLES, "paper": PAPER})
    dark = _rules({**{name: DARK[colour] for name, colour in _VARIABLES.items()}, "paper": DARK_PAPER})
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ color-scheme: dark; {dark} }} }}\n"
        f":root[data-theme=dark] {{ color-scheme: dark; {dark} }}\n"
        + "".join(f".group-{i} {{ --group: var(--group-{i}); }}\n" for i in range(len(GROUPS)))
    )


def _rules(colours: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())


# The page's modules as one script, so that a browser asks once instead of forty times.
#
# Each module becomes a function of its own, in an order in which none comes before what it imports; what it exports is
# what the function returns. Modules use few forms of import and export, and one that uses another is refused.

_IMPORT = re.compile(r'^import (?:\* as (?P<whole>\w+)|(?P<some>\{[^}]*\})) from "\./(?P<module>\w+)\.js";$', re.M)
_EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function) (?P<name>\w+))", re.M)
_OTHER = re.compile(r"^(?:import\b(?!\()|export\b).*", re.M)


def bundled(modules: Mapping[str, str]) -> str:
    """One module that does what these do, by name and text.

    >>> print(bundled({"main": 'import { two as b } from "./a.js";\\nb();', "a": "export function two() {}"}))
    const $a = await (async () => {
    function two() {}
    return { two };
    })();
    const $main = await (async () => {
    const { two: b } = $a;
    b();
    return {  };
    })();
    """
    needs = {name: [found["module"] for found in _IMPORT.finditer(text)] for name, text in sorted(modules.items())}
    return "\n".join(_wrapped(name, modules[name]) for name in TopologicalSorter(needs).static_order())


def _wrapped(name: str, text: str) -> str:
    exports = [found["name"] for found in _EXPORT.finditer(text)]
    inside = _EXPORT.sub("", _IMPORT.sub(_taken, text))
    if found := _OTHER.search(inside):
        raise ValueError(f"{name}.js: {found[0]!r} is a form of import or export that cannot be bundled.")
    return f"const ${name} = await (async () => {{\n{inside}\nreturn {{ {', '.join(exports)} }};\n}})();"


def _taken(found: re.Match[str]) -> str:
    names = found["whole"] or found["some"].replace(" as ", ": ")
    return f"const {names} = ${found['module']};"


# The page's own files: one of each kind, under an address that changes when any of them does: a browser asks once.


class PageFile(NamedTuple):
    """A file that the page names."""

    media_type: str
    text: Callable[[], str]


@cache
def script() -> str:
    """All modules of the page."""
    modules = {path.stem: path.read_text(encoding="utf-8") for path in (STATIC / "js").glob("*.js")}
    return bundled(modules)


FILES = {
    "style.css": PageFile("text/css", style),
    "script.js": PageFile("text/javascript", script),
    "vega.js": PageFile("text/javascript", vega_script),
}
"""By name: what is asked for is looked up here and never joined to a path."""


@cache
def version() -> str:
    """Changes when any file does; the script for charts, which takes a second to make, by its package's version."""
    known = "\0".join((style(), script(), vega_version()))
    return hashlib.sha256(known.encode()).hexdigest()[:12]


@cache
def index() -> str:
    """The page, which names the files as they are now."""
    return page().replace('="static/', f'="static/{version()}/')


def page() -> str:
    """The page as it is written."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


# The application: pages and API behind the gate.

FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}


def create_app(site: Site) -> Gate:
    """The whole site as an ASGI application."""
    return Gate(application(site), site.host, site.token)


def application(site: Site) -> FastAPI:
    """Pages and API, as they are behind the gate."""
    app = FastAPI(title="Ishango explorer", version=__version__, docs_url=None, redoc_url=None)
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
    async def file(of: str, name: str) -> Response:
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
    """What is wrong with the first field that is wrong."""
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
