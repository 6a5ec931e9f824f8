"""The checker accepts what the solver proves and rejects what has been tampered with."""

from __future__ import annotations

import ast
import gzip
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ishango.errors import RequestError
from ishango.frontiers import KeptFrontier, Problem, ProofError, check, frontier, write_frontier, write_proof
from ishango.frontiers import _checker as checker
from ishango.frontiers import _proof as proof
from ishango.frontiers._proof import PROOF

Lines = list[dict[str, Any]]


def write(directory: Path, problem: Problem, sizes: range) -> None:
    points = list(frontier(problem, sizes))
    write_frontier(directory, problem, points)
    write_proof(directory, problem, points)


@pytest.mark.parametrize(("grammar", "last"), [("modified", 20), ("hurford", 12)])
def test_accepts_the_frontier(tmp_path: Path, grammar: Any, last: int) -> None:
    write(tmp_path, Problem(grammar), range(2, last + 1))
    assert [verdict.size for verdict in check(tmp_path)] == list(range(2, last + 1))


def test_a_call_verifies_all_before_it_returns(tmp_path: Path) -> None:
    """Who does not look at what comes back must not take silence for a proof."""
    told = list[int]()
    with pytest.raises(FileNotFoundError):
        check(tmp_path / "nowhere")
    write(tmp_path, Problem(), range(2, 5))
    assert len(check(tmp_path, tell=lambda size: told.append(size.size))) == 3
    assert told == [2, 3, 4]
    (tmp_path / "frontier.csv").write_text("size\n2\n3\n7\n")
    with pytest.raises(ProofError, match=r"frontier\.csv"):
        check(tmp_path)


@pytest.mark.parametrize(
    "problem",
    [
        Problem(overlap=True),
        Problem(max_multipliers=2),
        Problem("hurford", max_multipliers=2),
        Problem(need="uniform", upto=20),
        Problem(need="exp:0.1", upto=30),
        Problem(need="power:1.5", upto=30),
    ],
    ids=lambda p: "-".join(map(str, p.describe().values())),
)
def test_accepts_other_problems(tmp_path: Path, problem: Problem) -> None:
    write(tmp_path, problem, range(3, 9))
    assert len(list(check(tmp_path))) == 6


def test_accepts_a_proof_with_a_limit_of_its_own() -> None:
    """Written when the value limit was an option: hurford, uniform, range 20, limit 25."""
    before = Path(__file__).parents[1] / "fixtures" / "frontier-limit-25"
    assert [verdict.size for verdict in check(before)] == list(range(3, 9))
    with pytest.raises(RequestError, match="another problem"):
        KeptFrontier(before, Problem("hurford", "uniform", upto=20))


@pytest.mark.parametrize("upto", [11, 13, 15, 19])
def test_trees_are_whole_however_floats_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, upto: int) -> None:
    """An optimum such as 25/11, times 11 as a float, is above 25: another lexicon that costs as much is no better."""
    monkeypatch.setattr(proof, "CHUNK", 1)
    problem = Problem(need="uniform", upto=upto)
    write(tmp_path, problem, range(3, upto))
    assert len(list(check(tmp_path))) == upto - 3


def test_a_tree_that_finds_something_better_is_no_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "CHUNK", 1)
    problem = Problem(need="uniform", upto=20)
    point = replace(next(iter(frontier(problem, [8]))), average=Fraction(10))
    with pytest.raises(AssertionError, match="a better lexicon than the optimum"):
        write_proof(tmp_path, problem, [point])


def test_accepts_a_need_from_a_file(tmp_path: Path) -> None:
    table = tmp_path / "need.csv"
    table.write_text("number,need\n" + "".join(f"{n},{1 / n:.3f}\n" for n in range(1, 21)))
    write(tmp_path, Problem(need=f"file:{table}", upto=20), range(2, 8))
    assert len(list(check(tmp_path))) == 6


def test_accepts_floats_where_fractions_are_not_cheap(tmp_path: Path) -> None:
    write(tmp_path, Problem(need="power:60"), range(2, 3))
    assert len(list(check(tmp_path))) == 1
    assert not read(tmp_path)[0][0]["exact"]


