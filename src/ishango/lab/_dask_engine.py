"""Sweeps on Dask: any cluster that has a scheduler's address, or worker processes of this machine.

The workers must see the sweep's directory: a run's files never travel through the scheduler.
"""

from __future__ import annotations

import os
import queue
import time
import uuid
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ishango import _locks as lock
from ishango.errors import FieldError, RequestError, RunError
from ishango.lab import _executors as worker
from ishango.lab._executors import ONE_THREAD, Event, Limit, Result, Task, available_cores

RETRIES = 2
"""Times that a run which failed is tried again; one whose worker was killed is, too, as often as the scheduler says."""
CONNECT = 30.0
"""Seconds to wait for a scheduler, and then for its first worker."""
TOPIC = "ishango"


@dataclass
class DaskExecutor:
    """Plays on the workers of a Dask cluster."""

    scheduler: str | None = None
    """Its address, such as tcp://host:8786; worker processes of this machine if there is none."""
    workers: int | None = None
    """Worker processes of this machine, where no scheduler is named; one a core if not given."""

    def __post_init__(self) -> None:
        _distributed()  # what lacks Dask is refused before anything is looked at
        if self.scheduler is not None and self.workers is not None:
            raise FieldError("workers", "workers are for Dask on this machine; a cluster with a scheduler has its own.")

    def map(self, tasks: Iterable[Task], hear: Callable[[Event], None] = lambda _event: None) -> Iterator[Result]:
        """Play all tasks; leaving early drops those that nobody has begun."""
        by_key = {f"{task.directory.name}-{uuid.uuid4().hex}": task for task in tasks}
        if not by_key:
            return
        news: queue.Queue[tuple[str, str, Any]] = queue.Queue()
        with self._client() as client:
            directory = next(iter(by_key.values())).directory.parent
            _check_shared(client, directory)
            topic = f"{TOPIC}-{uuid.uuid4().hex}"

            def hear_worker(event: tuple[float, tuple[str, str, Any]]) -> None:
                news.put(event[1])

            client.subscribe_topic(topic, hear_worker)
            futures = {key: self._submit(client, key, task, topic, news) for key, task in by_key.items()}
            while futures:
                kind, key, content = news.get()
                if kind == "rounds":
                    hear(Event(by_key[key], rounds_done=content))
                elif kind == "warning":
                    hear(Event(by_key[key], warning=content))
                else:
                    yield _result(by_key[key], futures.pop(key))

    def _submit(self, client: Any, key: str, task: Task, topic: str, news: queue.Queue[Any]) -> Any:
        arguments = (task.experiment, dict(task.config), str(task.directory.resolve()), key, topic)
        future = client.submit(play_task, *arguments, key=key, pure=False, retries=RETRIES)

        def end(_future: Any) -> None:
            news.put(("over", key, None))

        future.add_done_callback(end)
        return future

    @contextmanager
    def _client(self) -> Generator[Any]:
        distributed = _distributed()
        if self.scheduler is None:
            count = available_cores() if self.workers is None else self.workers
            options = {"n_workers": count, "threads_per_worker": 1, "dashboard_address": None}
            with distributed.LocalCluster(**options, env=ONE_THREAD) as cluster, distributed.Client(cluster) as client:
                yield client
            return
        try:
            client = distributed.Client(self.scheduler, timeout=CONNECT)
        except (OSError, ValueError) as error:
            raise RequestError(f"There is no Dask scheduler at {self.scheduler} ({_first_line(error)}).") from None
        with client:
            yield client


class FailedError(Exception):
    """A run that failed, for the scheduler to try again; carries its message and the file of its traceback."""


def play_task(experiment: str, config: dict[str, Any], directory: str, key: str, topic: str) -> tuple[str, Any]:
    """Inside a worker: play one run, and tell how far it is."""
    here = _distributed().get_worker()

    def tell(kind: str, content: Any) -> None:
        here.log_event(topic, (kind, key, content))

    with _heard(lambda message: tell("warning", message)):
        status, content = worker.play(experiment, config, Path(directory), tell, Limit())
        # A worker that was killed on another host leaves a lease that counts until it runs out.
        until = time.monotonic() + lock.PATIENCE + lock.BEAT
        while status == "busy" and time.monotonic() < until:
            time.sleep(1.0)
            status, content = worker.play(experiment, config, Path(directory), tell, Limit())
    if status == "failed":
        raise FailedError(*content)
    return status, content


def _result(task: Task, future: Any) -> Result:
    distributed = _distributed()
    error: Exception | None = future.exception() if future.status == "error" else None
    if isinstance(error, FailedError):
        message, file = error.args
        return Result(task, "failed", message, Path(file) if file else None)
    if error is not None and isinstance(error, distributed.KilledWorker):
        return Result(task, "died", f"its worker was killed, and so were others that tried ({_first_line(error)})")
    if error is not None:
        return Result(task, "failed", f"{type(error).__name__}: {_first_line(error)}")
    if future.status != "finished":
        return Result(task, "died", f"the scheduler has lost it ({future.status})")
    status, (message, file) = future.result()
    return Result(task, status, message, Path(file) if file else None)


def _check_shared(client: Any, directory: Path) -> None:
    """Refuse workers that do not see the sweep's directory."""
    directory.mkdir(parents=True, exist_ok=True)
    try:
        client.wait_for_workers(1, timeout=CONNECT)
    except TimeoutError:
        raise RunError("The Dask scheduler has no workers; start some, then give the same command again.") from None
    token = directory / f".{uuid.uuid4().hex}"
    token.touch()
    try:
        seen: dict[str, bool] = client.run(os.path.exists, str(token.resolve()))
    finally:
        token.unlink()
    if blind := [address for address, sees in seen.items() if not sees]:
        raise RequestError(
            f"{len(blind)} of {len(seen)} Dask workers, such as {blind[0]}, do not see {directory};"
            " choose a directory on a file system that they all share."
        )


_listener: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)
_show = warnings.showwarning


def _show_or_tell(message: Warning | str, *where: Any, **how: Any) -> None:
    listener = _listener.get()
    if listener is None:
        _show(message, *where, **how)
    else:
        listener(str(message))


@contextmanager
def _heard(listener: Callable[[str], None]) -> Generator[None]:
    """Pass on the warnings of this thread; a worker may have several, and the way warnings are shown is theirs all."""
    warnings.showwarning = _show_or_tell
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise RequestError("To play on Dask, install it: pip install 'ishango[dask]'.") from None
    return distributed


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".")
