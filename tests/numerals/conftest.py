from collections.abc import Iterator

import pytest
from tests.numerals import combinations


@pytest.fixture(autouse=True)
def _combinations() -> Iterator[None]:
    """Tests of this room know every combination of rules."""
    with combinations.added():
        yield
