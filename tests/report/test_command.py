"""`ishango reproduce`."""

import json

import pytest
from tests.report.tiny import TINY

from ishango.cli import main
from ishango.cli import reproduce as command


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setattr(command, "QUICK", TINY)


@pytest.mark.usefixtures("tiny")
def test_it_tells_the_verdicts_and_where_the_page_is(reproduction, capsys):
    assert main(["reproduce", "--quick", "--out", str(reproduction), "--workers", "1"]) == 0
    out = capsys.readouterr().out
    assert "holds" in out
    assert f"Open {reproduction / 'index.html'} in a browser." in out


@pytest.mark.usefixtures("tiny")
def test_json(reproduction, capsys):
    assert main(["reproduce", "--out", str(reproduction), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["page"] == str(reproduction / "index.html")
    assert {"name", "claim", "ruling", "value"} <= set(document["verdicts"][0])


def test_wrong_requests(reproduction, capsys):
    for arguments, message in (
        (["--quick", "--full"], "exclude each other"),
        (["--out", str(reproduction)], "holds a tiny reproduction"),
        (["--out", str(reproduction / "index.html")], "not empty"),
        (["--slow"], "--slow"),
        (["--workers", "0", "--out", str(reproduction / "new")], "0 workers"),
    ):
        assert main(["reproduce", *arguments]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        assert message in captured.err
    assert not (reproduction / "new").exists()
