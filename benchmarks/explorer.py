"""How fast the builder answers: one visitor, then fifty who each ask twice a second for half a minute."""

from __future__ import annotations

import asyncio
import random
import re
import tempfile
import time
from pathlib import Path

import httpx
import numpy as np

from benchmarks.explorer_server import explorer

CLIENTS, RATE, SECONDS = 50, 2.0, 30.0


def main() -> None:
    with tempfile.TemporaryDirectory() as directory, explorer(Path(directory)) as address:
        alone = asyncio.run(visit(address, clients=1, seconds=10.0))
        report("1 client", alone)
        report(f"{CLIENTS} clients", asyncio.run(visit(address, CLIENTS, SECONDS)))


async def visit(address: str, clients: int, seconds: float) -> list[tuple[float, float, int]]:
    """Milliseconds at the client, milliseconds at the server, and status of each request."""
    async with httpx.AsyncClient(base_url=address, timeout=30, limits=httpx.Limits(max_connections=clients)) as http:
        await http.get("/api/system", params={"digits": [1], "multipliers": [2]})
        visitors = [_click(http, random.Random(seed), seconds) for seed in range(clients)]
        return [request for requests in await asyncio.gather(*visitors) for request in requests]


async def _click(http: httpx.AsyncClient, rng: random.Random, seconds: float) -> list[tuple[float, float, int]]:
    """One visitor: a random system whose tiles are clicked one after the other, so that hardly two are the same."""
    digits, multipliers = set(range(1, rng.randint(3, 12))), {rng.randint(5, 20)}
    await asyncio.sleep(rng.random() / RATE)
    end, found = time.perf_counter() + seconds, []
    while (began := time.perf_counter()) < end:
        chosen = multipliers if rng.random() < 0.2 else digits
        chosen ^= {rng.randint(1, 99)}
        grammar = rng.choice(["modified", "hurford"])
        query = {"digits": sorted(digits), "multipliers": sorted(multipliers), "grammar": grammar}
        response = await http.get("/api/system", params=query)
        server = re.search(r"dur=([\d.]+)", response.headers.get("server-timing", ""))
        found.append((1e3 * (time.perf_counter() - began), float(server[1]) if server else np.nan, response.status_code))
        await asyncio.sleep(max(0.0, began + 1 / RATE - time.perf_counter()))
    return found


def report(who: str, found: list[tuple[float, float, int]]) -> None:
    client, server, status = (np.array(column) for column in zip(*found, strict=True))
    errors = int((status != 200).sum())
    spread = "  ".join(
        f"{name} {np.percentile(values, 50):5.1f} / {np.percentile(values, 95):5.1f} / {values.max():6.1f}"
        for name, values in (("at the page", client), ("in the server", server))
    )
    print(f"  {who:<11} {len(found):5} requests, {errors} errors; median / 95 % / most in ms: {spread}", flush=True)


if __name__ == "__main__":
    main()
