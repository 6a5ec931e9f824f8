"""The page's own files: one of each kind, under an address that changes when any of them does: a browser asks once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from ishango.explorer.bundle import bundled
from ishango.explorer.stylesheet import STATIC, style
from ishango.figures.vega import vega_script, vega_version


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
