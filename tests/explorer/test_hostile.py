"""Directories that somebody else made: nothing is written through a link, no key is an option, the rest is shown."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.explorer.conftest import client_of

import ishango
from ishango.errors import RequestError
from ishango.explorer import Site, export_page
from ishango.explorer._launch import Launcher
from ishango.explorer._models import NewRun
from ishango.explorer._optima import Optima
from ishango.lab import PREVIOUS, unarchive

OURS = "explorer/2026-01-01-000000"


@pytest.fixture
def site(played: Path, optima: Optima, tmp_path: Path) -> Site:
    """A directory with two runs, and a third that looks as if it had been started from the page and interrupted."""
    directory = Path(shutil.copytree(played, tmp_path / "site"))
    (directory / "explorer").mkdir()
    shutil.copytree(played / "drift" / "start-3", directory / OURS)
    (directory / OURS / "DONE").unlink()
    return Site(directory, most_runs=1, optima=optima)


def edit(run: Path, **config: Any) -> None:
    document = json.loads((run / "run.json").read_text())
    document["config"] |= config
    (run / "run.json").write_text(json.dumps(document))


def finish(launcher: Launcher) -> None:
    for child in launcher._children.values():
        child.process.wait(120)


@pytest.mark.parametrize("name", ["log", "rounds.jsonl", "checkpoint.npz", "lock", "other"])
def test_nothing_is_written_through_a_link(site: Site, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "startup"
    victim.write_text("kept\n")
    run = site.directory / OURS
    link = run.with_suffix(".log") if name == "log" else run / name
    link.unlink(missing_ok=True)
    link.symlink_to(victim)
    with pytest.raises(RequestError, match="link"):
        site.launcher.go_on(OURS, 12)
    link.unlink()
    os.mkfifo(link)
    with pytest.raises(RequestError, match="links or devices"):
        site.launcher.go_on(OURS, 12)
    assert not site.launcher._children
    assert victim.read_text() == "kept\n"


def test_a_log_that_became_a_link_meanwhile_is_not_opened(tmp_path: Path) -> None:
    from ishango.explorer._launch import _spawn

    victim = tmp_path / "startup"
    victim.write_text("kept\n")
    (tmp_path / "a.log").symlink_to(victim)
    for goes_on in (True, False):
        with pytest.raises(RequestError, match="cannot be written"):
            _spawn({}, tmp_path / "a.log", goes_on)
    assert victim.read_text() == "kept\n"


@pytest.mark.parametrize("key", ["players=torch:evil:make", "out", "game.players", "--out", "choose=coin --out"])
def test_a_key_of_a_config_is_no_option(site: Site, tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    edit(site.directory / OURS, **{key: "1"})
    for act in (lambda: site.launcher.go_on(OURS, 12), lambda: site.launcher.again(OURS, 3)):
        with pytest.raises(RequestError):
            act()
    finish(site.launcher)
    assert not (tmp_path / "ran").exists()
    with client_of(site) as client:
        details = client.get("/api/run", params={"name": OURS}).raise_for_status().json()
    assert not (details["command"] and "evil" in details["command"])
    assert not details["can_repeat"]


def test_values_are_checked_before_anything_is_started(site: Site) -> None:
    for config in ({"start": "--help"}, {"modifications": "m0,evil"}, {"need": "file:/etc/passwd"}, {"steps": "1"}):
        shutil.rmtree(site.directory / OURS)
        shutil.copytree(site.directory / "drift" / "start-3", site.directory / OURS)
        edit(site.directory / OURS, **config)
        with pytest.raises(RequestError):
            site.launcher.go_on(OURS, 12)
        assert not site.launcher._children


def test_what_is_not_hostile_goes_on_and_imports_nothing_from_here(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(ishango.__file__).parents[1]))
    site.launcher.go_on(OURS, 12)
    finish(site.launcher)
    log = (site.directory / OURS).with_suffix(".log").read_text()
    lines = (site.directory / OURS / "rounds.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["round"] == 12, log
    assert not (tmp_path / "ran").exists()


def at_once(act: Callable[[], object]) -> list[object]:
    """What two threads are told that do the same at the same moment."""
    barrier, told = threading.Barrier(2), list[object]()

    def one() -> None:
        barrier.wait(20)
        try:
            told.append(act())
        except RequestError as refusal:
            told.append(str(refusal))

    threads = [threading.Thread(target=one) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(60)
    return told


def test_what_is_ordered_twice_at_once_is_done_once(site: Site) -> None:
    """Two clicks on Continue play a run once, and two clicks on Start make two runs, each in a directory of its own."""
    launcher = Launcher(site.runs, 2)
    told = at_once(lambda: launcher.go_on(OURS, 12))
    assert sorted(told, key=str) == [None, f"The run {OURS!r} is going on."]
    finish(launcher)
    lines = (site.directory / OURS / "rounds.jsonl").read_text().splitlines()
    assert [json.loads(line)["round"] for line in lines] == list(range(13))
    asked = NewRun(digits=[1, 2, 3], multipliers=[5], choose="coin", rounds=1)
    for most, runs in ((2, 2), (1, 1)):
        launcher = Launcher(site.runs, most)
        told = at_once(lambda launcher=launcher: launcher.start(asked))
        finish(launcher)
        names = {each for each in told if str(each).startswith("explorer/")}
        assert len(names) == len(launcher._children) == runs
        assert len(told) == 2
        assert all((site.directory / str(name) / "DONE").exists() for name in names)


@pytest.mark.parametrize("acts", [("archive", "archive"), ("delete", "delete"), ("archive", "delete")])
def test_a_run_is_taken_away_once_and_whole(site: Site, acts: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two clicks, or two pages: the second is told that there is no such run, and what is archived is all of it."""
    before = {each.name for each in (site.directory / OURS).iterdir()} - {PREVIOUS}
    slowly = shutil.rmtree
    monkeypatch.setattr(shutil, "rmtree", lambda *path, **how: (time.sleep(0.3), slowly(*path, **how)))
    launcher, waiting = Launcher(site.runs, 1), list(acts)
    told = at_once(lambda: getattr(launcher, waiting.pop())(OURS, OURS))
    refused = [each for each in told if isinstance(each, str)]
    assert len(told) == 2
    assert refused == [f"There is no run {OURS!r}."]
    assert not (site.directory / OURS).exists()
    file = site.directory / "archived" / f"{OURS.replace('/', '--')}.tar.xz"
    if file.exists():
        unarchive(file, site.directory / "again")
        (again,) = (site.directory / "again").rglob("run.json")
        assert {each.name for each in again.parent.iterdir()} == before
    assert file.exists() or "delete" in acts


