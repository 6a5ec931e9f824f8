"""Plans: which runs a sweep consists of.

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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any, cast

from ishango.errors import FieldError, RequestError
from ishango.lab._config import flatten, nested
from ishango.registry import by_name, refusal

KEYS = {"name": str, "about": str, "experiment": str, "base": dict, "vary": dict, "variant": list}
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
    """The name of what is played; empty for the usual, see `ishango.lab._experiments`."""


def load_plan(path: Path | str) -> Plan:
    """Read a plan from a TOML file."""
    path = Path(path)
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
            if not isinstance(value, KEYS[key]):
                raise RequestError(f"{key} is a {type(value).__name__}; {_HOW[key]}.")
        variants = document.get("variant", [{}])
        if not all(isinstance(variant, dict) for variant in variants) or not variants:
            raise RequestError(f"variant is not a list of tables; {_HOW['variant']}.")
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
        for changes in _combinations(plan):
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
            for values in product(*plan.vary.values()):
                if not shared and not own:
                    break
                changes = {**variant, **dict(zip(plan.vary, values, strict=True))}
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


def _combinations(plan: Plan) -> Iterator[dict[str, Any]]:
    for variant in plan.variants:
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
        raise RequestError(f"vary.{name} is {json.dumps(values, default=str)}; {_HOW['vary']}.")
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


_HOW = {
    "name": "give a text",
    "about": "give a text",
    "experiment": "give a name",
    "base": "give a table of fields that all runs share",
    "vary": 'give a list of values with at least one, or a range of integers such as "0-9"',
    "variant": "write [[variant]] before each",
}


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "+".join(map(_text, cast(list[Any], value)))
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._+-]", "_", text)


class _explained:  # noqa: N801 - called like a function
    """Puts the plan's name, and the line where it can be told, before what is wrong with it."""

    def __init__(self, source: str, text: str) -> None:
        self.source, self.text = source, text

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        if isinstance(error, (RequestError, tomllib.TOMLDecodeError, RecursionError)):
            line = f", line {number}" if (number := self._line_of(error)) else ""
            raise RequestError(f"In the plan {self.source}{line}: {str(error).removesuffix('.')}.") from None

    def _line_of(self, error: BaseException) -> int | None:
        """The one line that gives the field which is wrong; None where there is none or several."""
        if not isinstance(error, FieldError):
            return None
        given = re.compile(rf"""(^|[\s.{{,"']){re.escape(error.field.rpartition(".")[2])}["']?\s*[=.]""")
        lines = [number for number, line in enumerate(self.text.splitlines(), start=1) if given.search(line)]
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
