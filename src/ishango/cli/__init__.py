"""The command line: all commands, the choice among them, and errors turned into exit codes."""

from __future__ import annotations

import io
import os
import shutil
import sys
import warnings
from collections.abc import Mapping
from contextlib import nullcontext, suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Self, cast

from ishango.errors import plain_interrupts


class Command(NamedTuple):
    """A command and where it is written; nothing there is loaded before it is asked for."""

    gives: str
    module: str
    """The chapter that has the function `run_` with the command's name, from the request to exit code."""
    request: str
    """The dataclass in it whose fields are the options; its `read`, if it has one, makes one of arguments."""


class Group(NamedTuple):
    """Commands under one name."""

    gives: str
    about: str
    commands: dict[str, Command]


COMMANDS: dict[str, Command | Group] = {
    "describe": Command("what a numeral system costs, number by number", "describe", "Describe"),
    "languages": Command("human numeral systems and what they cost", "languages", "Languages"),
    "frontier": Command("the least average complexity of each size, proved", "frontier", "Frontier"),
    "check": Command("verify the proof of a frontier", "frontier", "Check"),
    "evolve": Command("a run of the paper's Algorithm 1", "evolve", "Evolve"),
    "generations": Command("a language passed on from parents to children", "evolve", "PassOn"),
    "learnability": Command("how fast a learner comes to understand one system", "evolve", "Learn"),
    "plans": Command("the plans that sweep plays by name", "sweep", "Plans"),
    "sweep": Command("many runs from a plan, on all cores", "sweep", "Sweep"),
    "restricted": Group(
        "approximate and exact restricted systems: costs, frontiers, agents",
        """Numeral systems without recursion: approximate and exact restricted ones.
Plans with experiment = "restricted" are played by ishango sweep.""",
        {
            "describe": Command("what a system's words mean and cost", "restricted", "RestrictedDescribe"),
            "languages": Command("the 30 languages of Xu, Liu and Regier's study", "restricted", "RestrictedLanguages"),
            "frontier": Command(
                "the best and the worst system of each number of words", "restricted", "RestrictedFrontier"
            ),
            "bands": Command("systems of all kinds side by side, as a figure", "restricted", "RestrictedBands"),
            "train": Command("let agents learn a system", "evolve", "RestrictedTrain"),
            "compare": Command(
                "where runs end, beside random systems and human ones", "selecting", "RestrictedCompare"
            ),
        },
    ),
    "kinds": Group(
        "one law for approximate, exact and recursive systems: which kind is best where",
        """One law for approximate, exact restricted and recursive systems:
cost = word x size + effort x E[length] + precision x E[error].
Plans with experiment = "kinds" or "kinds-generations" are played by ishango sweep.""",
        {
            "describe": Command("what a system of any kind says and costs under the law", "kinds", "KindsDescribe"),
            "optimum": Command("the best system at one precision and one price of a word", "kinds", "KindsOptimum"),
            "check": Command("verify the certificate of an optimum", "kinds", "KindsCheck"),
            "evolve": Command("Algorithm 1 for systems that may become any kind", "kinds", "KindsEvolve"),
            "generations": Command(
                "systems of every kind that are passed on, and may lose numbers", "kinds", "KindsGenerations"
            ),
            "diagram": Command("which kind is best where, and how near human languages come", "kinds", "KindsDiagram"),
        },
    ),
    "selection": Command("do runs select, and do they end nearer the frontier than drift", "selecting", "Selection"),
    "typology": Command("which mechanism predicts the numeral systems of the world", "selecting", "TypologyCommand"),
    "agents": Command(
        "the agents of a run: export them, read their language, talk to them", "finished_runs", "AgentsCommand"
    ),
    "table": Command("all rounds of all runs as one table", "finished_runs", "Table"),
    "archive": Command("finished runs in one small file, to keep or to share", "finished_runs", "Archive"),
    "unarchive": Command("runs out of such a file", "finished_runs", "Unarchive"),
    "explore": Command("a page to build systems, watch runs and talk to agents", "pages", "Explore"),
    "playground": Command("a story to play, and agents who learn in the browser", "pages", "Playground"),
    "reproduce": Command("the paper in one command: runs, figures, verdicts, a page", "pages", "Reproduce"),
    "results": Command("what the full reproduction has found, and such a page of your own", "pages", "Results"),
}
"""In the order of the help text."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command. 0: done, 1: failed, 2: the request is wrong, 130: interrupted."""
    arguments = sys.argv[1:] if arguments is None else arguments
    failed = _failed(arguments)
    if not _streams_are_open():
        return 2
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows only ASCII gets question marks
    warnings.showwarning = _show_warning
    try:
        with plain_interrupts():
            code = _dispatch(arguments)
        sys.stdout.flush()  # here, where a failure can still be told
        return code
    except KeyboardInterrupt:
        print(f"Interrupted.{_going_on(arguments)}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        _close_output()  # the reader went away (`ishango ... | head`), which is no error unless the code is an answer
        return 0 if failed == 1 else failed
    except OSError as error:
        if error.filename is not None:  # a full disk, a directory that was taken away: nothing is wrong in here
            print(f"ishango: {plain(str(error.filename))} fails: {error.strerror}.", file=sys.stderr)
            return failed
        _close_output()
        print(f"ishango: The output could not be written ({error.strerror}).", file=sys.stderr)
        return failed


def _failed(arguments: list[str]) -> int:
    """The exit code of a command that failed: 1, but 2 of those that check: 1 says that a proof does not hold."""
    return 2 if arguments[:1] == ["check"] or arguments[:2] == ["kinds", "check"] else 1


def _streams_are_open() -> bool:
    """Whether there is an output to write to; without one, the next file that is opened would take its place."""
    if cast(object, sys.stderr) is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123 - it stays open as long as the process
    if cast(object, sys.stdout) is None:
        print("ishango: Standard output is closed; write > /dev/null to see nothing.", file=sys.stderr)
        return False
    return True


_RESUMED = {
    **dict.fromkeys(("evolve", "generations", "learnability", "sweep", "reproduce"), "round"),
    **dict.fromkeys(("restricted train", "kinds evolve", "kinds generations"), "round"),
    "kinds diagram": "precision",
}
"""Commands that go on where they were interrupted, and after what."""


def _going_on(arguments: list[str]) -> str:
    asked = " ".join(arguments[:2])
    part = next((part for name, part in _RESUMED.items() if f"{asked} ".startswith(f"{name} ")), None)
    return f" The same command goes on after the last {part} that was finished." if part else ""


def _show_warning(message: Warning | str, *_where: object, **_how: object) -> None:
    print(f"ishango: {plain(str(message))}", file=sys.stderr)


_CONTROLS = dict.fromkeys([*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)])
"""Characters that a terminal may take for commands; tabs and ends of lines are none."""


