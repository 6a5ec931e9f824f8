"""Extension points: what there is of a kind, by name, from this package and from others.

A registry holds the entries of one kind (grammars, needs, choosers, ...). Built-in ones are added where they are
defined; those of other packages come through Python entry points, those of single modules through `ishango.extend`.
Both are read on first use in every process, so that spawned workers know them too. An unknown name is refused with the
names there are. What only this package has entries of (`by_name`) is a plain dictionary.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
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


def by_name(*entries: Entry) -> dict[str, Entry]:
    """Entries by their names.

    >>> from types import SimpleNamespace
    >>> list(by_name(SimpleNamespace(name="pear", sentence="a pear")))
    ['pear']
    """
    named = {entry.name: entry for entry in entries}
    if len(named) < len(entries):
        raise ValueError(f"two of {', '.join(entry.name for entry in entries)} have one name")
    return named


def refusal(kind: str, name: object, known: Iterable[str]) -> str:
    """The sentence for a name that is not known.

    >>> refusal("fruit", "paer", ["pear", "plum"])
    "There is no fruit 'paer' (did you mean pear?); choose one of pear, plum."
    """
    names = list(known)
    near = get_close_matches(str(name), names, n=1)
    meant = f" (did you mean {near[0]}?)" if near else ""
    return f"There is no {kind} {name!r}{meant}; choose one of {', '.join(names)}."


def sentences(entries: Mapping[str, Named]) -> str:
    """Every entry with its sentence, for a help text."""
    return "; ".join(f"{name}: {entry.sentence}" for name, entry in entries.items())


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

    def __init__(self, kind: str, group: str, own: Mapping[str, str] | None = None) -> None:
        """`kind` is the word for an entry in messages, `group` the entry-point group that other packages use.

        `own` has entries of this package that are imported on first use: `module:attribute`, by name.
        """
        self.kind, self.group = kind, group
        self._own = dict(own or {})
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
        return refusal(self.kind, name, self)

    def sentences(self) -> str:
        """Every entry with its sentence, for a help text."""
        return sentences(self)

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

    def _points(self) -> list[EntryPoint]:
        """Entries of this package, then those of others; earlier versions of this one announced its own, too."""
        own = [EntryPoint(name, value, self.group) for name, value in self._own.items()]
        others = [each for each in entry_points(group=self.group) if self._own.get(each.name) != each.value]
        return own + sorted(others, key=lambda point: point.name)

    def _load(self) -> None:
        """Add what other packages have, all or nothing: what is wrong with one is told at every use, not once."""
        before = dict(self._entries)
        try:
            for point in self._points():
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
