"""Search trees as files: what `ishango check` verifies.

`proof.jsonl.gz` holds one JSON document a line. The first is the problem, with the rules of its grammar, its need as
fractions, and whether these are exact or floats at their exact values; each further one is a size: the optimum, its
exact average, and the tree in preorder, one letter a node,

    B  branched: its children follow, one for each choice that leaves a lexicon of the size
    P  pruned: `bounds` has what every lexicon below it costs at least
    L  a whole lexicon, evaluated: `bounds` has its cost
    U  a whole lexicon that does not cover the range

`bounds` lists, in order, the figure of every P and L in units of 1 / `unit`. Bytes depend on the problem alone.

A tree with `"bound": "prices"` has other nodes: `splits` has, in preorder, the number by which each is split, 0 where
it is settled, and `prices` the prices that a node sets: its place in the tree, `reached`, `shares`, `word` and
`multiplier`. With `"bound": "everything"` there is no tree: every lexicon of the size is to be looked at. Nor is there
one with `"bound": "reach"`, where the checker has to search by itself. The header lists in `bounds` what the proofs of
sizes rest on, where there is more than `layers`.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ishango.frontiers.exact import CHUNK, EVERYTHING, LAYERS, PRICED, PRICES, REACH, FrontierPoint
from ishango.frontiers.problem import Problem
from ishango.frontiers.search import DONE, LEAF, PRUNED, SearchTree
from ishango.safe_files import write

PROOF = "proof.jsonl.gz"
LETTERS = "BPLU"
ROUNDING = 2e-12
"""Float bounds are written this much lower, so that rounding never raises them above the exact ones."""


class Tree(NamedTuple):
    """The proof of one size as it stands in the file, and what it rests on."""

    line: str
    bound: str


def write_proof(directory: Path, problem: Problem, points: Iterable[FrontierPoint]) -> None:
    """Write the trees of the proved points."""
    trees = [tree_of(problem, point) for point in points if point.proved]
    write_trees(directory, header_of(problem), trees)


def header_of(problem: Problem) -> dict[str, Any]:
    """What the first line of a proof says of the problem."""
    return {
        "problem": problem.describe(),
        "need": [str(weight) for weight in problem.exact_need],
        "exact": problem.exact,
        "unit": problem.unit if problem.integral else 1,
    }


def tree_of(problem: Problem, point: FrontierPoint) -> Tree:
    """The proof of a point that is proved."""
    return Tree(_line(tree_record(problem, point)), point.bound)


def write_trees(directory: Path, header: Mapping[str, Any], trees: Iterable[Tree]) -> None:
    """Write trees below their header, which names what they rest on where that is more than layers."""
    trees = list(trees)
    bounds = sorted({tree.bound for tree in trees})
    named = {"bounds": bounds} if any(bound != LAYERS for bound in bounds) else {}
    text = "".join([_line({**header, **named}), *(tree.line for tree in trees)])
    write(directory / PROOF, gzip.compress(text.encode(), mtime=0), goes_on=False)


def read_trees(directory: Path) -> tuple[dict[str, Any], dict[int, Tree]]:
    """The header of a proof without its bounds, and the trees by size."""
    with gzip.open(directory / PROOF, "rt", encoding="utf-8") as file:
        header = json.loads(next(file))
        lines = [(json.loads(line), line) for line in file]
    header.pop("bounds", None)
    return header, {tree["size"]: Tree(line, tree.get("bound", LAYERS)) for tree, line in lines}


def _line(document: Mapping[str, object]) -> str:
    return json.dumps(document, separators=(",", ":")) + "\n"


def tree_record(problem: Problem, point: FrontierPoint) -> dict[str, object]:
    """Search once more with the optimum known, which makes the tree smallest, and record every node.

    Where the problem without a cap on multipliers has no better optimum, its far smaller tree is the proof.
    """
    if point.bound == PRICES:
        return _price_record(problem, point)
    if point.bound in (EVERYTHING, REACH):
        return {**_optimum(point), "max_multipliers": problem.max_multipliers, "bound": point.bound}
    solved, tree = problem.without_cap, _recorded(problem.without_cap, point)
    if tree.incumbent < _cost(problem, point):
        solved, tree = problem, _recorded(problem, point)
    if tree.status != DONE:
        raise AssertionError(f"size {point.size}: the search found a better lexicon than the optimum")
    codes = np.concatenate(tree.codes)
    bounds = np.concatenate(tree.bounds)
    if not problem.integral:
        bounds = np.where(codes == PRUNED, bounds - ROUNDING, bounds)
    figures = bounds[(codes == PRUNED) | (codes == LEAF)].tolist()
    return {
        **_optimum(point),
        "max_multipliers": solved.max_multipliers,
        "tree": "".join(LETTERS[code] for code in codes),
        "bounds": [int(figure) for figure in figures] if problem.integral else figures,
    }


def _optimum(point: FrontierPoint) -> dict[str, object]:
    return {
        "size": point.size,
        "digits": point.system.digits,
        "multipliers": point.system.multipliers,
        "average": str(point.average),
    }


def _price_record(problem: Problem, point: FrontierPoint) -> dict[str, object]:
    """The tree of a search with prices; where multipliers are numerals, without a cap if that settles the size."""
    solved = problem.without_cap if problem.rules.bare_number else problem
    from ishango.frontiers.price_search import PriceSearch  # needs SciPy, an extra

    search = PriceSearch(solved, point.size, point.average)
    if not search.run(PRICED) or search.lexicon is not None:
        solved = problem
        search = PriceSearch(solved, point.size, point.average)
        search.run(sys.maxsize)
    return {
        **_optimum(point),
        "max_multipliers": solved.max_multipliers,
        "bound": PRICES,
        "splits": [node.split for node in search.record],
        "prices": [
            {"node": i, **asdict(node.prices)} for i, node in enumerate(search.record) if node.prices is not None
        ],
    }


def _recorded(problem: Problem, point: FrontierPoint) -> SearchTree:
    """The tree of a problem with the point's average for an incumbent, given up once something better is found."""
    cost = _cost(problem, point)
    tree = SearchTree(problem, point.size, incumbent=cost, slack=problem.slack(every=False))
    while tree.status != DONE and tree.incumbent >= cost:
        tree.run(CHUNK, record=True)
        tree.take_candidates()
    return tree


def _cost(problem: Problem, point: FrontierPoint) -> float:
    # Sums of floats differ in their last bits with the order of summation: what ties must not look better.
    return problem.in_units(point.average) - (0 if problem.integral else ROUNDING)
