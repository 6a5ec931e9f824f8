from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from ishango.cli import main

SMALL = ("--range", "8", "--vocabulary", "3", "--rounds", "2", "--steps", "200", "--batch", "16", "--hidden", "10")


@pytest.fixture(scope="module", autouse=True)
def _compiled_game(tmp_path_factory: pytest.TempPathFactory) -> None:
    main(["restricted", "train", *SMALL, "--out", str(tmp_path_factory.mktemp("first") / "run")])


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["restricted", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_help_lists_the_commands(capsys) -> None:
    for arguments in ((), ("--help",)):
        code, out, _ = run(capsys, *arguments)
        assert code == 0
        assert all(
            f"\n  {command} " in out for command in ("describe", "languages", "frontier", "bands", "train", "compare")
        )
    for command in ("describe", "languages", "frontier", "bands", "train", "compare"):
        code, out, _ = run(capsys, command, "--help")
        assert code == 0
        assert f"ishango restricted {command}" in out
    assert "--alpha" not in run(capsys, "train", "--help")[1]


def test_describe_a_system(capsys) -> None:
    code, out, err = run(capsys, "describe", "1|2-4|5-", "--json")
    document = json.loads(out)
    assert (code, err) == (0, "")
    assert [document[name] for name in ("kind", "size", "complexity", "range")] == ["approximate", 3, 9, 100]
    assert [(term["word"], term["mean"]) for term in document["terms"]] == [("1", 1), ("2-4", 3), ("5-", 40)]
    assert sum(term["cost"] for term in document["terms"]) == pytest.approx(document["cost"])
    assert "complexity 9 nodes, cost 1.0970 bits" in run(capsys, "describe", "1|2-4|5-")[1]


def test_describe_a_language(capsys) -> None:
    document = json.loads(run(capsys, "describe", "hup", "--json")[1])
    assert (document["language"], document["complexity"], document["published_complexity"]) == ("Hup", 81, 89)
    assert sum(term["cost"] for term in document["terms"]) == pytest.approx(document["cost"])
    assert "published complexity 18" in run(capsys, "describe", "Mundurukú")[1]


def test_languages(capsys) -> None:
    code, out, _ = run(capsys, "languages", "--json")
    found = {row["name"]: row for row in json.loads(out)["languages"]}
    assert (code, len(found)) == (0, 30)
    assert [found["Hup"][name] for name in ("published_complexity", "complexity")] == [89, 81]
    assert found["Pirahã"]["gap"] == pytest.approx(0, abs=1e-12)
    assert [found["English"][name] for name in ("words", "complexity", "cost", "gap")] == [None, None, 0, None]
    assert "1|2-4|5-" in run(capsys, "languages")[1]


def test_frontier(capsys, tmp_path: Path) -> None:
    code, out, _ = run(capsys, "frontier", "--sizes", "3", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["problem"] == {"range": 100, "need": "power:2.02", "weber": 0.31}
    assert [point["system"] for point in document["points"]] == ["1|2|3-", "1|2-4|5-"]
    assert [point["complexity"] for point in document["points"]] == [10, 9]
    code, out, _ = run(capsys, "frontier", "--sizes", "2-4", "--range", "20", "--figures", str(tmp_path))
    assert code == 0
    assert "1|2|3|4-" in out
    assert (tmp_path / "restricted-plane.svg").exists()


def test_bands(capsys, tmp_path: Path) -> None:
    systems = ("Chiquitano", "awa pit", "English", "Drehu", "1|2,4|3,5-")
    code, out, _ = run(capsys, "bands", *systems, "--last", "30", "--out", str(tmp_path))
    assert code == 0
    assert [Path(line).suffix for line in out.splitlines()] == [".pdf", ".svg", ".png", ".html", ".csv"]
    table = pd.read_csv(tmp_path / "bands.csv", dtype={"word": str})
    words = table.groupby(["system", "number"])["word"].apply(list)
    assert words["English", 23] == ["2", "10", "3"]
    assert words["Awa Pit", 9] == ["higher"]
    assert words["Drehu", 6] == ["5", "1"]
    assert words["1|2,4|3,5-", 4] == ["2, 4"]


def test_train_and_continue(capsys, tmp_path: Path) -> None:
    code, out, err = run(capsys, "train", *SMALL, "--out", str(tmp_path / "run"), "--json")
    record = json.loads(out)
    assert (code, record["round"]) == (0, 2)
    assert "starts" in err
    assert "round 2/2" in err
    assert {path.name for path in (tmp_path / "run").iterdir()} >= {"run.json", "rounds.jsonl", "curve.npz", "DONE"}
    code, out, err = run(capsys, "train", *SMALL, "--out", str(tmp_path / "run"))
    assert (code, out) == (0, f"{tmp_path / 'run'}\n")
    assert "done already" in err
    code, _, err = run(capsys, "train", *SMALL, "--seed", "1", "--out", str(tmp_path / "run"))
    assert code == 2
    assert "seed" in err


def test_options_of_the_game_have_two_names(capsys, tmp_path: Path) -> None:
    long = [
        f"--game.{word[2:]}" if word in ("--range", "--vocabulary", "--batch", "--hidden") else word for word in SMALL
    ]
    assert run(capsys, "train", *SMALL, "--learning-rate=0.01", "--out", str(tmp_path / "short"))[0] == 0
    code, _, err = run(capsys, "train", *long, "--game.learning_rate", "0.01", "--out", str(tmp_path / "short"))
    assert (code, "done already" in err) == (0, True)
    config = json.loads((tmp_path / "short" / "run.json").read_text())["config"]
    assert (config["game"]["range"], config["game"]["learning_rate"], "range" in config) == (8, 0.01, False)
    both = ("--reward", "exact", "--game.reward=linear")
    code, _, err = run(capsys, "train", *SMALL, *both, "--out", str(tmp_path / "both"))
    assert (code, err) == (2, "ishango: --reward exact and --game.reward linear are one option; give one of them.\n")
    assert (
        run(capsys, "train", *SMALL, "--reward", "exact", "--game.reward", "exact", "--out", str(tmp_path / "b"))[0]
        == 0
    )
    code, _, err = run(capsys, "train", "--reward", "cubic")
    assert code == 2
    assert err == "ishango: --reward is 'cubic', but must be exact, linear, inverse or exponential.\n"


PLAN = """
experiment = "restricted"
base = {range = 8, rounds = 2, steps = 100, batch = 16, hidden = 10}
vary = {vocabulary = [2, 3], reward = ["linear", "exact"]}
"""


def test_sweep_and_compare(capsys, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN)
    assert main(["sweep", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "runs"), "--workers", "1"]) == 0
    code, out, _ = run(capsys, "compare", str(tmp_path / "runs"), "--json")
    document = json.loads(out)
    assert code == 0
    assert [(row["reward"], row["runs"]) for row in document["rewards"]] == [("exact", 2), ("linear", 2)]
    assert len(document["vocabularies"]) == len(document["runs"]) == 4
    assert {run["reward"] for run in document["runs"]} == {"linear", "exact"}
    code, out, _ = run(capsys, "compare", str(tmp_path / "runs"), "--figures", str(tmp_path / "figures"))
    assert code == 0
    assert "regret" in out
    names = {path.name for path in (tmp_path / "figures").glob("*.svg")}
    assert names == {"restricted-agents-8.svg", "restricted-ends-8.svg", "restricted-learning-8.svg"}


def test_runs_under_two_needs_are_not_put_together(capsys, tmp_path: Path, monkeypatch) -> None:
    """They have frontiers of their own, and pictures, whose names are no paths."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "n.csv").write_text("".join(f"{n},{1 / n}\n" for n in range(1, 9)))
    for place, need in enumerate(("file:sub/n.csv", "uniform")):
        assert run(capsys, "train", *SMALL, "--need", need, "--out", str(tmp_path / "runs" / str(place)))[0] == 0
    code, out, _ = run(capsys, "compare", str(tmp_path / "runs"), "--json", "--figures", str(tmp_path / "figures"))
    assert code == 0
    told = [(row["need"], row["reward"], row["runs"]) for row in json.loads(out)["rewards"]]
    assert told == [("file:sub/n.csv", "linear", 1), ("uniform", "linear", 1)]
    for need in ("file-sub_n.csv", "uniform"):
        curves = pd.read_csv(tmp_path / "figures" / f"restricted-learning-8-{need}.csv")
        assert curves["run"].nunique() == len(pd.read_csv(tmp_path / "figures" / f"restricted-ends-8-{need}.csv")) == 1


def test_runs_are_not_compared_by_a_need_that_is_another_one_today(capsys, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = Path("sub/n.csv")
    table.parent.mkdir()
    for place, slope in enumerate((1, 2)):
        table.write_text("".join(f"{n},{n**-slope}\n" for n in range(1, 9)))
        assert run(capsys, "train", *SMALL, "--need", f"file:{table}", "--out", f"runs/{place}")[0] == 0
    code, out, err = run(capsys, "compare", "runs")
    assert (code, out) == (2, "")
    assert "What file:sub/n.csv holds was changed between the runs in" in err
    code, out, err = run(capsys, "compare", "runs/0")
    assert (code, out) == (2, "")
    assert "What file:sub/n.csv holds has changed since the run in" in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("describe", "1|2-5|5-"), "5 has two words"),
        (("describe", "1|3-"), "2 has no word"),
        (("describe", ""), "without words"),
        (("describe", "|"), "not a word's extent"),
        (("describe", "1|2-", "--range", "0"), "The range is 0"),
        (("describe", "1|2-4|5-", "--kind", "exact restricted"), "not exact restricted"),
        (("describe", "English"), "English is recursive"),
        (("describe", "Klingon"), "no language 'Klingon'"),
        (("describe", "Pirahã", "--kind", "exact restricted"), "is approximate"),
        (("describe", "1|2-", "--kind", "approximate", "--weber", "-1"), "Weber"),
        (("frontier", "--sizes", "0"), "0"),
        (("frontier", "--sizes", "30", "--range", "20"), "30 words"),
        (("frontier", "--range", "1000", "--sizes", "2"), "go up to 400"),
        (("train", "--vocabulary", "21"), "between 1 and the range, 20"),
        (("train", "--vocabulary", "0"), "vocabulary"),
        (("train", "--reward", "cubic"), "cubic"),
        (("compare", "absent"), "absent is not a directory"),
        (("bands", "--out", "x"), "nothing to draw"),
        (("bands", "Klingon", "--out", "x"), "no language 'Klingon'"),
        (("bands", "1|3-", "--out", "x"), "2 has no word"),
        (("bands", "English", "1|2-", "english", "--out", "x"), "English is given twice"),
        (("bands", "1|2-", "1|2-", "--out", "x"), "1|2- is given twice"),
        (("bands", "English", "--last", "0", "--out", "x"), "The range is 0"),
        (("learn",), "There is no command restricted 'learn'"),
    ],
)
def test_bad_requests_get_one_sentence_and_exit_code_2(capsys, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_plan_of_an_unknown_experiment_is_refused(capsys, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(PLAN.replace('"restricted"', '"magic"'))
    assert main(["sweep", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "runs")]) == 2
    assert "there is no experiment 'magic'" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()


def test_runs_of_another_experiment_cannot_be_compared(capsys, tmp_path: Path) -> None:
    assert main(["evolve", "--choose", "coin", "--rounds", "1", "--out", str(tmp_path / "run")]) == 0
    code, _, err = run(capsys, "compare", str(tmp_path / "run"))
    assert code == 2
    assert "not of ishango restricted train" in err
