"""`ishango reproduce`."""

import json
from importlib import import_module

import pytest
from tests.report.tiny import TINY

from ishango.cli import main


@pytest.fixture
def reproduced(judged, monkeypatch):
    """The command as it goes on after the reproduction itself, and what it asked for."""
    asked = {}

    def reproduce(scale, out, executor, *_others, **_more):
        asked.update(scale=scale.name, out=out, workers=executor.workers)
        return judged

    monkeypatch.setattr(import_module("ishango.report._reproduction"), "reproduce", reproduce)
    return asked


def test_it_tells_the_verdicts_and_where_the_page_is(reproduced, tmp_path, capsys):
    assert main(["reproduce", "--quick", "--out", str(tmp_path), "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert "holds" in out
    assert f"Open {tmp_path / 'index.html'} in a browser." in out
    assert reproduced == {"scale": "quick", "out": tmp_path, "workers": 1}


def test_json(reproduced, capsys):
    assert main(["reproduce", "--full", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["page"] == "out/reproduce-full/index.html"
    assert {"name", "claim", "ruling", "value"} <= set(document["verdicts"][0])
    assert reproduced["scale"] == "full"


def test_the_default_is_quick(reproduced):
    assert main(["reproduce"]) == 0
    assert (reproduced["scale"], str(reproduced["out"])) == ("quick", "out/reproduce-quick")


def test_wrong_requests(reproduction, capsys):
    for arguments, message in (
        (["--quick", "--full"], "exclude each other"),
        (["--out", str(reproduction)], f"holds a {TINY.name} reproduction"),
        (["--out", str(reproduction / "index.html")], "cannot be made"),
        (["--slow"], "--slow"),
        (["--workers", "0", "--out", str(reproduction / "new")], "0 workers"),
    ):
        assert main(["reproduce", *arguments]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        assert message in captured.err
    assert not (reproduction / "new").exists()
