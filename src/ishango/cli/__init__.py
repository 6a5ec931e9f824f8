"""The command line: one module a command; this one chooses among them and turns errors into exit codes."""

from __future__ import annotations

import io
import os
import sys
import warnings
from importlib import import_module

from ishango.errors import plain_interrupts

COMMANDS = {
    "describe": "what a numeral system costs, number by number",
    "languages": "human numeral systems and what they cost",
    "frontier": "the least average complexity of each size, proved",
    "check": "verify the proof of a frontier",
    "evolve": "a run of the paper's Algorithm 1",
    "generations": "a language passed on from parents to children",
    "plans": "the plans that sweep plays by name",
    "sweep": "many runs from a plan, on all cores",
    "restricted": "approximate and exact restricted systems: costs, frontiers, agents",
    "kinds": "one law for approximate, exact and recursive systems: which kind is best where",
    "selection": "do runs select, and do they end nearer the frontier than a coin's",
    "agents": "the agents of a run: export them, read their language, talk to them",
    "table": "all rounds of all runs as one table",
    "archive": "finished runs in one small file, to keep or to share",
    "unarchive": "runs out of such a file",
    "explore": "a page to build systems, watch runs and talk to agents",
    "reproduce": "the paper in one command: runs, figures, verdicts, a page",
    "results": "what the full reproduction has found, and such a page of your own",
}
"""Commands in the order of the help text. The module of the same name has `main(arguments) -> exit code`."""


def main(arguments: list[str] | None = None) -> int:
    """Run one command. 0: done, 1: failed, 2: the request is wrong, 130: interrupted."""
    arguments = sys.argv[1:] if arguments is None else arguments
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
        print("Interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        _close_output()  # the reader went away (`ishango ... | head`), which is not an error
        return 0
    except OSError as error:
        if error.filename is not None:  # a full disk, a directory that was taken away: nothing is wrong in here
            print(f"ishango: {error.filename} fails: {error.strerror}.", file=sys.stderr)
            return 1
        _close_output()
        print(f"ishango: The output could not be written ({error.strerror}).", file=sys.stderr)
        return 1


def _show_warning(message: Warning | str, *_where: object, **_how: object) -> None:
    print(f"ishango: {message}", file=sys.stderr)


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
    if arguments[0] == "--version":
        from ishango import __version__

        print(f"ishango {__version__}")
        return 0
    try:
        if arguments[0] == "--print-completion":
            from ishango.cli.completion import completion

            print(completion(arguments[1] if len(arguments) > 1 else ""))
            return 0
        if arguments[0] not in COMMANDS:
            raise RequestError(f"There is no command {arguments[0]!r}; choose one of {', '.join(COMMANDS)}.")
        # One BLAS thread: kernels are small, and threads of several processes would fight for the cores.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from ishango.cli.announcing import announce_compilation

        announce_compilation()
        return _run(arguments[0], arguments[1:])
    except (RequestError, RunError) as error:
        print(f"ishango: {error}", file=sys.stderr)
        return 2 if isinstance(error, RequestError) else 1
    except MemoryError:
        print("ishango: There is not enough memory for this; choose smaller sizes.", file=sys.stderr)
        return 1


def _run(command: str, arguments: list[str]) -> int:
    from ishango.cli.parsing import HelpPrinted

    try:
        return import_module(f"ishango.cli.{command}").main(arguments)
    except HelpPrinted:
        return 0


def help_text(program: str, about: str, commands: dict[str, str]) -> str:
    """What a program with commands says for `--help`."""
    width = max(map(len, commands))
    lines = [f"  {name:<{width}}  {summary}" for name, summary in commands.items()]
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
