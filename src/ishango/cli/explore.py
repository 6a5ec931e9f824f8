"""`ishango explore`: the web page."""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from ishango.cli.output import plural
from ishango.cli.outputs import ready_file
from ishango.cli.parsing import parse, refuse_given
from ishango.cli.waiting import Lines, waiting
from ishango.errors import RequestError
from ishango.extras import needs
from ishango.numerals import MODIFIED, as_grammar
from ishango.numerals.need import GrammarChoice

DEFAULT = Path("out")
LOCAL = "127.0.0.1"


@dataclass(frozen=True)
class Explore:
    """Open a page in the browser: build numeral systems, watch runs, talk to their agents.

    The page is served to this machine only. Stop the server with Ctrl-C; runs that were started from the page go on.

    Example: ishango explore out
    """

    directory: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="[DIR]")] = DEFAULT
    """The directory whose runs are shown; runs that are started from the page are written to DIR/explorer."""
    grammar: GrammarChoice = MODIFIED.name
    """The meta-grammar with which the page begins; one from a file is offered beside those with a name."""
    port: int = 8000
    """The port to listen on; 0 takes any that is free."""
    host: str = LOCAL
    """The address to listen on. Other machines can reach any but 127.0.0.1, and the page then asks for a token."""
    no_browser: bool = False
    """Print the address and open no browser."""
    export: Annotated[Path | None, tyro.conf.arg(metavar="FILE.html")] = None
    """Write a snapshot of the plane, the runs and the builder into one file that needs no server, and stop."""


def main(arguments: list[str]) -> int:
    """Parse, then serve or export."""
    command = parse(Explore, "explore", arguments)
    _check(command)
    needs("explorer", "Pages in the browser")
    return _export(command) if command.export else _serve(command)


def _check(command: Explore) -> None:
    if command.directory != DEFAULT and not command.directory.is_dir():
        raise RequestError(f"{command.directory} is not a directory; give one that holds runs, or none for out.")
    if not 0 <= command.port <= 65535:
        raise RequestError(f"The port is {command.port}; it must be between 0 and 65535.")
    as_grammar(command.grammar)
    if command.export is not None:
        refuse_given(command, ("port", "host"), "means nothing to --export, which needs no server.")
    ready_file(command.export)


def _serve(command: Explore) -> int:
    from ishango.explorer.serve import open_browser, serve

    def ready(urls: list[str]) -> None:
        print(f"The explorer is at {urls[0]}  (Ctrl-C stops it)", file=sys.stderr, flush=True)
        for url in urls[1:]:
            print(f"            and at {url}", file=sys.stderr, flush=True)
        if not command.no_browser:
            open_browser(urls[0])

    print("Preparing the explorer ...", file=sys.stderr, flush=True)
    token = None if command.host in (LOCAL, "localhost", "::1") else secrets.token_urlsafe(24)
    serve(command.directory, command.host, command.port, token, ready, as_grammar(command.grammar).name)
    return 0


def _export(command: Explore) -> int:
    from ishango.explorer import Site, export_page

    assert command.export is not None
    print("Proving the frontier and reading the runs ...", file=sys.stderr, flush=True)
    with waiting("exporting the page"):
        site = Site(command.directory, grammar=as_grammar(command.grammar).name)
        runs = export_page(site, command.export, Lines("runs").say)
    size = command.export.stat().st_size / 1e6
    print(f"{command.export}: {plural(runs, 'run')}, {size:.1f} MB", file=sys.stderr)
    return 0
