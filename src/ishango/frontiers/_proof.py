"""Search trees as files: what `ishango check` verifies, and frontiers that are kept in directories.

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

import csv
import gzip
import io
import json
import sys
import zlib
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ishango._locks import adding_to
from ishango.errors import RequestError, RunError
from ishango.frontiers._exact import CHUNK, EVERYTHING, LAYERS, PRICED, PRICES, REACH, FrontierPoint
from ishango.frontiers._problem import Problem
from ishango.frontiers._search import DONE, LEAF, PRUNED, SearchTree
from ishango.numerals import NumeralSystem
from ishango.safe_files import unpacked, write, write_together

PROOF = "proof.jsonl.gz"
LETTERS = "BPLU"
ROUNDING = 2e-12
"""Float bounds are written this much lower, so that rounding never raises them above the exact ones."""


class Tree(NamedTuple):
    """The proof of one size as it stands in the file, and what it rests on."""

    line: str
    bound: str


def write_proof(directory: Path, problem: Problem, points: Iterable[FrontierPoint]) -> None:
    write_trees(directory, header_of(problem), [tree_of(problem, point) for point in points if point.proved])


def header_of(problem: Problem) -> dict[str, Any]:
    """What the first line of a proof says of the problem."""
    return {
        "problem": problem.describe(),
        "need": [str(weight) for weight in problem.exact_need],
        "exact": problem.exact,
        "unit": problem.unit if problem.integral else 1,
    }


def tree_of(problem: Problem, point: FrontierPoint) -> Tree:
    return Tree(_line(tree_record(problem, point)), point.bound)


def write_trees(directory: Path, header: Mapping[str, Any], trees: Sequence[Tree]) -> None:
    """Write trees below their header, which names what they rest on where that is more than layers."""
    bounds = sorted({tree.bound for tree in trees})
    named = {"bounds": bounds} if any(bound != LAYERS for bound in bounds) else {}
    text = "".join([_line({**header, **named}), *(tree.line for tree in trees)])
    write(directory / PROOF, gzip.compress(text.encode(), mtime=0), goes_on=False)


def read_trees(directory: Path) -> tuple[dict[str, Any], dict[int, Tree]]:
    """The header of a proof without its bounds, and the trees by size."""
    text = iter(unpacked(directory / PROOF).decode().splitlines(keepends=True))
    header = json.loads(next(text))
    lines = [(json.loads(line), line) for line in text]
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
    from ishango.frontiers._prices import PriceSearch  # needs SciPy, an extra

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
    """The tree with the point's average for an incumbent, given up once something better is found."""
    cost = _cost(problem, point)
    tree = SearchTree(problem, point.size, incumbent=cost, slack=problem.slack(every=False))
    while tree.status != DONE and tree.incumbent >= cost:
        tree.run(CHUNK, record=True)
        tree.take_candidates()
    return tree


def _cost(problem: Problem, point: FrontierPoint) -> float:
    # Sums of floats differ in their last bits with the order of summation: what ties must not look better.
    return problem.in_units(point.average) - (0 if problem.integral else ROUNDING)


# The frontier on disk: `frontier.json` and `frontier.csv`, written beside and renamed.

JSON, CSV = "frontier.json", "frontier.csv"
COLUMNS = ["size", "average_complexity", "digits", "multipliers", "proved", "lower_bound", "nodes", "seconds"]


def as_record(point: FrontierPoint) -> dict[str, Any]:
    """A point as it stands in JSON; an estimated one has no `optima`."""
    record: dict[str, Any] = {
        "size": point.size,
        "average_complexity": float(point.average),
        "digits": list(point.system.digits),
        "multipliers": list(point.system.multipliers),
        "proved": point.proved,
        "lower_bound": point.lower_bound,
        "nodes": point.nodes,
        "seconds": round(point.seconds, 6),
    }
    if point.optima:
        record["optima"] = [
            {
                "digits": list(optimum.system.digits),
                "multipliers": list(optimum.system.multipliers),
                "fewest_multipliers": optimum.fewest_multipliers,
                "most_multipliers": optimum.most_multipliers,
            }
            for optimum in point.optima
        ]
    return record


