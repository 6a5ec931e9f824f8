"""A checker that can be fooled is worse than none: what is edited anywhere in the directory is noticed."""

import gzip
import json
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from ishango.cli import _frontier, main
from ishango.errors import RequestError
from ishango.frontiers import Problem, ProofError, check, frontier, write_frontier, write_proof
from ishango.frontiers._proof import PROOF, KeptFrontier


@pytest.fixture(scope="module")
def proved(tmp_path_factory) -> Path:
    directory = tmp_path_factory.mktemp("proved")
    problem = Problem("hurford", upto=20)
    points = list(frontier(problem, range(2, 5), every=True))
    write_frontier(directory, problem, points)
    write_proof(directory, problem, points)
    return directory


@pytest.fixture
def copy(proved: Path, tmp_path: Path) -> Path:
    for path in proved.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def edit(directory: Path, change) -> None:
    document = json.loads((directory / "frontier.json").read_text())
    change(document)
    (directory / "frontier.json").write_text(json.dumps(document))


def test_what_is_whole_holds_and_says_what_was_checked(copy, capsys):
    assert main(["check", str(copy)]) == 0
    out = capsys.readouterr().out
    assert "The proof holds: 3 sizes" in out
    assert "that there are no others was not checked" in out


@pytest.mark.parametrize("points", ["none", "unproved"])
def test_nothing_proved_is_not_a_proof(copy, capsys, points):
    def change(document):
        if points == "none":
            document["points"] = []
        for point in document["points"]:
            point["proved"] = False

    (copy / "frontier.csv").unlink()
    edit(copy, change)
    assert main(["check", str(copy)]) == 1
    error = capsys.readouterr().err
    assert "No size in" in error if points == "unproved" else "are not those of the proof" in error


def change_optimum(document):
    document["points"][2]["optima"][0]["digits"] = [17]


def change_fewest(document):
    document["points"][2]["optima"][0]["fewest_multipliers"] = (
        1 + document["points"][2]["optima"][0]["most_multipliers"]
    )


def repeat_optimum(document):
    document["points"][2]["optima"] *= 2


def change_average_of_an_unproved_size(document):
    document["points"][2]["proved"] = False
    document["points"][2]["average_complexity"] += 0.5


def repeat_a_size(document):
    document["points"].append(document["points"][0])


@pytest.mark.parametrize(
    "change",
    [change_optimum, change_fewest, repeat_optimum, change_average_of_an_unproved_size, repeat_a_size],
    ids=lambda change: change.__name__,
)
def test_an_edited_frontier_is_noticed(copy, change):
    (copy / "frontier.csv").unlink()
    edit(copy, change)
    with pytest.raises(ProofError):
        list(check(copy))


@pytest.mark.parametrize("column", ["average_complexity", "digits", "lower_bound", "proved", "size"])
def test_an_edited_table_is_noticed(copy, column):
    lines = (copy / "frontier.csv").read_text().splitlines()
    place = lines[0].split(",").index(column)
    cells = lines[2].split(",")
    cells[place] = "7"
    lines[2] = ",".join(cells)
    (copy / "frontier.csv").write_text("\n".join(lines) + "\n")
    with pytest.raises(ProofError, match=r"frontier\.csv"):
        list(check(copy))


@pytest.mark.parametrize("edit", [lambda line: f"{line},1", lambda line: line.rpartition(",")[0]], ids=["more", "less"])
@pytest.mark.parametrize("rows", [slice(None), slice(1, 2)], ids=["all", "one row"])
def test_a_table_with_a_column_too_many_or_a_cell_too_few_gets_a_sentence(copy, capsys, edit, rows):
    lines = (copy / "frontier.csv").read_text().splitlines()
    lines[rows] = map(edit, lines[rows])
    (copy / "frontier.csv").write_text("\n".join(lines) + "\n")
    code, err = main(["check", str(copy)]), capsys.readouterr().err
    if code:  # without its last column the table says less, and nothing false
        assert "ishango: the proof does not hold. frontier.csv has columns that frontier.json has not, or rows" in err
    assert code == (0 if rows == slice(None) and edit("a,b") == "a" else 1)
    (copy / "frontier.csv").write_text("")
    assert main(["check", str(copy)]) == 1
    assert capsys.readouterr().err == "ishango: the proof does not hold. frontier.csv is empty.\n"


def test_what_a_file_lacks_is_named(copy, capsys):
    edit(copy, lambda document: document.pop("points"))
    assert main(["check", str(copy)]) == 1
    assert f"The files in {copy} are not a frontier and its proof ('points' is missing)." in capsys.readouterr().err


@pytest.fixture(scope="module")
def bomb(proved: Path) -> bytes:
    """A proof of a few hundred kilobytes that unpacks to some two hundred megabytes."""
    whole = gzip.decompress((proved / PROOF).read_bytes())
    return gzip.compress(whole, 1) + 220 * gzip.compress(b" " * 2**20, 1)


