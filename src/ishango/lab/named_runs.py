"""The runs of several directories, each by a name that no other has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ishango.errors import RequestError
from ishango.lab.view import find_runs


def named_runs(given: Sequence[Path]) -> dict[str, Path]:
    """The runs in the directories, each once, by its name below its directory, or by its path if that is taken.

    Of several directories, a run's name begins with that of its directory.
    """
    found: dict[Path, str] = {}
    for directory in given:
        for run in _runs(directory):
            root = directory.resolve()
            name = run.relative_to(root).as_posix() if run != root else run.name
            found.setdefault(run, name if len(given) == 1 else f"{root.name}/{name}")
    taken = Counter(found.values())
    return {name if taken[name] == 1 else str(run): run for run, name in found.items()}


def _runs(directory: Path) -> list[Path]:
    try:
        is_directory = directory.is_dir()
    except OSError:  # a name that is too long
        is_directory = False
    if not is_directory:
        raise RequestError(f"{directory} is not a directory; give the one of a run or a sweep.")
    runs = find_runs(directory)
    if not runs:
        raise RequestError(f"There are no runs in {directory}; give the directory of a run or a sweep.")
    return runs
