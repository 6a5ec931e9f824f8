"""From arguments to a command's frozen dataclass: its fields are the options, their docstrings the help."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
from collections.abc import Collection, Mapping
from dataclasses import field, fields, make_dataclass
from functools import partial
from importlib import import_module
from inspect import cleandoc
from itertools import dropwhile, takewhile
from pathlib import Path
from textwrap import fill
from typing import Annotated, Any, TypeVar, Union, cast, get_type_hints

import tyro
from tyro import _strings as tyro_strings  # pyright: ignore[reportPrivateUsage] - see _joined
from tyro.constructors import ConstructorRegistry, PrimitiveConstructorSpec, PrimitiveTypeInfo

from ishango import cli
from ishango.errors import FieldError, RequestError
from ishango.numerals import parse_set
from ishango.registry import OUTSIDE, alternatives, meant

Command = TypeVar("Command")

NONE = ConstructorRegistry()
"""How an option is given that may be left open: as `none`, which is how help texts and refusals spell it."""


@NONE.primitive_rule  # pyright: ignore[reportUnknownMemberType] - tyro's types are partly unknown
def _nothing(type_info: PrimitiveTypeInfo) -> PrimitiveConstructorSpec[None] | None:
    if type_info.type is not type(None):  # pyright: ignore[reportUnknownMemberType] - tyro's types are partly unknown
        return None
    return PrimitiveConstructorSpec(
        nargs=1,
        metavar="{none}",
        choices=("none", "None"),
        instance_from_str=lambda _words: None,
        is_instance=lambda value: value is None,
        str_from_instance=lambda _value: ["none"],
    )


@NONE.primitive_rule  # pyright: ignore[reportUnknownMemberType] - tyro's types are partly unknown
def _path(type_info: PrimitiveTypeInfo) -> PrimitiveConstructorSpec[Path | None] | None:
    """A path that may be left out; given, it is a path, also one that is called none."""
    if type_info.type != Path | None:  # pyright: ignore[reportUnknownMemberType] - tyro's types are partly unknown
        return None
    return PrimitiveConstructorSpec(
        nargs=1,
        metavar="PATH",
        instance_from_str=lambda words: Path(words[0]),
        is_instance=lambda value: value is None or isinstance(value, Path),
        str_from_instance=lambda value: ["none" if value is None else str(value)],
    )


SystemWords = Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="DIGITS MULTIPLIERS")]
"""A numeral system as commands take it: digits and multipliers as two words, or as one with a bar between them."""


def system_text(words: tuple[str, ...]) -> str:
    """The system as one text, for those who parse it.

    >>> system_text(("1-9,11", "10")), system_text(("1-9,11 | 10",))
    ('1-9,11 | 10', '1-9,11 | 10')
    """
    return (" | " if len(words) == 2 else " ").join(words)


STYLE = (tyro.conf.FlagCreatePairsOff, tyro.conf.OmitSubcommandPrefixes)
"""How options are spelled, in every command."""


def _joined(text: str, join: Any = tyro_strings.remove_single_line_breaks) -> str:
    """The lines of a docstring as one: tyro takes the indentation of its second line for a break that is meant."""
    return text if isinstance(text, _Filled) else join(cleandoc(text))


class _Filled(str):
    """Text whose lines are as wide as the terminal."""


def _filled(text: str) -> _Filled:
    width = shutil.get_terminal_size().columns
    return _Filled("\n".join(fill(line, width, break_on_hyphens=False) for line in _joined(text).splitlines()))


tyro_strings.remove_single_line_breaks = _joined


class HelpPrinted(Exception):  # noqa: N818 - no error
    """The help text was asked for and is printed; there is nothing more to do."""


def parse(command: type[Command], name: str, arguments: list[str], default: Command | None = None) -> Command:
    """Read the arguments; what is wrong with them is raised as one sentence instead of printed as a box.

    What they do not give is as in `default`, or as the command's own defaults are. A command with many options names
    in `FIRST` those that `--help` shows; `--help-all` shows them all.
    """
    captured, helped = io.StringIO(), {"-h", "--help", "--help-all"} & set(arguments)
    first: tuple[str, ...] = getattr(command, "FIRST", ())
    if "--help-all" in arguments:
        arguments = ["--help"]
    elif helped and first:
        command, arguments, default = _short(command, command(), first), ["--help"], None
    try:
        with contextlib.redirect_stderr(captured), _wide(quiet=not helped):
            return tyro.cli(
                command,
                default=tyro.MISSING_NONPROP if default is None else default,
                prog=f"ishango {name}",
                description=_filled(command.__doc__ or ""),
                args=_protect_negatives(arguments),
                config=STYLE,
                use_underscores=False,
                registry=NONE,
            )
    except SystemExit as exit:
        if exit.code:
            raise _refusal(captured.getvalue(), name) from None
        if command.__name__.startswith(_SHORT):
            print(f"ishango {name} --help-all shows all options.")
        raise HelpPrinted from None


_SHORT = "Short"


def _short(record: type[Any], usual: Any, first: tuple[str, ...]) -> type[Any]:
    """The record with the options of those names alone, nested ones by their dotted names; for help texts."""
    hints, shown = get_type_hints(record, include_extras=True), list[tuple[str, Any, Any]]()
    for each in fields(record):
        below = tuple(name.removeprefix(f"{each.name}.") for name in first if name.startswith(f"{each.name}."))
        value = getattr(usual, each.name)
        if below:
            nested = _short(cast(type[Any], type(value)), value, below)
            shown.append((each.name, nested, field(default_factory=partial(nested, **vars(value)))))
        elif each.name not in first:
            shown.append((each.name, tyro.conf.Suppress[hints[each.name]], field(default_factory=lambda it=value: it)))
    made = make_dataclass(_SHORT + record.__name__, shown, bases=(record,), frozen=True)
    made.__doc__ = record.__doc__
    return made


def refuse_given(command: Any, names: Collection[str], why: str) -> None:
    """Refuse options of a command that are not left at their defaults; `why` ends the sentence that they begin.

    To ignore them would be a wrong answer.
    """
    for each in fields(command):
        if each.name in names and getattr(command, each.name) != each.default:
            raise RequestError(f"--{OUTSIDE.get(each.name, each.name).replace('_', '-')} {why}")


def own_names(arguments: list[str], other_names: Mapping[str, str]) -> list[str]:
    """The arguments with options that have other names under their own; one given under both must be one.

    >>> own_names(["--reward", "exact", "--range=8"], {"reward": "game.reward", "range": "game.range"})
    ['--game.reward', 'exact', '--game.range=8']
    >>> own_names([], {"reward": "game.reward"})
    []
    """
    given: dict[str, tuple[str, str]] = {}
    named: list[str] = []
    for word, following in zip(arguments, [*arguments, ""][1:], strict=True):
        option, equals, value = word.partition("=")
        name = option.removeprefix("--").replace("-", "_") if option.startswith("--") else ""
        own = other_names.get(name, name)
        if own in other_names.values():
            said = option, value if equals else following
            before = given.setdefault(own, said)
            if before[0] != option and before[1] != said[1]:
                raise RequestError(f"{before[0]} {before[1]} and {option} {said[1]} are one option; give one of them.")
            word = f"--{own.replace('_', '-')}{equals}{value}"
        named.append(word)
    return named


def parse_window(text: str, upto: int) -> range:
    """Read `--rows`: one number or a first and a last one, within 1..range; nothing means all of them.

    >>> parse_window("18-22", 99)
    range(18, 23)
    """
    if not text.strip():
        return range(1, upto + 1)
    ends = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", text.strip())
    first, last = (int(ends[1]), int(ends[2] or ends[1])) if ends else (0, 0)
    if not 1 <= first <= last <= upto:
        raise RequestError(f"The rows {text!r} are not allowed; give a window of 1-{upto}, such as 1-{min(20, upto)}.")
    return range(first, last + 1)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Read `--sizes`: a set of sizes with at least one."""
    sizes = parse_set(text, "size")
    if not sizes:
        raise RequestError("There are no sizes to look at; give at least one, as in 2-10 or 3,5.")
    return sizes


