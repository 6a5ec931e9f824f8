"""The plane and the builder in a real browser: groups, zoom, hover, steps of the Back button, phones, keys alone."""

from __future__ import annotations

from collections.abc import Iterator
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


def drawn(page: Page, held: str) -> list[Any]:
    """The places on the screen of what is drawn of such data."""
    return page.driver.execute_script(
        "return [...document.querySelectorAll('.chart svg path, .chart svg text')].filter((each) => {"
        f"const datum = each.__data__?.datum; return datum && ({held}); }}).map((each) => {{"
        "const box = each.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })"
    )


def settled(page: Page) -> None:
    page.find(".chart[data-drawn]")
    page.wait(lambda: "being" not in page.text(".card > .note"))


def test_agents_are_paths_controls_are_bands_and_each_can_be_switched(page: Page) -> None:
    page.open()
    page.find(".chart[data-drawn]")
    assert [text.split()[0] for text in page.texts(".groups tbody th")] == ["agents", "coin"]
    of_agents, of_coin = "datum.run === 'start-1'", "datum.run === 'drift/start-3'"
    assert drawn(page, of_agents)
    assert not drawn(page, of_coin)
    bands = "'median' in datum"
    assert drawn(page, bands)
    page.click('tr[data-group="coin"] input[data-how=bands]')
    page.wait(lambda: not drawn(page, bands))
    page.click('tr[data-group="coin"] input[data-how=paths]')
    page.wait(lambda: drawn(page, of_coin))
    page.click('tr[data-group="agents"] input[data-how=paths]')
    page.wait(lambda: not drawn(page, of_agents))


def test_a_run_is_isolated_when_the_mouse_is_on_it(page: Page) -> None:
    page.open()
    settled(page)
    page.click('tr[data-group="coin"] input[data-how=paths]')
    page.wait(lambda: drawn(page, "datum.run === 'drift/start-3'"))
    opacity = (
        "return [...document.querySelectorAll('.chart svg .mark-line path')].filter((each) => "
        "each.__data__?.datum?.run === arguments[0]).map((each) => Number(each.getAttribute('opacity') ?? 1))"
    )
    head = (
        "return [...document.querySelectorAll('.chart svg .mark-symbol path')].find((each) => "
        "each.__data__?.datum?.run === 'start-1')"
    )
    element = page.driver.execute_script(head)
    page.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    ActionChains(page.driver).move_to_element(element).perform()
    page.wait(lambda: max(page.driver.execute_script(opacity, "drift/start-3")) < 0.1)
    assert max(page.driver.execute_script(opacity, "start-1")) > 0.5
    # A line is met, too, a moment after the plane has come to rest; while it moves it is not there to be met.
    wide = "return document.querySelectorAll('.chart svg .mark-line path[stroke-width=\"9\"]').length"
    page.wait(lambda: page.driver.execute_script(wide) == 2)
    page.driver.execute_script("document.querySelector('.zoom button').click()")
    page.wait(lambda: page.driver.execute_script(wide) == 0)
    page.wait(lambda: page.driver.execute_script(wide) == 2)


def test_the_plane_is_zoomed_and_moved_by_buttons_keys_mouse_and_wheel(page: Page) -> None:
    page.open()
    settled(page)
    english = "datum.names === 'English' && datum.languages"

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
    assert page.driver.current_url.endswith("/")  # a drag is no click
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
    assert "proved for size and average complexity only" in page.text(".card > .note")
    assert drawn(page, "datum.run === 'start-1'")


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
    page.wait(lambda: drawn(page, "datum.data === 0"))
    ((left, top, width, height),) = drawn(page, "datum.data === 0")
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
        ".then((each) => done(each.figure.datasets[name]));", name
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
