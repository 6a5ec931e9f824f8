"""Kernels that only other kernels call are optimised once: as parts of the kernel that Python calls.

Numba optimises each function together with all that it calls, and makes machine code of it, before the one that calls
it goes through the same again. In a tower of calls the lowest functions are optimised once for each floor. Here the
lower ones are only translated; LLVM sees the whole of it once, from the top.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any, cast

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder

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


class LinkedLibrary(JITCodeLibrary):
    """The code of a kernel that is linked into others, neither optimised nor made executable by itself."""

    _finalized: bool

    @property
    def codegen(self) -> Any:
        """What Numba tells of the environment of a function that can be executed; this one cannot."""
        return _NoEnvironment()

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
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


class _NoEnvironment:
    def set_env(self, env_name: str, env: Any) -> None:
        """Nothing to tell."""


class LinkedCompiler(CompilerBase):
    """Numba's compiler, for kernels that become parts of others."""

    state: Any

    def define_pipelines(self) -> list[Any]:
        """The usual passes, with another library."""
        state, builder = self.state, cast(Any, DefaultPassBuilder)
        state.library = LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return [builder.define_nopython_pipeline(state)]
