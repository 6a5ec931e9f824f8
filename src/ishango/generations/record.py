"""The record of a generation: what a round of evolution records, and what became of the words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ishango.evolution.record import RoundRecord
from ishango.lab.experiments import About


@dataclass(frozen=True)
class GenerationRecord(RoundRecord):
    """What a generation leaves in `rounds.jsonl`; what was not measured in it is null."""

    numbers_heard: Annotated[int | None, About("distinct numbers that the generation heard", "numbers")]
    words_heard: Annotated[int | None, About("words that it heard, each role of a word counting", "words")]
    words_lost: Annotated[int | None, About("words of its parents that it does not know", "words")]
    words_restored: Annotated[
        int | None, About("words that it did not hear and knows all the same, because the range needs them", "words")
    ]
    words_invented: Annotated[int | None, About("words that it coined", "words")]
    lost: Annotated[str | None, About("the words lost, D | M")]
    restored: Annotated[str | None, About("the words restored, D | M")]
    invented: Annotated[str | None, About("the words coined, D | M")]
    accuracy_learnt: Annotated[
        float | None,
        About("need-weighted share of numbers that new agents understand at their best after imitation alone"),
    ]
    accuracy_unheard: Annotated[float | None, About("the same among numbers that they never heard")]
    agreement: Annotated[
        float | None, About("need-weighted share of numbers whose likeliest message is their parents', after imitation")
    ]
    topographic_similarity: Annotated[
        float | None,
        About("rank correlation of the distances between expressions and between their likeliest messages"),
    ]
    regularity: Annotated[
        float | None,
        About("share of the steps from n to n + 1, within the game range, that keep the expression's base"),
    ]
    bases: Annotated[int | None, About("multipliers that are the base of some expression, within the game range")]
    lexicons: Annotated[int | None, About("distinct lexicons in the population; this and the rest null for one pair")]
    mean_size: Annotated[float | None, About("mean lexicon size of the population's pairs", "words")]
    spread_size: Annotated[float | None, About("standard deviation of their sizes", "words")]
    mean_average_complexity: Annotated[float | None, About("mean of their average complexities", "symbols")]
    spread_average_complexity: Annotated[float | None, About("standard deviation of these", "symbols")]
    mean_gap: Annotated[float | None, About("mean of their gaps", "symbols")]
    spread_gap: Annotated[float | None, About("standard deviation of these", "symbols")]
