"""Whether a value fits a field of options, by the field's own type: plans and configs come without types."""

from __future__ import annotations

import math
import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin


class MisfitError(Exception):
    """A value that does not fit; the message says what is allowed."""


def fitted(hint: Any, value: Any) -> Any:
    """The value as a field of that type takes it; text may be given as an integer, any number as a whole one.

    >>> fitted(str, 7), fitted(float, 1), fitted(int | None, None)
    ('7', 1.0, None)
    >>> fitted(bool, "no")
    Traceback (most recent call last):
    ishango.lab.field_types.MisfitError: true or false
    """
    for each in _alternatives(hint):
        if _fits(each, value):
            return each(value) if each in (str, float) else value
    raise MisfitError(" or ".join(_described(each) for each in _alternatives(hint) if each is not types.NoneType))


def _alternatives(hint: Any) -> tuple[Any, ...]:
    origin = get_origin(hint)
    if origin is Annotated:
        return _alternatives(get_args(hint)[0])
    if origin in (Union, types.UnionType):
        return tuple(each for part in get_args(hint) for each in _alternatives(part))
    return (hint,)


def _fits(hint: Any, value: Any) -> bool:
    if get_origin(hint) is Literal:
        return any(value == each and type(value) is type(each) for each in get_args(hint))
    if hint is float:
        return type(value) in (int, float) and math.isfinite(value)
    if hint is str:
        return type(value) in (int, str)
    return type(value) is hint if hint in (bool, int, types.NoneType) else True


def _described(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(str, get_args(hint)))
    known = {bool: "true or false", int: "an integer", float: "a finite number", str: "a text"}
    return known.get(hint, "something else")
