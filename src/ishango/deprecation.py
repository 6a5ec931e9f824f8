"""Names of an earlier version that still work, with a warning, for one more."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
Target = TypeVar("Target", bound=Callable[..., Any])


def renamed(**names: str) -> Callable[[Target], Target]:
    """Let callers of a function, method or class go on using the old names of its keyword arguments.

    >>> @renamed(range="upto")
    ... def count(upto: int) -> int:
    ...     return upto
    >>> count(upto=3)
    3
    """

    def decorate(target: Target) -> Target:
        if isinstance(target, type):
            constructor = cast(Any, target)
            constructor.__init__ = _forwarding(constructor.__init__, target.__name__, names)
            return cast(Target, target)
        return cast(Target, _forwarding(target, target.__name__, names))

    return decorate


def _forwarding(function: Callable[P, R], called: str, names: dict[str, str]) -> Callable[P, R]:
    @wraps(function)
    def forward(*arguments: P.args, **keywords: P.kwargs) -> R:
        for old, new in names.items():
            if old in keywords:
                if new in keywords:
                    raise TypeError(f"{called}() got both {new!r} and its old name {old!r}.")
                warnings.warn(
                    f"The argument {old} of {called} is called {new} now; the old name goes with the next version.",
                    DeprecationWarning,
                    stacklevel=2,
                )
                keywords[new] = keywords.pop(old)
        return function(*arguments, **keywords)

    return forward
