"""What the costs that a run records are measured by, and what is known to be unattainable by that."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, NamedTuple

from ishango.errors import RequestError
from ishango.explorer.optima import NEED, NEEDS, RANGE, SIZES
from ishango.explorer.runs import Listed
from ishango.explorer.summaries import defaults, shown
from ishango.numerals import GrammarName, Need

_FORMS = {name.partition(":")[0] for name in NEEDS}
"""Needs that can be made of their text alone: no file that a config names is read for a page."""


class RunProblem(NamedTuple):
    """Grammar, need and range by which a run's systems were measured, round by round."""

    grammar: GrammarName
    need: str
    upto: int

    @property
    def is_known(self) -> bool:
        """Whether its frontier is one that the pages have."""
        return self.need in NEEDS and self.upto == RANGE

    def __str__(self) -> str:
        papers = " (the paper’s)" if self.need == NEED else ""
        return f"the need {self.need}{papers} of the numbers 1 to {self.upto} under the grammar {self.grammar}"


def problem_of_run(listed: Listed) -> RunProblem | None:
    """By what a run was measured; None where its systems do not lie in the plane."""
    experiment = listed.summary["experiment"]
    if listed.study is None or not shown(experiment).in_plane:
        return None
    settings: dict[str, Any] = {**defaults(experiment), **listed.study["config"]}
    need = _canonical(str(settings.get("eval_need") or settings["need"]))
    return RunProblem(listed.summary["grammar"], need, settings["range"])


def _canonical(need: str) -> str:
    """The text of a need as the pages write it: power:2.0 is power:2."""
    if need.strip().partition(":")[0] not in _FORMS:
        return need
    try:
        return Need.parse(need).spec
    except RequestError:
        return need


def about_the_edge(problems: Set[RunProblem | None], is_drawn: bool) -> str | None:
    """What the grey below the ways of runs is proved for, or why there is none; None where nobody would expect any."""
    if problems <= {None}:
        return None
    if len(problems) > 1:
        ways = " or ".join(sorted(f"by {problem}" if problem else "in its own way" for problem in problems))
        return f"These runs are not measured alike, so no grey shows what is unattainable. Each is measured {ways}."
    (problem,) = problems
    if is_drawn:
        return f"Where there is grey, nothing can lie in it: that is proved for {problem}."
    if problem is not None and not problem.is_known:
        return f"No grey shows what is unattainable: that is not known here for {problem}."
    return f"No grey shows (yet) what is unattainable: it is worked out for sizes up to {SIZES[-1]}, for {problem}."
