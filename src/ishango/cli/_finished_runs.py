"""What to do with finished runs: `ishango agents`, `table`, `archive` and `unarchive`."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import tyro

from ishango import game
from ishango.cli import plain
from ishango.cli._output import console, data_table, decimals, plural, print_json, ready_file, records, waiting
from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, Evolution, with_brackets
from ishango.lab import Checkpoint, RunView, archive, interruptible, list_archive, unarchive
from ishango.restricted import LEARNING, Learning, numbers


@dataclass(frozen=True, eq=False)
class RunAgents:
    """Speaker and listener after a round, and the expression that the speaker reads for each number."""

    round: int
    agents: game.Agents
    expressions: game.Expressions
    written: Mapping[int, str]
    """The same for people: with brackets where they matter."""


def saved_agents(directory: Path) -> RunAgents:
    """The agents as the run's last checkpoint has them; of a run that goes on these change."""
    view = RunView(directory)
    readers = {EVOLUTION.name: _of_evolution, LEARNING.name: _of_learning}
    if view.kind is None or view.kind.name not in readers:
        raise RequestError(f"The run in {directory} is not of {' or '.join(readers)}, whose agents can be asked.")
    return readers[view.kind.name](view.config, view.last_checkpoint(), directory)


# The need plays no part here, and its file may be gone.


def _of_evolution(config: Mapping[str, Any], checkpoint: Checkpoint, directory: Path) -> RunAgents:
    game.require_kernel(config["players"])
    evolution = Evolution(EVOLUTION.options_from({**config, "need": "uniform", "eval_need": None}))
    state = checkpoint.load(evolution)
    if state.agents is None:
        raise RequestError(f"Nobody talks in the run in {directory}; choose one in which communication decides.")
    said, written = evolution.words(state.system, state.names), with_brackets(state.system, evolution.options)
    return RunAgents(checkpoint.round, game.kernel_agents(state.agents), said, written)


def _of_learning(config: Mapping[str, Any], checkpoint: Checkpoint, directory: Path) -> RunAgents:  # noqa: ARG001 - as the other reader
    learning = Learning(LEARNING.options_from({**config, "need": "uniform"}))
    said = numbers(learning.options.game.upto)
    written = {number: " ".join(tokens) for number, tokens in said.items()}
    return RunAgents(checkpoint.round, checkpoint.load(learning).agents, said, written)


# `ishango agents`: the agents of a run, to take away, to read and to talk to.

SHOWN = 3
"""Guesses and symbols that are shown beside the likeliest."""


