"""The package of docs/howto/own-experiment.md: experiment and chooser, played by the command line in workers."""

import csv
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ishango.errors import RequestError
from ishango.lab import EXPERIMENTS, RunView, parse_plan, prepare, sweep

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def package(tmp_path_factory) -> Path:
    """The package as the docs have it, laid out as an installation lays it out."""
    site = tmp_path_factory.mktemp("site")
    page = (ROOT / "docs" / "howto" / "own-experiment.md").read_text()
    source, project, plan = (block for _, block in re.findall(r"```(python|toml)\n(.*?)```", page, re.S))
    (site / "walks.py").write_text(source)
    (site / "plan.toml").write_text(plan)
    metadata = tomllib.loads(project)["project"]
    info = site / f"{metadata['name']}-{metadata['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {metadata['name']}\nVersion: {metadata['version']}\n")
    groups = (
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in points.items())])
        for group, points in metadata["entry-points"].items()
    )
    (info / "entry_points.txt").write_text("\n".join(groups) + "\n")
    return site


def ishango(package: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(package)]), "COLUMNS": "500"}
    command = [sys.executable, "-m", "ishango", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)


def rows(file: Path) -> list[dict[str, str]]:
    with file.open() as lines:
        return list(csv.DictReader(lines))


def test_the_experiment_of_another_package_is_swept_and_tabulated(package, tmp_path):
    swept = ishango(package, "sweep", package / "plan.toml", "--out", tmp_path / "runs", "--workers", "2")
    assert (swept.returncode, "4 of 4 runs done" in swept.stderr) == (0, True), swept.stderr
    assert ishango(package, "table", tmp_path / "runs", "-o", tmp_path / "rounds.csv").returncode == 0
    table = rows(tmp_path / "rounds.csv")
    assert list(table[0]) == ["run", "rounds", "seed", "drift", "round", "place"]
    assert len(table) == 4 * 11
    assert {row["drift"] for row in table} == {"0.0", "0.5"}
    view = RunView(tmp_path / "runs" / "drift=0.5,seed=1")  # here, where the package is not installed
    assert (view.experiment, view.kind, view.state, len(view.rounds())) == ("walk", None, "done", 11)


def test_its_chooser_is_known_in_every_process(package, tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text("base = {rounds = 3, choose = 'bold'}\nvary.seed = '0-1'")
    swept = ishango(package, "sweep", plan, "--out", tmp_path / "runs", "--workers", "2")
    assert (swept.returncode, "2 of 2 runs done" in swept.stderr) == (0, True), swept.stderr
    for seed in (0, 1):
        accepted = [each["accepted"] for each in RunView(tmp_path / "runs" / f"seed={seed}").rounds()]
        assert accepted == [None, True, True, True]


def test_help_and_refusals_name_them(package, tmp_path):
    assert "walk: a walk of random steps" in ishango(package, "sweep", "--help").stdout
    assert "bold: every alternative is kept" in ishango(package, "evolve", "--help").stdout
    (tmp_path / "plan.toml").write_text("experiment = 'wolk'\n[base]\nrounds = 1")
    refused = ishango(package, "sweep", tmp_path / "plan.toml", "--out", tmp_path / "runs")
    assert refused.returncode == 2
    assert refused.stderr.splitlines() == [
        "ishango: In the plan plan.toml: there is no experiment 'wolk' (did you mean walk?);"
        " choose one of evolution, generations, kinds, kinds-generations, learnability, restricted, walk."
    ]
    assert not (tmp_path / "runs").exists()


def test_what_is_not_an_experiment_is_refused_in_one_sentence(tmp_path):
    assert list(EXPERIMENTS)[:5] == ["evolution", "generations", "kinds", "kinds-generations", "learnability"]
    for wrong in ("nowhere:KIND", "tests.lab.toy:absent", "tests.lab.toy:Toy", ":KIND"):
        with pytest.raises(RequestError, match=rf"In the plan plan\.toml: the name {wrong} leads to no experiment \("):
            prepare(parse_plan(f"experiment = '{wrong}'\n[base]\nrounds = 1"), tmp_path / "runs")
    with pytest.raises(RequestError, match=r"there is no experiment 'evolutoin' \(did you mean evolution\?\)"):
        sweep(parse_plan("experiment = 'walk'\n[base]\nrounds = 1"), tmp_path / "runs", experiment="evolutoin")
    assert not (tmp_path / "runs").exists()
