"""Configs: whether values fit the fields of options. Plans: which runs a sweep consists of.

name = "calibration"
about = "Does the listener's entropy matter?"
experiment = "evolution"  # optional: what is played, by its name

[base]            # fields all runs share
rounds = 20

[vary]            # every combination of these values
start = [1, 7]
seed = "100-102"  # a list, or a range of integers

[[variant]]       # optional: each of these over the base, with every combination
[[variant]]
agents.entropy = 0.01
"""

from __future__ import annotations

import json
import math
import re
import tomllib
import types
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ishango.errors import FieldError, RequestError
from ishango.registry import OUTSIDE, by_name, refusal
from ishango.safe_files import as_path


class MisfitError(Exception):
    """A value that does not fit; the message says what is allowed."""


def fitted(hint: Any, value: Any) -> Any:
    """The value as a field of that type takes it; text may be given as an integer, any number as a whole one.

    >>> fitted(str, 7), fitted(float, 1), fitted(int | None, None)
    ('7', 1.0, None)
    >>> fitted(bool, "no")
    Traceback (most recent call last):
    ishango.lab._plan.MisfitError: true or false
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
    known = {bool: "true or false", int: "an integer", float: "a finite number", str: "a text or an integer"}
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
            near = get_close_matches(name, known, n=1)
            meant = f" (did you mean {prefix}{near[0]}?)" if near else ""
            raise FieldError(name, f"There is no option {prefix}{name}{meant}; there are {', '.join(known)}.")
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


KEYS: dict[str, tuple[type[Any], str]] = {
    "name": (str, "give a text"),
    "about": (str, "give a text"),
    "experiment": (str, "give a name"),
    "base": (dict, "give a table of fields that all runs share"),
    "vary": (dict, 'give a list of values with at least one, or a range of integers such as "0-9"'),
    "variant": (list, "write [[variant]] before each"),
}
"""What a plan may have, of which type it is, and what to do where it is of another."""
MOST_RUNS = 100_000
"""Runs of a plan that can be held in memory and that a directory takes."""
LONGEST_NAME = 200
"""Characters of a directory's name that every file system takes."""

Complete = Callable[[dict[str, Any]], dict[str, Any]]
"""Validates a config and fills in its defaults."""


@dataclass(frozen=True)
class Plan:
    """A base config, lists of values to vary, and variants of the base; all with dotted names."""

    source: str
    """The file the plan came from, for messages."""
    text: str
    """The plan as written."""
    base: Mapping[str, Any]
    vary: Mapping[str, list[Any]]
    variants: tuple[Mapping[str, Any], ...] = ({},)
    name: str = ""
    about: str = ""
    experiment: str = ""
    """The name of what is played; empty for `USUAL`."""


def load_plan(path: Path | str) -> Plan:
    """Read a plan from a TOML file."""
    path = as_path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        text = isinstance(error, UnicodeDecodeError)
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text" if text else str(error)
        raise RequestError(f"The plan {path} cannot be read: {reason}.") from None
    return parse_plan(text, path.name)


def parse_plan(text: str, source: str = "plan.toml") -> Plan:
    """Read a plan from TOML text."""
    with _explained(source, text):
        document = tomllib.loads(text)
        for key, value in document.items():
            if key not in KEYS:
                raise RequestError(f"there is no table or field {key!r}; a plan has {', '.join(KEYS)}.")
            wanted, remedy = KEYS[key]
            if not isinstance(value, wanted):
                raise RequestError(f"{key} is a {type(value).__name__}; {remedy}.")
        variants = document.get("variant", [{}])
        if not all(isinstance(variant, dict) for variant in variants) or not variants:
            raise RequestError(f"variant is not a list of tables; {KEYS['variant'][1]}.")
        vary = {name: _values(name, values) for name, values in flatten(document.get("vary", {})).items()}
        plan = Plan(
            source=source,
            text=text,
            base=flatten(document.get("base", {})),
            vary=vary,
            variants=tuple(flatten(variant) for variant in variants),
            name=document.get("name", ""),
            about=document.get("about", ""),
            experiment=document.get("experiment", ""),
        )
        _refuse_varied_twice(plan)
        if not (plan.base or plan.vary or any(plan.variants)):
            raise RequestError("it says nothing about its runs; give at least one option in [base] or [vary].")
        _check_count(count_runs(plan))
    return plan


def expand(plan: Plan, complete: Complete = dict) -> list[tuple[str, dict[str, Any]]]:
    """Directory name and config of every run, in the plan's order.

    >>> plan = parse_plan("base.rounds = 9\\nvary.start = [1, 7]\\nvary.seed = '0-1'")
    >>> for name, config in expand(plan):
    ...     print(name, config)
    start=1,seed=0 {'rounds': 9, 'start': 1, 'seed': 0}
    start=1,seed=1 {'rounds': 9, 'start': 1, 'seed': 1}
    start=7,seed=0 {'rounds': 9, 'start': 7, 'seed': 0}
    start=7,seed=1 {'rounds': 9, 'start': 7, 'seed': 1}
    """
    runs: dict[str, dict[str, Any]] = {}
    names: dict[str, str] = {}
    with _explained(plan.source, plan.text):
        for changes in (each for variant in plan.variants for each in _combinations(plan, variant)):
            name = directory_name(changes)
            config = complete(nested({**plan.base, **changes}))
            key = json.dumps(config, sort_keys=True)
            if name in runs or key in names:
                other = names.get(key, name)
                raise RequestError(f"the runs {other} and {name} have one config or one name; vary something else.")
            runs[name], names[key] = config, name
    return list(runs.items())


