"""Playing a run: start, resume, continue, whatever happened before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ishango.lab.book import Book
from ishango.lab.checkpoint import latest_checkpoint, read_checkpoint
from ishango.lab.config import digest, normalised
from ishango.lab.directory import DONE, is_done, open_run, prepare, read_run
from ishango.lab.lock import locked
from ishango.lab.protocol import Experiment, Reporter, Silent, StateT
from ishango.lab.rounds import count_rounds
from ishango.lab.safe_files import write


def run(
    experiment: Experiment[Any],
    directory: Path | str,
    reporter: Reporter | None = None,
    *,
    checkpoint_share: float = 0.02,
) -> None:
    """Play all rounds of an experiment into a directory; return when it is done.

    A directory that holds the run already is taken up where it was left, and a finished one is continued if more
    rounds are asked for; the files end up with the bytes of a run that was never interrupted.

    Args:
        experiment: what is played.
        directory: the run's own directory; made if it is not there.
        reporter: told what happens.
        checkpoint_share: the share of the time that checkpoints may take. Rounds much shorter than the writing of a
            checkpoint are checkpointed several at a time; long ones each.
    """
    directory, reporter = Path(directory), reporter or Silent()
    config = normalised(experiment.config)
    if is_done(directory, config):
        with _reporting(reporter, config, config["rounds"] + 1):
            return
    prepare(directory)
    with locked(directory):
        open_run(directory, config)
        _play(experiment, config, directory, reporter, checkpoint_share)


def read_state(experiment: Experiment[StateT], directory: Path | str) -> tuple[int, StateT] | None:
    """The round of a run's last checkpoint and the state after it, or nothing where there is none yet.

    Nothing is written and no lock is taken, so a run that is going on may be looked at.
    """
    directory = Path(directory)
    document = read_run(directory)
    if document is None:
        return None
    saved = read_checkpoint(directory, digest(normalised(document["config"])), count_rounds(directory))
    return None if saved is None else (saved.round, experiment.load(saved.state))


def _play(
    experiment: Experiment[Any], config: dict[str, Any], directory: Path, reporter: Reporter, share: float
) -> None:
    saved = latest_checkpoint(directory, digest(config), count_rounds(directory))
    done = 0 if saved is None else saved.round + 1
    with _reporting(reporter, config, done), closing(Book(directory, config, saved, share)) as book:
        state = None if saved is None else experiment.load(saved.state)
        for number in range(done, config["rounds"] + 1):
            progress = partial(reporter.steps, number)
            if number == 0:
                state, outcome = experiment.start(progress)
            else:
                state, outcome = experiment.play(state, number, progress)
            book.enter(number, outcome)
            book.checkpoint_if_due(number, partial(experiment.save, state))
            reporter.round(outcome.record)
        write(directory / DONE, b"")


@contextmanager
def _reporting(reporter: Reporter, config: dict[str, Any], done: int) -> Iterator[None]:
    reporter.begin(config, done)
    try:
        yield
    finally:
        reporter.end()
