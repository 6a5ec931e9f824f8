"""The page in a real browser: what a person does, and that it asks nobody else and complains about nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select
from tests.browser import asked_hosts, console_errors, needs_browser, screen
from tests.explorer.conftest import client_of
from tests.explorer.page import Page, watched

from ishango.cli import main
from ishango.evolution import Evolution, EvolutionOptions
from ishango.explorer import Site
from ishango.explorer._optima import Optima
from ishango.generations import GenerationOptions, Generations
from ishango.lab import run

pytestmark = needs_browser

ENGLISH = "#D=1-9,11&M=10&grammar=modified"


@pytest.fixture
def page(chrome: Chrome, served: str) -> Iterator[Page]:
    """The page of the played runs; at the end the console is silent and nobody else was asked."""
    yield from watched(Page(chrome, served))


def test_english_is_built_tile_by_tile_shared_and_reloaded(page: Page) -> None:
    page.open("#view=builder")
    page.click(".bench button.clear")
    page.wait(lambda: "multiplier" in page.text(".answer .notice"))
    for number in [*range(1, 10), 11, 10, 10]:  # ten twice: a digit first, then a multiplier
        page.tile(number).click()
    page.answered()
    assert urlsplit(page.driver.current_url).fragment == ENGLISH[1:]
    page.wait(lambda: page.figure("gap") != "–")
    assert (page.figure("size"), page.figure("average complexity"), page.figure("gap")) == ("11", "1.1937", "0.0010")
    assert page.texts(".numerals li:nth-child(21) span") == ["1 · 10 + 11"]
    assert "D 1–10   M 11" in page.text(".beside .system")
    assert page.text(".nearest li:first-child a") == "English"
    link = page.driver.current_url
    page.driver.get("about:blank")
    page.driver.get(link)
    page.answered()
    assert page.tile(11).get_attribute("data-role") == "digit"
    assert page.tile(10).get_attribute("data-role") == "multiplier"
    assert page.figure("average complexity") == "1.1937"
    page.wait(lambda: Select(page.find(".controls select")).first_selected_option.text == "English")


def test_a_language_is_beaten_and_the_address_says_which(page: Page) -> None:
    page.open(ENGLISH)
    page.answered()
    assert not page.find("[data-rival]").is_displayed()
    Select(page.find(".controls select")).select_by_visible_text("Danish")
    page.wait(lambda: "and so has yours" in page.text("[data-rival]"))
    page.tile(20).click()  # a multiplier of Danish: it becomes one that is said in another way
    page.answered()
    page.wait(lambda: "Against Danish" in page.text("[data-rival]") and "and so has" not in page.text("[data-rival]"))
    page.open("#D=1-12&M=10&grammar=modified&beat=Danish")
    page.wait(lambda: "You beat Danish: yours has as many words" in page.text("[data-rival]"))
    page.wait(lambda: page.driver.current_url.endswith("&beat=Danish"))


def test_the_builder_by_keyboard(page: Page) -> None:
    page.open("#D=1-4&M=5&grammar=hurford")
    page.answered()
    page.tile(1).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    page.driver.switch_to.active_element.send_keys("m")
    page.answered()
    active = page.driver.switch_to.active_element
    assert active.get_attribute("aria-label") == "12, multiplier"
    assert active.get_attribute("aria-pressed") == "true"
    active.send_keys("d")
    page.answered()
    assert page.tile(12).get_attribute("aria-label") == "12, digit and multiplier"
    active.send_keys(Keys.DELETE)
    page.answered()
    assert page.driver.current_url.endswith("#D=1-4&M=5&grammar=hurford")
    page.wait(lambda: "Size 5" in page.text("#status"))
    tabbable = page.driver.execute_script("return document.querySelectorAll('.tile:not([tabindex=\"-1\"])').length")
    assert tabbable == 1


def test_any_language_of_the_world_is_found_and_built(page: Page) -> None:
    page.open(ENGLISH)
    page.answered()
    page.find("input[name=language]").send_keys("dampel")
    page.wait(lambda: page.texts(".found button") and "Dampelas" in page.texts(".found button")[0])
    page.click(".found button")
    page.wait(lambda: "D=1-9&M=10&" in page.driver.current_url)
    page.answered()
    assert "languages and dialects have exactly these words" in page.text(".answer")
    assert not page.find(".found").is_displayed()
    assert "Numeralbank" in page.text("footer.site")


def test_back_takes_an_edit_back_and_leaves_the_keyboard_where_it_is(page: Page) -> None:
    page.open("#D=1-4&M=5&grammar=hurford")
    page.answered()
    page.tile(12).send_keys("m")
    page.answered()
    page.driver.back()
    page.wait(lambda: page.driver.current_url.endswith("#D=1-4&M=5&grammar=hurford"))
    page.answered()
    active = page.driver.switch_to.active_element
    assert (active.get_attribute("data-number"), active.get_attribute("data-role")) == ("12", "neither")


def test_answers_come_at_once(page: Page) -> None:
    """Not a measurement (see benchmarks.explorer), but the page's own clock must not be off by an order."""
    page.open(ENGLISH)
    page.answered()
    page.tile(20).click()
    page.answered()
    assert int(page.find("[data-answered]").get_attribute("data-milliseconds") or 10**9) < 3000


