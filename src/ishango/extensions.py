"""Parts that are installed only where they are wanted: which modules each needs, and what to say without them."""

from __future__ import annotations

import os
import sys
import threading
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from ishango.errors import RequestError

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
        raise MissingExtraError(
            f"{what} need {_listed(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed:"
            f" pip install 'ishango[{extra}]' brings {'it' if len(missing) == 1 else 'them'}."
        )


def _listed(names: list[str]) -> str:
    """Names as in a sentence.

    >>> _listed(["altair", "duckdb", "scipy"])
    'altair, duckdb and scipy'
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


# Modules of one's own that add choosers, needs, rewards and the like, without making a package of them.
#
# They are named in the variable ISHANGO_EXTENSIONS (module names or files, with commas between them) and imported when
# a registry is asked for something, in every process, so that spawned workers know what they add.

VARIABLE = "ISHANGO_EXTENSIONS"

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
    text = str(module)
    name = str(Path(text).resolve()) if _is_file(text) else text
    loaded = _load(name)
    if name not in _named():
        os.environ[VARIABLE] = ",".join([*_named(), name])
    return loaded


def forget(module: str | Path) -> None:
    """Name a module no longer, for tests and notebooks; what it added stays in its registries."""
    name = str(Path(module).resolve()) if _is_file(str(module)) else str(module)
    os.environ[VARIABLE] = ",".join(each for each in _named() if each != name)
    if (loaded := _loaded.pop(name, None)) and sys.modules.get(loaded.__name__) is loaded:
        del sys.modules[loaded.__name__]


def load_extensions() -> None:
    """Import the modules that the environment names, each once.

    While a module of this package is still being imported nothing is done: extensions import it, too.
    """
    global _seen
    wanted = os.environ.get(VARIABLE, "")
    if wanted == _seen or _busy or _importing():
        return
    for name in _named():
        _load(str(Path(name).resolve()) if _is_file(name) else name)
    _seen = wanted


def _importing() -> bool:
    ours = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "ishango"]
    return any(getattr(getattr(module, "__spec__", None), "_initializing", False) for module in ours)


def _named() -> list[str]:
    return [name.strip() for name in os.environ.get(VARIABLE, "").split(",") if name.strip()]


def _is_file(name: str) -> bool:
    return name.endswith(".py")


def _load(name: str) -> ModuleType:
    global _busy
    with _lock:
        if name not in _loaded:
            before, _busy = _busy, True
            try:
                _loaded[name] = _import_file(Path(name)) if _is_file(name) else import_module(name)
            except Exception as error:
                raise RequestError(
                    f"The extension {name} cannot be loaded ({type(error).__name__}: {error}); repair it, or take it"
                    f" out of {VARIABLE}."
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
