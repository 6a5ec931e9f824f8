"""The directory of a run: where it was played, its format, what was asked and what is there."""

from __future__ import annotations

import errno
import hashlib
import json
import platform
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, cast

from ishango import __version__
from ishango._locks import LOCK
from ishango.errors import RequestError, RunWarning, plural
from ishango.lab._experiments import FORMAT, OLDEST, ExperimentKind
from ishango.lab._plan import chosen, flatten, refuse_changes, refuse_first
from ishango.lab._rounds import CHECKPOINT, PREVIOUS, ROUNDS, count_rounds, latest_checkpoint
from ishango.safe_files import Stamp, as_path, is_half, plain_stamp, remove, write, writing

PACKAGES = ("numpy", "numba")


def environment(packages: Sequence[str] = ()) -> dict[str, Any]:
    """Versions, also of these packages, platform and CPU type."""
    own = {"python": platform.python_version(), "ishango": __version__}
    return {
        "versions": own | {package: _version(package) for package in (*PACKAGES, *packages)},
        "platform": " ".join(filter(None, (platform.system(), platform.machine(), *platform.libc_ver()))),
        "cpu": cpu_type(),
    }


def cpu_type() -> str:
    """The CPU's model and vector instructions, which decide the machine code of the kernels."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    flags = (facts.get("flags") or facts.get("Features") or "").split()
    vectors = sorted(flag for flag in flags if flag.startswith(("avx", "fma", "sve", "asimd")))
    return " ".join([facts.get("model name") or platform.machine(), *vectors])


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


# Runs that outlive the code: what is recorded of a run is read by the rules of the format it was made in.
#
# A run keeps its format for life. Its checkpoints carry a digest of the format and of what differs from the defaults,
# so that adding an option changes nothing.

Document = Mapping[str, Any]
"""The content of `run.json`."""


def new_document(config: Mapping[str, Any], kind: ExperimentKind | None) -> dict[str, Any]:
    """What `run.json` of a new run says of itself; where it is played is added."""
    name = {} if kind is None else {"experiment": kind.name}
    return {"format": FORMAT, **name, "config": dict(config), "seed": config["seed"]}


def checked(loaded: Any) -> dict[str, Any]:
    """What was loaded, if it is a `run.json` (otherwise `TypeError`) of a format that this version knows."""
    if not isinstance(loaded, dict):
        raise TypeError("it is not a table")
    document = cast(dict[str, Any], loaded)
    if not isinstance(cast(object, document["config"]), dict):
        raise TypeError("its config is not a table")
    format = document.get("format", OLDEST - 1)  # `run.json` has had one since format 2
    if type(format) is not int or format < 1:
        raise TypeError("its format is not a number from 1 up")
    if format < OLDEST:
        raise UnknownFormatError(
            f"of a format before {OLDEST}, which this version of Ishango does not read; play it anew"
        )
    if format > FORMAT:
        raise UnknownFormatError(
            f"of format {format}, and this version of Ishango knows formats up to {FORMAT}; install a later version"
        )
    rounds: Any = document["config"]["rounds"]
    if type(rounds) is not int or rounds < 0:
        raise TypeError(f"its rounds are {json.dumps(rounds)}, which is no number from 0 up")
    return document


class UnknownFormatError(Exception):
    """A run that this version cannot read; the message says which format it has and what to do."""


def filled(document: Document, kind: ExperimentKind | None) -> dict[str, Any]:
    """The recorded config; with every field where the kind is known."""
    return dict(document["config"]) if kind is None else kind.fill(document["config"], document["format"])


def agreed(document: Document, asked: Mapping[str, Any], kind: ExperimentKind | None, where: str) -> dict[str, Any]:
    """The config to go on with, if what is asked agrees with the run in `where`; otherwise a refusal."""
    name = document.get("experiment")
    if kind is not None and name not in (None, kind.name):
        raise RequestError(
            f"The run in {where} is of the experiment {name}, and {kind.name} was asked for; choose another directory."
        )
    config = dict(asked) if kind is None else kind.settle(asked, document["config"], document["format"])
    refuse_changes(filled(document, kind), config, where)
    return config


def digest(document: Document, kind: ExperimentKind | None) -> str:
    """What tells a run's checkpoints from another's: its config without `rounds`, which may grow."""
    format = document["format"]
    if document.get("experiment") is None:
        kind = None
    defaults = {} if kind is None else flatten(kind.defaults(format))
    config = {name: value for name, value in flatten(filled(document, kind)).items() if name != "rounds"}
    content = {"format": format, "config": chosen(config, defaults)}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


# A run's directory: whose it is, whether it is done, and where it was played.

RUN = "run.json"
CURVE = "curve.npz"
DONE = "DONE"
RESUMES = "resumes.jsonl"
ERROR = "error.txt"
WRITTEN = (RUN, ROUNDS, CURVE, CHECKPOINT, PREVIOUS, DONE, RESUMES)
BEFORE_RUN = (RUN, LOCK, ERROR)
"""What a directory may hold when its first moment was cut short, before `run.json` was there."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS)
"""Failures of a disk: nothing was wrong with the request."""


