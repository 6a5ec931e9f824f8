"""The page in a browser: from a file and over HTTP, by keys alone, on a phone, in the dark, with parts missing."""

from __future__ import annotations

import functools
import http.server
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from tests.browser import browser, console_errors, needs_browser, screen, tasks
from tests.explorer.test_accessibility import AXE, RUN, needs_axe

pytestmark = needs_browser
slow = pytest.mark.slow  # all steps by keys, agents who talk in a browser, a hidden tab, axe: minutes

BUILT = Path(__file__).parents[2] / "src" / "ishango" / "playground" / "index.html"
DESK, PHONE = (1280, 900), (390, 844)
WAIT = 60
FRESH = itertools.count()
NO_WORKER = "window.Worker = function () { throw new Error('no workers here') }"
NO_WASM = "delete window.WebAssembly"


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def chrome(tmp_path_factory: pytest.TempPathFactory, downloads: Path) -> Iterator[Chrome]:
    with browser(tmp_path_factory.mktemp("profile")) as driver:
        driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
        yield driver


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(BUILT.parent))
    handler.log_message = lambda *_: None  # pyright: ignore[reportAttributeAccessIssue]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()


class Visit:
    """A visit to the page; what the console complains about fails the test."""

    def __init__(self, driver: Chrome) -> None:
        self.driver, self.address = driver, BUILT.as_uri()

    def open(self, fragment: str = "", before: str = "", size: tuple[int, int] = DESK, dark: bool = False) -> None:
        screen(self.driver, size=size, dark=dark)
        script = None
        if before:
            added = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": before})
            script = added["identifier"]
        # Another search part makes it another page, which is loaded anew.
        self.driver.get(f"{self.address}?{next(FRESH)}{fragment}")
        self.wait(lambda: self.js("return document.documentElement.hasAttribute('data-ready')"))
        if script:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})

    def js(self, code: str, *arguments: Any) -> Any:
        return self.driver.execute_script(code, *arguments)

    def text(self, selector: str) -> str:
        return self.js("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def click(self, selector: str, text: str = "") -> None:
        found = [each for each in self.driver.find_elements(By.CSS_SELECTOR, selector) if text in each.text]
        self.js("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'}); arguments[0].click()", found[0])

    def wait(self, there: Callable[[], Any], what: str = "") -> None:
        end = time.monotonic() + WAIT
        while not there():
            assert time.monotonic() < end, what or "waited in vain"
            time.sleep(0.1)

    def keys(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def tab_to(self, selector: str, most: int = 40) -> None:
        for _ in range(most):
            if self.js("return document.activeElement.matches(arguments[0])", selector):
                return
            self.keys(Keys.TAB)
        raise AssertionError(f"Tab does not reach {selector}")


@pytest.fixture
def visit(chrome: Chrome) -> Iterator[Visit]:
    visit = Visit(chrome)
    console_errors(chrome)
    yield visit
    assert console_errors(chrome) == []


@slow
def test_the_story_is_read_and_played_by_keys_alone(visit: Visit) -> None:
    visit.open()
    visit.js("document.querySelector('#step-1').focus()")
    visit.tab_to("#play-1 .tile")
    visit.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    assert "You have 7 words: 1–5, 7 and ×10. Put 1 word back." in visit.text("#play-1 .verdict")
    visit.keys(Keys.ENTER)
    assert "×3, ×10" in visit.text("#play-1 .verdict")
    visit.keys(Keys.ENTER)
    visit.tab_to("#step-1 .more a")
    visit.keys(Keys.ENTER)
    visit.wait(lambda: visit.js("return document.activeElement.id") == "step-2")
    visit.tab_to("#play-2 button.main")
    visit.keys(Keys.ENTER)
    assert visit.text("#play-2 .figures dd") == "7"
    visit.tab_to("#play-3 button.main", 80)
    visit.keys(Keys.ENTER)
    visit.wait(lambda: "The best 6 words are 1–5 and ×6: 1.40 symbols" in visit.text("#play-3 .verdict"))
    visit.tab_to("#play-4 .handle")
    visit.keys(Keys.ARROW_LEFT, Keys.ARROW_DOWN)
    assert visit.js("return document.activeElement.getAttribute('aria-valuetext')").startswith("16 words")
    visit.tab_to("#play-4 button.main")
    visit.keys(Keys.ENTER)
    visit.wait(lambda: "of the wall" in visit.text("#play-4 .verdict"))
    visit.keys("basque")
    visit.wait(lambda: visit.text("#play-4 .verdict").startswith("Basque"))
    visit.tab_to("#play-5 input[type=radio]")
    visit.keys(Keys.SPACE)
    visit.wait(lambda: visit.text("#play-5 .verdict").startswith("After "), "agents never finished a round")
    visit.tab_to("#play-7 button.main", 80)
    visit.keys(Keys.ENTER)
    visit.wait(lambda: "Ten is the base of" in visit.text("#play-7 .verdict"))
    visit.tab_to("#play-8 a")
    visit.keys(Keys.ENTER)
    visit.wait(lambda: visit.js("return !document.getElementById('playground').hidden"))


@slow
def test_what_it_takes_is_what_the_studies_found(visit: Visit) -> None:
    visit.open("#step=6")
    visit.wait(lambda: "a coin decides" in visit.text("#play-6a .verdict"))
    visit.wait(lambda: "200 numbers" in visit.text("#play-6b .verdict"))
    # docs/studies/generations.md has 10.7 words and .04 at 200 examples.
    assert "languages of 11 words, 0.0" in visit.text("#play-6b .verdict") or "languages of 10" in visit.text(
        "#play-6b .verdict"
    )
    slide = (
        "const [box, i, at] = arguments; const input = document.querySelectorAll(box + ' input')[i];"
        "input.value = at; input.dispatchEvent(new Event('input'))"
    )
    visit.js(slide, "#play-6a", 0, 4)
    visit.js(slide, "#play-6a", 1, 3)
    visit.wait(lambda: "They end with" in visit.text("#play-6a .verdict"))
    gap, drift = (float(each) for each in _numbers_after(visit.text("#play-6a .verdict"), ("words,", "chance ends")))
    assert gap < 0.5 < drift
    visit.js(slide, "#play-6b", 0, 1)
    visit.wait(lambda: "20 numbers" in visit.text("#play-6b .verdict"))
    assert "languages of 4 words" in visit.text("#play-6b .verdict") or "of 5 words" in visit.text("#play-6b .verdict")


def _numbers_after(text: str, marks: tuple[str, ...]) -> list[str]:
    return [text.split(mark)[1].split()[0].rstrip(".;,") for mark in marks]


@pytest.mark.parametrize("how", ["file", pytest.param("http", marks=slow)])
def test_play_pause_step_and_a_link_that_shows_the_same(visit: Visit, served: str, how: str) -> None:
    visit.address = served if how == "http" else visit.address
    visit.open("#view=playground&start=Danish&heard=50&speed=20")
    visit.wait(lambda: visit.text(".transport output") == "generation 0 of 100")
    visit.click(".transport button", "Play")
    visit.wait(lambda: visit.text(".transport output").split()[1] not in ("0", "1"))
    visit.click(".transport button", "Pause")
    visit.click(".transport button", "Step")
    visit.wait(lambda: "round=" in visit.js("return location.hash"))
    time.sleep(0.5)
    link, seen = visit.js("return location.hash"), _seen(visit)
    visit.open(link)
    visit.wait(lambda: _seen(visit) == seen, f"{seen} is not restored by {link}")
    visit.click(".transport button", "Reset")
    visit.wait(lambda: visit.text(".transport output") == "generation 0 of 100")


def _seen(visit: Visit) -> list[str]:
    parts = (".transport output", "#playground .figures", ".happened", "#playground .said")
    path = "return document.querySelector('#playground svg .path.passing')?.getAttribute('d') ?? ''"
    return [*(visit.text(part) for part in parts), visit.js(path)]


@slow
def test_two_agents_talk_and_what_they_say_is_seen(visit: Visit) -> None:
    visit.open("#view=playground&who=agents&start=1&steps=100&rounds=20&n=1")
    visit.wait(lambda: visit.text(".transport output") == "round 0 of 20", "agents never learnt the start")
    visit.click(".transport button", "Step")
    visit.wait(
        lambda: (
            "The speaker says" in visit.text("#playground .right")
            and visit.text(".transport output") == "round 1 of 20"
        )
    )
    assert "Proposed: " in visit.text(".happened")
    assert "Kept" in visit.text(".happened") or "Refused" in visit.text(".happened")


@slow
def test_two_hundred_runs_and_no_long_task(visit: Visit) -> None:
    visit.open("#view=playground&who=drift&runs=200&start=English&speed=20")
    visit.wait(lambda: visit.js("return document.querySelectorAll('#playground svg .band').length") >= 1)
    with tasks(visit.driver) as took:
        visit.click("#playground button", "Other luck")
        visit.click(".transport button", "Play")
        time.sleep(3)
    assert 0 < took[0] < 50


@slow
def test_pictures_and_tables_can_be_taken_away(visit: Visit, downloads: Path) -> None:
    visit.open("#view=playground&who=costs&start=3&round=30&rounds=40&runs=20")
    visit.wait(lambda: visit.text(".transport output") == "round 30 of 40")
    time.sleep(1)
    for kind in ("SVG", "PNG", "CSV"):
        visit.click(".take button", kind)
    names = ("ishango-costs-3.svg", "ishango-costs-3.png", "ishango-costs-3.csv")
    visit.wait(lambda: all((downloads / name).exists() for name in names))
    rows = (downloads / names[2]).read_text().splitlines()
    assert len(rows) == 1 + 20 * 41
    assert rows[1].startswith("1,1,0,12,")
    assert "<svg" in (downloads / names[0]).read_text()
    assert (downloads / names[1]).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("fragment", "sentence"),
    [
        ("#view=playground&heard=99999999999", "a whole number from 1 to 20,000"),
        ("#view=playground&start=Atlantis", "There is no language “Atlantis”"),
        ("#view=playground&start=1-3|49", "has no expression for"),
        ("#view=playground&start=1-9|60", "In runs words go up to 50"),
        ("#mine=<script>|10", "numbers from 1 to 99"),
        ("#step=1e9&who=god", "drift, oracle, costs, agents, passing"),
        ("#nonsense=%E0%A4%A", "which means nothing here"),
    ],
)
def test_a_bad_address_gets_a_sentence(visit: Visit, fragment: str, sentence: str) -> None:
    visit.open(fragment)
    visit.wait(lambda: sentence in visit.js("return document.body.innerText"), f"{fragment}: no {sentence}")


def test_without_workers_the_page_computes_itself(visit: Visit) -> None:
    visit.open("#view=playground&start=2&heard=100&round=40", before=NO_WORKER)
    visit.wait(lambda: visit.text(".transport output") == "generation 40 of 100")


def test_without_webassembly_there_is_a_sentence_and_the_rest_works(visit: Visit) -> None:
    gone = f"{NO_WASM};{NO_WORKER}"  # a worker has its own WebAssembly, which a page cannot take away
    visit.open("#view=playground&who=agents", before=gone)
    visit.wait(lambda: "WebAssembly" in visit.text(".notice[role=alert]"))
    visit.js("document.querySelector('#playground input[value=passing]').click()")
    visit.wait(lambda: visit.text(".transport output") == "generation 0 of 100")


@slow
def test_a_tab_in_the_background_goes_on_afterwards(visit: Visit) -> None:
    visit.open("#view=playground&start=2&speed=20&rounds=300")
    visit.wait(lambda: visit.text(".transport output") == "generation 0 of 300")
    visit.click(".transport button", "Play")
    first = visit.driver.current_window_handle
    visit.driver.switch_to.new_window("tab")
    time.sleep(1)
    visit.driver.close()
    visit.driver.switch_to.window(first)
    before = int(visit.text(".transport output").split()[1])
    visit.wait(lambda: int(visit.text(".transport output").split()[1]) > before)


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=slow), PHONE])
def test_nothing_is_wider_than_the_screen(visit: Visit, size: tuple[int, int]) -> None:
    for fragment in ("#shown=3457&step=1", "#view=playground&start=Danish&round=9"):
        visit.open(fragment, size=size)
        time.sleep(0.5)
        assert visit.js("return document.documentElement.scrollWidth") <= size[0], fragment


@slow
@needs_axe
@pytest.mark.parametrize(("size", "dark"), [(DESK, False), (PHONE, True)])
def test_axe_finds_nothing(visit: Visit, size: tuple[int, int], dark: bool) -> None:
    found: list[str] = []
    for fragment in ("", "#shown=3457&guess=both&step=5", "#view=playground&start=Danish&round=9"):
        visit.open(fragment, size=size, dark=dark)
        time.sleep(1)
        visit.js("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        visit.js(AXE.read_text(encoding="utf-8"))
        found += [
            f"{fragment}: {each['id']} ({each['impact']}): {node['target']} {node['failureSummary']}"
            for each in visit.driver.execute_async_script(RUN)
            for node in each["nodes"][:3]
        ]
    assert not found, "\n".join(found)
