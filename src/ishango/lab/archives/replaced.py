"""The archive that is there when another of its name is written, which has to have all that it has."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import NoReturn

from ishango.errors import RequestError
from ishango.lab import rounds
from ishango.lab.archives.archive_format import Contents, read_archive
from ishango.lab.archives.same_run import differing
from ishango.lab.directory import CURVE, RESUMES, RUN
from ishango.lab.plain_files import plain_stamp
from ishango.lab.sweeps import PLAN


class Replaced:
    """What an archive holds before it is replaced; nothing where there is none."""

    def __init__(self, file: Path) -> None:
        self._file, self._stamp = file, plain_stamp(file)
        self._documents: dict[str, _Document] = {}
        self._contents: Contents = read_archive(file, self._sink) if file.exists() else {}

    def check(self, name: str, data: bytes) -> None:
        """Refuse the new file of a run if it is another run's, or has fewer rounds than the old one."""
        old = self._contents.get(name)
        if old is None or old.sha256 == sha256(data).hexdigest():
            return
        run, _, last = name.rpartition("/")
        if last == RUN and (field := self._differing(name, data)) is not None:
            self._refuse_other(run, field)
        if last in (rounds.NAME, RESUMES):
            if len(data) < old.bytes:
                self._refuse_less(name)
            if sha256(data[: old.bytes]).hexdigest() != old.sha256:
                self._refuse_other(run, f"{last} differs")

    def check_all(self, contents: Contents) -> None:
        """Refuse a new archive that lacks a file, or has another curve of the same rounds."""
        for name, old in self._contents.items():
            run, _, last = name.rpartition("/")
            if last == PLAN:  # which may change; the runs are what counts
                continue
            if name not in contents:
                self._refuse_less(name)
            played = f"{run}/{rounds.NAME}"
            if last == CURVE and contents[name] != old and contents.get(played) == self._contents.get(played):
                self._refuse_other(run, f"{last} differs")
        if plain_stamp(self._file) != self._stamp:
            raise RequestError(f"{self._file} has changed meanwhile; try again.")

    def _sink(self, name: str) -> _Document | None:
        return self._documents.setdefault(name, _Document()) if name.endswith(f"/{RUN}") else None

    def _differing(self, name: str, data: bytes) -> str | None:
        try:
            return differing(json.loads(self._documents[name].data), json.loads(data))
        except (ValueError, KeyError, TypeError, RecursionError):
            return f"{RUN} cannot be read"

    def _refuse_other(self, run: str, why: str) -> NoReturn:
        raise RequestError(f"{self._file} holds another run {run}: its {why}; choose another name.")

    def _refuse_less(self, name: str) -> NoReturn:
        raise RequestError(
            f"{self._file} is there and has more of {name}; unpack it beside these runs first, or choose another name."
        )


class _Document:
    """A file of an archive that is kept in memory."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, piece: bytes) -> None:
        self.data += piece

    def close(self) -> None:
        """All of it is there."""
