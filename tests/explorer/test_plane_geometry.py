"""What the plane draws is true: every stroke of a path is parallel to an axis and none goes through the grey."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from benchmarks.explorer_server import explorer
from selenium.webdriver import Chrome
from tests.browser import needs_browser
from tests.explorer.page import Page, watched

from ishango.evolution import Evolution, EvolutionOptions
from ishango.lab import run

pytestmark = needs_browser
ROUNDS = 60
FALSE = """
const grey = document.querySelector(arguments[0] + ' .chart svg .mark-area path'), found = [];
let drawn = 0;
for (const path of document.querySelectorAll(arguments[0] + ' .chart svg :is(.mark-line, .bands) path')) {
  for (const part of (path.getAttribute('d') ?? '').split('M').slice(1)) {
    const texts = part.split(/[Lz]/i).map((each) => each.trim()).filter(Boolean);
    const places = texts.map((each) => each.split(/[ ,]+/).map(Number));
    for (let i = 1; i < places.length; i++) {
      const [[a, b], [c, d]] = [places[i - 1], places[i]];
      drawn += 1;
      if (Math.min(Math.abs(a - c), Math.abs(b - d)) > 0.75) found.push(['slanted', a, b, c, d]);
      for (let share = 0.1; share < 1; share += 0.2) {
        const point = new DOMPoint(a + share * (c - a) + 0.4, b + share * (d - b) - 1.5);
        if (grey.isPointInFill(point)) found.push(['in the grey', a, b, c, d]);
      }
    }
  }
}
return [drawn, found.slice(0, 5)];
"""
"""All strokes of all lines, as the browser has them: how many there are, and which of them are false."""


@pytest.fixture(scope="module")
def drifting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with runs of one colour that go a long way."""
    directory = tmp_path_factory.mktemp("drifting")
    for start in range(1, 7):
        run(
            Evolution(EvolutionOptions(start=str(start), rounds=ROUNDS, choose="coin", seed=start)),
            directory / str(start),
        )
    with explorer(directory) as address:
        yield address


@pytest.fixture
def page(chrome: Chrome, drifting: str) -> Iterator[Page]:
    yield from watched(Page(chrome, drifting))


def strokes(page: Page, inside: str = "main") -> tuple[int, list[Any]]:
    drawn, false = page.driver.execute_script(FALSE, inside)
    return drawn, false


def go_to(page: Page, number: int) -> None:
    page.driver.execute_script(
        "const slider = document.querySelector('.player input'); slider.value = arguments[0];"
        "slider.dispatchEvent(new Event('input', {bubbles: true}))", number
    )  # fmt: skip
    page.driver.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 60))")


def test_ten_rounds_forward_and_back_every_stroke_is_true(page: Page) -> None:
    page.open()
    page.find(".chart[data-drawn]")
    page.wait(lambda: "being" not in page.text(".card > .note"))
    page.driver.execute_script(
        "document.querySelectorAll('input[data-how=paths]:not(:checked)').forEach((each) => each.click())"
    )
    page.wait(lambda: strokes(page)[0] > 100)
    page.click(".zoom button:nth-child(4)")
    whole = page.wait(lambda: strokes(page)[0])
    counts = {}
    for number in (0, 6, 12, 20, 28, 35, 41, 48, 55, 60, 55, 48, 41, 35, 28, 20, 12, 6, 0, 60):
        go_to(page, number)
        drawn, false = strokes(page)
        assert not false, f"round {number}: {false}"
        assert counts.setdefault(number, drawn) == drawn, f"round {number}"
    assert counts[0] < counts[20] < counts[41] < counts[60]
    assert counts[60] == whole


def test_a_group_is_a_median_with_a_band_and_dots_until_paths_are_asked_for(page: Page) -> None:
    page.open()
    page.find(".chart[data-drawn]")
    count = "return [...arguments].map((each) => document.querySelectorAll('.chart svg ' + each).length)"
    bands, medians, ways, ends = page.driver.execute_script(
        count, ".bands path", ".medians path", ".ways path", ".ends circle"
    )
    assert bands == medians > 0
    assert (ways, ends) == (1, 6)  # one run is featured
    page.click('tr[data-group="drift"] input[data-how=paths]')
    page.wait(lambda: page.driver.execute_script(count, ".ways path") == [6])


def test_a_band_shows_nothing_of_what_comes_after_the_round(page: Page) -> None:
    page.open()
    page.find(".chart[data-drawn]")
    points = "return [...document.querySelectorAll('.medians path')].map((each) => each.getAttribute('d')).join('')"
    seen = []
    for number in (0, 20, ROUNDS):
        go_to(page, number)
        seen.append(page.driver.execute_script(points).count("L"))
    assert seen[0] < seen[1] < seen[2]


def test_runs_that_are_laid_over_each_other_are_played_as_truly(page: Page) -> None:
    page.open("#" + "&".join(f"compare={name}" for name in range(1, 5)))
    page.find("[data-chart=path] .chart[data-drawn]")
    page.wait(lambda: strokes(page, "[data-chart=path]")[0] > 100)
    whole = strokes(page, "[data-chart=path]")[0]
    for number in (5, 30, 60, 30, 5, 60):
        go_to(page, number)
        drawn, false = strokes(page, "[data-chart=path]")
        assert not false, f"round {number}: {false}"
    assert drawn == whole
    # Groups of two, and what their test says.
    page.open("#compare=1&compare=2")
    page.find("[data-chart=groups] .chart[data-drawn]")
    assert "No test: " in page.text(".verdict")
