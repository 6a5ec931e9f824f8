"""The plane and the builder in a real browser: groups, zoom, hover, steps of the Back button, phones, keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from selenium.webdriver.support.ui import Select
from tests.browser import needs_browser, screen
from tests.explorer.page import Page, watched

pytestmark = needs_browser


@pytest.fixture
def page(chrome: Chrome, served: str) -> Iterator[Page]:
    """The page of the played runs; at the end the console is silent and nobody else was asked."""
    yield from watched(Page(chrome, served))


def drawn(page: Page, selector: str) -> list[Any]:
    """The places on the screen of what is drawn."""
    return page.driver.execute_script(
        "return [...document.querySelectorAll('.chart svg ' + arguments[0])].map((each) => {"
        "const box = each.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })", selector
    )  # fmt: skip


def settled(page: Page) -> None:
    page.find(".chart[data-drawn]")
    page.wait(lambda: "being" not in page.text(".card > .note"))


AGENTS, DRIFT = '.ways path[data-run="start-1"]', '.ways path[data-run="drift/start-3"]'
HEAD = '.ends [data-run="start-1"]'


def test_too_few_runs_for_a_band_are_drawn_as_paths_and_each_can_be_switched(page: Page) -> None:
    page.open()
    settled(page)
    assert [text.split()[0] for text in page.texts(".groups tbody th")] == ["agents", "drift"]
    assert drawn(page, AGENTS)
    assert drawn(page, DRIFT)
    assert "too few runs for a band" in page.text('tr[data-group="drift"] .few')
    page.click('tr[data-group="drift"] input[data-how=bands]')
    page.wait(lambda: not drawn(page, DRIFT))
    page.click('tr[data-group="drift"] input[data-how=paths]')
    page.wait(lambda: drawn(page, DRIFT))
    page.wait(lambda: "show=drift:ep" in page.driver.current_url)
    page.driver.refresh()
    settled(page)
    assert drawn(page, DRIFT)
    assert not page.find('tr[data-group="drift"] input[data-how=bands]').is_selected()


def test_a_run_is_isolated_while_the_mouse_is_on_it_and_not_longer(page: Page) -> None:
    page.open()
    settled(page)
    opacity = "return Number(getComputedStyle(document.querySelector(arguments[0])).opacity)"
    element = page.find(HEAD)
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    ActionChains(page.driver).move_to_element(element).perform()
    page.wait(lambda: page.driver.execute_script(opacity, DRIFT) < 0.1)
    assert page.driver.execute_script(opacity, AGENTS) > 0.5
    said = page.text(".tooltip")
    assert "Agents, start 1, seed 0" in said
    assert "gap to the frontier" in said
    box = page.driver.execute_script(
        "const box = document.querySelector('.tooltip').getBoundingClientRect();"
        "return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight"
    )
    assert box
    ActionChains(page.driver).move_to_element(page.find("footer")).perform()
    page.wait(lambda: page.driver.execute_script(opacity, DRIFT) > 0.5)
    assert not page.find(".tooltip").is_displayed()


def test_round_window_and_groups_are_in_the_address(page: Page) -> None:
    page.open()
    settled(page)
    page.click(".zoom button:nth-child(1)")
    page.driver.execute_script(
        "const slider = document.querySelector('.player input'); slider.value = 3;"
        "slider.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    page.wait(lambda: "round=3" in page.driver.current_url and "seen=" in page.driver.current_url)
    before = drawn(page, HEAD)
    page.driver.refresh()
    settled(page)
    assert page.text(".player output").startswith("round 3 of")
    assert drawn(page, HEAD)[0][0] == pytest.approx(before[0][0], abs=1)


def test_a_chart_can_be_taken_away(page: Page, tmp_path: Path) -> None:
    folder = {"behavior": "allow", "downloadPath": str(tmp_path)}
    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", folder)
    page.open()
    settled(page)
    page.click(".saving summary")
    for kind in ("svg", "png", "csv"):
        page.click(f".saving [data-save={kind}]")
        (file,) = page.wait(lambda kind=kind: list(tmp_path.glob(f"*.{kind}")))
        content = file.read_bytes()
        if kind == "svg":
            assert b"var(" not in content
            assert b"mark-line" in content
        elif kind == "png":
            assert content.startswith(b"\x89PNG")
        else:
            assert b"English" in content
    page.open("#run=start-1")
    page.click("[data-chart=lexicon] .saving summary")
    page.click("[data-chart=lexicon] [data-save=svg]")
    assert page.wait(lambda: list(tmp_path.glob("its-words*.svg")))


def test_the_plane_is_zoomed_and_moved_by_buttons_keys_mouse_and_wheel(page: Page) -> None:
    page.open()
    settled(page)
    english = '[data-names="English"]'

    def place() -> list[float]:
        return drawn(page, english)[0]

    before = place()
    page.click(".zoom button:nth-child(1)")
    page.wait(lambda: place() != before)
    page.click(".zoom button:nth-child(3)")
    page.wait(lambda: place() == before)
    chart = page.find(".chart")
    chart.send_keys(Keys.ARROW_RIGHT)
    page.wait(lambda: place()[0] < before[0])
    chart.send_keys("0")
    page.wait(lambda: place() == before)
    middle = ActionChains(page.driver).move_to_element(chart)
    middle.click_and_hold().move_by_offset(40, 0).release().perform()
    page.wait(lambda: abs(place()[0] - before[0] - 40) < 3)
    assert "run=" not in page.driver.current_url  # a drag is no click
    page.driver.execute_script(
        "const box = arguments[0].getBoundingClientRect(); arguments[0].dispatchEvent(new WheelEvent('wheel', "
        "{ctrlKey: true, deltaY: -50, clientX: box.left + 300, clientY: box.top + 200, cancelable: true}))",
        chart,
    )
    page.wait(lambda: abs(place()[0] - before[0] - 40) > 3)
    page.click(".zoom button:nth-child(4)")
    page.wait(lambda: chart.get_attribute("data-zoomed") == "yes")


def test_axes_are_chosen_from_all_costs(page: Page) -> None:
    page.open()
    page.find(".chart[data-drawn]")
    assert len(Select(page.find("select[name=x]")).options) >= 10
    Select(page.find("select[name=y]")).select_by_value("irregularity")
    page.wait(lambda: page.driver.current_url.endswith("y=irregularity"))
    page.wait(lambda: "irregularity (bits)" in page.text(".chart svg text"))
    settled(page)
    assert "proved for size and average complexity only" in page.text(".lead")
    assert "Nothing can lie in the grey" not in page.text(".lead")
    assert drawn(page, HEAD)


def test_who_ended_nearest_is_said_and_can_be_talked_to(page: Page) -> None:
    page.open()
    page.click('ol.ended a[href="#talk=start-1"]')
    page.wait(lambda: "talk=start-1" in page.driver.current_url)


def test_loading_has_its_own_words_at_once(page: Page) -> None:
    page.open("#view=builder")
    page.answered()
    page.driver.execute_script("location.hash = 'view=plane'; window.seen = null;"
        "new MutationObserver(() => { window.seen ??= document.querySelector('.loading')?.textContent ?? null; })"
        ".observe(document.getElementById('main'), {childList: true});")  # fmt: skip
    page.wait(lambda: page.driver.execute_script("return window.seen") == "Loading the plane …")
    page.find(".chart[data-drawn]")
    assert not page.texts(".loading")


def test_what_is_built_lies_inside_the_axes_and_above_the_grey(page: Page) -> None:
    page.open("#D=1-30&M=31-60")
    page.answered()
    page.wait(lambda: max((row["x"] for row in data(page, "bound")), default=0) >= 60)
    page.wait(lambda: drawn(page, ".here"))
    ((left, top, width, height),) = drawn(page, ".here")
    frame = page.driver.execute_script(
        "const box = document.querySelector('.chart svg').getBoundingClientRect();"
        "return [box.left, box.top, box.right, box.bottom]"
    )
    assert frame[0] < left < left + width < frame[2]
    assert frame[1] < top < top + height < frame[3]
    bound = next(row["y"] for row in data(page, "bound") if row["x"] == 60)
    assert float(page.figure("average complexity")) > bound


def data(page: Page, name: str) -> list[dict[str, float]]:
    return page.driver.execute_async_script(
        "const [name, done] = arguments; fetch('api/map?size=60').then((each) => each.json())"
        ".then((each) => done(each.tables[name]));", name
    )  # fmt: skip


def test_each_edit_is_a_step_of_the_back_button_and_clearing_is_undone(page: Page) -> None:
    page.open("#D=1-4&M=5&grammar=modified")
    page.answered()
    page.tile(6).click()
    page.answered()
    page.tile(7).click()
    page.answered()
    assert "D=1-4,6,7" in page.driver.current_url
    page.driver.back()
    page.answered()
    assert page.tile(7).get_attribute("data-role") == "neither"
    assert page.figure("size") == "6"
    page.driver.back()
    page.answered()
    assert page.figure("size") == "5"
    page.driver.forward()
    page.answered()
    assert page.figure("size") == "6"
    page.click("button.clear")
    page.wait(lambda: "D=none" in page.driver.current_url)
    page.click("button.undo")
    page.answered()
    assert page.figure("size") == "6"
    assert not page.find("button.undo").is_displayed()


@pytest.fixture
def phone(chrome: Chrome, served: str) -> Iterator[Page]:
    screen(chrome, size=(390, 800))
    yield from watched(Page(chrome, served))
    screen(chrome)


def test_on_a_phone_a_number_is_made_both_and_the_summary_stays_in_sight(phone: Page) -> None:
    phone.open("#D=1-4&M=5&grammar=modified")
    phone.answered()
    for role in ("digit", "multiplier", "both", "neither", "digit", "multiplier", "both"):
        phone.tile(20).click()
        assert phone.tile(20).get_attribute("data-role") == role
    phone.answered()
    assert "D=1-4,20&M=5,20" in phone.driver.current_url
    in_sight = (
        "const box = document.querySelector('.glance').getBoundingClientRect();"
        "return box.top >= 0 && box.bottom <= innerHeight && box.height > 10"
    )
    assert phone.driver.execute_script(in_sight)
    assert "7 words" in phone.text(".glance")
