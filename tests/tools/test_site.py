"""The site: where links lead, what is shown of a notebook, and that nothing is fetched from elsewhere."""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from mkdocs.exceptions import PluginError

from ishango.cli import COMMANDS, Group, main
from tools import doctests, notebooks, rooms, site

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


@pytest.mark.parametrize(
    ("source", "uri", "link", "led"),
    [
        ("docs/architecture.md", "architecture.md", "../CONTRIBUTING.md#recipes", "contributing.md#recipes"),
        ("docs/howto/r.md", "howto/r.md", "../../CONTRIBUTING.md", "../contributing.md"),
        ("CONTRIBUTING.md", "contributing.md", "docs/runs.md#sweeps", "runs.md#sweeps"),
        ("examples/2-the-paper.ipynb", "notebooks/2-the-paper.md", "../docs/runs.md", "../runs.md"),
        ("docs/index.md", "index.md", "../examples/2-the-paper.ipynb", "notebooks/2-the-paper.md"),
        ("docs/index.md", "index.md", "https://example.org/docs/x.md", "https://example.org/docs/x.md"),
    ],
)
def test_links_lead_to_where_pages_are_on_the_site(source, uri, link, led):
    assert site._relinked(f"see [it]({link}).", source, uri) == f"see [it]({led})."


def test_code_is_left_alone():
    code = "```\n[it](docs/runs.md)\n```\n"
    assert site._relinked(f"{code}[it](docs/runs.md)", "README.md", "index.md") == f"{code}[it](runs.md)"


@pytest.mark.parametrize(
    "fetched", ['<script src="https://x.org/a.js">', '<link rel="stylesheet" href="//x.org/a.css">']
)
def test_a_page_that_needs_a_network_is_refused(tmp_path, fetched):
    (tmp_path / "index.html").write_text('<script src="a.js"></script><a href="https://x.org">x</a>')
    site.on_post_build(config=type("Config", (), {"site_dir": tmp_path}))
    (tmp_path / "index.html").write_text(fetched)
    with pytest.raises(PluginError, match=r"index\.html"):
        site.on_post_build(config=type("Config", (), {"site_dir": tmp_path}))


def test_every_room_has_its_page_of_the_reference():
    assert {"numerals", "lab", "evolution", "api"} <= set(site.rooms())
    assert "::: ishango.numerals.Need\n" in site.room_page("numerals")


def test_examples_of_docstrings_are_code():
    assert doctests.fenced("    >>> 1\n    1\n\nEnd.") == "    ```pycon\n    >>> 1\n    1\n    ```\n\nEnd."


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_with_their_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert any("image/png" in kinds for kinds in notebooks.shape(notebook)), "it shows no picture"
    assert not any("error" in kinds for kinds in notebooks.shape(notebook))
    assert "image/png" not in site.notebook_page(path)[f"notebooks/{path.stem}.md"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_use_what_is_offered(path):
    """Names of rooms come from their `__all__`; nothing is imported from inside a room."""
    notebook = nbformat.read(path, as_version=4)
    cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    python = [cell for cell in cells if re.match(r"%%writefile .*[.]py\n|(?!%%)", cell)]
    code = re.sub(r"^%%.*$", "", "\n".join(python), flags=re.MULTILINE).replace(");", ")")
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ishango"):
            room = node.module.partition(".")[2]
            assert room in site.rooms(), f"{node.module} is inside a room"
            offered = site._offered(site.PACKAGE / room / "__init__.py")
            assert {each.name for each in node.names} <= set(offered)


def test_the_picture_of_the_rooms_is_that_of_the_contract():
    assert rooms.PICTURE.read_text(encoding="utf-8") == rooms.picture(), "run `python -m tools.rooms`"


def test_every_command_and_option_is_in_the_reference(capsys):
    """What `--help-all` prints, for every command, and each group's table entry."""
    page = site.commands_text()
    sections = dict(re.findall(r"^## ishango (.+?)$(.*?)(?=^## |\Z)", page, re.M | re.S))
    table = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert site.COMMANDS_MARK in table
    for name, each in COMMANDS.items():
        assert f"`{name}`" in table, f"docs/reference/commands.md must list {name}"
        below = [f"{name} {command}" for command in each.commands] if isinstance(each, Group) else [name]
        for command in below:
            assert f"`{command.split()[-1]}`" in table
            main([*command.split(), "--help-all"])
            options = set(re.findall(r"^(?:[│|]| ) *(?:-\w[^-]*, )?(--[a-z][\w.-]*)", capsys.readouterr().out, re.M))
            options -= {"--help"}
            missing = {each for each in options if not re.search(rf"^`` .*{each}(?![\w.-])", sections[command], re.M)}
            assert not missing, f"{command}: {missing}"
            if command == "evolve":
                assert len(options) > 40
