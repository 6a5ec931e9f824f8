"""News of runs as server-sent events: the run files are looked at again and again, and what has changed is sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool

EVERY = 0.5
"""Seconds between two looks."""
SIGN_OF_LIFE = 15.0
"""Seconds of silence after which a comment is sent, so that a listener that went away is noticed."""
MOST_LISTENERS = 64

Summary = dict[str, Any]


class Listeners:
    """Counts who listens: each keeps a connection open, so there is a limit."""

    def __init__(self, most: int = MOST_LISTENERS) -> None:
        self.count, self._most = 0, most

    @property
    def full(self) -> bool:
        """Whether nobody else may listen."""
        return self.count >= self._most


async def news(
    look: Callable[[], list[Summary]], listeners: Listeners, stopping: Callable[[], bool]
) -> AsyncIterator[str]:
    """Events `runs` with the runs that are new or have changed and the names of those that are gone.

    The first event holds all runs.
    """
    listeners.count += 1
    known: dict[str, Summary] | None = None
    silence = 0.0
    try:
        while not stopping():
            now = {each["name"]: each for each in await run_in_threadpool(look)}
            event = changes(known, now)
            if event is not None:
                yield f"event: runs\ndata: {json.dumps(event, allow_nan=False)}\n\n"
                known, silence = now, 0.0
            elif silence >= SIGN_OF_LIFE:
                yield ": nothing new\n\n"
                silence = 0.0
            await asyncio.sleep(EVERY)
            silence += EVERY
    finally:
        listeners.count -= 1


def changes(before: dict[str, Summary] | None, now: dict[str, Summary]) -> dict[str, Any] | None:
    """What has changed, or None if nothing has.

    >>> changes({"a": {"round": 1}}, {"a": {"round": 1}}) is None
    True
    >>> changes({"a": {"round": 1}, "b": {}}, {"a": {"round": 2}})
    {'changed': [{'round': 2}], 'gone': ['b']}
    """
    if before is None:
        return {"changed": list(now.values()), "gone": []}
    changed = [each for name, each in now.items() if before.get(name) != each]
    gone = [name for name in before if name not in now]
    return {"changed": changed, "gone": gone} if changed or gone else None