RECORDS: dict[str, dict[str, Any]] = {
    "true": {"accepted": 1}, "text": {"round": "5"}, "half a character": {"alternative": "\ud800"},
    "nested": {"more": json.loads("[" * 600 + "]" * 600)},
}  # fmt: skip
CONFIGS = {
    "value": {"start": "\ud800"},
    "key": {"\udc00": 1},
    "who": {"choose": "\ud800"},
    "deep": {"game": {"reward": "\ud800"}},
}


@pytest.mark.parametrize("bad", [*RECORDS, *CONFIGS])
def test_one_bad_run_takes_no_other_along(site: Site, tmp_path: Path, bad: str) -> None:
    run = site.directory / "start-1"
    if bad in CONFIGS:
        edit(run, **CONFIGS[bad])
    else:
        lines = (run / "rounds.jsonl").read_text().splitlines()
        lines[-1] = json.dumps(json.loads(lines[-1]) | RECORDS[bad])
        (run / "rounds.jsonl").write_text("\n".join(lines) + "\n")
    with client_of(site) as client:
        listed = {each["name"]: each for each in client.get("/api/runs").raise_for_status().json()}
        assert {each["name"] for each in client.get("/api/bench").raise_for_status().json()["changed"]} == set(listed)
        client.get("/api/plane").raise_for_status()
        for name in listed:
            client.get("/api/run", params={"name": name}).raise_for_status()
        client.get("/api/study", params={"id": listed["drift/start-3"]["study"]}).raise_for_status()
    if bad in CONFIGS:
        assert listed["start-1"]["state"] == "unreadable"
    else:
        assert listed["start-1"]["round"] == 5  # a line that is no record ends what can be read of it
    assert listed["start-1"]["message"].endswith(".")
    assert listed["drift/start-3"]["state"] == "done"
    if bad in ("true", "value", "nested"):
        assert export_page(site, tmp_path / "page.html") == 3
