"""The tables of the playground: `python -m tools.playground optima` proves, `languages` writes the catalogue.

What is proved takes minutes and changes only when the proof does, so that `make playground` makes the languages alone.
`optima power:2` proves anew for one need and keeps the others.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ishango.errors import RequestError
from ishango.frontiers import NODE_LIMIT, Problem, solve
from ishango.languages import Language, load_languages
from ishango.numerals import PAPERS

DATA = Path(__file__).parents[1] / "web" / "data"
UPTO = 99
SIZES = {"power:2": range(2, UPTO + 1), "power:1": range(2, 51), "uniform": range(2, 51)}
"""The needs that the page offers, and up to which size each is solved: far out others take long."""


def optima(grammar: str, need: str) -> dict[str, Any]:
    """The least average of each size, and a system that has it; null where it is not proved within our limit."""
    problem = Problem(grammar, need, UPTO)
    averages: list[float | None] = []
    systems: list[str | None] = []
    for size in SIZES[need]:
        try:
            problem.check_told_apart(size)
            point = solve(problem, size, node_limit=NODE_LIMIT)
        except RequestError:
            point = None
        proved = point if point is not None and point.proved else None
        averages.append(float(proved.average) if proved else None)
        systems.append(str(proved.system) if proved else None)
        print(f"{grammar} {need} {size}: {averages[-1]} {systems[-1]}", file=sys.stderr, flush=True)
    return {"first": SIZES[need][0], "averages": averages, "systems": systems}


def languages() -> dict[str, Any]:
    """Those checked by hand, then the catalogue's that say every number; the page's engine measures them."""
    core = load_languages()
    known = {each.glottocode for each in core if each.glottocode}
    world = [each for each in load_languages("world") if (each.highest or 0) >= UPTO and each.glottocode not in known]
    found = [(each, each.system) for each in (*core, *world) if each.system is not None]
    taken: set[str] = set()
    return {"checked": sum(each.system is not None for each in core), "languages": [
        {"name": _new_name(each, taken), "family": each.family, "system": str(system)}
        for each, system in found if system.words[-1] <= UPTO
    ]}  # fmt: skip


def _new_name(language: Language, taken: set[str]) -> str:
    """Its name, with the glottocode or a number behind it where another language has the same name."""
    name, code = language.name, language.glottocode
    names = [name, f"{name} ({code})", *(f"{name} ({code}, {i})" for i in range(2, 10))]
    free = next(each for each in names if each not in taken)
    taken.add(free)
    return free


def write(name: str, content: object) -> None:
    """A table, a line each entry, so that what changes is seen in a comparison."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    for entry in ("},{", '},"'):
        text = text.replace(entry, f"{entry[:2]}\n{entry[2:]}")
    (DATA / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


def main(wanted: list[str]) -> None:
    """Make the tables that are named."""
    if "optima" in wanted:
        known = json.loads((DATA / "optima.json").read_text(encoding="utf-8"))
        needs = [need for need in SIZES if need in wanted] or list(SIZES)
        proved = {f"{grammar} {need} {UPTO}": optima(grammar, need) for need in needs for grammar in PAPERS}
        write("optima", known | proved)
    if "languages" in wanted:
        write("languages", languages())


if __name__ == "__main__":
    main(sys.argv[1:])
