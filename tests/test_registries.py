"""Every entry of every extension point, and of every dictionary of entries."""

import json
import subprocess
import sys

import pytest
from tests.harness import check_entry, dictionaries, registries

REGISTRIES = registries()
EXTENSION_POINTS = {
    f"ishango.{kind}" for kind in ("choosers", "costs", "experiments", "grammars", "modifications", "needs", "rewards")
}
KNOWN = {**REGISTRIES, **dictionaries()}
ENTRIES = [pytest.param(each, name, id=f"{kind}-{name}") for kind, each in KNOWN.items() for name in each]

NAMES = """
import json, sys
from tests.harness import dictionaries, registries
print(json.dumps({kind: list(entries) for kind, entries in {**registries(), **dictionaries()}.items()}))
"""


@pytest.mark.parametrize(("registry", "name"), ENTRIES)
def test_every_entry(registry, name):
    check_entry(registry, name)


def test_every_extension_point_has_a_registry():
    assert REGISTRIES.keys() == EXTENSION_POINTS
    assert all(KNOWN.values())


def test_another_process_knows_the_same_entries():
    out = subprocess.run([sys.executable, "-c", NAMES], capture_output=True, text=True, check=True).stdout
    assert json.loads(out) == {kind: list(entries) for kind, entries in KNOWN.items()}
