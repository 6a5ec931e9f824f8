"""The page in a browser: everything is drawn, nothing is asked for elsewhere."""

import pytest
from selenium.webdriver.support.wait import WebDriverWait
from tests.browser import asked_hosts, browser, console_errors, needs_browser

from ishango.report.sections import FIGURES


@needs_browser
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_opens(reproduction, tmp_path, dark, width):
    with browser(tmp_path, size=(width, 900), dark=dark) as driver:
        driver.get((reproduction / "index.html").as_uri())
        WebDriverWait(driver, 60).until(lambda each: each.execute_script("return document.body.dataset.drawn"))
        assert driver.execute_script("return document.body.dataset.drawn") == ("dark" if dark else "light")
        assert console_errors(driver) == []
        assert asked_hosts(driver) == set()
        charts = driver.execute_script(
            "return [...document.querySelectorAll('.chart svg.marks')].map(e => e.clientWidth)"
        )
        assert len(charts) == len(FIGURES)
        assert min(charts) > 100
        assert "Tiny reproduction" in driver.find_element("css selector", "header").text
        # Wide tables and charts scroll within themselves, the page does not.
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width


@needs_browser
def test_the_browser_notices_what_is_wrong(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<script>console.error('no'); fetch('http://127.0.0.1:1/x').catch(() => 0)</script>")
    with browser(tmp_path / "profile") as driver:
        driver.get(page.as_uri())
        WebDriverWait(driver, 20).until(lambda each: asked_hosts(each) == {"127.0.0.1"})
        assert any("no" in message for message in console_errors(driver))
