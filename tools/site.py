"""What MkDocs does beside reading docs/: notebooks and the root's pages become pages, and nothing may need a network.

Pages link to one another as they lie in the repository, so that links work there too; here they are led to where the
pages are on the site.
"""

from __future__ import annotations

import ast
import inspect
import posixpath
import re
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from nbconvert import MarkdownExporter

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ishango"
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))

MOVED = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "src/ishango/playground/index.html": "playground/index.html",
    **{f"examples/{each.name}": f"notebooks/{each.stem}.md" for each in NOTEBOOKS},
}
"""Pages that lie elsewhere in the repository, and where they are on the site."""
ROOT_PAGES = ("CONTRIBUTING.md", "CHANGELOG.md")
COMMANDS_PAGE, COMMANDS_MARK = "reference/commands.md", "<!-- every command and option -->"
"""The page of the command line, and where the options go."""
UNPLACED = "Studies"
"""The section of pages that the nav does not name."""

_LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?\)")
_FETCHED = re.compile(r"<(?:(?:script|img|iframe|source)\b[^>]*\bsrc|link\b[^>]*\bhref)=\"?(?:https?:)?//")
_FETCHED_STYLE = re.compile(r"@import|url\(\"?(?:https?:)?//")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give every page of docs/ a place in the nav, and notebooks, rooms and the root's pages theirs."""
    nav: Any = config.nav
    sections = {title: pages for entry in nav for title, pages in entry.items()}
    named = {page for pages in sections.values() for page in pages}
    docs = Path(config.docs_dir)
    found = (path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md")))
    sections[UNPLACED] += [page for page in found if page not in named]
    sections["Tutorials"] += [f"notebooks/{each.stem}.md" for each in NOTEBOOKS]
    sections["Reference"] += [f"reference/{room}.md" for room in rooms()]
    sections["Developers"] += [MOVED[page] for page in ROOT_PAGES]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Make the pages that are not in docs/."""
    for page in ROOT_PAGES:
        files.append(File.generated(config, MOVED[page], content=_led(ROOT / page, MOVED[page])))
    for notebook in NOTEBOOKS:
        for uri, content in notebook_page(notebook).items():
            files.append(File.generated(config, uri, content=content))
    for room in rooms():
        files.append(File.generated(config, f"reference/{room}.md", content=room_page(room)))
    # Its links lead to these pages.
    page = PACKAGE / "playground" / "index.html"
    text = page.read_text(encoding="utf-8").replace('data-docs=""', 'data-docs="../"', 1)
    files.append(File.generated(config, "playground/index.html", content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Lead links out of docs/ to where these pages are here, and fill the page of the command line."""
    if page.file.generated_by is not None:
        return markdown
    if page.file.src_uri == COMMANDS_PAGE:
        return _relinked(markdown, f"docs/{COMMANDS_PAGE}", COMMANDS_PAGE).replace(COMMANDS_MARK, commands_text())
    return _relinked(markdown, f"docs/{page.file.src_uri}", page.file.src_uri)


def on_post_build(config: MkDocsConfig) -> None:
    """Refuse a site that fetches anything from elsewhere."""
    site = Path(config.site_dir)
    wanting = [path for path in site.rglob("*.html") if _FETCHED.search(path.read_text(encoding="utf-8"))]
    wanting += [path for path in site.rglob("*.css") if _FETCHED_STYLE.search(path.read_text(encoding="utf-8"))]
    if wanting:
        raise PluginError(f"These pages need a network: {', '.join(map(str, wanting))}")


def rooms() -> list[str]:
    """The rooms that say what they offer."""
    return [path.parent.name for path in sorted(PACKAGE.glob("*/__init__.py")) if _offered(path)]


def room_page(room: str) -> str:
    """The reference of a room: every name that it offers."""
    names = _offered(PACKAGE / room / "__init__.py")
    parts = "\n\n".join(f"::: ishango.{room}.{name}" for name in names)
    about = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    return f"# ishango.{room}\n\n{about}\n\n{parts}\n"


def commands_text() -> str:
    """Every command with its words and options, as their parsers have them."""
    from ishango.cli import COMMANDS, Group

    parts: list[str] = []
    for name, each in COMMANDS.items():
        if isinstance(each, Group):
            parts += [command_text(f"{name} {below}", command) for below, command in each.commands.items()]
        else:
            parts.append(command_text(name, each))
    return "\n\n".join(parts)


def command_text(name: str, command: Any) -> str:
    """One command: what it does, its example, and a definition for each option."""
    from ishango.cli import _parsing

    request = getattr(import_module(f"ishango.cli._{command.module}"), command.request)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # tyro has no other way to the parser
        from tyro.extras import get_parser

        parser = get_parser(
            request, prog=f"ishango {name}", config=_parsing.STYLE, use_underscores=False, registry=_parsing.NONE
        )
    about, _, example = (inspect.getdoc(request) or "").partition("\n\nExample: ")
    lines = [f"## ishango {name}", _plain(about)] + ([f"```\n{example.strip()}\n```"] if example else [])
    for action in parser._actions:
        if action.dest != "help":
            said = ", ".join(action.option_strings)
            value = str(action.metavar or "")
            lines.append(f"`` {f'{said} {value}'.strip()} ``\n:   {_plain(' '.join((action.help or '').split()))}")
    return "\n\n".join(lines)


def _plain(text: str) -> str:
    """Text in which Markdown sees nothing but text."""
    return re.sub(r"([\\`*_<>\[\]#|])", r"\\\1", text)


def notebook_page(notebook: Path) -> dict[str, str | bytes]:
    """A notebook with its outputs as a page, and its pictures beside it."""
    exporter = MarkdownExporter()
    body, resources = exporter.from_notebook_node(
        nbformat.read(notebook, as_version=4), resources={"unique_key": notebook.stem}
    )
    name = f"examples/{notebook.name}"
    about = f"*A notebook: `{name}`, with its outputs. Open it with Jupyter to change it and run it again.*\n"
    title, _, rest = body.strip().partition("\n")
    text = _relinked(f"{title}\n\n{about}\n{rest}", name, MOVED[name])
    pages: dict[str, str | bytes] = {MOVED[name]: re.sub(r"<style scoped>.*?</style>", "", text, flags=re.DOTALL)}
    return pages | {f"notebooks/{picture}": content for picture, content in resources["outputs"].items()}


def _offered(init: Path) -> list[str]:
    """What stands in `__all__`."""
    for node in ast.parse(init.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    return []


def _led(source: Path, uri: str) -> str:
    return _relinked(source.read_text(encoding="utf-8"), source.relative_to(ROOT).as_posix(), uri)


def _relinked(markdown: str, source: str, uri: str) -> str:
    """The text of a page of the repository with its links as the site has them; code is left alone."""

    def lead(found: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found[2]))
        if "://" in found[2] or (target not in MOVED and not target.startswith("docs/")):
            return found[0]
        there = MOVED.get(target) or target.removeprefix("docs/")
        return f"{found[1]}{posixpath.relpath(there, posixpath.dirname(uri) or '.')}{found[3] or ''})"

    parts: list[str] = []
    end = 0
    for code in _FENCED.finditer(markdown):
        parts += [_LINK.sub(lead, markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, _LINK.sub(lead, markdown[end:])])
