"""Playing a run: start, resume, continue, whatever happened before."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from ishango.errors import RunError, plain_interrupts
from ishango.lab.book import Book
from ishango.lab.checkpoint import latest_checkpoint
from ishango.lab.config import normalised
from ishango.lab.directory import DONE, is_done, open_run, prepare
from ishango.lab.experiments import ExperimentKind
from ishango.lab.formats import agreed, digest, format_of
from ishango.lab.lock import locked, remove_dead
from ishango.lab.protocol import Experiment, Reporter, Silent
from ishango.lab.rounds import count_rounds
from ishango.lab.signals import postponed_interrupts
from ishango.safe_files import write

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
    directory, reporter = Path(directory), reporter or Silent()
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
            experiment = kind.from_config(settled, format_of(document))
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
    saved, rounds = latest_checkpoint(directory, digest, count_rounds(directory)), config["rounds"]
    done = 0 if saved is None else saved.round + 1
    with _reporting(reporter, config, done), closing(Book(directory, rounds, digest, saved, share)) as book:
        state = None if saved is None else experiment.load(saved.state)
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
