"""Human languages of all kinds under the law: where, if anywhere, each is nearly the best that there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from ishango.kinds.law import Floats, Law, error_table, saying_costs
from ishango.kinds.system import Mask, OpenSystem, lexicons
from ishango.languages import load_languages
from ishango.numerals import average_complexity
from ishango.restricted import study_languages
from ishango.restricted.against_chance import random_terms
from ishango.restricted.term_system import TermSystem

DRAWS = 200
"""Random systems beside each human one."""
NEAR = 0.1
"""The share above the best within which a system counts as nearly the best. What every system pays, one symbol of
effort, is left out on both sides: with it, everything is near where words and errors cost little."""


@dataclass(frozen=True, eq=False)
class Plane:
    """A diagram as human systems are held against it."""

    laws: tuple[Law, ...]
    """The law at each precision."""
    words: Floats
    best: Floats
    """What the best costs above one symbol of effort, (precisions, words)."""

    @classmethod
    def of(cls, law: Law, cells: pd.DataFrame) -> Plane:
        """The plane of a diagram of the law."""
        best = cells.pivot(index="precision", columns="word", values="cost")
        laws = tuple(replace(law, precision=float(precision)) for precision in best.index)
        return cls(laws, best.columns.to_numpy(np.float64), best.to_numpy() - law.effort)

    def excess(self, saying: Floats, size: int) -> Floats:
        """By which share a system costs more than the best, (precisions, words), where it costs so much above one
        symbol to say numbers at each precision."""
        return (saying[:, None] + size * self.words) / self.best - 1

    def excess_of(self, system: OpenSystem | TermSystem) -> Floats:
        """By which share a human system costs more than the best, (precisions, words)."""
        saying, _ = _sayings(system, self.laws, 0, np.random.default_rng(0))
        return self.excess(saying, system.size)


def extents_error(terms: TermSystem, law: Law) -> float:
    """The mean error of words that keep their extents, each with the anchor that costs least."""
    losses = error_table(law.error, law.upto) * law.weights[:, None]
    return float(sum(losses[np.ix_(np.array(word) - 1, np.array(word) - 1)].sum(axis=0).min() for word in terms.words))


def human_table(
    law: Law, cells: pd.DataFrame, near: float = NEAR, draws: int = DRAWS,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """A row a language: how near the best it comes, where, in which share of the plane it is near, and how many random
    systems of as many words come nearer somewhere.

    What is compared is the cost above one symbol of effort. `cells` is a diagram of the law.
    """
    plane = Plane.of(law, cells)
    rows: list[dict[str, Any]] = []
    speakers = human_systems(law)
    for number, (language, kind, system) in enumerate(speakers):
        rng = np.random.default_rng(number)
        saying, chance = _sayings(system, plane.laws, draws, rng)
        excess = plane.excess(saying, system.size)
        at = np.unravel_index(excess.argmin(), excess.shape)
        theirs = np.array([plane.excess(one, system.size).min() for one in chance])
        rows.append(
            {
                "language": language,
                "kind": kind,
                "size": system.size,
                "excess": float(excess.min()),
                "precision": plane.laws[at[0]].precision,
                "word": float(plane.words[at[1]]),
                "share_near": float((excess <= near).mean()),
                "chance_excess": float(np.median(theirs)),
                "chance_nearer": float((theirs < excess.min() - 1e-12).mean()),
            }
        )
        if progress:
            progress(number + 1, len(speakers))
    return pd.DataFrame(rows)


def human_systems(law: Law) -> list[tuple[str, str, OpenSystem | TermSystem]]:
    """The languages of both tables that have words for the range; those that share a system stand in one row."""
    found: dict[Any, tuple[list[str], str, OpenSystem | TermSystem]] = {}
    for language in load_languages():
        system = language.system_under(law.grammar)
        if system is None or system.words[-1] > law.upto:
            continue
        if average_complexity(system, upto=law.upto) is not None:
            key = OpenSystem.of(system)
            found.setdefault(key, ([], language.kind, key))[0].append(language.name)
    for language in study_languages():
        if not language.recursive:
            terms = language.system(law.upto)
            found.setdefault((terms.words, language.kind), ([], language.kind, terms))[0].append(language.name)
    return [(", ".join(names), kind, system) for names, kind, system in found.values()]


def _sayings(
    system: OpenSystem | TermSystem, laws: Sequence[Law], draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """What saying costs above one symbol at each precision, and the same for random systems, (draws, precisions)."""
    if isinstance(system, TermSystem):
        others = [random_terms(system.upto, system.size, rng) for _ in range(draws)]
        errors = np.array([extents_error(each, laws[0]) for each in (system, *others)])
        above = np.array([law.precision * errors for law in laws]).T
        return above[0], above[1:]
    masks = np.concatenate([lexicons([system], laws[0].upto), _random_lexicons(system, laws[0].upto, draws, rng)])
    above = np.array([saying_costs(masks, law) - law.effort for law in laws]).T
    return above[0], above[1:]


def _random_lexicons(system: OpenSystem, upto: int, draws: int, rng: np.random.Generator) -> Mask:
    """Lexicons of as many digits and multipliers, every choice being equally likely."""
    found = np.zeros((draws, 2, upto), np.bool_)
    for row in found:
        row[0, rng.permutation(upto)[: len(system.digits)]] = True
        row[1, rng.permutation(upto)[: len(system.multipliers)]] = True
    return found
