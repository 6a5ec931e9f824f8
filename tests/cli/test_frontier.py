import csv
import json
from pathlib import Path

import pandas as pd
import pytest

from ishango.api import Frontier as DrawnFrontier
from ishango.api._frontiers import _bounds
from ishango.cli import main
from ishango.frontiers import Problem, solve
from ishango.frontiers import _genetic as genetic
from ishango.numerals import format_set


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_json_of_the_contract(capsys):
    code, out, _ = run(capsys, "frontier", "--sizes", "2-4", "--json")
    assert code == 0
    document = json.loads(out)
    assert document["problem"]["grammar"] == "modified"
    fields = "size average_complexity digits multipliers proved lower_bound nodes seconds"
    assert [list(point) for point in document["points"]] == [fields.split()] * 3
    assert [round(point["average_complexity"], 6) for point in document["points"]] == [2.835949, 1.963263, 1.659265]
    assert document["points"][2]["digits"] == [1, 2, 3]


def test_every_optimum(capsys):
    code, out, _ = run(capsys, "frontier", "--grammar", "hurford", "--sizes", "4", "--all", "--json")
    assert code == 0
    [optimum] = json.loads(out)["points"][0]["optima"]
    assert (optimum["fewest_multipliers"], optimum["most_multipliers"]) == (2, 4)
    assert "2 to 4" in run(capsys, "frontier", "--grammar", "hurford", "--sizes", "4", "--all")[1]


