import pytest
from tests.report.tiny import TINY

from ishango.report import reproduce


@pytest.fixture(scope="session")
def reproduction(tmp_path_factory):
    """A finished reproduction; tests that change it work on a copy."""
    out = tmp_path_factory.mktemp("reproduction") / "out"
    reproduce(TINY, out, workers=2, say=lambda _text: None)
    return out
