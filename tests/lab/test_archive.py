"""Archives of runs: what comes out is what went in, whatever happened to the file or the disk meanwhile."""

import io
import json
import lzma
import os
import shutil
import signal
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path

import pytest
from tests.lab.toy import contents, stopped_after, toy

from ishango.cli import main
from ishango.errors import RequestError, RunError
from ishango.lab import RunView, archive, list_archive, rounds_table, run, unarchive
from ishango.lab import _archives as form
from ishango.lab._archives import STAGE

STUDIES = Path(__file__).parents[2] / "studies"
KEPT = {"run.json", "rounds.jsonl", "curve.npz", "DONE"}


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    """A sweep of two finished runs and one that was stopped."""
    runs = tmp_path_factory.mktemp("played") / "runs"
    for seed in (0, 1):
        run(toy(seed=seed), runs / f"seed={seed}")
    stopped_after(runs / "stopped", 2)
    (runs / "plan.toml").write_text("base.rounds = 5\n")
    return runs


@pytest.fixture(scope="module")
def packed(played, tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("packed") / "runs.tar.xz"
    archive(played, file)
    return file


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def kept(run: Path) -> dict[str, bytes]:
    return {name: data for name, data in contents(run).items() if name in KEPT}


def test_finished_runs_come_out_as_they_went_in(played, packed, tmp_path):
    found = unarchive(packed, tmp_path / "there")
    assert found.added == ("seed=0", "seed=1") == tuple(list_archive(packed))
    for name in found.added:
        assert contents(tmp_path / "there" / name) == kept(played / name)
        assert RunView(tmp_path / "there" / name).state == "done"
    assert names(tmp_path / "there") == ["plan.toml", "seed=0", "seed=1"]
    there = rounds_table(tmp_path / "there")
    assert there.equals(rounds_table([played / "seed=0", played / "seed=1"]).assign(run=there["run"]))


def test_the_bytes_are_those_of_the_runs_alone(played, packed, tmp_path):
    copy = tmp_path / "elsewhere"
    shutil.copytree(played, copy)
    for path in copy.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)
    assert archive(copy, tmp_path / "again.tar.xz").left_out.keys() == {"stopped"}
    assert (tmp_path / "again.tar.xz").read_bytes() == packed.read_bytes()


def test_with_checkpoints_runs_go_on_elsewhere(played, tmp_path, undisturbed):
    archive(played, tmp_path / "all.tar.xz", checkpoints=True)
    assert unarchive(tmp_path / "all.tar.xz", tmp_path / "there").added == ("seed=0", "seed=1", "stopped")
    run(toy(), tmp_path / "there" / "stopped")
    assert contents(tmp_path / "there" / "stopped") == undisturbed
    run(toy(7), tmp_path / "there" / "seed=0")
    run(toy(7), tmp_path / "seven")
    assert contents(tmp_path / "there" / "seed=0") == contents(tmp_path / "seven")


def test_without_checkpoints_a_run_is_done_and_stays_as_it_is(packed, tmp_path, monkeypatch):
    unarchive(packed, tmp_path)
    before = contents(tmp_path / "seed=0")
    run(toy(), tmp_path / "seed=0")
    with pytest.raises(RequestError, match="cannot be continued to 7 rounds: it was kept without its checkpoints"):
        run(toy(7), tmp_path / "seed=0")
    with pytest.raises(RequestError, match="was kept without its checkpoints and has no agents"):
        RunView(tmp_path / "seed=0").last_checkpoint()
    monkeypatch.setattr("platform.machine", lambda: "another")  # to go on there would be noted
    with pytest.raises(RequestError, match="cannot be continued to 7 rounds"):
        run(toy(7), tmp_path / "seed=0")
    assert contents(tmp_path / "seed=0") == before


def test_runs_that_are_there_stay(played, packed, tmp_path):
    archive(played, tmp_path / "all.tar.xz", checkpoints=True)
    unarchive(packed, tmp_path / "there")
    again = unarchive(packed, tmp_path / "there")
    assert (again.added, again.kept, again.completed) == ((), ("seed=0", "seed=1"), ())
    more = unarchive(tmp_path / "all.tar.xz", tmp_path / "there")
    assert (more.added, more.completed) == (("stopped",), ("seed=0", "seed=1"))
    run(toy(7), tmp_path / "there" / "seed=0")
    longer = contents(tmp_path / "there" / "seed=0")
    assert "seed=0" in unarchive(packed, tmp_path / "there").kept
    assert contents(tmp_path / "there" / "seed=0") == longer