@pytest.mark.parametrize("grammar", ["modified", "hurford"])
def test_accepts_proofs_that_record_neither_rules_nor_exactness(tmp_path: Path, grammar: str) -> None:
    write(tmp_path, Problem(grammar, upto=30), range(2, 8))
    lines, document = read(tmp_path)
    for problem in (lines[0]["problem"], document["problem"]):
        del problem["rules"]
    del lines[0]["exact"]
    rewrite(tmp_path, lines, document)
    assert len(list(check(tmp_path))) == 6
    for problem in (lines[0]["problem"], document["problem"]):
        problem["grammar"] = "latin"
    rewrite(tmp_path, lines, document)
    with pytest.raises(ProofError, match="does not say which rules the grammar latin has"):
        list(check(tmp_path))


def test_the_rules_count_not_the_name(tmp_path: Path) -> None:
    """A grammar that the checker has never heard of, with the rules of one that it knows."""
    write(tmp_path, Problem("hurford", upto=30), range(2, 8))
    lines, document = read(tmp_path)
    for problem in (lines[0]["problem"], document["problem"]):
        problem["grammar"] = "latin"
    rewrite(tmp_path, lines, document)
    assert len(list(check(tmp_path))) == 6
    for problem in (lines[0]["problem"], document["problem"]):
        problem["rules"] = {"bare_number": False, "bare_phrase": False, "plus": True, "minus": True}
    rewrite(tmp_path, lines, document)
    with pytest.raises(ProofError):
        list(check(tmp_path))


@pytest.mark.parametrize("rule", [{"multiplier_words": 1}, {"multiplier_words": 3}, {"flat": True}, {"minus": False}])
def test_what_a_multiplier_costs_counts(tmp_path: Path, rule: dict[str, Any]) -> None:
    write(tmp_path, Problem("natural+", upto=30), range(4, 8))
    assert len(list(check(tmp_path))) == 4
    lines, document = read(tmp_path)
    for problem in (lines[0]["problem"], document["problem"]):
        problem["rules"] |= rule
    rewrite(tmp_path, lines, document)
    with pytest.raises(ProofError):
        list(check(tmp_path))


@pytest.mark.parametrize("words", [0, True, "2", 1.5])
def test_a_multiplier_costs_a_whole_number_of_words(tmp_path: Path, words: object) -> None:
    write(tmp_path, Problem("natural+", upto=20), range(4, 5))
    lines, document = read(tmp_path)
    for problem in (lines[0]["problem"], document["problem"]):
        problem["rules"]["multiplier_words"] = words
    rewrite(tmp_path, lines, document)
    with pytest.raises(ProofError, match="not recorded as a whole number"):
        list(check(tmp_path))


def read(directory: Path) -> tuple[Lines, Any]:
    lines = [json.loads(line) for line in gzip.decompress((directory / PROOF).read_bytes()).splitlines()]
    return lines, json.loads((directory / "frontier.json").read_text())


def rewrite(directory: Path, lines: Lines, document: Any) -> None:
    (directory / PROOF).write_bytes(gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
    (directory / "frontier.json").write_text(json.dumps(document))


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


def swap_grammar_and_rules(lines: Lines, document: Any) -> None:
    swap_grammar(lines, document)
    for problem in (lines[0]["problem"], document["problem"]):
        problem["rules"] = {"bare_number": True, "bare_phrase": True, "plus": True, "minus": True}


def take_a_rule_away(lines: Lines, document: Any) -> None:
    for problem in (lines[0]["problem"], document["problem"]):
        problem["rules"]["minus"] = False


def impossible_rules(lines: Lines, document: Any) -> None:
    for problem in (lines[0]["problem"], document["problem"]):
        problem["grammar"] = "latin"
        problem["rules"]["bare_phrase"] = True


def forget_a_rule(lines: Lines, document: Any) -> None:
    for problem in (lines[0]["problem"], document["problem"]):
        del problem["rules"]["minus"]


def shift_weights_a_little(lines: Lines, _: Any) -> None:
    one, two, *others = map(Fraction, lines[0]["need"])
    lines[0]["need"] = list(map(str, (one + Fraction(1, 10**13), two - Fraction(1, 10**13), *others)))


def claim_exact_floats(lines: Lines, document: Any) -> None:
    lines[0]["problem"]["need"] = document["problem"]["need"] = "power:2.5"
    lines[0]["need"] = list(map(str, Problem(need="power:2.5", upto=20).exact_need))


def unknown_need_of_nothing(lines: Lines, document: Any) -> None:
    lines[0]["problem"]["need"] = document["problem"]["need"] = "latin:3"
    lines[0]["need"][0] = "1/2"


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
        swap_grammar_and_rules,
        allow_overlap,
        drop_tree,
        claim_lower_average,
    ],
)
def test_rejects_tampering(tmp_path: Path, tamper: Callable[[Lines, Any], None]) -> None:
    write(tmp_path, Problem(), range(8, 9))
    lines, document = read(tmp_path)
    tamper(lines, document)
    rewrite(tmp_path, lines, document)
    with pytest.raises(ProofError):
        list(check(tmp_path))


