"""Nobody waits without a word, and what cannot end is refused."""

import re
import signal
import sys
import threading
import time
from fractions import Fraction
from types import SimpleNamespace

import pytest

from ishango.cli import _output as announcing
from ishango.cli import _output as waiting
from ishango.cli import main
from ishango.frontiers import LARGEST_RANGE, Problem, frontier_value, solve
from ishango.frontiers._exact import WIDE


def test_something_is_said_and_nothing_after_the_end(monkeypatch, capsys):
    monkeypatch.setattr(waiting, "FIRST", 0.05)
    monkeypatch.setattr(waiting, "EVERY", 0.05)
    with waiting.waiting("counting"):
        time.sleep(0.4)
    said = capsys.readouterr().err
    assert said.startswith("counting ... 0 s so far; Ctrl-C stops it\n")
    assert said.count("counting") >= 2
    time.sleep(0.2)
    assert capsys.readouterr().err == ""


def test_who_waits_for_the_compiler_is_told_so_now_and_then(monkeypatch, capsys):
    monkeypatch.setattr(waiting, "EVERY", 0.05)
    earlier = announcing.Announcer()  # it has compiled something before, and its messages are over
    earlier.on_start(None)
    earlier.on_end(None)
    capsys.readouterr()
    announcer, began = announcing.Announcer(), time.monotonic()
    announcer.on_start(None)
    announcer.on_start(None)  # a kernel that the first one calls
    announcer.on_end(None)
    monkeypatch.setattr(waiting, "FIRST", 0.05)
    with waiting.waiting("counting"):  # says nothing meanwhile: one message is enough
        time.sleep(0.3)
    announcer.on_end(None)
    elapsed = time.monotonic() - began
    first, *more = capsys.readouterr().err.splitlines()
    assert first.startswith("First use: compiling the kernels")
    assert 2 <= len(more) <= elapsed / waiting.EVERY + 1, "one that speaks, not two"
    assert all(re.fullmatch(r"Compiling the kernels \.\.\. \d+ s so far; Ctrl-C stops it", line) for line in more)
    time.sleep(0.2)
    assert capsys.readouterr().err == "", "nothing is compiled any more"


def test_what_is_quick_says_nothing(capsys):
    with waiting.waiting("counting"):
        pass
    assert capsys.readouterr().err == ""


def test_interrupts_come_through():
    main_thread = threading.main_thread().ident
    threading.Timer(0.2, signal.pthread_kill, (main_thread, signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt), waiting.waiting("sleeping"):
        time.sleep(30)
    assert time.monotonic() - began < 10


def test_a_long_range_is_described_in_seconds(capsys):
    began = time.monotonic()
    assert main(["describe", "1", "2", "--range", "10000"]) == 0
    assert time.monotonic() - began < 60  # it took minutes, most of them for a gap
    assert f"the frontier is proved for ranges up to {LARGEST_RANGE:,}" in capsys.readouterr().out


def test_a_time_limit_holds_from_the_first_node_on():
    began = time.monotonic()
    point = solve(Problem(upto=6 * WIDE), 2, time_limit=1)
    assert not point.proved
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("need", ["power:60", "exp:100", "exp:20"])
def test_lexicons_that_cannot_be_told_apart_are_refused(capsys, need):
    assert main(["frontier", "--need", need]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "cannot be told apart; choose a need that falls less steeply" in message
    assert frontier_value(8, Problem(need=need)) is None


@pytest.mark.parametrize("need", ["power:2", "power:1", "uniform", "exp:0.2", "power:6"])
def test_usual_needs_tell_all_sizes_apart(need):
    problem = Problem(need=need)
    for size in range(2, 99):
        problem.check_told_apart(size)


def test_few_ties_are_still_proved():
    point = solve(Problem(need="power:60"), 3)
    assert point.proved
    assert point.average - 1 < Fraction(1, 10**12)


def test_a_bound_that_looks_like_the_value_says_why_it_is_no_proof(capsys):
    assert main(["frontier", "--need", "power:60", "--sizes", "8", "--time-limit", "0.5"]) == 0
    assert "to within 1e-11" in capsys.readouterr().out


def test_the_time_left_is_that_of_what_is_left(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr(waiting, "time", SimpleNamespace(monotonic=lambda: now[0]))  # its own: others need theirs
    lines = waiting.Lines("runs")
    now[0] += 30
    lines.say(3, 5)
    assert capsys.readouterr().err == "3 of 5 runs, about 20 s left\n"
    now[0] += 1
    lines.say(4, 5)
    assert capsys.readouterr().err == "", "a moment later there is nothing to say"


def test_the_time_left_of_a_run_does_not_count_what_its_first_round_compiles(monkeypatch, capsys):
    from ishango.cli import _live_views as run_view

    now = [100.0]
    monkeypatch.setattr(run_view, "time", SimpleNamespace(monotonic=lambda: now[0]))
    lines = run_view.Lines(sys.stderr, lambda _record: "", run_view.nothing_to_note)
    lines.begin({"rounds": 10}, 0)
    left: list[str] = []
    for round, seconds in enumerate((0, 100, 11, 11)):  # round 0 only says where the run begins
        now[0] += seconds
        lines.round({"round": round})
        left.append(lines.time_left())
    assert left == ["?", "?", "0:01:28", "0:01:17"]
    capsys.readouterr()


def test_a_run_under_a_steep_need_has_no_gap_but_begins_at_once(tmp_path):
    began = time.monotonic()
    run = ["evolve", "--need", "exp:100", "--choose", "coin", "--rounds", "3", "--out", str(tmp_path / "run")]
    assert main(run) == 0
    assert time.monotonic() - began < 60


def test_a_long_round_tells_how_far_it_is(monkeypatch, capsys):
    from ishango.cli import _live_views as run_view

    lines = run_view.Lines(sys.stderr, str, run_view.nothing_to_note)
    lines.begin({"rounds": 3}, 0)
    lines.steps(0, 1, 4)
    assert "%" not in capsys.readouterr().err
    monkeypatch.setattr(run_view, "LINE_EVERY", 0.0)
    lines.steps(0, 1, 4)
    assert "round 0/3  25% of its steps" in capsys.readouterr().err
