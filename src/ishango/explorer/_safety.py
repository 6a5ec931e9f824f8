"""Who may ask, and how much: hosts, origins, the token, sizes; and the headers that keep the page to itself."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from uvicorn.protocols.http.h11_impl import H11Protocol

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_BODY, LONGEST_URL = 16 * 1024, 8 * 1024
"""Bytes; a system of 198 words fits in either."""
PATIENCE = 20
"""Seconds for a request to arrive."""
COOKIE = "ishango-token"
_HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([0-9a-z._-]+))(?::[0-9]{1,5})?")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

# No 'unsafe-eval': charts are drawn by Vega's interpreter. Nothing is loaded from or sent to another host.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


class RefusedError(Exception):
    """A request that is turned away at the door."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Gate:
    """Wraps the application: every request passes here first, every answer on its way out."""

    def __init__(self, app: App, host: str = "127.0.0.1", token: str | None = None, patience: float = PATIENCE) -> None:
        self._app, self._host, self._token, self._patience = app, host, token, patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close"})  # refused with 403: nothing here speaks it
            return
        send = _with_headers(send)
        try:
            headers = _headers(scope)
            self._check(scope, headers)
            if self._token is not None and await self._admit(scope, headers, send):
                return
            receive = await _bounded(receive, headers, self._patience)
        except RefusedError as refusal:
            await _answer(send, refusal.status, str(refusal))
            return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope, headers: dict[str, str]) -> None:
        if len(scope["path"]) + len(scope["query_string"]) > LONGEST_URL:
            raise RefusedError(414, f"The address is longer than {LONGEST_URL} bytes.")
        host = headers.get("host", "")
        if not self._is_ours(_hostname(host)):
            raise RefusedError(421, "The Host header names another site; open the address that was printed.")
        if _is_foreign(headers, host):
            raise RefusedError(403, "Requests from pages of other sites are refused.")

    def _is_ours(self, name: str | None) -> bool:
        """Whether a Host header may name this server; a name that only a foreign DNS server vouches for may not."""
        if name is None:
            return False
        # Starlette's TrustedHostMiddleware lets in the same without a token, as a test shows. With one it cannot say
        # "any address"; it answers 400 in plain text where the page reads a sentence; older ones refuse all of IPv6.
        if name in LOOPBACK or name == self._host:
            return True
        # Everything that listens beyond this machine asks for a token, and an address needs no DNS.
        return self._token is not None and (_is_address(name) or name in (socket.gethostname(), socket.getfqdn()))

    async def _admit(self, scope: Scope, headers: dict[str, str], send: Send) -> bool:
        """Whether the request was answered here: with a cookie for who brings the token in the address."""
        assert self._token is not None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["path"] == "/" and scope["method"] == "GET" and _same(given, self._token):
            cookie = f"{COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Strict"
            await _answer(send, 303, "", {"location": "/", "set-cookie": cookie})
            return True
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if not (_same(bearer, self._token) or _same(_cookie(headers), self._token)):
            raise RefusedError(401, "A token is needed; open the address that was printed.")
        return False


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _is_foreign(headers: dict[str, str], host: str) -> bool:
    """Whether a page of another site asks; following a link from one, which shows the address, is no such request."""
    origin = headers.get("origin")
    try:
        if origin is not None and urlsplit(origin).netloc != host:
            return True
    except ValueError:
        return True
    followed = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest", "document") == "document"
    return headers.get("sec-fetch-site") in ("cross-site", "same-site") and not followed


def _hostname(host: str) -> str | None:
    """The name in a Host header, which is a name or an address and, perhaps, a port: no more may stand there."""
    found = _HOST.fullmatch(host.lower())
    return found and (found[1] or found[2])


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def _cookie(headers: dict[str, str]) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


async def _bounded(receive: Receive, headers: dict[str, str], patience: float) -> Receive:
    """The whole body, read here: what is too long is refused before anything is done with it."""
    too_long = RefusedError(413, f"The request is longer than {LONGEST_BODY} bytes.")
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:9]) > LONGEST_BODY:
        raise too_long
    body, more = b"", True
    try:
        async with asyncio.timeout(patience):
            while more:
                message = await receive()
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > LONGEST_BODY:
                    raise too_long
    except TimeoutError:
        raise RefusedError(408, f"The request did not come to its end within {patience:g} seconds.") from None
    first = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return first.pop() if first else await receive()

    return replay


def _with_headers(send: Send) -> Send:
    began = time.perf_counter()

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            duration = f"app;dur={1e3 * (time.perf_counter() - began):.2f}"
            extra = {**HEADERS, "server-timing": duration}
            names = {name for name, _ in message["headers"]}
            if b"cache-control" not in names:
                extra["cache-control"] = "no-store"
            message["headers"] = [*message["headers"], *((k.encode(), v.encode()) for k, v in extra.items())]
        await send(message)

    return answer


async def _answer(send: Send, status: int, sentence: str, headers: dict[str, str] | None = None) -> None:
    body = json.dumps({"error": sentence}).encode() if sentence else b""
    fields = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
    pairs = [(name.encode(), value.encode()) for name, value in fields.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})


# Connections that do not say what they want are closed: uvicorn waits for the end of a request without a limit.


class BoundedProtocol(H11Protocol):
    """HTTP in which the head of a request has to arrive in time; the gate sees to its body."""

    patience: float = PATIENCE
    _alarm: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn\'s is narrower
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_answering:
            self._rest()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
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
