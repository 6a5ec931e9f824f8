"""`ishango.describe`, `costs_of` and `survey`: what systems and human languages cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, cast

import pandas as pd

from ishango.analysis.comparable import mechanism_columns, of_algorithm_1, settled
from ishango.analysis.typology import SMOOTHING, Lexicon, Run, Typology, lexicons_of_runs, over_families, score
from ishango.api._frontiers import Shown, decimal, placed_figure
from ishango.cosinus import UPTO as COSINUS_RANGE
from ishango.cosinus import SpokenCosts, spoken_costs, spoken_languages
from ishango.costs import COSTS, Said, all_costs
from ishango.errors import RequestError, require
from ishango.frontiers import Measures, Problem, frontier_value, measure, measure_language
from ishango.languages import Clauses, Language, find_language, load_languages
from ishango.numerals import (
    DEFAULT_GRAMMAR,
    HURFORD,
    MinimalLanguage,
    Need,
    NumeralSystem,
    format_set,
    minimal_language,
    parse_set,
)


@dataclass(frozen=True, repr=False)
class Description(Shown):
    """A numeral system with its minimal language and what it costs."""

    language: MinimalLanguage
    need: Need
    measures: Measures

    @property
    def system(self) -> NumeralSystem:
        """The system that is described."""
        return self.language.system

    @property
    def size(self) -> int:
        """|D| + |M|."""
        return self.measures.size

    @property
    def average_complexity(self) -> float | None:
        """The need-weighted average length of the shortest expressions, in symbols; None where a number has none."""
        return self.measures.average_complexity

    @property
    def gap(self) -> float | None:
        """Average complexity above the proved frontier of that size; None where there is no such value."""
        return self.measures.gap

    @property
    def costs(self) -> dict[str, float | None]:
        """All costs of the canonical expressions, by name; `ishango.costs_of` tells what they are."""
        return all_costs(Said.shortest(self.language, self.need))

    def facts(self) -> dict[str, str]:
        """System, grammar, costs, and what is missing."""
        missing = self.language.missing
        return {
            "system": str(self.system),
            "grammar": self.system.grammar,
            "numbers": f"1 to {self.language.upto}" + (f", {len(missing)} of them without expression" * bool(missing)),
            "size": str(self.size),
            "average complexity": f"{decimal(self.average_complexity)} (need {self.need})",
            "gap": decimal(self.gap),
        }

    def to_frame(self) -> pd.DataFrame:
        """A row a number that has an expression: `number`, `expression`, `complexity`, `ties`."""
        language = self.language
        rows = [(n, str(language.expression(n)), language.complexity(n), language.ties(n)) for n in language]
        return pd.DataFrame(rows, columns=["number", "expression", "complexity", "ties"])


def describe(
    system: NumeralSystem | Language | str,
    *,
    grammar: str | None = None,
    need: Need | str = "power:2",
    upto: int = 99,
) -> Description:
    """Describe a numeral system: its minimal expressions, size, average complexity and gap.

    Args:
        system: a `NumeralSystem`, a human language (`find_language`), or text such as `1-9,11 | 10`.
        grammar: the meta-grammar; if not given, the system's own (of a text or a language: the paper's).
        need: how often each number is needed.
        upto: numbers from 1 to this one are described.

    Returns:
        A description that prints, shows in a notebook, and gives a table with `to_frame()`.

    >>> english = describe("1-9,11 | 10", grammar="hurford")
    >>> english.size, round(english.average_complexity, 6)
    (11, 1.135064)
    >>> english.to_frame().expression[20]
    '10 + 11'
    """
    plain = system_of(system, grammar)
    found = Need.parse(need)
    language = minimal_language(plain, upto)
    return Description(language, found, measure_language(language, found))


def system_of(system: NumeralSystem | Language | str, grammar: str | None) -> NumeralSystem:
    """The numeral system that is meant, under the grammar if one is given."""
    if isinstance(system, Language):
        found = system.system_under(grammar or DEFAULT_GRAMMAR.name)
        if found is None:
            raise RequestError(f"{system.name} has no digits and multipliers under that grammar; see its `terms`.")
        return found
    if isinstance(system, str):
        if not any(map(str.isdigit, system)) and "none" not in system:
            raise RequestError(
                f"{system!r} is not a numeral system, such as '1-9 | 10'; a human language is"
                f" ishango.find_language({system!r})."
            )
        return NumeralSystem.parse(system, grammar or DEFAULT_GRAMMAR.name)
    return system.with_grammar(grammar) if grammar else system


# `ishango.costs_of`: everything that a language is known to cost.


@dataclass(frozen=True, repr=False)
class Costs(Shown):
    """The costs of a language by name: `costs["irregularity"]`; None where it cannot be measured."""

    said: Said
    values: Mapping[str, float | None]

    def __getitem__(self, name: str) -> float | None:
        return self.values[COSTS[name].name]

    def facts(self) -> dict[str, str]:
        """The system and its costs with their units."""
        shown = {
            COSTS[name].label: "none" if value is None else f"{value:.6g} {COSTS[name].units(value)}"
            for name, value in self.values.items()
        }
        return {"system": str(self.said.system), "grammar": self.said.system.grammar, **shown}

    def to_frame(self) -> pd.DataFrame:
        """A row a cost: `cost`, `value`, `unit`, `sentence`, `reference`."""
        rows = [(name, value, *_told(name)) for name, value in self.values.items()]
        return pd.DataFrame(rows, columns=["cost", "value", "unit", "sentence", "reference"])


def _told(name: str) -> tuple[str, str, str]:
    return COSTS[name].unit, COSTS[name].sentence, COSTS[name].reference


def costs_of(
    system: NumeralSystem | Language | str,
    *,
    grammar: str | None = None,
    need: Need | str = "power:2",
    upto: int = 99,
    operators: bool = False,
) -> Costs:
    """What a language costs: size and length, irregularity, processing, changes of base, packing, suppletion.

    Args:
        system: a `NumeralSystem` or text such as `1-9,11 | 10`, whose minimal language is measured by the shipped tie
            rule; or a human language (`find_language`), of which what people say is measured.
        grammar: the meta-grammar; if not given, the system's own (of a text or a language: the paper's).
        need: how often each number is needed.
        upto: numbers from 1 to this one are measured.
        operators: whether operators are spoken, so that they are letters of the automaton.

    >>> round(costs_of("1-9 | 10")["irregularity"], 3)
    101.117
    """
    found = Need.parse(need)
    if isinstance(system, Language):
        name = grammar or DEFAULT_GRAMMAR.name
        plain, expressions = system.system_under(name), system.expressions(name, upto)
        if plain is None or expressions is None:
            how = "is outside the grammar or its rules" if system.is_outside(upto) else "is not known"
            raise RequestError(f"How {system.name} says the numbers 1 to {upto} under {name} {how}.")
        said = Said(plain, expressions, found, upto, operators)
    else:
        said = Said.shortest(minimal_language(system_of(system, grammar), upto), found, operators=operators)
    return Costs(said, all_costs(said))


# `ishango.survey`: human languages, measured, as one table.

FIGURES = ("size", "said", "shortest", "gap_said", "gap_shortest", "irregularity", "processing")
"""What a family has averages of."""


MOST_NAMED = 200
"""Languages that have a place for their names; more are drawn as counts."""


@dataclass(frozen=True, repr=False)
class Survey(Shown):
    """Human languages and what they cost, a row each."""

    source: str
    problem: Problem
    languages: pd.DataFrame

    def facts(self) -> dict[str, str]:
        """Where the languages are from, and how they are measured."""
        measured = f"{self.problem.grammar} grammar, need {self.problem.need}, numbers 1 to {self.problem.upto}"
        return {"survey": self.source, "languages": str(len(self.languages)), "measured": measured}

    def to_frame(self) -> pd.DataFrame:
        """A row a language: what it is, its words, and its costs.

        `said` is the average complexity of what people say, `shortest` that of the shortest expressions of the same
        words; `gap_said` and `gap_shortest` are how far each lies above the proved frontier. What is not known is not
        filled in from the other; `outside` has the numbers that are known to be outside the grammar.
        """
        return self.languages

    def by_family(self) -> pd.DataFrame:
        """The averages of each family over what is known, the largest family first; nothing where nothing is known."""
        self._check_any(self.languages)
        known = self.languages.reindex(columns=list(FIGURES)).apply(pd.to_numeric)  # a column may be all None
        families = known.groupby(self.languages["family"])
        table = families.mean().assign(languages=families.size())
        return table.sort_values("languages", ascending=False, kind="stable").reset_index()

    def over_families(self) -> pd.DataFrame:
        """The averages of the figures over languages and, as languages are related, over families.

        Each family counts once; `low` and `high` are the 95 % interval from resampling families. Beside the averages
        stand the shares of languages with one or two multipliers, and with 10 to 15 words.
        """
        self._check_any(self.languages)
        table = self.languages.reindex(columns=["size", "said", "shortest", "gap_said", "gap_shortest"])
        table = table.apply(pd.to_numeric)
        table["one or two multipliers"] = [len(parse_set(str(each))) <= 2 for each in self.languages["multipliers"]]
        table["10 to 15 words"] = table["size"].between(10, 15)
        names = self.languages["family"].where(self.languages["family"] != "", self.languages["language"])
        rows: list[dict[str, Any]] = []
        for figure in table.columns:
            known = table[figure].dropna().astype(float)
            if known.empty:
                continue
            families = names[known.index].tolist()
            mean, low, high = over_families(known.tolist(), families)
            rows.append({"figure": figure, "languages": len(known), "families": len(set(families)),
                         "over_languages": known.mean(), "over_families": mean, "low": low, "high": high})  # fmt: skip
        return pd.DataFrame(rows)

    def figure(self, of: Literal["said", "shortest"] = "said") -> Any:
        """The plane of size and average complexity, with the proved frontier: an Altair chart.

        Many languages are drawn as counts, a few with their names.

        Args:
            of: what people say, without the languages of which that is not known, or the shortest expressions of the
                same words.
        """
        require(of in ("said", "shortest"), "of", of, "said or shortest")
        self._check_any(self.languages)
        known = self.languages[["language", "size"]].assign(average_complexity=pd.to_numeric(self.languages[of]))
        points = known.dropna().assign(grammar=self.problem.grammar)
        if points.empty:
            raise RequestError(
                'What these languages say is not known; figure("shortest") draws the shortest they could.'
            )
        sizes = range(self.problem.smallest_size, int(points["size"].max()) + 1)
        line = pd.DataFrame({"size": sizes, "average_complexity": [frontier_value(k, self.problem) for k in sizes]})
        if len(points) > MOST_NAMED:
            from ishango.figures.plane_figures import world_plane_figure

            return world_plane_figure(line.dropna(), points)
        return placed_figure(line.dropna().assign(grammar=self.problem.grammar), points)

    def map(self, colour: Literal["base", "gap_shortest"] = "base") -> Any:
        """The languages whose place is known, coloured by base or by gap: an Altair chart."""
        from ishango.figures.plane_figures import world_map_figure

        require(colour in ("base", "gap_shortest"), "colour", colour, "base or gap_shortest")
        if "latitude" not in self.languages:
            raise RequestError("No language of this survey has a place; those of the catalogue do.")
        return world_map_figure(self.languages, colour)

    def _check_any(self, measured: pd.DataFrame) -> None:
        if measured.empty:
            raise RequestError(f"No language of this survey is measured under the grammar {self.problem.grammar}.")


def survey(
    source: Literal["world", "table", "cosinus"] | Language | Iterable[Language | str] = "world",
    *,
    grammar: str | None = None,
    need: Need | str = "power:2",
    upto: int = 99,
    every_cost: bool | None = None,
) -> Survey:
    """Measure human languages: the world's, those checked by hand, CoSiNuS, or languages of your own.

    Args:
        source: `world` (the catalogue, as far as a language says every number of the range), `table` (checked by
            hand), `cosinus` (as people speak, Hurford's grammar, 1 to 99), or languages, also by name.
        grammar: the meta-grammar, by default the paper's (CoSiNuS is always measured under Hurford's); languages that
            it does not derive are left out.
        need: how often each number is needed.
        upto: numbers from 1 to this one are measured.
        every_cost: whether irregularity, processing and the like are measured, too; by default not of the world's.

    Returns:
        A survey that prints, shows in a notebook, and gives `to_frame()`, `by_family()` and `figure()`.

    >>> from ishango import find_language
    >>> found = survey([find_language("French"), find_language("Mandarin")], grammar="hurford")
    >>> found.to_frame()[["language", "size", "said"]].round(4).values.tolist()
    [['French', 11, 1.1303], ['Mandarin', 10, 1.1479]]
    """
    found = Need.parse(need)
    if isinstance(source, str):
        require(source in ("world", "table", "cosinus"), "source", source, "world, table, cosinus, or languages")
    problem = Problem(grammar or (HURFORD if source == "cosinus" else DEFAULT_GRAMMAR).name, found, upto)
    if source == "cosinus":
        if (problem.grammar, upto) != (HURFORD.name, COSINUS_RANGE):
            raise RequestError(
                f"CoSiNuS is measured under Hurford's grammar over 1 to {COSINUS_RANGE}; leave out grammar and upto."
            )
        measured = (spoken_costs(each, found) for each in spoken_languages())
        return Survey("CoSiNuS", problem, pd.DataFrame(_spoken(each) for each in measured if each))
    names = {"table": "the table of languages", "world": "the catalogue of the world's languages"}
    shipped = isinstance(source, str)
    languages = load_languages("world" if source == "world" else "core") if shipped else _languages(source)
    name = names[source] if isinstance(source, str) else "languages of one's own"
    # The costs of regularity and of processing take a while for each system, and the world has hundreds.
    every = source != "world" if every_cost is None else every_cost
    rows = (_row(each, problem, every) for each in languages)
    return Survey(name, problem, pd.DataFrame(row for row in rows if row))


def _languages(given: Any) -> list[Language]:
    """One language or several, also by name."""
    alone = isinstance(given, Language) or not isinstance(given, Iterable)
    several: list[Any] = [given] if alone else list(cast(Iterable[Any], given))
    found = [find_language(each) if isinstance(each, str) else each for each in several]
    for each in found:
        if not isinstance(each, Language):
            raise RequestError(f"A survey is of languages, such as find_language('French'); {each!r} is none.")
    return found


def _row(language: Language, problem: Problem, every_cost: bool) -> dict[str, Any] | None:
    system = language.system_under(problem.grammar)
    if system is None or system.words[-1] > problem.upto:
        return None
    if not language.says_all(problem.upto):
        return None
    return {
        "language": language.name,
        "glottocode": language.glottocode,
        "family": language.family,
        "macroarea": language.macroarea,
        **({} if language.place is None else {"latitude": language.place[0], "longitude": language.place[1]}),
        "base": language.base,
        **_measured(system, language.rules, problem, every_cost),
        "outside": format_set(outside) if (outside := language.outside_numbers(problem.upto)) else "",
    }


@lru_cache(maxsize=4096)
def _measured(system: NumeralSystem, rules: Clauses | None, problem: Problem, every_cost: bool) -> dict[str, Any]:
    """The costs of words and rules, which hundreds of languages share."""
    language = Language("any", system, rules)
    expressions = language.expressions(problem.grammar, problem.upto)
    need = Need.parse(problem.need)
    costs = all_costs(Said(system, expressions, need, problem.upto)) if expressions and every_cost else {}
    measures, said = measure(system, need, problem.upto), costs.get("length")
    if not every_cost:
        said = language.average_complexity(problem.grammar, need, problem.upto)
    least = frontier_value(system.size, problem)
    return {
        "digits": format_set(system.digits),
        "multipliers": format_set(system.multipliers),
        "size": system.size,
        "said": said,
        "shortest": measures.average_complexity,
        "gap_said": None if said is None or least is None else said - least,
        "gap_shortest": measures.gap,
        **{name: value for name, value in costs.items() if name not in ("size", "length")},
    }


def _spoken(found: SpokenCosts) -> dict[str, Any]:
    language = found.language
    return {
        "language": language.name,
        "glottocode": language.glottocode,
        "family": found.family,
        "base": language.base,
        "digits": format_set(language.system.digits),
        "multipliers": format_set(language.system.multipliers),
        "size": found.size,
        "broad": found.broad,
        "narrow": found.narrow,
        "said": found.said,
        "shortest": found.shortest,
        "gap_said": found.gap_said,
        "gap_shortest": found.gap_shortest,
        "gap_broad": found.gap_broad,
        "gap_narrow": found.gap_narrow,
        **{name: value for name, value in found.costs.items() if name not in ("size", "length")},
    }


# `ishango.typology`: how well mechanisms predict the languages of the world.


def _lexicon(given: Any) -> Lexicon:
    if isinstance(given, NumeralSystem | str):
        system = system_of(given, None)
        return system.digits, system.multipliers
    if not isinstance(given, tuple | list) or len(cast(Sequence[Any], given)) != 2:
        raise RequestError(f"A lexicon is a system, text such as '1-9 | 10', or digits and multipliers, not {given!r}.")
    return cast(Lexicon, given)


def typology(
    *directories: Path | str,
    by: str | Sequence[str] | None = None,
    mechanisms: Mapping[str, Iterable[Lexicon | NumeralSystem | str]] | None = None,
    smoothing: float = SMOOTHING,
    runs: int | None = None,
) -> Typology:
    """Score mechanisms by how well their lexicons predict human numeral systems, each family counting once.

    Args:
        directories: directories of runs; runs with the same options are a mechanism, and its lexicons are those of the
            second half of their rounds.
        by: what tells mechanisms apart, one option or several; by default all in which runs differ but seed and start.
        mechanisms: lexicons of your own, as pairs of digits and multipliers, systems or text (`1-9 | 10`), by the name
            of their mechanism; each counts as a run.
        smoothing: the share of each mechanism's probability that is spread evenly over all cells.
        runs: how many runs of each mechanism count in a draw, since more runs score higher; by default as many as the
            mechanism with fewest has.

    Returns:
        A typology: `table` (a row a mechanism, the best first), `held_out`, `ten` and `sentence`.

    >>> found = typology(mechanisms={"tens": [(tuple(range(1, 10)), (10,))]})
    >>> found.table["mechanism"].tolist()
    ['tens', 'all cells alike']
    """
    by = [by] if isinstance(by, str) else by
    own = (mechanisms or {}).items()
    found: dict[str, list[Run]] = {name: [[_lexicon(each)] for each in given] for name, given in own}
    if directories:
        from ishango.api._runs import load_runs

        rounds = load_runs(*directories)
        lacking = [name for name in ("digits", "multipliers", *(by or ())) if name not in rounds]
        if lacking:
            raise RequestError(
                f"These runs have no {' and no '.join(lacking)}; typology takes runs of numeral systems."
            )
        if len(other := rounds.loc[rounds["digits"].isna() | rounds["multipliers"].isna(), "run"]):
            raise RequestError(f"The run {other.iloc[0]} has no digits and multipliers in its rounds; leave it out.")
        if of_algorithm_1(rounds).all():
            rounds = settled(rounds)  # what a run left open is what others say
        found |= lexicons_of_runs(rounds, mechanism_columns(rounds) if by is None else by)
    if not found:
        raise RequestError("There is nothing to score; name directories of runs, or give mechanisms.")
    return score(found, smoothing=smoothing, runs=runs)
