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

BUILT = Path(__file__).parents[2] / "src" / "ishango" / "playground" / "index.html"
DESK, PHONE = (1280, 900), (390, 844)
WAIT = 60
FRESH = itertools.count()
NO_WORKER = "window.Worker = function () { throw new Error('no workers here') }"
LATE = """
window.Worker = class {
  constructor() { setTimeout(() => this.onerror({}), 50) }
  postMessage() {}
  terminate() {}
}
"""
RECORD = """
const into = Element.prototype.scrollIntoView;
window.scrolls = [];
Element.prototype.scrollIntoView = function (how) { scrolls.push(how.behavior); return into.call(this, how); }
"""
"""How steps are scrolled to."""
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

    def open(self, fragment: str = "", before: str = "", size: tuple[int, int] = DESK, **wishes: bool) -> None:
        screen(self.driver, size=size, **wishes)
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
    visit.tab_to("#play-4 input")
    visit.keys("basque")
    visit.wait(lambda: visit.text("#play-4 .verdict").startswith("Basque"))
    visit.tab_to("#play-5 input[type=radio]")
    visit.keys(Keys.SPACE)
    guessed = "You guessed: “Agents come nearer, chance does not”. In the study both came nearer. Here, after "
    visit.wait(lambda: visit.text("#play-5 .verdict").startswith(guessed), "agents never finished a round")
    visit.tab_to("#play-6a input", 80)
    visit.keys(*[Keys.ARROW_RIGHT] * 4, Keys.TAB, *[Keys.ARROW_RIGHT] * 3)
    visit.wait(lambda: "They end with" in visit.text("#play-6a .verdict"))
    visit.tab_to("#play-6b input")
    visit.keys(*[Keys.ARROW_LEFT] * 3)
    visit.wait(lambda: "Children who hear 20 numbers" in visit.text("#play-6b .verdict"))
    visit.tab_to("#play-7 button.main", 80)
    visit.keys(Keys.ENTER)
    visit.wait(lambda: "Ten is the base of" in visit.text("#play-7 .verdict"))
    visit.tab_to("#play-8 a")
    visit.keys(Keys.ENTER)
    visit.wait(lambda: visit.js("return !document.getElementById('playground').hidden"))
    visit.wait(lambda: visit.text(".transport output").startswith("generation 0 of"))
    visit.tab_to(".transport button.main")
    visit.keys(Keys.ENTER)
    visit.wait(lambda: visit.text(".transport output").split()[1] != "0")
    assert visit.text(".transport button.main") == "Pause"
    visit.keys(Keys.ENTER)
    at = int(visit.text(".transport output").split()[1])
    visit.keys(Keys.TAB, Keys.ENTER)
    visit.wait(lambda: visit.text(".transport output").startswith(f"generation {at + 1} of"))


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


def test_a_guess_is_told_only_to_those_who_made_one(visit: Visit) -> None:
    visit.open("#step=7")
    visit.click("#play-7 button.main")
    visit.wait(lambda: visit.text("#play-7 .verdict").startswith("You guessed 50 %. Ten is the base of"))
    visit.open("#shown=7&step=7")
    visit.wait(lambda: visit.text("#play-7 .verdict").startswith("Ten is the base of"))


def _numbers_after(text: str, marks: tuple[str, ...]) -> list[str]:
    return [text.split(mark)[1].split()[0].rstrip(".;,") for mark in marks]


@pytest.mark.parametrize("how", ["file", "http"])
def test_play_pause_step_and_a_link_that_shows_the_same(visit: Visit, served: str, how: str) -> None:
    visit.address = served if how == "http" else visit.address
    visit.open("#view=playground&start=Danish&heard=50&speed=20&shown=45&guess=both")
    visit.wait(lambda: visit.text(".transport output") == "generation 0 of 100")
    visit.click(".transport button", "Play")
    visit.wait(lambda: visit.text(".transport output").split()[1] not in ("0", "1"))
    visit.click(".transport button", "Pause")
    visit.click(".transport button", "Step")
    visit.wait(lambda: "round=" in visit.js("return location.hash"))
    visit.js("document.querySelector('.take button').focus()")
    visit.keys(Keys.ENTER)  # what scripts press may not copy
    visit.wait(lambda: visit.text(".take + .note").startswith("Copied."))
    link, seen = _copied(visit), _seen(visit)
    assert "shown" not in link, "whoever gets a link has the story before him"
    assert link.partition("#")[0] == visit.js("return location.href").partition("#")[0]
    visit.open(f"#{link.partition('#')[2]}")
    visit.wait(lambda: _seen(visit) == seen, f"{seen} is not restored by {link}")
    visit.click(".transport button", "Reset")
    visit.wait(lambda: visit.text(".transport output") == "generation 0 of 100")