def test_a_trajectory_is_played_in_the_plane(page: Page) -> None:
    page.open()
    page.find(".chart[data-drawn]")
    assert "8 of 8" in page.text(".player output")
    whole = page.marks()
    page.click(".player .play")
    assert page.text(".player .play") == "Pause"
    page.wait(lambda: "8 of 8" not in page.text(".player output"))
    page.wait(lambda: page.text(".player .play") == "Play")
    assert "8 of 8" in page.text(".player output")
    slider = page.find(".player input")
    slider.send_keys(Keys.HOME)
    page.wait(lambda: "round 0 of 8" in page.text(".player output"))
    assert page.marks() == whole > 0  # every run is somewhere at every round
    page.click("details.card > summary")
    page.click('.card table a[href*="M=12"]')
    page.answered()


def test_points_of_the_plane_open_on_a_click(page: Page) -> None:
    points = {'[data-names*="English"]': ENGLISH, '.ends [data-run="start-1"]': "#run=start-1"}
    for selector, opens in points.items():
        page.open()
        page.find(".chart[data-drawn]")
        ActionChains(page.driver).click(page.find(f".chart svg {selector}")).perform()
        page.wait(lambda opens=opens: page.driver.current_url.endswith(opens))


def test_grammar_and_need_can_be_switched(page: Page) -> None:
    page.open()
    page.find(".chart[data-drawn]")
    Select(page.find(".controls select")).select_by_value("hurford")
    page.wait(lambda: "grammar=hurford" in page.driver.current_url)
    page.wait(lambda: "no runs under this grammar" in page.text(".card .note"))
    page.find(".chart[data-drawn]")


def test_one_run_in_detail(page: Page) -> None:
    page.open("#run=start-1")
    page.charts(5)
    assert "done" in page.text(".runhead .badge")
    assert "Round 6 of 6" in page.text(".actions")
    assert page.driver.execute_script("return scrollY") == 0
    sentence = page.text(".runhead .lead")
    assert sentence.startswith("Agents talk")
    for word in ("Start 1", "grammar", "need", "reward exact", "new words"):
        assert word in sentence
    assert page.texts(".settings tbody th")[:3] == ["rounds", "steps", "start"]  # what was chosen, then the rest
    assert "ishango evolve --start=1" in page.text(".command")
    Select(page.find("select[name=measure]")).select_by_value("size")
    page.wait(lambda: "words" in page.text("[data-chart=measure] svg text"))


