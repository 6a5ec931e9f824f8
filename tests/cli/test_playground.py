from __future__ import annotations

import webbrowser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from ishango.cli import main


def test_the_page_is_opened_from_the_disk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: not opened.append(address))
    assert main(["playground"]) == 0
    address = capsys.readouterr().out.strip()
    assert opened == [address]
    page = Path(unquote(urlsplit(address).path)).read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<script src" not in page  # nothing is loaded: it works from a file address
    assert 'rel="stylesheet"' not in page


def test_no_browser(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _address: False)
    assert main(["playground"]) == 0
    assert "open the address by hand" in capsys.readouterr().err
    monkeypatch.delattr(webbrowser, "open")
    assert main(["playground", "--no-browser"]) == 0
    assert capsys.readouterr().out.startswith("file://")


def test_the_page_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    assert main(["playground", "--out", str(file)]) == 0
    assert file.stat().st_size > 100_000
    assert main(["playground", "--out", str(tmp_path / "no" / "page.html")]) == 2
    assert "no is not a directory" in capsys.readouterr().err
    assert main(["playground", "--out", str(file), "--no-browser"]) == 2
