"""The record of a round of Algorithm 1: the one place where its fields are spelled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ishango.lab.experiments import About


@dataclass(frozen=True)
class RoundRecord:
    """What a round of Algorithm 1 leaves in `rounds.jsonl`; what was not measured in it is null."""

    round: Annotated[int, About("0 is the start, after pre-training")]
    digits: Annotated[list[int], About("the set D after the round")]
    multipliers: Annotated[list[int], About("the set M after the round")]
    size: Annotated[int, About("lexicon size, |D| + |M|", "words")]
    average_complexity: Annotated[
        float | None, About("need-weighted average complexity of the shortest expressions of 1 to the range", "symbols")
    ]
    gap: Annotated[float | None, About("average complexity above the proved frontier of that size", "symbols")]
    action: Annotated[str | None, About("the modification tried; null in round 0 and where none could be applied")]
    alternative: Annotated[str | None, About("the system it leads to, D | M")]
    accepted: Annotated[bool | None, About("whether the alternative was kept")]
    delta_average: Annotated[
        float | None,
        About("average complexity of the alternative minus that of the current system, over the game range", "symbols"),
    ]
    delta_size: Annotated[int | None, About("size of the alternative minus that of the current system", "words")]
    delta_gap: Annotated[float | None, About("gap of the alternative minus that of the current system", "symbols")]
    changed: Annotated[
        float | None, About("how new the alternative is: need-weighted share of the game range that it says otherwise")
    ]
    q: Annotated[list[float] | None, About("the bandit's values of the current system and the alternative")]
    uses: Annotated[list[int] | None, About("how often the bandit used either", "steps")]
    scores: Annotated[
        list[float | None] | None,
        About("what the judge gives the current system and the alternative, before their words are paid for"),
    ]
    practice: Annotated[int | None, About("steps in which both were practised before either counted", "steps")]
    accuracy: Annotated[float | None, About("share of games won in the last 500 steps of the round")]
    accuracy_by_arm: Annotated[list[float | None] | None, About("the same for either system")]
    accuracy_greedy: Annotated[
        float | None, About("need-weighted share of numbers understood if both agents take their likeliest symbols")
    ]
    numbers_understood: Annotated[
        int | None,
        About("numbers of the game range that are understood so; a few frequent ones win most games", "numbers"),
    ]
    messages: Annotated[int | None, About("different messages for them; those that share one are mixed up", "messages")]
    seconds: Annotated[float, About("how long the round took", "seconds")]
    steps_per_second: Annotated[float | None, About("how fast agents played")]
