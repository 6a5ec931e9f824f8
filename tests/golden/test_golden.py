"""Commands print and write what they did before; `python -m tests.golden --keep` keeps what they do now.

Here are the parts that take seconds; `make golden` plays all of them.
"""

import pytest
from tests.golden.digests import cannot_repeat, compared, kept, played
from tests.golden.parts import PARTS


@pytest.mark.filterwarnings("default")  # archived runs were played on other machines
@pytest.mark.parametrize("name", ["frontiers", "kinds", "earlier", "torch"])
def test_outputs_are_those_that_were_kept(name: str) -> None:
    if why := PARTS[name].missing or cannot_repeat(name):
        pytest.skip(f"the digests were made with another {', '.join(why)}, or it is not installed")
    assert compared(name, played(name), kept()) == [], f"python -m tests.golden {name} shows the differences"
