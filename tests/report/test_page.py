"""The page in a browser: everything is drawn, nothing is asked for elsewhere."""

import re
from urllib.parse import unquote

import pytest
from markupsafe import escape
from selenium.webdriver.support.wait import WebDriverWait
from tests.browser import asked_hosts, browser, console_errors, needs_browser

from ishango.figures.look import FORMATS
from ishango.report._results import (
    EXPLORER,
    HEADLINES,
    MEANT,
    NAMED,
    PAPER,
    SENTENCES,
    SHORT,
    TOPICS,
    answer,
    headlines,
)
from ishango.report._sections import FIGURES
from ishango.report.claims import Verdict
from ishango.report.claims._claim import NOT_JUDGED


@needs_browser
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
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
        if width > 1000:
            bottom = driver.execute_script(
                "return document.querySelector('#chart-answer').getBoundingClientRect().bottom"
            )
            assert bottom < 900, "the answer and its figure are on the first screen"
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


def test_the_answer_comes_first_and_claims_are_linked_to_their_evidence(reproduction, judged):
    page = (reproduction / "index.html").read_text(encoding="utf-8")
    head, strip = page[page.index("<header>") : page.index("</header>")], page[page.index('<ol class="strip">') :]
    assert re.findall(r'<li><a href="#verdict-([\w-]+)">', head) == list(HEADLINES)
    claims = page[page.index('<section id="claims">') : page.index("<nav ")]
    sentences = claims[claims.index('<div class="answer">') : claims.index("</div>")]
    assert sentences.count("<p>") == len(SENTENCES) == 3
    named = [each for each in judged if each.ruling == "does not hold"][:NAMED]
    assert all(f'<a href="#verdict-{each.name}">{escape(each.brief)}</a>' in sentences for each in named)
    assert 'data-chart="answer"' in head
    assert f'<a href="{PAPER}">' in head
    for each in judged:
        assert f'<li><a href="#verdict-{each.name}">' in strip
        assert f'id="verdict-{each.name}"' in page
        assert f'<a class="anchor" href="#verdict-{each.name}"' in page
    short = next(SHORT[each.ruling] for each in judged if each.name == "more-than-drift")
    assert f'<p class="short"><strong>{short}</strong></p>' in head
    assert page.count(MEANT["does not hold"]) == sum(
        (each.alone or each.ruling) == "does not hold" and not each.exact and each.statistic != NOT_JUDGED
        for each in judged
    )


def test_each_study_links_to_a_run_of_it_as_the_explorer_names_it(reproduction):
    page = (reproduction / "index.html").read_text(encoding="utf-8")
    named = [unquote(name) for name in re.findall(rf'href="{EXPLORER}#run=([^"]+)"', page)]
    assert len(named) > 5
    assert all((reproduction / name / "run.json").exists() for name in named), named
    assert len({name.split("/")[1] for name in named}) == len(named)


def test_three_claims_come_first_and_the_others_by_topic(judged):
    first, others = headlines(judged)
    assert [each.name for each in first] == list(HEADLINES)
    assert list(others) == list(TOPICS.values())
    assert len(first) + sum(map(len, others.values())) == len(judged)


def test_figures_are_numbered_and_every_file_is_a_link_to_a_file(reproduction):
    page = (reproduction / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<strong>Figure (\d+)\.", page) == [str(number + 1) for number in range(len(FIGURES))]
    links = set(re.findall(r'(?:href|src)="((?:figures|data|runs)/[^"]+)"', page))
    assert {f"figures/{name}.{format}" for name in FIGURES for format in FORMATS} <= links
    assert [link for link in links if not (reproduction / link).exists()] == []
    assert page.count("<noscript><img") == len(FIGURES), "without scripts there are pictures"
    assert all(figure.see for figure in FIGURES.values())


@pytest.mark.parametrize(
    ("rulings", "texts"),
    [
        (["holds"] * 6 + ["so does a coin"], ["6 hold", "1 is true of drift, too", "none is undecided here"]),
        (["does not hold"], ["none holds", "1 does not hold", "none is undecided here"]),
    ],
)
def test_three_sentences_whatever_was_found(rulings, texts):
    found = [Verdict("", "", 1, 1, 1, "", ruling, name=str(number)) for number, ruling in enumerate(rulings)]
    sentences = answer(found)
    assert [sentence[0].lead for sentence in sentences] == texts
    assert [len(sentences[0][0].named), sentences[0][0].more] == ([4, 2] if len(rulings) > 1 else [0, 0])
