"""The explorer with many runs: a cold server, first load, clicks until they are painted, and 65 pages that listen.

`python -m benchmarks explorer_runs` makes directories of 547 and of 10,000 runs (see `benchmarks.many_runs`), serves
each and measures in a real browser. `python -m benchmarks.explorer_runs DIR ...` takes directories that are there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import urlopen

from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import WebDriverWait
from tests.browser import browser

from benchmarks import many_runs
from benchmarks.explorer import Request, _ask, report
from benchmarks.explorer_server import explorer
from ishango.explorer._found_runs import Runs

SIZES, ROUNDS = (547, 10_000), 40
LISTENERS, SECONDS = 65, 10.0
LOADS = 3
TICK = os.sysconf("SC_CLK_TCK")
SHOWN = {
    "list": ("#view=runs", "return document.querySelector('.runs tbody tr') !== null"),
    "plane": ("#view=plane", "return document.querySelector('.chart[data-drawn] svg') !== null"),
}
HEAD = "document.querySelector('.runpage .figures dd') !== null"
CHARTS = "return document.querySelectorAll('.runpage [data-drawn]').length >= 3"
PAINTED = """
const done = arguments[0], began = performance.now();
const look = () => {
  if (%s) requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
  else requestAnimationFrame(look);
};
%s;
look();
"""
"""From a click to the frame in which the page shows what it asks for, by the page's own clock, in milliseconds."""
IN_THE_PLANE = {
    "the paths of all groups": (
        "document.querySelectorAll('input[data-how=paths]:not(:checked)').forEach((each) => each.click())"
    ),
    "another round": (
        "const e = document.querySelector('.player input'); e.value = e.max / 2;"
        "e.dispatchEvent(new Event('input', {bubbles: true}))"
    ),
    "zoom": "document.querySelector('.zoom button').click()",
}
"""Clicks that the drawing answers without the server."""
OTHERS = ({"x": "irregularity", "y": "processing"}, {"x": "states", "y": "changes"}, {"need": "uniform"})
"""Planes that need other costs."""


def main(directories: list[Path] | None = None) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for directory in directories or [made(Path(scratch) / str(size), size) for size in SIZES]:
            measure(directory)


def made(directory: Path, runs: int) -> Path:
    many_runs.make(directory, runs, ROUNDS)
    return directory


