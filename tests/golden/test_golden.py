"""Every command prints and writes what it did before; `python -m tests.golden --keep` keeps what it does now."""

import pytest
from tests.golden.digests import compared, kept, machine, played
from tests.golden.parts import PARTS


@pytest.mark.filterwarnings("default")  # archived runs were played on other machines
@pytest.mark.parametrize("name", PARTS)
def test_outputs_are_those_that_were_kept(name: str) -> None:
    part, before = PARTS[name], kept()
    if part.missing:
        pytest.skip(f"needs {', '.join(part.missing)}")
    other = sorted(dict(before["machine"].items() ^ machine().items()))
    if part.agents and other:
        pytest.skip(
            f"agents' bits may depend on the machine, and the digests were made with another {', '.join(other)}"
        )
    assert compared(name, played(name), before) == [], f"python -m tests.golden {name} shows the differences"
