"""How fast the builder answers: one visitor, then fifty who each ask twice a second for half a minute."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import numpy as np

from benchmarks.explorer_server import explorer

CLIENTS, RATE, SECONDS = 50, 2.0, 30.0


class Request(NamedTuple):
    """Milliseconds at the client and in the server, and the status."""

    client: float
    server: float
    status: int


def main() -> None:
    with tempfile.TemporaryDirectory() as directory, explorer(Path(directory)) as address:
        alone = asyncio.run(visit(address, clients=1, seconds=10.0))
        report("1 client", alone)
        report(f"{CLIENTS} clients", asyncio.run(visit(address, CLIENTS, SECONDS)))


async def visit(address: str, clients: int, seconds: float) -> list[Request]:
    """Let so many visitors click for so long."""
    visitors = [_click(address, random.Random(seed), seconds) for seed in range(clients)]
    return [request for requests in await asyncio.gather(*visitors) for request in requests]


async def _click(address: str, rng: random.Random, seconds: float) -> list[Request]:
    """One visitor: a random system whose tiles are clicked one after the other, so that hardly two are the same."""
    site = urlsplit(address)
    reader, writer = await asyncio.open_connection(site.hostname, site.port)
    digits, multipliers = set(range(1, rng.randint(3, 12))), {rng.randint(5, 20)}
    await asyncio.sleep(rng.random() / RATE)
    end, found = time.perf_counter() + seconds, []
    while (began := time.perf_counter()) < end:
        chosen = multipliers if rng.random() < 0.2 else digits
        chosen ^= {rng.randint(1, 99)}
        grammar = rng.choice(["modified", "hurford"])
        query = {"digits": sorted(digits), "multipliers": sorted(multipliers), "grammar": grammar}
        found.append(await _ask(reader, writer, f"/api/system?{urlencode(query, doseq=True)}", site.netloc))
        await asyncio.sleep(max(0.0, began + 1 / RATE - time.perf_counter()))
    writer.close()
    return found


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str, host: str) -> Request:
    """One request. A client library would take as long as the server, on the same machine."""
    began = time.perf_counter()
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    fields = dict(line.split(": ", 1) for line in head.splitlines()[1:] if ": " in line)
    await reader.readexactly(int(fields["content-length"]))
    server = float(fields["server-timing"].removeprefix("app;dur="))
    return Request(1e3 * (time.perf_counter() - began), server, int(head.split(" ", 2)[1]))


def report(who: str, found: list[Request]) -> None:
    client, server, status = (np.array(column) for column in zip(*found, strict=True))
    errors = int((status != 200).sum())
    spread = "  ".join(
        f"{name} {np.percentile(values, 50):5.1f} / {np.percentile(values, 95):5.1f} / {values.max():6.1f}"
        for name, values in (("at the page", client), ("in the server", server))
    )
    print(f"  {who:<11} {len(found):5} requests, {errors} errors; median / 95 % / most in ms: {spread}", flush=True)


if __name__ == "__main__":
    main()
