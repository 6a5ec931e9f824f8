"""Connections that do not say what they want are closed: uvicorn waits for the end of a request without a limit."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from ishango.explorer.safety import PATIENCE


class BoundedProtocol(H11Protocol):
    """HTTP in which the head of a request has to arrive in time; `safety` sees to its body."""

    patience: float = PATIENCE
    _alarm: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest, unless the head is there."""
        super().data_received(data)
        if self._is_answering:
            self._rest()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._rest()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._alarm is None:
            self._alarm = self.loop.call_later(self.patience, self._give_up)

    def _rest(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _give_up(self) -> None:
        self._alarm = None
        if not self._is_answering:
            self.transport.close()

    @property
    def _is_answering(self) -> bool:
        cycle: Any = self.cycle  # None before the first request
        return cycle is not None and not cycle.response_complete
