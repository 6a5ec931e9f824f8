"""The commands `sweep` and `table`, played with toys."""

import io
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from tests.lab.toy import contents, toy

from ishango.cli import _live_views as sweep_view
from ishango.cli import _run
from ishango.cli._live_views import LineView, LiveView, Tally
from ishango.errors import RequestError
from ishango.lab import Event, Result, Task, run

MAIN = """
import sys
from ishango.cli import _run
try:
    sys.exit(_run(["sweep", *sys.argv[1:]]))
except KeyboardInterrupt:
    sys.exit(130)
"""
ROOT = Path(__file__).parents[2]
TOYS = "name = 'toys'\nexperiment = 'tests.lab.toy:TOYS'"


@pytest.fixture
def plan(tmp_path):
    """A plan of toys."""
    (tmp_path / "plan.toml").write_text(f"{TOYS}\nbase = {{rounds = 2, seed = 0}}\nvariant = [{{}}, {{fail = 1}}]")
    return tmp_path / "plan.toml"


def test_a_failed_run_is_reported_at_the_end_and_the_exit_code_is_1(plan, tmp_path, capsys):
    assert _run(["sweep", str(plan), "--out", str(tmp_path / "out"), "--workers", "1"]) == 1
    out, err = capsys.readouterr()
    *_, heading, last = err.splitlines()
    assert out == ""
    assert heading == "1 run failed; the same command tries again:"
    assert last.startswith("  fail=1 failed: ValueError: the toy broke (see ")
    assert last.endswith("out/fail=1/error.txt)")
    told = [line for line in err.splitlines()[:-2] if not line.endswith("Ctrl-C stops it")]  # where workers are slow
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ", line) for line in told)
    plan.write_text(f"{TOYS}\nbase = {{rounds = 2, seed = 0}}")
    assert _run(["sweep", str(plan), "--out", str(tmp_path / "out")]) == 0
    assert "toys: 1 of 1 run done" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.toml", "--out", "x"], r"The plan absent\.toml cannot be read"),
        (["PLAN"], "out"),
        (["PLAN", "--out", "x", "--workers", "0"], "0 workers cannot play"),
    ],
)
def test_wrong_requests(plan, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RequestError, match=message):
        _run(["sweep", *(str(plan) if word == "PLAN" else word for word in arguments)])
    assert not Path("x").exists()


def test_table(tmp_path, capsys):
    run(toy(2), tmp_path / "run")
    assert _run(["table", str(tmp_path), "-o", str(tmp_path / "rounds.csv")]) == 0
    assert capsys.readouterr().err == f"3 rounds in {tmp_path / 'rounds.csv'}\n"
    assert len((tmp_path / "rounds.csv").read_text().splitlines()) == 4
    with pytest.raises(RequestError, match=r"ends in \.xlsx"):
        _run(["table", str(tmp_path), "-o", "rounds.xlsx"])


def test_a_table_of_several_directories(tmp_path, capsys):
    for place in ("x", "y"):
        run(toy(1), tmp_path / place / "run")
    directories = [str(tmp_path / "x"), str(tmp_path / "y")]
    assert _run(["table", *directories, "-o", str(tmp_path / "rounds.csv")]) == 0
    assert capsys.readouterr().err == f"4 rounds in {tmp_path / 'rounds.csv'}\n"
    lines = (tmp_path / "rounds.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["run", "x/run", "x/run", "y/run", "y/run"]
    with pytest.raises(RequestError, match="give directories of runs"):
        _run(["table", "-o", "rounds.csv"])


def test_a_table_on_standard_output_is_the_file(tmp_path, capsys):
    run(toy(2), tmp_path / "run")
    _run(["table", str(tmp_path), "-o", str(tmp_path / "rounds.csv")])
    capsys.readouterr()
    assert _run(["table", str(tmp_path), "-o", "-"]) == 0
    out, err = capsys.readouterr()
    assert out == (tmp_path / "rounds.csv").read_text()
    assert err == ""
    assert not (tmp_path / "-").exists()


def start_on_terminal(plan: Path, out: Path) -> tuple[subprocess.Popen[bytes], int]:
    """The command as a person starts it: in a terminal and in a process group of its own."""
    master, slave = pty.openpty()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]), "COLUMNS": "100"}
    command = [sys.executable, "-c", MAIN, str(plan), "--out", str(out), "--workers", "2"]
    process = subprocess.Popen(command, stderr=slave, env=environment, start_new_session=True)
    os.close(slave)
    return process, master


def read_all(master: int) -> str:
    pieces = []
    try:
        while piece := os.read(master, 65536):
            pieces.append(piece)
    except OSError:  # how Linux says that the other end is closed
        pass
    finally:
        os.close(master)
    return b"".join(pieces).decode()


