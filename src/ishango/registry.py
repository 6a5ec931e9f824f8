"""Extension points: what there is of a kind, by name, from this package and from others.

A registry holds the entries of one kind (grammars, needs, choosers, ...). Built-in ones are added where they are
defined; those of other packages come through Python entry points, those of single modules through `ishango.extend`.
Both are read on first use in every process, so that spawned workers know them too. An unknown name is refused with the
names there are.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol, TypeVar

from ishango.errors import RequestError
from ishango.extensions import load_extensions


class Named(Protocol):
    """What every entry has."""

    @property
    def name(self) -> str:
        """What it is called on the command line, in plans and in files."""
        ...

    @property
    def sentence(self) -> str:
        """What it is, for help texts and pages; without a final full stop."""
        ...


Entry = TypeVar("Entry", bound=Named)


class Registry(Mapping[str, Entry]):
    """All entries of a kind, in the order in which they were added; those of other packages come last.

    >>> from types import SimpleNamespace
    >>> fruits = Registry("fruit", "ishango.doctest.fruits")
    >>> pear = fruits.add(SimpleNamespace(name="pear", sentence="a pear"))
    >>> fruits["pear"] is pear, list(fruits)
    (True, ['pear'])
    >>> fruits["paer"]
    Traceback (most recent call last):
    ishango.errors.RequestError: There is no fruit 'paer' (did you mean pear?); choose one of pear.
    """

    def __init__(self, kind: str, group: str) -> None:
        """`kind` is the word for an entry in messages, `group` the entry-point group that other packages use."""
        self.kind, self.group = kind, group
        self._entries: dict[str, Entry] = {}
        self._loaded = self._loading = False
        self._lock = threading.RLock()

    def add(self, entry: Entry) -> Entry:
        """Add an entry and give it back; a name that is taken is refused."""
        if entry.name in self._entries:
            raise RequestError(f"There are two of the {self.kind} {entry.name!r}; give one of them another name.")
        self._entries[entry.name] = entry
        return entry

    def remove(self, name: str) -> None:
        """Take an entry out again: for tests and notebooks."""
        del self._entries[name]

    def __getitem__(self, name: str) -> Entry:
        entries = self._all()
        if name not in entries:
            raise RequestError(self.refusal(name))
        return entries[name]

    def __contains__(self, name: object) -> bool:
        return name in self._all()

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._all()))

    def __len__(self) -> int:
        return len(self._all())

    def refusal(self, name: object) -> str:
        """The sentence for a name that is not known."""
        near = get_close_matches(str(name), self, n=1)
        meant = f" (did you mean {near[0]}?)" if near else ""
        return f"There is no {self.kind} {name!r}{meant}; choose one of {', '.join(self)}."

    def sentences(self) -> str:
        """Every entry with its sentence, for a help text."""
        return "; ".join(f"{name}: {entry.sentence}" for name, entry in self.items())

    def _all(self) -> dict[str, Entry]:
        load_extensions()
        if not self._loaded:
            with self._lock:
                if (
                    not self._loaded and not self._loading
                ):  # an extension that is being loaded may ask for entries itself
                    self._loading = True
                    try:
                        self._load()
                        self._loaded = True
                    finally:
                        self._loading = False
        return self._entries

    def _load(self) -> None:
        """Add what other packages have, all or nothing: what is wrong with one is told at every use, not once."""
        before = dict(self._entries)
        try:
            for point in sorted(entry_points(group=self.group), key=lambda point: point.name):
                entry = _load(point)
                if not hasattr(entry, "name") or not hasattr(entry, "sentence"):
                    raise RequestError(
                        f"The entry point {point.name!r} of {self.group} leads to no {self.kind} but to {entry!r};"
                        " name the entry itself."
                    )
                if entry.name != point.name:
                    raise RequestError(
                        f"The entry point {point.name!r} of {self.group} leads to {entry.name!r}; give both one name."
                    )
                self.add(entry)
        except RequestError:
            self._entries = before
            raise


def _load(point: EntryPoint) -> Any:
    """The entry behind an entry point; an extension that cannot be loaded is named."""
    try:
        return point.load()
    except Exception as error:
        package = point.dist.name if point.dist else "a package"
        raise RequestError(
            f"The extension {point.name} of {package} cannot be loaded ({type(error).__name__}: {error});"
            " repair or uninstall that package."
        ) from error
