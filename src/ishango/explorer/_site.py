"""What the server knows, and news of runs as server-sent events."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pydantic_core import to_json
from starlette.concurrency import run_in_threadpool

from ishango.explorer._found_runs import Listed, NoRunError, Progress, Runs
from ishango.explorer._launch import Launcher
from ishango.explorer._models import Row
from ishango.explorer._optima import Optima
from ishango.explorer._plane import Planes
from ishango.numerals import GRAMMARS, MODIFIED, GrammarName

EVERY = 0.5
"""Seconds between two looks, and between two reports of how far the first look has come."""
SIGN_OF_LIFE = 15.0
"""Seconds of silence after which a comment is sent, so that a listener that went away is noticed."""
MOST_LISTENERS = 256
KEPT = 100
"""Events that are kept for slow listeners; one that is further behind is sent everything again."""
Summary = Mapping[str, Any]


@dataclass
class Listeners:
    """Each keeps a connection open, so there is a limit."""

    most: int = MOST_LISTENERS
    count: int = 0


class Bench(NamedTuple):
    """All there is to show: runs by name, and the studies that they are of."""

    runs: dict[str, Summary]
    studies: dict[str, dict[str, Any]]
    limit: int | None = None
    """How many runs these are, where there are more that are not shown."""


class News:
    """Events `runs` with the runs that are new or have changed, new studies, and the names of runs that are gone.

    Whoever begins to listen is told everything in one such event, with `all` set; while runs are read for the first
    time, events `reading` say how far that has come.
    """

    def __init__(
        self,
        look: Callable[[], Bench],
        progress: Callable[[], Progress],
        listeners: Listeners,
        stopping: Callable[[], bool],
    ) -> None:
        self._look, self._progress, self._stopping = look, progress, stopping
        self._listeners = listeners
        self._watching: asyncio.Task[None] | None = None
        self._bench: Bench | None = None
        self._whole: tuple[int, bytes] | None = None
        self._making = asyncio.Lock()
        self._events: deque[bytes] = deque(maxlen=KEPT)
        self._number = 0
        """How many events there have been."""
        self._news = asyncio.Event()
        """Set, and replaced by another, when there is something to tell."""

    async def listen(self) -> AsyncIterator[bytes]:
        """What one listener is told, until the server stops."""
        if self._watching is None or self._watching.done():
            # What was known when the last listener left is told at once; what has changed since follows.
            self._watching = asyncio.create_task(self._watch())
        while self._bench is None and not self._stopping():
            yield event("reading", {"read": self._progress().read, "found": self._progress().found})
            await self._next(EVERY)
        async for each in self._told():
            yield each

    async def _told(self) -> AsyncIterator[bytes]:
        told, silence = -KEPT - 1, 0.0
        while not self._stopping():
            if self._number - told > len(self._events):
                told, whole = await self._everything()
                yield whole
            elif told < self._number:
                behind = self._number - told
                told = self._number
                yield b"".join(list(self._events)[-behind:])
            else:
                silence += EVERY
                if silence >= SIGN_OF_LIFE:
                    silence = 0.0
                    yield b": nothing new\n\n"
                await self._next(EVERY)

    async def _next(self, patience: float) -> None:
        """Wait for news, or a moment; if the look failed, so does whatever waits for it."""
        assert self._watching is not None
        news = asyncio.create_task(self._news.wait())
        try:
            await asyncio.wait([self._watching, news], timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()
        if self._watching.done() and not self._stopping():
            self._watching.result()
            raise RuntimeError("The runs are not being read any more.")

    async def _watch(self) -> None:
        """Look and note what has changed, as long as anybody listens."""
        while self._listeners.count and not self._stopping():
            now = await run_in_threadpool(self._look)
            first, change = self._bench is None, changes(self._bench, now) if self._bench else None
            self._bench = now
            if change is not None:
                self._events.append(await run_in_threadpool(event, "runs", change))
                self._number += 1
            if first or change is not None:
                self._news.set()
                self._news = asyncio.Event()
            await asyncio.sleep(EVERY)

    async def _everything(self) -> tuple[int, bytes]:
        """All runs and studies, and how many events they stand for; made once for all who come meanwhile."""
        async with self._making:
            number, bench = self._number, self._bench
            if bench is not None and (self._whole is None or self._whole[0] != number):
                whole = await run_in_threadpool(event, "runs", {**everything(bench), "all": True})
                self._whole = (number, whole)
            assert self._whole is not None
            return self._whole


def event(name: str, content: dict[str, Any]) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + to_json(content, inf_nan_mode="null") + b"\n\n"


def everything(bench: Bench) -> dict[str, Any]:
    """All runs and studies as news tell them."""
    return {
        "changed": [_row(each) for each in bench.runs.values()],
        "gone": [],
        "studies": list(bench.studies.values()),
        "limit": bench.limit,
    }


def changes(before: Bench, now: Bench) -> dict[str, Any] | None:
    """What has changed, or None if nothing has.

    >>> one, two = {"name": "a", "round": 1}, {"name": "a", "round": 2}
    >>> changes(Bench({"a": one}, {}), Bench({"a": one}, {})) is None
    True
    >>> changes(Bench({"a": one, "b": {"name": "b"}}, {}), Bench({"a": two}, {}))
    {'changed': [{'name': 'a', 'round': 2}], 'gone': ['b'], 'studies': [], 'limit': None}
    """
    changed = [
        each for name, each in now.runs.items() if (known := before.runs.get(name)) is not each and known != each
    ]
    gone = [name for name in before.runs if name not in now.runs]
    studies = [each for name, each in now.studies.items() if name not in before.studies]
    if not changed and not gone and before.limit == now.limit:
        return None
    return {"changed": [_row(each) for each in changed], "gone": gone, "studies": studies, "limit": now.limit}


def _row(run: Summary) -> dict[str, Any]:
    return {field: run[field] for field in Row.model_fields if field in run}


# What the pages are about, and what they share.


@dataclass
class Site:
    """One directory of runs, as one server shows it."""

    directory: Path
    """Runs are read, and new ones are written, below this directory."""
    host: str = "127.0.0.1"
    token: str | None = None
    """The secret that requests must bring; None where only this machine can ask."""
    most_runs: int = 2
    """Runs that may be started from the page and go on at once."""
    grammar: GrammarName = MODIFIED.name
    """The grammar with which the page begins."""
    optima: Optima = field(default_factory=Optima)
    listeners: Listeners = field(default_factory=Listeners)
    stopping: Callable[[], bool] = lambda: False
    """Whether the server is about to stop, so that open connections must end."""

    def __post_init__(self) -> None:
        self.runs = Runs(self.directory)
        self.planes = Planes(self.optima, self.runs)
        self.launcher = Launcher(self.runs, self.most_runs)
        self.news = News(self.bench, lambda: self.runs.progress, self.listeners, lambda: self.stopping())

    def grammars(self) -> list[GrammarName]:
        """What the page offers: where it begins, all with a name, and rules written out that runs were played by."""
        played = sorted({each.summary["grammar"] for each in self.runs.at_hand()})
        return list(dict.fromkeys((self.grammar, *GRAMMARS, *(name for name in played if name in GRAMMARS))))

    def listing(self, name: str) -> Listed:
        try:
            own = [self.runs.listing(name)]
        except NoRunError:
            own = []
        found = (each for each in self.launcher.with_starting(own) if each.summary["name"] == name)
        listed = next(found, None)
        if listed is None:
            raise NoRunError(f"There is no run {name!r}.")
        return listed

    def config(self, name: str) -> dict[str, Any]:
        """The config of a run, also of one that was started a moment ago."""
        try:
            return self.runs.view(name).config
        except NoRunError:
            return self.launcher.config(name)

    def listed(self) -> list[Listed]:
        """Runs that have just been started, then those that have something to show, last changed first."""
        return self.launcher.with_starting(self.runs.listed())

    def all_runs(self) -> list[dict[str, Any]]:
        return [each.summary for each in self.listed()]

    def bench(self) -> Bench:
        listed = self.listed()
        studies = {each.study["id"]: each.study for each in listed if each.study}
        return Bench({each.summary["name"]: each.summary for each in listed}, studies, self.runs.limit)
