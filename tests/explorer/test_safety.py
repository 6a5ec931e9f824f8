from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.middleware.trustedhost import TrustedHostMiddleware
from tests.explorer.conftest import client_of

from ishango.explorer import Site
from ishango.explorer._optima import Optima
from ishango.explorer._safety import COOKIE, LONGEST_BODY, BoundedProtocol, Gate

TOKEN = "open-sesame"


@pytest.fixture
def guarded(tmp_path: Path, optima: Optima) -> Iterator[httpx.Client]:
    """A site that listens beyond this machine and so asks for a token."""
    with client_of(Site(tmp_path, host="0.0.0.0", token=TOKEN, optima=optima)) as client:
        yield client


def refusal(response: httpx.Response) -> str:
    """The one sentence of a refusal, in which nothing of the machine shows."""
    document = response.json()
    assert list(document) == ["error"]
    sentence = document["error"]
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert "Traceback" not in sentence
    return sentence


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "10.0.0.7", "[::", "", "a b"]
)
def test_a_foreign_host_is_refused(client: httpx.Client, host: str) -> None:
    for path in ("/", "/api/runs", "/static/v/script.js", "/openapi.json"):
        response = client.get(path, headers={"Host": host})
        assert response.status_code in (400, 421)  # the server itself refuses what is not a Host header at all
        if response.status_code == 421:
            assert "Host" in refusal(response)


