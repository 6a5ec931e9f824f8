"""Is the plane as fast as it was? Two source trees side by side, such as before and after the world's languages.

python -m benchmarks.planes OLD_SRC NEW_SRC [TURNS]

The trees take turns, so that both see the same noise of the machine. What is told are medians, by the clock and by
processor time: commands that list or draw human languages, the plane of a cold explorer without runs, and its page.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

from tests.browser import browser

from benchmarks.explorer_runs import SHOWN, load, page_time, painted, server_time
from benchmarks.explorer_server import explorer

COMMANDS = {
    "ishango languages": "languages",
    "frontier --figures": "frontier --sizes 9-11 --figures {out}",
    "frontier --figures --with-languages": "frontier --sizes 9-11 --figures {out} --with-languages",
}
ZOOM = "document.querySelector('.zoom button').click()"
TURNS = 5


def commands() -> Iterator[tuple[str, float, float]]:
    """What each command takes, in a process of its own."""
    for name, words in COMMANDS.items():
        with tempfile.TemporaryDirectory() as out:
            before, began = _children(), time.perf_counter()
            asked = [sys.executable, "-m", "ishango", *words.format(out=out).split()]
            subprocess.run(asked, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            yield name, time.perf_counter() - began, _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def answers() -> Iterator[tuple[str, float, float]]:
    """A cold explorer without runs: its address, its first plane and one with another need; then the page."""
    with tempfile.TemporaryDirectory() as site:
        began = time.perf_counter()
        with explorer(Path(site)) as address:
            yield "explorer: its address", time.perf_counter() - began, server_time()
            for what, query in (("its first plane", ""), ("a plane of another need", "?need=uniform")):
                before, began = server_time(), time.perf_counter()
                with urlopen(f"{address}api/plane{query}") as answer:
                    json.loads(answer.read())
                yield f"explorer: {what}", time.perf_counter() - began, server_time() - before
            with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as driver:
                for _ in range(3):  # the first time the page's files are compiled
                    took = load(driver, address + SHOWN["plane"][0], SHOWN["plane"][1])
                yield "page: the plane is drawn", took, page_time(driver)
                before, took = page_time(driver), painted(driver, ZOOM, "true") / 1e3
                yield "page: zoom is painted", took, page_time(driver) - before


def main(trees: dict[str, str], turns: int) -> None:
    """Measure, then print a row for each part."""
    took: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for turn in range(turns + 1):
        for name, source in trees.items():
            os.environ["PYTHONPATH"] = source
            for part, clock, busy in (*commands(), *answers()):
                took[part, name].extend([(clock, busy)] if turn else [])  # the first turn warms the caches
    print(f"{'':36}{'clock, s':>18}{'processor, s':>20}\n{'':36}{'old':>9}{'new':>9}{'old':>11}{'new':>9}")
    for part in dict.fromkeys(part for part, _ in took):
        clock, busy = ([statistics.median(each[i] for each in took[part, name]) for name in trees] for i in (0, 1))
        print(f"{part:36}{clock[0]:9.3f}{clock[1]:9.3f}{busy[0]:11.3f}{busy[1]:9.3f}", flush=True)


if __name__ == "__main__":
    main({"old": sys.argv[1], "new": sys.argv[2]}, int(sys.argv[3]) if len(sys.argv) > 3 else TURNS)
