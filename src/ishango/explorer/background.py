"""Answers that take long: a thread of its own finds them one by one, and nobody who asks has to wait."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Hashable, Sequence
from itertools import count
from queue import PriorityQueue
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")

NOW, SOON, LATER = 0, 1, 2
"""What is looked for first: what someone waits for, what someone looks at, what someone may ask."""


class Background(Generic[Key, Answer]):
    """Finds answers by a function that may take seconds; asking returns at once, with the answer or with None."""

    def __init__(self, name: str, find: Callable[[Key], Answer], most: int | None = None) -> None:
        """`most`: so many answers are kept; beyond that the oldest are forgotten."""
        self._name, self._find, self._most = name, find, most
        self._found: dict[Key, Answer] = {}
        self._failed: dict[Key, Exception] = {}
        self._asked: set[tuple[int, Key]] = set()
        self._queue: PriorityQueue[tuple[int, int, Key]] = PriorityQueue()
        self._numbers = count()  # no two questions have one, since keys cannot be put in order
        self._news = threading.Condition()
        self._works = False

    def get(self, key: Key, when: int = LATER) -> Answer | None:
        """The answer, if it is known already; if not, it is looked for, the sooner the sooner it is wanted."""
        answer = self._found.get(key)
        if answer is None and not self.are_settled([key]):
            with self._news:
                if (when, key) not in self._asked:
                    self._asked.add((when, key))
                    self._queue.put((when, next(self._numbers), key))
                    self._begin()
        return answer

    def are_settled(self, keys: Sequence[Key]) -> bool:
        """Whether there is nothing more to come for these."""
        return self.settled(keys) == len(keys)

    def settled(self, keys: Sequence[Key]) -> int:
        """For how many of these there is nothing more to come."""
        return sum(key in self._found or key in self._failed for key in keys)

    def wait(self, keys: Sequence[Key]) -> list[Answer]:
        """All answers, however long it takes: for a page that is written once."""
        for key in keys:
            self.get(key, NOW)
        with self._news:
            self._news.wait_for(lambda: self.are_settled(keys))
        for key in keys:
            if key in self._failed:
                raise self._failed[key]
        return [self._found[key] for key in keys]

    def _begin(self) -> None:
        """The thread begins with the first question: many never come to one."""
        if not self._works:
            self._works = True
            threading.Thread(target=self._work, name=self._name, daemon=True).start()

    def _work(self) -> None:
        while True:
            _, _, key = self._queue.get()
            if not self.are_settled([key]):
                self._settle(key)
                with self._news:
                    self._news.notify_all()

    def _settle(self, key: Key) -> None:
        """Find one; one that fails (a grammar of another package, say) must not end the search for all others."""
        try:
            self._found[key] = self._find(key)
            if self._most is not None and len(self._found) > self._most:
                self._forget(next(iter(self._found)))
        except Exception as error:
            self._failed[key] = error
            print(f"The {self._name} of {key}: {type(error).__name__}: {error}", file=sys.stderr)

    def _forget(self, key: Key) -> None:
        with self._news:
            del self._found[key]
            self._asked -= {(when, key) for when in (NOW, SOON, LATER)}
