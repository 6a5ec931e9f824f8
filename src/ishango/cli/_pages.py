"""The commands about pages: `ishango explore`, `playground`, `reproduce` and `results`."""

from __future__ import annotations

import secrets
import sys
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro

from ishango.cli._live_views import LineView, LiveView
from ishango.cli._output import Lines, PlainConsole, console, plural, print_json, ready, ready_file, records, waiting
from ishango.cli._parsing import refuse_given
from ishango.cli._sweep import PlayedOn
from ishango.errors import RequestError
from ishango.lab import interruptible
from ishango.numerals import MODIFIED, GrammarChoice, as_grammar
from ishango.registry import needs
from ishango.safe_files import write

if TYPE_CHECKING:
    from ishango.report.claims import Verdict


def print_rulings(found: Sequence[Verdict]) -> None:
    rulings = [each.told for each in found]
    width = max(map(len, rulings))
    for ruling, each in zip(rulings, found, strict=True):
        console().print(f"{ruling:<{width}}  {each.claim}", soft_wrap=True)


# `ishango explore`: the web page.

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


def run_explore(command: Explore) -> int:
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
    from ishango.explorer import open_browser, serve

    def tell(urls: list[str]) -> None:
        print(f"The explorer is at {urls[0]}  (Ctrl-C stops it)", file=sys.stderr, flush=True)
        for url in urls[1:]:
            print(f"            and at {url}", file=sys.stderr, flush=True)
        if not command.no_browser:
            open_browser(urls[0])

    print("Preparing the explorer ...", file=sys.stderr, flush=True)
    token = None if command.host in (LOCAL, "localhost", "::1") else secrets.token_urlsafe(24)
    serve(command.directory, command.host, command.port, token, tell, as_grammar(command.grammar).name)
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


# `ishango playground`: a page that computes by itself, in every browser.


@dataclass(frozen=True)
class Playground:
    """Open the playground in the browser: a story to play, and two agents who learn to talk in the tab.

    The page is one file of this package. It needs no server and no network.

    Example: ishango playground
    """

    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE.html")] = None
    """Write the page to this file, to send it or to put it on a web host, and open nothing."""
    no_browser: bool = False
    """Print the address and open no browser."""


def run_playground(command: Playground) -> int:
    page = files("ishango") / "playground" / "index.html"
    if command.out is not None:
        refuse_given(command, ("no_browser",), "means nothing to --out, which opens no browser.")
        ready_file(command.out)
        write(command.out, page.read_bytes(), goes_on=False)
        print(f"{command.out}: {command.out.stat().st_size / 1e6:.1f} MB", file=sys.stderr)
        return 0
    address = Path(str(page)).as_uri()
    print(address)
    if not command.no_browser and not webbrowser.open(address):
        print("There is no browser here; open the address by hand.", file=sys.stderr)
    return 0


# `ishango reproduce`: the paper in one command.

# The room `report` needs what is an extra, and drawing libraries take a second to load: help texts and refusals do
# without it.


@dataclass(frozen=True, kw_only=True)
class Reproduce(PlayedOn):
    """Run the paper's experiments and controls, and write a page with its figures, tables and claims.

    The page is DIR/index.html, one file to read offline or to send to a colleague; DIR/figures has the figures as
    PDF, SVG, PNG and HTML, DIR/data the tables behind them, DIR/runs the runs. Interrupted at any moment, the same
    command continues where it stopped; finished, it only makes the page again.

    Example: ishango reproduce --quick
    """

    quick: bool = False
    """All eight starts with one seed and short rounds: minutes. This is the default."""
    full: bool = False
    """The paper's own scale, eight starts, two seeds, 100 rounds of 40,000 steps: hours."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """The directory to write; by default out/reproduce-quick or out/reproduce-full."""
    play_nothing: bool = False
    """Play nothing: make the page from the runs that are finished, for a look while the others are played elsewhere.
    It says which runs are missing, and judges a claim only when each start that it is about has a finished run."""
    json: bool = False
    """Print the verdicts as one JSON document instead of a list."""


def run_reproduce(command: Reproduce) -> int:
    if command.quick and command.full:
        raise RequestError("--quick and --full exclude each other; give one of them.")
    from ishango.report import FULL, QUICK, PlayedElsewhereError, reproduce, weigh
    from ishango.report.claims import verdicts_table

    scale = FULL if command.full else QUICK
    out = command.out or Path("out") / f"reproduce-{scale.name}"
    executor = command.executor(out, f"reproduce-{scale.name}")
    progress = PlainConsole(sys.stderr)
    view = LiveView(progress, weigh) if sys.stderr.isatty() else LineView(progress, weigh)
    tell = partial(progress.print, markup=False)
    try:
        with interruptible():
            found = reproduce(scale, out, executor, view, tell, play=not command.play_nothing)
    except PlayedElsewhereError as error:
        if not command.detach:
            raise
        progress.print(str(error), soft_wrap=True)
        return 0
    if command.json:
        print_json({"page": str(out / "index.html"), "verdicts": records(verdicts_table(found))})
    else:
        print_rulings(found)
        console().print(f"\nOpen {out / 'index.html'} in a browser.", soft_wrap=True)
    return 0


# `ishango results`: what the reproduction at the paper's scale has found, or the page of one's own.


@dataclass(frozen=True)
class Results:
    """Show what the full reproduction has found whose tables come with the package; or write such a page of your own.

    With the directory of a reproduction, whole or not, its tables are written compressed (a few megabytes at most), and
    from them a page in Markdown with the verdicts, the main figures, and how it was made. What is missing is said, and
    a claim is judged only when each start or setting that it is about has a finished run.

    Example: ishango results out/reproduce-quick --out results.md
    """

    directory: Annotated[Path | None, tyro.conf.Positional, tyro.conf.arg(metavar="[DIR]")] = None
    """A directory that ishango reproduce has made; without it, the results that come with the package are shown."""
    out: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """The page; figures go into the directory figures beside it."""
    tables: Annotated[Path | None, tyro.conf.arg(metavar="DIR")] = None
    """Where the tables go; by default the directory results-tables beside the page."""


def run_results(command: Results) -> int:
    if (command.directory is None) != (command.out is None) or (command.tables and command.directory is None):
        raise RequestError("To write a page give a reproduction and --out FILE; to see the shipped results, neither.")
    # Judging loads drawing libraries, which takes a second; a wrong request should not wait for them.
    from ishango.report import reproduced, ship, shipped_results, still_missing, write_results
    from ishango.report.claims import verdicts

    if command.directory is None or command.out is None:
        data = shipped_results()
        with waiting("judging the claims"):
            found = verdicts(data)
        console().print(still_missing(data) or "All runs are finished.", soft_wrap=True)
    else:
        reproduced(command.directory)  # before a directory is made for it
        tables = command.tables or command.out.parent / "results-tables"
        ready_file(command.out)
        ready(command.out.parent / "figures")
        ready(tables)
        with waiting("judging the claims and drawing"):
            ship(command.directory, tables)
            found = write_results(tables, command.out, command.out.parent / "figures")
    print_rulings(found)
    if command.out is not None:
        console().print(f"\n{plural(len(found), 'claim')} in {command.out}", soft_wrap=True)
    return 0
