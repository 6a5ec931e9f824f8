"""Put small faults into a copy of the source, one at a time, and list those that the tests of their room do not see.

    python -m tests.mutants [--each 2] [--only ROOM] [--out out/mutants.json] [--again]

Faults are signs, bounds and ties, first for last, minimum for maximum, low for high, filling forwards for backwards,
and those of `NAMED`. Of each file the same are drawn every time. A fault is seen if one of the file's tests fails, or
runs for longer than `LONGEST`. Results are kept: stopped at any moment, the same command goes on.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import signal
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ishango.safe_files import write

ROOT = Path(__file__).parents[1]
LONGEST = 240
"""Seconds after which tests that still run count as having seen the fault: it has made something endless."""

TESTS: dict[str, str] = {
    "analysis/comparable.py": "analysis/test_comparable.py analysis/test_copies.py",
    "analysis/ends.py": "analysis/test_study.py analysis/test_statistics.py",
    "analysis/selection.py": "analysis/test_two_axes.py analysis/test_novelty.py analysis/test_preference.py",
    "analysis/statistics.py": "analysis/test_statistics.py analysis/test_strength.py analysis/test_two_axes.py",
    "api/_descriptions.py": "api/test_results.py",
    "cli/_output.py": "cli/test_outputs.py cli/test_describe.py",
    "cli/_parsing.py": "cli/test_ignored.py cli/test_words.py",
    "cosinus/_spoken.py": "cosinus/test_glosses.py cosinus/test_measures.py",
    "costs/_automaton.py": "costs/test_automaton.py",
    "costs/_regularity.py": "costs/test_tied.py costs/test_objectives.py",
    "evolution/_choosers.py": "evolution/test_contests.py evolution/test_controls.py evolution/test_pressures.py",
    "evolution/_experiment.py": "evolution/test_evolve.py evolution/test_controls.py",
    "evolution/_modifications.py": "evolution/test_modifications.py",
    "explorer/_paths.py": "explorer/test_runs.py",
    "explorer/_summaries.py": "explorer/test_runs.py explorer/test_api.py",
    "figures/look.py": "figures/test_vega.py figures/test_steps.py",
    "figures/plane_figures.py": "figures/test_frontier.py",
    "frontiers/_checker.py": "frontiers/test_fooled.py frontiers/test_proof.py",
    "frontiers/_genetic.py": "frontiers/test_genetic.py",
    "frontiers/_measures.py": "frontiers/test_pareto.py frontiers/test_published.py",
    "game/_agents.py": "game/test_agents.py",
    "game/_play.py": "game/test_play.py game/test_imitation.py",
    "game/_round.py": "game/test_rewards.py game/test_pressures.py",
    "generations/_experiment.py": "generations/test_lab.py generations/test_populations.py",
    "kinds/_law.py": "kinds/test_law.py",
    "kinds/_partial_search.py": "kinds/test_search.py",
    "lab/_directory.py": "lab/test_formats.py lab/test_run.py",
    "lab/_plan.py": "lab/test_plan.py",
    "lab/_rounds.py": "lab/test_checkpoint.py lab/test_run.py",
    "lab/_tables.py": "lab/test_table.py",
    "lab/_view.py": "lab/test_view.py",
    "languages/_catalogue.py": "languages/test_read.py languages/test_table.py",
    "languages/_language.py": "languages/test_rules.py languages/test_read.py",
    "numerals/_expression.py": "numerals/test_expression.py",
    "numerals/_minimal.py": "numerals/test_minimal.py",
    "numerals/_need.py": "numerals/test_need.py",
    "numerals/_system.py": "numerals/test_system.py numerals/test_own_grammars.py",
    "report/_outcomes.py": "report/test_outcomes.py",
    "report/claims/_claim.py": "report/test_claims.py report/test_verdicts_evolution.py",
    "report/claims/_evolution_ends_claims.py": "report/test_verdicts_evolution.py",
    "report/claims/_frontier_claims.py": "report/test_verdicts_frontier.py",
    "report/claims/_learning_claims.py": "report/test_verdicts_learning.py",
    "restricted/_best_systems.py": "restricted/test_frontier.py",
    "restricted/_term_system.py": "restricted/test_system.py restricted/test_measures.py",
}
"""The files into which faults are put, and the tests that should see them, below `tests`."""

NAMED: list[tuple[str, str, str]] = [
    ("numerals/_expression.py", "node.value > limit)", "node.value >= limit)"),
    ("frontiers/_genetic.py", "proved = least.proved and average", "proved = average"),
    ("game/_play.py", "lost_entropy=0.0, listener_entropy=0.0", "lost_entropy=0.0"),
    ("analysis/statistics.py", "Interval(value - wide, value + wide,", "Interval(value + wide, value - wide,"),
    ("lab/_rounds.py", "if rounds > 1:", "if rounds > 2:"),
    ("report/_outcomes.py", 'before=played["accuracy"].shift()', 'before=played["accuracy"]'),
    ("generations/_experiment.py", "if self.rules.random_loss else", "if not self.rules.random_loss else"),
    ("generations/_ideal_kernel.py", "use[role, word] > best:", "use[role, word] >= best:"),
    ("kinds/_partial_search.py", "many[:, 1].any(axis=1) & many", "many[:, 1].any(axis=1) | many"),
    ("analysis/selection.py", "groupby(table[\"run\"]).shift()", "groupby(table[\"run\"]).shift(-1)"),
]  # fmt: skip
"""Faults that the tests once did not see."""
KERNELS = {"generations/_ideal_kernel.py": "generations/test_ideal.py generations/test_study.py"}
"""Files of named faults in which none are drawn, since each is compiled for a minute."""

REASONS: dict[str, str] = {
    "report/claims/_learning_claims.py  >  ->  >= ": "a mean share of exactly .05 is a matter of rounding",
}
"""Faults that may survive, by their file and what was changed, with the reason."""

COMPARED = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
SIGNS = {ast.Add: "-", ast.Sub: "+"}
OTHERS = {
    "min": "max", "max": "min", "ffill": "bfill", "bfill": "ffill", "any": "all", "all": "any", "argmin": "argmax",
    "argmax": "argmin", "low": "high", "high": "low",
}  # fmt: skip


class Mutant(NamedTuple):
    """One fault: a file below src/ishango, where in it, and what stands there instead."""

    file: str
    begin: int
    end: int
    old: str
    new: str
    line: int

    @property
    def name(self) -> str:
        """Its file and line, and what was changed."""
        return f"{self.file}:{self.line} {self.old} -> {self.new}"

    @property
    def tests(self) -> list[str]:
        """The files of tests that should see it."""
        return [f"tests/{each}" for each in (TESTS | KERNELS)[self.file].split()]


def faults(file: str, text: str) -> Iterator[Mutant]:
    """Every small fault that could be put into a file."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    data = text.encode()

    def mutant(node: ast.expr, after: ast.expr | None, new: str) -> Mutant:
        begin = starts[node.lineno - 1] + node.col_offset
        if after is None:
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        else:  # what stands between two expressions
            begin = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            end = starts[after.lineno - 1] + after.col_offset
        return Mutant(file, begin, end, data[begin:end].decode(), new, data[:begin].count(b"\n") + 1)

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
            yield mutant(node.left, node.comparators[0], f" {COMPARED[type(node.ops[0])]} ")
        elif isinstance(node, ast.BinOp) and type(node.op) in SIGNS and not _wordy(node):
            yield mutant(node.left, node.right, f" {SIGNS[type(node.op)]} ")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in OTHERS:
            yield mutant(node, None, OTHERS[node.id])
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr in OTHERS:
            whole = mutant(node, None, "")
            begin = whole.end - len(node.attr)
            yield whole._replace(begin=begin, old=node.attr, new=OTHERS[node.attr])
        elif isinstance(node, ast.Subscript) and ast.unparse(node.slice) in ("0", "-1"):
            yield mutant(node.slice, None, "-1" if ast.unparse(node.slice) == "0" else "0")


