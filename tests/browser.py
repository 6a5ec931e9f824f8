"""A headless browser for tests of pages: what the console said and which hosts were asked is recorded."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from websocket import create_connection  # selenium brings it

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--disable-dev-shm-usage", "--hide-scrollbars",
)  # fmt: skip

needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER) and os.environ.get("CI") != "true",
    reason="chromium and chromedriver are not installed",
)
"""For tests that open a page; on continuous integration they fail rather than skip."""


SIZE = (1280, 900)


@contextmanager
def browser(profile: Path, *, size: tuple[int, int] = SIZE, dark: bool = False) -> Iterator[Chrome]:
    """A browser with a new profile in the given directory and a window of the given size."""
    options = ChromeOptions()
    options.binary_location = CHROMIUM or "chromium"
    for flag in (*FLAGS, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(DRIVER or "chromedriver"))
    try:
        screen(driver, size=size, dark=dark)
        yield driver
    finally:
        driver.quit()


def screen(driver: Chrome, *, size: tuple[int, int] = SIZE, dark: bool = False, still: bool = False) -> None:
    """Make the screen so wide and high, the system light or dark, and ask for less motion or not."""
    wishes = {"color-scheme": "dark" if dark else "light", "reduced-motion": "reduce" if still else "no-preference"}
    features = [{"name": f"prefers-{name}", "value": value} for name, value in wishes.items()]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    # A window cannot be narrower than some 500 pixels; an emulated screen can.
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def console_errors(driver: Chrome) -> list[str]:
    """What the console has reported since the last call, information and debugging aside."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def asked_hosts(driver: Chrome) -> set[str]:
    """Hosts that pages have sent requests to since the last call; reading a file or data in the page asks nobody."""
    events = (json.loads(entry["message"])["message"] for entry in driver.get_log("performance"))
    urls = (event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent")
    return {str(parts.hostname) for url in urls if (parts := urlsplit(url)).scheme in ("http", "https", "ws", "wss")}


@contextmanager
def tasks(driver: Chrome) -> Iterator[list[float]]:
    """Milliseconds of processor time of each task of pages' own threads inside the block, longest first, after it.

    Unlike time by the clock they do not grow where other programs take the processor.
    """
    address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    told = json.loads(urlopen(f"http://{address}/json/version", timeout=30).read())
    line = create_connection(told["webSocketDebuggerUrl"], suppress_origin=True, timeout=60)
    config = {"includedCategories": ["toplevel"], "excludedCategories": ["*"]}
    line.send(json.dumps({"id": 1, "method": "Tracing.start", "params": {"traceConfig": config}}))
    assert "error" not in json.loads(line.recv())  # only then it has begun
    took: list[float] = []
    try:
        yield took
        line.send(json.dumps({"id": 2, "method": "Tracing.end"}))
        events: list[dict[str, Any]] = []
        while (message := json.loads(line.recv())).get("method") != "Tracing.tracingComplete":
            assert "error" not in message, message
            events += message.get("params", {}).get("value", [])
    finally:
        line.close()
    names = {(each["pid"], each["tid"]): each["args"]["name"] for each in events if each["name"] == "thread_name"}
    took += sorted((each["tdur"] / 1000 for each in events if "tdur" in each and "RunTask" in each["name"]
                    and names.get((each["pid"], each["tid"])) == "CrRendererMain"), reverse=True)  # fmt: skip