def refuse_unread(plan: Plan, unread: Callable[[str, dict[str, Any]], Mapping[str, str]]) -> None:
    """Refuse what a plan gives if none of the runs that it is given to reads it.

    Args:
        plan: what to look at.
        unread: from a run's directory name and config to the options that it gives and nothing reads, with the reasons.
    """
    shared = dict.fromkeys([*plan.base, *plan.vary], "")
    with _explained(plan.source, plan.text):
        for variant in plan.variants:
            own = dict.fromkeys(variant, "")
            for changes in _combinations(plan, variant):
                if not shared and not own:
                    break
                found = unread(directory_name(changes), nested({**plan.base, **changes}))
                own, shared = ({name: found[name] for name in each if name in found} for each in (own, shared))
            refuse_first(own)
        refuse_first(shared)


def refuse_first(unread: Mapping[str, str]) -> None:
    """Refuse an option that is given though nothing reads it, if there is one; the reasons stand beside the names."""
    for name, why in unread.items():
        raise FieldError(name, f"{name} changes nothing here, because {why}; leave it out.")


def count_runs(plan: Plan) -> int:
    return len(plan.variants) * math.prod(map(len, plan.vary.values()))


def directory_name(changes: Mapping[str, Any]) -> str:
    """A readable name from the fields that vary, with characters every file system takes.

    >>> directory_name({"start": 1, "need": "power:2", "words": [1, 2]})
    'start=1,need=power_2,words=1+2'
    """
    name = ",".join(f"{_safe(field)}={_safe(_text(value))}" for field, value in changes.items()) or "run"
    if len(name) > LONGEST_NAME:
        raise RequestError(f"the directory name {name[:40]}... is too long ({len(name)}); vary fewer fields.")
    return name


def _combinations(plan: Plan, variant: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What each run of a variant changes of the base."""
    for values in product(*plan.vary.values()):
        yield {**variant, **dict(zip(plan.vary, values, strict=True))}


def _values(name: str, values: Any) -> list[Any]:
    if isinstance(values, str) and (ends := re.fullmatch(r"(\d{1,9})-(\d{1,9})", values)):
        first, last = int(ends[1]), int(ends[2])
        if first > last:
            raise RequestError(f"vary.{name} is {json.dumps(values)}; write the smaller number first.")
        _check_count(last - first + 1)
        values = list(range(first, last + 1))
    if not isinstance(values, list) or not values:
        raise RequestError(f"vary.{name} is {json.dumps(values, default=str)}; {KEYS['vary'][1]}.")
    return cast(list[Any], values)


def _check_count(runs: int) -> None:
    if runs > MOST_RUNS:
        raise RequestError(
            f"it asks for {runs:,} runs, and a sweep has at most {MOST_RUNS:,}; make several plans of it."
        )


def _refuse_varied_twice(plan: Plan) -> None:
    for variant in plan.variants:
        for name in variant:
            if name in plan.vary:
                raise RequestError(f"{name} is in a variant and in vary; a field may be in one of them.")


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "+".join(map(_text, cast(list[Any], value)))
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._+-]", "_", text)


@contextmanager
def _explained(source: str, text: str) -> Generator[None]:
    """Put the plan's name, and the line where it can be told, before what is wrong with it."""
    try:
        yield
    except (RequestError, tomllib.TOMLDecodeError, RecursionError) as error:
        line = f", line {number}" if (number := _line_of(error, text)) else ""
        bare = isinstance(error, tomllib.TOMLDecodeError) and str(error).startswith("Invalid value")
        hint = '; text needs quotes, as in choose = "drift"' if bare else ""
        raise RequestError(f"In the plan {source}{line}: {str(error).removesuffix('.')}{hint}.") from None


def _line_of(error: Exception, text: str) -> int | None:
    """The one line that gives the field which is wrong; None where there is none or several."""
    if not isinstance(error, FieldError):
        return None
    given = re.compile(rf"""(^|[\s.{{,"']){re.escape(error.field.rpartition(".")[2])}["']?\s*[=.]""")
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if given.search(line)]
    return lines[0] if len(lines) == 1 else None


# Plans by name: the files in `plans/`.


@dataclass(frozen=True)
class ShippedPlan:
    """A plan that the package brings along."""

    name: str
    """What `ishango sweep` calls it."""
    sentence: str
    text: str
    """The plan as a TOML file has it."""

    @classmethod
    def parse(cls, name: str, text: str) -> ShippedPlan:
        """A plan that says itself, under `about`, what it is for."""
        return cls(name, parse_plan(text, f"{name}.toml").about, text)

    @property
    def plan(self) -> Plan:
        return parse_plan(self.text, f"{self.name}.toml")


_TEXTS = {
    file.name.removesuffix(".toml"): file.read_text(encoding="utf-8")
    for file in files("ishango").joinpath("plans").iterdir()
}
PLANS = by_name(*(ShippedPlan.parse(name, _TEXTS[name]) for name in sorted(_TEXTS)))


def shipped_plan(name: str) -> ShippedPlan:
    """The plan of that name; one that is not known is refused."""
    if name not in PLANS:
        raise RequestError(refusal("plan", name, PLANS))
    return PLANS[name]


def find_plan(given: Path | str) -> Plan:
    """The plan in a file, or else the shipped one of that name; a file of one's own comes first.

    >>> find_plan("calibration").name
    'calibration'
    """
    name = str(given)
    if name in PLANS and not Path(name).is_file():
        return PLANS[name].plan
    try:
        return load_plan(given)
    except RequestError as error:
        if isinstance(error.__context__, FileNotFoundError) and re.fullmatch(r"[\w+-]+", name):
            raise RequestError(
                f"{refusal('plan', name, PLANS).removesuffix('.')}, or give the file of a plan."
            ) from None
        raise
