"""The exported page: a snapshot, made small."""

from __future__ import annotations

import base64
import gzip
import json
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

from ishango.explorer import _run_page as run_page
from ishango.explorer._app import page, script, style
from ishango.explorer._builder import GROUPINGS, all_choices, describe, languages_as_json, presets
from ishango.explorer._optima import NEED, Axes, phase_diagram, problem_of_run
from ishango.explorer._run_page import small_paths
from ishango.explorer._site import Site, everything
from ishango.figures.look import vega_script
from ishango.numerals import GRAMMARS, PAPERS, GrammarName, as_grammar
from ishango.safe_files import write

_CHART = frozenset({"light", "dark", "datasets"})


def packed(snapshot: dict[str, Any]) -> str:
    """The snapshot as text that may stand in a page: JSON, compressed, in base 64; `web/explorer/api.js` unpacks it."""
    specifications: dict[str, int] = {}
    answers = _without_specifications(snapshot["answers"], specifications)
    whole = {**snapshot, "answers": answers, "specifications": [json.loads(text) for text in specifications]}
    text = json.dumps(whole, allow_nan=False, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _without_specifications(value: Any, known: dict[str, int]) -> Any:
    """The same with the place of its specification in a list instead of each chart's own."""
    if isinstance(value, list):
        return [_without_specifications(each, known) for each in cast(list[Any], value)]
    if not isinstance(value, dict):
        return value
    fields = cast(dict[str, Any], value)
    if fields.keys() == _CHART:
        text = json.dumps({"light": fields["light"], "dark": fields["dark"]}, separators=(",", ":"))
        return {"specification": known.setdefault(text, len(known)), "datasets": fields["datasets"]}
    return {name: _without_specifications(each, known) for name, each in fields.items()}


# The explorer as one file that needs no server: style, scripts and the answers they ask for are inside.

Answer = tuple[str, dict[str, Any], Any]
PLANE = {"x": Axes.x, "y": Axes.y, "by": next(iter(GROUPINGS))}
"""The plane that a snapshot has, as the page asks for it."""
LISTED = ("round", "action", "alternative", "accepted", "delta_average", "size", "gap")
LISTED_ROUNDS = 50
"""What a snapshot has of a run's last rounds, and of how many; what its charts show is of all of them."""
NOTHING_TO_DO = {"can_stop": False, "can_talk": False}
NO_ACTIONS = dict.fromkeys(("can_continue", "can_repeat", "can_remove"), False)
_STYLE = '<link rel="stylesheet" href="static/style.css">'
_AHEAD = '<link rel="preload" href="api/choices" as="fetch" crossorigin>'
_SCRIPT = '<script type="module" src="static/script.js"></script>'
"""What a page that is served has in its head; in a snapshot the files themselves stand there."""
Words = tuple[tuple[int, ...], tuple[int, ...]]


def export_page(site: Site, file: Path, tell: Callable[[int, int], None] | None = None) -> int:
    """Write the page with everything it shows of the site's directory; returns how many runs are in it.

    `tell` is called with how many runs are read, and how many there are.
    """
    answers = {address(path, parameters): answer for path, parameters, answer in _answers(site, tell)}
    snapshot = {"made": time.strftime("%Y-%m-%d"), "answers": answers}
    write(file, _inlined(page(), snapshot).encode(), goes_on=False)
    return len(answers["api/bench"]["changed"])


def address(path: str, parameters: dict[str, Any]) -> str:
    """What the page asks for, spelled as the page spells it."""
    query = urlencode(parameters, doseq=True)
    return f"{path}?{query}" if query else path


def _answers(site: Site, tell: Callable[[int, int], None] | None) -> Iterator[Answer]:
    yield "api/choices", {}, _choices(site)
    yield "api/kinds", {}, phase_diagram()
    yield "api/languages", {}, json.loads(languages_as_json())
    runs = site.runs.summaries()
    for problem in {problem_of_run(each) for each in site.runs.listed()}:
        if problem is not None and problem.is_known:
            site.optima.wait(problem.grammar, problem.need)  # a file is not drawn anew when more is known
    yield "api/bench", {}, _bench(site)
    for study in site.runs.studies():
        yield "api/study", {"id": study}, small_paths(site, [study])
    for done, run in enumerate(runs, 1):
        yield "api/run", {"name": run["name"]}, _as_it_was(run_page.run_details(site, run["name"]))
        if tell:
            tell(done, len(runs))
    for grammar in _grammars(site):
        points = site.optima.wait(grammar, NEED)
        where = {"grammar": grammar, "need": NEED}
        yield "api/presets", where, presets(grammar, points)
        yield "api/map", where, site.planes.small_plane(grammar, NEED, wait=True)
        yield "api/plane", {**where, **PLANE}, site.planes.plane(grammar, NEED, wait=True)
        last = [(tuple(run["digits"]), tuple(run["multipliers"])) for run in runs if run["grammar"] == grammar]
        yield from _systems(grammar, last, site)


def _bench(site: Site) -> dict[str, Any]:
    """All runs; in a file none can be stopped, and their agents are not there."""
    bench = everything(site.bench())
    return {**bench, "changed": [{**run, **NOTHING_TO_DO} for run in bench["changed"]]}


def _as_it_was(details: dict[str, Any]) -> dict[str, Any]:
    run = {**details["run"], **NOTHING_TO_DO}
    rounds = [{name: each[name] for name in LISTED} for each in details["rounds"][-LISTED_ROUNDS:]]
    return {**details, "run": run, "rounds": rounds, "measures": [], **NO_ACTIONS}


def _grammars(site: Site) -> list[GrammarName]:
    """Those that a snapshot has: the one it begins with, the paper's, and those of its runs."""
    played = {run["grammar"] for run in site.runs.summaries() if run["grammar"] in GRAMMARS}
    return list(dict.fromkeys((site.grammar, *PAPERS, *sorted(played))))


def _choices(site: Site) -> dict[str, Any]:
    """What can be chosen in a snapshot: it holds the answers under one need only, and under few grammars."""
    choices = all_choices(_grammars(site))
    shown = {
        "needs": [each for each in choices.needs if each.name == NEED],
        "costs": [each for each in choices.costs if each.name in PLANE.values()],
        "groupings": choices.groupings[:1],
    }
    return choices.model_copy(update=shown).model_dump()


def _systems(grammar: GrammarName, others: Iterable[Words], site: Site) -> Iterator[Answer]:
    """The systems that the snapshot's builder can show: all presets, and where runs ended."""
    named = presets(grammar, site.optima.points(grammar, NEED))
    systems = {(tuple(each["digits"]), tuple(each["multipliers"])) for group in named.values() for each in group}
    for digits, multipliers in sorted(systems | {words for words in others if words[1]}):
        site.optima.wait(grammar, NEED, [as_grammar(grammar).size(len(digits), len(multipliers))])
        answer = describe(list(digits), list(multipliers), grammar, NEED, site.optima)
        yield "api/system", {"digits": digits, "multipliers": multipliers, "grammar": grammar, "need": NEED}, answer


def _inlined(page: str, snapshot: dict[str, Any]) -> str:
    inside = [
        f'<script type="text/plain" id="snapshot">{packed(snapshot)}</script>',
        f"<script>{_inside(_engine())}</script>",
        f'<script type="module">{_inside(vega_script())}</script>',
        f'<script type="module">{_inside(script())}</script>',
    ]
    page = page.replace(_STYLE, f"<style>\n{style()}</style>").replace(f"{_AHEAD}\n  ", "")
    return page.replace(_SCRIPT, "\n  ".join(inside))


def _engine() -> str:
    """The engine of the playground, which describes systems that the snapshot holds no answer for."""
    return (files("ishango") / "playground" / "engine.js").read_text(encoding="utf-8")


def _inside(text: str) -> str:
    return text.replace("</script", "<\\/script")