def _wordy(node: ast.BinOp) -> bool:
    """Whether something is put together rather than added; and what brackets hide is left alone."""
    sides = (node.left, node.right)
    return any(isinstance(each, (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp)) for each in sides) or any(
        isinstance(each, ast.Constant) and isinstance(each.value, str) for each in sides
    )


def drawn(each: int, only: str) -> list[Mutant]:
    """The named faults, and so many of each file."""
    found: list[Mutant] = []
    for file, old, new in NAMED:
        text = _source(file)
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
        begin = len(text[: text.index(old)].encode())
        found.append(Mutant(file, begin, begin + len(old.encode()), old, new, text[: text.index(old)].count("\n") + 1))
    for file in TESTS:
        known = sorted({(mutant.begin, mutant.new): mutant for mutant in faults(file, _source(file))
                        if "(" not in mutant.old and ")" not in mutant.old}.values())  # fmt: skip
        found += random.Random(zlib.crc32(file.encode())).sample(known, min(each, len(known)))
    return [mutant for mutant in found if mutant.file.startswith(only)]


def _source(file: str) -> str:
    return (ROOT / "src" / "ishango" / file).read_text(encoding="utf-8")


def lay(directory: Path) -> None:
    """A copy of the source, with its compiled kernels, and of the tests; links to everything else."""
    for path in ROOT.iterdir():
        if path.name in ("src", "tests"):
            shutil.copytree(path, directory / path.name, symlinks=True)
        elif path.name not in (".git", "out"):
            (directory / path.name).symlink_to(path)


