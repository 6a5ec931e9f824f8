"""What can be chosen by name: parts that are extras, modules of one's own, registries, and what options allow."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from math import inf
from numbers import Integral, Real
from pathlib import Path
from types import ModuleType, NoneType
from typing import Annotated, Any, Literal, NamedTuple, Protocol, TypeVar, cast, get_args, get_origin, get_type_hints

import tyro
from tyro.constructors import PrimitiveConstructorSpec

from ishango.errors import RequestError, require

EXTRAS: dict[str, tuple[str, ...]] = {
    "tables": ("duckdb",),
    "report": ("altair", "duckdb", "jinja2", "scipy", "vl_convert"),
    "explorer": ("altair", "duckdb", "fastapi", "jinja2", "scipy", "uvicorn", "vl_convert"),
    "torch": ("torch",),
    "cldf": ("pycldf",),
}
"""The extras of pyproject.toml that parts of this package cannot do without, and the modules that they bring."""


class MissingExtraError(RequestError, ImportError):
    """A part that was asked for is not installed; the message says how to install it."""


def needs(extra: str, what: str) -> None:
    """Refuse, before anything is loaded, what cannot work here.

    Args:
        extra: the extra that brings what is needed.
        what: who needs it, in the plural, as the beginning of a sentence.

    >>> needs("report", "Figures")  # they are installed where this runs
    """
    missing = [module for module in EXTRAS[extra] if find_spec(module) is None]
    if missing:
        one = len(missing) == 1
        raise MissingExtraError(
            f"{what} need {alternatives(tuple(missing), 'and')}, which {'is' if one else 'are'} not installed:"
            f" pip install 'ishango[{extra}]' brings {'it' if one else 'them'}."
        )


# Modules of one's own that add choosers, needs, rewards and the like, without making a package of them.
#
# They are named in the variable ISHANGO_EXTENSIONS (module names or files, with commas between them) and imported when
# a registry is asked for something, in every process, so that spawned workers know what they add.

_VARIABLE = "ISHANGO_EXTENSIONS"

_loaded: dict[str, ModuleType] = {}
_lock = threading.RLock()
_seen = ""
"""What the variable said when everything it names had been loaded."""
_busy = False
"""Whether an extension is being loaded, which may itself ask registries."""


def extend(module: str | Path) -> ModuleType:
    """Use a module that adds entries to registries: choosers, needs, rewards, grammars and others of your own.

    What it adds is known from here on, also in the worker processes of `sweep`. On the command line the variable
    ISHANGO_EXTENSIONS says the same: `ISHANGO_EXTENSIONS=variant.py ishango evolve --choose smaller`.

    Args:
        module: a file such as `variant.py`, or the name of a module that can be imported.

    Returns:
        The module. It is imported once in a process: after a change of the file, begin a new one.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from ishango.evolution import CHOOSERS
    >>> with TemporaryDirectory() as directory:
    ...     file = Path(directory, "eager.py")
    ...     _ = file.write_text('''
    ... from ishango.evolution import CHOOSERS, Chooser, Decision
    ... CHOOSERS.add(Chooser("eager", "eagerness", "keeps everything", False, lambda _question: Decision(True)))
    ... ''')
    ...     module = extend(file)
    >>> CHOOSERS["eager"].sentence
    'keeps everything'
    >>> CHOOSERS.remove("eager"); forget(file)
    """
    name = _known_as(module)
    loaded = _load_extension(name)
    if name not in _named():
        os.environ[_VARIABLE] = ",".join([*_named(), name])
    return loaded


def forget(module: str | Path) -> None:
    """Name a module no longer, for tests and notebooks; what it added stays in its registries."""
    name = _known_as(module)
    os.environ[_VARIABLE] = ",".join(each for each in _named() if each != name)
    if (loaded := _loaded.pop(name, None)) and sys.modules.get(loaded.__name__) is loaded:
        del sys.modules[loaded.__name__]


def _load_extensions() -> None:
    """Import the modules that the environment names, each once.

    While a module of this package is still being imported nothing is done: extensions import it, too.
    """
    global _seen
    wanted = os.environ.get(_VARIABLE, "")
    if wanted == _seen or _busy or _importing():
        return
    for name in _named():
        _load_extension(_known_as(name))
    _seen = wanted


def _importing() -> bool:
    ours = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "ishango"]
    return any(getattr(getattr(module, "__spec__", None), "_initializing", False) for module in ours)


def _named() -> list[str]:
    return [name.strip() for name in os.environ.get(_VARIABLE, "").split(",") if name.strip()]


def _known_as(module: str | Path) -> str:
    """A file by its whole path, so that it is the same from every directory; a module by its name."""
    return str(Path(module).resolve()) if _is_file(str(module)) else str(module)


def _is_file(name: str) -> bool:
    return name.endswith(".py")


def _load_extension(name: str) -> ModuleType:
    global _busy
    with _lock:
        if name not in _loaded:
            before, _busy = _busy, True
            try:
                _loaded[name] = _import_file(Path(name)) if _is_file(name) else import_module(name)
            except Exception as error:
                raise RequestError(
                    f"The extension {name} cannot be loaded ({type(error).__name__}: {error}); repair it, or take it"
                    f" out of {_VARIABLE}."
                ) from error
            finally:
                _busy = before
        return _loaded[name]


def _import_file(file: Path) -> ModuleType:
    if not file.is_file():
        raise FileNotFoundError(f"there is no file {file}")
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    kept = sys.modules.setdefault(file.stem, module) is module  # so that it can define dataclasses
    try:
        spec.loader.exec_module(module)
    except BaseException:
        if kept:
            del sys.modules[file.stem]
        raise
    return module


# Extension points: what there is of a kind, by name, from this package and from others.
#
# A registry holds the entries of one kind (grammars, needs, choosers, ...). Built-in ones are added where they are
# defined; those of other packages come through Python entry points, those of single modules through `ishango.extend`.
# Both are read on first use in every process, so that spawned workers know them too. An unknown name is refused with
# the names there are. What only this package has entries of (`by_name`) is a plain dictionary.


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


@dataclass(frozen=True)
class Labelled:
    """What entries have that pages and tables show; kinds of entries add their own fields."""

    name: str
    """What options, plans, records and files call it."""
    label: str
    """What pages, tables and legends call it."""
    sentence: str
    """What it is or does, for help texts; without a final full stop."""


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
    return f"There is no {kind} {name!r}{meant(name, names)}; choose one of {', '.join(names)}."


def meant(name: object, known: Iterable[str]) -> str:
    """The known name that is near one that is not known, in brackets; nothing where none is near."""
    near = get_close_matches(str(name), list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def sentences(entries: Mapping[str, Named]) -> str:
    """Every entry with its sentence, for a help text."""
    return "; ".join(f"{name}: {entries[name].sentence}" for name in said(entries))


def said(entries: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of entries as people say them, which may be others than those in files."""
    return tuple(map(entries.called, entries)) if isinstance(entries, Registry) else tuple(entries)


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

    def __init__(
        self, kind: str, group: str, own: Mapping[str, str] | None = None, spelled: Mapping[str, str] | None = None
    ) -> None:
        """`kind` is the word for an entry in messages, `group` the entry-point group that other packages use.

        `own` has entries of this package that are imported on first use: `module:attribute`, by name. `spelled` has the
        names in files of entries that people call otherwise, by what they say; both are accepted.
        """
        self.kind, self.group, self.spelled = kind, group, dict(spelled or {})
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
        if (own := self.spelled.get(name, name)) not in entries:
            raise RequestError(self.refusal(name))
        return entries[own]

    def __contains__(self, name: object) -> bool:
        return name in self.spelled or name in self._all()

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._all()))

    def __len__(self) -> int:
        return len(self._all())

    def called(self, name: str) -> str:
        """What people call the entry that has this name in files."""
        return next((said for said, own in self.spelled.items() if own == name), name)

    def refusal(self, name: object) -> str:
        """The sentence for a name that is not known."""
        return refusal(self.kind, name, said(self))

    def sentences(self) -> str:
        """Every entry with its sentence, for a help text."""
        return sentences(self)

    def _all(self) -> dict[str, Entry]:
        _load_extensions()
        if not self._loaded:
            with self._lock:
                if not self._loaded and not self._loading:  # an extension that is being loaded may ask for entries
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
        """Add what other packages have, all or nothing: every use, not only the first, says what is wrong with one."""
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