@pytest.mark.parametrize("host", ["localhost", "localhost:9999", "127.0.0.1:1"])
def test_this_machine_may_have_any_port_in_front(client: httpx.Client, host: str) -> None:
    assert client.get("/api/runs", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:1", "http://localhost:1", "http://["]
)
def test_a_foreign_origin_is_refused(client: httpx.Client, origin: str) -> None:
    for method in ("GET", "POST"):
        response = client.request(method, "/api/runs", headers={"Origin": origin}, json={})
        assert response.status_code == 403
        assert "other sites" in refusal(response)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_page_loads_is_refused_but_a_link_may_be_followed(client: httpx.Client, site: str) -> None:
    headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}
    for path in ("/api/runs", "/static/v/script.js", "/static/v/vega.js"):
        assert client.get(path, headers=headers).status_code == 403
    framed = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    assert client.get("/", headers=framed).status_code == 403
    followed = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client.get("/", headers=followed).status_code == 200
    assert client.get("/api/runs", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_a_websocket_is_refused(client: httpx.Client) -> None:
    key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13"}
    answer = client.get("/api/events", headers={"Connection": "Upgrade", "Upgrade": "websocket", **key})
    assert answer.status_code in (403, 426)


HOSTS = (
    *("localhost", "LOCALHOST", "localhost:9999", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8000"),
    *("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.7", "0.0.0.0"),
    *("[::", "", "a b", "::1", "[::1]evil", "[::2]", "localhost.", "localhost:", "localhost:abc", "127.0.0.1:1:2"),
    *(
        "user@localhost",
        "localhost@evil.example",
        "localhost/x",
        "evil.example\\@localhost",
        "localhost#x",
        "localhost?",
    ),
)


@pytest.mark.parametrize("host", HOSTS)
def test_without_a_token_those_hosts_are_ours_that_starlette_would_let_in(host: str) -> None:
    """What the gate adds to Starlette's own check is any address where there is a token, and a sentence."""
    starlette = TrustedHostMiddleware(welcome, ["localhost", "127.0.0.1", "[::1]", "::1"], www_redirect=False)
    assert (asked(Gate(welcome), host) == 200) == (asked(starlette, host) == 200) == (HOSTS.index(host) < 7)


async def welcome(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def asked(app: Any, host: str) -> int:
    """The status that a request with this Host header gets."""
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "path": "/", "query_string": b"", "method": "GET", "headers": [(b"host", host.encode())]}
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"]


class Impatient(BoundedProtocol):
    patience = 0.3


def test_a_connection_that_does_not_say_what_it_wants_is_closed(tmp_path: Path, optima: Optima) -> None:
    with client_of(Site(tmp_path, optima=optima), Impatient) as client:
        where = (client.base_url.host, client.base_url.port)
        for said in (b"", b"GET /api/ru", b"GET /static/v/style.css HTTP/1.1\r\nHost: localhost\r\n\r\nGET /half"):
            with socket.create_connection(where, timeout=10) as connection:
                connection.sendall(said)
                while connection.recv(65536):  # b"" when the server has closed it, an error when it never does
                    pass
        assert client.get("/api/runs").json() == []


def test_a_body_that_never_ends_is_refused() -> None:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        if not sent:
            await asyncio.sleep(10)
        return {"type": "http.request", "body": b"", "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    async def nobody(*_scope: Any) -> None:
        raise AssertionError("it got through")

    headers = [(b"host", b"localhost"), (b"content-length", b"5")]
    scope = {"type": "http", "path": "/", "query_string": b"", "method": "POST", "headers": headers}
    asyncio.run(Gate(nobody, patience=0.05)(scope, receive, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == 408


def test_the_pages_own_origin_is_welcome(client: httpx.Client) -> None:
    own = str(client.base_url).rstrip("/")
    assert client.get("/api/runs", headers={"Origin": own}).status_code == 200


def test_every_answer_keeps_the_page_to_itself(client: httpx.Client) -> None:
    for path in ("/", "/api/runs", "/static/v/style.css", "/nowhere", "/static/v/vega.js"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "name",
    ["..", "../played", "/etc", "start-1/..", "start-1/../start-1", "./start-1", "start-1/", "start-1\x00", "%2e%2e"],
)
def test_a_name_is_looked_up_and_never_joined(client: httpx.Client, name: str) -> None:
    for path in ("/api/run", "/api/dictionary", "/api/exchange"):
        response = client.get(path, params={"name": name, "number": 1})
        assert response.status_code == 404
        refusal(response)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/static//etc/passwd",
        "/static/v/..%5c..%5capp.py",
    ],
)
def test_files_outside_the_page_are_not_served(client: httpx.Client, path: str) -> None:
    address = client.base_url
    with socket.create_connection((address.host, address.port or 80), timeout=10) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.host}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.split(b" ", 2)[1] == b"404"
    assert b"import" not in answer


def test_what_is_too_long_is_refused(client: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        yield from (b" " * 1000 for _ in range(20))

    for content in (b" " * (LONGEST_BODY + 1), pieces()):
        response = client.post("/api/runs/start", content=content, headers={"Content-Type": "application/json"})
        assert response.status_code == 413
        refusal(response)
    assert client.get("/api/run", params={"name": "x" * 9000}).status_code == 414
    assert client.get("/api/run", params={"name": "x" * 500}).status_code == 422
    assert client.get("/api/system", params={"digits": [1] * 100}).status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"digits": 1}',
        b'{"digits": ["a"]}',
        b'{"digits": [0], "multipliers": [10]}',
        b'{"digits": [1], "multipliers": [10], "rounds": 1e9}',
        b'{"digits": [1], "multipliers": [10], "steps": 1e999}',
    ],
)
def test_malformed_bodies_get_one_sentence(client: httpx.Client, body: bytes) -> None:
    response = client.post("/api/runs/start", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 422
    refusal(response)


def test_a_form_cannot_start_a_run(client: httpx.Client) -> None:
    """What a foreign page could send without asking first is not understood."""
    response = client.post("/api/runs/start", data={"digits": "1"})
    assert response.status_code == 422


def test_needs_from_files_are_not_for_the_page(client: httpx.Client) -> None:
    response = client.get("/api/system", params={"digits": 1, "multipliers": 10, "need": "file:/etc/passwd"})
    assert response.status_code == 422


def test_unknown_addresses_and_methods_get_json_too(client: httpx.Client) -> None:
    assert refusal(client.get("/api/nothing"))
    assert client.delete("/api/runs").status_code == 405
    assert refusal(client.delete("/api/runs"))


def test_without_the_token_nothing_is_told(guarded: httpx.Client) -> None:
    for path in (
        "/",
        "/api/runs",
        "/static/v/script.js",
        "/openapi.json",
        "/?token=wrong",
        "/?token=",
        "/api/runs?token=" + TOKEN,
    ):
        response = guarded.get(path)
        assert response.status_code == 401
        refusal(response)
    for headers in (
        {"Cookie": f"{COOKIE}=wrong"},
        {"Authorization": "Bearer wrong"},
        {"Cookie": f"{COOKIE}="},
        {"Cookie": ";;=;"},
    ):
        assert guarded.get("/api/runs", headers=headers).status_code == 401


def test_the_token_in_the_address_becomes_a_cookie(guarded: httpx.Client) -> None:
    response = guarded.get(f"/?token={TOKEN}")
    assert response.status_code == 303
    assert response.headers["location"] == "/"
    cookie = response.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert guarded.get("/api/runs").status_code == 200  # the client has kept it
    assert (
        httpx.get(guarded.base_url.join("/api/runs"), headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    )


def test_addresses_are_hosts_where_there_is_a_token_and_names_are_not(guarded: httpx.Client) -> None:
    allowed = {"Authorization": f"Bearer {TOKEN}"}
    assert guarded.get("/api/runs", headers={**allowed, "Host": "192.168.1.5:8000"}).status_code == 200
    assert guarded.get("/api/runs", headers={**allowed, "Host": socket.gethostname()}).status_code == 200
    assert guarded.get("/api/runs", headers={**allowed, "Host": "evil.example"}).status_code == 421


def test_a_request_that_never_ends_does_not_keep_the_server(played, optima):
    """Stopping waits for answers that are on their way, but not for ever: leaving the site would hang."""
    with client_of(Site(played, most_runs=0, optima=optima)) as client:
        host, port = client.base_url.host, client.base_url.port
        unfinished = socket.create_connection((host, port))
        unfinished.sendall(
            f"POST /api/runs/start HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 99\r\n\r\n{{".encode()
        )
        assert client.get("/api/runs").status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://{host}:{port}/api/runs")
    unfinished.close()
