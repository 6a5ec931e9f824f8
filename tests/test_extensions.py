"""Modules of one's own: known here, in commands and in workers, and refused in one sentence."""

import os
import sys

import pytest

import ishango
from ishango import registry as extensions
from ishango.errors import RequestError
from ishango.evolution import CHOOSERS

MODULE = """
from ishango.evolution import CHOOSERS, Chooser, Decision
CHOOSERS.add(Chooser("grasping", "greed", "keeps what has more words", False, lambda q: Decision(q.delta_size > 0)))
"""
PLAN = 'base = {choose = "grasping", rounds = 4}\nvary = {start = [7]}\n'


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.setenv(extensions._VARIABLE, "")
    file = tmp_path / "grasping.py"
    file.write_text(MODULE)
    yield file
    extensions.forget(file)
    if "grasping" in CHOOSERS:
        CHOOSERS.remove("grasping")


def test_an_extension_is_known_here_and_in_workers(module, tmp_path):
    ishango.extend(module)
    assert ishango.extend(module).__name__ == "grasping"
    assert os.environ[extensions._VARIABLE] == str(module)
    rounds = ishango.sweep(PLAN, tmp_path / "out", workers=1).to_frame()[1:]
    assert rounds["accepted"].astype(bool).tolist() == (rounds["delta_size"] > 0).tolist()


def test_a_file_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv(extensions._VARIABLE, str(tmp_path / "none.py"))
    with pytest.raises(RequestError, match=r"none\.py cannot be loaded \(FileNotFoundError"):
        list(CHOOSERS)


def test_what_cannot_be_loaded_is_refused_and_not_kept(module):
    module.write_text("1 / 0")
    with pytest.raises(RequestError, match=r"grasping\.py cannot be loaded \(ZeroDivisionError"):
        ishango.extend(module)
    assert "grasping" not in sys.modules
    assert os.environ[extensions._VARIABLE] == ""
    module.write_text(MODULE)
    ishango.extend(module)
    assert "grasping" in CHOOSERS
