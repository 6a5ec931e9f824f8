"""The builder: groups of runs, the choices of the page, and a system that is built there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import Annotated, Any, NamedTuple, Protocol

import altair as alt
import numpy as np
import pandas as pd
from pydantic import BaseModel, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema, to_json

from ishango.costs import COSTS
from ishango.errors import RequestError
from ishango.evolution import ADD_RULES, CHOOSERS, JUDGES, LEARNERS, MODIFICATIONS
from ishango.explorer._optima import NEEDS, RANGE, Optima
from ishango.explorer._summaries import DRIFT, GREATEST, defaults, shown, who_decides
from ishango.figures.look import dark, shown_through, specification
from ishango.frontiers import FrontierPoint
from ishango.lab import EXPERIMENTS
from ishango.languages import Language, recursive_languages
from ishango.numerals import (
    GRAMMARS,
    STARTS,
    GrammarName,
    NumeralSystem,
    as_grammar,
    evaluate_many,
    format_set,
    language_average,
    listing,
    minimal_language,
)
from ishango.registry import alternatives

Summary = dict[str, Any]
MOST_DRAWN = 160
"""Runs that are drawn of all groups in which agents talk, and as many of all others."""
MOST_GROUPS = 8
LEAST_DRAWN = 16
"""Runs that are drawn of a group at least, if it has them."""


class Grouping(NamedTuple):
    """By what runs are put into groups, beside who decides."""

    name: str
    label: str
    sentence: str
    key: Callable[[Summary], str]


def _nothing(_run: Summary) -> str:
    return ""


def _folder(run: Summary) -> str:
    """The directory that a run lies in: studies have one each."""
    return PurePosixPath(run["name"]).parent.as_posix().removeprefix(".")


def _start(run: Summary) -> str:
    return f"start {run['start']}"[:40]


GROUPINGS = {
    each.name: each
    for each in (
        Grouping("decides", "who decides", "one group for each way to decide what is kept", _nothing),
        Grouping("directory", "who decides, and the directory", "a group for each directory", _folder),
        Grouping("start", "who decides, and the start", "a group for each start", _start),
    )
}


@dataclass(frozen=True)
class Group:
    name: str
    colour: str
    """Its role, which has a colour of its own, and which shade of it: `agents`, `agents-1`."""
    has_agents: bool
    runs: Sequence[Summary]

    def drawn(self, most: int) -> list[Summary]:
        """Some of the runs, by their names alone, so that a new run changes at most one; in any case the nearest."""
        if len(self.runs) <= most:
            return list(self.runs)
        chosen = sorted(self.runs, key=lambda run: _lot(run["name"]))[:most]
        best = nearest_run(self.runs)
        return chosen if best in chosen else [*chosen[:-1], best]


def nearest_run(runs: Sequence[Summary]) -> Summary:
    """The run that ended nearest the frontier; of several the one with most words, then the first by name."""
    return min(
        runs, key=lambda run: (run["gap"] is None, round(run["gap"] or 0, 9), -(run.get("size") or 0), run["name"])
    )


@lru_cache(maxsize=50_000)
def _lot(name: str) -> bytes:
    return hashlib.sha256(name.encode("utf-8", "backslashreplace")).digest()


def groups_of(runs: Sequence[Summary], by: str, among: Sequence[Summary] = ()) -> list[Group]:
    """The groups of these runs: first those in which agents talk, then the larger ones.

    Of more than eight of one role the smallest are thrown together. A group has the colour of its role; several groups
    of one role have shades of it, in the order of their names among all runs, `among`, so that they keep it when others
    are looked at.
    """
    ordered = _few(_ordered(runs, by))
    names: dict[str, list[str]] = {}
    for (name, _), members in sorted(_ordered(among or runs, by)):
        names.setdefault(role(members[0]), []).append(name)
    taken: set[str] = set()
    groups: list[Group] = []
    for (name, agents), members in ordered:
        mine = role(members[0])
        wished = names.get(mine, []).index(name) if name in names.get(mine, []) else 0
        shades = [f"{mine}-{i % MOST_GROUPS}".removesuffix("-0") for i in range(wished, wished + MOST_GROUPS)]
        colour = next(shade for shade in shades if shade not in taken)
        taken.add(colour)
        groups.append(Group(name, colour, agents, members))
    return groups


_Keyed = tuple[tuple[str, bool], list[Summary]]


def _few(ordered: Sequence[_Keyed]) -> list[_Keyed]:
    """At most eight groups of each role."""
    by_role: dict[str, list[_Keyed]] = {}
    for each in ordered:
        by_role.setdefault(role(each[1][0]), []).append(each)
    found: list[_Keyed] = []
    for groups in by_role.values():
        kept = len(groups) if len(groups) <= MOST_GROUPS else MOST_GROUPS - 1
        found += groups[:kept]
        if rest := groups[kept:]:
            together = [run for _, members in rest for run in members]
            whose = f" of {decides(together[0])}" if len(by_role) > 1 else ""
            found.append(((f"{len(rest)} further groups{whose}", rest[0][0][1]), together))
    return found


def role(run: Summary) -> str:
    """What a run's colour says: who decides in it."""
    if run["choose"] in CHOOSERS:
        chooser = CHOOSERS[run["choose"]]
        return "agents" if chooser.uses_agents else "drift" if who_decides(chooser.name)[0] == DRIFT else "oracle"
    return "learners" if "learners" in run["choose"] else "other"


