"""Run directories that nobody wrote so: each spoils at most its own row, and nothing hangs."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ishango.errors import RequestError
from ishango.explorer import Site
from ishango.explorer import _found_runs as runs
from ishango.explorer import _run_page as run_page
from ishango.explorer._app import addresses, listen
from ishango.explorer._found_runs import Runs
from ishango.explorer._models import Bench, RunDetails
from ishango.explorer._optima import NEED, Optima
from ishango.explorer._run_page import small_paths
from ishango.explorer._site import everything

ODD = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        10**30,
        1e308,
        float("inf"),
        float("nan"),
        "",
        "many",
        "<b>",
        "1e999",
        "é" * 50,
        [],
        [1, "2"],
        {},
        {"a": {}},
    ]
)
FIELDS = st.sampled_from(
    ["start", "grammar", "choose", "seed", "steps", "rounds", "game", "need", "agents", "population"]
)
RECORDED = st.sampled_from(
    ["round", "digits", "multipliers", "size", "gap", "accuracy", "average_complexity", "scores", "uses"]
)
KINDS = st.sampled_from(["file", "link", "pipe", "directory", "zero", "missing", "long"])
FILES = st.sampled_from(["run.json", "rounds.jsonl", "lock", "DONE", "checkpoint.npz", "error.txt", "curve.npz"])
DEEP = "[" * 20_000


def damage(
    directory: Path, config: dict[str, Any], record: dict[str, Any], files: dict[str, str], raw: str | None
) -> None:
    """Put odd values into the config and the last round, and odd things into the place of files."""
    document = json.loads((directory / "run.json").read_text())
    document["config"] |= config
    (directory / "run.json").write_text(raw if raw is not None else json.dumps(document))
    lines = (directory / "rounds.jsonl").read_text().splitlines()
    lines[-1] = json.dumps(json.loads(lines[-1]) | record)
    (directory / "rounds.jsonl").write_text("\n".join(lines) + "\n")
    for name, kind in files.items():
        path = directory / name
        if kind != "file":
            path.unlink(missing_ok=True)
        match kind:
            case "link":
                path.symlink_to("/etc/hostname")
            case "zero":
                path.symlink_to("/dev/zero")
            case "pipe":
                os.mkfifo(path)
            case "directory":
                path.mkdir()
            case "long":
                with path.open("wb") as file:
                    file.truncate(2**40)  # takes no room on the disk
            case _:
                pass


BAD = {
    "config": st.dictionaries(FIELDS, ODD, max_size=3),
    "record": st.dictionaries(RECORDED, ODD, max_size=3),
    "files": st.dictionaries(FILES, KINDS, max_size=2),
    "raw": st.sampled_from(
        [None] * 8 + ["", "{", "null", "[]", DEEP, '{"config": null}', '{"format": 1e999, "config": {}}']
    ),
}


def check(played: Path, optima: Optima, bad: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        site = Path(scratch) / "site"
        shutil.copytree(played, site)
        odd = Path(os.fsdecode(os.fsencode(site) + b"/not-\xff-utf8"))
        shutil.copytree(played / "drift" / "start-3", odd)
        damage(site / "start-1", **bad)
        here = Site(site, optima=optima)
        bench = here.bench()
        assert "drift/start-3" in bench.runs
        Bench.model_validate_json(json.dumps(everything(bench), allow_nan=False).encode())
        json.dumps(here.planes.plane("modified", NEED), allow_nan=False)
        for name, run in bench.runs.items():
            RunDetails.model_validate_json(json.dumps(run_page.run_details(here, name), allow_nan=False))
            if run["study"]:
                json.dumps(small_paths(here, [run["study"]]), allow_nan=False)
        with suppress(RequestError):
            json.dumps(run_page.overlay(here, list(bench.runs)[:4]), allow_nan=False)
        with suppress(RequestError):
            json.dumps(run_page.measure(here, ["start-1"], "gap"), allow_nan=False)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(bad=st.fixed_dictionaries(BAD))
@example(bad={"config": {}, "record": {"round": 10**30, "digits": [1, 2, 3]}, "files": {}, "raw": None})
def test_no_directory_takes_the_others_down(played: Path, optima: Optima, bad: dict[str, Any]) -> None:
    check(played, optima, bad)


@pytest.mark.slow
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(bad=st.fixed_dictionaries(BAD))
def test_no_directory_of_a_thousand_takes_the_others_down(played: Path, optima: Optima, bad: dict[str, Any]) -> None:
    check(played, optima, bad)


def test_one_look_serves_all_who_ask(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, looks = Runs(played), []
    listed = runs._listed
    monkeypatch.setattr(runs, "_listed", lambda name, path: looks.append(name) or listed(name, path))
    monkeypatch.setattr(runs, "FRESH", 60.0)
    here._looked_at = here._read_at = -60.0
    threads = [threading.Thread(target=here.summaries) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(looks) == ["drift/start-3", "start-1"]


def test_a_run_that_nobody_plays_is_read_again_only_when_it_changes(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Path(shutil.copytree(played, tmp_path / "site"))
    here, looks = Runs(site), []
    listed = runs._listed
    monkeypatch.setattr(runs, "_listed", lambda name, path: looks.append(name) or listed(name, path))
    monkeypatch.setattr(runs, "FRESH", -1.0)
    monkeypatch.setattr(runs, "PATIENCE", 0.0)
    before = here.summaries()
    assert here.summaries() == before
    assert len(looks) == 2
    file = site / "start-1" / "rounds.jsonl"
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
    after = {each["name"]: each["round"] for each in here.summaries()}
    assert looks[2:] == ["start-1"]
    assert after["start-1"] == 5


def test_runs_are_not_started_through_a_link(tmp_path: Path, optima: Optima) -> None:
    from ishango.explorer._models import NewRun

    (tmp_path / "site").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "site" / "explorer").symlink_to(tmp_path / "elsewhere")
    site = Site(tmp_path / "site", most_runs=1, optima=optima)
    with pytest.raises(RequestError, match="is a link"):
        site.launcher.start(NewRun(digits=[1, 2, 3, 4], multipliers=[5, 10], rounds=1, steps=1, seed=0))
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("everywhere", ["0.0.0.0", ""])
def test_addresses_that_can_be_opened_are_told(everywhere: str) -> None:
    with listen(everywhere, 0) as listener:
        told = addresses(listener, everywhere, "secret")
    assert told[0].startswith("http://127.0.0.1:")
    assert not any("0.0.0.0" in each or "//:" in each for each in told)
    assert all(each.endswith("/?token=secret") for each in told)
