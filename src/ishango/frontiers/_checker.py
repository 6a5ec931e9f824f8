"""An independent check of a proved frontier, in plain Python and rational arithmetic, but for kernels of its own.

Nothing here comes from the solver: not its evaluator, not its bound, not its grammars or needs. The bound is recomputed
from its definition in `docs/studies/frontier.md`, for the rules that the proof records. Taken on trust is the theorem
of that page, that turning a digit into a multiplier never costs where a multiplier is a numeral; hence, where it counts
for one word, only lexicons with as many multipliers as allowed are in the tree. A need that is not known here is taken
as it is recorded, and that is said.
"""

from __future__ import annotations

import csv
import gzip
import json
import math
import sys
import zlib
from collections.abc import Callable, Container, Iterator
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from ishango.frontiers._checker_bound import Lexicons, PriceWalk, RefutedError, Rules, completion_bound, least_leaves
from ishango.frontiers._checker_reach import look_at_everything, look_by_reach

CLOSE = Fraction(1, 10**11)
"""How far a recorded float may lie from the exact figure it stands for."""

KNOWN = {
    "modified": Rules(),
    "hurford": Rules(bare_number=True, bare_phrase=True),
    "natural": Rules(bare_number=True),
    "addition": Rules(minus=False),
    "flat": Rules(flat=True),
    "natural+": Rules(bare_number=True, bare_phrase=True, multiplier_words=2),
    "natural+3": Rules(bare_number=True, bare_phrase=True, multiplier_words=3),
}
"""The grammars whose rules the name alone tells; proofs of earlier versions record no rules."""
ALWAYS = {"bare_number", "bare_phrase", "plus", "minus"}
"""What rules must be recorded; the others are not there where they are not said."""


DAMAGED = (
    LookupError, TypeError, ValueError, AttributeError, ArithmeticError, EOFError, RecursionError, zlib.error,
    gzip.BadGzipFile,
)  # fmt: skip
"""What reading and reckoning raise where a file does not say what it should."""
_MOST_TIMES, _ALWAYS = 100, 2**24
"""How many times its length a proof may unpack to, and how many bytes any may."""


class ProofError(Exception):
    """The proof does not hold; the message says where and why."""


@dataclass(frozen=True)
class CheckedSize:
    """What was checked for one size."""

    size: int
    average: Fraction
    nodes: int
    unknown_need: str | None = None
    """A need that the checker does not know: what holds, holds for the weights that the proof records."""
    unknown_grammar: str | None = None
    """A grammar that the checker does not know by name: what holds, holds for the rules that the proof records."""
    optima: int = 0
    """How many optimal systems are listed; each was checked to be one, not that there are no others."""


def check(
    directory: Path | str, sizes: Container[int] | None = None, tell: Callable[[CheckedSize], object] | None = None
) -> list[CheckedSize]:
    """Verify the proof in a directory, size by size; raises `ProofError` at the first thing that does not hold.

    Args:
        directory: what `ishango frontier --proof --out DIR` wrote.
        sizes: those to verify; all of them if not given.
        tell: called with each size as soon as it is verified.

    Returns:
        The sizes that were verified.

    >>> from tempfile import TemporaryDirectory
    >>> from ishango.frontiers import Problem, frontier, write_frontier, write_proof
    >>> with TemporaryDirectory() as directory:
    ...     problem = Problem()
    ...     points = list(frontier(problem, [2, 3]))
    ...     write_frontier(Path(directory), problem, points)
    ...     write_proof(Path(directory), problem, points)
    ...     [checked.size for checked in check(directory)], [checked.size for checked in check(directory, [3])]
    ([2, 3], [3])
    """
    directory, verified = Path(directory), list[CheckedSize]()
    try:
        for checked in _check(directory, sizes):
            verified.append(checked)
            if tell is not None:
                tell(checked)
    except DAMAGED as error:
        raise ProofError(f"The files in {directory} are not a frontier and its proof ({_damage(error)}).") from error
    return verified


