"""Checkpoints that were damaged or are someone else's."""

import io
import json
import shutil
import zipfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from tests.lab.toy import Interrupted, contents, stopped_after, toy

from ishango.cli import main
from ishango.errors import RequestError
from ishango.lab import Checkpoint, RunView, RunWarning, run
from ishango.lab._rounds import DIGEST, UnusableError, decode, encode, npz, read_npz

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


def signed(archive: bytes) -> bytes:
    """With the digest of a checkpoint, as somebody would make it who knows how."""
    with zipfile.ZipFile(buffer := io.BytesIO(archive), "a") as members:
        members.comment = b"0" * DIGEST
    unsigned = buffer.getvalue()[:-DIGEST]
    return unsigned + sha256(unsigned).hexdigest().encode()


def compressed(arrays: dict[str, np.ndarray]) -> bytes:
    np.savez_compressed(buffer := io.BytesIO(), **arrays)
    return buffer.getvalue()


def one_of_many_compressed(arrays: dict[str, np.ndarray]) -> bytes:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as members:
        for name, array in arrays.items():
            np.save(file := io.BytesIO(), array)
            members.writestr(f"{name}.npy", file.getvalue(), zipfile.ZIP_DEFLATED if array.size > 1 else None)
    return buffer.getvalue()


def longer_than_it_is(arrays: dict[str, np.ndarray]) -> bytes:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as members:
        for name, array in arrays.items():
            np.save(file := io.BytesIO(), array)
            claimed = file.getvalue().replace(b"(1000,)", b"(9000,)")
            members.writestr(f"{name}.npy", claimed)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (compressed, "its arrays are compressed"),
        (one_of_many_compressed, "its arrays are compressed"),
        (longer_than_it_is, "not as long as it says"),
    ],
)
def test_a_checkpoint_that_would_take_more_memory_than_its_file_has_is_refused_before_it_is_read(forge, message):
    arrays = {"round": np.array(1), "config": np.array("x"), "state/zeros": np.zeros(1000)}
    assert decode(signed(npz(arrays))).round == 1
    with pytest.raises(UnusableError, match=message):
        decode(signed(forge(arrays)))


def test_one_member_under_many_names_is_not_read_many_times():
    data = bytearray(npz({name: np.full(1000, number) for number, name in enumerate("ab")}))
    first = data.index(b"PK\x03\x04", 4)  # where the second member begins; now both begin with the first
    place = data.rindex(b"PK\x01\x02") + 42
    assert int.from_bytes(data[place : place + 4], "little") == first
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as members:
        directory = members.start_dir
    body = bytes(data[:directory])
    entries = bytes(data[directory : data.rindex(b"PK\x05\x06")])
    one = entries[: len(entries) // 2]
    end = bytearray(data[data.rindex(b"PK\x05\x06") :])
    end[8:10] = end[10:12] = (50).to_bytes(2, "little")
    end[12:16] = (50 * len(one)).to_bytes(4, "little")
    with pytest.raises(ValueError, match="longer than the file"):
        read_npz(body + 50 * one + bytes(end))


FORGED = {
    "no state": lambda _state: {},
    "no text": lambda state: {**state, "state": np.zeros(3)},
    "a list": lambda state: {**state, "state": np.frombuffer(b"[]", np.uint8)},
    "deep": lambda state: {**state, "state": np.frombuffer(b"[" * 100_000, np.uint8)},
    "system": lambda state: edited(state, system=7),
    "beyond": lambda state: edited(state, system="1-3 | 999"),
    "generator": lambda state: edited(state, grammar_rng={"bit_generator": "PCG64"}),
    "names": lambda state: edited(state, names=[[1]]),
}


def edited(state, **values):
    document = json.loads(state["state"].tobytes()) | values
    return {**state, "state": np.frombuffer(json.dumps(document).encode(), np.uint8)}


@pytest.mark.parametrize("forge", FORGED.values(), ids=FORGED.keys())
def test_a_forged_state_gets_its_sentence(tmp_path, forge, capsys):
    words = ["evolve", "--choose", "coin", "--out", str(tmp_path)]
    assert main([*words, "--rounds", "2"]) == 0
    saved = decode((tmp_path / LATEST).read_bytes())
    (tmp_path / PREVIOUS).unlink()
    (tmp_path / LATEST).write_bytes(encode(Checkpoint(saved.round, saved.config, forge(saved.state), saved.curve)))
    capsys.readouterr()
    code = main([*words, "--rounds", "3"])
    *_, last = capsys.readouterr().err.splitlines()
    assert (code, last[:9]) == (2, "ishango: ")


@pytest.mark.parametrize("curve", [{"reward": np.zeros(2)}, {"reward": np.zeros(2), "round": np.zeros((2, 2))}])
def test_a_forged_curve_is_damage(curve):
    with pytest.raises(UnusableError, match="its curve is none"):
        decode(encode(Checkpoint(1, "x", {}, curve)))


SMALL = ("--steps", "20", "--game.hidden", "3")
RUNS = {
    "evolve": ("evolve", *SMALL, "--game.range", "20", "--start", "1-9 | 10"),
    "kinds evolve": ("kinds", "evolve", "--choose", "coin", "--start", "1,2"),
    "kinds generations": ("kinds", "generations", "--start", "1,2"),
    "generations": ("generations", "1-9", "10", "--population", "3"),
    "neural": ("generations", "1-9", "10", "--agents", "neural", "--imitation", "9", "--pretraining", "9", *SMALL),
    "restricted": ("restricted", "train", *SMALL),
    "learnability": ("learnability", *SMALL),
}
WRONG = {
    "other shape": lambda array: np.zeros((2, 2), array.dtype),
    "no numbers": lambda array: np.full(array.shape, np.nan),
    "text": lambda array: np.full(array.shape, "x"),
    "below 0": lambda array: -1 - np.zeros(array.shape, np.int64),
}
MAY_BE_BELOW_0 = ("value", "mean")


def forged(state):
    """States that no run could have written: an array gone or replaced, a word of the text gone or replaced."""
    for name, array in state.items():
        yield f"without {name}", {each: state[each] for each in state if each != name}
        for wrong, made in WRONG.items():
            if not (wrong == "below 0" and name.endswith(MAY_BE_BELOW_0)):
                yield f"{name}: {wrong}", {**state, name: made(array)}
        if name in ("state", "rng"):
            document = json.loads(array.tobytes())
            for key in document:
                gone = {each: document[each] for each in document if each != key}
                for text in (gone, *({**document, key: value} for value in (None, "x", [], {}, [[1]], ["1 | 2"]))):
                    yield f"{name}: {key}", {**state, name: np.frombuffer(json.dumps(text).encode(), np.uint8)}


@pytest.mark.parametrize("words", RUNS.values(), ids=RUNS.keys())
def test_no_experiment_goes_on_from_a_forged_state(tmp_path, words):
    assert main([*words, "--rounds", "1", "--out", str(tmp_path)]) == 0
    view, saved = RunView(tmp_path), decode((tmp_path / LATEST).read_bytes())
    assert view.kind is not None
    experiment = view.kind.make(view.kind.options_from(view.recorded, view.format))
    saved.load(experiment)
    for what, state in forged(saved.state):
        with pytest.raises(RequestError, match="does not hold what such a run needs"):
            pytest.fail(
                f"{what} was taken: {Checkpoint(saved.round, saved.config, state, saved.curve).load(experiment)}"
            )