def test_a_chart_is_an_image_with_a_name_of_its_own(page: Page) -> None:
    page.open("#run=start-1")
    page.find("[data-chart=measure] .chart[data-drawn]")
    names = "return [...document.querySelectorAll('.chart[data-drawn]')].map((each) => [each.role, each.ariaLabel])"
    found = page.driver.execute_script(names)
    assert {role for role, _ in found} == {"img"}
    assert len({name for _, name in found}) == len(found)
    assert not any("isualization" in name for _, name in found)


def test_nobody_is_said_to_talk_in_a_coins_run(page: Page) -> None:
    page.open("#run=drift/start-3")
    page.charts(4)
    assert page.text(".runhead .lead").startswith("Nobody talks in this run. Drift: chance keeps half")
    assert "steps a round" not in page.texts("dt")
    assert page.texts(".crumbs a") == ["Runs", "drift: drift"]


def test_generations_are_told_as_generations(chrome: Chrome, tmp_path: Path, optima: Optima) -> None:
    neural = GenerationOptions(agents="neural", rounds=2, imitation=5, steps=5, pretraining=5, population=2)
    run(Generations(GenerationOptions(rounds=20)), tmp_path / "ideal")
    run(Generations(neural), tmp_path / "neural")
    with client_of(Site(tmp_path, optima=optima)) as client:
        page = Page(chrome, str(client.base_url))
        page.open("#run=ideal")
        page.charts(3)  # the way it went, its words, and a measure: nobody talks
        assert "steps a round" not in page.texts("dt")
        page.open("#run=neural")
        page.charts(4)
        assert "steps a round" in page.texts("dt")
        assert page.driver.find_elements(By.LINK_TEXT, "Talk to its agents") == []


def test_agents_are_talked_to(page: Page) -> None:
    page.open("#view=talk")
    page.wait(lambda: "talk=start-1" in page.driver.current_url)
    page.wait(lambda: page.texts(".exchange[data-number='7'] .bubble"))
    page.tile(3).click()
    page.find(".exchange[data-number='3']")
    assert page.text(".bubble.meant strong") == "3"
    assert all(each.isalpha() for each in page.texts(".bubble.message kbd"))  # a symbol does not look like a number
    page.charts(2)
    assert len(page.texts("tbody tr")) == 50
    page.tile(3).send_keys(Keys.ARROW_RIGHT)
    page.find(".exchange[data-number='4']")
    assert page.driver.current_url.endswith("#talk=start-1&n=4")
    wrong = len(page.texts("tr.wrong"))
    assert len(page.texts(".tile.confused")) == wrong


def test_a_message_of_ones_own_is_never_cut_and_is_in_the_address(page: Page) -> None:
    page.open("#talk=start-1")
    keys = page.wait(lambda: page.driver.find_elements(By.CSS_SELECTOR, "[data-symbol='0']"))
    pressed = 0
    while page.find("[data-symbol='0']").is_enabled():
        page.click(f"[data-symbol='{pressed % 3}']")
        pressed += 1
        page.wait(lambda count=pressed: len(page.texts(".composed kbd")) == count)
        assert pressed < 40
    page.wait(lambda: f"More than {pressed} symbols it cannot hear" in page.text(".compose .verdict"))
    said = page.texts(".composed kbd")
    assert said[:3] == [each.text for each in page.driver.find_elements(By.CSS_SELECTOR, ".keys button")[:3]]
    assert page.driver.current_url.endswith("say=" + ".".join(str(i % 3) for i in range(pressed)))
    page.driver.refresh()
    page.wait(lambda: page.texts(".composed kbd") == said)
    page.click("[data-symbol=back]")
    page.wait(lambda: page.texts(".composed kbd") == said[:-1])
    assert page.find("[data-symbol='0']").is_enabled()
    page.click("[data-symbol=clear]")
    page.wait(lambda: not page.texts(".composed kbd"))
    assert "say=" not in page.driver.current_url
    assert keys


