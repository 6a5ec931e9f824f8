"""The playground in headless Chromium, from the disk: how soon it can be used, many runs, agents, memory.

python -m benchmarks playground        a minute of agents
python -m benchmarks.playground 10     ten minutes, as one would leave a tab open
"""

from __future__ import annotations

import gzip
import os
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from selenium.webdriver import Chrome
from tests.browser import browser, tasks

from ishango.game import Agents, GameOptions, play
from ishango.numerals import STARTS, Need, minimal_language

BUILT = Path(str(files("ishango") / "playground"))
WATCH = """
window.late = [];
new PerformanceObserver((list) => late.push(...list.getEntries().map((each) => each.duration)))
  .observe({ type: "longtask", buffered: true });
"""
"""Tasks above 50 ms, as the browser sees them."""
REACHED = """
new MutationObserver(() => {
  const seen = document.querySelector(".transport output")?.textContent;
  if (seen === "round 100 of 100") window.reached ??= performance.now();
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
GO_ON = """
scrollBy(0, 400);
const play = document.querySelector("#playground .main");
if (play?.textContent === "Play") play.click();
"""
DRAG = """
const sliders = [...document.querySelectorAll("#playground input[type=range]")].filter((each) => each.offsetParent);
let turn = 0;
setInterval(() => {
  const slider = sliders[Math.floor(turn++ / 30) % sliders.length];
  slider.value = slider.valueAsNumber < Number(slider.max) ? slider.valueAsNumber + 1 : slider.min;
  slider.dispatchEvent(new Event("input"));
}, 16);
"""
"""Each slider in turn, half a second long, as fast as a hand moves it."""
AT_WORK = (
    ("story", "#shown=3457&guess=both", 16, GO_ON),
    ("200 runs of drift", "#view=playground&who=drift&runs=200&round=100&start=English&speed=20", 5, GO_ON),
    ("200 passed on", "#view=playground&who=passing&runs=200&start=Danish&speed=20", 5, GO_ON),
    ("agents", "#view=playground&who=agents&start=1&speed=5", 8, GO_ON),
    ("200 runs, sliders dragged", "#view=playground&who=passing&runs=200&start=Danish&round=50", 6, ""),
    ("agents, sliders dragged", "#view=playground&who=agents&start=1&round=2&steps=100", 8, ""),
)
"""What runs on the page: its name, its address, for how many seconds it is watched, and what is done all the while."""
RUNS = """
const [settings, runs, until, done] = arguments;
const began = performance.now();
const speeds = [];
let rounds = 0;
const started = ishango.startRuns({ ...ishango.RUN_DEFAULTS, ...settings }, {
  runs,
  onRounds: (_, news) => { rounds += news.length; },
  onProgress: (progress) => speeds.push(progress.stepsPerSecond),
  onIdle: () => { started.stop(); done({ rounds, speeds, seconds: (performance.now() - began) / 1000 }); },
  onError: (sentence) => done({ error: sentence }),
});
started.play(until);
"""


def main(minutes: float = 1.0) -> None:
    """Measure and print."""
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in sorted(BUILT.iterdir())}
    print(f"compressed: {', '.join(f'{name} {size / 1000:.0f} kB' for name, size in sizes.items())}")
    with (
        tempfile.TemporaryDirectory() as directory,
        browser(profile := Path(directory) / "profile") as driver,
    ):
        driver.set_script_timeout(60 * minutes + 600)
        opened(driver)
        drawn(driver)
        at_work(driver)
        bare = Path(directory) / "bare.html"
        bare.write_text(f"<!doctype html><title>engine</title><script>{WATCH}</script>"
                        f"<script src='{(BUILT / 'engine.js').as_uri()}'></script>")  # fmt: skip
        driver.get(bare.as_uri())
        many_runs(driver, profile)
        agents(driver)
        left_open(driver, profile, minutes)


def opened(driver: Chrome) -> None:
    """How soon after the address was given the story can be used, best of five, and the longest task of the page."""
    ready = []
    for _ in range(5):
        driver.get((BUILT / "index.html").as_uri())
        ready.append(driver.execute_script("return performance.getEntriesByType('navigation')[0].loadEventEnd"))
    driver.execute_script(WATCH)
    time.sleep(2)
    late = driver.execute_script("return late")
    print(f"story: ready after {min(ready):.0f} ms (of five: {', '.join(f'{each:.0f}' for each in ready)});"
          f" longest task while it opens {max(late, default=0):.0f} ms")  # fmt: skip


def drawn(driver: Chrome) -> None:
    """How soon after the address was given 200 runs are computed and drawn on the page itself, best of five."""
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": REACHED})
    took: list[float] = []
    for turn in range(5):
        driver.get(f"{(BUILT / 'index.html').as_uri()}?{turn}{AT_WORK[1][1]}")
        while not (reached := driver.execute_script("return window.reached")):
            time.sleep(0.1)
        took.append(reached / 1000)
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": added["identifier"]})
    print(f"page: 200 runs of drift, 100 rounds each, computed and drawn {min(took):.2f} s after the address was given"
          f" (of five: {', '.join(f'{each:.2f}' for each in took)})")  # fmt: skip


def at_work(driver: Chrome) -> None:
    """The longest task of the page's thread while anything runs."""
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    longest: dict[str, tuple[float, float]] = {}
    for turn, (what, fragment, seconds, go_on) in enumerate(AT_WORK):
        driver.get(f"{(BUILT / 'index.html').as_uri()}?{turn}{fragment}")
        time.sleep(1)  # what opening takes is measured above
        driver.execute_script("late.length = 0; scrollTo(0, 0)")
        with tasks(driver) as took:
            end = time.monotonic() + seconds
            driver.execute_script("" if go_on else DRAG)
            while time.monotonic() < end:
                driver.execute_script(go_on)
                time.sleep(0.4)
        longest[what] = (took[0], max(driver.execute_script("return late"), default=0))
    told = ", ".join(f"{what} {took:.0f} ms ({late:.0f})" for what, (took, late) in longest.items())
    print(f"page: longest task of its thread, in time of the processor (by the clock, if above 50 ms): {told}")