@dataclass(frozen=True)
class AgentsCommand:
    """Export the agents of a run, read their language, or talk to them; the run stays as it is.

    export writes their parameters as safetensors, which PyTorch loads. dictionary lists what they say for each number
    and what is understood. say 42 tells what the speaker says for 42, hear "7 13" what the listener makes of these
    symbols. Agents are those of the last checkpoint.

    Example: ishango agents out/first say 42
    """

    directory: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="DIR")]
    """The directory of a run in which agents talk."""
    do: Annotated[Literal["export", "dictionary", "say", "hear"], tyro.conf.Positional]
    """What to do with them."""
    words: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="[NUMBER|SYMBOLS ...]")] = ()
    """The number for say; the symbols for hear, from 0 up, with spaces between them."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="FILE")] = None
    """The file of export; for dictionary, a CSV file instead of a table for people."""
    json: bool = False
    """Print one JSON document."""


def run_agents(command: AgentsCommand) -> int:
    _refuse_ignored(command)
    number = _number(command.words) if command.do == "say" else 0
    message = _symbols(command.words) if command.do == "hear" else []
    ready_file(command.out)
    pair = saved_agents(command.directory)
    if command.do == "export":
        return _export(command, pair)
    if command.do == "dictionary":
        return _dictionary(command, pair)
    longest = max(map(len, pair.expressions.values()))
    if len(message) > longest:
        print(
            f"ishango: No number is said with {len(message)} symbols; the longest message has {longest}.",
            file=sys.stderr,
        )
    return _talk(command, exchange(pair, number) if command.do == "say" else understood(pair, message))


def exchange(pair: RunAgents, number: int) -> dict[str, Any]:
    said = game.speak(pair.agents, pair.expressions, number)
    message = [int(symbol) for symbol in said.argmax(-1)]
    others = [_likeliest(each, "symbol", 0) for each in said]
    document = {"number": number, "expression": pair.written[number], "message": message}
    return document | {"said": float(said.max(-1).prod()), "symbols": others} | understood(pair, message)


def understood(pair: RunAgents, message: list[int]) -> dict[str, Any]:
    guesses = game.listen(pair.agents, message)
    return {"message": message, "heard": int(guesses.argmax()) + 1, "guesses": _likeliest(guesses, "number", 1)}


def _likeliest(probabilities: np.ndarray, name: str, first: int) -> list[dict[str, Any]]:
    order = np.argsort(-probabilities, kind="stable")[: SHOWN + 1]
    return [{name: int(each) + first, "probability": float(probabilities[each])} for each in order]


def _export(command: AgentsCommand, pair: RunAgents) -> int:
    assert command.out is not None
    game.export(pair.agents, command.out)
    print(f"The agents after round {pair.round} are in {command.out}", file=sys.stderr)
    return 0


def _dictionary(command: AgentsCommand, pair: RunAgents) -> int:
    if command.out is not None:
        game.write_dictionary(pair.agents, pair.expressions, command.out, pair.written)
        print(f"{plural(len(pair.expressions), 'number')} in {command.out}", file=sys.stderr)
        return 0
    table = game.dictionary(pair.agents, pair.expressions, pair.written)
    if command.json:
        print_json({"round": pair.round, "entries": records(table)})
    else:
        console().print(data_table(table.drop(columns="topographic_similarity")))
        similarity = float(table["topographic_similarity"].iloc[0])  # none where all say the same
        understood = int((table["heard"] == table["number"]).sum())
        console().print(
            f"after round {pair.round}: {understood} of {plural(len(table), 'number')} understood, with"
            f" {plural(table['message'].nunique(), 'different message')}; topographic similarity"
            f" {decimals(similarity if math.isfinite(similarity) else None, 3)}"
        )
        console().print(
            "said: the probability that the speaker says just this; understood: that the listener then guesses the"
            " number; shared by: numbers with this message, this one included"
        )
    return 0


def _talk(command: AgentsCommand, told: dict[str, Any]) -> int:
    if command.json:
        print_json(told)
        return 0
    message = " ".join(map(str, told["message"]))
    out = console()
    if command.do == "say":
        out.print(f"{told['number']} is {told['expression']}")
        out.print(f"the speaker says {message}  (probability {told['said']:.3f})")
        for place, symbols in enumerate(told["symbols"], 1):
            out.print(f"  symbol {place}: {_listed(symbols, 'symbol')}")
    else:
        out.print(f"the listener hears {message}")
    out.print(f"the listener understands {told['heard']}")
    out.print(f"  guesses: {_listed(told['guesses'], 'number')}")
    return 0


def _listed(likeliest: list[dict[str, Any]], name: str) -> str:
    return ", ".join(f"{each[name]} ({each['probability']:.3f})" for each in likeliest)


def _refuse_ignored(command: AgentsCommand) -> None:
    if command.words and command.do in ("export", "dictionary"):
        raise RequestError(f"{command.do} takes no number and no symbols; leave out {' '.join(command.words)!r}.")
    if command.do == "export" and command.out is None:
        raise RequestError("Agents are exported into a file; name it with --out, such as --out agents.safetensors.")
    if command.out is not None and command.do in ("say", "hear"):
        raise RequestError(f"--out is for export and dictionary; {command.do} prints.")
    if command.json and (command.do == "export" or command.out is not None):
        raise RequestError("--json prints; leave it out where a file is written.")


def _number(words: tuple[str, ...]) -> int:
    text = " ".join(words).strip()
    if not text.isdecimal() or len(text) > 9:
        raise RequestError(f"say takes one number, such as say 42, but got {text!r}.")
    return int(text)


def _symbols(words: tuple[str, ...]) -> list[int]:
    symbols = " ".join(words).replace(",", " ").split()
    if not symbols or not all(each.isdecimal() and len(each) < 9 for each in symbols):
        raise RequestError(f'hear takes symbols from 0 up, such as hear "7 13", but got {" ".join(words).strip()!r}.')
    return list(map(int, symbols))


# `ishango table`: all rounds of all runs in one table.

STANDARD_OUTPUT = Path("-")


@dataclass(frozen=True)
class Table:
    """Collect the rounds of all runs below directories into one table, a row a round.

    Its columns are the run's directory, the fields of its config and those of its rounds. Runs may be going on; one
    that is found twice counts once. In CSV lists are written as JSON. In Python ishango.load_table(FILE) reads both
    formats back, lists as lists; pandas.read_parquet needs pyarrow, which pip install 'ishango[parquet]' brings.

    Example: ishango table runs -o rounds.parquet
    """

    directories: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="DIR ...")]
    """Directories of runs or sweeps; of several, a run's name begins with that of its directory."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """The table's file; its name ends in .csv or .parquet, or is - for CSV on standard output."""


def run_table(command: Table) -> int:
    if not command.directories:
        raise RequestError("There is nothing to collect; give directories of runs.")
    from ishango.lab import print_table, write_table  # not for the help text: what they need is an extra

    if command.out == STANDARD_OUTPUT:
        print_table(command.directories, sys.stdout)
        return 0
    ready_file(command.out)
    with waiting("collecting the rounds"):
        rounds = write_table(command.directories, command.out)
    print(f"{plural(rounds, 'round')} in {command.out}", file=sys.stderr)
    return 0


# `ishango archive`: finished runs in one small file.


@dataclass(frozen=True)
class Archive:
    """Pack all finished runs below directories into one file, to keep them or to send them to a colleague.

    Each run is kept with its config, its rounds and its curve, in a few kilobytes, and the plans of sweeps beside
    them. Unpacked, a run is as good as where it was played: it is done for sweep and reproduce, and tables, figures
    and the explorer read it. Only its agents are not there, nor can it be continued, unless checkpoints are kept too.
    The file is a .tar.xz, the same bytes for the same runs; one of that name is replaced only if nothing is lost.

    Example: ishango archive runs -o runs.tar.xz
    """

    directories: Annotated[tuple[Path, ...], tyro.conf.Positional, tyro.conf.arg(metavar="DIR ...")]
    """Directories of runs or sweeps; of several, a run's name begins with that of its directory."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"], metavar="FILE")]
    """The archive; its name ends in .tar.xz."""
    checkpoints: bool = False
    """Keep the last checkpoint of each run (about a megabyte with agents), and runs that are not done as far as they
    are: they go on where they are unpacked."""