def _protect_negatives(arguments: list[str]) -> list[str]:
    """Hand `-3` over as a value, so that the set parser and not the option parser explains what is wrong."""
    return [f" {word}" if re.fullmatch(r"-[\d.].*", word) else word for word in arguments]


@contextlib.contextmanager
def _wide(quiet: bool):
    """Errors are formatted for a very wide terminal, so that no sentence is broken."""
    before = os.environ.get("COLUMNS")
    if quiet:
        os.environ["COLUMNS"] = "2000"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("COLUMNS", None)
        else:
            os.environ["COLUMNS"] = before


def _refusal(box: str, name: str) -> RequestError:
    """What an error box says, in a sentence: what stands between its title and its next rule, on one line."""
    plain = re.sub(r"\x1b\[[0-9;]*m|[│╭╮╰╯]", "", box)
    _title, *lines = [line.strip().removesuffix("(required)").strip() for line in plain.splitlines()]
    message = [*takewhile(lambda line: not _is_rule(line), dropwhile(_is_rule, lines))]
    if message and message[0].startswith("Missing from"):
        # A heading, then for each argument its name and its help.
        message = ["missing:", ", ".join(message[1::2])]
    text = " ".join(message).removesuffix(".") or "the arguments cannot be read"
    if own := re.fullmatch(r"Error parsing (?:[A-Z]\w*|game|law): (.*)", text):  # refused by a dataclass of ours
        named = re.match(r"(\w+) is .*, but must be ", own[1])
        return FieldError(named[1], f"{own[1]}.") if named else RequestError(f"{own[1]}.")
    if chosen := re.fullmatch(r"[Ii]nvalid choice '(.*)' for argument '(.*)'\. Expected one of \((.*)\)", text):
        word, option, names = chosen[1], chosen[2], re.findall(r"'([^']*)'", chosen[3])
        allowed, field = f"must be {alternatives(tuple(names))}{meant(word, names)}.", option.removeprefix("--")
        if field == option:  # a positional one, whose name is not shown
            return RequestError(f"{word!r} is given where it {allowed}")
        return FieldError(field, f"{field} is {word!r}, but {allowed}")
    text = re.sub(r"invalid literal for int\(\) with base 10: (.*)", r"\1 is not an integer", text)
    text = re.sub(r"no type matching (.*) could be instantiated from \['(.*?)'\].*", r"'\2' is not \1", text)
    return RequestError(f"{text[0].upper()}{text[1:]}; ishango {name} --help explains what is allowed.")


