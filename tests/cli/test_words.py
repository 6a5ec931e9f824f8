"""What commands say must be what they mean."""

import io
import json
import re

import pandas as pd
import pytest
from rich.console import Console

from ishango.analysis.ends import against, against_coin
from ishango.cli import main
from ishango.cli._evolve import _figures
from ishango.cli._live_views import Panel, nothing_to_note
from ishango.cli._output import plane
from ishango.evolution import EVOLUTION, EvolutionOptions
from ishango.lab import RunView, expand, parse_plan

OPEN = ["--pretraining", "none", "--game.vocabulary", "none", "--eval-need", "none"]


def test_none_may_be_given_where_help_says_none(tmp_path, capsys):
    run = ["evolve", "--start", "7", "--rounds", "1", "--choose", "coin", "--out", str(tmp_path / "run")]
    assert main([*run, *OPEN]) == 0
    config = json.loads((tmp_path / "run" / "run.json").read_text())["config"]
    assert (config["pretraining"], config["game"]["vocabulary"], config["eval_need"]) == (None, None, None)
    assert main(["evolve", "--pretraining", "few"]) == 2
    assert "--pretraining: 'few' is not {none}|INT;" in capsys.readouterr().err


def test_a_directory_may_be_called_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["frontier", "--sizes", "2", "--out", "none"]) == 0
    assert (tmp_path / "none" / "frontier.json").is_file()


@pytest.mark.parametrize("command", [["frontier"], ["restricted", "frontier"]], ids=" ".join)
@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ("0-3", "The size 0 is not allowed; sizes are integers from 1 on"),
        ("x", "'x' in 'x' is not a size"),
        ("none", "There are no sizes to look at"),
        ("5-2", "write the smaller size first"),
    ],
)
def test_a_size_is_no_word(capsys, command, sizes, message):
    assert main([*command, "--sizes", sizes]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("evolve --choose drifd", "--choose is 'drifd', but must be bandit, drift, shorter"),
        ("evolve --choose drifd", "(did you mean drift?)"),
        ("evolve --game.reward exac", "--game.reward is 'exac', but must be exact, linear"),
        ("languages --format csvv", "--format is 'csvv', but must be table, csv or cldf (did you mean csv?)"),
        ("agents DIR sai 3", "'sai' is given where it must be export, dictionary, say or hear (did you mean say?)"),
        ("languages --format zzz", "--format is 'zzz', but must be table, csv or cldf."),
        ("evolve --choose drift --keep 0.9", "because the chooser drift does not ask for it"),
        ("evolve --choose drift --learners new", "because no agents talk where the chooser is drift"),
        ("languages --file DIR", "cannot be read (Is a directory); name a CSV file."),
        ("describe 1-9 10 --need file:DIR", "cannot be read (Is a directory); name a CSV file."),
        ("describe 1-9 10 --grammar DIR/rules.toml", "cannot be read (Is a directory)"),
        ("frontier --range 1", "covers that range. Choose a larger range."),
        ("agents DIR hear -1", "but got '-1'"),
        ("agents DIR dictionary", "There is no run in DIR; give the directory of one, such as DIR/below."),
        ("--version --foo", "ishango --version takes nothing more; leave out --foo."),
        ("--print-completion bash zsh", "ishango --print-completion bash takes nothing more; leave out zsh."),
    ],
)
def test_a_refusal_tells_what_to_do_in_the_words_of_the_command_line(capsys, tmp_path, command, told):
    (tmp_path / "rules.toml").mkdir()
    if "DIR/below" in told:
        run = ["evolve", "--rounds", "0", "--pretraining", "0", "--game.range", "50", "--out", f"{tmp_path}/below"]
        assert main(run) == 0

    capsys.readouterr()
    assert main(command.replace("DIR", str(tmp_path)).split()) == 2
    said = capsys.readouterr().err.replace(str(tmp_path), "DIR")
    assert told in said
    assert "Errno" not in said


def test_refusals_do_not_name_classes(capsys):
    assert main(["evolve", "--rounds", "-1"]) == 2
    assert "Evolve" not in capsys.readouterr().err


