"""The exceptions whose message is one sentence for the person at the command line."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager


class RequestError(ValueError):
    """A request that cannot be met as stated; the message says what is wrong and what is allowed.

    The command line prints the message and exits with code 2, without a traceback.
    """


class RunError(RuntimeError):
    """A run that cannot go on (a full disk, say), though nothing was wrong with the request.

    What was written before is intact, and the same command continues the run. The command line exits with code 1.
    """


class FieldError(RequestError):
    """An option that cannot be as it is given; `field` is its name, with which the message begins."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def require(holds: bool, name: str, value: object, allowed: str) -> None:
    """Refuse a value that is not allowed, in one sentence."""
    if not holds:
        raise FieldError(name, f"{name} is {value!r}, but must be {allowed}.")


def plural(count: int, noun: str) -> str:
    """`1 word`, `2 words`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def damage(error: Exception) -> str:
    """What was raised while a file was read that is damaged or none, for people.

    >>> damage(KeyError("size")), damage(ValueError("no number")), damage(RecursionError())
    ("'size' is missing", 'no number', 'RecursionError')
    >>> damage(IsADirectoryError(21, "Is a directory", "/tmp"))
    'Is a directory'
    """
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error).rstrip(".") or type(error).__name__


class RunWarning(UserWarning):
    """Something the person who started the run should know, though the run goes on."""


@contextmanager
def plain_interrupts() -> Generator[None]:
    """Let a Ctrl-C inside compiled code be one: Numba makes a `SystemError` of it, and others wrap that."""
    try:
        yield
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, KeyboardInterrupt):
            cause = cause.__cause__ or cause.__context__
        if cause is None:
            raise
        raise cause from None
