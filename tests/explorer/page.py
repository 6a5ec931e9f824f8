"""What tests in a browser do with a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from tests.browser import asked_hosts, console_errors


class Page:
    """A browser at a site, with the waiting that tests need."""

    def __init__(self, driver: Chrome, address: str) -> None:
        self.driver, self.address = driver, address

    def open(self, fragment: str = "") -> None:
        self.driver.get("about:blank")
        self.driver.get(self.address + fragment)

    def wait(self, condition: Callable[[], Any], seconds: float = 60) -> Any:
        return WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(lambda _driver: condition())

    def find(self, selector: str) -> WebElement:
        return self.wait(lambda: next(iter(self.driver.find_elements(By.CSS_SELECTOR, selector)), None))

    def texts(self, selector: str) -> list[str]:
        """What elements say; read in one go, since the page may replace them meanwhile."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)", selector
        )

    def text(self, selector: str) -> str:
        return " ".join(self.texts(selector))

    def click(self, selector: str) -> None:
        """Click an element; one that the page replaced meanwhile (the list of runs is live) is looked for again."""
        element = self.find(selector)
        try:
            self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
            element.click()
        except StaleElementReferenceException:
            self.click(selector)

    def tile(self, number: int) -> WebElement:
        """A tile, moved out from under the header."""
        tile = self.find(f'.tile[data-number="{number}"]')
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", tile)
        return tile

    def charts(self, count: int) -> None:
        """So many charts are drawn."""
        self.wait(lambda: len(self.driver.find_elements(By.CSS_SELECTOR, ".chart[data-drawn] svg")) == count)

    def figure(self, name: str) -> str:
        return self.text(f'[data-figure="{name}"]')

    def answered(self) -> None:
        """The builder shows the answer for the address it is at."""
        self.wait(lambda: self.driver.execute_script(
            "return document.querySelector('[data-answered]')?.dataset.answered === location.hash"
        ))  # fmt: skip

    def marks(self, selector: str = "main") -> int:
        """Points and lines in the charts."""
        return self.driver.execute_script(
            "return document.querySelectorAll(arguments[0] + ' .chart svg :is(.ends circle:not([visibility=hidden]),"
            " .mark-symbol path)').length",
            selector,
        )


def watched(page: Page) -> Iterator[Page]:
    page.driver.get("about:blank")  # what the test before left open may go on asking a server that is gone
    console_errors(page.driver)
    asked_hosts(page.driver)
    yield page
    errors = console_errors(page.driver)
    assert errors == [], errors
    assert asked_hosts(page.driver) <= {urlsplit(page.address).hostname}
