"""Put small faults into a copy of the source, one at a time, and list those that the tests of their room do not see.

    python -m tests.mutants [--each 2] [--only ROOM] [--minutes M] [--out out/mutants.json] [--again] [--jobs 2]

Faults are signs, bounds and ties, first for last, minimum for maximum, low for high, filling forwards for backwards,
and those of `NAMED`. Of each file the same are drawn every time. A fault is seen if an example in the file's
docstrings or one of its tests fails that passes without the fault, if they crash, or if they run for longer than
`LONGEST`. What cannot matter is named in `EQUIVALENT` and not tried. Results are kept:
stopped at any moment, the same command goes on.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import importlib
import json
import os
import random
import resource
import shutil
import signal
import sys
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import entry_points
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numba.core.caching as numba_caching

from ishango.safe_files import write

ROOT = Path(__file__).parents[1]
LONGEST = 240
"""Seconds of processor time after which tests that still run count as having seen the fault: it has no end."""
ENDLESS, SAYS, BROKEN = "no end", "pytest says", "not tried, fails without a fault:"

_LOADED = "ignore::pytest.PytestAssertRewriteWarning"
"""Plugins are loaded before pytest can rewrite their assertions."""
_stamps: Any = getattr(numba_caching, "_SourceFileBackedLocatorMixin")  # noqa: B009
_stamp_of = _stamps.get_source_stamp
_sound: set[str] = set()
"""Tests that were seen to pass without a fault."""
_directory = Path()

TESTS: dict[str, str] = {
    "analysis/comparable.py": "analysis/test_comparable.py analysis/test_copies.py",
    "analysis/ends.py": "analysis/test_study.py analysis/test_statistics.py",
    "analysis/selection.py": "analysis/test_preference.py analysis/test_two_axes.py",
    "analysis/statistics.py": "analysis/test_statistics.py analysis/test_strength.py analysis/test_two_axes.py",
    "api/_descriptions.py": "api/test_results.py",
    "cli/_output.py": "cli/test_outputs.py cli/test_waiting.py cli/test_describe.py",
    "cli/_parsing.py": "cli/test_ignored.py cli/test_words.py cli/test_restricted.py",
    "cosinus/_spoken.py": "cosinus/test_glosses.py cosinus/test_measures.py",
    "costs/_automaton.py": "costs/test_automaton.py",
    "costs/_regularity.py": "costs/test_tied.py costs/test_objectives.py",
    "evolution/_choosers.py": "evolution/test_contests.py evolution/test_controls.py evolution/test_pressures.py",
    "evolution/_experiment.py": "evolution/test_evolve.py evolution/test_controls.py evolution/test_contests.py"
    " evolution/test_pressures.py",
    "evolution/_modifications.py": "evolution/test_modifications.py evolution/test_evolve.py",
    "explorer/_paths.py": "explorer/test_plane.py explorer/test_runs.py",
    "explorer/_summaries.py": "explorer/test_runs.py explorer/test_kinds.py explorer/test_api.py",
    "figures/look.py": "figures/test_answer.py figures/test_vega.py figures/test_steps.py figures/test_restricted.py",
    "figures/plane_figures.py": "figures/test_frontier.py",
    "frontiers/_checker.py": "frontiers/test_fooled.py frontiers/test_proof.py",
    "frontiers/_genetic.py": "frontiers/test_genetic.py",
    "frontiers/_measures.py": "frontiers/test_pareto.py frontiers/test_published.py",
    "game/_agents.py": "game/test_agents.py",
    "game/_play.py": "game/test_play.py game/test_imitation.py",
    "game/_round.py": "game/test_rewards.py game/test_pressures.py",
    "generations/_experiment.py": "generations/test_lab.py generations/test_neural.py generations/test_populations.py"
    " generations/test_measures.py",
    "kinds/_law.py": "kinds/test_law.py",
    "kinds/_optimum.py": "kinds/test_search.py",
    "lab/_directory.py": "lab/test_formats.py lab/test_run.py",
    "lab/_plan.py": "lab/test_plan.py",
    "lab/_rounds.py": "lab/test_checkpoint.py lab/test_run.py",
    "lab/_tables.py": "lab/test_table.py",
    "lab/_view.py": "lab/test_view.py",
    "languages/_catalogue.py": "languages/test_read.py languages/test_table.py languages/test_world.py",
    "languages/_language.py": "languages/test_rules.py languages/test_read.py",
    "learnability/_experiment.py": "learnability/test_experiment.py",
    "learnability/_options.py": "learnability/test_systems.py learnability/test_experiment.py",
    "numerals/_expression.py": "numerals/test_expression.py",
    "numerals/_minimal.py": "numerals/test_listing.py numerals/test_minimal.py generations/test_said.py",
    "numerals/_need.py": "numerals/test_need.py",
    "numerals/_system.py": "numerals/test_system.py numerals/test_own_grammars.py",
    "report/_outcomes.py": "report/test_outcomes.py",
    "report/claims/_claim.py": "report/test_claims.py report/test_verdicts_evolution.py",
    "report/claims/_evolution_claims.py": "report/test_verdicts_evolution.py",
    "report/claims/_frontier_claims.py": "report/test_verdicts_frontier.py",
    "report/claims/_learning_claims.py": "report/test_verdicts_learning.py",
    "restricted/_best_systems.py": "restricted/test_frontier.py",
    "restricted/_term_system.py": "restricted/test_system.py restricted/test_measures.py",
    "studies/chains.py": "generations/test_stationary.py",
}
"""The files into which faults are put, and the tests that should see them, below `tests`."""

NAMED: list[tuple[str, str, str]] = [
    ("numerals/_expression.py", "node.value > limit)", "node.value >= limit)"),
    ("frontiers/_genetic.py", "proved = least.proved and average", "proved = average"),
    ("game/_play.py", "lost_entropy=0.0, listener_entropy=0.0", "lost_entropy=0.0"),
    ("analysis/statistics.py", "Interval(value - wide, value + wide,", "Interval(value + wide, value - wide,"),
    ("lab/_rounds.py", "if rounds > 1:", "if rounds > 2:"),
    ("report/_outcomes.py", 'before=played["accuracy"].shift()', 'before=played["accuracy"]'),
    ("studies/chains.py", "_use(words, options)[1], -1.0)", "_use(words, options)[1], 0.0)"),
    ("explorer/_summaries.py", 'str(config["grammar"]), int(', '"hurford", int('),
    ("generations/_experiment.py", "if self.rules.random_loss else", "if not self.rules.random_loss else"),
    ("generations/_ideal_kernel.py", "use[role, word] > best:", "use[role, word] >= best:"),
    ("kinds/_optimum.py", "many[:, 1].any(axis=1) & many", "many[:, 1].any(axis=1) | many"),
    ("analysis/selection.py", "groupby(table[\"run\"]).shift()", "groupby(table[\"run\"]).shift(-1)"),
]  # fmt: skip
"""Faults that the tests once did not see."""
ALONE = {"generations/_ideal_kernel.py": "generations/test_ideal.py generations/test_study.py"}
"""Files of named faults in which none are drawn, since each is compiled for a minute."""

EQUIVALENT: list[tuple[str, str, str]] = [
    ("kinds/_law.py", "(2.0 * most - 1.0)", "more leaves are looked for in vain: none cost less than what is known"),
    ("frontiers/_genetic.py", "or n + 1, n - 1)", "n - 1 is the most anyway"),
    ("cli/_parsing.py", 'set(line) < {"─", "-"}', "no rule of a box has both signs, so none is the whole set"),
    ("figures/look.py", '{"csv": _csv(table)})[-1]', "a list of the one file that was written"),
    ("game/_agents.py", "(agent.steps < 0).all()", "an agent has one number of steps"),
    ("kinds/_optimum.py", "(lexicon[None])[-1]", "of one lexicon the last cost is the first"),
    ("report/_outcomes.py", "most=1)[-1]", "a list of one run at the most"),
    ("lab/_rounds.py", "{refused[-1]}", "only the first of two checkpoints can have been refused here"),
    ("evolution/_choosers.py", "practised <= most", "no step more is reported once more: the same words again"),
]
"""Faults that change nothing that can be told: the file, its line with the fault, and why. They are not tried."""

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
    column: int

    @property
    def name(self) -> str:
        """Its file, line and column, and what was changed."""
        return f"{self.file}:{self.line}:{self.column} {self.old} -> {self.new}"

    @property
    def tests(self) -> list[str]:
        """The files of tests that should see it."""
        return [f"tests/{each}" for each in (TESTS | ALONE)[self.file].split()]

    @property
    def examples(self) -> list[str]:
        """Where its docstrings have examples; pytest loads such a file once more, so they are run apart from tests."""
        shown = not self.file.startswith("studies/") and ">>>" in _source(self.file)
        return [f"src/ishango/{self.file}"] if shown else []


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
        return _mutant(file, data, begin, end, new)

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
            yield _mutant(file, data, begin, whole.end, OTHERS[node.attr])
        elif isinstance(node, ast.Subscript) and ast.unparse(node.slice) in ("0", "-1"):
            yield mutant(node.slice, None, "-1" if ast.unparse(node.slice) == "0" else "0")


def _mutant(file: str, data: bytes, begin: int, end: int, new: str) -> Mutant:
    line, column = data.count(b"\n", 0, begin) + 1, begin - data.rfind(b"\n", 0, begin)
    return Mutant(file, begin, end, data[begin:end].decode(), new, line, column)


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
        found.append(_mutant(file, text.encode(), begin, begin + len(old.encode()), new))
    for file in TESTS:
        known = sorted({(mutant.begin, mutant.new): mutant for mutant in faults(file, _source(file))
                        if "(" not in mutant.old and ")" not in mutant.old}.values())  # fmt: skip
        found += random.Random(zlib.crc32(file.encode())).sample(known, min(each, len(known)))
    return [mutant for mutant in found if mutant.file.startswith(only)]


def equivalent(mutant: Mutant) -> str:
    """Why a fault changes nothing; nothing if it may."""
    text = _source(mutant.file).encode()
    sound = text.splitlines()[mutant.line - 1].decode()
    faulty = (text[: mutant.begin] + mutant.new.encode() + text[mutant.end :]).splitlines()[mutant.line - 1].decode()
    return next((why for file, line, why in EQUIVALENT
                 if file == mutant.file and line in faulty and line not in sound), "")  # fmt: skip


def _source(file: str) -> str:
    return place(ROOT, file).read_text(encoding="utf-8")


def lay(directory: Path) -> None:
    """A copy of the source, with its compiled kernels, and of the tests; links to everything else."""
    for path in ROOT.iterdir():
        if path.name in ("src", "studies", "tests"):
            ignored = shutil.ignore_patterns(*["*.xz"] * (path.name == "studies"))
            shutil.copytree(path, directory / path.name, symlinks=True, ignore=ignored)
        elif path.name not in (".git", "out"):
            (directory / path.name).symlink_to(path)
    for path in (ROOT / "studies").glob("*.xz"):
        (directory / "studies" / path.name).symlink_to(path)
    compileall.compile_dir(directory / "src", quiet=2)


class First:
    """The first test that fails, as pytest tells it."""

    test = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.test = self.test or (report.nodeid if report.failed else "")

    def pytest_collectreport(self, report: Any) -> None:
        self.test = self.test or (report.nodeid if report.failed else "")


def fails(directory: Path, tests: list[str], mutant: Mutant | None = None) -> str:
    """The first test that fails on the copy, with a fault or without."""
    if mutant is None:
        return _played(directory, tests, None)
    path = place(directory, mutant.file)
    before, stat = path.read_bytes(), path.stat()
    _forget(path)
    try:
        return _played(directory, tests, mutant)
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        _forget(path)


def _played(directory: Path, tests: list[str], mutant: Mutant | None) -> str:
    """Run tests in a fork of this process, which has the libraries loaded already.

    Nothing that the fault does not touch is compiled anew: outside of kernels it is put in when the digest of all
    kernels is known, and the stamp of its file stays as it was.
    """
    sys.stdout.flush()
    said = directory / "said.txt"
    said.unlink(missing_ok=True)
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.chdir(directory)
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
        for stream in (1, 2):
            os.dup2(os.open(directory / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
        for name in [name for name in sys.modules if name.split(".")[0] in ("ishango", "studies", "tests")]:
            del sys.modules[name]
        sys.path[:0] = [str(directory / "src"), str(directory)]
        os.environ["PYTHONPATH"] = f"{directory / 'src'}{os.pathsep}{directory}"
        if mutant is not None:
            path = place(directory, mutant.file)
            text = path.read_bytes()
            if not in_kernel(text.decode(), mutant.line):
                importlib.import_module("ishango.compiling")
                sound = path.stat()
                _stamps.get_source_stamp = lambda of: (
                    (sound.st_mtime, sound.st_size) if of._py_file == str(path) else _stamp_of(of)
                )
            path.write_bytes(text[: mutant.begin] + mutant.new.encode() + text[mutant.end :])
        import pytest

        first = First()
        code = int(pytest.main(["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-W", _LOADED, *tests], [first]))
        said.write_text(first.test or (f"{SAYS} {code}" if code not in (0, 5) else ""))
        os._exit(0)
    until = time.monotonic() + 3 * LONGEST
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended and said.is_file():
            return said.read_text()
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return ENDLESS if -code in (signal.SIGXCPU, signal.SIGKILL) else f"{SAYS} {code}"
        time.sleep(0.05)
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return ENDLESS


def in_kernel(text: str, line: int) -> bool:
    """Whether a line is part of what `ishango.compiling` compiles, or of a constant that it may hold."""
    if "ishango.compiling" not in text:
        return False
    for node in ast.parse(text).body:
        if node.lineno <= line <= (node.end_lineno or 0):
            if isinstance(node, ast.FunctionDef):
                return any(ast.unparse(each) in ("entry", "jit") for each in node.decorator_list)
            return not isinstance(node, ast.ClassDef)
    return False


def seen_by(mutant: Mutant, directory: Path) -> str:
    """The test that fails because of a fault; nothing if all pass, and what fails without the fault is told."""
    parts = [part for part in (mutant.examples, mutant.tests) if part]
    test = next((test for part in parts if (test := fails(directory, part, mutant))), "")
    if test in ("", ENDLESS) or test in _sound:
        return test
    if test.startswith(SAYS):
        broken = any(fails(directory, part) for part in parts)
    else:
        broken = fails(directory, ["--collect-only", test] if test in [*mutant.examples, *mutant.tests] else [test])
    if broken:
        return f"{BROKEN} {test}"
    _sound.add(test)
    return test


def place(directory: Path, file: str) -> Path:
    """Where a file lies: in the package, or in the scripts of studies."""
    return directory / file if file.startswith("studies/") else directory / "src" / "ishango" / file


def _forget(path: Path) -> None:
    """Take away what Python has compiled of a file: a fault of the same length in the same second looks like it."""
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def begin(scratch: str) -> None:
    """What a process does before its first fault: lay out its own copy."""
    global _directory
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _directory = Path(scratch) / str(os.getpid())
    _directory.mkdir()
    lay(_directory)


def attempt(mutant: Mutant) -> tuple[Mutant, str, float]:
    """Try a fault in this process's copy: which test sees it, and how many seconds that took."""
    began = time.monotonic()
    return mutant, seen_by(mutant, _directory), time.monotonic() - began