@pytest.mark.parametrize(
    ("tamper", "sentence"),
    [
        (take_a_rule_away, "rules are not those of the grammar modified"),
        (swap_grammar, "rules are not those of the grammar hurford"),
        (impossible_rules, "a phrase but not a numeral"),
        (forget_a_rule, "not recorded as true or false"),
        (shift_weights_a_little, "weights are not those of the need power:2"),
        (unknown_need_of_nothing, "weights of the need latin:3 do not add up to 1"),
        (claim_exact_floats, "cannot be recorded as exact"),
    ],
)
def test_rejects_a_header(tmp_path: Path, tamper: Callable[[Lines, Any], None], sentence: str) -> None:
    write(tmp_path, Problem(upto=20), range(4, 5))
    lines, document = read(tmp_path)
    tamper(lines, document)
    rewrite(tmp_path, lines, document)
    with pytest.raises(ProofError, match=sentence):
        list(check(tmp_path))


def divide_by_nothing(lines: Lines, _: Any) -> None:
    lines[0]["unit"] = 0


def average_of_nothing(lines: Lines, _: Any) -> None:
    lines[-1]["average"] = "1/0"


def bound_nothing(lines: Lines, _: Any) -> None:
    lines[-1]["bounds"][0] = float("inf")


def need_a_number(lines: Lines, document: Any) -> None:
    lines[0]["problem"]["need"] = document["problem"]["need"] = 5


def bound_below_is_no_number(_: Lines, document: Any) -> None:
    document["points"][-1]["lower_bound"] = float("nan")


def forget_the_size(_: Lines, document: Any) -> None:
    del document["points"][-1]["size"]


def forget_whether_proved(_: Lines, document: Any) -> None:
    del document["points"][-1]["proved"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("small")
    write(directory, Problem(upto=8), range(3, 5))
    (directory / "frontier.csv").unlink()
    return directory


@pytest.mark.parametrize(
    "damage",
    [divide_by_nothing, average_of_nothing, bound_nothing, need_a_number, bound_below_is_no_number],
)
def test_what_is_damaged_is_no_proof(small: Path, tmp_path: Path, damage: Callable[[Lines, Any], None]) -> None:
    lines, document = read(small)
    damage(lines, document)
    rewrite(tmp_path, lines, document)
    with pytest.raises(ProofError):
        list(check(tmp_path))


@pytest.mark.parametrize("damage", [forget_the_size, forget_whether_proved])
def test_what_is_damaged_is_not_added_to(small: Path, tmp_path: Path, damage: Callable[[Lines, Any], None]) -> None:
    lines, document = read(small)
    damage(lines, document)
    rewrite(tmp_path, lines, document)
    with pytest.raises(RequestError, match="is not a frontier"):
        KeptFrontier(tmp_path, Problem(upto=8))


def test_flipped_bits_are_no_proof(small: Path, tmp_path: Path) -> None:
    whole = (small / PROOF).read_bytes()
    (tmp_path / "frontier.json").write_bytes((small / "frontier.json").read_bytes())
    for place in range(12, len(whole) - 8, 40):
        (tmp_path / PROOF).write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        with pytest.raises(ProofError):
            list(check(tmp_path))
        with pytest.raises(RequestError, match="is not a proof"):
            KeptFrontier(tmp_path, Problem(upto=8))


def test_checker_shares_nothing_with_the_solver() -> None:
    folder = Path(checker.__file__).parent
    parts = ("_checker_bound", "_checker_reach")
    own = [f"ishango.frontiers.{name}" for name in parts]
    for name in ("_checker.py", *(f"{part}.py" for part in parts)):
        for node in ast.walk(ast.parse((folder / name).read_text())):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for module in modules:
                assert module is not None
                compiled = name == "_checker_reach.py" and module in ("numpy", "ishango.compiling")
                assert module in own or compiled or module.split(".")[0] in sys.stdlib_module_names
