"""Help that fits a screen, one spelling of each option, one notation of a system, and plain text of foreign files."""

import ast
import io
import os
import re
import subprocess
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path

import pytest
from rich.live import Live
from rich.text import Text

import ishango
from ishango import cli
from ishango.cli import main
from ishango.cli._evolve import view
from ishango.cli._live_views import Panel, nothing_to_note
from ishango.cli._output import PlainConsole, plane, shade_legend
from ishango.errors import RequestError
from ishango.evolution import EvolutionOptions, starting_system
from ishango.generations import GenerationOptions
from ishango.kinds import OpenSystem, SocietyOptions
from ishango.lab._experiments import _sentences
from ishango.numerals import Expression, NumeralSystem, as_system

FLAG = re.compile(r"^\W{0,2}(--[a-z][\w.-]*)", re.MULTILINE)
MANY = 20
"""Options beyond which a command shows those first that people use."""


def _commands(commands=cli.COMMANDS, before=""):
    for name, each in commands.items():
        if isinstance(each, cli.Group):
            yield from _commands(each.commands, f"{before}{name} ")
        else:
            yield f"{before}{name}", getattr(import_module(f"ishango.cli._{each.module}"), each.request)


COMMANDS = dict(_commands())


def _help(capsys, monkeypatch, command: str, asked: str) -> str:
    monkeypatch.setenv("COLUMNS", "100")
    assert main([*command.split(), asked]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_paragraphs_of_help_are_as_wide_as_its_boxes(capsys, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*command.split(), "--help"]) == 0
    usage, *paragraphs = capsys.readouterr().out.partition("╭")[0].split("\n\n")
    assert usage.startswith("usage: ")
    assert max(len(line) for each in paragraphs for line in each.splitlines()) <= 80


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_screen(capsys, monkeypatch, command):
    shown = _help(capsys, monkeypatch, command, "--help")
    flags = FLAG.findall(shown)
    assert len(flags) <= MANY
    assert len(shown.splitlines()) <= 75
    short = hasattr(COMMANDS[command], "FIRST")
    assert (f"ishango {command} --help-all shows all options." in shown) == short
    if short:
        assert len(flags) <= 12
        everything = FLAG.findall(_help(capsys, monkeypatch, command, "--help-all"))
        assert set(flags) < set(everything)
        assert len(everything) > 15


@pytest.mark.parametrize("command", COMMANDS)
def test_the_first_line_says_what_one_gets(command):
    first = (COMMANDS[command].__doc__ or "").splitlines()[0]
    assert re.match(r"[A-Z][a-z]+ .*[.:,a-z]$", first)
    assert len(first) <= 120


def test_no_option_is_spelled_differently_in_two_commands():
    names = defaultdict(set)
    for request in COMMANDS.values():
        for name, sentence in _sentences(request).items():
            if sentence:
                names[sentence.partition(";")[0]].add(name.rpartition(".")[2])
    del names["The archive"]  # one command reads it, the other writes it
    assert {sentence: spelled for sentence, spelled in names.items() if len(spelled) > 1} == {}
    every = {name for spelled in names.values() for name in spelled}
    assert not every & {"upto", "last", "output", "outdir", "limit", "random_seed", "processes", "cores", "threads"}


NOTATIONS = ("1-9,11 | 10", "1-9,11 10", "1-9, 11 |10", " 1-9,11   10 ")


@pytest.mark.parametrize("text", NOTATIONS)
def test_one_notation_of_a_system_everywhere(text):
    system = NumeralSystem((*range(1, 10), 11), (10,))
    assert NumeralSystem.parse(text) == as_system(text) == starting_system(text, "modified", 50) == system
    assert OpenSystem.parse(text) == OpenSystem.of(system)
    assert ishango.describe(text).size == 11
    for options in (EvolutionOptions, GenerationOptions, SocietyOptions):
        start = options(start=text).start
        assert "|" in start
        assert NumeralSystem.parse(start) == system
    run = ishango.evolve(text, rounds=0, choose="coin")
    assert run.system == system


@pytest.mark.parametrize(
    "command", ["evolve --choose coin", "generations", "kinds evolve --choose coin", "kinds generations"]
)
def test_commands_take_both_notations(capsys, tmp_path, command):
    last = []
    for number, words in enumerate((["1-9,11", "10"], ["1-9,11 | 10"], ["--start", "1-9,11 10"])):
        assert main([*command.split(), *words, "--rounds", "0", "--json", "--out", str(tmp_path / str(number))]) == 0
        last.append(re.sub(r'"seconds.*', "", capsys.readouterr().out))
    assert last[0] == last[1] == last[2]
    assert main([*command.split(), "1-9,11 | 10", "--rounds", "0", "--out", str(tmp_path / "2")]) == 0  # the same run