def _ordered(runs: Sequence[Summary], by: str) -> list[_Keyed]:
    found: dict[tuple[str, bool], list[Summary]] = {}
    for run in runs:
        names = (decides(run), GROUPINGS[by].key(run))
        found.setdefault((" · ".join(name for name in names if name), talks(run)), []).append(run)
    return sorted(found.items(), key=lambda each: (not each[0][1], -len(each[1]), each[0][0]))


def share(groups: Sequence[Group], group: Group) -> int:
    """How many runs of a group may be drawn."""
    alike = sum(each.has_agents == group.has_agents for each in groups)
    return max(LEAST_DRAWN, MOST_DRAWN // alike)


def decides(run: Summary) -> str:
    """Who decides in a run, in the words of the page."""
    return who_decides(run["choose"])[0]


def talks(run: Summary) -> bool:
    """Whether agents talk in a run: the others are controls. Ideal learners talk to nobody."""
    if run["choose"] in CHOOSERS:
        return CHOOSERS[run["choose"]].uses_agents
    return "neural" in run["choose"]


# Charts as the page takes them: a specification for a light and for a dark page, and the data that both share.
#
# Figures of the explorer name their data instead of holding it. So a specification, which takes Altair a tenth of a
# second, is made once for all runs, systems and exchanges that are drawn by it; only rows differ.

PLACES = 5
"""Decimals of what is drawn: more than a screen has pixels for."""


def picture(
    figure: Callable[..., alt.TopLevelMixin], tables: Mapping[str, pd.DataFrame], **options: Any
) -> dict[str, Any]:
    """A figure with these tables, by the names that it has for them; options must be hashable."""
    light, night = _specifications(figure, **options)
    return {"light": light, "dark": night, "datasets": {name: rows(table) for name, table in tables.items()}}


def rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table as JSON has them: rounded, and null for what is not a number."""
    names = [str(name) for name in table.columns]
    columns = [_values(table[name]) for name in table.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _values(column: pd.Series) -> list[Any]:
    if column.dtype.kind == "f":  # what nobody can have measured would be infinite when it is rounded
        column = column.where(column.abs() < GREATEST).round(PLACES)
    values = column.tolist()
    return [None if each is None or each != each else each for each in values]  # NaN is not even itself


@lru_cache(maxsize=256)
def _specifications(figure: Callable[..., alt.TopLevelMixin], **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    light = shown_through(specification(figure(**options)))
    return light, dark(light)


# Systems to begin with: human languages, the paper's starts, proved optima; and the languages nearest to a system.

NEAREST = 5
_MOST_NAMED = 4


def presets(grammar: GrammarName, points: Iterable[FrontierPoint]) -> dict[str, list[dict[str, Any]]]:
    """Named systems under a grammar, in groups."""
    languages = [(each.name, each.system_under(grammar)) for each in recursive_languages()]
    starts = [(f"Start {i}", start.with_grammar(grammar)) for i, start in enumerate(STARTS, 1)]
    optima = [(f"Size {point.size}", point.system) for point in points if point.proved]
    return {
        "languages": [entry(name, system) for name, system in languages if system],
        "starts": [entry(name, system) for name, system in starts],
        "optima": [entry(name, system) for name, system in optima],
    }


def entry(name: str, system: NumeralSystem) -> dict[str, Any]:
    """A named system as JSON."""
    return {"name": name, "digits": list(system.digits), "multipliers": list(system.multipliers)}


def nearest(digits: Iterable[int], multipliers: Iterable[int]) -> list[dict[str, Any]]:
    """The lexicons of languages that differ least: words to add or to take away, a change of role counting twice.

    Of several that differ as little those come first that were checked by hand, then those of most languages.
    """
    mine = _words(digits, multipliers)
    found = [
        (len(mine ^ words), bool(alike[0].id), -len(alike), alike[0].name, alike) for words, alike in _sharing().items()
    ]
    return [_neighbour(distance, alike) for distance, *_, alike in sorted(found, key=lambda each: each[:4])[:NEAREST]]


def _neighbour(distance: int, alike: Sequence[Language]) -> dict[str, Any]:
    """A lexicon by the names of some that have it, those checked by hand if there are any."""
    first = alike[0]
    assert first.system is not None
    named = [each.name for each in alike if not each.id][:_MOST_NAMED] or [first.name]
    return {
        "distance": distance,
        "others": len(alike) - len(named),
        "upto": None if first.says_all(RANGE) else first.highest,
        **entry(", ".join(named), first.system),
    }


def _words(digits: Iterable[int], multipliers: Iterable[int]) -> frozenset[tuple[str, int]]:
    return frozenset({("D", word) for word in digits} | {("M", word) for word in multipliers})


@cache
def _sharing() -> dict[frozenset[tuple[str, int]], list[Language]]:
    """The languages that have each lexicon; what was checked by hand comes first."""
    found: dict[frozenset[tuple[str, int]], list[Language]] = {}
    for each in known_languages():
        if each.system:
            found.setdefault(_words(each.system.digits, each.system.multipliers), []).append(each)
    return found


@cache
def known_languages() -> tuple[Language, ...]:
    """Languages with digits and multipliers: those checked by hand, then all others of the world's catalogue."""
    return tuple(each for each in recursive_languages("world") if each.system and each.system.words[-1] <= RANGE)


@cache
def languages_as_json() -> bytes:
    """All of these as the builder searches them."""
    found = [
        {
            "name": each.name,
            "glottocode": each.glottocode,
            "family": each.family,
            "area": each.macroarea,
            "digits": format_set(each.system.digits),
            "multipliers": format_set(each.system.multipliers),
            "upto": None if each.says_all(RANGE) else each.highest,
            "checked": not each.id,
        }
        for each in known_languages()
        if each.system
    ]
    return to_json(found)


@cache
def languages_table(grammar: GrammarName, need: str) -> pd.DataFrame:
    """One row a lexicon that human languages have: their names, how many there are, size and average complexity.

    Lexicons of many languages come first, so that those of few are drawn over them.
    """
    sharing = _saying_all(grammar)
    averages = evaluate_many(list(sharing), need, RANGE)
    rows = [
        {
            "names": _joined([each.name for each in speakers]),
            "glottocodes": " ".join(each.glottocode for each in speakers),
            "languages": len(speakers),
            "size": system.size,
            "average_complexity": float(average),
            "digits": format_set(system.digits),
            "multipliers": format_set(system.multipliers),
        }
        for (system, speakers), average in zip(sharing.items(), averages, strict=True)
        if not np.isnan(average)
    ]
    return pd.DataFrame(rows).sort_values("languages", ascending=False, kind="stable", ignore_index=True)


@cache
def _saying_all(grammar: GrammarName) -> dict[NumeralSystem, list[Language]]:
    """Lexicons that say every number, and the languages that have each: the same for every need."""
    found: dict[NumeralSystem, list[Language]] = {}
    for language in known_languages():
        system = language.system_under(grammar)
        if system and language.says_all(RANGE):
            found.setdefault(system, []).append(language)
    return found


def _joined(names: list[str], most: int = 6) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


# One numeral system as the builder shows it; also what is not a system yet, because it is being built.


def describe(
    digits: list[int], multipliers: list[int], grammar: GrammarName, need: str, optima: Optima
) -> dict[str, Any]:
    """What the builder shows: costs, numerals, the optimum of the same size, the nearest languages."""
    digits, multipliers = sorted(set(digits)), sorted(set(multipliers))
    answer: dict[str, Any] = {
        "digits": digits,
        "multipliers": multipliers,
        "grammar": grammar,
        "need": need,
        "size": as_grammar(grammar).size(len(digits), len(multipliers)),
        "complaint": None,
        "average_complexity": None,
        "gap": None,
        "missing": [],
        "numerals": [],
        "optimum": None,
        "nearest": nearest(digits, multipliers),
        "speakers": len(_sharing().get(_words(digits, multipliers), ())),
    }
    try:
        language = minimal_language(NumeralSystem(tuple(digits), tuple(multipliers), grammar), RANGE)
    except RequestError as complaint:
        return answer | {"complaint": str(complaint)}
    average = language_average(language, need)
    point = optima.point(grammar, need, language.system.size)
    return answer | {
        "average_complexity": average,
        "gap": None if average is None or point is None or not point.proved else average - float(point.average),
        "missing": list(language.missing),
        "numerals": _numerals(language.system),
        "optimum": _optimum(point),
    }


def _numerals(system: NumeralSystem) -> list[dict[str, Any]]:
    return [
        {
            "number": line.number,
            "expression": line.expression,
            "complexity": 2 * line.leaves - 1,
            "ties": line.ties,
        }
        for line in listing(system, RANGE)
    ]


def _optimum(point: FrontierPoint | None) -> dict[str, Any] | None:
    """The best system of a size; None while it is being looked for."""
    if point is None:
        return None
    return {
        "proved": point.proved,
        "average_complexity": float(point.average),
        "lower_bound": point.lower_bound,
        "digits": list(point.system.digits),
        "multipliers": list(point.system.multipliers),
    }


# What can be chosen, by name: read from the registries at every request, so that what other packages add is there.
#
# The page spells no name itself: it asks for these lists, and shows labels and sentences as it finds them.


class Labelled(Protocol):
    """What an entry must have to be shown on the page."""

    @property
    def name(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def sentence(self) -> str: ...


class Among:
    """Marks a text of a request as one of some names, which the schema lists: `Annotated[str, Among(CHOOSERS)]`."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = names

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), "enum": list(self.names)}

    def check(self, name: str) -> str:
        if name not in self.names:
            raise PydanticCustomError("choice", "must be {names}", {"names": alternatives(tuple(self.names))})
        return name


Grammar = Annotated[GrammarName, Among(GRAMMARS)]
Need = Annotated[str, Among(NEEDS)]
Choose = Annotated[str, Among(CHOOSERS)]
Add = Annotated[str, Among(ADD_RULES)]
Learn = Annotated[str, Among(LEARNERS)]
JudgeName = Annotated[str, Among(JUDGES)]
CostName = Annotated[str, Among(COSTS)]
GroupingName = Annotated[str, Among(GROUPINGS)]


class Choice(BaseModel):
    """One of several, by the name that requests give."""

    name: str
    label: Annotated[str, Field(description="what pages call it")]
    sentence: Annotated[str, Field(description="what it is, without a final full stop")]


class ChooserChoice(Choice):
    """Who may decide in a run."""

    uses_agents: Annotated[bool, Field(description="whether agents talk, so that one can talk to them")]


class ExperimentChoice(Choice):
    """What may be played."""

    defaults: Annotated[dict[str, Any], Field(description="the config in which nothing was chosen, with dotted names")]
    unit: Annotated[str, Field(description="what gaps are counted in")]


class Choices(BaseModel):
    """All that can be chosen; the page begins with the first of each."""

    grammars: list[Choice]
    needs: list[Choice]
    choosers: list[ChooserChoice]
    modifications: list[Choice]
    add_rules: list[Choice]
    learners: list[Choice]
    judges: list[Choice]
    experiments: list[ExperimentChoice]
    costs: Annotated[list[Choice], Field(description="what the axes of the plane may be")]
    groupings: list[Choice]


def all_choices(grammars: Iterable[GrammarName]) -> Choices:
    return Choices(
        grammars=_choices(GRAMMARS[name] for name in grammars),
        needs=_choices(NEEDS.values()),
        choosers=[
            ChooserChoice(name=name, label=label, sentence=sentence, uses_agents=CHOOSERS[name].uses_agents)
            for name in CHOOSERS
            for label, sentence in (who_decides(name),)
        ],
        modifications=_choices(MODIFICATIONS.values()),
        add_rules=_choices(ADD_RULES.values()),
        learners=_choices(LEARNERS.values()),
        judges=_choices(JUDGES.values()),
        experiments=[
            ExperimentChoice(
                name=each.name,
                label=each.label,
                sentence=each.sentence,
                defaults=defaults(each.name),
                unit=shown(each.name).unit,
            )
            for each in EXPERIMENTS.values()
        ],
        costs=_choices(COSTS.values()),
        groupings=_choices(GROUPINGS.values()),
    )


def _choices(entries: Iterable[Labelled]) -> list[Choice]:
    return [Choice(name=each.name, label=each.label, sentence=each.sentence) for each in entries]
