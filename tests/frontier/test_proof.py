"""The checker accepts what the solver proves and rejects what has been tampered with."""

from __future__ import annotations

import ast
import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ishango.frontier import checker
from ishango.frontier.checker import ProofError, check
from ishango.frontier.exact import frontier
from ishango.frontier.frontier_files import write_frontier
from ishango.frontier.problem import Problem
from ishango.frontier.proof import PROOF, write_proof

Lines = list[dict[str, Any]]


def write(directory: Path, problem: Problem, sizes: range) -> None:
    points = list(frontier(problem, sizes))
    write_frontier(directory, problem, points)
    write_proof(directory, problem, points)


@pytest.mark.parametrize(("grammar", "last"), [("modified", 20), ("hurford", 12)])
def test_accepts_the_frontier(tmp_path: Path, grammar: Any, last: int) -> None:
    write(tmp_path, Problem(grammar), range(2, last + 1))
    assert [verdict.size for verdict in check(tmp_path)] == list(range(2, last + 1))


@pytest.mark.parametrize(
    "problem",
    [
        Problem(overlap=True),
        Problem(max_multipliers=2),
        Problem("hurford", max_multipliers=2),
        Problem(need="uniform", upto=20),
        Problem(need="exp:0.1", upto=30),
        Problem(need="power:1.5", upto=30),
        Problem("hurford", "uniform", upto=20, limit=25),
    ],
    ids=lambda p: "-".join(map(str, p.describe().values())),
)
def test_accepts_other_problems(tmp_path: Path, problem: Problem) -> None:
    write(tmp_path, problem, range(3, 9))
    assert len(list(check(tmp_path))) == 6


def test_accepts_a_need_from_a_file(tmp_path: Path) -> None:
    table = tmp_path / "need.csv"
    table.write_text("number,need\n" + "".join(f"{n},{1 / n:.3f}\n" for n in range(1, 21)))
    write(tmp_path, Problem(need=f"file:{table}", upto=20), range(2, 8))
    assert len(list(check(tmp_path))) == 6


def test_bytes_depend_on_the_problem_alone(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, Problem(), range(2, 8))
    assert (tmp_path / "one" / PROOF).read_bytes() == (tmp_path / "two" / PROOF).read_bytes()


def remove_node(lines: Lines, _: Any) -> None:
    # A pruned subtree and its bound vanish together: what is left parses but misses lexicons.
    tree = lines[-1]["tree"]
    last = tree.rindex("P")
    lines[-1]["tree"] = tree[:last] + tree[last + 1 :]
    del lines[-1]["bounds"][sum(letter in "PL" for letter in tree[:last])]


def remove_inner_node(lines: Lines, _: Any) -> None:
    tree = lines[-1]["tree"]
    first = tree.index("P")
    lines[-1]["tree"] = tree[:first] + tree[first + 1 :]
    del lines[-1]["bounds"][sum(letter in "PL" for letter in tree[:first])]


def raise_bound(lines: Lines, _: Any) -> None:
    lines[-1]["bounds"][first_pruned(lines)] += 1e-6


def lower_bound_below_incumbent(lines: Lines, document: Any) -> None:
    lines[-1]["bounds"][first_pruned(lines)] = document["points"][-1]["average_complexity"] - 1e-6


def prune_the_root(lines: Lines, document: Any) -> None:
    lines[-1]["tree"] = "P"
    lines[-1]["bounds"] = [document["points"][-1]["average_complexity"]]


def change_incumbent(lines: Lines, document: Any) -> None:
    for record in (lines[-1], document["points"][-1]):
        record["digits"][-1] += 5


def worse_incumbent(lines: Lines, document: Any) -> None:
    # A true average of another system: the tree holds a better one.
    problem = Problem()
    system = next(iter(frontier(problem, [8]))).system
    digits = (*system.digits[:-1], 50)
    worse = problem.average(type(system)(digits, system.multipliers))
    assert worse is not None
    for record in (lines[-1], document["points"][-1]):
        record["digits"] = list(digits)
    lines[-1]["average"] = str(worse)
    document["points"][-1]["average_complexity"] = float(worse)


def swap_need(lines: Lines, document: Any) -> None:
    lines[0]["problem"]["need"] = document["problem"]["need"] = "power:3"


def swap_need_and_weights(lines: Lines, document: Any) -> None:
    swap_need(lines, document)
    lines[0]["need"] = [str(weight) for weight in Problem(need="power:3").exact_need]


def swap_grammar(lines: Lines, document: Any) -> None:
    lines[0]["problem"]["grammar"] = document["problem"]["grammar"] = "hurford"


def allow_overlap(lines: Lines, document: Any) -> None:
    lines[0]["problem"]["overlap"] = document["problem"]["overlap"] = True


def drop_tree(lines: Lines, _: Any) -> None:
    del lines[-1]


def claim_lower_average(_: Lines, document: Any) -> None:
    document["points"][-1]["average_complexity"] -= 1e-9


def first_pruned(lines: Lines) -> int:
    tree = lines[-1]["tree"]
    return sum(letter in "PL" for letter in tree[: tree.index("P")])


@pytest.mark.parametrize(
    "tamper",
    [
        remove_node,
        remove_inner_node,
        raise_bound,
        lower_bound_below_incumbent,
        prune_the_root,
        change_incumbent,
        worse_incumbent,
        swap_need,
        swap_need_and_weights,
        swap_grammar,
        allow_overlap,
        drop_tree,
        claim_lower_average,
    ],
)
def test_rejects_tampering(tmp_path: Path, tamper: Callable[[Lines, Any], None]) -> None:
    write(tmp_path, Problem(), range(8, 9))
    lines = [json.loads(line) for line in gzip.decompress((tmp_path / PROOF).read_bytes()).splitlines()]
    document = json.loads((tmp_path / "frontier.json").read_text())
    tamper(lines, document)
    (tmp_path / PROOF).write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    (tmp_path / "frontier.json").write_text(json.dumps(document))
    with pytest.raises(ProofError):
        list(check(tmp_path))


def test_checker_shares_nothing_with_the_solver() -> None:
    folder = Path(checker.__file__).parent
    for name in ("checker.py", "checker_bound.py"):
        for node in ast.walk(ast.parse((folder / name).read_text())):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                assert module is not None
                assert module == "ishango.frontier.checker_bound" or module.split(".")[0] in sys.stdlib_module_names