class UnreadableRunError(RequestError):
    """A run whose `run.json` is there but cannot be read; `reason` says why, without the path."""

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


def refuse_within_run(directory: Path) -> None:
    """Refuse a place for runs that lies inside a run: whoever looks for runs there finds the outer one alone."""
    for outer in directory.absolute().parents:
        if plain_stamp(outer / RUN) is not None:
            raise RequestError(
                f"{directory} lies inside the directory of a run, {outer}, where no other run would be found; choose"
                " another directory."
            )


def prepare(directory: Path) -> None:
    """Make the directory; one that holds something else than a run, or that lies inside a run, is refused."""
    if plain_stamp(directory / RUN) is None:
        refuse_within_run(directory)
    with writing(directory):
        try:
            directory.mkdir(parents=True, exist_ok=True)
            others = _others(directory)
        except (FileExistsError, NotADirectoryError):
            raise RequestError(f"{directory} is not a directory; choose another name.") from None
        except OSError as error:
            if error.errno in NO_ROOM:
                raise
            raise RequestError(f"{directory} cannot be used ({error.strerror}); choose another.") from None
    if others:
        raise RequestError(
            f"{directory} holds {others[0]} and is not the directory of a run; choose an empty or a new one."
        )


def may_hold_run(directory: Path) -> bool:
    """Whether the directory is a run's, or could become one."""
    try:
        return not _others(directory)
    except OSError as error:
        return isinstance(error, FileNotFoundError)


def _others(directory: Path) -> list[str]:
    """What a directory that is not a run's holds; nothing in one that is, or that could be."""
    names = {path.name for path in directory.iterdir()}
    begun = (name for name in names if any(name == own or is_half(name, own) for own in BEFORE_RUN))
    return [] if RUN in names else sorted(names - set(begun))


def read_run(directory: Path, read: Callable[[Path], bytes] = Path.read_bytes) -> dict[str, Any] | None:
    """The document `run.json`; nothing where there is none."""
    try:
        document = checked(json.loads(read(directory / RUN)))
        json.dumps(document, ensure_ascii=False).encode()  # half a character, "\\ud800", is no text anywhere else
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnknownFormatError as error:
        raise UnreadableRunError(f"The run in {directory} is {error}.", f"It is {error}.") from None
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        reason = _without_path(error)
        raise UnreadableRunError(
            f"{directory / RUN} cannot be read ({reason}); put it right or choose another directory.",
            f"{RUN} cannot be read ({reason}); put it right.",
        ) from None
    return document


def _without_path(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]}"
    if isinstance(error, UnicodeEncodeError):
        return "it has half a character"
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def refuse_unread(kind: ExperimentKind, config: Mapping[str, Any], directory: Path | str | None = None) -> None:
    """Refuse an option that is given though nothing reads it: to ignore it would be a wrong answer.

    A run that is in the directory already keeps what it has; what differs from that is refused when it is played.
    """
    if directory is None or read_run(as_path(directory)) is None:
        refuse_first(kind.unread(config))


def is_done(directory: Path, config: Mapping[str, Any], kind: ExperimentKind | None) -> bool:
    """Whether all rounds asked for have been played; a config that does not agree is refused."""
    document = read_run(directory)
    if document is None or not _has_begun(directory):
        return False
    config = agreed(document, config, kind, str(directory))
    if not (directory / DONE).exists():
        return False
    if kind is not None and document.get("inputs"):
        inputs: Mapping[str, str] = getattr(kind.from_config(config, document["format"]), "inputs", {})
        refuse_changed_inputs(directory, document["inputs"], inputs, "choose another directory")
    if (damage := damage_of(directory, document)) is not None:
        raise RequestError(f"The run in {directory} is damaged: {damage}; put the file back, or use another directory.")
    return document["config"]["rounds"] == config["rounds"]


def damage_of(directory: Path, document: Mapping[str, Any]) -> str | None:
    """What is wrong with the records of a run that is called done; None if nothing is."""
    if not (directory / DONE).exists():
        return None
    return shortfall(document["config"], _count(directory, plain_stamp(directory / ROUNDS)))


def shortfall(config: Mapping[str, Any], found: int) -> str | None:
    """What is wrong with a run that is called done and of which so many rounds can be read; None if nothing is."""
    expected = config["rounds"] + 1
    if found >= expected:
        return None
    return f"it is called done, but {ROUNDS} can be read for {found} of its {expected} rounds only"