def test_kinds_are_moved_over_by_keys_and_mouse_and_a_language_has_its_region(page: Page) -> None:
    page.open("#view=kinds&precision=1&word=0.1&language=English&within=10")
    page.wait(lambda: page.text(".cellcard h2") == "exact restricted, exact up to 2")
    assert page.text(".cellcard .lexicon") == "Words 1, 2"
    assert page.text(".proof") == "Proved: no system costs less."
    plane = page.find(".phases svg")
    assert len(page.texts(".phases rect[class*=kind-]")) == 1600
    near = int(plane.get_attribute("data-inside") or 0)
    assert "7.5 %" in page.text("[data-region]")  # as the command has it: 120 of 1,600 cells
    assert near == 120
    place = int(page.find(".cellcard").get_attribute("data-place") or 0)
    plane.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.SHIFT, Keys.ARROW_LEFT)
    assert page.find(".cellcard").get_attribute("data-place") == str(place + 41 - 200)
    page.wait(lambda: "Precision 0.51" in page.text("#status"))
    page.wait(lambda: "precision=0.51" in page.driver.current_url)
    ActionChains(page.driver).move_to_element_with_offset(plane, 200, 0).click().move_by_offset(-150, 0).perform()
    assert "Not proved" in page.text(".proof")  # the click kept the cell
    assert len(page.texts(".strip span")) == 50
    Select(page.find("select[name=language]")).select_by_value("Pirahã")
    page.wait(lambda: "1|2-4|5-" in page.text("[data-region]"))
    page.wait(lambda: "language=Pirah" in page.driver.current_url)
    page.click(".nearest button")
    assert "recursive, " in page.text("[data-region]")


def test_what_is_not_there_is_said(page: Page) -> None:
    page.open("#run=nothing")
    page.wait(lambda: "no run 'nothing'" in page.text(".runpage [role=alert]"))
    # The browser itself notes a refused request in the console; that is the only thing it may say.
    errors = console_errors(page.driver)
    assert all("404" in each for each in errors)


@pytest.fixture
def empty(chrome: Chrome, tmp_path: Path, optima: Optima) -> Iterator[Page]:
    """A site without runs, in which runs can be started."""
    with client_of(Site(tmp_path, optima=optima)) as client:
        yield from watched(Page(chrome, str(client.base_url)))


def test_a_run_is_followed_live_started_and_stopped(empty: Page, tmp_path: Path) -> None:
    empty.open("#view=runs&list=runs")
    empty.wait(lambda: "no runs yet" in empty.text("main"))
    run(Evolution(EvolutionOptions(start="7", choose="coin", rounds=40)), tmp_path / "live")
    empty.wait(lambda: "done" in empty.text('tr[data-run="live"]'))  # without reloading

    empty.open("#D=1-4&M=5,10&grammar=modified")
    empty.answered()
    empty.click("details.beside summary")
    empty.click("details.advanced summary")
    for kind, name in (("add_rules", "any"), ("learners", "new"), ("judges", "mean")):
        Select(empty.find(f"form.launch select[name={kind}]")).select_by_value(name)
    for name, value in (("rounds", "1000"), ("steps", "300")):
        empty.driver.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
            empty.find(f"input[name={name}]"), value,
        )  # fmt: skip
    assert "1,000" in empty.text("form.launch output")
    for name, value in (("effort", "0.05"), ("word", "0.003")):
        field = empty.find(f"input[name={name}]")
        field.clear()
        field.send_keys(value)
    empty.click("form.launch button[type=submit]")
    empty.wait(lambda: "run=explorer/" in empty.driver.current_url)
    empty.wait(lambda: "running" in empty.text(".runhead .badge"))
    config = json.loads(next(tmp_path.glob("explorer/*/run.json")).read_text())["config"]
    assert [config[name] for name in ("add", "learners", "judge", "word")] == ["any", "new", "mean", 0.003]
    assert config["game"]["effort"] == 0.05
    round_shown = "return Number(document.querySelector('[data-round]')?.dataset.round ?? -1)"
    empty.wait(lambda: empty.driver.execute_script(round_shown) >= 2)
    empty.charts(5)
    empty.open()  # the page is closed and opened again: the run goes on
    empty.open("#view=runs&list=runs")
    empty.click('tr[data-run^="explorer/"] a')
    empty.wait(lambda: "running" in empty.text(".runhead .badge"))
    stop = empty.find(".actions button.stop")
    empty.wait(stop.is_displayed)
    stop.click()
    empty.wait(lambda: "interrupted" in empty.text(".runhead .badge"))
    empty.wait(lambda: not stop.is_displayed())  # the button is the same one all the while
    again = empty.find(".actions form.inline button")
    empty.wait(lambda: again.is_displayed() and again.text == "Continue")
    again.click()
    empty.wait(lambda: empty.text(".runhead .badge") in ("starting", "running"))
    empty.wait(stop.is_displayed)
    stop.click()
    empty.wait(lambda: "interrupted" in empty.text(".runhead .badge"))


