"""What an archive of runs is, and reading one that anybody may have made.

An archive is an ordinary `.tar.xz`: the files of the runs and, as the last one, `archive.json` with the format and the
length and SHA-256 of every file. Reading takes nothing on trust: neither names nor lengths nor the compression.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import tarfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol, cast

from ishango.errors import RequestError
from ishango.lab import checkpoint, rounds
from ishango.lab.directory import CURVE, DONE, RESUMES, RUN
from ishango.lab.plain_files import LONGEST_FILE
from ishango.lab.sweeps import PLAN

FORMAT = 1
SUFFIX = ".tar.xz"
MANIFEST = "archive.json"
RUN_FILES = (RUN, rounds.NAME, CURVE, RESUMES, checkpoint.NAME, DONE)
"""What is kept of a run, in this order: `DONE` stands on all others."""
MEMORY = 256 * 1024 * 1024
"""Bytes that unpacking may take; what this version packs takes ten."""
MOST_TIMES, ALWAYS = 1_000, 16 * 1024 * 1024
"""How much may come out of an archive: so many times its own length, or so many bytes. Runs shrink to a tenth or so."""
PIECE = 1024 * 1024


class Target(Protocol):
    """Where a file goes."""

    def write(self, piece: bytes) -> None:
        """Take the next bytes."""
        ...

    def close(self) -> None:
        """There are no more."""
        ...


Sink = Callable[[str], Target | None]
"""Where a file goes, by its name; nowhere if None."""


@dataclass(frozen=True)
class Entry:
    """A file of an archive."""

    bytes: int
    sha256: str


Contents = Mapping[str, Entry]
"""The files of an archive by name."""


def runs_in(contents: Contents) -> list[str]:
    """The names of the runs."""
    return [name.rpartition("/")[0] for name in contents if name.endswith(f"/{RUN}")]


def read_archive(file: Path, sink: Sink = lambda _name: None) -> Contents:
    """Read all of an archive, giving its files to `sink`; what is damaged, forged or no archive is refused.

    What was given away can be relied on only when this returns: the checksums stand at the end.
    """
    found: dict[str, Entry] = {}
    manifest: bytes | None = None
    with _opened(file) as members:
        for member in members:
            if manifest is not None:
                raise ValueError("something stands behind its list of files")
            content = members.extractfile(member) if member.isreg() and not member.issparse() else None
            if content is None:
                raise ValueError(f"{member.name!r} is a link or no file")
            if member.size > LONGEST_FILE:
                raise ValueError(f"{member.name!r} has {member.size:,} bytes, which no file of a run has")
            if member.name == MANIFEST:
                manifest = content.read()
                continue
            if member.name in found:
                raise ValueError(f"{member.name!r} is there twice")
            check_name(member.name)
            found[member.name] = _copied(content, sink(member.name))
        _check_manifest(manifest, found)
        _check_runs(found)
    return found


def check_name(name: str) -> None:
    """Refuse what is not the name of a run's file or of a plan, below the directory that is unpacked into."""
    *folders, last = name.split("/")
    plain = all(each and not each.startswith(".") and "\\" not in each and each.isprintable() for each in folders)
    if not plain or not (last == PLAN or (last in RUN_FILES and folders)):
        raise ValueError(f"{name!r} is not the name of a run's file")


def manifest_of(contents: Contents) -> bytes:
    """The content of `archive.json`."""
    files = {name: {"bytes": each.bytes, "sha256": each.sha256} for name, each in contents.items()}
    return json.dumps({"format": FORMAT, "files": files}, indent=0).encode() + b"\n"


@contextmanager
def _opened(file: Path) -> Generator[tarfile.TarFile]:
    """The members of an archive; whatever is wrong with them becomes one sentence."""
    try:
        with file.open("rb") as packed:
            unpacked = _Unpacked(packed, MOST_TIMES * file.stat().st_size + ALWAYS)
            with tarfile.open(fileobj=cast(IO[bytes], unpacked), mode="r|", bufsize=64 * 1024) as members:
                yield members
            unpacked.finish()
    except (FileNotFoundError, NotADirectoryError):
        raise RequestError(f"{file} is not there; give an archive that ishango archive has made.") from None
    except OSError as error:
        raise RequestError(f"{file} cannot be read ({error.strerror or error}); give an archive of runs.") from None
    except (tarfile.TarError, lzma.LZMAError, EOFError, ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, RequestError):
            raise
        raise RequestError(f"{file} is damaged or no archive of runs: {_reason(error)}.") from None


def _reason(error: Exception) -> str:
    if isinstance(error, (tarfile.TarError, lzma.LZMAError)):
        return f"it cannot be unpacked ({error})".replace("\n", " ")
    return str(error) or "it ends too early"


class _Unpacked:
    """The bytes in a compressed file, no more of them and in no more memory than is allowed."""

    def __init__(self, packed: BinaryIO, most: int) -> None:
        self._packed, self._left = packed, most
        self._decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MEMORY)

    def read(self, length: int) -> bytes:
        """Up to so many bytes; none at the end."""
        piece = b""
        while not piece and not self._decompressor.eof:
            more = self._packed.read(PIECE) if self._decompressor.needs_input else b""
            if self._decompressor.needs_input and not more:
                raise EOFError("it ends too early")
            piece = self._decompressor.decompress(more, length)
        self._left -= len(piece)
        if self._left < 0:
            raise ValueError("far more comes out of it than runs have in so little space")
        return piece

    def finish(self) -> None:
        """Read to the end, where the compression has its own checksum, and see that nothing stands behind."""
        while self.read(PIECE):
            pass
        if self._decompressor.unused_data or self._packed.read(1):
            raise ValueError("something stands behind its end")


def _copied(content: IO[bytes], target: Target | None) -> Entry:
    digest, length = hashlib.sha256(), 0
    try:
        while piece := content.read(PIECE):
            digest.update(piece)
            length += len(piece)
            if target is not None:
                target.write(piece)
    finally:
        if target is not None:
            target.close()
    return Entry(length, digest.hexdigest())


def _check_manifest(manifest: bytes | None, found: Contents) -> None:
    if manifest is None:
        raise ValueError("it has no list of its files")
    loaded: Any = json.loads(manifest)
    document = cast(dict[str, Any], loaded) if isinstance(loaded, dict) else {}
    if type(document.get("format")) is not int:
        raise ValueError("its list of files has no format")
    if document["format"] > FORMAT:
        raise RequestError(
            f"The archive is of format {document['format']}, and this version of Ishango knows formats up to {FORMAT};"
            " install a later version."
        )
    files: dict[str, Any] = document["files"]
    listed = {name: Entry(each["bytes"], each["sha256"]) for name, each in files.items()}
    for name in sorted(listed.keys() | found.keys()):
        if listed.get(name) != found.get(name):
            raise ValueError(f"{name!r} is not as its list of files says")


def _check_runs(found: Contents) -> None:
    """Every file is of a run or a plan, and no run lies in another."""
    runs = set(runs_in(found))
    for name in found:
        folder, _, last = name.rpartition("/")
        if last != PLAN and folder not in runs:
            raise ValueError(f"{name!r} belongs to no run")
        parts = folder.split("/")
        inside = ["/".join(parts[:i]) for i in range(1, len(parts) + (last == PLAN))]
        if runs.intersection(inside):
            raise ValueError(f"{name!r} lies inside a run")
