"""Studies, commands, very long runs, and going on with runs: what the bench stands on."""

from __future__ import annotations

import json
import shlex
import shutil
import time
from itertools import pairwise
from pathlib import Path

import pytest
from tests.explorer.conftest import client_of
from tests.explorer.test_runs import until

from ishango.cli import main
from ishango.errors import RequestError
from ishango.explorer import Site
from ishango.explorer import _launch as commands
from ishango.explorer import _run_page as run_page
from ishango.explorer import _summaries as rounds
from ishango.explorer._found_runs import Runs
from ishango.explorer._models import RunDetails
from ishango.explorer._optima import Optima
from ishango.explorer._paths import trail_rows
from ishango.explorer._summaries import shown, study_of
from ishango.kinds import SOCIETY, Society, SocietyOptions
from ishango.lab import EXPERIMENTS, RunView
from ishango.lab import run as play

LAST = 8999


@pytest.fixture
def copied(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "site"))


def test_runs_that_differ_in_their_seed_only_are_one_study() -> None:
    config = EXPERIMENTS["evolution"].defaults()
    one = study_of("a/1", "evolution", {**config, "seed": 1})
    assert study_of("a/2", "evolution", {**config, "seed": 2}) == one
    assert one["config"] == {}
    other = study_of("a/3", "evolution", {**config, "choose": "coin"})
    assert (other["config"], other["agents"], other["who"]) == ({"choose": "coin"}, False, "drift")
    assert study_of("b/1", "evolution", {**config, "seed": 1})["id"] != one["id"]
    assert study_of("a/1", "evolution", {**config, "word": float("nan")})["config"] == {"word": "NaN"}


def test_a_learner_of_one_system_wins_no_games_and_its_numbers_are_counted(tmp_path: Path) -> None:
    kind = EXPERIMENTS["learnability"]
    config = kind.complete({"rounds": 1, "steps": 5})
    play(kind.from_config(config), tmp_path / "run")
    (listed,) = Runs(tmp_path).listed()
    *_, record = RunView(tmp_path / "run").rounds()
    right = [asked for asked, guess in enumerate(record["guesses"], start=1) if guess == asked]
    assert listed.summary["numbers_understood"] == len(right)
    assert listed.summary["accuracy"] == pytest.approx(record["accuracy"])
    assert listed.study is not None
    assert listed.study["won"] == "understood, by need"
    assert study_of("a/1", "evolution", EXPERIMENTS["evolution"].defaults())["won"] == "games won"


@pytest.mark.parametrize("experiment", ["evolution", "generations", "kinds", "restricted"])
def test_the_command_of_a_run_plays_that_run(experiment: str, tmp_path: Path) -> None:
    kind = next(each for each in EXPERIMENTS.values() if each.name == experiment)
    chosen = {"rounds": 0, "seed": 7} | ({"start": "1-4 | 5,10"} if experiment in ("evolution", "generations") else {})
    few = {"choose": "coin"} if experiment in ("evolution", "kinds") else {}
    config = kind.complete(chosen | few)
    line = commands.line_of(experiment, config, tmp_path / "run")
    assert line is not None
    assert main(shlex.split(line)[1:]) == 0
    assert RunView(tmp_path / "run").config == config


def test_no_value_of_a_config_becomes_an_option() -> None:
    words = commands.words_of("evolution", {**EXPERIMENTS["evolution"].defaults(), "start": "--out=/tmp/else"}, "here")
    assert words is not None
    assert [each for each in words if each.startswith("--out")] == ["--out=here"]


