"""A reproduction of a minute, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ishango.report import QUICK
from ishango.report.sections import FIGURES, SECTIONS

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
    before = [(registry, list(registry.values())) for registry in (FIGURES, SECTIONS)]
    for registry, kept in ((FIGURES, shown), (SECTIONS, sections)):
        for name in set(registry) - set(kept):
            registry.remove(name)
    for section in [each for each in SECTIONS.values() if each.after not in (None, *sections)]:
        SECTIONS.remove(section.name)  # the one it follows is gone
        SECTIONS.add(replace(section, after=None))
    try:
        yield
    finally:
        for registry, entries in before:
            for name in set(registry) & {entry.name for entry in entries}:
                registry.remove(name)
            for entry in entries:
                registry.add(entry)