def other_config(run: Path) -> None:
    document = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(document | {"config": document["config"] | {"width": 9}}))


def other_rounds(run: Path) -> None:
    lines = (run / "rounds.jsonl").read_text().replace('"mean": ', '"mean": 1')
    (run / "rounds.jsonl").write_text(lines)


def fewer_rounds(run: Path) -> None:
    lines = (run / "rounds.jsonl").read_bytes().splitlines(keepends=True)
    (run / "rounds.jsonl").write_bytes(b"".join(lines[:3]))
    (run / "DONE").unlink()


def other_curve(run: Path) -> None:
    (run / "curve.npz").write_bytes(b"")


def no_run(run: Path) -> None:
    (run / "run.json").rename(run / "notes.txt")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_config, "holds another run: its width is 9 and not null as in the archive"),
        (other_rounds, "holds another run: its rounds.jsonl differs"),
        (fewer_rounds, "holds the same run with fewer rounds"),
        (other_curve, "holds another run: its curve.npz differs"),
        (no_run, "is there and holds no run"),
    ],
)
def test_a_run_that_is_there_is_never_replaced(packed, tmp_path, change, message):
    unarchive(packed, tmp_path)
    change(tmp_path / "seed=1")
    shutil.rmtree(tmp_path / "seed=0")
    before = contents(tmp_path / "seed=1")
    with pytest.raises(RequestError, match=message):
        unarchive(packed, tmp_path)
    assert contents(tmp_path / "seed=1") == before
    assert names(tmp_path) == ["plan.toml", "seed=1"]  # nor did another take its place


def repacked(file: Path, target: Path, change, first: bool = True) -> Path:
    """The archive with its members changed, compressed anew: what somebody might do who knows how it is made."""
    with tarfile.open(file) as old:
        listed, *files = [(each, old.extractfile(each).read()) for each in old]
    files, listed = change(files, listed)
    with lzma.open(target, "wb") as stream, tarfile.open(fileobj=stream, mode="w") as new:
        for member, data in [*listed, *files] if first else [*files, *in_format_1(listed)]:
            member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    return target


def in_format_1(listed):
    """What earlier versions wrote: the list of files is the last one."""
    return [(member, data.replace(b'"format": 2', b'"format": 1')) for member, data in listed]


def relisted(files):
    """With a list of files that is right."""
    entries = {each.name: form.Entry(len(data), sha256(data).hexdigest()) for each, data in files}
    return files, [(tarfile.TarInfo(form.MANIFEST), form.manifest_of(entries))]


def named(name: str):
    return lambda files, _listed: relisted([*files, (tarfile.TarInfo(name), b"x")])


def other_type(type: bytes):
    def change(files, listed):
        member = tarfile.TarInfo("seed=0/curve.npz")
        member.type, member.linkname = type, "/etc/passwd"
        return [*files[:2], (member, b"")], [listed]

    return change


def changed(files, listed):
    return [(each, data.replace(b'"seed": 1', b'"seed": 2')) for each, data in files], [listed]


def damaged_run(files, _listed):
    return relisted([(each, b"" if each.name == "seed=1/rounds.jsonl" else data) for each, data in files])


def listing(data: bytes):
    return lambda files, _listed: (files, [(tarfile.TarInfo(form.MANIFEST), data)])