def test_ctrl_c_on_a_terminal(tmp_path):
    """It reaches the command and its workers at once: exit code 130, no traceback, no process left, no run hurt."""
    plan = tmp_path / "plan.toml"
    plan.write_text(f"{TOYS}\nbase = {{rounds = 8, seconds = 0.1}}\nvary.seed = [0, 1, 2]")
    process, master = start_on_terminal(plan, tmp_path / "out")
    while len(pids := [path.read_text().split()[1] for path in tmp_path.rglob("lock") if path.read_text()]) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(20) == 130
    screen = read_all(master)
    assert "round" in screen
    assert "0 of 3 runs done" in screen
    assert "Traceback" not in screen
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
    assert not list(tmp_path.rglob("lock"))
    process, master = start_on_terminal(plan, tmp_path / "out")
    assert process.wait(30) == 0
    assert "3 of 3 runs done" in read_all(master)
    run(toy(8, seconds=0.1), tmp_path / "undisturbed")
    ours, theirs = contents(tmp_path / "out" / "seed=0"), contents(tmp_path / "undisturbed")
    assert {name for name in ours if ours[name] != theirs[name]} == {"run.json"}  # only the order of its fields


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks into /proc")
def test_ctrl_c_while_the_workers_start(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(f"{TOYS}\nbase = {{rounds = 8, seconds = 0.1}}\nvary.seed = [0, 1, 2]")
    process, master = start_on_terminal(plan, tmp_path / "out")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    workers = []
    while not workers:
        assert process.poll() is None
        pids = children.read_text().split()
        workers = [pid for pid in pids if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]
    blocked = re.search(r"SigBlk:\t(\w+)", Path(f"/proc/{workers[0]}/status").read_text())
    assert blocked
    assert int(blocked[1], 16) & 1 << signal.SIGINT - 1  # from its first moment, before Python itself is ready
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(20) == 130
    assert "Traceback" not in read_all(master)
    assert not list(tmp_path.rglob("lock"))


def test_the_time_left_of_a_run_does_not_count_what_was_before_its_first_news(monkeypatch):
    now = 100.0
    monkeypatch.setattr(sweep_view, "time", SimpleNamespace(monotonic=lambda: now))
    watch = sweep_view.Watch(sweep_view.nothing_to_note)
    watch.begin({"rounds": 9}, 0)
    now = 160.0  # kernels are compiled
    watch.steps(0, 1, 4)
    assert watch.time_left() == "?"
    now = 163.0
    watch.steps(0, 2, 4)  # three seconds for a quarter of a round, nine rounds and a half left
    assert watch.time_left() == "0:01:54"


def test_time_left_counts_rounds_played_now(monkeypatch):
    now = 100.0
    monkeypatch.setattr(sweep_view, "time", SimpleNamespace(monotonic=lambda: now))  # its own: others need theirs
    first, second = (Task("", {"rounds": 9}, Path(name)) for name in ("a", "b"))
    tally = Tally([first, second], done=3)
    assert (tally.summary(), tally.time_left()) == ("3 of 5 runs done", "time left unknown")
    tally.hear(Event(first, rounds_done=4))  # a resumed run: four rounds were played before
    tally.hear(Event(first, rounds_done=5))  # the clock starts
    now = 110.0
    tally.hear(Event(first, rounds_done=6))  # ten seconds a round, 14 rounds left
    assert tally.time_left() == "about 2 min left"
    tally.finish(Result(first, "failed", "broken"))
    assert tally.summary() == "3 of 5 runs done, 1 failed"
    assert tally.time_left() == "about 2 min left"  # ten rounds
    assert tally.running == {}


def test_lines_come_seldom(monkeypatch):
    now = 100.0
    monkeypatch.setattr(sweep_view, "time", SimpleNamespace(monotonic=lambda: now))  # its own: others need theirs
    task = Task("", {"rounds": 1000}, Path("a"))
    view = LineView(Console(file=(out := io.StringIO())))
    view.begin("toys", [task], 0)
    for number in range(60):
        now += 1.0
        view.hear(Event(task, rounds_done=number))
    view.hear(Event(task, warning="mind the gap"))
    view.finish(Result(task, "done"))
    lines = [line.split(" ", 2)[2] for line in out.getvalue().splitlines()]
    assert len(lines) == 1 + 6 + 2
    assert lines[1] == "0 of 1 run done; about 17 min left; a round 8 of 1000"
    assert lines[-2:] == ["warning: mind the gap", "a done; 1 of 1 run done"]


def test_the_live_view_shows_runs_and_failures():
    task = Task("", {"rounds": 40}, Path("start=1,seed=0"))
    view = LiveView(console := Console(file=(out := io.StringIO()), width=100, force_terminal=True, highlight=False))
    view.begin("toys", [task, Task("", {"rounds": 40}, Path("b"))], 1)
    view.hear(Event(task, rounds_done=13))
    with console.capture() as capture:
        console.print(view._picture())
    assert "1 of 3 runs done" in capture.get()
    assert "start=1,seed=0  round 12 of 40" in capture.get()
    view.finish(Result(task, "died", "its process 7 was killed by signal 9"))
    view.end()
    assert "start=1,seed=0 died: its process 7 was killed by signal 9" in out.getvalue()
    assert "1 of 3 runs done, 1 failed" in out.getvalue()
