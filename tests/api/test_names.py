"""What `import ishango` gives: curated names and a README that runs."""

import inspect
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import ishango

README = Path(__file__).parents[2] / "README.md"


def test_every_public_name_is_there():
    assert 15 <= len(ishango.__all__) <= 29
    for name in ishango.__all__:
        assert getattr(ishango, name) is not None
        assert name in dir(ishango)


def test_every_public_name_says_what_it_is():
    for name in ishango.__all__:
        thing = getattr(ishango, name)
        if callable(thing):
            assert (thing.__doc__ or "").strip(), name


def test_a_name_that_never_was():
    with pytest.raises(AttributeError, match="no attribute 'abacus'"):
        _ = ishango.abacus


def test_importing_the_package_loads_no_kernels():
    code = "import ishango, sys; print('numba' in sys.modules, 'pandas' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["False", "False"]


@pytest.mark.parametrize("chapter", ["evolve", "kinds", "describe", "finished_runs", "frontier", "languages", "sweep"])
def test_commands_that_need_no_tables_load_none(chapter):
    """pandas takes a third of a second to load."""
    code = f"import ishango.cli._{chapter}, sys; print('pandas' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).split() == ["False"]


def test_frontier_is_a_verb_and_frontiers_a_room():
    from ishango.frontiers import gap

    assert ishango.frontiers.gap is gap
    assert not callable(ishango.frontiers)
    assert ishango.frontier([3])[3].size == 3


def test_the_readme_runs(tmp_path, monkeypatch, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out.strip("\n")
    assert f"```\n{printed}\n```" in README.read_text(encoding="utf-8"), printed
    assert (tmp_path / "out" / "path.png").stat().st_size > 5000
    assert (tmp_path / "out" / "agents" / "DONE").exists()


def test_every_public_name_has_arguments_and_an_example():
    for name in ishango.__all__:
        thing = getattr(ishango, name)
        text = _told(name)
        assert ">>> " in text, f"{name} has no example"
        if inspect.isfunction(thing) and inspect.signature(thing).parameters:
            assert "Args:\n" in text, f"{name} does not say what it takes"


def _told(name: str) -> str:
    """The docstring of a name; a value has that of its module."""
    if name == "STARTS":
        return ishango.numerals._system.__doc__
    return getattr(ishango, name).__doc__