def _check(directory: Path, asked: Container[int] | None) -> Iterator[CheckedSize]:
    document = json.loads((directory / "frontier.json").read_text(encoding="utf-8"))
    header, *trees = map(json.loads, _unpacked(directory / "proof.jsonl.gz").decode().splitlines())
    if header["problem"] != document["problem"]:
        raise ProofError("The problem in proof.jsonl.gz is not the one in frontier.json.")
    by_size = {tree["size"]: tree for tree in trees}
    _check_bounds(header, trees)
    _check_problem(header["problem"])
    rules = _check_rules(header["problem"])
    weights, known = _check_need(header)
    unknown_need = None if known else str(header["problem"]["need"])
    grammar = str(header["problem"]["grammar"])
    unknown_grammar = grammar if _rules_of(grammar) is None else None
    # The tree is walked by recursion, one call a number.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000 + 2 * header["problem"]["range"]))
    _check_csv(directory, document["points"])
    sizes = [point["size"] for point in document["points"]]
    if len(set(sizes)) != len(sizes) or not by_size.keys() <= set(sizes):
        raise ProofError("The sizes in frontier.json are not those of the proof, each once.")
    for point in document["points"]:
        if asked is not None and point["size"] not in asked:
            continue
        lexicons, unit = _lexicons(header, rules, weights, point["size"])
        if not point["proved"]:
            _check_system(lexicons, unit, point, point["digits"], point["multipliers"])
            continue
        if point["size"] not in by_size:
            raise ProofError(f"Size {point['size']} is called proved but has no tree.")
        checked = _check_size(header, lexicons, unit, point, by_size[point["size"]])
        optima = _check_optima(lexicons, unit, point, checked.average)
        yield replace(checked, unknown_need=unknown_need, unknown_grammar=unknown_grammar, optima=optima)


