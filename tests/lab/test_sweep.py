"""Sweeps in real worker processes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.lab.toy import contents, from_config, stopped_after, toy

from ishango.errors import RequestError
from ishango.lab import Event, LocalExecutor, Result, RunWarning, Task, parse_plan, run, sweep

TOYS = "tests.lab.toy:TOYS"
PLAN = parse_plan("base.rounds = 5\nvary.seed = '0-3'")


class Listener:
    def __init__(self) -> None:
        self.tasks, self.done, self.events, self.results, self.ended = [], 0, [], [], False

    def begin(self, title, tasks, done) -> None:  # noqa: ARG002
        self.tasks, self.done = [task.directory.name for task in tasks], done

    def hear(self, event: Event) -> None:
        self.events.append(event)

    def finish(self, result: Result) -> None:
        self.results.append((result.task.directory.name, result.status))

    def end(self) -> None:
        self.ended = True


def test_one_worker_two_workers_and_no_worker_give_the_same_bytes(tmp_path):
    for workers in (1, 2):
        results = sweep(PLAN, tmp_path / str(workers), workers, experiment=TOYS)
        assert [result.status for result in results] == ["done"] * 4
    for seed in range(4):
        run(from_config({"rounds": 5, "seed": seed}), tmp_path / "here" / f"seed={seed}")
    (tmp_path / "here" / "plan.toml").write_text(PLAN.text)
    assert contents(tmp_path / "1") == contents(tmp_path / "2") == contents(tmp_path / "here")


def test_only_what_is_missing_is_played(tmp_path):
    for seed in (0, 2):
        run(from_config({"rounds": 5, "seed": seed}), tmp_path / f"seed={seed}")
    stopped_after(tmp_path / "elsewhere", 2)
    (tmp_path / "elsewhere").rename(tmp_path / "not in the plan")
    sweep(PLAN, tmp_path, 1, first := Listener(), experiment=TOYS)
    assert (first.tasks, first.done, first.ended) == (["seed=1", "seed=3"], 2, True)
    assert sorted(first.results) == [("seed=1", "done"), ("seed=3", "done")]
    sweep(PLAN, tmp_path, 1, second := Listener(), experiment=TOYS)
    assert (second.tasks, second.done) == ([], 4)


def test_a_grown_plan_continues_and_a_contradicting_one_is_refused(tmp_path):
    sweep(parse_plan("base.rounds = 2\nvary.seed = [0]"), tmp_path, 1, experiment=TOYS)
    grown = parse_plan("base.rounds = 3\nvary.seed = [0, 1]")
    sweep(grown, tmp_path, 1, listener := Listener(), experiment=TOYS)
    assert listener.tasks == ["seed=0", "seed=1"]
    assert (tmp_path / "plan.toml").read_text() == grown.text
    before = contents(tmp_path)
    with pytest.raises(RequestError, match=r"seed=0 has width = absent, and 7 was asked for"):
        sweep(parse_plan("base.rounds = 3\nbase.width = 7\nvary.seed = [0, 1]"), tmp_path, 1, experiment=TOYS)
    assert contents(tmp_path) == before


def test_a_failing_run_and_a_dying_process_do_not_stop_the_others(tmp_path):
    plan = parse_plan("base = {rounds = 5, seed = 0}\nvariant = [{fail = 3}, {die = 1}, {rounds = -1}, {}]")
    results = {
        each.task.directory.name: each for each in sweep(plan_without_checks(plan), tmp_path, 2, experiment=TOYS)
    }
    assert {name: each.status for name, each in results.items()} == {
        "fail=3": "failed",
        "die=1": "died",
        "run": "done",
    }
    failed = results["fail=3"]
    assert failed.message == "ValueError: the toy broke"
    assert failed.error_file == tmp_path / "fail=3" / "error.txt"
    assert "Traceback" in failed.error_file.read_text()
    assert "was killed by signal 9" in results["die=1"].message
    run(toy(fail=3), tmp_path / "fail=3")  # put right, it goes on and the error's file goes away
    assert not failed.error_file.exists()


def plan_without_checks(plan):
    """The plan without the variant whose config is refused before anything is played."""
    with pytest.raises(RequestError, match="rounds is -1; give an integer from 0 up"):
        sweep(plan, Path("never made"), 1, experiment=TOYS)
    assert not Path("never made").exists()
    variants = tuple(variant for variant in plan.variants if variant.get("rounds") != -1)
    return type(plan)(**{**plan.__dict__, "variants": variants})


def test_warnings_of_workers_arrive(tmp_path):
    stopped_after(tmp_path / "seed=0", 3)
    (tmp_path / "seed=0" / "checkpoint.npz").write_bytes(b"torn")
    with pytest.warns(RunWarning, match="the one before it is used"):
        sweep(parse_plan("base.rounds = 5\nvary.seed = [0]"), tmp_path, 1, experiment=TOYS)


def test_news_and_one_thread_a_worker(tmp_path):
    before = dict(os.environ)
    plan = parse_plan("base.rounds = 30\nbase.seconds = 0.02\nvary.seed = [0]")
    sweep(plan, tmp_path, 1, listener := Listener(), experiment="tests.lab.toy:THREADS")
    rounds = [event.rounds_done for event in listener.events]
    assert rounds[0] == 0
    assert rounds == sorted(rounds)
    assert 2 <= len(rounds) <= 10  # a few a second, not one a round
    assert json.loads((tmp_path / "seed=0" / "run.json").read_text())["config"]["threads"] == ["1"] * 4
    assert dict(os.environ) == before


def test_an_interrupt_ends_the_workers_and_leaves_whole_runs(tmp_path):
    class Impatient(Listener):
        def hear(self, event: Event) -> None:
            if (event.rounds_done or 0) >= 2:
                os.kill(os.getpid(), signal.SIGINT)

    plan = parse_plan("base.rounds = 8\nbase.seconds = 0.11\nvary.seed = [0, 1]")
    with pytest.raises(KeyboardInterrupt):
        sweep(plan, tmp_path / "run", 2, listener := Impatient(), experiment=TOYS)
    assert listener.ended
    assert not list(tmp_path.rglob("lock"))  # the workers left by themselves
    assert not list(tmp_path.rglob("DONE"))
    sweep(plan, tmp_path / "run", 2, experiment=TOYS)
    sweep(plan, tmp_path / "undisturbed", 2, experiment=TOYS)
    assert contents(tmp_path / "run") == contents(tmp_path / "undisturbed")


def test_leaving_the_iterator_ends_the_workers(tmp_path):
    config = {"rounds": 1000, "seed": 0, "seconds": 0.05}
    tasks = [Task(TOYS, {**config, "rounds": 0}, tmp_path / "short"), Task(TOYS, config, tmp_path / "long")]
    results = LocalExecutor(2).map(tasks)
    assert next(results).task.directory.name == "short"
    while not (tmp_path / "long" / "lock").exists():
        time.sleep(0.01)
    pid = int((tmp_path / "long" / "lock").read_text().split()[1])
    results.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_experiment_that_is_not_there(tmp_path):
    (result,) = LocalExecutor(1).map([Task("tests.lab.toy:absent", {"rounds": 1, "seed": 0}, tmp_path / "run")])
    assert (result.status, result.error_file) == ("failed", None)
    assert "tests.lab.toy:absent leads to no experiment" in result.message
    assert (tmp_path / "run" / "error.txt").read_text() == f"{result.message}\n"


def test_no_workers():
    with pytest.raises(RequestError, match="0 workers cannot play; give between 1 and 1,000"):
        LocalExecutor(0)


def test_a_file_in_the_place_of_the_sweep(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(RequestError, match="is not a directory"):
        sweep(PLAN, tmp_path / "out", 1, experiment=TOYS)


def test_a_script_whose_workers_cannot_start_is_told_why(tmp_path):
    """Workers read the script again; without a guard they would sweep, too, and every run would die in turn."""
    script = tmp_path / "script.py"
    script.write_text(
        "from ishango.lab import parse_plan, sweep\n"
        "sweep(parse_plan(\"base.choose = 'coin'\\nvary.seed = '0-99'\"), 'runs', workers=2)\n"
    )
    ended = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("ishango.errors.RunError: A worker process could not start")
    assert not list((tmp_path / "runs").glob("*/rounds.jsonl"))
