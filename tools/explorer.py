"""What the explorer is made of: `python -m tools.explorer types` and `python -m tools.explorer optima`.

`types` writes the API's schema as TypeScript for the page's sources (`make playground` does it before it builds).
`optima` solves the frontiers that ship. That takes some ten minutes of a core and changes only when the search does:
rows that the table has are kept. Delete the table to begin anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from ishango.errors import RequestError
from ishango.explorer import Site
from ishango.explorer._app import application
from ishango.explorer._optima import NEEDS, RANGE, SHIPPED, problem_of, sizes_upto
from ishango.frontiers import NODE_LIMIT, solve
from ishango.numerals import GRAMMARS, PAPERS

COLUMNS = ["grammar", "need", "size", "system", "lower_bound", "bound", "nodes", "fewest", "most"]


def wanted() -> Iterator[tuple[str, str, int]]:
    """Grammar, need and size of what is shipped, the paper's grammars first: planes that reach as far as one can."""
    for some in (PAPERS, [name for name in GRAMMARS if name not in PAPERS]):
        for need, grammar in product(NEEDS, some):
            problem = problem_of(grammar, need, RANGE)
            sizes = {min(size, problem.largest_size) for size in sizes_upto(RANGE)}
            yield from ((grammar, need, size) for size in sorted(sizes) if size >= problem.smallest_size)


def solved(grammar: str, need: str, size: int) -> dict[str, object]:
    """A row of the table; its system is empty where none of that size covers the range."""
    try:
        point = solve(problem_of(grammar, need, RANGE), size, node_limit=NODE_LIMIT)
    except RequestError:
        return {**dict.fromkeys(COLUMNS, ""), "grammar": grammar, "need": need, "size": size}
    (optimum,) = point.optima[:1]
    values = [
        grammar,
        need,
        size,
        str(point.system),
        "" if point.proved else repr(point.lower_bound),
        point.bound,
        point.nodes,
        optimum.fewest_multipliers,
        optimum.most_multipliers,
    ]
    return dict(zip(COLUMNS, values, strict=True))


def optima() -> None:
    """Solve what the table lacks, writing each row as it is found."""
    if not SHIPPED.exists():
        SHIPPED.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    table = pd.read_csv(SHIPPED, keep_default_na=False)
    known = set(zip(table["grammar"], table["need"], table["size"], strict=True))
    for key in wanted():
        if key not in known:
            row = solved(*key)
            pd.DataFrame([row]).to_csv(SHIPPED, mode="a", header=False, index=False)
            print(*row.values(), file=sys.stderr, flush=True)


TYPES = Path(__file__).parents[1] / "web" / "explorer" / "schema.d.ts"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def types() -> str:
    """The schema's models as interfaces, and what each address answers."""
    schema = application(Site(Path("nowhere"))).openapi()
    models = [f"export interface {name} {_type(model)}" for name, model in schema["components"]["schemas"].items()]
    answers = "".join(f"  {json.dumps(path[1:])}: {_answer(asked)};\n" for path, asked in schema["paths"].items())
    head = "// The API's schema: written by `python -m tools.explorer types`."
    return "\n".join([head, *models, f"export interface Answers {{\n{answers}}}", ""])


def _answer(asked: dict[str, Any]) -> str:
    """The type of what is answered where a request is met."""
    (method,) = asked.values()
    met = next(answer for status, answer in method["responses"].items() if status.startswith("2"))
    return _type(next(iter(met.get("content", {}).values()), {}).get("schema", {}))


def _type(schema: dict[str, Any]) -> str:
    match schema:
        case {"$ref": name}:
            return name.rpartition("/")[2]
        case {"enum": _}:  # other packages add names
            return "string"
        case {"anyOf": some}:
            return " | ".join(dict.fromkeys(map(_type, some)))
        case {"prefixItems": items}:
            return f"[{', '.join(map(_type, items))}]"
        case {"items": item}:
            return f"({_type(item)})[]"
        case {"properties": fields}:
            return "{\n" + "".join(f"  {name}: {_type(field)};\n" for name, field in fields.items()) + "}"
        case {"type": "object"}:
            others = schema.get("additionalProperties", {})
            return f"Record<string, {_type(others) if isinstance(others, dict) else 'any'}>"
        case {"type": str(kind)}:
            return PLAIN[kind]
        case _:
            return "any"


if __name__ == "__main__":
    if sys.argv[1:] == ["types"]:
        TYPES.write_text(types(), encoding="utf-8")
    elif sys.argv[1:] == ["optima"]:
        optima()
    else:
        sys.exit("usage: python -m tools.explorer types | optima")
