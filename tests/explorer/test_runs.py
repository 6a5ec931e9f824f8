from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.explorer.conftest import client_of

from ishango._locks import holder, locked
from ishango.evolution import Evolution, EvolutionOptions
from ishango.explorer import Site
from ishango.explorer._app import create_app
from ishango.explorer._found_runs import Runs
from ishango.explorer._models import RunDetails
from ishango.explorer._optima import Optima
from ishango.explorer._site import Listeners
from ishango.explorer._summaries import _learners, is_odd, read_lines, typed_round
from ishango.game import GameOptions
from ishango.generations import GenerationOptions, Generations
from ishango.lab import run as play

BEFORE = Path(__file__).parents[1] / "fixtures" / "runs-format-2"
"""Runs of format 2."""
LONG = {"digits": [1, 2, 3, 4], "multipliers": [5, 10], "rounds": 1000, "steps": 100, "seed": 3}


@pytest.fixture
def copied(played: Path, tmp_path: Path) -> Path:
    """A copy of the played runs that may be written to."""
    return Path(shutil.copytree(played, tmp_path / "site"))


@pytest.fixture
def writing(copied: Path, optima: Optima) -> Iterator[httpx.Client]:
    """A site in which runs can be started, one at a time; those still going on are stopped at the end."""
    site = Site(copied, most_runs=1, optima=optima)
    with client_of(site) as client:
        yield client
        for name in [each["name"] for each in site.all_runs() if each["can_stop"]]:
            site.launcher.stop(name)
            until(lambda name=name: state(client, name) in ("interrupted", "done"))


