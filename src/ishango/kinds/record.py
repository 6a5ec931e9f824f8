"""What rounds of systems of every kind record: the law's measures, and what became of the system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from ishango.frontiers import measure
from ishango.kinds.law import Law, costs, kind_of
from ishango.kinds.system import OpenSystem
from ishango.lab.experiments import About
from ishango.numerals import NumeralSystem


@dataclass(frozen=True)
class OpenRecord:
    """A system under the law of its round; what was not measured is null."""

    round: Annotated[int, About("0 is the first system, before anything is decided or learnt")]
    digits: Annotated[list[int], About("the digits after the round")]
    multipliers: Annotated[list[int], About("the multipliers after the round; there may be none")]
    size: Annotated[int, About("|D| + |M|", "words")]
    kind: Annotated[str, About("approximate, exact restricted, partly recursive or recursive, by what is said")]
    exact_upto: Annotated[int, About("the numbers 1..k are said exactly")]
    precision: Annotated[float, About("what an error of 1 cost in the round")]
    cost: Annotated[float, About("the cost of the law: word x size + effort x E[length] + precision x E[error]")]
    length: Annotated[float, About("mean length of what is said", "symbols")]
    error: Annotated[float, About("mean error of what is said")]
    average_complexity: Annotated[
        float | None,
        About("average complexity of the shortest expressions; null where the range is not covered", "symbols"),
    ]
    gap: Annotated[
        float | None,
        About("that above the proved frontier of the size, where there is a multiplier, else null", "symbols"),
    ]


@dataclass(frozen=True)
class SocietyRecord(OpenRecord):
    """What a round of Algorithm 1 for systems of every kind leaves in `rounds.jsonl`."""

    action: Annotated[str | None, About("the change that was tried")]
    alternative: Annotated[str | None, About("what it led to")]
    accepted: Annotated[bool | None, About("whether the alternative was kept")]
    delta_size: Annotated[int | None, About("its change of size", "words")]
    delta_cost: Annotated[float | None, About("its change of the law's cost")]
    scores: Annotated[list[float | None] | None, About("what the judge made of either system, words not counted")]
    accuracy: Annotated[float | None, About("share of games in which the very number was guessed")]
    seconds: Annotated[float, About("how long the round took", "seconds")]
    steps_per_second: Annotated[float | None, About("how fast agents played")]


@dataclass(frozen=True)
class OpenGenerationRecord(OpenRecord):
    """What a generation that may lose numbers leaves in `rounds.jsonl`."""

    numbers_heard: Annotated[int | None, About("distinct numbers that were meant when parents spoke", "numbers")]
    words_heard: Annotated[int | None, About("words that it heard, each role of a word counting", "words")]
    words_lost: Annotated[int | None, About("words of its parents that it does not know", "words")]
    words_invented: Annotated[int | None, About("words that it coined", "words")]
    lost: Annotated[str | None, About("the words lost, D | M")]
    invented: Annotated[str | None, About("the words coined, D | M")]
    seconds: Annotated[float, About("how long the generation took", "seconds")]


def measured(number: int, system: OpenSystem, law: Law) -> dict[str, Any]:
    """The fields of an `OpenRecord`."""
    here, kind = costs(system, law), kind_of(system, law)
    average, gap = coverage(system, law)
    return {
        "round": number,
        "digits": list(system.digits),
        "multipliers": list(system.multipliers),
        "size": system.size,
        "kind": kind.name,
        "exact_upto": kind.exact_upto,
        "precision": law.precision,
        "cost": here.total,
        "length": here.length,
        "error": here.error,
        "average_complexity": average,
        "gap": gap,
    }


def coverage(system: OpenSystem, law: Law) -> tuple[float | None, float | None]:
    """Average complexity and gap over the law's range, null where it is not covered.

    >>> coverage(OpenSystem.parse("1,2"), Law()), coverage(OpenSystem.parse("1-50"), Law())
    ((None, None), (1.0, None))
    >>> coverage(OpenSystem.parse("1-9 | 10"), Law())[1]
    0.0
    """
    if not system.multipliers:
        return (1.0 if len(system.digits) == law.upto else None), None
    found = measure(NumeralSystem(system.digits, system.multipliers, system.grammar), law.need, law.upto)
    return found.average_complexity, found.gap
