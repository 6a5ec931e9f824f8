"""How kernels are compiled, each part of them once, and kept on disk.

Numba optimises each function together with all that it calls, and makes machine code of it, before the one that calls
it goes through the same again. In a tower of calls the lowest functions are optimised once for each floor. Here the
lower ones are only translated; LLVM sees the whole of it once, from the top.
"""

from __future__ import annotations

import ctypes
import hashlib
import pickle
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import numba
from llvmlite import binding  # pyright: ignore[reportMissingTypeStubs] - llvmlite has no types
from numba.core.caching import IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.np import linalg

_TAKEN = ("_ensure_finalized", "_finalize_dynamic_globals", "_finalize_final_module", "_optimize_final_module")
"""What is taken over from inside Numba, which promises none of it."""


def links() -> bool:
    """Whether this Numba has inside what is taken over; if not, kernels are compiled as it always does."""
    return all(hasattr(JITCodeLibrary, name) for name in _TAKEN)


@ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
def _refuse(_self: Any, _arguments: Any, _named: Any) -> int:
    """Called from Python, which raises a SystemError when nothing comes back; the sentence goes to standard error."""
    print("This kernel is a part of others (`jit`); what Python calls is compiled by `entry`.", file=sys.stderr)
    return 0


class _LinkedLibrary(JITCodeLibrary):
    """The code of a kernel that is linked into others, neither optimised nor made executable by itself."""

    _finalized: bool

    @property
    def codegen(self) -> Any:
        """What Numba tells of the environment of a function that can be executed; this one cannot."""
        return _NoEnvironment()

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - as in Numba
        """What Python would call: a refusal instead of nothing, which would end the process."""
        library: Any = self
        library._ensure_finalized()
        return ctypes.cast(_refuse, ctypes.c_void_p).value or 0

    def _optimize_final_module(self) -> None:
        """Left to the kernels that call this one."""

    def _finalize_final_module(self) -> None:
        library: Any = self
        library._finalize_dynamic_globals()
        self._finalized = True


def _without_scipy() -> None:
    """Spare every command the import of SciPy, a tenth of a second.

    Numba imports its linear algebra only to see whether it is there. Kernels that multiply matrices import it still.
    """
    looks: Any = linalg
    imports_scipy = getattr(looks, "ensure_blas", None)
    if imports_scipy is None or find_spec("scipy") is None:
        return
    looks.ensure_blas = lambda: None
    try:
        import_module("numba.np.arraymath")
    finally:
        looks.ensure_blas = imports_scipy


_without_scipy()


class _NoEnvironment:
    def set_env(self, env_name: str, env: Any) -> None:
        """Nothing to tell."""


class _LinkedCompiler(CompilerBase):
    """Numba's compiler, for kernels that become parts of others."""

    state: Any

    def define_pipelines(self) -> list[Any]:
        """The usual passes, with another library."""
        state, builder = self.state, cast(Any, DefaultPassBuilder)
        state.library = _LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return [builder.define_nopython_pipeline(state)]


# How kernels are compiled: once for each type of CPU, kept on disk, and the same bits every time.
#
# A hundred workers may start at once and on machines of several types that share the disk. Numba numbers the files of
# its cache from an index that it reads before, so that two processes can give one number to two kernels, and its index
# names a file before it is there. Here each type of CPU has an index of its own, a file is named after what it holds,
# and the index comes last: what a race can cost is a compilation, never a wrong kernel.

Function = Callable[..., Any]
Compiled = Callable[..., Any]
"""Numba infers the types of a kernel's arguments from the arrays that it is given; others need not know them."""

_OPTIONS: dict[str, Any] = {"cache": True, "error_model": "numpy", "nogil": True}
"""No fastmath: it made bits depend on whether code came from the cache. Division as in NumPy lets loops vectorise."""

_MARK = re.compile(rb"^(from ishango\.compiling import .*\b(entry|jit)\b|(from|import) numba\b)", re.MULTILINE)
"""What a file with kernels imports first of all; those for LLVM itself import Numba."""

_OLD = 3600.0
"""Seconds after which a file that no index names may be removed."""
_DIGEST = hashlib.sha256().digest_size


