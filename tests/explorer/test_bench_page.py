"""The list of runs, a run's page and what they say when there is nothing to show, in a real browser."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.support.ui import Select
from tests.browser import needs_browser, screen
from tests.explorer.conftest import client_of
from tests.explorer.page import Page, watched

from ishango.explorer import Site
from ishango.explorer import _found_runs as runs
from ishango.explorer._found_runs import Runs
from ishango.explorer._optima import Optima

pytestmark = needs_browser
SEEDS = 60


@pytest.fixture(scope="module")
def many(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty runs of a coin, two of agents, one that cannot be read."""
    site = tmp_path_factory.mktemp("many")
    for i in range(SEEDS):
        copy(played / "drift" / "start-3", site / "coins" / f"seed-{i}", seed=i, word=0.001 * (i % 2))
    for i in range(2):
        copy(played / "start-1", site / "agents" / f"seed-{i}", seed=i)
    (site / "bad").mkdir()
    (site / "bad" / "run.json").write_text("{")
    return site


def copy(pattern: Path, run: Path, **config: object) -> None:
    shutil.copytree(pattern, run)
    document = json.loads((run / "run.json").read_text())
    document["config"] |= config
    (run / "run.json").write_text(json.dumps(document))


@pytest.fixture(scope="module")
def address(many: Path, optima: Optima) -> Iterator[str]:
    with client_of(Site(many, optima=optima)) as client:
        yield str(client.base_url)


@pytest.fixture
def page(chrome: Chrome, address: str) -> Iterator[Page]:
    yield from watched(Page(chrome, address))


def test_runs_are_listed_by_study_and_filters_are_in_the_address(page: Page, tmp_path: Path) -> None:
    page.open("#view=runs")
    page.wait(lambda: len(page.texts("tr[data-level]")) == 3)
    assert page.texts("tr[data-level] td[data-label=runs]") == ["2", "60", "1"]  # agents first, what is damaged last
    page.click("tr[data-level]:nth-child(2) button.open")
    page.wait(
        lambda: page.texts("tr[data-level='1'] td[data-label=runs]") == ["30", "30"]
    )  # what varies: a word's price
    assert any("word 0.001" in text for text in page.texts("tr[data-level='1'] th"))
    assert "–" in page.text("tr[data-level='1'] td[data-label='median gap']")  # median and spread
    page.wait(lambda: len(page.texts(".sparkline path.middle")) == 3)
    assert page.texts(".nearestruns li a:first-child")[0].startswith("Agents, start")

    page.click("tr[data-level='1'] button.open")
    page.wait(lambda: len(page.texts(".innerbox tr[data-run]")) == 25)
    page.click(".innerbox .pager button:last-child")
    page.wait(lambda: len(page.texts(".innerbox tr[data-run]")) == 5)

    Select(page.find("select[name=more]")).select_by_value("word")
    Select(page.find("select[name='f.word']")).select_by_value("0.001")
    page.wait(lambda: page.texts("tr[data-level] td[data-label=runs]") == ["30"])
    page.click(".lists button:nth-child(2)")
    page.wait(lambda: len(page.texts("tr[data-run]")) == 30)
    page.find("input[type=search]").send_keys("seed-5")
    page.wait(lambda: len(page.texts("tr[data-run]")) == 6)  # 5, 51, 53, 55, 57, 59
    page.click("button[data-sort=seed]")
    page.click("button[data-sort=seed]")
    page.wait(lambda: page.texts("tr[data-run] td[data-label=seed]")[0] == "59")
    link = page.driver.current_url
    assert {"list=runs", "q=seed-5", "f.word=0.001", "sort=-seed"} <= set(unquote(link).split("#")[1].split("&"))

    page.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    page.click(".lists button:nth-child(3)")
    file = tmp_path / "runs.csv"
    page.wait(lambda: file.exists() and file.read_text().endswith("\n"))
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert len(rows) == 6
    assert {(row["who_decides"], row["state"], row["directory"]) for row in rows} == {("drift", "done", "coins")}

    page.open(link.split("/")[-1] if "#" not in link else "#" + link.split("#")[1])
    page.wait(lambda: page.texts("tr[data-run] td[data-label=seed]")[:2] == ["59", "57"])
    page.click(".filters > button")
    page.wait(lambda: "1–50 of 63 runs" in page.text(".pager"))
    page.click(".pager button:last-child")
    page.wait(lambda: len(page.texts("tr[data-run]")) == 13)
    assert "unreadable: run.json cannot be read" in page.text('tr[data-run="bad"]')
    page.driver.back()
    page.wait(lambda: len(page.texts("tr[data-run]")) == 50)


def test_runs_are_laid_over_each_other(page: Page) -> None:
    page.open("#view=runs&list=runs&sort=run")
    for name in ("agents/seed-0", "coins/seed-3"):
        page.click(f'tr[data-run="{name}"] input')
    page.click(".comparebar a")
    page.charts(3)  # of two runs one is of their groups
    assert page.texts(".compared thead .path") == ["agents/seed-0", "coins/seed-3"]
    assert {"choose", "seed", "start"} <= set(page.texts(".compared th[scope=row]"))
    Select(page.find("select[name=add]")).select_by_value("agents/seed-1")
    page.wait(lambda: len(page.texts(".chips li")) == 3)
    page.charts(2)
    page.click(".chips button")
    named = "return [...document.querySelectorAll('.chips a')].map((each) => each.title)"
    page.wait(lambda: page.driver.execute_script(named) == ["coins/seed-3", "agents/seed-1"])
    page.charts(3)
    row = "[...document.querySelectorAll('.compared tr')].find((each) => each.firstChild.textContent === 'choose')"
    assert (
        page.driver.execute_script(f"return {row}.textContent") == "choosedriftagents"
    )  # in words, not as in the config
    page.click(".chips li:last-child button")
    page.wait(lambda: len(page.texts(".chips li")) == 1)
    offered = [text.strip() for text in page.texts(".suggested .note:not(.path)")]
    assert offered == ["the same with another seed", "of all others, nearest the frontier"]
    assert "error" not in (page.find("main .notice").get_attribute("class") or "")
    page.click(".suggested a")
    page.wait(lambda: len(page.texts(".chips li")) == 2)


