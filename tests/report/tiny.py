"""A reproduction of a minute, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ishango.report import QUICK
from ishango.report._sections import FIGURES, SECTIONS

TINY = replace(
    QUICK,
    name="tiny",
    rounds=3,
    steps=30,
    coin=2,
    oracle=2,
    matched=1,
    side_steps=20,
    learning_steps=30,
    learning_seeds=range(1),
    restricted_steps=10,
    genetic_seeds=range(1),
    genetic_generations=3,
    capped=range(2, 6),
)


@contextmanager
def only(*sections: str) -> Iterator[None]:
    """Let the page have these sections alone: drawing all figures takes longer than everything else."""
    shown = {name for section in sections for name in SECTIONS[section].figures}
    before = [(entries, dict(entries)) for entries in (FIGURES, SECTIONS)]
    for entries, kept in ((FIGURES, shown), (SECTIONS, sections)):
        for name in set(entries) - set(kept):
            del entries[name]
    try:
        yield
    finally:
        for entries, all_of_them in before:
            entries.clear()
            entries.update(all_of_them)