def test_what_was_guessed_stands_beside_the_answer(visit: Visit) -> None:
    visit.open("#mine=1-5|7&step=3")
    own = visit.text("#play-3 .field b")
    assert 1.4 < float(own.removesuffix(" symbols")) < 1.8, "the guess begins with what the visitor has reached"
    visit.click("#play-3 button.main")
    visit.wait(lambda: f"You guessed {own.removesuffix(' symbols')}. " in visit.text("#play-3 .verdict"))
    assert "your guess" in visit.text("#play-3 svg")
    visit.js("document.querySelector('#play-4 .handle').focus()")
    visit.keys(Keys.ARROW_LEFT)
    visit.click("#play-4 button.main")
    said = "You put English at 16 words and 3.00 symbols; it has 11 and 1.19. "
    visit.wait(lambda: visit.text("#play-4 .verdict").startswith(said), visit.text("#play-4 .verdict"))
    assert len(visit.js("return document.querySelectorAll('#play-4 .dot.human.hollow')")) == 1
    assert visit.js("return document.activeElement.matches('input')") is False, "a phone would open its keyboard"


def test_a_language_that_is_not_found_leaves_none_on_the_map(visit: Visit) -> None:
    visit.open("#shown=4&step=4")
    visit.js("document.querySelector('#play-4 input').focus()")
    visit.keys("basque")
    visit.wait(lambda: visit.text("#play-4 .verdict").startswith("Basque"))
    visit.keys("zz")
    visit.wait(lambda: "of 2,909 languages lie" in visit.text("#play-4 .verdict"))
    assert "There is no “basquezz”" in visit.text("#play-4")


def test_what_cannot_be_spared_is_said(visit: Visit) -> None:
    visit.open("#step=2")
    visit.click("#play-2 button", "Drop the least useful")
    assert "No word can be spared" in visit.text("#play-2 .verdict")
    visit.click("#play-2 button", "Add the most useful word")
    visit.click("#play-2 button", "Drop the least useful")
    assert visit.text("#play-2 .figures dd") == "6"


def test_words_that_are_both_may_lie_below_the_wall_and_that_is_said(visit: Visit) -> None:
    visit.open("#view=playground&start=1-9|10&rounds=1&who=drift")
    visit.wait(lambda: visit.text(".transport output") == "round 0 of 1")
    assert visit.text("#playground .middle .note") == ""
    visit.open("#view=playground&start=1-9,11|2,13&rounds=1&who=drift")
    visit.wait(lambda: visit.text(".transport output") == "round 0 of 1")
    remark = visit.text("#playground .middle .note")
    assert "A little below the wall" in remark
    assert "2 is both" in remark


def test_what_comes_later_is_pale(visit: Visit) -> None:
    visit.open("#view=playground&start=2&round=25&who=oracle")
    visit.wait(lambda: visit.text(".transport output") == "round 25 of 100")
    boxes = "[...document.querySelectorAll('#playground .later')]"
    pale = visit.js(f"return {boxes}.map((each) => ['x', 'width'].map((name) => +each.getAttribute(name)))")
    assert len(pale) == 2
    assert all(2.8 < width / (x - 40) < 3.2 for x, width in pale)


def _copied(visit: Visit) -> str:
    visit.driver.execute_cdp_cmd("Browser.grantPermissions", {"permissions": ["clipboardReadWrite"]})
    return visit.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")


def _seen(visit: Visit) -> list[str]:
    parts = (".transport output", "#playground .figures", ".happened", "#playground .right .panel:nth-of-type(2)")
    path = "return document.querySelector('#playground svg .path.passing')?.getAttribute('d') ?? ''"
    return [*(visit.text(part) for part in parts), visit.js(path)]


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
    visit.wait(lambda: "round=1" in visit.js("return location.hash"))
    link, seen = visit.js("return location.hash"), _seen(visit)
    visit.open(link)
    visit.wait(lambda: _seen(visit) == seen, f"{seen} is not restored by {link}")


def test_two_hundred_runs_and_no_long_task(visit: Visit) -> None:
    visit.open("#view=playground&who=drift&runs=200&start=English&speed=20")
    visit.wait(lambda: visit.js("return document.querySelectorAll('#playground svg .band').length") >= 1)
    with tasks(visit.driver) as took:
        visit.click("#playground button", "Other luck")
        visit.click(".transport button", "Play")
        time.sleep(3)
    assert 0 < took[0] < 50


