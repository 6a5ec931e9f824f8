import ast
import json
import re
import tomllib
from pathlib import Path

import yaml

import ishango

ROOT = Path(__file__).parents[1]


def test_one_version_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == ishango.__version__
    assert f"\nversion: {ishango.__version__}\n" in (ROOT / "CITATION.cff").read_text()
    assert f"{{{ishango.__version__}}}" in (ROOT / "docs" / "howto" / "cite.md").read_text()
    assert json.loads((ROOT / "codemeta.json").read_text())["version"] == ishango.__version__


def test_workflows_run_what_was_looked_at_and_may_do_little():
    """Actions are pinned to a commit; a workflow says what it may do, and only the release may ask for an identity."""
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml")):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] in ({}, {"contents": "read"})
        for name, job in workflow["jobs"].items():
            asked = set(job.get("permissions", {}).items()) - {("contents", "read")}
            assert asked <= ({("id-token", "write")} if (path.stem, name) == ("release", "publish") else set())
            for step in job["steps"]:
                assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step.get("uses", "a/b@" + "0" * 40)), step["uses"]


def test_forms_of_issues_can_be_read():
    for path in (ROOT / ".github").rglob("*.yml"):
        assert yaml.safe_load(path.read_text(encoding="utf-8")), path


def test_rooms_take_from_one_another_what_their_init_gives():
    """A module that begins with an underscore is its room's own."""
    source = ROOT / "src" / "ishango"
    for path in source.rglob("*.py"):
        room = path.relative_to(source).parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("ishango."):
                continue
            where, *below = (node.module or "").split(".")[1:]
            names = [*below, *(alias.name for alias in node.names)]
            private = [name for name in names if name.startswith("_") and not name.startswith("__")]
            assert where == room or not private, f"{path}, line {node.lineno}: {private[0]} is private to {where}"


def test_no_test_stops_the_clock_of_others():
    """Servers that tests before have started would wait for hours; a module gets a clock of its own instead."""
    stopped = re.compile(r"setattr\((time|[\w.]+\.time), \"|setattr\(\"time\.")
    assert not [path for path in (ROOT / "tests").rglob("*.py") if stopped.search(path.read_text(encoding="utf-8"))]