def _sources_digest() -> str:
    texts = (path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py")))
    return hashlib.sha256(b"".join(filter(_MARK.search, texts))).hexdigest()


def _cpu_digest() -> str:
    features: Any = binding.get_host_cpu_features()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - llvmlite
    name: Any = binding.get_host_cpu_name()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - llvmlite
    return hashlib.sha256(f"{name} {features.flatten()}".encode()).hexdigest()[:8]


SOURCES, CPU = _sources_digest(), _cpu_digest()
"""What compiled kernels depend on: their sources, and the type of CPU."""


def entry(function: Function) -> Compiled:
    """Compile a kernel that Python calls."""
    return _compile(function, _OPTIONS)


def jit(function: Function) -> Compiled:
    """Compile a kernel that only other kernels call: it becomes a part of theirs, and from Python it cannot be called.

    Nothing of it is kept on disk, since what is kept of its callers holds it.
    """
    options: dict[str, Any] = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if not links():
        return _compile(function, options)
    options |= {"cache": False, "pipeline_class": _LinkedCompiler}
    compiled: Any = numba.njit(**options)(function)
    return compiled


def on_disk(kernel: Callable[..., Any]) -> bool:
    """Whether some form of a kernel that Python calls is in the cache; true where nothing is compiled at all."""
    cache: Any = getattr(kernel, "_cache", None)
    return cache is None or bool(cache._cache_file._load_index())


def _compile(function: Function, options: dict[str, Any]) -> Compiled:
    """Numba notices edits of a function's own file only; kernels inline each other, so here an edit of any counts."""
    compiled: Any = numba.njit(**options)(function)
    cache = getattr(compiled, "_cache", None)  # absent when NUMBA_DISABLE_JIT is set
    if cache is not None:
        file: Any = cache._cache_file
        base = file._index_name.removesuffix(".nbi")
        cache._cache_file = _CacheFile(file._cache_path, f"{base}.{CPU}", (file._source_stamp, SOURCES))
    return compiled


class _CacheFile(IndexDataCacheFile):
    """The compiled forms of one kernel on disk.

    Each file begins with a digest of its name and content: one that is damaged, or another's, counts as none, and what
    it held is compiled again.
    """

    _cache_path: str
    _index_name: str
    _source_stamp: Any

    def save(self, key: Any, data: Any) -> None:
        """Keep a compiled form; a disk that takes nothing costs a compilation the next time."""
        with suppress(OSError):
            overloads = self._load_index()
            if not overloads:
                self._tidy()
            name = overloads.get(key) or self._name(key)
            self._seal(name, data)
            self._save_index({**self._load_index(), key: name})

    def load(self, key: Any) -> Any:
        """The compiled form, or None; what cannot be read (a network file system replaces it, say) counts as none."""
        name = self._load_index().get(key)
        try:
            return None if name is None else pickle.loads(self._unsealed(name))
        except Exception:  # a file that is whole, but of classes that are no more
            return None

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, overloads = pickle.loads(self._unsealed(self._index_name))
        except Exception:  # whatever an index of other versions or a damaged disk makes of it
            return {}
        return overloads if stamp == self._source_stamp else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._seal(self._index_name, (self._source_stamp, overloads))

    def _seal(self, name: str, content: Any) -> None:
        files: Any = super()
        data: bytes = files._dump(content)
        with files._open_for_write(str(Path(self._cache_path, name))) as file:
            file.write(self._digest(name, data) + data)

    def _unsealed(self, name: str) -> bytes:
        data = Path(self._cache_path, name).read_bytes()
        digest, data = data[:_DIGEST], data[_DIGEST:]
        if digest != self._digest(name, data):
            raise OSError(f"{name} is damaged")
        return data

    def _digest(self, name: str, data: bytes) -> bytes:
        return hashlib.sha256(f"{numba.__version__} {name} ".encode() + data).digest()

    def _name(self, key: Any) -> str:
        digest = hashlib.sha256(repr((self._source_stamp, key)).encode()).hexdigest()[:16]
        return f"{self._index_name.removesuffix('.nbi')}.{digest}.nbc"

    def _tidy(self) -> None:
        """Remove what was compiled from earlier sources."""
        pattern = f"{self._index_name.removesuffix('.nbi')}.*.nbc"
        for path in Path(self._cache_path).glob(pattern):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _OLD:
                    path.unlink()