def _unpacked(path: Path) -> bytes:
    """The proof, which must not be far longer than proofs are: megabytes may unpack to gigabytes."""
    most = _ALWAYS + _MOST_TIMES * path.stat().st_size
    with gzip.open(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{path.name} has {path.stat().st_size:,} bytes and unpacks to more than {most:,}")
    return data


def _damage(error: Exception) -> str:
    """What was raised while a damaged file was read, for people."""
    return f"{error} is missing" if isinstance(error, KeyError) else str(error).rstrip(".") or type(error).__name__


def _check_bounds(header: dict[str, Any], trees: list[dict[str, Any]]) -> None:
    """The bounds that trees rest on must be named in the header and known here."""
    named = set(header.get("bounds", ["layers"]))
    if not named <= {"layers", "prices", "reach", "everything"}:
        raise ProofError(f"The proof rests on bounds that are not known here: {', '.join(sorted(named))}.")
    if not {tree.get("bound", "layers") for tree in trees} <= named:
        raise ProofError("A tree rests on a bound that the header does not name.")


def _check_csv(directory: Path, points: list[dict[str, Any]]) -> None:
    """`frontier.csv`, where it is there, must say what `frontier.json` says, or less: a command that is ended between
    the two leaves the CSV of a moment before, without the last size or with a size that was still open."""
    path = directory / "frontier.csv"
    if not path.exists():
        return
    with path.open(encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        rows, columns = list(table), table.fieldnames
    if columns is None:
        raise ProofError("frontier.csv is empty.")
    if not points and not rows:
        return
    unknown = set(columns) - (points[0].keys() if points else set())
    if unknown or any(None in row or None in row.values() for row in rows):
        raise ProofError(
            "frontier.csv has columns that frontier.json has not, or rows longer or shorter than its first."
        )
    by_size = {str(point["size"]): point for point in points}
    if len({row["size"] for row in rows}) != len(rows) or not {row["size"] for row in rows} <= by_size.keys():
        raise ProofError("frontier.csv has other sizes than frontier.json.")
    for row in rows:
        point = by_size[row["size"]]
        if row["proved"] == "False" and _says_less(row, point):
            continue
        for name, text in row.items():
            value = point[name]
            if text != (" ".join(map(str, cast(list[int], value))) if isinstance(value, list) else str(value)):
                raise ProofError(f"Size {point['size']}: {name} in frontier.csv is not what frontier.json says.")


def _says_less(row: dict[str, str], point: dict[str, Any]) -> bool:
    above = float(row["average_complexity"]) >= point["average_complexity"]
    return above and float(row["lower_bound"]) <= point["lower_bound"]


def _check_optima(lexicons: Lexicons, unit: int, point: dict[str, Any], average: Fraction) -> int:
    """How many optima are listed; each must be a lexicon of the problem, cost what the optimum costs, and differ.

    That there are no others is not checked.
    """
    listed: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    for optimum in point.get("optima", ()):
        digits, multipliers = optimum["digits"], optimum["multipliers"]
        fewest, most = optimum["fewest_multipliers"], optimum["most_multipliers"]
        where = f"Size {lexicons.size}: the optimum {digits} | {multipliers}"
        if _average(lexicons, unit, digits, multipliers) != average:
            raise ProofError(f"{where} does not cost what is proved.")
        ends = fewest == most if not lexicons.rules.free_split else fewest <= most <= lexicons.size
        if fewest != len(multipliers) or not ends:
            raise ProofError(f"{where} has another number of multipliers than recorded.")
        listed.add((tuple(digits), tuple(multipliers)))
    if len(listed) != len(point.get("optima", ())):
        raise ProofError(f"Size {lexicons.size}: an optimum is listed twice.")
    return len(listed)


def _check_problem(problem: dict[str, Any]) -> None:
    """Ranges, limits and caps are whole numbers: with others, what is reckoned below means nothing."""
    cap = problem["max_multipliers"]
    if not all(_whole(problem[name], 1) for name in ("range", "limit")) or not (cap is None or _whole(cap, 1)):
        raise ProofError("The range, the limit and the most multipliers of the problem are not whole numbers.")
    if not isinstance(problem["overlap"], bool):
        raise ProofError("Whether words may be digit and multiplier at once is not recorded as true or false.")


def _whole(value: object, least: int) -> bool:
    return type(value) is int and value >= least


def _rules_of(name: str) -> Rules | None:
    """The rules of a grammar that the checker knows by name, or whose name tells them (`rules:bare_number+plus`)."""
    written, _, told = name.partition(":")
    flags, named = set(asdict(Rules())) - {"multiplier_words"}, set(told.split("+")) - {"none"}
    if written == "rules" and named <= flags:
        return Rules(**{flag: flag in named for flag in flags})
    return KNOWN.get(name)


def _check_rules(problem: dict[str, Any]) -> Rules:
    """The recorded rules of the grammar; a grammar that the checker knows by name must have its own."""
    name, recorded = problem["grammar"], problem.get("rules")
    known = _rules_of(name)
    if recorded is None:
        if known is None:
            raise ProofError(f"The proof does not say which rules the grammar {name} has.")
        return known
    rules = Rules(**recorded)
    flags = {rule: value for rule, value in asdict(rules).items() if rule != "multiplier_words"}
    if not all(isinstance(flag, bool) for flag in flags.values()) or not set(recorded) >= ALWAYS:
        raise ProofError(f"The rules of the grammar {name} are not recorded as true or false.")
    if type(rules.multiplier_words) is not int or rules.multiplier_words < 1:
        raise ProofError(f"How many words a multiplier costs in the grammar {name} is not recorded as a whole number.")
    if rules.bare_phrase and not rules.bare_number:
        raise ProofError(f"The grammar {name} lets a multiplier be a phrase but not a numeral.")
    if known not in (None, rules):
        raise ProofError(f"The recorded rules are not those of the grammar {name}.")
    return rules


def _check_need(header: dict[str, Any]) -> tuple[list[Fraction], bool]:
    """The recorded weights, and whether the checker knows that they are those of the need's name.

    The header says whether they are exact; if not, they are floats at their exact values, close to the true ones.
    """
    spec, n = header["problem"]["need"], header["problem"]["range"]
    recorded = [Fraction(text) for text in header["need"]]
    if len(recorded) != n or any(weight < 0 for weight in recorded):
        raise ProofError("The recorded need is not one weight for each number of the range.")
    named = _need_by_name(spec, n)
    tolerance = 0 if header.get("exact", named is not None and named[1]) else CLOSE
    if named is None:
        if abs(sum(recorded) - 1) > tolerance:
            raise ProofError(f"The recorded weights of the need {spec} do not add up to 1.")
        return recorded, False
    raw, rational = named
    total = sum(raw)
    if tolerance == 0 and not rational:
        raise ProofError(f"The weights of the need {spec} are not rational and cannot be recorded as exact.")
    if any(abs(r - e / total) > tolerance for r, e in zip(recorded, raw, strict=True)):
        raise ProofError(f"The recorded weights are not those of the need {spec}.")
    return recorded, True


def _need_by_name(spec: str, n: int) -> tuple[list[Fraction], bool] | None:
    """Unnormalised weights, and whether they are rational; None for a need that is not known here."""
    kind, _, argument = spec.partition(":")
    numbers = range(1, n + 1)
    if kind == "uniform":
        return [Fraction(1)] * n, True
    if kind == "file":
        if not Path(argument).is_file():
            return None  # the proof carries its weights, and holds for these
        try:
            return _tabled(Path(argument), n), True
        except DAMAGED as error:
            raise ProofError(f"The need file {argument} is not what it was ({_damage(error)}).") from error
    if kind == "power" and float(argument).is_integer():
        return [Fraction(1, number ** int(float(argument))) for number in numbers], True
    if kind == "power":
        return [Fraction(number ** -float(argument)) for number in numbers], False
    if kind == "exp":
        return [Fraction(math.exp(-float(argument) * (number - 1))) for number in numbers], False
    return None


def _tabled(path: Path, n: int) -> list[Fraction]:
    with path.open(encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file) if row and not row[0].lstrip().startswith("#")]
    if not rows[0][0].strip().isdigit():
        rows = rows[1:]
    table = {int(number): Fraction(need.strip()) for number, need in rows}
    return [table[number] for number in range(1, n + 1)]


def _lexicons(header: dict[str, Any], rules: Rules, weights: list[Fraction], size: int) -> tuple[Lexicons, int]:
    """The lexicons of a size, with weights in whole units, and the unit."""
    problem, unit = header["problem"], math.lcm(*(weight.denominator for weight in weights))
    lexicons = Lexicons(
        rules=rules,
        overlap=problem["overlap"],
        cap=problem["max_multipliers"],
        size=size,
        limit=problem["limit"],
        weights=[0, *(int(weight * unit) for weight in weights)],
    )
    return lexicons, unit


def _check_size(header: dict[str, Any], lexicons: Lexicons, unit: int, point: Any, tree: Any) -> CheckedSize:
    size = lexicons.size
    if any(point[name] != tree[name] for name in ("digits", "multipliers")):
        raise ProofError(f"Size {size}: frontier.json and the proof name different systems.")
    average = _check_system(lexicons, unit, point, tree["digits"], tree["multipliers"])
    if average != Fraction(tree["average"]):
        raise ProofError(f"Size {size}: the proof records another average complexity than its system has.")
    if tree["max_multipliers"] is None:
        # A tree without a cap holds every lexicon that the cap allows, and more.
        lexicons = replace(lexicons, cap=None)
    elif tree["max_multipliers"] != lexicons.cap:
        raise ProofError(f"Size {size}: the tree is of another problem.")
    if tree.get("bound", "layers") != "layers":
        return CheckedSize(size, average, _check_otherwise(lexicons, unit, average, tree))
    walk = _Walk(lexicons, average * unit, Fraction(unit, header["unit"]), tree)
    walk.visit((), (), 0)
    if walk.position != len(tree["tree"]) or walk.figure != len(tree["bounds"]):
        raise ProofError(f"Size {size}: the file goes on after the tree has ended.")
    return CheckedSize(size, average, walk.position)


def _check_otherwise(lexicons: Lexicons, unit: int, average: Fraction, tree: Any) -> int:
    """How many nodes a tree with prices has, or how many lexicons, or choices of words, were looked at."""
    optimum = average * unit
    assert optimum.denominator == 1, "an average is a sum of weights"
    try:
        if tree["bound"] == "everything":
            return look_at_everything(lexicons, optimum.numerator, _cost)
        if tree["bound"] == "reach":
            return look_by_reach(lexicons, optimum.numerator, _cost)
        return PriceWalk(lexicons, unit, optimum.numerator, tree, _cost).walk()
    except RefutedError as error:
        raise ProofError(f"Size {lexicons.size}: {error}.") from error


def _check_system(lexicons: Lexicons, unit: int, point: Any, digits: list[int], multipliers: list[int]) -> Fraction:
    """The exact average of the system that a point names, which must cost what it is said to cost."""
    average = _average(lexicons, unit, digits, multipliers)
    where = f"Size {lexicons.size}: the system {digits} | {multipliers}"
    if float(average) != point["average_complexity"]:
        raise ProofError(f"{where} has another average complexity than recorded.")
    if not 0 < point["lower_bound"] <= point["average_complexity"]:  # nor is it nan
        raise ProofError(f"{where} has a lower bound above its own average, or none.")
    if point["proved"] and point["lower_bound"] != point["average_complexity"]:
        raise ProofError(f"{where} is called proved, and its lower bound is not its average.")
    return average


def _average(lexicons: Lexicons, unit: int, digits: list[int], multipliers: list[int]) -> Fraction:
    """The exact average complexity of a system, which must be one of the lexicons."""
    where = f"Size {lexicons.size}: the system {digits} | {multipliers}"
    words = digits + multipliers
    twice = len(set(digits)) != len(digits) or len(set(multipliers)) != len(multipliers)
    if twice or lexicons.words(digits, multipliers) != lexicons.size:
        raise ProofError(f"{where} does not have that size.")
    if not lexicons.overlap and len(set(words)) != len(words):
        raise ProofError(f"{where} has a word that is digit and multiplier.")
    if (
        not multipliers
        or (not digits and not lexicons.rules.bare_number)
        or not all(_whole(w, 1) and w <= lexicons.upto for w in words)
    ):
        raise ProofError(f"{where} is not a lexicon of the problem.")
    if lexicons.cap is not None and len(multipliers) > lexicons.cap:
        raise ProofError(f"{where} has more than {lexicons.cap} multipliers.")
    cost = _cost(lexicons, tuple(digits), tuple(multipliers))
    if cost is None:
        raise ProofError(f"{where} does not cover the range.")
    return Fraction(cost, unit)


def _cost(lexicons: Lexicons, digits: tuple[int, ...], multipliers: tuple[int, ...]) -> int | None:
    leaves = least_leaves(digits, multipliers, lexicons)
    if any(number not in leaves for number in range(1, lexicons.upto + 1)):
        return None
    return sum(weight * (2 * leaves[number] - 1) for number, weight in enumerate(lexicons.weights) if number)


class _Walk:
    """Reads a tree in preorder and checks each node against the lexicons it stands for."""

    def __init__(self, lexicons: Lexicons, optimum: Fraction, per_unit: Fraction, tree: Any) -> None:
        self.lexicons, self.optimum, self.per_unit = lexicons, optimum, per_unit
        self.tree, self.bounds = tree["tree"], tree["bounds"]
        self.position = self.figure = 0

    def visit(self, digits: tuple[int, ...], multipliers: tuple[int, ...], c: int) -> None:
        """Check the node that has decided 1..c, and everything below it."""
        if self.position >= len(self.tree):
            self._fail("the tree ends early", c)
        letter = self.tree[self.position]
        self.position += 1
        whole = self.lexicons.words(digits, multipliers) == self.lexicons.size
        if letter == "P":
            self._check_pruned(digits, multipliers, c)
        elif letter == "B" and not whole:
            for more_digits, more_multipliers in self.lexicons.choices(c + 1):
                child = digits + more_digits, multipliers + more_multipliers, c + 1
                if self.lexicons.splits(*child):
                    self.visit(*child)
        elif letter == "L" and whole:
            self._check_leaf(_cost(self.lexicons, digits, multipliers), c)
        elif letter == "U" and whole:
            if _cost(self.lexicons, digits, multipliers) is not None:
                self._fail("a lexicon covers the range though it is said not to", c)
        else:
            self._fail(f"{letter!r} cannot stand there", c)

    def _check_pruned(self, digits: tuple[int, ...], multipliers: tuple[int, ...], c: int) -> None:
        claimed = self._next_figure(c)
        exact = completion_bound(digits, multipliers, c, self.lexicons, enough=claimed)
        if claimed > exact:
            self._fail(f"the bound {self._show(claimed)} is above the exact one {self._show(exact)}", c)
        if claimed < self.optimum:
            self._fail(f"pruned at {self._show(claimed)}, below the optimum {self._show(self.optimum)}", c)

    def _check_leaf(self, cost: int | None, c: int) -> None:
        claimed = self._next_figure(c)
        if cost is None or abs(claimed - cost) > CLOSE * sum(self.lexicons.weights):
            self._fail("a lexicon does not cost what is recorded", c)
        elif cost < self.optimum:
            self._fail(f"a lexicon costs {self._show(cost)}, less than the optimum", c)

    def _next_figure(self, c: int) -> Fraction:
        if self.figure >= len(self.bounds):
            self._fail("a bound is missing", c)
        self.figure += 1
        return Fraction(self.bounds[self.figure - 1]) * self.per_unit

    def _show(self, cost: Fraction | int) -> str:
        return f"{float(Fraction(cost, sum(self.lexicons.weights))):.9f}"

    def _fail(self, what: str, c: int) -> None:
        raise ProofError(f"Size {self.lexicons.size}, node {self.position} (numbers to {c} decided): {what}.")
