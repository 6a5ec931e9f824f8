"""Notes, archives and removals of runs, each asked for twice; groups compared; a message of one's own; gzip."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.explorer.conftest import client_of

from ishango.explorer import Site
from ishango.explorer._optima import Optima
from ishango.lab import list_archive


@pytest.fixture
def directory(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "site"))


@pytest.fixture
def keeping(directory: Path, optima: Optima) -> Iterator[httpx.Client]:
    with client_of(Site(directory, most_runs=1, optima=optima)) as client:
        yield client


def names(client: httpx.Client) -> set[str]:
    return {each["name"] for each in client.get("/api/runs").raise_for_status().json()}


def test_a_note_is_kept_in_the_directory_and_written_through_no_link(keeping: httpx.Client, directory: Path) -> None:
    victim = directory.parent / "victim"
    victim.write_text("kept")
    (directory / "start-1" / "note.txt").symlink_to(victim)
    assert keeping.get("/api/run", params={"name": "start-1"}).json()["note"] == ""  # a link is not read either
    asked = {"name": "start-1", "text": "nearest to Danish <b>"}
    keeping.post("/api/runs/note", json=asked).raise_for_status()
    assert victim.read_text() == "kept"
    assert (directory / "start-1" / "note.txt").read_text() == "nearest to Danish <b>\n"
    assert keeping.get("/api/run", params={"name": "start-1"}).json()["note"] == "nearest to Danish <b>"
    keeping.post("/api/runs/note", json={"name": "start-1", "text": " "}).raise_for_status()
    assert not (directory / "start-1" / "note.txt").exists()


def test_who_may_read_a_run_may_read_its_note(keeping: httpx.Client, directory: Path) -> None:
    keeping.post("/api/runs/note", json={"name": "start-1", "text": "look at this"}).raise_for_status()
    assert (directory / "start-1" / "note.txt").stat().st_mode == (directory / "start-1" / "run.json").stat().st_mode
    assert [path.name for path in (directory / "start-1").iterdir() if "note" in path.name] == ["note.txt"]


@pytest.mark.parametrize("act", ["delete", "archive"])
def test_a_run_is_taken_away_only_when_it_is_named_twice(keeping: httpx.Client, directory: Path, act: str) -> None:
    for sure in ("", "start-2", "drift/start-3"):
        assert keeping.post(f"/api/runs/{act}", json={"name": "start-1", "sure": sure}).status_code in (409, 422)
    assert keeping.post(f"/api/runs/{act}", json={"name": "../x", "sure": "../x"}).status_code == 404
    assert names(keeping) == {"start-1", "drift/start-3"}
    (directory / "start-1" / "link").symlink_to(directory / "drift")
    keeping.post(f"/api/runs/{act}", json={"name": "start-1", "sure": "start-1"}).raise_for_status()
    assert names(keeping) == {"drift/start-3"}
    assert not (directory / "start-1").exists()
    assert (directory / "drift" / "start-3" / "run.json").exists()
    if act == "archive":
        assert len(list_archive(directory / "archived" / "start-1.tar.xz")) == 1


def test_where_runs_are_only_looked_at_nothing_is_taken_away(client: httpx.Client) -> None:
    for act, more in (("delete", {"sure": "start-1"}), ("archive", {"sure": "start-1"}), ("note", {"text": "x"})):
        assert client.post(f"/api/runs/{act}", json={"name": "start-1", **more}).status_code == 409


def test_groups_have_medians_and_a_sentence(client: httpx.Client) -> None:
    studies = {each["name"]: each["study"] for each in client.get("/api/runs").json()}
    asked = {"first": studies["start-1"], "second": studies["drift/start-3"]}
    answer = client.get("/api/groups", params=asked).raise_for_status().json()
    assert answer["sentence"].startswith("No test: ")  # they share no start
    assert [each["runs"] for each in answer["groups"]] == [1, 1]
    assert {row["place"] for row in answer["figure"]["datasets"]["spread"]} == {0, 1}
    assert client.get("/api/groups", params={**asked, "second": "0" * 12}).status_code == 409


def test_a_listener_hears_any_message_that_is_one(client: httpx.Client) -> None:
    dictionary = client.get("/api/dictionary", params={"name": "start-1"}).json()
    assert 1 <= dictionary["messages"] <= len(dictionary["entries"])
    entry = dictionary["entries"][6]
    said = [int(symbol) for symbol in entry["message"].split()]
    heard = client.get("/api/hear", params={"name": "start-1", "symbol": said}).raise_for_status().json()
    assert heard["heard"] == entry["heard"]
    assert [dictionary["symbols"][symbol] for symbol in said] == heard["letters"]
    assert client.get("/api/hear", params={"name": "start-1", "symbol": [9999]}).status_code == 409
    assert client.get("/api/hear", params={"name": "start-1"}).status_code == 422


def test_what_is_long_is_sent_compressed_and_news_are_not(client: httpx.Client) -> None:
    assert client.get("/api/plane").headers["content-encoding"] == "gzip"
    with client.stream("GET", "/api/events") as events:
        assert "content-encoding" not in events.headers
        assert next(events.iter_lines()).startswith("event:")


def test_the_last_round_of_groups_is_drawn_however_many_there_are(keeping: httpx.Client, directory: Path) -> None:
    rounds = directory / "start-1" / "rounds.jsonl"
    record = json.loads(rounds.read_text().splitlines()[-1])
    rounds.write_text("".join(json.dumps({**record, "round": i}) + "\n" for i in range(900)))
    studies = {each["name"]: each["study"] for each in keeping.get("/api/runs").json()}
    asked = {"first": studies["start-1"], "second": studies["drift/start-3"]}
    drawn = keeping.get("/api/groups", params=asked).raise_for_status().json()["figure"]["datasets"]["spread"]
    assert max(each["round"] for each in drawn) == 899
