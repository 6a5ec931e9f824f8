"""Workers that share a sweep: what they take, when they stop, and what they leave to others."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.lab.test_claims import claim
from tests.lab.toy import Interrupted, contents, from_config, toy

from ishango.errors import RequestError, RunError
from ishango.lab import ENGINES, EngineOptions, Event, Result, Task, check_options, parse_plan, run, sweep_status
from ishango.lab import _executors as worker
from ishango.lab import _share as share
from ishango.lab import _slurm as slurm
from ishango.lab import _slurm as slurm_worker
from ishango.lab._executors import Limit, RoundClock
from ishango.lab._playing import StoppedError
from ishango.lab._share import ShareExecutor, read_tasks, watch, write_tasks
from ishango.lab._slurm import JobExecutor, more_options, sbatch_script, share_of_job

TOYS = "tests.lab.toy:TOYS"


class Here:
    """In place of worker processes: tasks are played in this one."""

    def __init__(self, _workers: int, limit: Limit) -> None:
        self.limit = limit

    def map(self, tasks, hear) -> Iterator[Result]:
        for task in tasks:
            tell = lambda kind, content, task=task: hear(Event(task, content if kind == "rounds" else None))  # noqa: E731
            status, (message, file) = worker.play(TOYS, dict(task.config), task.directory, tell, self.limit)
            yield Result(task, status, message, Path(file) if file else None)


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(share, "LocalExecutor", Here)
    monkeypatch.setattr(share, "PAUSE", 0.0)
    monkeypatch.setattr(worker, "NEWS_EVERY", 0.0)


def tasks_in(directory: Path, **configs: dict) -> list[Task]:
    return [Task(TOYS, {"rounds": 3, "seed": 0, **config}, directory / name) for name, config in configs.items()]


def test_a_worker_takes_what_is_free_and_leaves_the_rest(tmp_path):
    tasks = tasks_in(tmp_path, done={}, held={"seed": 1}, failed={"seed": 2}, free={"seed": 3}, begun={"seed": 4})
    run(from_config(dict(tasks[0].config)), tasks[0].directory)
    for name in ("held", "failed"):
        (tmp_path / name).mkdir()
    claim(tmp_path / "held")
    (tmp_path / "failed" / "error.txt").write_text("ValueError: it broke\n")
    with pytest.raises(KeyboardInterrupt):
        run(from_config(dict(tasks[4].config)), tasks[4].directory, Interrupted(1))
    results = list(ShareExecutor(since=time.time() - 60).map(tasks))
    assert [(each.task.directory.name, each.status) for each in results] == [("free", "done"), ("begun", "done")]
    again = list(ShareExecutor(since=time.time() + 60).map(tasks))  # a later submission tries failures again
    assert [(each.task.directory.name, each.status) for each in again] == [("failed", "done")]


def test_workers_begin_at_different_runs(tmp_path):
    tasks = tasks_in(tmp_path, a={}, b={"seed": 1}, c={"seed": 2}, d={"seed": 3})
    results = ShareExecutor(place=1, of=2).map(tasks)
    assert next(results).task.directory.name == "c"


def test_a_failure_is_left_where_others_look_and_tried_once(tmp_path):
    tasks = tasks_in(tmp_path, bad={"fail": 2}, good={"seed": 1})
    assert [each.status for each in ShareExecutor(since=0.0).map(tasks)] == ["failed", "done"]
    assert list(ShareExecutor(since=0.0).map(tasks)) == []
    (result,) = (
        each for each in watch(tasks, lambda _event: None, lambda: False, 0.0, "gone") if each.status != "done"
    )
    assert (result.status, result.message) == ("failed", "ValueError: the toy broke")


def test_what_nobody_plays_any_more_has_died_and_what_was_played_is_heard(tmp_path):
    tasks = tasks_in(tmp_path, begun={}, done={"seed": 1})
    with pytest.raises(KeyboardInterrupt):
        run(from_config(dict(tasks[0].config)), tasks[0].directory, Interrupted(1))
    run(from_config(dict(tasks[1].config)), tasks[1].directory)
    heard: list[Event] = []
    results = list(watch(tasks, heard.append, lambda: False, 0.0, "no job plays it"))
    assert [(each.status, each.message) for each in results] == [("done", ""), ("died", "no job plays it")]
    assert [event.rounds_done for event in heard] == [2]


def test_a_run_stops_after_the_round_with_a_checkpoint_and_goes_on_from_there(tmp_path, undisturbed):
    answers = iter([False, False, True])
    with pytest.raises(StoppedError, match="was stopped after round 2 of 5"):
        run(toy(), tmp_path, stop=lambda: next(answers), checkpoint_share=1e-9)
    again = Interrupted(99)
    run(toy(), tmp_path, again)
    assert again.calls[0] == ("begin", 5, 3)
    assert contents(tmp_path) == undisturbed


def test_a_round_that_would_end_too_late_is_not_begun():
    assert not RoundClock(Limit())()
    assert RoundClock(Limit(hurried=True))()
    late = RoundClock(Limit(until=time.time() + 10.0))
    late._began -= 8.0  # the last round took eight seconds
    assert late()


@pytest.mark.parametrize(("until", "requeued"), [(math.inf, 0), (0.0, 0)])
def test_a_job_with_nothing_left_is_not_requeued(tmp_path, monkeypatch, until, requeued):
    calls: list[int] = []
    monkeypatch.setattr(slurm_worker, "requeue", lambda: calls.append(1))
    tasks = tasks_in(tmp_path, a={})
    run(from_config(dict(tasks[0].config)), tasks[0].directory)
    assert list(JobExecutor(ShareExecutor(limit=Limit(until))).map(tasks)) == []
    assert len(calls) == requeued


def test_a_job_whose_time_is_up_is_requeued_if_it_came_further(tmp_path, monkeypatch):
    calls: list[int] = []
    monkeypatch.setattr(slurm_worker, "requeue", lambda: calls.append(1))
    job = JobExecutor(ShareExecutor(limit=Limit(hurried=True)))
    with pytest.raises(RunError, match="No round was finished within the time of the job"):
        list(job.map(tasks_in(tmp_path, a={})))
    limit = Limit(until=time.time() + 60)
    job = JobExecutor(ShareExecutor(limit=limit))
    for result in job.map(tasks_in(tmp_path, a={}, b={"seed": 1})):
        assert (result.task.directory.name, result.status) == ("a", "done")
        limit.hurried = True
    assert calls == [1]


def test_only_jobs_that_have_the_missing_runs_count_as_playing_them(tmp_path, monkeypatch):
    """A plan that has grown, or the second half of a reproduction, is not known to tasks that are in the queue."""
    monkeypatch.setattr(slurm.shutil, "which", lambda name: name)
    monkeypatch.setattr(slurm, "slurm_states", lambda numbers: ["RUNNING", "PENDING"] if numbers == ["7"] else [])
    tasks = tasks_in(tmp_path, a={}, b={"seed": 1}, c={"seed": 2})
    folder = tmp_path / ".sweep" / "one"
    folder.mkdir(parents=True)
    write_tasks(folder / "tasks.jsonl", tasks[:2])
    (folder / "job.json").write_text('{"job": "7"}')
    executor = slurm.SlurmExecutor(EngineOptions(), tmp_path)
    assert executor._active(tasks[:1]) == (["7"], 2)
    assert executor._active(tasks) == ([], 0)


def test_tasks_travel_in_a_file(tmp_path):
    tasks = tasks_in(tmp_path, a={"width": 2}, b={"seed": 2**70})
    write_tasks(tmp_path / "tasks.jsonl", tasks)
    assert read_tasks(tmp_path / "tasks.jsonl") == tasks


def test_options_that_mean_nothing_to_an_engine_are_refused():
    with pytest.raises(RequestError, match=r"^jobs means nothing on local; leave it out, or play on slurm"):
        check_options(ENGINES["local"], EngineOptions(jobs=3))
    with pytest.raises(RequestError, match=r"^scheduler means nothing on slurm"):
        check_options(ENGINES["slurm"], EngineOptions(scheduler="tcp://a:1"))


def test_the_sbatch_script_and_what_it_refuses():
    options = EngineOptions(jobs=50, time=60, partition="long", sbatch=("account=a b", "mem=2G"))
    lines = sbatch_script(options, "my plan", ["sweep", "a plan.toml"]).splitlines()
    assert lines[0] == "#!/bin/bash"
    assert {"#SBATCH --array=0-49", "#SBATCH --requeue", "#SBATCH --account='a b'", "#SBATCH --partition=long"} <= {
        *lines
    }
    assert lines[-1].startswith("srun ")
    assert lines[-1].endswith(" -m ishango sweep 'a plan.toml'")
    for wrong in ("account", "=x", "a\nb=c", "mem=1\n#SBATCH"):
        with pytest.raises(RequestError, match="give options of sbatch"):
            more_options(EngineOptions(sbatch=(wrong,)))
    for wrong, message in (({"time": 0}, "^time is 0; give at least one"), ({"workers": 0}, "^workers is 0; give")):
        for refuse in (lambda options: sbatch_script(options, "t", []), lambda options: share_of_job(options, Path())):
            with pytest.raises(RequestError, match=message):
                refuse(EngineOptions(**wrong))
    for jobs in (-1, 0, 1001):
        with pytest.raises(RequestError, match=rf"^jobs is {jobs}; give between 1 and 1,000"):
            sbatch_script(EngineOptions(jobs=jobs), "t", [])


def test_the_status_of_a_sweep_comes_from_its_directories(tmp_path):
    plan = parse_plan("base.rounds = 3\nvary.seed = '0-4'")
    tasks = tasks_in(tmp_path, **{f"seed={seed}": {"seed": seed} for seed in range(4)})
    run(from_config(dict(tasks[0].config)), tasks[0].directory)
    for task in tasks[1:3]:
        with pytest.raises(KeyboardInterrupt):
            run(from_config(dict(task.config)), task.directory, Interrupted(1))
    claim(tasks[1].directory)
    (tasks[2].directory / "error.txt").write_text("ValueError: it broke\n")
    found = sweep_status(plan, tmp_path, TOYS)
    assert [each.state for each in found.runs] == ["done", "running", "failed", "waiting", "waiting"]
    assert found.rounds == (8, 20)
    assert dict(found.hosts) == {"elsewhere": 1}
    assert found.seconds_left is not None
    os.utime(tasks[1].directory / "lock", (0, 0))
    assert sweep_status(plan, tmp_path, TOYS).seconds_left is None  # its player has been silent for long
    grown = sweep_status(parse_plan("base.rounds = 9\nvary.seed = '0-4'"), tmp_path, TOYS)
    assert grown.count("done") == 0
