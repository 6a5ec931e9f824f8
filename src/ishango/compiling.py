"""How kernels are compiled: once, kept on disk, and the same bits every time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"cache": True, "error_model": "numpy", "nogil": True}
"""No fastmath: it made bits depend on whether code came from the cache. Division as in NumPy lets loops vectorise."""

_MARK = b"ishango.compiling"
"""What a file with kernels imports; those for LLVM itself import Numba."""


def _sources_digest() -> str:
    """A digest of all files with kernels."""
    texts = (path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py")))
    return hashlib.sha256(b"".join(text for text in texts if _MARK in text or b"numba" in text)).hexdigest()


_SOURCES = _sources_digest()


def entry(function: Function) -> Function:
    """Compile a kernel that Python calls."""
    return _compile(function, _OPTIONS)


def jit(function: Function) -> Function:
    """Compile a kernel that only other kernels call.

    Leaving out its Python side saves a third of the time to compile; called from Python it would crash.
    """
    return _compile(function, {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True})


def _compile(function: Function, options: dict[str, Any]) -> Function:
    """Numba notices edits of a function's own file only; kernels inline each other, so here an edit of any counts."""
    compiled: Any = numba.njit(**options)(function)
    cache = getattr(compiled, "_cache", None)  # absent when NUMBA_DISABLE_JIT is set
    if cache is not None:
        file = cache._cache_file
        file._source_stamp = (file._source_stamp, _SOURCES)
    return compiled
