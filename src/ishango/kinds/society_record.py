"""The record of a round of a system that may become any kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ishango.lab.records import About


@dataclass(frozen=True)
class SocietyRecord:
    """What a round leaves in `rounds.jsonl`; what was not measured in it is null."""

    round: Annotated[int, About("0 is the first system, before anything is decided")]
    digits: Annotated[list[int], About("the digits after the round")]
    multipliers: Annotated[list[int], About("the multipliers after the round; there may be none")]
    size: Annotated[int, About("|D| + |M|", "words")]
    kind: Annotated[str, About("approximate, exact restricted, partly recursive or recursive, by what is said")]
    exact_upto: Annotated[int, About("the numbers 1..k are said exactly")]
    precision: Annotated[float, About("what an error of 1 cost in the round", "rewards")]
    cost: Annotated[float, About("the cost of the law: word x size + effort x E[length] + precision x E[error]")]
    length: Annotated[float, About("mean length of what is said", "symbols")]
    error: Annotated[float, About("mean error of what is said")]
    action: Annotated[str | None, About("the change that was tried")]
    alternative: Annotated[str | None, About("what it led to")]
    accepted: Annotated[bool | None, About("whether the alternative was kept")]
    delta_size: Annotated[int | None, About("its change of size", "words")]
    delta_cost: Annotated[float | None, About("its change of the law's cost")]
    scores: Annotated[list[float | None] | None, About("what the judge made of either system, words not counted")]
    accuracy: Annotated[float | None, About("share of games in which the very number was guessed")]
    seconds: Annotated[float, About("how long the round took", "seconds")]
    steps_per_second: Annotated[float | None, About("how fast agents played")]