def test_files_and_proof(capsys, tmp_path):
    code, out, _ = run(capsys, "frontier", "--sizes", "2-5", "--proof", "--out", str(tmp_path))
    assert code == 0
    assert "1.498811" in out
    with (tmp_path / "frontier.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert (rows[3]["digits"], rows[3]["multipliers"], rows[3]["proved"]) == ("1 2 3 4", "5", "True")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["frontier.csv", "frontier.json", "proof.jsonl.gz"]
    code, out, _ = run(capsys, "check", str(tmp_path))
    assert code == 0
    assert "The proof holds: 4 sizes" in out


def test_some_sizes_of_a_proof_are_checked(capsys, tmp_path):
    run(capsys, "frontier", "--sizes", "2-4", "--proof", "--out", str(tmp_path))
    path = tmp_path / "frontier.json"
    path.write_text(path.read_text().replace("1.963", "1.962"))  # size 3
    (tmp_path / "frontier.csv").unlink()
    assert run(capsys, "check", str(tmp_path))[0] == 1
    assert run(capsys, "check", str(tmp_path), "--sizes", "2-3")[0] == 1
    code, out, _ = run(capsys, "check", str(tmp_path), "--sizes", "2,4")
    assert code == 0
    assert "size 2: " in out
    assert "size 4: " in out
    assert "size 3: " not in out
    assert "The proof holds: 2 sizes" in out
    assert "No other size was looked at" in out
    code, out, err = run(capsys, "check", str(tmp_path), "--sizes", "4-5")
    assert (code, out) == (2, "")
    assert "Size 5 is not among the 3 sizes proved" in err


def test_a_changed_frontier_fails_the_check(capsys, tmp_path):
    run(capsys, "frontier", "--sizes", "3", "--proof", "--out", str(tmp_path))
    path = tmp_path / "frontier.json"
    path.write_text(path.read_text().replace("1.96326", "1.96325"))
    code, _, err = run(capsys, "check", str(tmp_path))
    assert code == 1
    assert "the proof does not hold" in err
    path.write_text("{}")
    assert run(capsys, "check", str(tmp_path))[0] == 1


def test_out_of_time_says_so(capsys):
    code, out, _ = run(capsys, "frontier", "--need", "uniform", "--sizes", "6", "--time-limit", "0.2")
    assert code == 0
    assert "at least" in out


def test_genetic(capsys):
    arguments = ("--method", "genetic", "--population", "200", "--generations", "5", "--sizes", "3-6", "--range", "20")
    code, out, _ = run(capsys, "frontier", *arguments, "--json")
    assert code == 0
    points = json.loads(out)["points"]
    assert points
    assert all(3 <= point["size"] <= 6 for point in points)
    assert all(point["average_complexity"] >= point["lower_bound"] - 1e-9 for point in points)


def test_sizes_that_an_estimate_lacks_are_named(capsys):
    arguments = ("--method", "genetic", "--range", "12", "--population", "3", "--generations", "1", "--sizes", "2-8")
    code, out, err = run(capsys, "frontier", *arguments, "--json")
    assert code == 0
    found = {point["size"] for point in json.loads(out)["points"]}
    missing = [size for size in range(2, 9) if size not in found]
    assert len(missing) > 1
    assert f"nothing of the sizes {format_set(missing)}: no system was found" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--sizes", "200"], "sizes run from 2 to the range, 99"),
        (["--need", "exp:5"], "cannot be told apart"),
        (["--population", "1", "--generations", "0"], "found no system of these sizes"),
    ],
)
def test_estimates_that_cannot_be_had(capsys, monkeypatch, tmp_path, arguments, sentence):
    """What is known before is told before."""
    if "--population" not in arguments:
        monkeypatch.setattr(genetic, "_first_generation", None)
    code, out, err = run(capsys, "frontier", "--method", "genetic", *arguments, "--out", str(tmp_path / "new"))
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--sizes", "1-3"], "sizes run from 2"),
        (["--sizes", "x"], "not a size or a stretch"),
        (["--proof"], "--out"),
        (["--time-limit", "0"], "above 0"),
        (["--max-multipliers", "0"], "allow at least 1"),
        (["--grammar", "latin"], "latin"),
        (["--need", "zipf"], "not a need"),
        (["--method", "genetic", "--overlap"], "disjoint"),
    ],
)
def test_wrong_requests(capsys, arguments, sentence):
    code, out, err = run(capsys, "frontier", *arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


def test_a_directory_of_another_problem_is_refused(capsys, tmp_path):
    run(capsys, "frontier", "--sizes", "3", "--out", str(tmp_path))
    code, _, err = run(capsys, "frontier", "--sizes", "3", "--need", "uniform", "--out", str(tmp_path))
    assert code == 2
    assert "another problem" in err


def test_check_names_the_missing_file(capsys, tmp_path):
    code, _, err = run(capsys, "check", str(tmp_path))
    assert code == 2
    assert "frontier.json" in err
    assert not list(Path(tmp_path).iterdir())


FIGURE = [f"frontier.{suffix}" for suffix in ("csv", "html", "pdf", "png", "svg")]


def test_the_frontier_as_a_figure(capsys, tmp_path):
    code, out, _ = run(capsys, "frontier", "--sizes", "4-6", "--figures", str(tmp_path))
    assert code == 0
    assert "1.498811" in out
    assert sorted(path.name for path in tmp_path.iterdir()) == FIGURE
    table = pd.read_csv(tmp_path / "frontier.csv")
    assert table["size"].tolist() == [4, 5, 6]
    svg = (tmp_path / "frontier.svg").read_text()
    assert "unattainable" in svg
    assert "languages" not in svg


def test_the_frontier_with_languages_on_it(capsys, tmp_path):
    code, _, _ = run(capsys, "frontier", "--sizes", "9-11", "--figures", str(tmp_path), "--with-languages")
    assert code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["frontier-languages.csv", *FIGURE]
    languages = pd.read_csv(tmp_path / "frontier-languages.csv").set_index("language")
    assert languages.loc["French", "size"] == 11
    assert languages.loc["English", "average_complexity"] == pytest.approx(1.193660, abs=5e-7)
    svg = (tmp_path / "frontier.svg").read_text()
    assert "languages" in svg
    assert "Kannada" in svg
    own = tmp_path / "mine.csv"
    own.write_text("name,D,M,rules\nDozenal,1-8 12,10,\n")
    code, _, _ = run(capsys, "frontier", "--sizes", "9-11", "--figures", str(tmp_path), "--beside", str(own))
    assert code == 0
    assert (tmp_path / "frontier-languages.csv").read_text().splitlines()[1:][0].startswith("Dozenal,,modified,10,")


def test_what_is_not_proved_is_not_drawn_as_an_optimum():
    """A lower bound stands where no optimum is proved, and a size that was not asked for has the next one's value."""
    problem = Problem("hurford", "uniform")
    points = [solve(problem, 6), solve(problem, 8, node_limit=1000)]
    assert [point.proved for point in points] == [True, False]
    line = _bounds(DrawnFrontier(problem, tuple(points)).to_frame())
    bound = points[1].lower_bound
    assert line["size"].tolist() == [6, 7, 8]
    assert line["average_complexity"].tolist() == [float(points[0].average), bound, bound]
    assert line["proved"].tolist() == [True, False, False]
