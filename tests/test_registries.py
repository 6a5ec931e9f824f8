"""Every entry of every extension point."""

import json
import subprocess
import sys

import pytest
from tests.harness import check_entry, registries

REGISTRIES = registries()
EXTENSION_POINTS = {
    f"ishango.{kind}"
    for kind in (
        "add_rules", "choosers", "claims", "costs", "engines", "error_measures", "experiments", "figures", "grammars",
        "judges", "learners", "modifications", "needs", "plans", "players", "rewards", "sections",
    )
}  # fmt: skip
ENTRIES = [pytest.param(each, name, id=f"{group}-{name}") for group, each in REGISTRIES.items() for name in each]

NAMES = """
import json, sys
from tests.harness import registries
print(json.dumps({group: list(registry) for group, registry in registries().items()}))
"""


@pytest.mark.parametrize(("registry", "name"), ENTRIES)
def test_every_entry(registry, name):
    check_entry(registry, name)


def test_every_extension_point_has_a_registry():
    assert REGISTRIES.keys() == EXTENSION_POINTS
    assert all(REGISTRIES.values())


def test_another_process_knows_the_same_entries():
    out = subprocess.run([sys.executable, "-c", NAMES], capture_output=True, text=True, check=True).stdout
    assert json.loads(out) == {group: list(registry) for group, registry in REGISTRIES.items()}
