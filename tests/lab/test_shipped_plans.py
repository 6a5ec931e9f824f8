"""Plans by name, what a sweep would play, and `python -m ishango`."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ishango
from ishango.cli import main
from ishango.errors import RequestError
from ishango.lab import PLANS, count_runs, expand, find_plan
from ishango.lab._sweeps import find_kind

ROOT = Path(__file__).parents[2]
TOYS = "experiment = 'tests.lab.toy:TOYS'\nbase.rounds = 2\nvary.seed = '0-2'"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", PLANS)
def test_every_shipped_plan_can_be_played(name):
    plan = find_plan(name)
    runs = expand(plan, find_kind(plan.experiment or "evolution").complete)
    assert len(runs) == count_runs(plan) > 0
    assert plan.name == name


def test_the_plans_of_the_documentation_are_those_that_ship():
    named = {path.name for path in (ROOT / "plans").glob("*.toml")}
    assert named == {f"{name}.toml" for name in PLANS}
    assert find_plan(ROOT / "plans" / "calibration.toml") == find_plan("calibration")


def test_a_file_of_ones_own_comes_first(here):
    (here / "drift").write_text(TOYS)
    assert find_plan("drift").vary == {"seed": [0, 1, 2]}
    assert find_plan("oracle").name == "oracle"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("restricted-10", r"There is no plan 'restricted-10' \(did you mean restricted-100\?\); .*give the file"),
        ("oracle.toml", r"The plan oracle\.toml cannot be read"),
        ("x" * 300, "cannot be read"),
        ("\x00", "because it holds a zero byte"),
        (".", "cannot be read"),
    ],
)
@pytest.mark.usefixtures("here")
def test_plans_that_are_not_there(given, message):
    with pytest.raises(RequestError, match=message):
        find_plan(given)


def test_the_list(capsys):
    assert main(["plans"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^calibration +153 runs  What the paper leaves open", out, re.MULTILINE)
    assert main(["plans", "--json"]) == 0
    plans = {each["name"]: each for each in json.loads(capsys.readouterr().out)["plans"]}
    assert list(plans) == list(PLANS)
    assert (plans["restricted"]["experiment"], plans["drift"]["experiment"]) == ("restricted", "evolution")
    assert plans["drift"]["runs"] == 4800


def test_one_plan_to_begin_with(capsys):
    assert main(["plans", "oracle"]) == 0
    assert capsys.readouterr().out == (ROOT / "plans" / "oracle.toml").read_text()
    assert main(["plans", "orakel"]) == 2
    assert "did you mean oracle?" in capsys.readouterr().err


def test_a_dry_run_lists_and_writes_nothing(here, capsys):
    (here / "plan.toml").write_text(TOYS)
    command = ["sweep", "plan.toml", "--out", "out"]
    assert main([*command, "--dry-run"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [f"to play   out/seed={seed}" for seed in range(3)]
    assert err == "3 runs: 0 done, 3 to play\n"
    assert not (here / "out").exists()


def test_the_workers_of_a_script_play_the_plan_that_is_listed(here, capsys):
    """A directory of the plan's name is not the plan."""
    (here / "oracle").mkdir()
    assert main(["sweep", "oracle", "--out", "oracle", "--on", "slurm", "--dry-run"]) == 0
    assert f"sweep oracle --out {here / 'oracle'}" in capsys.readouterr().out
    (here / "plan.toml").write_text(TOYS)
    assert main(["sweep", "plan.toml", "--out", "out", "--on", "slurm", "--dry-run"]) == 0
    assert f"sweep {here / 'plan.toml'} --out" in capsys.readouterr().out


@pytest.mark.parametrize(
    "plan",
    ["[base]\nplayers = 'torch:strange:make'", "experiment = 'strange:thing'\n[base]\nrounds = 1",
     "[base]\nchoose = 'strange:thing'", "[base]\ngrammar = 'strange:thing'", "[base]\nneed = 'strange:thing'"],
)  # fmt: skip
@pytest.mark.parametrize("more", [["--dry-run"], ["--dry-run", "--on", "slurm"], ["--status"]], ids=" ".join)
def test_to_look_at_a_plan_runs_nothing_of_what_it_names(here, monkeypatch, plan, more):
    monkeypatch.syspath_prepend(str(here))
    (here / "strange.py").write_text("from pathlib import Path\nPath('ran').touch()\nmake = thing = None\n")
    (here / "plan.toml").write_text(plan)
    assert main(["sweep", "plan.toml", "--out", "out", *more]) in (0, 2)
    assert not (here / "ran").exists()
    assert "strange" not in sys.modules


def test_a_dry_run_tells_what_is_done_and_what_has_begun(here, capsys):
    (here / "plan.toml").write_text(TOYS.replace("0-2", "0-0"))
    assert main(["sweep", "plan.toml", "--out", "out", "--workers", "1"]) == 0
    (here / "plan.toml").write_text(TOYS)
    before = {path: path.stat().st_mtime_ns for path in (here / "out").rglob("*")}
    capsys.readouterr()
    assert main(["sweep", "plan.toml", "--out", "out", "--dry-run"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == ["done      out/seed=0", "to play   out/seed=1", "to play   out/seed=2"]
    assert err == "3 runs: 1 done, 2 to play\n"
    assert {path: path.stat().st_mtime_ns for path in (here / "out").rglob("*")} == before
    (here / "out" / "seed=0" / "DONE").unlink()
    assert main(["sweep", "plan.toml", "--out", "out", "--dry-run"]) == 0
    assert "to play (3 of 3 rounds there)  out/seed=0" in capsys.readouterr().out


def test_a_dry_run_refuses_what_the_sweep_would(here, capsys):
    (here / "plan.toml").write_text(TOYS)
    assert main(["sweep", "plan.toml", "--out", "plan.toml", "--dry-run"]) == 2
    assert "plan.toml is not a directory" in capsys.readouterr().err
    assert main(["sweep", "drift", "--out", "out", "--experiment", "restricted", "--dry-run"]) == 2
    assert "There is no option choose" in capsys.readouterr().err


def test_a_shipped_plan_is_played_by_its_name_in_python_too(here, monkeypatch):
    from ishango.lab import ShippedPlan

    monkeypatch.setitem(PLANS, "toys", ShippedPlan.parse("toys", f"about = 'toys'\n{TOYS}"))
    assert len(ishango.sweep("toys", here / "out", workers=1).results) == 3


def test_python_m_ishango():
    out = subprocess.run([sys.executable, "-m", "ishango", "--version"], capture_output=True, text=True, check=True)
    assert out.stdout == f"ishango {ishango.__version__}\n"


def test_a_dry_run_loads_no_module_that_a_plan_names(here, capsys, monkeypatch):
    monkeypatch.syspath_prepend(here)
    (here / "evil.py").write_text("raise SystemExit('loaded')\n")
    (here / "plan.toml").write_text('experiment = "evil:KIND"\nbase.rounds = 2\nvary.seed = "0-1"\n')
    assert main(["sweep", "plan.toml", "--out", "out", "--dry-run"]) == 0
    assert capsys.readouterr().out.count("to play") == 2
    (here / "out" / "seed=1").mkdir(parents=True)
    document = {"format": 3, "config": {"rounds": 2, "seed": 1, "more": 5}}
    (here / "out" / "seed=1" / "run.json").write_text(json.dumps(document))
    (here / "out" / "seed=1" / "DONE").touch()
    assert main(["sweep", "plan.toml", "--out", "out", "--dry-run"]) == 0
    assert "1 done, 1 to play" in capsys.readouterr().err