@lru_cache(maxsize=2**17)
def _count(directory: Path, stamp: Stamp | None) -> int:  # noqa: ARG001 - a key of the cache
    """The rounds of a file that has not changed: a sweep asks twice whether each of its runs is done."""
    return count_rounds(directory)


def _has_begun(directory: Path) -> bool:
    """Whether anything was recorded: a run that failed before its first round binds nobody to its config."""
    names = (ROUNDS, CHECKPOINT, PREVIOUS, DONE)
    return any((directory / name).exists() and (name == DONE or (directory / name).stat().st_size) for name in names)


def open_run(
    directory: Path,
    config: dict[str, Any],
    kind: ExperimentKind | None,
    inputs: Mapping[str, str],
    packages: Sequence[str],
) -> dict[str, Any]:
    """Bring `run.json`, which is returned, up to the config asked for; the lock is held."""
    for path in list(directory.iterdir()):
        if any(is_half(path.name, name) for name in (*WRITTEN, ERROR, LOCK)):
            path.unlink(missing_ok=True)
    remove(directory / ERROR)
    document, here = read_run(directory), environment(packages)
    if document is None or not _has_begun(directory):
        document = new_document(config, kind) | ({"inputs": dict(inputs)} if inputs else {}) | here
        write(directory / RUN, _json(document))
        return document
    asked = agreed(document, config, kind, str(directory))["rounds"]
    longer = document["config"]["rounds"] != asked
    if longer:
        _check_continuation(directory, document, kind, asked)
    _check_inputs(directory, document, inputs)
    _note_move(directory, document, here)
    if longer:
        # In this order a kill in between leaves a run of the old length that is not finished, never a false DONE.
        remove(directory / DONE)
        document["config"]["rounds"] = asked
        write(directory / RUN, _json(document))
    return document


def _check_continuation(directory: Path, document: Mapping[str, Any], kind: ExperimentKind | None, asked: int) -> None:
    """Refuse to make a finished run longer that has no state to go on from, before anything of it is touched."""
    if not (directory / DONE).exists():
        return
    if not any((directory / name).exists() for name in (CHECKPOINT, PREVIOUS)):
        raise RequestError(
            f"The run in {directory} cannot be continued to {plural(asked, 'round')}: it was kept without its"
            f" checkpoints; ask for its {document['config']['rounds']}, or play it anew in another directory."
        )
    latest_checkpoint(directory, digest(document, kind))


def _check_inputs(directory: Path, document: dict[str, Any], inputs: Mapping[str, str]) -> None:
    """Refuse to go on with a file that has changed; one that nobody recorded is recorded from here on."""
    recorded: dict[str, str] = document.get("inputs", {})
    refuse_changed_inputs(directory, recorded, inputs, "choose another directory")
    if new := sorted(inputs.keys() - recorded.keys()):
        warnings.warn(
            f"The run in {directory} did not record what {', '.join(new)} held when it began, so that nobody can tell"
            " whether it has changed; it is recorded from here on.",
            RunWarning,
            stacklevel=2,
        )
        document["inputs"] = {**recorded, **inputs}
        write(directory / RUN, _json(document))


def refuse_changed_inputs(
    directory: Path, recorded: Mapping[str, str], inputs: Mapping[str, str], otherwise: str
) -> None:
    """Refuse digests of files that are not those which a run recorded; what it did not record nobody can tell."""
    for name, found in inputs.items():
        if recorded.get(name, found) != found:
            raise RequestError(
                f"What {name} holds has changed since the run in {directory} began;"
                f" put it back as it was, or {otherwise}."
            )


def _note_move(directory: Path, document: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Warn and record when a run goes on elsewhere than where it was last played."""
    path = directory / RESUMES
    resumes = path.read_bytes() if path.exists() else b""
    last = _last_place(resumes) or document
    before, now = flatten({name: last.get(name) for name in here}), flatten(here)
    changed = [name for name in now if before.get(name) != now[name]]
    if not changed:
        return
    changes = ", ".join(f"{name} was {before.get(name)} and is {now[name]}" for name in changed)
    warnings.warn(
        f"The run in {directory} goes on elsewhere: {changes}; its bits may differ from an undisturbed run's.",
        RunWarning,
        stacklevel=2,
    )
    record = {"from_round": count_rounds(directory), "environment": here}
    write(path, resumes + json.dumps(record).encode() + b"\n")


def _last_place(resumes: bytes) -> Mapping[str, Any] | None:
    """Where a run was last taken up; None where that was never recorded or cannot be read."""
    try:
        last: Any = json.loads(resumes.splitlines()[-1])["environment"]
    except (ValueError, IndexError, KeyError, TypeError, RecursionError):
        return None
    return cast(Mapping[str, Any], last) if isinstance(last, dict) else None


def _json(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, indent=2, allow_nan=False).encode() + b"\n"