def test_pictures_and_tables_can_be_taken_away(visit: Visit, downloads: Path) -> None:
    visit.open("#view=playground&who=costs&start=3&round=30&rounds=40&runs=20")
    visit.wait(lambda: visit.text(".transport output") == "round 30 of 40")
    time.sleep(1)
    for kind in ("SVG", "PNG", "CSV"):
        visit.click(".take button", kind)
    names = ("ishango-costs-3.svg", "ishango-costs-3.png", "ishango-costs-3.csv")
    visit.wait(lambda: all((downloads / name).exists() and (downloads / name).stat().st_size for name in names))
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
        ("#rounds=1e400&seed=99999999999999999999&n=0&round=-3", "a whole number from 1 to 300"),
        (f"#mine={'1,' * 3000}|10", "numbers from 1 to 99"),
        ("#nonsense=%E0%A4%A", "which means nothing here and is ignored."),
        ("#view=playground&rounds=20&round=40", "but there are 20: the last is shown"),
    ],
)
def test_a_bad_address_gets_a_sentence(visit: Visit, fragment: str, sentence: str) -> None:
    visit.open(fragment)
    visit.wait(lambda: sentence in visit.js("return document.body.innerText"), f"{fragment}: no {sentence}")


def test_a_value_between_the_places_of_a_slider_is_told_as_it_is(visit: Visit) -> None:
    visit.open("#view=playground&heard=37&invent=0.3")
    for label, told in (("A child hears", "37 numbers"), ("A generation invents", "0.3 words")):
        fields = "[...document.querySelectorAll('.field')]"
        field = f"return {fields}.find((each) => each.textContent.startsWith('{label}'))"
        assert visit.js(f"{field}.querySelector('b').textContent") == told
        assert visit.js(f"{field}.querySelector('input').getAttribute('aria-valuetext')") == told


def test_more_than_one_pair_of_agents_becomes_one(visit: Visit) -> None:
    visit.open("#view=playground&who=agents&runs=200&steps=20&rounds=2&start=1-5|6")
    assert "one pair of agents" in visit.text("#problems")
    visit.wait(lambda: visit.text(".transport output") == "round 0 of 2", "agents never learnt the start")


@pytest.mark.parametrize("refused", [NO_WORKER, LATE], ids=["at once", "late"])
def test_without_workers_the_page_computes_itself(visit: Visit, refused: str) -> None:
    visit.open("#view=playground&start=2&heard=100&round=40", before=refused)
    visit.wait(lambda: visit.text(".transport output") == "generation 40 of 100")


def test_without_webassembly_there_is_a_sentence_and_the_rest_works(visit: Visit) -> None:
    gone = f"{NO_WASM};{NO_WORKER}"  # a worker has its own WebAssembly, which a page cannot take away
    visit.open("#view=playground&who=agents", before=gone)
    visit.wait(lambda: "WebAssembly" in visit.text(".notice[role=alert]"))
    assert visit.text(".transport output") == "stopped"
    visit.js("document.querySelector('#playground input[value=passing]').click()")
    visit.wait(lambda: visit.text(".transport output") == "generation 0 of 100")


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


@pytest.mark.parametrize("still", [False, True])
def test_nothing_moves_by_itself_where_less_motion_is_asked_for(visit: Visit, still: bool) -> None:
    visit.open("#step=3", still=still)
    rise = "document.querySelector('#play-3 button.main').click(); return arguments[0].textContent"
    verdict = visit.js("return document.querySelector('#play-3 .verdict')")
    assert bool(visit.js(rise, verdict)) == still, "the wall rises in one go only for those who ask for that"
    visit.js(f"{RECORD}; document.querySelector('#step-3 .more a').click()")
    visit.wait(lambda: visit.js("return scrolls.length"))
    assert visit.js("return scrolls") == ["auto" if still else "smooth"]
    took = "return [...document.querySelectorAll('*')].map((each) => getComputedStyle(each).transitionDuration)"
    assert (set(visit.js(took)) == {"0s"}) == still
    assert visit.js("return document.getAnimations().length") == 0 or not still


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_nothing_is_wider_than_the_screen(visit: Visit, size: tuple[int, int]) -> None:
    for fragment in ("#shown=3457&step=1", "#view=playground&start=Danish&round=9"):
        visit.open(fragment, size=size)
        time.sleep(0.5)
        assert visit.js("return document.documentElement.scrollWidth") <= size[0], fragment


@needs_axe
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
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