@pytest.mark.parametrize("first", [True, False], ids=["format 2", "format 1"])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (named("/seed=2/run.json"), "'/seed=2/run.json' is not the name of a run's file"),
        (named("../seed=2/run.json"), "not the name of a run's file"),
        (named("a/../../run.json"), "not the name of a run's file"),
        (named("a\\b/run.json"), "not the name of a run's file"),
        (named(".hidden/run.json"), "not the name of a run's file"),
        (named("a//run.json"), "not the name of a run's file"),
        (named("run.json"), "not the name of a run's file"),
        (named("seed=0/evil.sh"), "not the name of a run's file"),
        (lambda files, listed: ([*files, files[1]], [listed]), "'seed=0/run.json' is there twice"),
        (lambda files, listed: (files, [listed, listed]), "'archive.json' is not the name of a run's file"),
        (named("other/DONE"), "'other/DONE' belongs to no run"),
        (named("seed=0/inner/run.json"), "lies inside a run"),
        (other_type(tarfile.SYMTYPE), "'seed=0/curve.npz' is a link or no file"),
        (other_type(tarfile.LNKTYPE), "'seed=0/curve.npz' is a link or no file"),
        (other_type(tarfile.CHRTYPE), "'seed=0/curve.npz' is a link or no file"),
        (other_type(tarfile.DIRTYPE), "'seed=0/curve.npz' is a link or no file"),
        (changed, "'seed=1/run.json' is not as its list of files says"),
        (damaged_run, "The run seed=1 in the archive is damaged"),
        (lambda files, _listed: (files, []), "it has no list of its files"),
        (lambda files, listed: (files[1:], [listed]), "'plan.toml' is not as its list of files says"),
        (
            lambda files, listed: ([*files, (tarfile.TarInfo("new/run.json"), b"x")], [listed]),
            "'new/run.json' is not as its list of files says",
        ),
        (listing(b"[]"), "has no format"),
        (listing(b'{"format": 9}'), "install a later version"),
        (
            lambda files, listed: ([*files, (tarfile.TarInfo("zeros/run.json"), bytes(500_000))], [listed]),
            "far more comes out of it",
        ),
    ],
)
def test_what_was_tampered_with_is_refused_and_nothing_is_unpacked(
    packed, tmp_path, monkeypatch, change, message, first
):
    monkeypatch.setattr(form, "ALWAYS", 100_000)
    monkeypatch.setattr(form, "MOST_TIMES", 20)
    file = repacked(packed, tmp_path / "forged.tar.xz", change, first)
    with pytest.raises(RequestError, match=message):
        unarchive(file, tmp_path / "there")
    assert not (tmp_path / "there").exists() or not list((tmp_path / "there").iterdir())


def test_an_archive_of_the_former_format_is_unpacked_and_replaced(played, packed, tmp_path):
    file = repacked(packed, tmp_path / "former.tar.xz", lambda files, listed: (files, [listed]), first=False)
    assert unarchive(file, tmp_path / "there").added == ("seed=0", "seed=1") == tuple(list_archive(file))
    assert contents(tmp_path / "there" / "seed=0") == kept(played / "seed=0")
    archive(played, file)
    assert file.read_bytes() == packed.read_bytes()


def test_a_list_that_promises_too_much_or_stands_elsewhere_is_refused_before_the_files_are_read(packed, tmp_path):
    huge = relisted([])[1][0][0], form.manifest_of({"a/run.json": form.Entry(10**12, "0" * 64)})
    file = repacked(packed, tmp_path / "forged.tar.xz", lambda _files, _listed: ([], [huge]))
    with pytest.raises(RequestError, match="far more comes out of it than runs have in so little space"):
        list_archive(file)
    file = repacked(packed, tmp_path / "forged.tar.xz", lambda files, listed: ([*files, listed], []))
    with pytest.raises(RequestError, match="its list of files is not in its place"):
        list_archive(file)


@pytest.mark.parametrize("file", sorted(STUDIES.glob("*.tar.xz")), ids=lambda file: file.name.partition(".")[0])
def test_archives_of_published_studies_are_read(file):
    with tarfile.open(file) as members:
        runs = [each.name.removesuffix("/run.json") for each in members if each.name.endswith("/run.json")]
    assert list_archive(file) == runs
    assert len(runs) >= 8


