"""What is told of a generation: its record."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ishango.evolution.conversation import Communication
from ishango.frontiers import measure
from ishango.generations.generation_options import GenerationOptions
from ishango.generations.generation_record import GenerationRecord
from ishango.generations.ideal_kernel import Passed
from ishango.generations.lexicons import Words, bases_of, system_of, written
from ishango.generations.upbringing import Learnt, Talk
from ishango.numerals import NumeralSystem
from ishango.numerals.bases import changes, distinct


@dataclass(frozen=True)
class Grown:
    """What is told of agents."""

    learnt: Learnt
    talk: Talk
    similarity: float | None
    steps: int
    """How many steps they learnt."""


def record_of(
    number: int, words: Words, everybody: Sequence[Words], passed: Passed | None, grown: Grown | None,
    options: GenerationOptions, began: float,
) -> GenerationRecord:  # fmt: skip
    """The record of a generation that ends with these words, beside those of every pair; `began` is the clock's."""
    system = system_of(words, options.grammar)
    here = measure(system, options.need, options.upto)
    hears = passed is not None and options.lose == "unheard"
    learnt = grown.learnt if grown else Learnt()
    said: Communication = grown.talk.communication if grown else {}
    contest = grown.talk.contest if grown else None
    known = system_of(passed.words & ~passed.invented, options.grammar) if contest and passed else None
    bases, spread = bases_of(words, options), _of_everybody(everybody, options)
    seconds = time.perf_counter() - began
    return GenerationRecord(
        round=number,
        digits=list(system.digits),
        multipliers=list(system.multipliers),
        size=here.size,
        average_complexity=here.average_complexity,
        gap=here.gap,
        action="coin" if contest else None,
        alternative=str(contest.alternative) if contest else None,
        accepted=contest.accepted if contest else None,
        delta_average=contest.delta_average if contest else None,
        delta_size=contest.alternative.size - known.size if contest and known else None,
        delta_gap=_delta_gap(contest.alternative, known, options) if contest and known else None,
        changed=contest.changed if contest else None,
        q=said.get("q"),
        uses=said.get("uses"),
        scores=said.get("scores"),
        practice=said.get("practice"),
        accuracy=said.get("accuracy"),
        accuracy_by_arm=said.get("accuracy_by_arm"),
        accuracy_greedy=said.get("accuracy_greedy"),
        numbers_understood=said.get("numbers_understood"),
        messages=said.get("messages"),
        numbers_heard=int((passed.numbers > 0).sum()) if passed and hears else None,
        words_heard=int(passed.heard.sum()) if passed and hears else None,
        words_lost=int(passed.lost.sum()) if passed else None,
        words_restored=int(passed.restored.sum()) if passed and hears else None,
        words_invented=int((words & passed.invented).sum()) if passed else None,
        lost=_some(passed.lost) if passed else None,
        restored=_some(passed.restored) if passed else None,
        invented=_some(words & passed.invented) if passed else None,
        accuracy_learnt=learnt.accuracy,
        accuracy_unheard=learnt.accuracy_unheard,
        agreement=learnt.agreement,
        topographic_similarity=grown.similarity if grown else None,
        regularity=1 - changes(bases) / max(1, len(bases) - 1),
        bases=distinct(bases),
        lexicons=len(set(map(bytes, everybody))) if len(everybody) > 1 else None,
        **spread,
        seconds=round(seconds, 6),
        steps_per_second=round(grown.steps / seconds, 3) if grown and grown.steps else None,
    )


def _of_everybody(lexicons: Sequence[Words], options: GenerationOptions) -> dict[str, float | None]:
    """Means and standard deviations over all pairs; none where a pair has no such measure, and for a single pair."""
    systems = [system_of(words, options.grammar) for words in lexicons]
    measures = [measure(system, options.need, options.upto) for system in systems]
    found: dict[str, float | None] = {}
    for name in ("size", "average_complexity", "gap"):
        values = [getattr(each, name) for each in measures]
        known = len(values) > 1 and None not in values
        found[f"mean_{name}"] = float(np.mean(values)) if known else None
        found[f"spread_{name}"] = float(np.std(values)) if known else None
    return found


def _delta_gap(alternative: NumeralSystem, known: NumeralSystem, options: GenerationOptions) -> float | None:
    with_it, without = (measure(each, options.need, options.upto).gap for each in (alternative, known))
    return None if with_it is None or without is None else with_it - without


def _some(words: Words) -> str | None:
    return written(words) if words.any() else None