def until(condition: Callable[[], Any], seconds: float = 240) -> Any:
    """Wait for something to become true, also where kernels are compiled first."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError("it never happened")


def run(client: httpx.Client, name: str) -> dict[str, Any]:
    return next((each for each in client.get("/api/runs").json() if each["name"] == name), {})


def state(client: httpx.Client, name: str) -> str:
    return run(client, name).get("state", "absent")


def test_an_unfinished_run_is_interrupted_and_a_held_one_running(copied: Path) -> None:
    (copied / "start-1" / "DONE").unlink()
    runs = Runs(copied)
    assert runs.listing("start-1").summary["state"] == "interrupted"
    with locked(copied / "start-1"):
        assert runs.listing("start-1").summary["state"] == "running"
        assert runs.listing("start-1").summary["can_stop"] is False  # it was not started from the page
    (copied / "start-1" / "error.txt").write_text("It went wrong.\nDetails\n")
    assert runs.listing("start-1").summary["state"] == "failed"
    assert runs.listing("start-1").summary["message"] == "It went wrong."


def test_links_lead_nowhere(copied: Path, played: Path, tmp_path: Path) -> None:
    outside = Path(shutil.copytree(played / "start-1", tmp_path / "outside"))
    (copied / "link").symlink_to(outside)
    shutil.copytree(outside, copied / "files")
    for name in ("run.json", "rounds.jsonl", "checkpoint.npz", "checkpoint.previous.npz"):
        (copied / "start-1" / name).unlink()
        (copied / "start-1" / name).symlink_to(outside / name)
    (copied / "files" / "rounds.jsonl").unlink()
    (copied / "files" / "rounds.jsonl").symlink_to(outside / "rounds.jsonl")
    runs = Runs(copied)
    assert runs.names() == ["drift/start-3", "files"]
    assert read_lines(runs.view("files")).records == []


def test_agents_are_not_read_through_links(copied: Path, played: Path, optima: Optima) -> None:
    for name in ("checkpoint.npz", "checkpoint.previous.npz"):
        (copied / "start-1" / name).unlink()
        (copied / "start-1" / name).symlink_to(played / "start-1" / name)
    with client_of(Site(copied, optima=optima)) as client:
        response = client.get("/api/dictionary", params={"name": "start-1"})
    assert response.status_code == 409
    assert "no agents" in response.json()["error"]


def test_damaged_files_spoil_only_their_own_run(copied: Path, optima: Optima) -> None:
    (copied / "drift" / "start-3" / "run.json").write_text("{")
    (copied / "other").mkdir()
    (copied / "other" / "run.json").write_text('{"format": 3, "config": {"rounds": 3, "seed": 0}, "seed": 0}')
    rounds = copied / "start-1" / "rounds.jsonl"
    lines = rounds.read_bytes().splitlines(keepends=True)
    rounds.write_bytes(b"".join(lines[:3]) + b"garbage\n" + b'{"round": 4}\n' + lines[4][:20])
    with client_of(Site(copied, optima=optima)) as client:
        listed = {each["name"]: each for each in client.get("/api/runs").json()}
        assert set(listed) == {"start-1", "drift/start-3"}
        assert listed["drift/start-3"]["state"] == "unreadable"
        assert "can be read for 3 of its" in listed["start-1"]["message"]
        assert [each["round"] for each in client.get("/api/run", params={"name": "start-1"}).json()["rounds"]] == [
            0,
            1,
            2,
        ]
        assert client.get("/api/plane").status_code == 200


def test_a_record_with_text_that_cannot_be_sent_is_no_record(copied: Path) -> None:
    [first, *_] = read_lines(Runs(copied).view("start-1")).records
    assert typed_round(first)
    assert typed_round({**first, "\ud800": 1}) is None
    assert typed_round({**first, "more": "\ud800"}) is None


def test_only_an_odd_last_line_is_told(copied: Path) -> None:
    rounds = copied / "start-1" / "rounds.jsonl"
    lines = rounds.read_bytes().splitlines(keepends=True)
    for written, odd in (([*lines, b'{"odd": 1}\n'], True), ([b'{"odd": 1}\n', *lines], False)):
        rounds.write_bytes(b"".join(written))
        assert is_odd(Runs(copied).view("start-1"), json.loads(lines[-1])) is odd


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "run.json cannot be read (Expecting"),
        ("{}", "run.json cannot be read (it has no config); put it right."),
        ('{"config": {}, "format": 99}', "It is of format 99, and this version"),
        ('{"config": {}}', "It is of a format before 2, which this version"),
        (
            '{"format": 2, "experiment": "evolution", "config": {"rounds": "many"}}',
            "run.json cannot be read (its rounds are",
        ),
    ],
)
def test_a_run_that_cannot_be_read_is_listed_with_the_reason(
    copied: Path, optima: Optima, content: str, reason: str
) -> None:
    (copied / "start-1" / "run.json").write_text(content)
    with client_of(Site(copied, optima=optima)) as client:
        found = run(client, "start-1")
        assert found["state"] == "unreadable"
        assert found["message"].startswith(reason)
        assert str(copied) not in found["message"]
        details = client.get("/api/run", params={"name": "start-1"}).json()
        assert RunDetails.model_validate(details).run.message == found["message"]
        assert client.get("/api/dictionary", params={"name": "start-1"}).status_code in (404, 409)
        assert client.get("/api/plane").status_code == 200


def test_agents_are_those_with_which_the_run_would_go_on(copied: Path, optima: Optima) -> None:
    """A damaged checkpoint gives way to the one before it; only where both are damaged is there nobody."""
    last, before = (copied / "start-1" / name for name in ("checkpoint.npz", "checkpoint.previous.npz"))
    with client_of(Site(copied, optima=optima)) as client:

        def ask() -> httpx.Response:
            return client.get("/api/dictionary", params={"name": "start-1"})

        assert ask().json()["round"] == 6
        damage(last)
        assert ask().json()["round"] == 5
        damage(before)
        assert ask().status_code == 409
        assert "none of its checkpoints can be used" in ask().json()["error"]


def damage(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1000])


def test_a_need_from_a_file_is_not_read_to_talk(tmp_path: Path, optima: Optima) -> None:
    need = tmp_path / "need.csv"
    need.write_text("number,need\n" + "".join(f"{n},{1 / n}\n" for n in range(1, 100)))
    play(Evolution(EvolutionOptions(need=f"file:{need}", rounds=0, steps=10)), tmp_path / "site" / "one")
    need.unlink()
    with client_of(Site(tmp_path / "site", optima=optima)) as client:
        assert client.get("/api/dictionary", params={"name": "one"}).status_code == 200


def test_runs_made_before_are_shown_whatever_they_played(optima: Optima) -> None:
    with client_of(Site(BEFORE, optima=optima)) as client:
        states = {each["name"]: each["state"] for each in client.get("/api/runs").json()}
        assert states == {"agents": "done", "coin": "done", "interrupted": "interrupted", "restricted": "done"}
        details = RunDetails.model_validate(client.get("/api/run", params={"name": "agents"}).json())
        assert [each.round for each in details.rounds] == list(range(7))
        assert {each.changed for each in details.rounds} == {None}  # nobody recorded it then
        assert client.get("/api/dictionary", params={"name": "agents"}).json()["round"] == 6
        assert client.get("/api/plane").json()["runs"] == 3
        learnt = RunDetails.model_validate(client.get("/api/run", params={"name": "restricted"}).json())
        assert learnt.run.grammar == ""  # its systems do not lie in the plane
        assert (learnt.path is not None, learnt.lexicon, learnt.rounds) == (True, None, [])
        assert {"gap", "complexity", "cost"} <= {each.name for each in learnt.measures}


def test_generations_are_shown_with_their_path_and_their_words(tmp_path: Path, optima: Optima) -> None:
    play(Generations(GenerationOptions(rounds=30, bottleneck="20")), tmp_path / "chain")
    with client_of(Site(tmp_path, optima=optima)) as client:
        shown = run(client, "chain")
        assert (shown["choose"], shown["steps"], shown["round"], shown["can_talk"]) == ("ideal learners", 0, 30, False)
        details = RunDetails.model_validate(client.get("/api/run", params={"name": "chain"}).json())
        assert details.path is not None
        assert details.lexicon is not None
        assert (details.communication, details.mutations, len(details.rounds)) == (None, None, 31)
        assert client.get("/api/plane").json()["runs"] == 1
        assert client.get("/api/dictionary", params={"name": "chain"}).status_code == 409


def test_a_run_that_has_recorded_nothing_is_shown_with_the_words_it_begins_with(tmp_path: Path) -> None:
    """Random starts are drawn by grammar and range; this one would be another under the other grammar."""
    options = EvolutionOptions(start="random:4", grammar="modified", rounds=0, choose="coin", game=GameOptions(upto=20))
    play(Evolution(options), tmp_path / "run")

    def words() -> tuple[list[int], list[int]]:
        (shown,) = Site(tmp_path).all_runs()
        return shown["digits"], shown["multipliers"]

    begun = words()
    (tmp_path / "run" / "rounds.jsonl").unlink()
    assert words() == begun != ([], [])


def test_a_run_whose_chooser_is_not_installed_goes_by_its_name(copied: Path, optima: Optima) -> None:
    path = copied / "start-1" / "run.json"
    path.write_text(path.read_text().replace('"bandit"', '"elsewhere"'))
    with client_of(Site(copied, optima=optima)) as client:
        shown = run(client, "start-1")
        assert (shown["choose"], shown["can_talk"], shown["round"]) == ("elsewhere", False, 6)
        assert client.get("/api/run", params={"name": "start-1"}).status_code == 200
        assert client.get("/api/dictionary", params={"name": "start-1"}).status_code == 409


def test_reading_changes_nothing(played: Path, client: httpx.Client) -> None:
    def contents() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in sorted(played.rglob("*")) if path.is_file()}

    before = contents()
    for path in ("/api/run", "/api/dictionary", "/api/exchange"):
        client.get(path, params={"name": "start-1", "number": 3}).raise_for_status()
    assert contents() == before


def events(response: httpx.Response) -> Iterator[dict[str, Any]]:
    """News of runs; how far their first reading has come is left out."""
    name = ""
    for line in response.iter_lines():
        name = line.removeprefix("event: ") if line.startswith("event: ") else name
        if line.startswith("data: ") and name == "runs":
            yield json.loads(line.removeprefix("data: "))


def test_news_are_all_runs_first_then_changes_only(copied: Path, optima: Optima) -> None:
    with client_of(Site(copied, optima=optima)) as client, client.stream("GET", "/api/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        stream = events(response)
        first = next(stream)
        assert {each["name"] for each in first["changed"]} == {"start-1", "drift/start-3"}
        assert {each["study"] for each in first["changed"]} == {each["id"] for each in first["studies"]}
        (copied / "start-1" / "DONE").unlink()
        changed = next(stream)
        assert [(each["name"], each["state"]) for each in changed["changed"]] == [("start-1", "interrupted")]
        shutil.rmtree(copied / "drift")
        assert next(stream) == {"changed": [], "gone": ["drift/start-3"], "studies": [], "limit": None}


def test_pairs_of_learners_are_counted_where_there_are_several() -> None:
    assert _learners({"agents": "ideal"})[0] == _learners({"agents": "ideal", "population": 1})[0] == "ideal learners"
    assert _learners({"agents": "ideal", "population": 2})[0] == "ideal learners, 2 pairs"


def test_only_so_many_may_listen_and_places_become_free(played: Path, optima: Optima) -> None:
    site = Site(played, optima=optima, listeners=Listeners(most=1))
    with client_of(site) as client:
        with client.stream("GET", "/api/events") as response:
            stream = events(response)  # kept: a stream that nobody holds is closed
            assert next(stream)
            with client.stream("GET", "/api/events") as refused:
                assert refused.status_code == 503
                assert "listening" in json.loads(refused.read())["error"]
        until(lambda: site.listeners.count == 0)
        with client.stream("GET", "/api/events") as response:
            assert next(events(response))["changed"]


def test_who_comes_at_the_same_moment_is_counted_too(played: Path, optima: Optima) -> None:
    app = create_app(Site(played, optima=optima, listeners=Listeners(most=2)))
    told: list[int] = []

    async def answer(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            told.append(message["status"])

    async def comes() -> None:
        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def stays() -> dict[str, Any]:
            if (first := next(asked, None)) is not None:
                return first
            await asyncio.sleep(60)
            return {"type": "http.disconnect"}

        place = {
            "scheme": "http",
            "root_path": "",
            "path": "/api/events",
            "raw_path": b"/api/events",
            "query_string": b"",
        }
        scope = {"type": "http", "http_version": "1.1", "method": "GET", **place, "headers": [(b"host", b"127.0.0.1")]}
        await app(scope, stays, answer)

    async def all_at_once() -> None:
        tasks = [asyncio.create_task(comes()) for _ in range(6)]
        while len(told) < len(tasks):
            await asyncio.sleep(0.01)
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(asyncio.wait_for(all_at_once(), 60))
    assert sorted(told) == [200, 200, 503, 503, 503, 503]


def test_who_comes_later_is_told_what_changed_while_nobody_listened(copied: Path, optima: Optima) -> None:
    site = Site(copied, optima=optima)
    with client_of(site) as client:
        with client.stream("GET", "/api/events") as response:
            stream = events(response)
            assert next(stream)["all"]
        until(lambda: site.news._watching is not None and site.news._watching.done())
        shutil.rmtree(copied / "drift")
        with client.stream("GET", "/api/events") as response:
            lines = response.iter_lines()
            assert next(lines) == "event: runs"  # what was known is told at once, and that nothing is read anew
            assert json.loads(next(lines).removeprefix("data: "))["all"]
            changed = next(line for line in lines if line.startswith("data: "))
            assert json.loads(changed.removeprefix("data: "))["gone"] == ["drift/start-3"]


def test_a_run_is_started_followed_and_stopped(writing: httpx.Client, copied: Path) -> None:
    name = writing.post("/api/runs/start", json=LONG).raise_for_status().json()["name"]
    assert name.startswith("explorer/")
    assert state(writing, name) in ("starting", "running")
    busy = writing.post("/api/runs/start", json=LONG)
    assert busy.status_code == 429
    until(lambda: run(writing, name).get("round", -1) >= 2)
    process = holder(copied / name)
    assert process is not None
    assert os.getsid(process.pid) == process.pid  # neither the server's terminal nor its Ctrl-C reaches it
    writing.post("/api/runs/stop", json={"name": name}).raise_for_status()
    until(lambda: state(writing, name) == "interrupted")
    assert run(writing, name)["can_stop"] is False
    again = writing.post("/api/runs/stop", json={"name": name})
    assert again.status_code == 409
    config = json.loads((copied / name / "run.json").read_text())["config"]
    assert {field: config[field] for field in ("rounds", "steps", "seed", "start")} == {
        "rounds": 1000, "steps": 100, "seed": 3, "start": "1-4 | 5,10",
    }  # fmt: skip


def test_a_run_outlives_its_server_and_another_server_stops_it(copied: Path, optima: Optima) -> None:
    with client_of(Site(copied, optima=optima)) as client:
        name = client.post("/api/runs/start", json=LONG).raise_for_status().json()["name"]
        until(lambda: run(client, name).get("round", -1) >= 0)
    process = holder(copied / name)
    assert process is not None
    with client_of(Site(copied, optima=optima)) as client:
        before = run(client, name)["round"]
        until(lambda: run(client, name)["round"] > before)
        client.post("/api/runs/stop", json={"name": name}).raise_for_status()
        until(lambda: state(client, name) == "interrupted")


def test_runs_that_were_not_started_here_are_not_stopped_here(copied: Path, optima: Optima) -> None:
    command = [sys.executable, "-m", "ishango", "evolve", "--start", "1", "--rounds", "500", "--steps", "100"]
    process = subprocess.Popen([*command, "--out", str(copied / "mine")], stderr=subprocess.DEVNULL)
    try:
        with client_of(Site(copied, optima=optima)) as client:
            until(lambda: state(client, "mine") == "running")
            response = client.post("/api/runs/stop", json={"name": "mine"})
            assert response.status_code == 409
            assert process.poll() is None
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"digits": [1], "multipliers": [10]}, "cover 1..50"),
        ({"digits": [1, 2, 3], "multipliers": []}, "multiplier"),
        ({"digits": [1, 2, 3, 60], "multipliers": [4]}, "60"),
    ],
)
def test_systems_that_agents_cannot_use_are_refused(writing: httpx.Client, copied: Path, change, words: str) -> None:
    response = writing.post("/api/runs/start", json={**LONG, **change})
    assert response.status_code == 409
    assert words in response.json()["error"]
    assert not (copied / "explorer").exists()