def test_a_torn_or_flipped_file_is_refused_at_every_place(packed, tmp_path):
    data, file = packed.read_bytes(), tmp_path / "torn.tar.xz"
    places = [*range(0, len(data), len(data) // 40), len(data) - 1]
    for place in places:
        for torn in (data[:place], data[:place] + bytes([data[place] ^ 8]) + data[place + 1 :]):
            file.write_bytes(torn)
            with pytest.raises(RequestError, match=r"torn\.tar\.xz is damaged or no archive of runs"):
                unarchive(file, tmp_path / "there")
    file.write_bytes(data + b"more")
    with pytest.raises(RequestError, match="something stands behind its end"):
        unarchive(file, tmp_path / "there")
    assert not (tmp_path / "there").exists()


def test_an_archive_is_replaced_only_if_nothing_is_lost(played, packed, tmp_path):
    file = tmp_path / "runs.tar.xz"
    shutil.copy(packed, file)
    with pytest.raises(RequestError, match=r"is there and has more of seed=0/run\.json; unpack it"):
        archive(played / "seed=1", file)
    assert file.read_bytes() == packed.read_bytes()
    archive(played, file, checkpoints=True)
    with pytest.raises(RequestError, match="has more of seed=0/checkpoint"):
        archive(played, file)
    (tmp_path / "thesis.tar.xz").write_bytes(b"mine")
    with pytest.raises(RequestError, match="no archive of runs"):
        archive(played, tmp_path / "thesis.tar.xz")
    assert names(tmp_path) == ["runs.tar.xz", "thesis.tar.xz"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (other_config, "holds another run seed=1: its width is null and not 9"),
        (other_rounds, r"holds another run seed=1: its rounds\.jsonl differs"),
        (fewer_rounds, r"has more of seed=1/rounds\.jsonl"),
        (other_curve, r"holds another run seed=1: its curve\.npz differs"),
    ],
)
def test_an_archive_is_not_replaced_by_other_runs_of_the_same_names(packed, tmp_path, change, message):
    file = tmp_path / "runs.tar.xz"
    shutil.copy(packed, file)
    unarchive(packed, tmp_path / "there")
    change(tmp_path / "there" / "seed=1")
    if change is fewer_rounds:
        (tmp_path / "there" / "seed=1" / "DONE").touch()
        document = json.loads((tmp_path / "there" / "seed=1" / "run.json").read_text())
        document["config"]["rounds"] = 2
        (tmp_path / "there" / "seed=1" / "run.json").write_text(json.dumps(document))
    with pytest.raises(RequestError, match=message):
        archive(tmp_path / "there", file)
    assert file.read_bytes() == packed.read_bytes()
    assert names(tmp_path) == ["runs.tar.xz", "there"]


def test_an_archive_is_replaced_by_the_same_runs_with_more_rounds(packed, tmp_path):
    file = tmp_path / "runs.tar.xz"
    shutil.copy(packed, file)
    for seed in (0, 1):
        run(toy(7, seed=seed), tmp_path / "there" / f"seed={seed}")
    archive(tmp_path / "there", file)
    assert rounds_table(tmp_path / "there")["round"].max() == 7
    unarchive(file, tmp_path / "again")
    assert RunView(tmp_path / "again" / "seed=0").damage is None
    assert file.read_bytes() != packed.read_bytes()


def test_an_archive_that_another_process_has_replaced_stays(played, packed, tmp_path, monkeypatch):
    file = tmp_path / "runs.tar.xz"
    shutil.copy(packed, file)
    read = form.read_plain

    def meanwhile(path: Path) -> bytes:
        archive_of_others.replace(file) if archive_of_others.exists() else None
        return read(path)

    archive_of_others = tmp_path / "others.tar.xz"
    archive(played, archive_of_others, checkpoints=True)
    others = archive_of_others.read_bytes()
    monkeypatch.setattr(form, "read_plain", meanwhile)
    with pytest.raises(RequestError, match="has changed meanwhile"):
        archive(played, file)
    assert file.read_bytes() == others


def test_a_full_disk_leaves_what_was_there(played, packed, tmp_path, monkeypatch):
    def full(*_arguments):
        raise OSError(28, "No space left on device")

    file = tmp_path / "runs.tar.xz"
    shutil.copy(packed, file)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunError, match="No space left on device"):
        archive(played, file, checkpoints=True)
    with pytest.raises(RunError, match="No space left on device"):
        unarchive(file, tmp_path / "there")
    assert file.read_bytes() == packed.read_bytes()
    assert not list((tmp_path / "there").iterdir())
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: shutil._ntuple_diskusage(9, 9, 100))
    with pytest.raises(RequestError, match="has room for 100; make room first"):
        unarchive(file, tmp_path / "there")