def test_agents_are_held_against_drift_with_the_colours_of_the_plane(page: Page) -> None:
    page.open("#view=runs")
    page.wait(lambda: page.texts("tr[data-level]"))
    assert not page.find(".versus").text.startswith("Agents")  # they share no start
    page.open("#compare=agents/seed-0&compare=coins/seed-3&compare=agents/seed-1")
    page.wait(lambda: len(page.texts(".chips .group-agents-1")) == 1)
    assert len(page.texts(".chips .group-agents")) == len(page.texts(".chips .group-drift")) == 1
    page.find("[data-chart=path] .chart[data-drawn]")
    line = "return document.querySelector('[data-chart=path] .chart svg [stroke=\"#d55e00\"]') !== null"
    assert page.driver.execute_script(line)
    page.open("#compare=")
    page.wait(lambda: page.text("h1") == "Runs")


def test_several_directories_are_open_at_once(page: Page) -> None:
    page.open("#view=runs")
    page.wait(lambda: page.texts("tr[data-level]"))
    for name in ("agents", "coins"):
        page.click(f"button.open[aria-label$=' {name}']")
        page.wait(
            lambda name=name: page.find(f"button.open[aria-label$=' {name}']").get_attribute("aria-expanded") == "true"
        )
    expanded = "return document.querySelectorAll('button.open[aria-expanded=true]').length"
    assert page.driver.execute_script(expanded) == 2
    page.driver.refresh()
    page.wait(lambda: page.driver.execute_script(expanded) == 2)
    page.click("button.open[aria-label$=' agents']")
    page.wait(lambda: page.driver.execute_script(expanded) == 1)
    assert "open=" in page.driver.current_url


def test_arrow_keys_follow_the_grid_and_both_ways_to_count_are_told(page: Page) -> None:
    for width, row in ((1280, 25), (390, 10)):
        screen(page.driver, size=(width, 900))
        page.open("#talk=agents/seed-0&n=3")
        page.find(".exchange[data-number='3']")
        page.tile(3).send_keys(Keys.ARROW_DOWN)
        page.find(f".exchange[data-number='{3 + row}']")
        assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
    screen(page.driver)
    right = 50 - len(page.texts("tr.wrong"))
    assert page.figure("numbers understood") == f"{right} of 50"
    assert "every number counts alike" in page.text(".score")
    by_need = float(page.figure("of what is said").split()[0]) / 100
    weights = [n**-2 for n in range(1, 51)]
    confused = [int(each) - 1 for each in page.texts(".tile.confused")]
    assert by_need == pytest.approx(1 - sum(weights[i] for i in confused) / sum(weights), abs=0.006)


def test_each_state_has_its_own_words(
    chrome: Chrome, many: Path, optima: Optima, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = Runs.listed
    hurry: list[bool] = []

    def slowly(some: Runs) -> object:
        from time import sleep

        while not hurry:
            sleep(0.05)
        return listed(some)

    monkeypatch.setattr(Runs, "listed", slowly)
    with client_of(Site(many, optima=optima)) as client:
        page = Page(chrome, str(client.base_url))
        page.open("#view=runs")
        page.wait(lambda: "Looking for runs" in page.text("[data-waiting=reading]"))
        hurry.append(True)
        page.wait(lambda: len(page.texts("tr[data-level]")) == 3)
        assert page.texts("main .notice") == []
    page.wait(lambda: "has not answered since" in page.text("[data-waiting=gone]"))
    assert not page.find(".runs").is_displayed()  # no stale table
    monkeypatch.setattr(runs, "MOST_RUNS", 10)
    with client_of(Site(many, optima=optima)) as client:
        page = Page(chrome, str(client.base_url))
        page.open("#view=runs")
        page.wait(lambda: "Only the first 10 runs" in page.text("main .notice"))
        assert client.get("/api/bench").json()["limit"] == client.get("/api/plane").json()["limit"] == 10
    chrome.get_log("browser")  # that nobody answers is in the console, too


def test_what_is_looked_at_in_a_comparison_is_in_the_address(page: Page) -> None:
    """Round, measure and groups: who opens the link sees the same."""
    page.open("#compare=agents/seed-0&compare=coins/seed-3")
    page.find("[data-chart=measure] .chart[data-drawn]")
    page.find("[data-chart=groups] .chart[data-drawn]")
    for name, value in {"measure": "size", "whole": "starts"}.items():
        _set(page, f"select[name={name}]", value, "change")
    _set(page, ".player input", "2", "input")
    address = "return location.hash"
    page.wait(lambda: "round=2&measure=size&groups=starts" in page.driver.execute_script(address))
    fragment = page.driver.execute_script(address)
    page.open(fragment)
    page.find("[data-chart=measure] .chart[data-drawn]")
    page.wait(lambda: page.text(".player output").startswith("round 2 of"))
    values = (
        "return [...document.querySelectorAll('select[name=measure], select[name=whole]')].map((each) => each.value)"
    )
    assert sorted(page.driver.execute_script(values)) == ["size", "starts"]
    assert page.driver.execute_script(address) == fragment


def _set(page: Page, selector: str, value: str, event: str) -> None:
    script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event(arguments[2]))"
    page.driver.execute_script(script, page.find(selector), value, event)