# What fields of options carry beside their type: a name outside Python, and choices that are entries by name.

UpTo = Annotated[int, tyro.conf.arg(name="range")]
"""The largest number of a range from 1: `upto` in Python, where `range` is a builtin, and `range` everywhere else."""

OUTSIDE = {"upto": "range"}
"""Fields that the command line, plans, tables and JSON call by another name than Python does."""


class Between(NamedTuple):
    """Marks a field of numbers with its bounds: `rounds: Annotated[int, Between(0, 100)] = 20`."""

    least: float
    greatest: float = inf

    @property
    def allowed(self) -> str:
        """As a refusal has it.

        >>> Between(0, 10_000).allowed, Between(0).allowed, Between(0, 1e15).allowed
        ('between 0 and 10,000', '0 or more', 'between 0 and 1e+15')
        """
        if self.greatest == inf:
            return f"{_short(self.least)} or more"
        return f"between {_short(self.least)} and {_short(self.greatest)}"


def _short(value: float) -> str:
    return f"{int(value):,}" if value == int(value) and value < 1e10 else f"{value:g}"


MOST = 10**9
"""The largest number of rounds, steps or examples that is accepted."""
Count = Annotated[int, Between(0, MOST)]
Positive = Annotated[int, Between(1, MOST)]
Seed = Annotated[int, Between(0)]
Share = Annotated[float, Between(0, 1)]


