"""A light install: what is an extra says so, and everything else does without it."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

from ishango import registry as extras
from ishango.errors import RequestError

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

BLOCKED = """
import sys
from importlib.machinery import PathFinder

class Missing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in {modules}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name in {modules} else found(name, *rest)
sys.meta_path.insert(0, Missing)
"""


def without(*names: str, code: str) -> subprocess.CompletedProcess[str]:
    """Run Python where what these extras bring is not installed."""
    modules = {module for name in names for module in extras.EXTRAS[name]}
    script = BLOCKED.format(modules=modules) + code
    return subprocess.run([sys.executable, "-c", script], text=True, capture_output=True)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def brought(extra: str) -> set[str]:
    """The distributions that an extra names, those of other extras included."""
    names: set[str] = set()
    for requirement in PROJECT["optional-dependencies"][extra]:
        if own := re.match(r"ishango\[(.*)\]", requirement):
            names |= {name for each in own[1].split(",") for name in brought(each)}
        else:
            names.add(normal(re.match(r"[\w.-]+", requirement)[0]))
    return names


@pytest.mark.parametrize("extra", extras.EXTRAS)
def test_an_extra_brings_what_its_part_needs(extra):
    distributions = packages_distributions()
    if absent := [module for module in extras.EXTRAS[extra] if find_spec(module) is None]:
        pytest.skip(f"needs {', '.join(absent)}")
    needed = {normal(distributions[module][0]) for module in extras.EXTRAS[extra] if module in distributions}
    assert needed == brought(extra)


def test_what_is_missing_is_named_in_one_sentence(monkeypatch):
    monkeypatch.setitem(extras.EXTRAS, "report", ("json", "no_such_a", "no_such_b"))
    with pytest.raises(RequestError) as caught:
        extras.needs("report", "Figures")
    assert str(caught.value) == (
        "Figures need no_such_a and no_such_b, which are not installed: pip install 'ishango[report]' brings them."
    )
    assert isinstance(caught.value, ImportError)


def test_light_work_needs_no_extra():
    code = """
import ishango
print(ishango.describe("1-9 | 10").size, len(ishango.evolve(7, rounds=2, choose="coin").rounds))
import ishango.generations, ishango.kinds, ishango.restricted, ishango.cosinus
for name in ("figures", "report", "explorer"):
    try:
        __import__(f"ishango.{name}")
    except ImportError as error:
        print(error)
try:
    ishango.load_runs(".")
except ImportError as error:
    print(error)
"""
    done = without("explorer", "torch", "cldf", code=code)
    assert done.stderr == ""
    first, *sentences = done.stdout.splitlines()
    assert first == "10 3"
    assert [re.search(r"ishango\[(\w+)\]", each)[1] for each in sentences] == ["report", "report", "explorer", "tables"]


def test_commands_say_what_to_install():
    wanted = {
        "explore --no-browser": "explorer",
        "reproduce": "report",
        "selection .": "report",
        "table . -o x": "tables",
    }
    code = f"from ishango.cli import main\nfor each in {list(wanted)}: print(main(each.split()))"
    done = without("explorer", code=code)
    assert done.stdout.split() == ["2"] * len(wanted)
    for sentence, extra in zip(done.stderr.splitlines(), wanted.values(), strict=True):
        assert sentence.startswith("ishango: ")
        assert f"pip install 'ishango[{extra}]'" in sentence


def test_whatever_plays_in_pytorch_says_what_to_install(tmp_path):
    wanted = [
        "evolve --players torch --rounds 1 --out x", "evolve --players torch:json:loads --rounds 1 --out x",
    ]  # fmt: skip
    code = f"""
import os
os.chdir({str(tmp_path)!r})
import ishango
from ishango.cli import main
for each in {wanted}:
    print(main(each.split()))
for ask in (lambda: ishango.evolve(7, rounds=1, players="torch"), lambda: __import__("ishango.game.torch_backend")):
    try:
        ask()
    except ishango.errors.RequestError as error:
        print(2)
        print(f"ishango: {{error}}", file=__import__("sys").stderr)
"""
    done = without("torch", code=code)
    assert done.stdout.split() == ["2"] * (len(wanted) + 2), done.stderr
    sentences = [line for line in done.stderr.splitlines() if not line.endswith("starts")]
    assert len(sentences) == len(wanted) + 2
    for sentence in sentences:
        assert re.fullmatch(r"ishango: .* pip install 'ishango\[torch\]' brings (it|them)\.", sentence), sentence
