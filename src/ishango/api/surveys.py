"""`ishango.survey`: human languages, measured, as one table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from ishango.api.frontiers import placed_figure
from ishango.api.showing import Shown
from ishango.cosinus import UPTO as COSINUS_RANGE
from ishango.cosinus import SpokenCosts, spoken_costs, spoken_languages
from ishango.costs import Said, all_costs
from ishango.errors import RequestError, require
from ishango.frontiers import Problem, frontier_value, measure
from ishango.languages import Language, load_languages
from ishango.numerals import HURFORD, Need, format_set

FIGURES = ("size", "said", "shortest", "gap", "irregularity", "processing")
"""What a family has averages of."""


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
        words, `gap` how far what is said (where that is not known: the shortest) lies above the proved frontier.
        """
        return self.languages

    def by_family(self) -> pd.DataFrame:
        """The averages of each family over what is known, the largest family first; nothing where nothing is known."""
        self._check_any(self.languages)
        known = self.languages.reindex(columns=list(FIGURES)).apply(pd.to_numeric)  # a column may be all None
        families = known.groupby(self.languages["family"])
        table = families.mean().assign(languages=families.size())
        return table.sort_values("languages", ascending=False, kind="stable").reset_index()

    def figure(self) -> Any:
        """What people say, on the plane of size and average complexity above the proved frontier: an Altair chart."""
        self._check_any(self.languages)
        known = self.languages.assign(average_complexity=self.languages["said"].fillna(self.languages["shortest"]))
        points = known[["language", "size", "average_complexity"]].dropna().assign(grammar=self.problem.grammar)
        self._check_any(points)
        sizes = range(self.problem.smallest_size, int(points["size"].max()) + 1)
        line = pd.DataFrame({"size": sizes, "average_complexity": [frontier_value(k, self.problem) for k in sizes]})
        return placed_figure(line.dropna().assign(grammar=self.problem.grammar), points)

    def _check_any(self, measured: pd.DataFrame) -> None:
        if measured.empty:
            raise RequestError(f"No language of this survey is measured under the grammar {self.problem.grammar}.")


def survey(
    source: Literal["table", "cosinus"] | Iterable[Language] = "table",
    *,
    grammar: str = HURFORD.name,
    need: Need | str = "power:2",
    upto: int = 99,
) -> Survey:
    """Measure human languages: the table that ships, CoSiNuS, or languages of your own.

    Args:
        source: `table`, `cosinus` (as people speak, Hurford's grammar, 1 to 99), or languages (`read_languages`).
        grammar: the meta-grammar; languages that it does not derive are left out.
        need: how often each number is needed.
        upto: numbers from 1 to this one are measured.

    Returns:
        A survey that prints, shows in a notebook, and gives `to_frame()`, `by_family()` and `figure()`.

    >>> from ishango import find_language
    >>> found = survey([find_language("French"), find_language("Mandarin")])
    >>> found.to_frame()[["language", "size", "said"]].round(4).values.tolist()
    [['French', 11, 1.1303], ['Mandarin', 10, 1.1479]]
    """
    found = Need.parse(need)
    problem = Problem(grammar, found, upto)
    if isinstance(source, str):
        require(source in ("table", "cosinus"), "source", source, "table, cosinus, or languages")
    if source == "cosinus":
        if (problem.grammar, upto) != (HURFORD.name, COSINUS_RANGE):
            raise RequestError(
                f"CoSiNuS is measured under Hurford's grammar over 1 to {COSINUS_RANGE}; leave grammar and upto away."
            )
        measured = (spoken_costs(each, found) for each in spoken_languages())
        return Survey("CoSiNuS", problem, pd.DataFrame(_spoken(each) for each in measured if each))
    languages = load_languages() if source == "table" else source
    name = "the table of languages" if source == "table" else "languages of one's own"
    return Survey(name, problem, pd.DataFrame(row for each in languages if (row := _row(each, problem))))


def _row(language: Language, problem: Problem) -> dict[str, Any] | None:
    system = language.system_under(problem.grammar)
    if system is None or system.words[-1] > problem.upto:
        return None
    expressions = language.expressions(problem.grammar, problem.upto)
    need = Need.parse(problem.need)
    costs = all_costs(Said(system, expressions, need, problem.upto)) if expressions else {}
    measures, said = measure(system, need, problem.upto), costs.get("length")
    least = frontier_value(system.size, problem)
    return {
        "language": language.name,
        "family": language.family,
        "base": language.base,
        "digits": format_set(system.digits),
        "multipliers": format_set(system.multipliers),
        "size": system.size,
        "said": said,
        "shortest": measures.average_complexity,
        "gap": measures.gap if said is None or least is None else said - least,
        **{name: value for name, value in costs.items() if name not in ("size", "length")},
    }


def _spoken(found: SpokenCosts) -> dict[str, Any]:
    language = found.language
    return {
        "language": language.name,
        "family": found.family,
        "base": language.base,
        "digits": format_set(language.system.digits),
        "multipliers": format_set(language.system.multipliers),
        "size": found.size,
        "broad": found.broad,
        "narrow": found.narrow,
        "said": found.said,
        "shortest": found.shortest,
        "gap": found.gap,
        "gap_broad": found.gap_broad,
        "gap_narrow": found.gap_narrow,
        **{name: value for name, value in found.costs.items() if name not in ("size", "length")},
    }
