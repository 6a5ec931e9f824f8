"""The page's files: one script of all modules, kept by browsers until it changes."""

from __future__ import annotations

import re
import shutil
import subprocess
from graphlib import CycleError
from pathlib import Path

import httpx
import pytest

from ishango.explorer._app import FILES, SHEETS, STATIC, bundled


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


def test_every_sheet_and_every_module_is_in_the_page() -> None:
    assert {path.stem for path in (STATIC / "css").iterdir()} == set(SHEETS)
    for path in (STATIC / "js").iterdir():
        assert f"const ${path.stem} = " in FILES["script.js"].text()


@pytest.mark.parametrize("line", ['import "./a.js";', "export default 1;", "export { a };", 'import a from "./a.js";'])
def test_a_form_that_is_not_known_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"main\.js.*cannot be bundled"):
        bundled({"main": line, "a": ""})


def test_modules_that_need_each_other_are_refused() -> None:
    with pytest.raises(CycleError):
        bundled({"a": 'import { b } from "./b.js";', "b": 'import { a } from "./a.js";'})


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_what_is_pure_in_the_scripts_by_nodes_own_tests() -> None:
    words = ["node", "--experimental-default-type=module", "--test", str(Path(__file__).with_name("pure.test.js"))]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout
