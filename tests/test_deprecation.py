"""Old names of keyword arguments work for one more version, with a warning."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import pytest

from ishango import numerals
from ishango.deprecation import renamed
from ishango.frontier import Problem, gap
from ishango.languages import find_language
from ishango.numerals import Need, NumeralSystem

SYSTEM = NumeralSystem.parse("1-9,11 | 10")
ENGLISH = find_language("English")


@pytest.mark.parametrize(
    "call",
    [
        lambda **by: numerals.average_complexity(SYSTEM, **by),
        lambda **by: numerals.minimal_language(SYSTEM, **by).leaves.tolist(),
        lambda **by: numerals.missing(SYSTEM, **by),
        lambda **by: numerals.evaluate_many([SYSTEM], **by).tolist(),
        lambda **by: [mask.tolist() for mask in numerals.masks([SYSTEM], **by)],
        lambda **by: numerals.resolve_limit(limit="default", **by),
        lambda **by: Need.parse("power:2").weights(**by).tolist(),
        lambda **by: Need.parse("power:2").fractions(**by),
        lambda **by: gap(SYSTEM, **by),
        lambda **by: Problem("hurford", **by),
        lambda **by: ENGLISH.expressions(**by),
        lambda **by: ENGLISH.average_complexity(**by),
        lambda **by: ENGLISH.rules.expressions(ENGLISH.system, **by),
    ],
)
def test_range_is_upto(call: Callable[..., Any]) -> None:
    with pytest.warns(DeprecationWarning, match="The argument range of .* is called upto now"):
        old = call(range=20)
    assert old == call(upto=20)
    with pytest.raises(TypeError, match="got both 'upto' and its old name 'range'"):
        call(range=20, upto=20)


def test_the_warning_points_at_the_caller() -> None:
    with pytest.warns(DeprecationWarning, match="range of Problem") as caught:
        Problem(range=20)
    assert caught[0].filename == __file__


def test_signatures_survive() -> None:
    @renamed(range="upto")
    def count(upto: int) -> int:
        """So many."""
        return upto

    assert (count.__name__, count.__doc__, list(signature(count).parameters)) == ("count", "So many.", ["upto"])
    assert list(signature(Problem).parameters)[:3] == ["grammar", "need", "upto"]
    assert isinstance(Problem(), Problem)
