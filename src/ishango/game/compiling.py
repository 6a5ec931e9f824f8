"""How the kernels are compiled: once, kept on disk, and the same bits every time."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

_OPTIONS: dict[str, Any] = {"cache": True, "error_model": "numpy", "nogil": True}
"""No fastmath: it made bits depend on whether code came from the cache. Division as in NumPy lets loops vectorise."""

_FILES = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
_KERNELS = hashlib.sha256(b"".join(t for t in _FILES if b"numba" in t or b"game.compiling" in t)).hexdigest()


def entry(function: Callable[..., Any]) -> Any:
    """Compile a kernel that Python calls."""
    return _compile(function, _OPTIONS)


def jit(function: Callable[..., Any]) -> Any:
    """Compile a kernel that only other kernels call.

    Leaving out its Python side saves a third of the time to compile; called from Python it would crash.
    """
    return _compile(function, {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True})


def _compile(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Numba notices edits of a function's own file only; kernels inline each other, so here an edit of any counts."""
    compiled = numba.njit(**options)(function)
    cache = getattr(compiled, "_cache", None)  # absent when NUMBA_DISABLE_JIT is set
    if cache is not None:
        file = cache._cache_file
        file._source_stamp = (file._source_stamp, _KERNELS)
    return compiled
