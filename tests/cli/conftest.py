from collections.abc import Callable, Iterator

import pytest

from ishango.cli import _output as output
from ishango.numerals import NumeralSystem, average_complexity, evaluate_many


@pytest.fixture(scope="session", autouse=True)
def _compiled_kernels() -> None:
    """The commands say so when they have to compile; the tests are about what they say otherwise."""
    from ishango.frontiers import gap

    system = NumeralSystem.parse("1-9 | 10")
    for each in (system, system.with_grammar("hurford")):
        average_complexity(each)
        evaluate_many([each])
        gap(each)


@pytest.fixture
def width(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Make standard output so many columns wide."""

    def set_width(columns: int) -> None:
        monkeypatch.setattr(output, "FILE_WIDTH", columns)
        output.console.cache_clear()

    yield set_width
    output.console.cache_clear()
