"""The frontiers that the explorer ships: `python -m tools.explorer` solves them.

It takes some ten minutes of a core and changes only when the search does: rows that the table has are kept. Delete the
table to begin anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product

import pandas as pd

from ishango.errors import RequestError
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
        return dict.fromkeys(COLUMNS, "") | {"grammar": grammar, "need": need, "size": size}
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


if __name__ == "__main__":
    optima()
