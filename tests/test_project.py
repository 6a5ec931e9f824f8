import tomllib
from pathlib import Path

import ishango


def test_one_version_everywhere():
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    assert project["version"] == ishango.__version__