def main() -> int:
    """Try every fault that was not tried yet, and list the survivors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--each", type=int, default=2, help="faults drawn in each file")
    parser.add_argument("--only", default="", help="a room, or the beginning of a file's name in it")
    parser.add_argument("--out", type=Path, default=Path("out") / "mutants.json")
    parser.add_argument("--again", action="store_true", help="try once more what survived")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin nothing after so many")
    parser.add_argument("--jobs", type=int, default=2, help="processes, each with a copy of its own")
    asked = parser.parse_args()
    for plugin in entry_points(group="pytest11"):
        plugin.load()
    for library in ("numba", "pandas", "scipy.stats", "altair", "duckdb"):
        importlib.import_module(library)

    asked.out.parent.mkdir(parents=True, exist_ok=True)
    known: dict[str, str] = json.loads(asked.out.read_text()) if asked.out.is_file() else {}
    every = drawn(asked.each, asked.only)
    wanted = [mutant for mutant in every if not equivalent(mutant)]
    todo = [mutant for mutant in wanted if mutant.name not in known or (asked.again and not known[mutant.name])]
    began = time.monotonic()
    fork = get_context("fork")
    with TemporaryDirectory() as scratch, ProcessPoolExecutor(asked.jobs, fork, begin, (scratch,)) as pool:
        for count, ended in enumerate(as_completed([pool.submit(attempt, mutant) for mutant in todo]), start=1):
            mutant, test, seconds = ended.result()
            said = f"seen by {test}" if test else "SURVIVES"
            if test.startswith(BROKEN):
                said = test
            else:
                known[mutant.name] = test
                write(asked.out, json.dumps(known, indent=1).encode())
            print(f"{count} of {len(todo)}, {seconds:.0f} s: {mutant.name}: {said}", flush=True)
            if time.monotonic() - began > 60 * asked.minutes:
                pool.shutdown(cancel_futures=True)
                break
    for mutant in every:
        if why := equivalent(mutant):
            print(f"left out: {mutant.name}: {why}")
    return report([mutant for mutant in wanted if mutant.name in known], known)


def report(tried: list[Mutant], known: dict[str, str]) -> int:
    """Tell how many were seen, and name the others."""
    alive = [mutant for mutant in tried if not known[mutant.name]]
    endless = sum(known[mutant.name] == ENDLESS for mutant in tried)
    print(f"{len(tried)} faults, {len(tried) - len(alive)} seen ({endless} without an end), {len(alive)} survive")
    for mutant in alive:
        print(f"- {mutant.name}")
    return 0 if 20 * len(alive) <= len(tried) else 1


if __name__ == "__main__":
    sys.exit(main())