def measure(directory: Path) -> None:
    """Everything about one directory."""
    runs = Runs(directory)
    first, again = look(runs), look(runs)
    print(f"  {len(runs.summaries()):,} runs: first look {first:.2f} s, the next {again:.2f} s of processor time")
    for what, (took, busy) in first_answers(directory).items():
        print(f"    a cold server: {what} after {took:.2f} s, {busy:.2f} s of processor time", flush=True)
    with explorer(directory) as address, tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as driver:
        came = watch_progress(driver, address)
        print(f"    the list is there {came[0]:.1f} s after the page was opened at once; progress was shown: {came[1]}")
        for name, (fragment, ready) in SHOWN.items():
            before, times, pages = server_time(), [], []
            for _ in range(LOADS):
                times.append(load(driver, address + fragment, ready))
                pages.append(page_time(driver))
            print(
                f"    {name} after a load: median {statistics.median(times):.2f} s, most {max(times):.2f} s; ", end=""
            )
            server = (server_time() - before) / LOADS
            print(
                f"processor time {statistics.median(pages):.2f} s in the page, {server:.2f} s in the server", flush=True
            )
        for other in OTHERS:
            print(f"    plane of {', '.join(other.values())}: complete after {complete(address, other):.2f} s")
        load(driver, address + SHOWN["plane"][0], SHOWN["plane"][1])
        for name, act in IN_THE_PLANE.items():
            before, took = page_time(driver), painted(driver, act, "true") / 1e3
            busy = page_time(driver) - before
            print(f"    in the plane, {name}: painted after {took:.3f} s, {busy:.3f} s of processor time", flush=True)
        names = [each["name"] for each in runs.summaries()[:: max(1, len(runs.summaries()) // LOADS)][:LOADS]]
        clicks = [click(driver, address, name) for name in names]
        heads, charts = zip(*clicks, strict=True)
        print(f"    click to a run's page: median {statistics.median(heads):.2f} s, most {max(heads):.2f} s; ", end="")
        print(f"with its charts {statistics.median(charts):.2f} s, most {max(charts):.2f} s")
        report(f"{LISTENERS} listen", asyncio.run(while_listening(address)))


def first_answers(directory: Path) -> dict[str, tuple[float, float]]:
    """From the start of a cold server, and its processor time: its address, its first plane, one with all runs."""
    began = time.perf_counter()
    with explorer(directory) as address:
        found = {"its address": (time.perf_counter() - began, server_time())}
        plane(address)
        found["its first plane"] = time.perf_counter() - began, server_time()
        complete(address)
        return {**found, "the plane with all runs": (time.perf_counter() - began, server_time())}


def plane(address: str, asked: dict[str, str] | None = None) -> bool:
    """Ask for a plane; whether everything in it is known."""
    with urlopen(f"{address}api/plane?{urlencode(asked or {})}") as answer:
        return json.loads(answer.read())["complete"]


def complete(address: str, asked: dict[str, str] | None = None) -> float:
    """How long it takes until a plane is complete, asked for again and again as the page does."""
    began = time.perf_counter()
    while not plane(address, asked):
        time.sleep(0.2)
    return time.perf_counter() - began


def look(runs: Runs) -> float:
    """Processor time of a look at all runs."""
    runs._looked_at = runs._read_at = -1e9
    began = time.process_time()
    runs.listed()
    return time.process_time() - began


def watch_progress(driver: Chrome, address: str) -> tuple[float, bool]:
    """How long the first page waits for the first look, and whether it is told how far that has come."""
    began, told = time.perf_counter(), False
    driver.get(address + "#view=runs")
    while not driver.execute_script(SHOWN["list"][1]):
        told |= driver.execute_script("return document.querySelector('[data-waiting=reading]') !== null")
        time.sleep(0.02)
    return time.perf_counter() - began, told


def server_time() -> float:
    """Processor time of the server, which is the first process that this one has started."""
    first = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()[0]
    fields = Path(f"/proc/{first}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def page_time(driver: Chrome) -> float:
    """Processor time of the page's main thread since it was loaded: what a busy machine does not change."""
    metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(each["value"] for each in metrics if each["name"] == "TaskDuration")


def load(driver: Chrome, address: str, ready: str) -> float:
    driver.get("about:blank")
    driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    began = time.perf_counter()
    driver.get(address)
    WebDriverWait(driver, 60, poll_frequency=0.01).until(lambda page: page.execute_script(ready))
    return time.perf_counter() - began


def painted(driver: Chrome, act: str, shows: str) -> float:
    """How long it takes from an act until the page has painted what shows it."""
    driver.set_script_timeout(60)
    return driver.execute_async_script(PAINTED % (shows, act))


def click(driver: Chrome, address: str, name: str) -> tuple[float, float]:
    """From the list to the page of a run, as a click on a link does; then until its charts are drawn."""
    load(driver, address + SHOWN["list"][0], SHOWN["list"][1])
    began = time.perf_counter()
    head = painted(driver, f"location.hash = {json.dumps('run=' + quote(name))}", HEAD)
    WebDriverWait(driver, 60, poll_frequency=0.01).until(lambda page: page.execute_script(CHARTS))
    return head / 1e3, time.perf_counter() - began


async def while_listening(address: str) -> list[Request]:
    """Requests for systems, one after the other, while so many pages listen."""
    listeners = [asyncio.create_task(listen(address)) for _ in range(LISTENERS)]
    await asyncio.sleep(3)
    site = urlsplit(address)
    reader, writer = await asyncio.open_connection(site.hostname, site.port)
    end, found = time.perf_counter() + SECONDS, []
    while time.perf_counter() < end:
        size = len(found) % 40
        path = f"/api/system?digits=1&digits=2&digits={3 + size}&multipliers={10 + size}"
        found.append(await _ask(reader, writer, path, site.netloc))
        await asyncio.sleep(0.05)
    writer.close()
    told = [each.done() for each in listeners]
    for each in listeners:
        each.cancel()
    assert not any(told), "a listener was turned away"
    return found


async def listen(address: str) -> None:
    site = urlsplit(address)
    reader, writer = await asyncio.open_connection(site.hostname, site.port, limit=2**24)
    writer.write(f"GET /api/events HTTP/1.1\r\nHost: {site.netloc}\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert b" 200 " in head.splitlines()[0], json.dumps(head.decode())
    while await reader.read(2**20):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", nargs="*", type=Path)
    main(parser.parse_args().directories)
