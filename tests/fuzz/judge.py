"""Makes calls and judges what comes of them."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import re
import resource
import select
import shutil
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from tests.fuzz.commands import calls
from tests.fuzz.world import build

from ishango.cli import COMMANDS, Group, main

LONGEST_SILENCE = 10.0
"""Seconds, on a machine that has nothing else to do; see `tolerance`."""
LONGEST_CALL = 30.0
MOST_MEMORY = 8 * 2**30
_HALF = re.compile(r"(\.tmp|\.part)$")
_PROGRESS = re.compile(r"First use: compiling|Preparing the explorer|.* s so far; Ctrl-C stops it$|\d\d:\d\d:\d\d ")
"""Lines for who waits, which may come before a refusal."""
_WARNING = re.compile(r"ishango: .* is damaged: .*|ishango: .* It is left out\.|ishango: Left out: .*")
"""Warnings about some of many runs, which do not end a call."""
_NAN = re.compile(r"(?<![\w.])(nan|NaN|inf|Infinity)(?![\w.])")


@dataclass(frozen=True)
class Answer:
    """What a call gave."""

    code: int | None
    """The exit code; negative for a signal, None for a call that was ended because it had told enough of its work."""
    out: str
    err: str
    silence: float
    """The longest time without a word, in seconds."""


class Judge:
    """Makes calls in a world of its own; `findings` are by kind and subject, with the first call of each."""

    def __init__(self, directory: Path) -> None:
        self.pristine, self.world = directory / "pristine", directory / "world"
        self.findings: dict[tuple[str, str], list[str]] = {}
        self.calls = 0
        self.codes: Counter[int | None] = Counter()
        self.pristine.mkdir()
        nothing = io.StringIO()
        with _inside(self.pristine), contextlib.redirect_stderr(nothing), contextlib.redirect_stdout(nothing):
            build(self.pristine)
        shutil.copytree(self.pristine, self.world)
        _preload()

    def fuzz(self, count: int, start: int = 0, quick: bool = False) -> None:
        """Make so many calls, drawn from the seed; quick ones only, if that is asked for."""

        @seed(start)
        @settings(max_examples=count, database=None, deadline=None, phases=[Phase.generate],
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        @given(calls(quick))
        def each(call: list[str]) -> None:
            self.judge(call)

        each()

    def judge(self, call: list[str]) -> None:
        """Make one call and note what is wrong with what comes of it."""
        self.calls += 1
        answer = answer_of(call, self.world)
        self.codes[answer.code] += 1
        command = " ".join(call[: 1 + (call[0] == "restricted")])
        if answer.silence > tolerance():
            self._find("silence", command, call)
        self._judge_words(call, command, answer)
        self._tidy(call)

    def _judge_words(self, call: list[str], command: str, answer: Answer) -> None:
        lines = [line for line in answer.err.strip().splitlines() if not _PROGRESS.match(line)]
        lines = [line for line in lines[:-1] if not _WARNING.fullmatch(line)] + lines[-1:]
        last = lines[-1][:120] if lines else "without a word"
        if "Traceback" in answer.err:
            self._find("traceback", f"{command}: {last}", call)
        elif answer.code not in (0, 1, 2, None):
            self._find("exit code", f"{command}: {answer.code} {last}", call)
        elif answer.code == 1 and call[0] not in ("sweep", "check"):
            self._find("failed", f"{command}: {last}", call)
        elif answer.code == 2 and not (len(lines) == 1 and re.fullmatch(r"ishango: .+[.?]", lines[0])):
            self._find("not one sentence", f"{command}: {' / '.join(lines)[:160]}", call)
        elif answer.code == 0 and _NAN.search(answer.out):
            self._find("nan", command, call)

    def _find(self, kind: str, about: str, call: list[str]) -> None:
        self.findings.setdefault((kind, re.sub(r"\d+", "N", about)), call)

    def _tidy(self, call: list[str]) -> None:
        """Notice what a call left behind, and lay the world anew if it has changed."""
        now = _inventory(self.world)
        for name in now:
            if _HALF.search(name):
                self._find("half a file", Path(name).name, call)
        if now != _inventory(self.pristine):
            shutil.rmtree(self.world)
            shutil.copytree(self.pristine, self.world)


def tolerance() -> float:
    """The longest silence, longer by as much as the cores are shared: others' work is not the command's fault."""
    shared = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    return min(LONGEST_SILENCE * shared, LONGEST_CALL - 5)  # a call that hangs is silent until it is ended


def _preload() -> None:
    """Load here what calls load on demand, so that their forks have it; what is loaded is not looked through again."""
    groups = [each.commands if isinstance(each, Group) else {name: each} for name, each in COMMANDS.items()]
    modules = {each.module for group in groups for each in group.values()}
    for name in (
        *(f"ishango.cli._{each}" for each in sorted(modules)),
        "ishango.explorer",
        "ishango.report._reproduction",
    ):
        import_module(name)
    gc.collect()
    gc.freeze()


def answer_of(call: list[str], world: Path) -> Answer:
    """Make a call in a fork of this process, so that neither a crash nor greed for memory ends more than that."""
    reads, writes = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        _child(call, world, reads[1], writes[1])
    for ours in (reads[1], writes[1]):
        os.close(ours)
    texts, silence, ended = _listen([reads[0], writes[0]])
    if not ended:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)  # workers that outlive their parent
    code = os.waitstatus_to_exitcode(status) if ended else None
    return Answer(code, *texts, silence)


def _child(call: list[str], world: Path, out: int, err: int) -> None:
    code = 70
    try:
        os.setsid()
        os.dup2(out, 1)
        os.dup2(err, 2)
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.chdir(world)
        warnings.resetwarnings()  # tests make errors of them
        warnings.simplefilter("ignore", DeprecationWarning)
        sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", 0), write_through=True)
        sys.stderr = io.TextIOWrapper(os.fdopen(2, "wb", 0), write_through=True)
        try:
            code = main(call)
        except SystemExit as exit:
            code = exit.code if isinstance(exit.code, int) else 1
        except BaseException:
            import traceback

            traceback.print_exc()
            code = 71
    finally:
        os._exit(code)


def _listen(pipes: list[int]) -> tuple[list[str], float, bool]:
    """What comes through the pipes until all are closed, the longest silence, and whether it ended in time."""
    began = last = time.monotonic()
    found: dict[int, bytes] = dict.fromkeys(pipes, b"")
    open_, silence = set(pipes), 0.0
    while open_ and time.monotonic() - began < LONGEST_CALL:
        ready, _, _ = select.select(list(open_), [], [], 0.5)
        now = time.monotonic()
        silence = max(silence, now - last)
        for pipe in ready:
            last = now
            data = os.read(pipe, 65536)
            found[pipe] += data
            if not data:
                open_.discard(pipe)
    for pipe in pipes:
        os.close(pipe)
    return [found[pipe].decode(errors="replace") for pipe in pipes], silence, not open_


def _inventory(directory: Path) -> dict[str, tuple[int, int]]:
    """Every file with its size and, rounded to what copying keeps, its time."""
    found: dict[str, tuple[int, int]] = {}
    for path in sorted(directory.rglob("*")):
        stat = path.lstat()
        file = path.is_file()
        found[str(path.relative_to(directory))] = (stat.st_size, stat.st_mtime_ns // 10**6) if file else (0, 0)
    return found


@contextlib.contextmanager
def _inside(directory: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)
