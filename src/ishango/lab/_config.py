"""Configs: whether values fit the fields of options, and configs as one flat table."""

from __future__ import annotations

import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ishango.errors import FieldError, RequestError
from ishango.registry import OUTSIDE


class MisfitError(Exception):
    """A value that does not fit; the message says what is allowed."""


def fitted(hint: Any, value: Any) -> Any:
    """The value as a field of that type takes it; text may be given as an integer, any number as a whole one.

    >>> fitted(str, 7), fitted(float, 1), fitted(int | None, None)
    ('7', 1.0, None)
    >>> fitted(bool, "no")
    Traceback (most recent call last):
    ishango.lab._config.MisfitError: true or false
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


# Configs: nested tables of JSON values that determine a run.

ABSENT = "absent"

Table = Mapping[str, Any]

Record = TypeVar("Record")


def normalised(config: Mapping[str, Any]) -> dict[str, Any]:
    """The config as it comes back from JSON, with a number of rounds and a seed."""
    plain = json.loads(json.dumps(dict(config), allow_nan=False))
    for field, least in (("rounds", 0), ("seed", None)):
        value = plain.get(field)
        if type(value) is not int or (least is not None and value < least):
            allowed = "an integer" if least is None else "an integer from 0 up"
            raise RequestError(f"{field} is {json.dumps(value)}; give {allowed}.")
    return plain


def record_from_config(record: type[Record], config: Mapping[str, Any]) -> Record:
    """The dataclass that a config, complete or not, stands for; a field that is not known is refused by name.

    A field whose default is a dataclass is a nested table, and what it does not give is as in that default.
    """
    return _changed(record, None, config, "")


def _changed(record: type[Record], default: Record | None, config: Mapping[str, Any], prefix: str) -> Record:
    """The default, or the record's own defaults where there is none, with the values of a config."""
    known = {OUTSIDE.get(each.name, each.name): each for each in fields(record) if each.init}  # pyright: ignore[reportArgumentType] - a dataclass
    hints = _hints(record)
    values: dict[str, Any] = {}
    for name, value in config.items():
        if name not in known:
            raise FieldError(name, f"There is no option {prefix}{name}; there are {', '.join(known)}.")
        factory: Any = known[name].default_factory
        below: Any = factory() if factory is not MISSING else None
        if is_dataclass(below) and isinstance(value, Mapping):
            table = cast(Mapping[str, Any], value)
            values[known[name].name] = _changed(cast(Any, type(below)), below, table, f"{prefix}{name}.")
        elif is_dataclass(below):
            raise FieldError(name, f"{prefix}{name} is {_show(value)}, but must be a table of options.")
        else:
            values[known[name].name] = _fitted(hints[known[name].name], value, name, prefix)
    try:
        return record(**values) if default is None else cast(Record, replace(cast(Any, default), **values))
    except TypeError as error:
        raise RequestError(f"A field of the config has a value of the wrong type ({error}).") from error


@cache
def _hints(record: type[Any]) -> dict[str, Any]:
    """The types of a dataclass's fields; looking them up takes as long as all else, and a plan may have 10,000 runs."""
    return get_type_hints(record, include_extras=True)


def _fitted(hint: Any, value: Any, name: str, prefix: str) -> Any:
    try:
        return fitted(hint, value)
    except MisfitError as allowed:
        raise FieldError(name, f"{prefix}{name} is {_show(value)}, but must be {allowed}.") from None


def config_of(record: Any) -> dict[str, Any]:
    """The fields of a dataclass that can be chosen, nested ones as tables, under their names outside Python."""
    config: dict[str, Any] = {}
    for each in fields(record):
        if each.init:
            value = getattr(record, each.name)
            config[OUTSIDE.get(each.name, each.name)] = config_of(value) if is_dataclass(value) else value
    return config


def overlaid(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """The values of `above` and, where it has none, those of `below`; nested tables field by field.

    >>> overlaid({"rounds": 3, "agents": {"hidden": 50, "batch": 8}}, {"agents": {"batch": 1}})
    {'rounds': 3, 'agents': {'hidden': 50, 'batch': 1}}
    """
    table = dict(below)
    for name, value in above.items():
        under = table.get(name)
        nests = isinstance(under, Mapping) and isinstance(value, Mapping)
        table[name] = overlaid(cast(Table, under), cast(Table, value)) if nests else value
    return table


def flatten(config: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as one, with dotted names.

    >>> flatten({"rounds": 3, "agents": {"hidden": 50}})
    {'rounds': 3, 'agents.hidden': 50}
    """
    flat: dict[str, Any] = {}
    for name, value in config.items():
        if isinstance(value, Mapping):
            flat |= flatten(cast(Table, value), f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names as nested tables; the inverse of `flatten`.

    >>> nested({"rounds": 3, "agents.hidden": 50})
    {'rounds': 3, 'agents': {'hidden': 50}}
    """
    config: dict[str, Any] = {}
    for name, value in flat.items():
        *tables, field = name.split(".")
        table = config
        for each in tables:
            below: Any = table.setdefault(each, {})
            if not isinstance(below, dict):
                raise RequestError(f"{each} is both a value and a table with {name}; give one of them.")
            table = cast(dict[str, Any], below)
        if isinstance(table.get(field), dict):
            raise RequestError(f"{name} is both a value and a table; give one of them.")
        table[field] = value
    return config


def is_same(old: object, new: object) -> bool:
    """Whether two values are one; `True` and 1, or 1 and 1.0, are two.

    >>> is_same(1, 1), is_same(1, 1.0)
    (True, False)
    """
    return old == new and type(old) is type(new)


def chosen(config: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a flat config that are not as by default.

    >>> chosen({"rounds": 9, "start": 1}, {"rounds": 100, "start": 1, "seed": 0})
    {'rounds': 9}
    """
    return {name: value for name, value in config.items() if name not in defaults or not is_same(value, defaults[name])}


def refuse_changes(recorded: Mapping[str, Any], asked: Mapping[str, Any], where: str) -> None:
    """Only `rounds` may differ, and only grow; anything else is refused by name."""
    before, now = flatten(recorded), flatten(asked)
    for name in [*before, *(name for name in now if name not in before)]:
        old, new = before.get(name, ABSENT), now.get(name, ABSENT)
        if is_same(old, new):
            continue
        if name != "rounds" or ABSENT in (old, new):
            raise RequestError(
                f"The run in {where} has {name} = {_show(old)}, and {_show(new)} was asked for;"
                " only rounds may change: choose another directory."
            )
        if new < old:
            raise RequestError(f"The run in {where} has rounds = {old}, and {new} was asked for; rounds may only grow.")


def _show(value: Any) -> str:
    return value if value is ABSENT else json.dumps(value, default=str)