def test_a_proof_that_unpacks_to_far_more_than_it_is_is_refused_before_it_is_read(copy, capsys, bomb):
    (copy / PROOF).write_bytes(bomb)
    tracemalloc.start()
    code = main(["check", str(copy)])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (code, most < 150 * 2**20) == (1, True)
    assert "and unpacks to more than" in capsys.readouterr().err
    with pytest.raises(RequestError, match="is not a proof"):
        KeptFrontier(copy, Problem("hurford", upto=20), [5])


@pytest.mark.parametrize("full", ["/dev/full", "| head -c 0"])
def test_what_cannot_be_told_is_not_said_not_to_hold(copy, full):
    """Exit code 1 of `check` says that a proof does not hold; 0 says that it does."""
    redirected = f"> {full}" if full.startswith("/") else full
    ended = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {sys.executable} -m ishango check {copy} {redirected}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert "does not hold" not in ended.stderr


def test_too_little_memory_to_check_is_not_said_not_to_hold(copy, monkeypatch):
    monkeypatch.setattr(_frontier.frontiers, "check", lambda *_: (_ for _ in ()).throw(MemoryError))
    assert main(["check", str(copy)]) == 2


def test_a_proof_under_a_need_of_a_file_can_be_checked_anywhere(tmp_path, monkeypatch, capsys):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("need.csv").write_text("".join(f"{n},{1 / n}\n" for n in range(1, 21)))
    words = ["frontier", "--need", "file:need.csv", "--range", "12", "--sizes", "2-4", "--proof", "--out", "proof"]
    assert main(words) == 0
    assert main(["check", "proof"]) == 0
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    assert main(["check", "here/proof"]) == 0
    assert "this holds for the recorded weights" in capsys.readouterr().out


@pytest.mark.parametrize("now", ["", "1,many\n", "1,0.5\n"])
def test_a_need_file_that_cannot_be_read_any_more_is_named(tmp_path, capsys, now):
    need, proof = tmp_path / "need.csv", tmp_path / "proof"
    need.write_text("".join(f"{n},{1 / n}\n" for n in range(1, 21)))
    words = ["frontier", "--need", f"file:{need}", "--range", "12", "--sizes", "2", "--proof", "--out", str(proof)]
    assert main(words) == 0
    need.write_text(now)
    assert main(["check", str(proof)]) == 1
    assert f"The need file {need} is not what it was (" in capsys.readouterr().err


@pytest.mark.parametrize("weber", ["-1", "0", "nan", "inf"])
@pytest.mark.parametrize("kind", ["both", "approximate", "exact restricted"])
def test_a_weber_fraction_that_is_none(capsys, weber, kind):
    assert main(["restricted", "frontier", "--sizes", "2-3", "--kind", kind, "--weber", weber]) == 2
    assert "The Weber fraction is" in capsys.readouterr().err


def everywhere(directory: Path, change) -> None:
    """Edit a point, its optima and the tree of its size alike, so that the files agree with one another."""
    with gzip.open(directory / "proof.jsonl.gz", "rt") as file:
        header, *trees = map(json.loads, file)
    document = json.loads((directory / "frontier.json").read_text())
    change(document, header, trees)
    (directory / "frontier.csv").unlink()
    (directory / "frontier.json").write_text(json.dumps(document))
    with gzip.open(directory / "proof.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(each) + "\n" for each in (header, *trees))


def halves(document, _header, trees):
    for each in (document["points"][0], *document["points"][0]["optima"], trees[0]):
        each["multipliers"] = [each["multipliers"][0] + 0.5]


def another_name(document, header, _trees):
    for problem in (document["problem"], header["problem"]):
        problem["grammar"] = "natural"


def no_bound(document, _header, _trees):
    document["points"][0]["lower_bound"] = 0.0


def below_everything(document, _header, _trees):
    document["points"][0]["lower_bound"] = float("-inf")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (halves, "is not a lexicon of the problem"),
        (another_name, "not those of the grammar natural"),
        (no_bound, "a lower bound"),
        (below_everything, "a lower bound"),
    ],
)
def test_what_agrees_with_itself_and_is_false_is_noticed(copy, change, told):
    everywhere(copy, change)
    with pytest.raises(ProofError, match=told):
        list(check(copy))


def test_a_grammar_that_the_name_does_not_tell_is_said_to_be_unknown(copy, capsys):
    def change(document, header, _trees):
        for problem in (document["problem"], header["problem"]):
            problem["grammar"] = "somebody's"

    everywhere(copy, change)
    assert main(["check", str(copy)]) == 0
    assert "does not know the grammar somebody's" in capsys.readouterr().out