@pytest.fixture
def exported(chrome: Chrome, played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Page]:
    """A snapshot of the played runs, opened from its file."""
    file = tmp_path / "page.html"
    assert main(["explore", str(played), "--export", str(file)]) == 0
    assert "2 runs" in capsys.readouterr().err
    yield from watched(Page(chrome, file.as_uri()))


def test_an_export_opens_without_a_server(exported: Page) -> None:
    exported.open()
    exported.charts(1)
    exported.open("#view=runs")
    exported.wait(lambda: len(exported.texts("tr[data-study]")) == 2)
    exported.open("#run=start-1")
    exported.charts(4)
    exported.open(ENGLISH)
    exported.answered()
    assert (exported.figure("average complexity"), exported.figure("gap")) == ("1.1937", "0.0010")
    switches = [
        len(Select(each).options) for each in exported.driver.find_elements(By.CSS_SELECTOR, ".controls select")
    ]
    assert switches[1:] == [2, 1]  # the paper's grammars, the paper's need
    exported.tile(50).click()  # the snapshot holds no answer for that, and the engine in it finds one
    exported.answered()
    exported.wait(lambda: exported.figure("average complexity") == "1.1932")
    assert not exported.driver.find_elements(By.CSS_SELECTOR, "form.launch")
    exported.open("#view=kinds&precision=1&word=0.1")
    exported.wait(lambda: exported.text(".cellcard .lexicon") == "Words 1, 2")
    assert not exported.driver.find_elements(By.CSS_SELECTOR, "nav [data-view=talk]")
    exported.open()
    exported.wait(lambda: exported.texts("ol.ended li"))
    assert not exported.driver.find_elements(By.CSS_SELECTOR, 'a[href^="#talk="], .choose input')
    exported.open("#D=1-9&M=10&grammar=natural")
    exported.wait(lambda: "asks for the grammar natural" in exported.text("main .notice"))
    exported.open("#view=talk")
    exported.wait(lambda: "snapshot" in exported.text("main .notice"))
    assert asked_hosts(exported.driver) == set()


@pytest.fixture
def phone(chrome: Chrome, served: str) -> Iterator[Page]:
    """The page of the played runs on a narrow screen, at night."""
    screen(chrome, size=(390, 844), dark=True)
    page = Page(chrome, served)
    yield from watched(page)
    page.open()
    chrome.execute_script("localStorage.clear()")
    screen(chrome)


def test_narrow_and_dark(phone: Page) -> None:
    driver = phone.driver
    for fragment in ("", ENGLISH, "#run=start-1", "#talk=start-1"):
        phone.open(fragment)
        phone.find(".chart[data-drawn] svg")
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 390
    phone.open("#view=kinds&language=Mandarin")
    phone.find(".cellcard[data-place]")
    assert driver.execute_script("return document.documentElement.scrollWidth") <= 390
    background = "return getComputedStyle(document.body).backgroundColor"
    dark = driver.execute_script(background)
    phone.click("#theme")
    assert driver.execute_script(background) != dark
    phone.open()
    assert driver.execute_script(background) != dark  # the choice is remembered
