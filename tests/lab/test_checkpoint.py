"""Checkpoints that were damaged or are someone else's."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.lab.toy import Interrupted, contents, stopped_after, toy

from ishango.errors import RequestError
from ishango.lab import Checkpoint, RunWarning, run
from ishango.lab._rounds import UnusableError, decode, encode

LATEST, PREVIOUS = "checkpoint.npz", "checkpoint.previous.npz"


def example() -> Checkpoint:
    state = {"weights": np.arange(6.0).reshape(2, 3), "file": np.array(3), "words": np.array(["a", "b"])}
    return Checkpoint(7, "digest", state, {"reward": np.zeros(2), "round": np.array([0, 1])})


def tear(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def swap_for_foreign(path: Path) -> None:
    other = path.parent.with_name("other")
    stopped = toy(seed=1)
    run(stopped, other)
    shutil.copy(other / LATEST, path)
    shutil.rmtree(other)


DAMAGES = [(tear, "is damaged"), (empty, "is damaged"), (flip, "is damaged"), (swap_for_foreign, "another config")]
damages = pytest.mark.parametrize(("damage", "message"), DAMAGES, ids=lambda value: getattr(value, "__name__", ""))


def test_there_and_back():
    back = decode(encode(example()))
    assert (back.round, back.config) == (7, "digest")
    for part in ("state", "curve"):
        ours, theirs = getattr(example(), part), getattr(back, part)
        assert list(ours) == list(theirs)
        assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


def test_equal_checkpoints_have_equal_bytes_that_numpy_reads(tmp_path):
    assert encode(example()) == encode(example())
    (tmp_path / "file.npz").write_bytes(encode(example()))
    with np.load(tmp_path / "file.npz") as archive:
        assert archive["state/weights"].shape == (2, 3)


def test_every_single_flipped_bit_and_every_truncation_is_recognised():
    data = encode(example())
    for place in range(len(data)):
        flipped = bytearray(data)
        flipped[place] ^= 1 << place % 8
        for torn in (bytes(flipped), data[:place]):
            with pytest.raises(UnusableError):
                decode(torn)


@damages
@pytest.mark.parametrize("after", [1, 4, 5])
def test_the_one_before_is_used(tmp_path, undisturbed, damage, message, after):
    stopped_after(tmp_path / "run", after)
    damage(tmp_path / "run" / LATEST)
    with pytest.warns(RunWarning, match=rf"checkpoint\.npz .*{message}.*; the one before it is used"):
        run(toy(), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


@damages
def test_neither_can_be_used(tmp_path, damage, message):
    stopped_after(tmp_path / "run", 3)
    damage(tmp_path / "run" / LATEST)
    damage(tmp_path / "run" / PREVIOUS)
    before = contents(tmp_path / "run")
    with pytest.raises(RequestError, match=rf"cannot go on: .*{message}.* and .*{message}.*in another directory"):
        run(toy(), tmp_path / "run")
    assert contents(tmp_path / "run") == before


def test_a_kill_between_the_two_renames(tmp_path, undisturbed):
    stopped_after(tmp_path / "run", 3)
    (tmp_path / "run" / LATEST).replace(tmp_path / "run" / PREVIOUS)
    run(toy(), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


def test_a_damaged_one_never_becomes_the_one_before(tmp_path):
    stopped_after(tmp_path, 3)
    flip(tmp_path / LATEST)
    with pytest.warns(RunWarning), pytest.raises(KeyboardInterrupt):
        run(toy(), tmp_path, Interrupted(3), checkpoint_share=1.0)
    assert [decode((tmp_path / name).read_bytes()).round for name in (PREVIOUS, LATEST)] == [2, 3]


@pytest.mark.parametrize("after", [1, 3])
def test_checkpoints_that_are_gone(tmp_path, after):
    stopped_after(tmp_path, after)
    for name in (LATEST, PREVIOUS):
        (tmp_path / name).unlink(missing_ok=True)
    with pytest.raises(RequestError, match="its checkpoints are gone"):
        run(toy(), tmp_path)


def test_before_the_first_checkpoint_a_run_starts_over(tmp_path, undisturbed):
    stopped_after(tmp_path / "run", 0)
    (tmp_path / "run" / LATEST).unlink()
    run(toy(), tmp_path / "run")
    assert contents(tmp_path / "run") == undisturbed


@pytest.mark.parametrize("cut", [1, 40, 150])
def test_records_shorter_than_the_checkpoint(tmp_path, undisturbed, cut):
    stopped_after(tmp_path / "run", 3)
    records = tmp_path / "run" / "rounds.jsonl"
    length = len(records.read_bytes().splitlines(keepends=True)[-1])
    records.write_bytes(records.read_bytes()[:-cut])
    if cut < length:  # only the last line is hurt: the checkpoint before it still stands on whole ones
        with pytest.warns(RunWarning, match=r"is of round 3, which rounds\.jsonl does not reach"):
            run(toy(), tmp_path / "run")
        assert contents(tmp_path / "run") == undisturbed
    else:
        with pytest.raises(RequestError, match="cannot go on"):
            run(toy(), tmp_path / "run")
