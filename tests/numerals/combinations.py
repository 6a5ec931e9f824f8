"""A grammar for every combination of rules that is allowed, added to the registry while tests run."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

from ishango.numerals import GRAMMARS, Grammar

COMBINATIONS = tuple(
    Grammar(f"{bare}{'+' * plus}{'-' * minus}{'/' * flat}", bare, "a combination of rules", number, phrase, plus, minus,
            flat)
    for flat, (bare, number, phrase), plus, minus in product(
        (False, True),
        (("no-bare", False, False), ("bare-number", True, False), ("bare-phrase", True, True)),
        (True, False),
        (True, False),
    )
)  # fmt: skip


@contextmanager
def added() -> Iterator[None]:
    """All of them, for a while."""
    for grammar in COMBINATIONS:
        GRAMMARS.add(grammar)
    try:
        yield
    finally:
        for grammar in COMBINATIONS:
            GRAMMARS.remove(grammar.name)
