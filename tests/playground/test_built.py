"""What is shipped: built from the sources as they are, small, and free of addresses of others."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
from tools.playground import languages

WEB = Path(__file__).parents[2] / "web"
DOCS = Path(__file__).parents[2] / "docs"
BUILT = Path(__file__).parents[2] / "src" / "ishango" / "playground"
SOURCES = re.compile(r"(build\.mjs|lab\.ts|(engine|agents|page|data)/.*\.(ts|css|html|json))")


def test_the_built_page_is_that_of_the_sources():
    found = sorted(str(path.relative_to(WEB).as_posix()) for path in WEB.rglob("*") if "node_modules" not in path.parts)
    digest = hashlib.sha256()
    for name in filter(SOURCES.fullmatch, found):
        digest.update(name.encode() + (WEB / name).read_bytes())
    built = (BUILT / "sources.txt").read_text().strip()
    assert built == digest.hexdigest(), "web/ has changed since the page was built; run make playground"


def test_all_files_are_small():
    assert sum(len(gzip.compress(path.read_bytes())) for path in BUILT.iterdir()) < 700_000


def test_nothing_is_loaded_from_elsewhere():
    for path in BUILT.iterdir():
        addresses = set(re.findall(r"https?://[^\s\"'`)<>]+", path.read_text(encoding="utf-8")))
        assert {each for each in addresses if not each.startswith("http://www.w3.org/")} <= set(), addresses


def test_exact_versions_and_no_lock_file():
    versions = re.findall(r'"([^"]+)": "([^"]+)"', (WEB / "package.json").read_text().split("devDependencies")[1])
    assert len(versions) > 3
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for _, version in versions)
    assert not (WEB / "package-lock.json").exists()


def test_its_languages_are_those_of_the_catalogue():
    kept = json.loads((WEB / "data" / "languages.json").read_text(encoding="utf-8"))
    assert kept == languages(), "the catalogue has changed since; run make playground"
    names = [each["name"] for each in kept["languages"]]
    assert len(names) == len(set(names)) > 2500


@pytest.mark.parametrize(
    ("story", "page", "study"),
    [
        ("at most 0.02 symbols lower", "studies/frontier.md", "larger sizes gain .007 to .018 "),
        ("Our survey of 2,909 languages", "typology.md", "2,909 varieties of 145 language families"),
        ("nine tenths lie within 0.032 symbols", "typology.md", "nine\ntenths of varieties lie within .032"),
        (
            "0.06 symbols farther from the wall than the coin (95 % interval: 0.29 nearer to 0.20 farther)",
            "studies/results.md",
            "0.0626 [−0.288, 0.201]",
        ),
        ("agents ended 3.4 symbols from the wall", "studies/pressures.md", "the paper's mechanism | 3.38 "),
        ("the coin 4.1", "studies/pressures.md", "drift: the coin | 4.14 "),
        ("ended 0.30 symbols from it", "studies/pressures.md", "effort .2, word .01** | **.30 "),
        ("end 0.04 symbols from the wall", "studies/generations.md", "the gap\n  is 0.042 where drift"),
        ("by chance end 5 away", "studies/generations.md", "at the same sizes, has 4.99"),
        (
            "17 % of the languages that were passed on",
            "typology.md",
            "| ideal learners, 200 numbers heard | 1 |…| 17 % |",
        ),
        ("and of 94 % of those that people speak", "typology.md", "languages (94 % by the definition"),
        ("ten was the base of at most 24 %", "typology.md", "| ideal learners, 200 numbers heard | 10 |…| 24 % |"),
    ],
)
def test_numbers_of_the_story_are_those_of_the_studies(story, page, study):
    assert story in (WEB / "page" / "index.html").read_text(encoding="utf-8")
    found = re.search(re.escape(study).replace("…", ".*"), (DOCS / page).read_text(encoding="utf-8"))
    assert found, f"docs/{page} has another number now"
