from __future__ import annotations

import socket
from pathlib import Path

import pytest

from ishango.cli import main


def test_a_directory_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", "nowhere"]) == 2
    assert "nowhere is not a directory" in capsys.readouterr().err


def test_a_port_that_is_taken_or_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["explore", str(tmp_path), "--port", port, "--no-browser"]) == 2
    assert f"port {port} cannot be listened on" in capsys.readouterr().err
    assert main(["explore", str(tmp_path), "--port", "70000"]) == 2
    assert "between 0 and 65535" in capsys.readouterr().err


def test_an_export_needs_a_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explore", str(tmp_path), "--export", str(tmp_path / "no" / "page.html")]) == 2
    assert "no is not a directory" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["nobody.invalid", "203.0.113.1", "\x00", "a" * 300])
def test_a_host_that_is_not_this_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str) -> None:
    assert main(["explore", str(tmp_path), "--host", host, "--no-browser"]) == 2
    assert capsys.readouterr().err.endswith("choose another host.\n")