class _Matching(NamedTuple):
    """Marks a field of text with the regular expression that it must match, and what a refusal says is allowed."""

    pattern: str
    allowed: str


ALL = "all"
CountOrAll = Annotated[str, _Matching(f"{ALL}|0*([1-9][0-9]{{0,8}}|10{{9}})", f"between 1 and {MOST:,}, or {ALL}")]
"""How many of something, as text, or all there are."""


class OneOf(PrimitiveConstructorSpec[str]):
    """Marks a field of text as the name of an entry: `Annotated[str, OneOf(GRAMMARS)]`.

    The choices are asked for when they are needed, so that what other packages add is among them.
    """

    nargs = 1

    def __init__(self, registry: Mapping[str, Any]) -> None:
        object.__setattr__(self, "registry", registry)

    registry: Mapping[str, Any]

    # `Annotated` hashes what it is given. The inherited way would look at the choices, and so load extensions in the
    # middle of the import of what they extend.
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override] - tyro has a field
        """The names there are."""
        return tuple(dict.fromkeys([*said(self.registry), *self.registry]))

    @property
    def metavar(self) -> str:  # type: ignore[override] - tyro has a field
        """How the help text shows them."""
        return "{" + ",".join(said(self.registry)) + "}"

    @staticmethod
    def instance_from_str(words: list[str]) -> str:  # type: ignore[override] - tyro has a field
        """The word itself; tyro has checked that it is a choice."""
        return words[0]

    @staticmethod
    def str_from_instance(value: str) -> list[str]:  # type: ignore[override] - tyro has a field
        """The word itself."""
        return [value]

    @staticmethod
    def is_instance(value: Any) -> bool:  # type: ignore[override] - tyro has a field
        """Any text may be a default; `check_fields` refuses one that is no choice."""
        return isinstance(value, str)


def explained(entries: Mapping[str, Named]) -> Any:
    """Puts the sentence of every entry behind the option's own help."""
    return tyro.conf.arg(help_behavior_hint=lambda default: f"({sentences(entries)}; default: {default})")


def check_fields(options: Any) -> None:
    """Refuse what the annotations of a dataclass's fields do not allow: bounds, patterns, entries by name, literals,
    flags, tables of options.

    An entry that is called otherwise than in files gets the name that files have.
    """
    for name, hint, bounds in _constrained(cast(type[Any], type(options))):
        value, outside = getattr(options, name), OUTSIDE.get(name, name)
        if isinstance(bounds, type):
            allowed = "True or False" if bounds is bool else bounds.__name__
            require(isinstance(value, bounds), outside, value, allowed)
        elif isinstance(bounds, Between):
            kinds = get_args(hint) or (hint,)
            number: Any = value
            is_number = isinstance(value, Real if float in kinds else Integral) and type(number) is not bool
            fits = is_number and bounds.least <= number <= bounds.greatest and number < inf
            whole = "an integer, " if isinstance(value, float) and float not in kinds else ""
            finite = ", and finite" if bounds.greatest == inf and hint is float else ""
            require(fits or (value is None and NoneType in kinds), outside, value,
                    whole + bounds.allowed + finite)  # fmt: skip
        elif isinstance(bounds, _Matching):
            is_matching = isinstance(value, str) and re.fullmatch(bounds.pattern, value) is not None
            require(is_matching, outside, value, bounds.allowed)
        else:
            check_choice(bounds, outside, value)
            if isinstance(bounds, Registry) and value in bounds.spelled:  # what files say
                object.__setattr__(options, name, bounds.spelled[value])


@cache
def _constrained(options: type[Any]) -> list[tuple[str, Any, Any]]:
    """Fields with the type and the bounds, or the choices, of each."""
    found: list[tuple[str, Any, Any]] = []
    for name, hint in get_type_hints(options, include_extras=True).items():
        plain, marks = (hint.__origin__, hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())
        if get_origin(plain) is Literal:
            found.append((name, plain, dict.fromkeys(get_args(plain))))
        if plain is bool or is_dataclass(plain):
            found.append((name, plain, plain))
        found += [(name, plain, each) for each in marks if isinstance(each, (Between, _Matching))]
        found += [(name, plain, each.registry) for each in marks if type(each) is OneOf]
    return found


def check_choice(registry: Mapping[str, Any], field: str, value: object) -> None:
    """Refuse a value that is no entry of the registry, in one sentence that names the field."""
    if not isinstance(value, Hashable) or value not in registry:
        names = said(registry)
        require(False, field, value, alternatives(names) + meant(value, [*names, *registry]))


def alternatives(names: tuple[str, ...], joint: str = "or") -> str:
    """Names as a sentence has them.

    >>> alternatives(("bandit", "coin", "shorter"))
    'bandit, coin or shorter'
    """
    return f" {joint} ".join(filter(None, (", ".join(names[:-1]), names[-1])))
