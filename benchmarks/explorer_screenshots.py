"""Pictures of the explorer's views, light and dark, on a desk and on a phone.

`python -m benchmarks.explorer_screenshots DIR [VIEW ...]` plays a few runs into DIR/runs (once) and writes
DIR/explorer-VIEW[-dark][-phone].png. The two of the README are explorer-plane.png and explorer-builder.png.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import WebDriverWait
from tests.browser import browser, console_errors

from benchmarks.explorer_server import explorer
from ishango.evolution import Evolution, EvolutionOptions
from ishango.lab import run

DESK, PHONE = (1280, 900), (390, 800)
TALLEST = 2600
SETTLING = 0.6
"""Seconds for what is drawn only when it comes into sight."""
SEEDS = {"agents": 2, "coin": 3, "shorter": 2}
"""Runs from each start, by who decides."""


def options(who: str, start: int, seed: int) -> EvolutionOptions:
    """A short run; agents learn little in it, but enough to be looked at."""
    if who == "agents":
        return EvolutionOptions(start=str(start), rounds=15, steps=300, seed=seed)
    return EvolutionOptions(start=str(start), rounds=40, choose=who, seed=seed)


RUNS = {
    f"{'drift' if who == 'coin' else who}/start-{start}-seed-{seed}": options(who, start, seed)
    for who, seeds in SEEDS.items()
    for start in range(1, 9)
    for seed in range(seeds)
}

VIEWS = {
    "plane": ("", 1),
    "plane-costs": ("#view=plane&x=irregularity&y=processing&by=start", 1),
    "builder-large": ("#D=1-30&M=31-60", 1),
    "builder": ("#D=1-9,11&M=10&grammar=modified", 1),
    "kinds": ("#view=kinds&precision=30&word=0.03&language=English&within=10", 0),
    "kinds-few": ("#view=kinds&precision=2&word=0.01&language=Pirah%C3%A3&within=20", 0),
    "runs": ("#view=runs", 0),
    "runs-list": ("#view=runs&list=runs&sort=gap", 0),
    "compare-one": ("#compare=agents/start-5-seed-1", 0),
    "compare": ("#compare=agents/start-5-seed-1&compare=agents/start-5-seed-0&compare=drift/start-5-seed-0", 2),
    "run": ("#run=agents/start-5-seed-1", 4),
    "talk": ("#talk=agents/start-5-seed-1&n=13", 2),
}
"""Addresses, and how many charts there are to wait for."""
READY = (
    "return document.querySelectorAll('[data-drawn]').length >= arguments[0] && document.querySelector('.card *')"
    " && !/being (measured|proved)/.test(document.querySelector('main').textContent)"
)


def main(out: Path, names: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name, options in RUNS.items():
        run(Evolution(options), out / "runs" / name)
    with explorer(out / "runs") as address:
        for size, tail in ((DESK, ""), (PHONE, "-phone")):
            for dark in (False, True):
                with tempfile.TemporaryDirectory() as profile, browser(Path(profile), size=size, dark=dark) as driver:
                    for name in names or VIEWS:
                        file = out / f"explorer-{name}{'-dark' if dark else ''}{tail}.png"
                        photograph(driver, address, name, size, file)


def photograph(driver: Chrome, address: str, name: str, size: tuple[int, int], file: Path) -> None:
    """The whole page of a view, from top to bottom."""
    fragment, charts = VIEWS[name]
    driver.get("about:blank")
    _resize(driver, *size)
    driver.get(address + fragment)
    WebDriverWait(driver, 30).until(lambda page: page.execute_script(READY, charts))
    _resize(driver, size[0], min(TALLEST, driver.execute_script("return document.documentElement.scrollHeight")))
    WebDriverWait(driver, 30).until(lambda page: page.execute_script(READY, charts))
    time.sleep(SETTLING)
    driver.save_screenshot(str(file))
    width = driver.execute_script("return document.documentElement.scrollWidth")
    print(f"{file}{'' if width <= size[0] else f': {width} pixels wide'}", *console_errors(driver), flush=True)


def _resize(driver: Chrome, width: int, height: int) -> None:
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


if __name__ == "__main__":
    if len(sys.argv) < 2 or set(sys.argv[2:]) - set(VIEWS):
        sys.exit(f"usage: python -m benchmarks.explorer_screenshots DIR [{' | '.join(VIEWS)} ...]")
    main(Path(sys.argv[1]), sys.argv[2:])