KILLED = """
import os, signal, sys
from ishango.lab import archive, unarchive
calls, kill_at, name = 0, int(sys.argv[1]), sys.argv[2]
original = getattr(os, name)
def deadly(*arguments, **options):
    global calls
    calls += 1
    if calls == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)
    return original(*arguments, **options)
setattr(os, name, deadly)
{"archive": archive, "unarchive": unarchive}[sys.argv[3]](sys.argv[4], sys.argv[5])
"""


@pytest.mark.parametrize(("call", "nth", "verb"), [("rename", 2, "unarchive"), ("fsync", 1, "archive")])
def test_a_kill_leaves_whole_runs_and_the_same_command_goes_on(played, packed, tmp_path, call, nth, verb):
    target = tmp_path / "there" if verb == "unarchive" else tmp_path / "runs.tar.xz"
    if verb == "archive":
        shutil.copy(packed, target)
    source = packed if verb == "unarchive" else played
    words = [sys.executable, "-c", KILLED, str(nth), call, verb, str(source), str(target)]
    assert subprocess.run(words, timeout=60).returncode == -signal.SIGKILL
    if verb == "archive":
        assert target.read_bytes() == packed.read_bytes()
        archive(played, target)
        assert names(tmp_path) == ["runs.tar.xz"]
        return
    assert names(target) == [STAGE, "seed=0"]
    found = unarchive(packed, target)
    assert (found.added, found.kept) == (("seed=1",), ("seed=0",))
    assert names(target) == ["plan.toml", "seed=0", "seed=1"]


def test_two_do_not_unpack_at_once(packed, tmp_path):
    import fcntl

    (tmp_path / STAGE).mkdir()
    descriptor = os.open(tmp_path / STAGE, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with pytest.raises(RequestError, match="Another process unpacks into"):
        unarchive(packed, tmp_path)
    os.close(descriptor)
    assert unarchive(packed, tmp_path).added


def test_a_link_in_the_way_is_not_followed(packed, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "seed=0").symlink_to(tmp_path / "outside")
    with pytest.raises(RequestError, match="leads out of"):
        unarchive(packed, tmp_path / "there")
    assert not list((tmp_path / "outside").iterdir())


def test_the_commands(played, tmp_path, capsys):
    file = str(tmp_path / "runs.tar.xz")
    assert main(["archive", str(played), "-o", file]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("2 runs in ")
    assert err == "left out: stopped is not done (with checkpoints it is kept as far as it is)\n"
    assert main(["unarchive", file, "--list"]) == 0
    assert capsys.readouterr().out == "seed=0\nseed=1\n"
    assert main(["unarchive", file, str(tmp_path / "there")]) == 0
    assert capsys.readouterr().out == f"2 runs added to {tmp_path / 'there'}\n"
    assert main(["unarchive", file, "--out", str(tmp_path / "as others say it")]) == 0
    assert capsys.readouterr().out == f"2 runs added to {tmp_path / 'as others say it'}\n"
    for wrong in (
        ["unarchive", file, str(tmp_path / "new"), "--out", str(tmp_path / "new")],
        ["unarchive", file, "--list", "--out", str(tmp_path / "new")],
        ["archive", str(played), "-o", str(tmp_path / "runs.zip")],
        ["archive", str(played / "stopped"), "-o", str(tmp_path / "none.tar.xz")],
        ["archive", str(tmp_path / "nowhere"), "-o", file],
        ["archive", str(played), str(tmp_path / ".." / played.parent.name / "runs"), "-o", str(tmp_path)],
        ["unarchive", file],
        ["unarchive", str(tmp_path / "missing.tar.xz"), str(tmp_path / "new")],
        ["unarchive", str(tmp_path), str(tmp_path / "new")],
        ["unarchive", file, file],
        ["unarchive", file, str(tmp_path / ("long" * 100))],
        ["unarchive", file, str(tmp_path / "zero\0byte")],
    ):
        assert main(wrong) == 2, wrong
        said = capsys.readouterr().err
        assert said.startswith("ishango: "), said
        assert said.count("\n") == 1, said
    assert not (tmp_path / "new").exists()
