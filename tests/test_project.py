import tomllib
from pathlib import Path

import ishango

ROOT = Path(__file__).parents[1]


def test_one_version_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == ishango.__version__
    assert f"\nversion: {ishango.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"{{{ishango.__version__}}}" in (ROOT / "docs" / "howto" / "cite.md").read_text()