def test_a_very_long_run_is_read_in_part(copied: Path, optima: Optima) -> None:
    file = copied / "start-1" / "rounds.jsonl"
    record = json.loads(file.read_text().splitlines()[-1])
    lines = [
        json.dumps({**record, "round": number, "digits": [1, 2, 3 + number // 1800]}) for number in range(LAST + 1)
    ]
    file.write_text("\n".join(lines) + "\n" + lines[-1][:50])
    assert file.stat().st_size > rounds.LONGEST
    read = rounds.read_lines(RunView(copied / "start-1"))
    numbers = [each["round"] for each in read.records]
    assert not read.whole
    assert (numbers[0], numbers[-1]) == (0, LAST)
    assert numbers == sorted(set(numbers))
    assert 250 < len(numbers) < 500
    assert max(b - a for a, b in pairwise(numbers)) < 80  # from all over the file
    details = run_page.run_details(Site(copied, optima=optima), "start-1")
    assert (details["whole"], details["run"]["round"]) == (False, LAST)
    damaged = "\n".join([*lines[:-3], '{"round": 9999, "size": null}'] * 2)
    file.write_text(damaged + "\n")
    last = rounds.read_last(RunView(copied / "start-1"), True)
    assert last is not None
    assert LAST - 200 < last["round"] < LAST  # the last that is whole, without reading all


def test_numbers_that_nobody_measured_are_not_drawn(copied: Path, optima: Optima) -> None:
    file = copied / "start-1" / "rounds.jsonl"
    lines = file.read_text().splitlines()
    lines[-1] = json.dumps(json.loads(lines[-1]) | {"accuracy": 1e308, "gap": -1e308, "average_complexity": 1e308})
    file.write_text("\n".join(lines) + "\n")
    details = run_page.run_details(Site(copied, optima=optima), "start-1")
    assert (details["run"]["round"], details["run"]["accuracy"], details["run"]["gap"]) == (6, None, None)
    json.dumps(details, allow_nan=False)
    lines[-1] = json.dumps(json.loads(lines[-1]) | {"accuracy": "1e999"})
    file.write_text("\n".join(lines) + "\n")
    details = run_page.run_details(Site(copied, optima=optima), "start-1")
    assert details["run"]["round"] == 5  # such a line ends what can be read
    json.dumps(details, allow_nan=False)


def test_steps_never_cut_through_what_is_unattainable() -> None:
    """A frontier falls with size; the corner of a step has the larger size and the cost of the smaller one."""
    places = [(5, 2.0), (6, 1.5), (5, 1.9), (4, 2.6), (7, 2.7), (6, 1.4)]
    records = [{"round": i, "size": x, "average_complexity": y} for i, (x, y) in enumerate(places)]
    rows = trail_rows("a", 0, records, shown("evolution"))
    points = [(row["x"], row["y"]) for row in rows]
    for a, b in pairwise(points):
        assert a[0] == b[0] or a[1] == b[1]  # along an axis
    assert points[1] == (6, 2.0)
    assert points[3] == (6, 1.9)
    assert [row["until"] for row in rows if row["until"]][:2] == [1, 2]


def test_a_system_of_any_kind_is_shown_by_the_law(tmp_path: Path, optima: Optima) -> None:
    play(Society(SocietyOptions(rounds=6, choose="law", precision=20)), tmp_path / "law")
    with client_of(Site(tmp_path, optima=optima)) as client:
        details = RunDetails.model_validate(client.get("/api/run", params={"name": "law"}).json())
        assert details.study is not None
        assert (details.run.experiment, details.study.who, details.study.agents) == (SOCIETY.name, "the law", False)
        assert details.run.cost is not None
        assert (details.path is None, details.lexicon is None) == (False, False)
        assert client.get("/api/plane").json()["runs"] == 0
        figure = client.get("/api/measure", params={"name": "law", "field": "exact_upto"})
        assert len(figure.json()["datasets"]["values"]) == 7
        assert client.get("/api/measure", params={"name": "law", "field": "action"}).status_code == 409
        assert client.get("/api/overlay", params={"name": "law"}).status_code == 409


def test_a_run_is_repeated_and_continued(copied: Path, optima: Optima) -> None:
    site = Site(copied, most_runs=1, optima=optima)
    with client_of(site) as client:
        refused = client.post("/api/runs/continue", json={"name": "drift/start-3", "rounds": 9})
        assert (refused.status_code, "command" in refused.json()["error"]) == (409, True)
        name = (
            client.post("/api/runs/again", json={"name": "drift/start-3", "seed": 5}).raise_for_status().json()["name"]
        )
        details = client.get("/api/run", params={"name": name}).json()
        assert details["run"]["state"] in ("starting", "running", "done")
        assert (details["run"]["digits"] != [], details["study"]["who"]) == (True, "drift")  # not "none" for seconds
        until(lambda: site.listing(name).summary["state"] == "done")
        config = json.loads((copied / name / "run.json").read_text())["config"]
        pattern = json.loads((copied / "drift/start-3/run.json").read_text())["config"]
        assert config == {**pattern, "seed": 5}
        until(lambda: client.post("/api/runs/continue", json={"name": name, "rounds": 12}).status_code == 200)
        until(lambda: site.listing(name).summary["round"] == 12)
        until(lambda: site.listing(name).summary["state"] == "done")
        fewer = client.post("/api/runs/continue", json={"name": name, "rounds": 3})
        assert (fewer.status_code, "as many or more" in fewer.json()["error"]) == (409, True)


@pytest.mark.parametrize("field", [{"need": "file:/etc/passwd"}, {"players": "torch:os:system"}])
def test_what_a_directory_names_is_neither_read_nor_loaded(copied: Path, optima: Optima, field: dict[str, str]) -> None:
    path = copied / "start-1" / "run.json"
    document = json.loads(path.read_text())
    document["config"] |= field
    path.write_text(json.dumps(document))
    with pytest.raises(RequestError, match="use its command"):
        Site(copied, most_runs=1, optima=optima).launcher.again("start-1", 3)


def test_a_played_run_is_looked_at_between_two_looks_at_all(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ishango._locks import locked
    from ishango.explorer import _found_runs as runs

    monkeypatch.setattr(runs, "FRESH", 0.0)
    here = Runs(copied)
    (copied / "start-1" / "DONE").unlink()
    with locked(copied / "start-1"):
        assert {each["name"]: each["state"] for each in here.summaries()}["start-1"] == "running"
        here._look_took = 1e6  # nobody looks at all of them for long
        file = copied / "start-1" / "rounds.jsonl"
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
        time.sleep(0.01)
        assert {each["name"]: each["round"] for each in here.summaries()}["start-1"] == 5