def run_archive(command: Archive) -> int:
    if not command.directories:
        raise RequestError("There is nothing to keep; give directories of runs.")
    ready_file(command.out)
    with interruptible(), waiting("packing the runs"):
        packed = archive(command.directories, command.out, checkpoints=command.checkpoints)
    for reason in dict.fromkeys(packed.left_out.values()):
        names = [name for name, why in packed.left_out.items() if why == reason]
        more = f" (and {len(names) - 1:,} more)" if len(names) > 1 else ""
        print(plain(f"left out: {names[0]}{more} {reason}"), file=sys.stderr)
    length = command.out.stat().st_size
    left = f", {len(packed.left_out):,} left out" if packed.left_out else ""
    print(f"{plural(len(packed.runs), 'run')} in {command.out}, {length:,} bytes of {packed.bytes:,}{left}")
    return 0


# `ishango unarchive`: runs out of an archive.


@dataclass(frozen=True)
class Unarchive:
    """Unpack runs that ishango archive has packed; runs that are there already stay as they are.

    The archive is checked to its end before anything is unpacked: names, lengths and checksums. Each run appears
    whole or not at all, and one that is there and is another run than the archive's is refused. Interrupted, the same
    command goes on.

    Example: ishango unarchive runs.tar.xz --out runs
    """

    file: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")]
    """The archive."""
    directory: Annotated[Path | None, tyro.conf.Positional, tyro.conf.arg(metavar="[DIR]")] = None
    """The same as --out DIR."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"], metavar="DIR")] = None
    """Where its runs go; made if it is not there."""
    list: bool = False
    """Unpack nothing: check the archive and list its runs."""


def run_unarchive(command: Unarchive) -> int:
    given = [each for each in (command.directory, command.out) if each is not None]
    if len(given) + command.list != 1:
        raise RequestError("Give either one directory to unpack into, --out DIR, or --list.")
    with interruptible(), waiting("unpacking the runs"):
        if command.list:
            print("\n".join(map(plain, list_archive(command.file))))
            return 0
        found = unarchive(command.file, given[0])
    there = f", {len(found.kept):,} there already" if found.kept else ""
    completed = f", {len(found.completed):,} completed" if found.completed else ""
    print(f"{plural(len(found.added), 'run')} added to {given[0]}{completed}{there}")
    return 0