def _rounds(run: str, choose: str, start: int, gaps: tuple[float, float]) -> list[dict[str, object]]:
    shared = {
        "run": run,
        "start": str(start),
        "seed": 0,
        "choose": choose,
        "add": "lowest",
        "size": 5,
        "streams": "run",
    }
    return [{**shared, "round": i, "gap": gap, "average_complexity": 1 + gap} for i, gap in enumerate(gaps)]


def test_a_rank_is_a_share_and_so_are_the_ends_of_its_interval():
    rows: list[dict[str, object]] = []
    for start, end in ((1, 0.1), (2, 0.9)):  # nearer than all of the coin's, and farther than all
        rows += _rounds(f"agents-{start}", "bandit", start, (1.0, end))
        rows += _rounds(f"coin-{start}", "coin", start, (1.0, 0.5))
    [row] = against_coin(pd.DataFrame(rows)).to_dict("records")
    assert row["rank"] == 0.5
    assert (row["rank_low"], row["rank_high"]) == (0.0, 1.0)


def test_too_few_decisions_are_told_in_words(tmp_path, capsys):
    assert main(["evolve", "--start", "7", "--rounds", "1", "--choose", "coin", "--out", str(tmp_path)]) == 0
    assert main(["selection", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "the data are too few to tell a strength" in printed
    assert not re.search(r"\b(nan|inf)\b", printed)
    assert main(["selection", str(tmp_path), "--json"]) == 0
    [row] = json.loads(capsys.readouterr().out)["selection"]
    assert (row["decisions"], row["strength"], row["low"]) == (1, None, None)


def test_figures_of_few_runs_are_drawn_all_the_same(tmp_path):
    assert main(["evolve", "--start", "7", "--rounds", "1", "--choose", "coin", "--out", str(tmp_path / "coin")]) == 0
    assert main(["selection", str(tmp_path / "coin"), "--figures", str(tmp_path / "figures")]) == 0
    assert (tmp_path / "figures" / "ends.png").is_file()
    assert not (tmp_path / "figures" / "selection.png").exists()  # one decision tells nothing


RECORDS = [
    {"round": i, "size": size, "average_complexity": average, "gap": 0.1, "digits": [1], "multipliers": [2],
     "accuracy": None}
    for i, (size, average) in enumerate([(9, 2.0), (8, 1.5), (7, 1.2)])
]  # fmt: skip


@pytest.mark.parametrize("columns", [40, 60, 61, 200])
def test_the_live_plot_fits_the_terminal(columns):
    panel = Panel(_figures, plane, nothing_to_note)
    panel.begin({"rounds": 5}, 0)
    for record in RECORDS:
        panel.round(record)
    console = Console(width=columns, record=True, file=io.StringIO())
    console.print(panel.draw())
    lines = console.export_text().splitlines()
    plot = [line for line in lines if line.startswith(("|", "+"))]
    assert len(plot) == 13
    assert not [line for line in lines if re.fullmatch(r"[-.o ]+", line) and line.strip()]  # what did not fit the line
    assert max(map(len, lines)) <= columns
    assert plot[-1].rstrip() == "+" + "-" * min(60, columns - 1)


def test_drift_is_a_word_for_what_files_call_coin(tmp_path, capsys):
    """On the command line, in plans and in Python."""
    for word in ("drift", "coin"):
        out = str(tmp_path / word)
        assert main(["evolve", "--start", "7", "--rounds", "2", "--choose", word, "--out", out]) == 0
    run, other = (RunView(tmp_path / word) for word in ("drift", "coin"))
    assert run.recorded == other.recorded
    assert [each["digits"] for each in run.rounds()] == [each["digits"] for each in other.rounds()]
    assert EvolutionOptions(choose="drift").choose == run.recorded["choose"] == "coin"
    plan = parse_plan('base = {choose = "drift", rounds = 1}')
    assert expand(plan, EVOLUTION.complete)[0][1]["choose"] == "coin"
    gaps = {"coin": (1, 3, 4), "law": (1, 0)}
    played = [
        {"choose": who, "start": start, "round": i, "gap": gap, "run": who + start, "seed": 0, "add": "any"}
        for who in gaps for start in "12" for i, gap in enumerate(gaps[who])
    ]  # fmt: skip
    assert against(pd.DataFrame(played), {"choose": "drift"})["choose"].tolist() == ["law"]
    capsys.readouterr()