def describes(record: object, problem: Problem) -> bool:
    """Whether a recorded problem is this one; records of earlier versions have no rules beside the grammar's name."""
    here = problem.describe()
    return isinstance(record, dict) and {"rules": here["rules"], **record} == here


def write_frontier(
    directory: Path,
    problem: Problem,
    points: Iterable[FrontierPoint],
    estimate: Mapping[str, object] | None = None,
) -> None:
    """Write the frontier as JSON and as CSV; the directory is made if there is none.

    What an estimate depends on is recorded with it, and nothing but the same estimate is replaced by it.
    """
    document: dict[str, object] = {"problem": problem.describe(), "points": [as_record(point) for point in points]}
    with adding_to(directory):
        if estimate is not None:
            check_estimate(directory, problem, estimate)
            document["estimate"] = estimate
        _write_document(directory, document)


def check_estimate(directory: Path, problem: Problem, estimate: Mapping[str, object]) -> None:
    """Refuse a directory that holds anything but this estimate."""
    there = read_document(directory, problem)
    if there is not None and there.get("estimate") != estimate:
        raise RequestError(f"{directory} holds a frontier that is not this estimate; choose another directory.")


def _write_document(directory: Path, document: Mapping[str, Any]) -> None:
    """Write a frontier as JSON and as CSV; a kill between the two leaves a CSV that says less, never none."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for record in document["points"]:
        words = {name: " ".join(map(str, record[name])) for name in ("digits", "multipliers")}
        writer.writerow({**record, **words})
    write_together(directory, {JSON: (json.dumps(document, indent=1) + "\n").encode(), CSV: text.getvalue().encode()})


# A directory with the frontier of one problem, to which sizes are added: what is proved there stays.
#
# A command may be killed between any two changes of files, and `ishango check` has to hold then, too. So where there is
# a proof, a size is first written as open, then its tree, and only then it is called proved.

Record = dict[str, Any]

DAMAGED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What reading a document raises that does not say what it should."""


