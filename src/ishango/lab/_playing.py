"""Playing a run: start, resume, continue, whatever happened before; and being told to stop."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ishango._locks import locked, remove_dead
from ishango.errors import RunError, plain_interrupts
from ishango.lab._directory import CURVE, DONE, agreed, digest, is_done, open_run, prepare
from ishango.lab._experiments import Experiment, ExperimentKind, Outcome, Reporter, Silent, StateT
from ishango.lab._plan import normalised
from ishango.lab._rounds import Checkpoint, Curve, RoundsFile, latest_checkpoint, npz, write_checkpoint
from ishango.safe_files import as_path, write


@contextmanager
def interruptible() -> Generator[None]:
    """Treat the polite kill (SIGTERM, what cluster schedulers send first) like Ctrl-C; main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def postponed_interrupts() -> Generator[None]:
    """Let a Ctrl-C or SIGTERM wait until this is over, whichever thread it is delivered to; main thread only."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda number, _frame: caught.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in caught[:1]:
            signal.raise_signal(number)


def _interrupt(_number: int, _frame: Any) -> None:
    raise KeyboardInterrupt


LONGEST_PAUSE = 60.0
"""Seconds of finished rounds that a kill may cost, at most."""


class Book:
    """The records of a run from the checkpoint `saved` on (or from the start), and its next checkpoints.

    Checkpoints of round 0 and of the last two rounds are always written, so that what a finished run leaves does
    not depend on the clock; those in between are spaced so that they take no more than a `share` of the time.
    """

    def __init__(self, directory: Path, rounds: int, digest: str, saved: Checkpoint | None, share: float) -> None:
        self._directory, self._digest, self._share = directory, digest, share
        self._always = (0, rounds - 1, rounds)
        self._rounds = RoundsFile(directory, keep=0 if saved is None else saved.round + 1)
        self._curve = Curve(saved.curve if saved else None)
        self._pause, self._written_at = 0.0, time.monotonic()

    def enter(self, number: int, outcome: Outcome) -> None:
        if outcome.record.get("round") != number:
            raise ValueError(f"The record of round {number} says it is of round {outcome.record.get('round')}.")
        self._curve.add(number, outcome.curve)
        self._rounds.append(outcome.record)

    def checkpoint_if_due(self, number: int, save: Callable[[], Mapping[str, np.ndarray]], now: bool = False) -> None:
        """Write a checkpoint after round `number`, unless the last one was written a moment ago; or `now`, surely."""
        started = time.monotonic()
        if not now and number not in self._always and started - self._written_at < self._pause:
            return
        self._checkpoint(number, save())
        self._written_at = time.monotonic()
        self._pause = min((self._written_at - started) * (1 / self._share - 1), LONGEST_PAUSE)

    def _checkpoint(self, number: int, state: Mapping[str, np.ndarray]) -> None:
        """Records first, the checkpoint that stands on them last."""
        self._rounds.sync()
        self._rounds.check()
        curve = self._curve.arrays()
        if curve:
            write(self._directory / CURVE, npz(curve))
        write_checkpoint(self._directory, Checkpoint(number, self._digest, state, curve))

    def check(self) -> None:
        self._rounds.check()

    def close(self) -> None:
        self._rounds.close()


Stop = Callable[[], bool]
"""Asked after every round but the last whether to stop there."""


class StoppedError(RunError):
    """The run was asked to stop; it goes on from its last round when it is played again."""


def run(
    experiment: Experiment[Any],
    directory: Path | str,
    reporter: Reporter | None = None,
    *,
    checkpoint_share: float = 0.02,
    stop: Stop | None = None,
) -> None:
    """Play all rounds of an experiment into a directory; return when it is done.

    A directory that holds the run already is taken up where it was left, and a finished one is continued if more
    rounds are asked for; the files end up with the bytes of a run that was never interrupted.

    Args:
        experiment: what is played. Its attribute `kind`, if it has one, tells the defaults of its config, which is
            then compared with a run's that was made when it had other fields; its attribute `inputs`, if it has one,
            are digests of files that it depends on, by name, which must not change while the run lasts; its attribute
            `packages`, if it has one, are names of packages whose versions are recorded beside the usual.
        directory: the run's own directory; made if it is not there.
        reporter: told what happens.
        checkpoint_share: the share of the time that checkpoints may take. Rounds much shorter than the writing of a
            checkpoint are checkpointed several at a time; long ones each.
        stop: if it says so after a round, the state is saved and `StoppedError` raised.
    """
    directory, reporter = as_path(directory), reporter or Silent()
    kind: ExperimentKind | None = getattr(experiment, "kind", None)
    config = normalised(experiment.config)
    inputs: Mapping[str, str] = getattr(experiment, "inputs", {})
    packages: Sequence[str] = getattr(experiment, "packages", ())
    if is_done(directory, config, kind):
        remove_dead(directory)
        with _reporting(reporter, config, config["rounds"] + 1):
            return
    prepare(directory)
    with locked(directory):
        document = open_run(directory, config, kind, inputs, packages)
        settled = agreed(document, config, kind, str(directory))
        if kind is not None and settled != config:  # defaults that the run has from an earlier format
            experiment = kind.from_config(settled, document["format"])
        _play(experiment, settled, digest(document, kind), directory, reporter, checkpoint_share, stop)


def _play(
    experiment: Experiment[Any],
    config: dict[str, Any],
    digest: str,
    directory: Path,
    reporter: Reporter,
    share: float,
    stop: Stop | None,
) -> None:
    saved, rounds = latest_checkpoint(directory, digest), config["rounds"]
    done = 0 if saved is None else saved.round + 1
    with _reporting(reporter, config, done), closing(Book(directory, rounds, digest, saved, share)) as book:
        state = None if saved is None else saved.load(experiment)
        for number in range(done, rounds + 1):
            progress = partial(reporter.steps, number)
            with plain_interrupts():
                if number == 0:
                    state, outcome = experiment.start(progress)
                else:
                    state, outcome = experiment.play(state, number, progress)
            stops = stop is not None and number < rounds and stop()
            with postponed_interrupts():  # half an archive in memory complains when it is thrown away
                book.enter(number, outcome)
                book.checkpoint_if_due(number, partial(experiment.save, state), now=stops)
            reporter.round(outcome.record)
            if stops:
                raise StoppedError(f"The run in {directory} was stopped after round {number} of {rounds}.")
        book.check()
        write(directory / DONE, b"")


@contextmanager
def _reporting(reporter: Reporter, config: dict[str, Any], done: int) -> Generator[None]:
    reporter.begin(config, done)
    try:
        yield
    finally:
        reporter.end()


def play_in_memory(
    experiment: Experiment[StateT], reporter: Reporter | None = None
) -> tuple[list[dict[str, Any]], StateT]:
    """Play all rounds without a directory, for notebooks and tests: their records, and the last state.

    The random numbers are those of a run in a directory.
    """
    reporter, config = reporter or Silent(), normalised(experiment.config)
    with _reporting(reporter, config, 0):
        state, outcome = experiment.start(partial(reporter.steps, 0))
        records = [outcome.record]
        reporter.round(outcome.record)
        for number in range(1, config["rounds"] + 1):
            state, outcome = experiment.play(state, number, partial(reporter.steps, number))
            records.append(outcome.record)
            reporter.round(outcome.record)
    return records, state
