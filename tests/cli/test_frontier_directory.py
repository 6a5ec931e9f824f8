"""What is in the directory of a frontier stays there, and holds at every moment."""

import csv
import errno
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from ishango.cli import main
from ishango.errors import RequestError, RunError
from ishango.frontiers import KeptFrontier, Problem, _proof, as_record, check, solve
from ishango.frontiers._proof import PROOF
from ishango.safe_files import write_all


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def proved(directory: Path) -> list[int]:
    points = json.loads((directory / "frontier.json").read_text())["points"]
    with (directory / "frontier.csv").open() as file:
        assert [int(row["size"]) for row in csv.DictReader(file)] == [point["size"] for point in points]
    return [point["size"] for point in points if point["proved"]]


def holds(capsys, directory: Path) -> list[int]:
    """The sizes whose proofs hold."""
    code, out, err = run(capsys, "check", str(directory))
    assert code == 0, err
    return [int(line.split()[1][:-1]) for line in out.splitlines() if line.startswith("size ")]


class Killed(BaseException):
    """Ends a command where a signal would."""


@pytest.fixture
def killed_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let the next command end before its nth change of a file; locks have tests of their own (tests/lab)."""
    left: list[int] = []

    def counted(change: Callable[..., object]) -> Callable[..., object]:
        def changing(path: Path, *arguments: object, **options: object) -> object:
            if left and "lock" not in path.name:
                left[0] -= 1
                if left[0] < 0:
                    raise Killed
            return change(path, *arguments, **options)

        return changing

    for name in ("write_bytes", "replace", "unlink"):
        monkeypatch.setattr(Path, name, counted(getattr(Path, name)))

    def set_to(count: int) -> None:
        left[:] = [count]

    return set_to


def test_a_frontier_that_is_written_keeps_the_sizes_that_are_there(capsys, tmp_path):
    out = str(tmp_path)
    assert run(capsys, "frontier", "--sizes", "2-5", "--proof", "--out", out)[0] == 0
    before = (tmp_path / "proof.jsonl.gz").read_bytes()
    assert run(capsys, "frontier", "--sizes", "4", "--out", out)[0] == 0
    assert proved(tmp_path) == holds(capsys, tmp_path) == [2, 3, 4, 5]
    assert run(capsys, "frontier", "--sizes", "5-6", "--proof", "--out", out)[0] == 0
    assert proved(tmp_path) == holds(capsys, tmp_path) == [2, 3, 4, 5, 6]
    fresh = tmp_path / "fresh"
    assert run(capsys, "frontier", "--sizes", "2-6", "--proof", "--out", str(fresh))[0] == 0
    after = (tmp_path / "proof.jsonl.gz").read_bytes()
    assert before != after == (fresh / "proof.jsonl.gz").read_bytes()


def test_a_frontier_holds_wherever_its_command_was_ended(capsys, tmp_path, killed_at):
    again = ("frontier", "--sizes", "3-5", "--proof", "--out", str(tmp_path))
    run(capsys, "frontier", "--sizes", "2-3", "--proof", "--out", str(tmp_path))
    for count in range(100):
        killed_at(count)
        try:
            code = run(capsys, *again)[0]
        except Killed:
            assert {2, 3} <= set(holds(capsys, tmp_path))
            assert (tmp_path / "frontier.csv").read_text().count("\n") >= 3
        else:
            break
    else:
        raise AssertionError("never ended")
    assert (code, holds(capsys, tmp_path)) == (0, [2, 3, 4, 5])
    assert count > 10
    assert sorted(path.name for path in tmp_path.iterdir()) == ["frontier.csv", "frontier.json", "proof.jsonl.gz"]


def test_commands_that_add_to_one_directory_at_once_keep_what_the_others_add(tmp_path):
    """Each in a process of its own, as two terminals would start them."""
    command = (sys.executable, "-m", "ishango", "frontier", "--range", "20", "--proof", "--out", str(tmp_path))
    sizes = ("2-4", "5-6", "7-9")
    with ExitStack() as stack:
        together = [stack.enter_context(subprocess.Popen([*command, "--sizes", each])) for each in sizes]
        assert [process.wait(timeout=120) for process in together] == [0, 0, 0]
    assert proved(tmp_path) == [each.size for each in check(tmp_path)] == [2, 3, 4, 5, 6, 7, 8, 9]


def test_a_directory_is_read_in_its_turn(tmp_path, monkeypatch):
    """Else a size that is added between the reading of two files made them contradict each other."""
    problem = Problem(upto=20)
    points = {size: solve(problem, size) for size in (4, 5)}
    first, other = (KeptFrontier(tmp_path, problem, [size], proof=True) for size in (4, 5))
    first.add(points[4])
    first.prove([points[4]])

    def add() -> None:
        other.add(points[5])
        other.prove([points[5]])

    adding = threading.Thread(target=add)
    read, fresh = _proof.read_document, []

    def read_while_another_adds(*where):
        document = read(*where)
        if not fresh:
            fresh.append(document)
            adding.start()
            adding.join(timeout=1)
        return document

    monkeypatch.setattr(_proof, "read_document", read_while_another_adds)
    KeptFrontier(tmp_path, problem, [6], proof=True)
    adding.join()
    assert proved(tmp_path) == [4, 5]


def test_what_another_process_added_meanwhile_is_kept_or_refused(tmp_path):
    problem = Problem(upto=20)
    points = {size: solve(problem, size) for size in (4, 5, 6)}
    first, second = (KeptFrontier(tmp_path, problem, [size], proof=True) for size in (4, 5))
    bare = KeptFrontier(tmp_path, problem, [6])
    first.add(points[4])
    second.add(points[5])
    second.prove([points[5]])
    first.prove([points[4]])
    assert proved(tmp_path) == [each.size for each in check(tmp_path)] == [4, 5]
    with pytest.raises(RequestError, match="prove size 6 too"):
        bare.add(points[6])
    assert proved(tmp_path) == [4, 5]


def test_a_full_disk_leaves_the_frontier_that_was_there(tmp_path, monkeypatch):
    problem = Problem(upto=20)
    KeptFrontier(tmp_path, problem).add(solve(problem, 5))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    written: list[int] = []

    def full(descriptor: int, data: bytes) -> None:
        written.append(descriptor)
        if len(written) > 2:  # the lock and one of the two files
            raise OSError(errno.ENOSPC, "No space left on device")
        write_all(descriptor, data)

    monkeypatch.setattr("ishango.safe_files.write_all", full)
    monkeypatch.setattr("ishango._locks.write_all", full)
    with pytest.raises(RunError, match="No space left"):
        KeptFrontier(tmp_path, problem).add(solve(problem, 6))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_size_that_is_proved_stays_so_when_time_runs_out(capsys, tmp_path):
    problem = ("--need", "uniform", "--range", "30", "--out", str(tmp_path))
    run(capsys, "frontier", "--sizes", "5-6", *problem)
    assert run(capsys, "frontier", "--sizes", "6", "--time-limit", "0.0001", *problem)[0] == 0
    assert proved(tmp_path) == [5, 6]


def test_what_is_open_keeps_its_best_system_and_bound(tmp_path):
    problem = Problem(upto=20)
    point = replace(solve(problem, 5), proved=False, lower_bound=1.2)
    KeptFrontier(tmp_path, problem).add(point)
    kept = KeptFrontier(tmp_path, problem)
    kept.add(replace(point, average=point.average + 1, lower_bound=1.3))
    assert kept.records[5] == KeptFrontier(tmp_path, problem).records[5] == {**as_record(point), "lower_bound": 1.3}


def test_a_proof_that_would_lack_a_size_is_not_written(tmp_path):
    problem = Problem(upto=20)
    point = solve(problem, 5)
    kept = KeptFrontier(tmp_path, problem)
    kept.add(point)
    kept.add(replace(point, proved=False))
    with pytest.raises(RunError, match="allow more time"):
        kept.prove([replace(point, proved=False)])
    assert proved(tmp_path) == [5]
    assert not (tmp_path / PROOF).exists()
    kept.prove([point])
    assert [each.size for each in check(tmp_path)] == [5]
    (tmp_path / "frontier.json").unlink()
    with pytest.raises(RequestError, match="have other sizes"):
        KeptFrontier(tmp_path, problem)


def test_every_optimum_is_kept_beside_the_proof(capsys, tmp_path):
    problem = ("--need", "uniform", "--range", "12", "--sizes", "5", "--out", str(tmp_path))
    run(capsys, "frontier", *problem, "--proof")
    run(capsys, "frontier", *problem, "--all")
    [point] = json.loads((tmp_path / "frontier.json").read_text())["points"]
    assert len(point["optima"]) > 1
    run(capsys, "frontier", *problem)
    assert json.loads((tmp_path / "frontier.json").read_text())["points"] == [point]
    assert holds(capsys, tmp_path) == [5]


GENETIC = ("--method", "genetic", "--population", "50", "--generations", "2")


def test_what_would_not_hold_is_refused(capsys, tmp_path):
    out = ("--out", str(tmp_path))
    run(capsys, "frontier", "--sizes", "2-3", *out)
    bare = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    code, _, err = run(capsys, "frontier", "--sizes", "3", "--proof", *out)
    assert (code, err.count("\n")) == (2, 1)
    assert "size 2" in err
    code, _, err = run(capsys, "frontier", "--sizes", "3-4", *GENETIC, *out)
    assert (code, err.count("\n")) == (2, 1)
    assert "estimate" in err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == bare
    run(capsys, "frontier", "--sizes", "2-3", "--proof", *out)
    assert holds(capsys, tmp_path) == [2, 3]
    code, _, err = run(capsys, "frontier", "--sizes", "3-4", *out)
    assert (code, err.count("\n")) == (2, 1)
    assert "prove size 4 too" in err
    assert holds(capsys, tmp_path) == [2, 3]


def test_an_estimate_is_replaced_by_itself_alone(capsys, tmp_path):
    out = ("--sizes", "3-6", "--range", "12", "--out", str(tmp_path))
    for _ in range(2):
        assert run(capsys, "frontier", *GENETIC, *out)[0] == 0
    before = (tmp_path / "frontier.json").read_bytes()
    for other in ((*GENETIC, "--seed", "1"), (*GENETIC, "--sizes", "3"), ()):
        code, _, err = run(capsys, "frontier", *out, *other)
        assert (code, err.count("\n")) == (2, 1)
        assert "choose another directory" in err
    assert (tmp_path / "frontier.json").read_bytes() == before


def test_a_need_whose_table_has_changed_is_another_problem(capsys, tmp_path):
    need = tmp_path / "need.csv"
    need.write_text("".join(f"{n},{1 if n > 3 else 5}\n" for n in range(1, 21)))
    words = ("frontier", "--need", f"file:{need}", "--range", "20", "--out", str(tmp_path / "out"))
    assert run(capsys, *words, "--sizes", "4")[0] == 0
    need.write_text("".join(f"{n},1\n" for n in range(1, 21)))
    code, _, err = run(capsys, *words, "--sizes", "5")
    assert code == 2
    assert "another problem" in err
