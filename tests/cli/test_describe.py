import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ishango.cli import main
from ishango.numerals import STARTS, Expression


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def describe(capsys, *arguments: str) -> dict:
    code, out, err = run(capsys, "describe", *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_json_of_the_contract(capsys):
    document = describe(capsys, "1-9,11", "10")
    fields = (
        "digits multipliers grammar rules range limit need size average_complexity gap covers missing expressions ties"
        " costs"
    )
    assert list(document) == fields.split()
    assert document["average_complexity"] == pytest.approx(1.193660, abs=5e-7)
    assert (document["limit"], document["need"], document["size"]) == (200, "power:2", 11)
    assert document["expressions"]["22"] == "2 * 10 + 2"
    assert document["ties"]["21"] == 3  # 1 * 10 + 11, 2 * 10 + 1 and 3 * 10 - 9
    assert document["covers"]
    assert document["missing"] == []
    assert len(document["expressions"]) == len(document["ties"]) == 99
    assert document["costs"]["irregularity"] == pytest.approx(175.287429)


def test_costs_for_people(capsys):
    code, out, _ = run(capsys, "describe", "1-9", "10", "--tied", "2")
    assert code == 0
    assert "101.12 bits" in out
    assert ["transitions", "19"] in [line.split() for line in out.splitlines()]  # the name tells the unit
    assert "101.12 bits in the most regular language found (proved: none is more regular)" in out
    code, out, _ = run(capsys, "describe", "1-9", "10", "--operators", "--tied", "2", "--json", "--rows", "1-2")
    document = json.loads(out)
    assert document["costs"]["irregularity"] == document["tied"]["best"] == pytest.approx(129.568425)
    assert document["tied"]["proved"] is True
    assert document["tied"]["samples"] == 2


def test_a_system_that_does_not_say_all_has_no_minimal_language(capsys):
    assert main(["describe", "1-3", "50"]) == 0
    assert "none: what is said has one shortest way" in capsys.readouterr().out
    assert main(["describe", "1", "2", "--range", "2"]) == 0
    assert "none: there is one minimal language" in capsys.readouterr().out


def test_costs_where_numbers_are_missing(capsys):
    document = describe(capsys, "2", "4", "--tied", "2")
    assert document["costs"]["size"] == 2
    assert document["costs"]["irregularity"] is None
    assert document["tied"] is None


@pytest.mark.parametrize("start", STARTS, ids=lambda start: str(start))
def test_every_expression_names_its_number(capsys, start):
    digits, multipliers = str(start).split(" | ")
    document = describe(capsys, digits, multipliers, "--range", "50")
    assert document["limit"] == 102
    assert all(Expression.parse(text).value == int(n) for n, text in document["expressions"].items())


def test_a_system_that_does_not_cover(capsys):
    document = describe(capsys, "2,6", "4", "--range", "20")
    assert not document["covers"]
    assert document["average_complexity"] is None
    assert document["gap"] is None
    assert document["missing"][:3] == [1, 3, 4]
    _, out, _ = run(capsys, "describe", "2,6", "4", "--range", "20")
    assert "no expression with values up to 42" in out


def test_clashes_and_overlap_are_told(capsys):
    _, out, _ = run(capsys, "describe", "1", "2,12", "--range", "30")
    assert "10,22 share a string when brackets are left out" in out
    _, out, _ = run(capsys, "describe", "1-5,7", "2,7", "--range", "9")
    assert "7 in both sets" in out
    _, out, _ = run(capsys, "describe", "1-5,7", "2,9")
    assert "0.001464 below the proved least average of size 8 without overlap" in out


def test_a_narrow_terminal(capsys, width):
    width(40)
    _, out, _ = run(capsys, "describe", "1,4,12", "9,25")
    assert " 2 4·9−(1·9+1·25)" in out
    assert all(len(line) <= 40 for line in out.splitlines())
    width(20)
    _, out, _ = run(capsys, "describe", "1,4,12", "9,25")
    assert out.splitlines()[0].split() == ["1", "1"]


def test_the_table_for_people(capsys):
    code, out, _ = run(capsys, "describe", "1-9", "10")
    assert code == 0
    assert "90 9·10 9·10+1" in out
    assert "1.213880 symbols (need power:2)" in out
    _, out, _ = run(capsys, "describe", "1-9", "10,100", "--range", "300")
    assert "the first 100 of 300 numbers" in out


BAD = {
    "0 10": "from 1 to 10000",
    "-3 10": "positive integers",
    "1.5 10": "positive integers",
    "x 10": "positive integers",
    "1-9 none": "at least one multiplier",
    "none 10": "at least one digit",
    "9-1 10": "runs backwards",
    "1-9": "'1-9' is not a numeral system; write its digits and multipliers as in 1-9,11 | 10",
    "": "Missing: DIGITS, MULTIPLIERS; write them as in 1-9,11 10",
    "1-9 10 20": "'1-9 10 20' is not a numeral system; write",
    "1-9 10 --grammar latin": "There is no grammar 'latin'",
    "1-9 10 --range 0": "between 1 and 10000",
    "1-9 10 --range -5": "between 1 and 10000",
    "1-9 10 --range 1000000000": "between 1 and 10000",
    "1-9 10 --range 5": "The word 10 lies above the range 5",
    "1-9 10 --range many": "'many' is not an integer",
    "1-9 10 --need zipf": "write power:A, exp:RATE, uniform",
    "1-9 10 --need file:/nowhere.csv": "cannot be read",
    "1-9 10 --nonsense": "--nonsense",
    "1-9 10 --tied -1": "--tied is -1, but must be 0 or a number of languages",
    "1-9 10 --tied 3 --range 2000": "ranges up to 1000",
}


@pytest.mark.parametrize("arguments", BAD)
def test_bad_input_gets_one_sentence(capsys, arguments):
    code, out, err = run(capsys, "describe", *arguments.split())
    assert (code, out) == (2, "")
    assert err.startswith("ishango: ")
    assert err.endswith(".\n")
    assert err.count("\n") == 1
    assert BAD[arguments] in err


def test_unknown_command(capsys):
    code, _, err = run(capsys, "descibe", "1-9", "10")
    assert code == 2
    assert "choose one of describe" in err


def test_help_and_version(capsys):
    assert run(capsys, "--version")[1].startswith("ishango 0.")
    assert "describe" in run(capsys, "--help")[1]
    assert run(capsys)[0] == 0
    for flag in ("-h", "--help"):
        code, out, err = run(capsys, "describe", flag)
        assert (code, err) == (0, "")
        assert "numbers from 1 to this one are described" in out.lower()


def test_help_waits_for_no_kernel():
    code = "import sys, ishango.cli as c; c.main(['--help']); print({'numpy', 'numba', 'tyro'} & set(sys.modules))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert out.stdout.splitlines()[-1] == "set()"


def test_a_description_imports_no_linear_algebra():
    """Numba would import SciPy's, a tenth of a second of each command, only to see whether it is there."""
    code = "import sys, ishango.cli as c; c.main(['describe', '1-9', '10']); print('scipy.linalg' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[-1] == "False"


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `ishango` in a shell, with its output buffered as it is for a user."""
    names = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    script = command.replace("ishango", f"{sys.executable} -m ishango")
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", script], capture_output=True, text=True, timeout=120, env=names | environment
    )


@pytest.mark.parametrize("arguments", ["describe 1-9 10", "describe 1-9 10 --json", "describe --help", "--help"])
def test_a_reader_that_goes_away_is_no_error(arguments):
    out = shell(f"ishango {arguments} | true")
    assert out.returncode == 0
    assert not [line for line in out.stderr.splitlines() if "Ctrl-C stops it" not in line]  # a slow machine is told of


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("arguments", ["describe 1-9 10", "describe 1-9 10 --json"])
def test_output_that_cannot_be_written(arguments):
    out = shell(f"ishango {arguments} > /dev/full")
    assert out.returncode == 1
    told = [line for line in out.stderr.splitlines() if "Ctrl-C stops it" not in line]  # a slow machine is told of
    assert told == ["ishango: The output could not be written (No space left on device)."]


def test_a_terminal_that_knows_only_ascii():
    out = shell("ishango describe 1-4 5", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert out.returncode == 0
    assert "1?5+4" in out.stdout


def test_interrupted(capsys, monkeypatch):
    def interrupted(_command: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("ishango.cli._describe.run_describe", interrupted)
    assert run(capsys, "describe", "1-9", "10") == (130, "", "Interrupted.\n")


@pytest.mark.parametrize(("words", "part"), [("kinds diagram", "precision"), ("kinds evolve", "round")])
def test_what_goes_on_says_so_when_it_is_interrupted(capsys, monkeypatch, tmp_path, words, part):
    def interrupted(_command: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"ishango.cli._kinds.run_{words.replace(' ', '_')}", interrupted)
    said = f"Interrupted. The same command goes on after the last {part} that was finished.\n"
    assert run(capsys, *words.split(), "--out", str(tmp_path)) == (130, "", said)


def test_a_table_for_a_spreadsheet(capsys):
    code, out, err = run(capsys, "describe", "1-9,11", "10", "--format", "csv", "--rows", "20-22")
    assert (code, err) == (0, "")
    assert out == "number,expression,complexity,ties\n20,2 * 10,3,1\n21,1 * 10 + 11,5,3\n22,2 * 10 + 2,5,2\n"
    _, out, _ = run(capsys, "describe", "1-9,11", "10", "--format", "csv")
    assert len(out.splitlines()) == 100


def test_a_table_for_a_paper(capsys):
    code, out, _ = run(capsys, "describe", "1-9,11", "10", "--format", "latex", "--rows", "9-12")
    assert code == 0
    first, *_, last = out.splitlines()
    assert (first, last) == (r"\begin{tabular}{rlrr}", r"\end{tabular}")
    assert r"12 & $1 \cdot 10 + 2$ & 5 & 2 \\" in out
    assert "*" not in out


def test_a_table_for_a_page(capsys):
    code, out, _ = run(capsys, "describe", "1-9,11", "10", "--format", "markdown", "--rows", "12")
    assert code == 0
    assert out.splitlines()[2:] == ["| 12 | 1 · 10 + 2 | 5 | 2 |"]


@pytest.mark.parametrize("format", ["csv", "latex", "markdown"])
def test_what_a_table_lacks_is_told_beside_it(capsys, format):
    code, out, err = run(capsys, "describe", "2,6", "4", "--range", "20", "--format", format, "--rows", "1-6")
    assert code == 0
    assert err == "Left out, without expression: 1,3-5\n"
    assert len([line for line in out.splitlines() if line.lstrip("| ")[:1] in ("2", "6")]) == 2


def test_a_window_of_rows(capsys):
    document = describe(capsys, "1-9,11", "10", "--rows", "18-22")
    assert list(document["expressions"]) == list(document["ties"]) == ["18", "19", "20", "21", "22"]
    assert document["average_complexity"] == describe(capsys, "1-9,11", "10")["average_complexity"]
    _, out, _ = run(capsys, "describe", "1-9,11", "10", "--rows", "18-22")
    assert [line.split()[0] for line in out.splitlines()[1:3]] == ["10", "20"]
    assert "2·10+2" in out
    assert "2·10+3" not in out


def test_a_window_beyond_the_first_hundred(capsys):
    _, out, _ = run(capsys, "describe", "1-9", "10", "--range", "300", "--rows", "280-300")
    assert "2·10" in out
    assert "the first" not in out
    _, out, _ = run(capsys, "describe", "1-9", "10", "--range", "300")
    assert "(the first 100 of 300 numbers; --rows shows others, --json has all)" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rows", "0-5"), "The rows '0-5' are not allowed; give a window of 1-99, such as 1-20."),
        (("--rows", "5-100"), "give a window of 1-99"),
        (("--rows", "9-5"), "give a window of 1-99"),
        (("--rows", "1,5"), "give a window of 1-99"),
        (("--rows", "-3"), "give a window of 1-99"),
        (("--format", "html"), "html"),
        (("--format", "csv", "--json"), "--json and --format csv exclude each other"),
    ],
)
def test_wrong_windows_and_formats(capsys, arguments, message):
    code, out, err = run(capsys, "describe", "1-9", "10", *arguments)
    assert (code, out) == (2, "")
    assert message in err
