"""The record of a round of agents that learn words: the one place where its fields are spelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ishango.lab.records import About


@dataclass(frozen=True)
class LearningRecord:
    """What a round leaves in `rounds.jsonl`; what was not measured in it is null."""

    round: Annotated[int, About("0 is before anything is learned")]
    words: Annotated[str, About("the numbers that each word names, by the speaker's most probable word for each")]
    size: Annotated[int, About("words in use", "words")]
    kind: Annotated[str, About("exact restricted (each word but the last names one number) or approximate")]
    contiguous: Annotated[bool, About("whether every word names an interval")]
    complexity: Annotated[int, About("complexity of the system", "nodes of its rules")]
    cost: Annotated[float, About("communicative cost", "bits")]
    ideal_cost: Annotated[float, About("communicative cost for a listener who weighs numbers by need alone", "bits")]
    gap: Annotated[float, About("cost above the least of the same complexity", "bits")]
    ideal_gap: Annotated[float, About("ideal cost above the least of as many words that are intervals", "bits")]
    nearest: Annotated[
        str | None, About("the language with the most similar system of as many words; null where none has so many")
    ]
    variation: Annotated[float | None, About("variation of information from that system, over numbers alike", "bits")]
    variation_by_need: Annotated[float | None, About("the same, numbers counting by need", "bits")]
    guesses: Annotated[list[int], About("the listener's most probable guess at each word")]
    mean_reward: Annotated[float | None, About("mean reward in the last 500 steps of the round")]
    accuracy: Annotated[float | None, About("share of games guessed exactly in the last 500 steps of the round")]
    seconds: Annotated[float, About("how long the round took", "seconds")]
    steps_per_second: Annotated[float | None, About("how fast agents played")]