def _is_rule(line: str) -> bool:
    return set(line) <= {"─", "-"}


# `ishango --print-completion SHELL`: what the tab key completes, made by tyro from the commands' own dataclasses.

SHELLS = ("bash", "zsh", "fish")


def completion(shell: str) -> str:
    if shell not in SHELLS:
        raise RequestError(f"There is no completion for the shell {shell!r}; give bash, zsh or fish.")
    written = io.StringIO()
    with contextlib.redirect_stdout(written), contextlib.suppress(SystemExit):
        tyro.cli(
            _all(cli.COMMANDS),
            prog="ishango",
            args=["--tyro-write-completion", shell, "-"],
            config=STYLE,
            use_underscores=False,
            registry=NONE,
        )
    return written.getvalue()


def _all(commands: Mapping[str, cli.Command | cli.Group]) -> Any:
    return Union[tuple(_named(name, each) for name, each in commands.items())]  # noqa: UP007 - made of a tuple


def _named(name: str, command: cli.Command | cli.Group) -> Any:
    """A command under its name; a group of commands is a record with one of them."""
    if isinstance(command, cli.Group):
        made: Any = make_dataclass(name, [("command", _all(command.commands))])
    else:
        made = getattr(import_module(f"ishango.cli._{command.module}"), command.request)
    return Annotated[made, tyro.conf.subcommand(name, description=" ")]
