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
    "#view=runs&list=runs": "tr[data-run] a",
    "#run=start-1": ".chart[data-drawn]",
    "#compare=start-1": ".suggested a",
    "#compare=start-1&compare=drift/start-3": "[data-chart=measure] .chart[data-drawn]",
    "#talk=start-1&n=3": ".exchange[data-number='3']",
}
"""Addresses of the views, and what is there when they are."""
SERIOUS = ("serious", "critical")
RUN = "const done = arguments[0]; axe.run({resultTypes: ['violations']}).then((found) => done(found.violations))"
INSIDE = "return document.getElementById('main').contains(document.activeElement)"


@pytest.fixture
def page(chrome: Chrome, served: str) -> Iterator[Page]:
    yield from watched(Page(chrome, served))
    screen(chrome)


@needs_axe
@pytest.mark.parametrize(("size", "dark"), [((1280, 900), False), ((390, 800), True)])
def test_axe_finds_nothing_serious(page: Page, size: tuple[int, int], dark: bool) -> None:
    screen(page.driver, size=size, dark=dark)
    script = AXE.read_text(encoding="utf-8")
    serious: list[str] = []
    for fragment, there in VIEWS.items():
        page.open(fragment)
        page.find(there)
        page.driver.execute_script(script)
        found: list[dict[str, Any]] = page.driver.execute_async_script(RUN)
        serious += [
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
        page.find("main :is(a[href], button, select, input):not([tabindex='-1'])")
        keys.send_keys(Keys.TAB).perform()
        page.wait(lambda: page.driver.execute_script(INSIDE))
        page.driver.execute_script("document.activeElement.blur(); document.getElementById('skip').focus()")


def test_keys_alone_choose_runs_and_lay_them_over_each_other(page: Page) -> None:
    page.open("#view=runs")
    page.find("tr[data-study]")
    keys = ActionChains(page.driver)
    assert _tab_to(page, ".lists button:nth-child(2)", 20)
    keys.send_keys(Keys.ENTER).perform()
    page.find("tr[data-run]")
    for name in ("start-1", "drift/start-3"):
        page.driver.execute_script("document.querySelector('input[type=search]').focus()")
        assert _tab_to(page, f'tr[data-run="{name}"] input', 40), name
        keys.send_keys(Keys.SPACE).perform()
    assert _tab_to(page, ".comparebar a", 20)
    keys.send_keys(Keys.ENTER).perform()
    page.find("[data-chart=path] .chart[data-drawn]")
    page.wait(lambda: page.driver.execute_script(INSIDE))
    assert _tab_to(page, ".chips button", 20)
    keys.send_keys(Keys.ENTER).perform()
    page.wait(lambda: len(page.texts(".chips li")) == 1)
    assert _tab_to(page, ".suggested a", 20)


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