def passes(directory: Path, tests: list[str]) -> bool:
    """Whether the tests pass on the copy, in a fork of this process, which has the libraries loaded already."""
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.chdir(directory)
        for stream in (1, 2):
            os.dup2(os.open(directory / "said.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
        for name in [name for name in sys.modules if name.split(".")[0] in ("ishango", "tests")]:
            del sys.modules[name]
        sys.path[:0] = [str(directory / "src"), str(directory)]
        os.environ["PYTHONPATH"] = f"{directory / 'src'}{os.pathsep}{directory}"
        sys.dont_write_bytecode = True
        import pytest

        os._exit(int(pytest.main(["-x", "-q", "-n", "0", "-p", "no:cacheprovider", *tests])))
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.05)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return False


def survives(mutant: Mutant, directory: Path) -> bool:
    """Whether the tests pass although the fault is there."""
    path = directory / "src" / "ishango" / mutant.file
    before = path.read_bytes()
    path.write_bytes(before[: mutant.begin] + mutant.new.encode() + before[mutant.end :])
    _forget(path)
    try:
        return passes(directory, mutant.tests)
    finally:
        path.write_bytes(before)
        _forget(path)


def _forget(path: Path) -> None:
    """Take away what Python has compiled of a file: a fault of the same length in the same second looks like it."""
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def main() -> int:
    """Try every fault that was not tried yet, and list the survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--each", type=int, default=2, help="faults drawn in each file")
    parser.add_argument("--only", default="", help="a room, or the beginning of a file's name in it")
    parser.add_argument("--out", type=Path, default=Path("out") / "mutants.json")
    parser.add_argument("--again", action="store_true", help="forget what is known")
    asked = parser.parse_args()
    import numba  # noqa: F401  # pyright: ignore[reportUnusedImport]
    import pandas  # noqa: F401  # pyright: ignore[reportUnusedImport]
    import pytest  # noqa: F401  # pyright: ignore[reportUnusedImport]
    import scipy.stats  # noqa: F401  # pyright: ignore

    asked.out.parent.mkdir(parents=True, exist_ok=True)
    known: dict[str, bool] = json.loads(asked.out.read_text()) if asked.out.is_file() and not asked.again else {}
    wanted = drawn(asked.each, asked.only)
    todo = [mutant for mutant in wanted if mutant.name not in known]
    with TemporaryDirectory() as scratch:
        lay(Path(scratch))
        sound: dict[tuple[str, ...], bool] = {}
        began = time.monotonic()
        for count, mutant in enumerate(todo, start=1):
            key = tuple(mutant.tests)
            if key not in sound:
                sound[key] = passes(Path(scratch), mutant.tests)
            if not sound[key]:
                print(f"{' '.join(key)}: fails without a fault, so {mutant.name} was not tried", flush=True)
                continue
            known[mutant.name] = survives(mutant, Path(scratch))
            write(asked.out, json.dumps(known, indent=1).encode())
            left = (time.monotonic() - began) / count * (len(todo) - count) / 60
            said = "SURVIVES" if known[mutant.name] else "seen"
            print(f"{count} of {len(todo)}, {left:.0f} min left: {said}: {mutant.name}", flush=True)
    return report([mutant.name for mutant in wanted if mutant.name in known], known)


def report(tried: list[str], known: dict[str, bool]) -> int:
    """Tell how many were seen, and name the others."""
    alive = [name for name in tried if known[name]]
    print(f"{len(tried)} faults, {len(tried) - len(alive)} seen, {len(alive)} survive")
    for name in alive:
        print(f"- {name}: {REASONS.get(name.partition(':')[0] + name[name.index(' ') :], 'no test sees it')}")
    return 0 if 20 * len(alive) <= len(tried) else 1


if __name__ == "__main__":
    sys.exit(main())
