"""Everybody can use the page: axe-core on every view, light and dark, on a desk and on a phone; and keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import ActionChains, Chrome, Keys
from tests.browser import needs_browser, screen
from tests.explorer.page import Page, watched

pytestmark = needs_browser

AXE = Path(__file__).parents[2] / ".venv" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
needs_axe = pytest.mark.skipif(
    not AXE.exists(),
    reason=f"axe-core is not at {AXE}; where there is npm, `make .venv/.installed-dev` installs it",
)
VIEWS = {
    "": ".chart[data-drawn]",
    "#view=plane&y=irregularity&by=start": ".chart[data-drawn]",
    "#D=1-9,11,20&M=10,20&grammar=modified": ".answer .figures",
    "#view=kinds&language=English": ".cellcard[data-place]",
    "#view=runs": "a[href*='run=']",
    "#run=start-1": ".chart[data-drawn]",
    "#talk=start-1&n=3": ".exchange[data-number='3']",
}
"""Addresses of the views, and what is there when they are."""
SERIOUS = ("serious", "critical")
RUN = "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then((found) => done(found.violations))"


@pytest.fixture
def page(chrome: Chrome, served: str) -> Iterator[Page]:
    yield from watched(Page(chrome, served))
    screen(chrome)


@needs_axe
@pytest.mark.parametrize(("size", "dark"), [((1280, 900), False), ((390, 800), True)])
def test_axe_finds_nothing_serious(page: Page, size: tuple[int, int], dark: bool) -> None:
    screen(page.driver, size=size, dark=dark)
    script = AXE.read_text(encoding="utf-8")
    for fragment, there in VIEWS.items():
        page.open(fragment)
        page.find(there)
        page.driver.execute_script(script)
        found: list[dict[str, Any]] = page.driver.execute_async_script(RUN)
        serious = [
            f"{fragment}: {each['id']} ({each['impact']}): {node['target']} {node['failureSummary']}"
            for each in found
            if each["impact"] in SERIOUS
            for node in each["nodes"][:3]
        ]
        assert not serious, "\n".join(serious)


def test_keys_alone_go_through_all_views(page: Page) -> None:
    page.open()
    page.find(".chart[data-drawn]")
    keys = ActionChains(page.driver)
    for name in ("builder", "kinds", "runs", "talk", "plane"):
        assert _tab_to(page, f"nav a[data-view={name}]"), name
        keys.send_keys(Keys.ENTER).perform()
        page.wait(lambda name=name: page.find("nav [aria-current]").get_attribute("data-view") == name)
        # Who goes on by Tab is in the view, not in the header again.
        page.find("main h1")
        keys.send_keys(Keys.TAB).perform()
        inside = "return document.getElementById('main').contains(document.activeElement)"
        page.wait(lambda: page.driver.execute_script(inside))
        page.driver.execute_script("document.activeElement.blur(); document.getElementById('skip').focus()")


def _tab_to(page: Page, selector: str, most: int = 12) -> bool:
    is_there = "return document.activeElement.matches(arguments[0])"
    for _ in range(most):
        if page.driver.execute_script(is_there, selector):
            return True
        ActionChains(page.driver).send_keys(Keys.TAB).perform()
    return False


def test_what_has_the_focus_can_be_seen(page: Page) -> None:
    page.open()
    page.find(".chart[data-drawn]")
    _tab_to(page, "nav a[data-view=builder]")
    style = "const style = getComputedStyle(document.activeElement); return [style.outlineStyle, style.outlineWidth]"
    assert page.driver.execute_script(style) == ["solid", "3px"]