class KeptFrontier:
    """The points and trees of a directory, to which several processes may add: each change is made in turn, under the
    directory's lock, to what is there at that moment.

    Args:
        directory: where the frontier is kept.
        problem: whose frontier it is.
        sizes: those that are to be added.
        proof: whether their trees are to be added, too.
    """

    def __init__(self, directory: Path, problem: Problem, sizes: Collection[int] = (), *, proof: bool = False) -> None:
        self.directory, self.problem, self.sizes, self.proof = directory, problem, sizes, proof
        self._found = dict[int, Record]()
        """What this process has added."""
        with adding_to(directory) if directory.is_dir() else nullcontext():  # both files of one moment
            self._read()

    def add(self, point: FrontierPoint) -> None:
        """Write what was found of a size, put together with what is known of it."""
        self._found[point.size] = as_record(point)
        with self._turn():
            self._write()

    def prove(self, points: Iterable[FrontierPoint]) -> None:
        """Write the trees of points that were added, beside those that are there."""
        new = {point.size: point for point in points if point.proved and point.size not in self.trees}
        trees = {size: tree_of(self.problem, point) for size, point in new.items()}
        with self._turn():
            self.trees = trees | self.trees
            if bare := self._without_tree():
                raise RunError(
                    f"Size {bare[0]} was proved before and not within this time, so no proof was written; allow more"
                    " time."
                )
            write_trees(self.directory, self.header, [self.trees[size] for size in sorted(self.trees)])
            self.has_proof = True
            self._write()

    @contextmanager
    def _turn(self) -> Generator[None]:
        """Hold the lock, with what is there and what was found here put together."""
        with adding_to(self.directory):
            self._read()
            for size, new in self._found.items():
                old = self.records.get(size)
                self.records[size] = new if old is None else self._joined(old, new)
            yield

    def _read(self) -> None:
        document = read_document(self.directory, self.problem) or {"problem": self.problem.describe(), "points": []}
        if "estimate" in document:
            raise RequestError(f"{self.directory} holds an estimate; choose another directory for what is proved.")
        self.described: object = document["problem"]
        """The problem as it is recorded; an earlier version may have said less of it."""
        self.records: dict[int, Record] = {record["size"]: record for record in document["points"]}
        self._proved_there = {size for size, record in self.records.items() if record["proved"]}
        self.header, self.trees = header_of(self.problem), dict[int, Tree]()
        self.has_proof = (self.directory / PROOF).is_file()
        if self.has_proof:
            self._read_proof()
        self._check()

    def _check(self) -> None:
        """Refuse sizes after which some that are called proved had a tree and others had none."""
        if self.has_proof and not self.proof and (new := [size for size in self.sizes if size not in self.trees]):
            raise RequestError(f"{self.directory} has a proof; prove size {new[0]} too, or choose another directory.")
        if self.proof and (bare := [size for size in self._without_tree() if size not in self.sizes]):
            raise RequestError(
                f"{self.directory} has size {bare[0]} without a proof; ask for that size, too, or choose another"
                " directory."
            )

    def _read_proof(self) -> None:
        try:
            header, trees = read_trees(self.directory)
            same = describes(header["problem"], self.problem)
        except (*DAMAGED, OSError, EOFError, StopIteration, zlib.error):
            raise RequestError(f"{self.directory / PROOF} is not a proof; choose another directory.") from None
        if not same or {**self.header, **header} != {**self.header, "problem": header["problem"]}:
            raise RequestError(f"{self.directory} holds the proof of another problem; choose another directory.")
        proved = self._proved_there
        if not proved <= trees.keys() <= self.records.keys():
            raise RequestError(f"{JSON} and {PROOF} in {self.directory} have other sizes; choose another directory.")
        # A tree whose size is not called proved yet is made again, since its system may be another then.
        self.header, self.trees = header, {size: tree for size, tree in trees.items() if size in proved}

    def _without_tree(self) -> list[int]:
        return [size for size, record in sorted(self.records.items()) if record["proved"] and size not in self.trees]

    def _joined(self, old: Record, new: Record) -> Record:
        """What is known of a size: a tree belongs to the system that it was made for."""
        averages = [each["average_complexity"] for each in (old, new)]
        if not (old["proved"] and new["proved"]):
            best = min((old, new), key=lambda each: (not each["proved"], each["average_complexity"]))
            bound = max(old["lower_bound"], new["lower_bound"])
            return {**best, "lower_bound": min(bound, best["average_complexity"])}
        if averages[0] != averages[1]:
            raise AssertionError(f"size {new['size']}: {averages[0]} was proved, and now {averages[1]}")
        optima = max((each.get("optima", []) for each in (new, old)), key=len)
        return {**(old if new["size"] in self.trees else new), "optima": optima}

    def _write(self) -> None:
        records = [self.records[size] for size in sorted(self.records)]
        shown = [{**each, "proved": each["proved"] and self._may_be_called_proved(each["size"])} for each in records]
        _write_document(self.directory, {"problem": self.described, "points": shown})

    def _may_be_called_proved(self, size: int) -> bool:
        """What is to have a tree is called proved only then: another process must not take it for one without."""
        return size in self.trees or (not self.has_proof and (not self.proof or size in self._proved_there))


def read_document(directory: Path, problem: Problem) -> dict[str, Any] | None:
    """The frontier in a directory, if there is one; refused where it is another problem's."""
    file = directory / JSON
    if not file.is_file():
        return None
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        _check_whole(document["points"])
        same = describes(document["problem"], problem) and all(_costs(each, problem) for each in document["points"])
    except DAMAGED:
        raise RequestError(f"{file} is not a frontier; choose another directory.") from None
    if not same:
        raise RequestError(f"{directory} holds the frontier of another problem; choose another directory.")
    return document


def _check_whole(records: list[Record]) -> None:
    """See that each record has what is asked of it later, and each size one record."""
    for record in records:
        numbers = type(record["size"]) is int and isinstance(record["lower_bound"], int | float)
        if not numbers or not isinstance(record["proved"], bool) or not isinstance(record.get("optima", []), list):
            raise ValueError
    if len({record["size"] for record in records}) != len(records):
        raise ValueError


def _costs(record: Record, problem: Problem) -> bool:
    """Whether a system is as large and costs as much as recorded: a need's table may have changed under its name."""
    system = NumeralSystem(record["digits"], record["multipliers"], problem.grammar)
    average = problem.average(system)
    same = average is not None and float(average) == record["average_complexity"]
    return same and system.size == record["size"]