def test_describe_takes_both_notations(capsys):
    said = []
    for words in (["1-9,11", "10"], ["1-9,11 | 10"], ["1-9,11 10"]):
        assert main(["describe", *words]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] == said[2]


def test_foreign_text_is_printed_as_plain_text(capsys, tmp_path):
    file = io.StringIO()
    console = PlainConsole(file, 80)
    console.print("need file:a:100:b.csv [red]x[/red] \x1b[31mred\a")
    assert file.getvalue() == "need file:a:100:b.csv [red]x[/red] [31mred\n"
    assert main(["describe", "1-9", "10", "--need", "file:\x1b[31m.csv"]) == 2
    assert "\x1b" not in capsys.readouterr().err
    table = tmp_path / "a:100:b.csv"
    table.write_text("".join(f"{number},1\n" for number in range(1, 13)))
    assert main(["describe", "1-9", "10", "--range", "12", "--need", f"file:{table}"]) == 0
    assert "a:100:b.csv" in capsys.readouterr().out.replace("\n", "")


def test_colours_are_explained_where_there_are_some():
    said = [Expression.parse("2 * 10"), Expression.parse("7")]
    assert shade_legend(PlainConsole(io.StringIO()), said).plain == ""
    coloured = PlainConsole(io.StringIO())
    coloured._color_system = 1  # as in a terminal
    assert shade_legend(coloured, said).plain == "symbols: 1  3  "


def test_a_resumed_panel_knows_the_rounds_before(tmp_path):
    run = ishango.evolve(7, tmp_path / "run", rounds=3, choose="coin")
    panel = Panel(lambda record: {"size": str(record["size"])}, plane, nothing_to_note)
    panel.directory = tmp_path / "run"
    panel.begin({"rounds": 9}, 4)
    assert panel.records == list(run.rounds)
    file = io.StringIO()
    PlainConsole(file, 80).print(panel.draw())
    assert "3 of 9, next   0%" in file.getvalue()
    panel.begin({"rounds": 3}, 4)
    file = io.StringIO()
    PlainConsole(file, 80).print(panel.draw())
    assert "next" not in file.getvalue()
    with view(io.StringIO()) as lines:
        assert lines.directory is None


def test_the_library_names_options_and_the_command_line_flags(capsys):
    with pytest.raises(RequestError, match=r"^rounds is -1"):
        EvolutionOptions(rounds=-1)
    for words, sentence in (("--rounds=-1", "--rounds is -1"), ("--game.hidden=0", "--game.hidden is 0")):
        assert main(["evolve", words]) == 2
        assert capsys.readouterr().err.startswith(f"ishango: {sentence}, but must be between")


def test_no_refusal_of_the_library_names_a_flag():
    package, named = Path(ishango.__file__).parent, []
    for file in package.rglob("*.py"):
        if "cli" not in file.relative_to(package).parts:
            raised = (node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Raise))
            words = (each.value for node in raised for each in ast.walk(node) if isinstance(each, ast.Constant))
            named += [
                (file.name, each) for each in words if isinstance(each, str) and re.search(r"(^|\s)--[a-z]", each)
            ]
    assert named == []


def test_live_displays_let_no_escape_sequences_through():
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    file = Terminal()
    console = PlainConsole(file, 80)
    with Live(console=console, get_renderable=lambda: Text("name \x1b]0;owned\x07 \x9b31m"), refresh_per_second=4):
        console.print("beside \x1b]1;it\x07")
    shown = file.getvalue()
    assert "owned" in shown
    assert "beside" in shown
    assert not any(bad in shown for bad in ("\x1b]", "\x07", "\x9b"))


def test_help_is_kept_and_made_anew_where_it_may_differ(tmp_path):
    """All that options come from takes seconds to load; a kept text needs none of it."""
    call = "from ishango.cli import main; code = main(['describe', '--help']); import sys; "
    call += "print(code, 'numba' in sys.modules, file=sys.stderr)"

    def helped(**more):
        environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "COLUMNS": "100"} | more
        asked = [sys.executable, "-c", call]
        ended = subprocess.run(asked, capture_output=True, text=True, env=environment, check=True)
        return ended.stdout, ended.stderr.split()

    made = helped()
    assert made[1] == ["0", "True"]
    assert helped() == (made[0], ["0", "False"])
    [kept] = tmp_path.rglob("help*")
    assert kept.read_text("utf-8").partition("\n")[2] == made[0]
    narrow = helped(COLUMNS="60")
    assert narrow[0] != made[0]
    assert narrow[1] == ["0", "True"]
    kept.write_bytes(b"\xff")  # what cannot be read is made anew
    assert helped() == made
    assert helped(ISHANGO_EXTENSIONS="json") == made


def test_the_second_line_of_a_docstring_is_no_line_of_its_own(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    assert main(["evolve", "--help-all"]) == 0
    assert "or the seed alone, so that runs with one seed share their luck" in capsys.readouterr().out
