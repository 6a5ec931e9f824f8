"""The runs behind the page."""

from dataclasses import replace

from ishango.cli import _run
from ishango.evolution import EVOLUTION
from ishango.lab import EXPERIMENTS, RunView, expand, load_plan
from ishango.report import FULL, QUICK, weigh
from ishango.report._studies import prepare_studies, studies


def test_the_longest_runs_come_first(tmp_path):
    tasks = prepare_studies(QUICK, tmp_path)
    work = [weigh(task) * (task.config["rounds"] + 1) for task in tasks]
    assert work == sorted(work, reverse=True)
    assert len({task.directory for task in tasks}) == len(tasks)


def test_plans_beside_the_runs_are_the_plans(tmp_path):
    prepare_studies(QUICK, tmp_path)
    for name, plan in studies(QUICK).items():
        copied = load_plan(tmp_path / name / "plan.toml")
        complete = EXPERIMENTS[plan.experiment].complete
        assert copied.experiment == plan.experiment
        assert expand(copied, complete) == expand(plan, complete)


def test_the_copy_of_the_restricted_plan_can_be_played_by_itself(tmp_path, capsys):
    """As `ishango sweep` does: everything stands in the file."""
    scale = replace(QUICK, restricted_steps=20, restricted_rewards=("linear",), restricted_seeds=(0,))
    tasks = [task for task in prepare_studies(scale, tmp_path) if task.directory.parent.name == "restricted"]
    copy = tmp_path / "restricted" / "plan.toml"
    copy.write_text(copy.read_text().replace("[base]", "[base]\nhidden = 2\nrounds = 1"))
    assert _run(["sweep", str(copy), "--out", str(tmp_path / "again"), "--workers", "1"]) == 0
    assert f"{len(tasks)} of {len(tasks)} runs done" in capsys.readouterr().err
    view = RunView(tmp_path / "again" / tasks[0].directory.name)
    assert (view.experiment, view.state, len(view.rounds())) == ("restricted", "done", 2)


def test_the_full_scale_is_the_papers():
    runs = expand(studies(FULL)["agents"], EVOLUTION.complete)
    assert len(runs) == 8 * 2
    assert {(config["rounds"], config["steps"]) for _, config in runs} == {(100, 40_000)}


def test_learning_is_from_scratch_on_starts_and_optima():
    runs = [config for _, config in expand(studies(QUICK)["learning"], EVOLUTION.complete)]
    assert all(config["rounds"] == 0 and config["pretraining"] == QUICK.learning_steps for config in runs)
    systems = {config["start"] for config in runs}
    assert {"1", "8", "1-11 | 12"} <= systems
