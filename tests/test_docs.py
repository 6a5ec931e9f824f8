"""Docs that must follow the code: the fields of a round, links, and the names of registries and files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ishango.evolution import RoundRecord
from ishango.lab import columns

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
TOO_LONG = {"languages.md": 1550, "typology.md": 1260}
"""Pages that are over the limit and have to be split; they may not grow."""
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
        assert prose(page) <= TOO_LONG.get(page.name, 1500), (
            f"{page.name} has {prose(page)} words; a lab log is a study"
        )


def test_explanations_are_a_page():
    found = [page for page in SITE if page.read_text(encoding="utf-8").split("\n\n")[1].startswith("*Explanation")]
    assert len(found) >= 8
    for page in found:
        assert prose(page) <= TOO_LONG.get(page.name, 1200), f"{page.name} has {prose(page)} words"


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