def many_runs(driver: Chrome, profile: Path) -> None:
    """200 runs of 100 rounds, by the clock and in time of the processor, and whether the page's own thread was busy."""
    for mover in ("drift", "passing-on"):
        driver.execute_script("late.length = 0")
        before = processor(profile)
        told = ask(driver, {"mover": mover, "add": "any"}, 200, 100)
        took = processor(profile) - before
        late = driver.execute_script("return late")
        print(f"{mover}: 200 runs of 100 rounds in {told['seconds']:.2f} s, {took:.2f} s of the processor;"
              f" tasks above 50 ms on the page's thread: {len(late)}")  # fmt: skip


def agents(driver: Chrome) -> None:
    """Steps a second on start 1 beside the Numba kernel's, in turns."""
    numba = NumbaKernel()
    game = {"steps": 500, "pretraining": 1000}
    ratios = []
    for _ in range(3):
        theirs = numba.speed(1000)
        mine = np.median(told_speeds(driver, game, rounds=2))
        ratios.append(theirs / mine)
        print(f"agents: {mine:.0f} steps a second, the Numba kernel {theirs:.0f}: 1/{theirs / mine:.1f}", flush=True)
    print(f"agents: median 1/{np.median(ratios):.1f} of the Numba kernel")


def left_open(driver: Chrome, profile: Path, minutes: float) -> None:
    """What memory the page has, and what its thread had to do, after agents have played on it for so long."""
    driver.get(f"{(BUILT / 'index.html').as_uri()}?open#view=playground&who=agents&start=1&rounds=300&steps=5000")
    time.sleep(5)
    driver.execute_script("late.length = 0")
    before, end, most = memory(profile), time.monotonic() + 60 * minutes, 0.0
    while time.monotonic() < end:
        driver.execute_script(GO_ON)
        time.sleep(1)
        most = max(most, memory(profile))
    late, where = driver.execute_script("return [late, document.querySelector('.transport output').textContent]")
    print(f"page with agents open for {minutes:g} minutes, {where}: memory of its process {memory(profile):.0f} MB"
          f" (at most {most:.0f}, at first {before:.0f}); longest task above 50 ms (0: none):"
          f" {max(late, default=0):.0f} ms")  # fmt: skip


def told_speeds(driver: Chrome, game: dict[str, int], rounds: int) -> list[float]:
    """Steps a second, several times a second."""
    defaults = driver.execute_script("return ishango.GAME_DEFAULTS")
    return ask(driver, {"mover": "agents", "game": defaults | game}, 1, rounds)["speeds"]


def ask(driver: Chrome, settings: dict[str, Any], runs: int, until: int) -> dict[str, Any]:
    """Let runs be played in the page."""
    told = driver.execute_async_script(RUNS, settings, runs, until)
    if "error" in told:
        sys.exit(told["error"])
    return told


class NumbaKernel:
    """The same agents here."""

    def __init__(self) -> None:
        self.options = GameOptions(lost_entropy=0.03)
        self.said = [minimal_language(STARTS[0], 50).tokens()]
        self.speed(10)

    def speed(self, steps: int) -> float:
        """Steps a second."""
        rng, need = np.random.default_rng(0), Need.parse("power:2").weights(50)
        new = Agents.random(self.options, rng)
        began = time.perf_counter()
        play(new, self.said, need, self.options, steps, rng)
        return steps / (time.perf_counter() - began)


def memory(profile: Path) -> float:
    """Megabytes that the page's process has for itself, its workers included."""
    return max(map(_private, _pages(profile))) / 1000


def processor(profile: Path) -> float:
    """Seconds that the page's process has computed, all threads together: what other programs take is not in it."""
    stats = [Path(f"/proc/{page}/stat").read_text().rpartition(")")[2].split() for page in _pages(profile)]
    return sum(int(each[11]) + int(each[12]) for each in stats) / os.sysconf("SC_CLK_TCK")


def _pages(profile: Path) -> list[int]:
    wanted = {"--type=renderer", f"--user-data-dir={profile}"}
    return [int(process.name) for process in Path("/proc").glob("[0-9]*") if wanted <= set(_words(process))]


def _words(process: Path) -> list[str]:
    """What a process was started with; nothing of one that has ended meanwhile."""
    try:
        return (process / "cmdline").read_bytes().decode(errors="replace").replace("\0", " ").split()
    except OSError:
        return []


def _private(process: int) -> float:
    """Kilobytes of a process that no other shares."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
