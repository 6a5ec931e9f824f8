"""What another package adds to a registry is on the page: in the lists of the API, in its checks, in the switches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import httpx
import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.support.ui import Select
from tests.browser import needs_browser
from tests.explorer.conftest import client_of
from tests.explorer.page import Page, watched

from ishango.evolution import CHOOSERS, MODIFICATIONS, Chooser, Decision, Evolution, EvolutionOptions
from ishango.explorer import Site
from ishango.explorer._builder import Choices
from ishango.explorer._optima import NEED, NEEDS, Optima
from ishango.explorer._run_page import modifications_of
from ishango.explorer._summaries import who_decides
from ishango.lab import run
from ishango.numerals import GRAMMARS
from ishango.registry import Registry

NEW_RUN: dict[str, Any] = {"digits": [1, 2, 3, 4], "multipliers": [5, 10], "rounds": 3}

STUBBORN = Chooser("stubborn", "a stubborn one", "nothing is ever kept", False, lambda _question: Decision(False))


@pytest.fixture(scope="module", autouse=True)
def _added() -> Iterator[None]:
    """A chooser, as an installed package would add it."""
    CHOOSERS.add(STUBBORN)
    yield
    CHOOSERS.remove(STUBBORN.name)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, optima: Optima) -> Iterator[httpx.Client]:
    """A site with a run in which the new chooser decided; no run can be started in it."""
    directory = tmp_path_factory.mktemp("extended")
    run(Evolution(EvolutionOptions(choose=STUBBORN.name, rounds=3)), directory / "one")
    with client_of(Site(directory, most_runs=0, optima=optima)) as client:
        yield client


@pytest.fixture
def page(chrome: Chrome, site: httpx.Client) -> Iterator[Page]:
    yield from watched(Page(chrome, str(site.base_url)))


def options(page: Page, selector: str) -> dict[str, str]:
    """The values and texts of a switch."""
    return {str(each.get_attribute("value")): each.text for each in Select(page.find(selector)).options}


def test_the_lists_are_those_of_the_registries(site: httpx.Client) -> None:
    choices = Choices.model_validate(site.get("/api/choices").raise_for_status().json())
    assert [each.name for each in choices.grammars] == list(GRAMMARS)
    assert [each.name for each in choices.needs] == list(NEEDS)
    assert [each.name for each in choices.choosers] == list(CHOOSERS)
    assert [each.name for each in choices.modifications] == list(MODIFICATIONS)
    added = choices.choosers[-1]
    assert (added.name, added.label, added.sentence) == (STUBBORN.name, STUBBORN.label, STUBBORN.sentence)
    assert [each.uses_agents for each in choices.choosers] == [each.uses_agents for each in CHOOSERS.values()]


def test_a_new_chooser_may_decide_and_an_unknown_one_is_refused(site: httpx.Client) -> None:
    accepted = site.post("/api/runs/start", json={**NEW_RUN, "choose": STUBBORN.name})
    assert accepted.status_code == 429  # it passed the door; this site starts no runs
    alone = site.post("/api/runs/start", json={**NEW_RUN, "choose": "law"})
    assert alone.status_code == 409
    assert "nothing costs" in alone.json()["error"]
    refused = site.post("/api/runs/start", json={**NEW_RUN, "choose": "stubbron"})
    assert refused.status_code == 422
    assert refused.json()["error"] == f"choose: must be {', '.join(list(CHOOSERS)[:-1])} or stubborn."
    schema = site.get("/openapi.json").json()["components"]["schemas"]["NewRun"]
    assert schema["properties"]["choose"]["enum"] == list(CHOOSERS)


def test_nobody_talks_where_a_chooser_uses_no_agents(site: httpx.Client) -> None:
    assert [each["can_talk"] for each in site.get("/api/runs").json()] == [False]
    answer = site.get("/api/dictionary", params={"name": "one"})
    assert answer.status_code == 409
    assert "Nobody talks" in answer.json()["error"]


@needs_browser
def test_a_new_chooser_is_in_the_list_of_runs_and_in_the_form(page: Page) -> None:
    page.open("#view=runs&list=runs")
    page.wait(lambda: page.texts('tr[data-run="one"] td[data-label="who decides"]') == [STUBBORN.label])
    page.open("#D=1-4&M=5,10&grammar=modified")
    page.answered()
    page.click("details.beside summary")
    assert options(page, "form.launch select[name=choosers]") == {name: who_decides(name)[0] for name in CHOOSERS}


@contextmanager
def stranger(table: Mapping[str, Any]) -> Iterator[str]:
    """One more entry, like the first one but for its name and label."""
    assert isinstance(table, Registry), "not a registry"
    registry: Registry[Any] = table
    like = next(iter(registry.values()))
    entry = registry.add(replace(like, name="stranger", label="a stranger’s", sentence="like the first"))
    yield entry.name
    registry.remove(entry.name)


def test_a_new_modification_is_in_the_list_and_in_the_picture(site: httpx.Client) -> None:
    with stranger(MODIFICATIONS) as name:
        added = site.get("/api/choices").json()["modifications"][-1]
        assert added == {"name": name, "label": "a stranger’s", "sentence": "like the first"}
        assert modifications_of({"modifications": f"m0,{name}"}) == {"m0": "add a digit", name: "a stranger’s"}


@needs_browser
def test_a_new_grammar_is_in_the_switch_and_answers(site: httpx.Client, page: Page, optima: Optima) -> None:
    with stranger(GRAMMARS) as name:
        words = {"digits": [1, 2, 3, 4], "multipliers": [5, 10]}
        answer = site.get("/api/system", params={**words, "grammar": name}).raise_for_status().json()
        like = site.get("/api/system", params=words).raise_for_status().json()
        assert (answer["grammar"], answer["numerals"]) == (name, like["numerals"])
        page.open("#D=1-4&M=5,10&grammar=modified")
        page.answered()
        switch = Select(page.find(".controls label:nth-of-type(2) select"))
        assert [each.text for each in switch.options] == [each.label for each in GRAMMARS.values()]
        switch.select_by_value(name)
        page.wait(lambda: f"grammar={name}" in page.driver.current_url)
        page.answered()
        assert page.figure("size") == "6"
        assert all(point.system.grammar == name for point in optima.wait(name, NEED))
        page.driver.get("about:blank")  # the page would go on asking for a grammar that is gone
    assert site.get("/api/system", params={**words, "grammar": name}).status_code == 422