def plain(text: str) -> str:
    """Text of somebody else's files as a terminal may have it: without what moves the cursor, colours or rings.

    >>> plain("red \\x1b[31mrum\\a")
    'red [31mrum'
    """
    return text.translate(_CONTROLS)


def _close_output() -> None:
    """Let nothing more be written, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _dispatch(arguments: list[str]) -> int:
    from ishango.errors import RequestError, RunError

    if not arguments or arguments[0] in ("-h", "--help"):
        print(help_text("ishango", "A laboratory for the evolution of numeral systems.", COMMANDS))
        print(
            "ishango --version prints the version, --print-completion bash (or zsh, fish) what the tab key completes."
        )
        return 0
    try:
        if arguments[0] == "--version":
            from ishango import __version__

            _refuse_more(arguments, 1)
            print(f"ishango {__version__}")
            return 0
        if arguments[0] == "--print-completion":
            from ishango.cli._parsing import completion

            _refuse_more(arguments, 2)
            print(completion(arguments[1] if len(arguments) > 1 else ""))
            return 0
        # One BLAS thread: kernels are small, and threads of several processes would fight for the cores.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        return _run(arguments)
    except (RequestError, RunError) as error:
        print(f"ishango: {plain(_with_flag(error, arguments))}", file=sys.stderr)
        return 2 if isinstance(error, RequestError) else 1
    except MemoryError:
        print("ishango: There is not enough memory for this; choose smaller sizes.", file=sys.stderr)
        return _failed(arguments)


def _refuse_more(arguments: list[str], taken: int) -> None:
    from ishango.errors import RequestError

    if more := " ".join(arguments[taken:]):
        raise RequestError(f"ishango {' '.join(arguments[:taken])} takes nothing more; leave out {more}.")


def _with_flag(error: Exception, arguments: list[str]) -> str:
    """What is wrong; an option with which the sentence begins is spelled as it was given here.

    >>> from ishango.errors import FieldError
    >>> _with_flag(FieldError("range", "range is 0, but must be more."), ["--game.range=0"])
    '--game.range is 0, but must be more.'
    """
    message, field = str(error), str(getattr(error, "field", "")).replace("_", "-")
    flags = (word.partition("=")[0] for word in arguments if word.startswith("--"))
    last = field.rpartition(".")[2]
    flag = next((each for each in flags if field and each.removeprefix("--").rpartition(".")[2] == last), None)
    return message if flag is None else f"{flag}{message[len(field) :]}"


def _run(arguments: list[str]) -> int:
    name, rest = arguments[0], arguments[1:]
    found = _named(name, COMMANDS)
    if isinstance(found, Group):
        if not rest or rest[0] in ("-h", "--help"):
            print(help_text(f"ishango {name}", found.about, found.commands))
            return 0
        name, found, rest = f"{name} {rest[0]}", _named(rest[0], found.commands, f"{name} "), rest[1:]
    assert isinstance(found, Command)  # groups have none within
    kept = _kept_help(name, rest)
    if kept is not None and kept.show():
        return 0
    from ishango.cli._output import announce_compilation
    from ishango.cli._parsing import HelpPrinted, parse

    announce_compilation()
    try:
        with kept or nullcontext():
            module = import_module(f"ishango.cli._{found.module}")
            request = getattr(module, found.request)
            command = request.read(name, rest) if hasattr(request, "read") else parse(request, name, rest)
            return getattr(module, f"run_{name.replace(' ', '_')}")(command)
    except HelpPrinted:
        return 0


class _KeptHelp(io.TextIOBase):
    """A command's help text, kept in the user's cache: to make it, all that its options come from must be loaded.

    It counts only beside the key it was made under. Within a `with` it is the standard output, and remembers.
    """

    def __init__(self, path: Path, key: str) -> None:
        self.path, self.key, self.written = path, key, list[str]()

    def show(self) -> bool:
        """Print what is kept, if it is still true."""
        try:
            key, _, text = self.path.read_text("utf-8").partition("\n")
        except (OSError, UnicodeError):
            return False
        if key == self.key:
            sys.stdout.write(text)
        return key == self.key

    def __enter__(self) -> Self:
        self.below, sys.stdout = sys.stdout, self
        return self

    def __exit__(self, kind: type[BaseException] | None, *_raised: object) -> None:
        from ishango.cli._parsing import HelpPrinted
        from ishango.errors import RunError
        from ishango.safe_files import write

        sys.stdout = self.below
        if kind is HelpPrinted:
            with suppress(OSError, RunError):  # without a place to keep it, it is made anew each time
                self.path.parent.mkdir(parents=True, exist_ok=True)
                write(self.path, f"{self.key}\n{''.join(self.written)}".encode())

    def write(self, text: str) -> int:
        self.written.append(text)
        return self.below.write(text)

    def flush(self) -> None:
        self.below.flush()

    def isatty(self) -> bool:
        return self.below.isatty()

    @property
    def encoding(self) -> str | None:  # pyright: ignore[reportIncompatibleVariableOverride] - a stream's is read only
        return self.below.encoding


def _kept_help(name: str, rest: list[str]) -> _KeptHelp | None:
    """Where the help that is asked for is kept; None if something else is asked for.

    None as well where entries may have been added in this process, or by files. The key has what else the text depends
    on: the source, which packages are installed, the terminal.
    """
    from ishango.safe_files import user_cache

    extended, place = "ishango.registry" in sys.modules or "ISHANGO_EXTENSIONS" in os.environ, user_cache()
    if len(rest) != 1 or rest[0] not in ("-h", "--help", "--help-all") or extended or place is None:
        return None
    source = sorted(Path(__file__).parents[1].rglob("*.py"))
    stamps = [(str(path), path.stat().st_mtime_ns) for path in [*source, *map(Path, sys.path)] if path.exists()]
    look = sys.stdout.isatty(), sys.stdout.encoding, shutil.get_terminal_size().columns, os.environ.get("TERM")
    settings = [(key, value) for key, value in sorted(os.environ.items()) if key.startswith("PYTHON_TYRO")]
    key = sha256(repr((sys.version, stamps, look, settings)).encode()).hexdigest()
    return _KeptHelp(place / f"help {name} {rest[0]}", key)


def _named(name: str, commands: Mapping[str, Command | Group], before: str = "") -> Command | Group:
    if name not in commands:
        from ishango.errors import RequestError
        from ishango.registry import refusal

        raise RequestError(refusal(f"command {before}".strip(), name, commands))
    return commands[name]


def help_text(program: str, about: str, commands: Mapping[str, Command | Group]) -> str:
    """What a program with commands says for `--help`."""
    width = max(map(len, commands))
    lines = [f"  {name:<{width}}  {each.gives}" for name, each in commands.items()]
    parts = [
        f"usage: {program} COMMAND ...",
        "",
        about,
        "",
        *lines,
        "",
        f"{program} COMMAND --help explains a command.",
    ]
    return "\n".join(parts)
