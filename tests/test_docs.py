"""Docs that must follow the code: the fields of a round, links, and the names of registries and files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ishango import STARTS
from ishango.evolution import MODIFICATIONS, RoundRecord
from ishango.game import game_presets
from ishango.lab import columns, find_kind
from ishango.numerals import format_set

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def record_table() -> str:
    """The table of docs/runs.md: every field of a round with its meaning."""
    rows = [
        f"| `{each.name}` | {each.sentence.replace('|', chr(92) + '|')} | {each.unit} |"
        for each in columns(RoundRecord)
    ]
    return "\n".join(["| field | meaning | unit |", "|---|---|---|", *rows])


def test_the_fields_of_a_round_are_those_of_the_record():
    page = (ROOT / "docs" / "runs.md").read_text(encoding="utf-8")
    assert record_table() in page, f"docs/runs.md must have this table:\n{record_table()}"


def test_what_a_generation_records_besides_is_on_the_page():
    known, page = {each.name for each in columns(RoundRecord)}, (ROOT / "docs" / "runs.md").read_text(encoding="utf-8")
    added = [each for each in columns(find_kind("generations").record) if each.name not in known]
    assert len(added) > 10
    for each in added:
        sentence = each.sentence.replace("|", chr(92) + "|")
        assert f"| `{each.name}` | {sentence} | {each.unit} |" in page, f"docs/runs.md must say what {each.name} is"


def test_starts_modifications_and_presets_are_looked_up_in_the_glossary():
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for number, start in enumerate(STARTS, 1):
        assert f"| {number} | {format_set(start.digits)} | {format_set(start.multipliers)} |" in page
    for each in MODIFICATIONS.values():
        sentence = each.sentence[0].lower() + each.sentence[1:]
        assert f"| `{each.name}` | {each.label}: {sentence} |" in page
    for preset in game_presets():
        assert f"`{preset}`" in page


def test_the_words_of_the_glossary_are_in_order():
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").partition("## Words")[2]
    words = [re.sub(r"[^a-z0-9 ]", "", word.lower()) for word in re.findall(r"^\*\*(.+)\*\*$", page, re.MULTILINE)]
    assert len(words) > 50
    assert words == sorted(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), f"{page.name} links to {target}, which is not there"
        if anchor:
            assert anchor in anchors(path), f"{page.name} links to {target}, but there is no such heading"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    "page", [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md"], ids=lambda page: page.name
)
def test_files_that_are_named_are_there(page):
    for name in re.findall(r"`([a-z_0-9/]+\.py|[a-z_0-9]+/[a-z_0-9/]*)`", page.read_text(encoding="utf-8")):
        places = [ROOT / name, ROOT / "src" / "ishango" / name]
        assert any(each.exists() for each in places), f"{page.name} names {name}, which is not there"


def test_names_that_the_table_of_architecture_gives_are_in_their_files():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = re.findall(r"`([a-z_0-9/]+\.py)`, `(\w+)(?:\.(\w+))?`", text)
    assert len(found) > 12
    for file, *names in found:
        source = (ROOT / "src" / "ishango" / file).read_text(encoding="utf-8")
        for name in filter(None, names):
            assert re.search(rf"^ *(def|class) {name}\b|^{name}\b.* = ", source, re.MULTILINE), f"{file} has no {name}"


def test_every_figure_is_in_the_gallery():
    gallery = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    sources = sorted((ROOT / "src" / "ishango" / "figures").glob("*.py"))
    figures = [
        name for path in sources for name in re.findall(r"^def ([a-z]\w*_figure)\(", path.read_text(), re.MULTILINE)
    ]
    assert len(figures) > 20
    for name in figures:
        assert f"`{name}`" in gallery, f"docs/gallery.md must show {name}, with the command or the lines that make it"


KINDS = ("Tutorial", "How-to", "Explanation", "Reference", "Stud")
SITE = [page for page in PAGES if page.parent != ROOT and page != ROOT / "docs" / "index.md"]


def prose(page: Path) -> int:
    """Words of a page, without those of code and tables."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return len(" ".join(line for line in text.splitlines() if not line.lstrip().startswith("|")).split())


@pytest.mark.parametrize("page", SITE, ids=lambda page: page.relative_to(ROOT / "docs").as_posix())
def test_a_page_says_its_kind_and_is_short(page):
    first = page.read_text(encoding="utf-8").split("\n\n")[1]
    kind = next((kind for kind in KINDS if first.startswith(f"*{kind}")), None)
    assert kind is not None, f"{page.name} must begin with its kind, such as *How-to.*"
    assert (kind == "Stud") == (page.parent.name == "studies"), f"{page.name}: studies lie in docs/studies"
    if kind != "Stud":
        assert prose(page) <= 1500, f"{page.name} has {prose(page)} words; a lab log is a study"


def test_the_readme_takes_two_screens():
    """A screen is 45 lines, of which headings and the room between paragraphs take some eight."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    seen = re.sub(r"<[^>]+>|\]\([^)]*\)|^```.*$|^\|[-|]+$", "", text, flags=re.MULTILINE)
    lines = [line for line in seen.splitlines() if line.strip()]
    assert len(lines) <= 75, f"README.md has {len(lines)} lines of text"


def test_explanations_are_a_page():
    found = [page for page in SITE if page.read_text(encoding="utf-8").split("\n\n")[1].startswith("*Explanation")]
    assert len(found) >= 8
    for page in found:
        assert prose(page) <= 1200, f"{page.name} has {prose(page)} words"


def test_every_study_is_in_their_list():
    listed = (ROOT / "docs" / "studies" / "index.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs" / "studies").glob("*.md"):
        assert page.name == "index.md" or f"]({page.name})" in listed, f"docs/studies/index.md must list {page.name}"


def test_pages_that_code_names_are_there():
    folders = ("src/ishango", "studies", "benchmarks", "tools", "examples")
    sources = [
        path
        for folder in folders
        for ending in ("py", "toml", "csv", "ipynb")
        for path in (ROOT / folder).rglob(f"*.{ending}")
    ]
    assert len(sources) > 100
    for path in sources:
        for name in re.findall(r"\bdocs/[a-z_/-]+\.md\b", path.read_text(encoding="utf-8")):
            assert (ROOT / name).exists(), f"{path.relative_to(ROOT)} names {name}, which is not there"
