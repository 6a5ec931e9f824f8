"""The phase diagram as the API gives it."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field


class Band(BaseModel):
    """Numbers for which the same is said."""

    said: Annotated[int, Field(description="the number that is named")]
    expression: str
    numbers: Annotated[str, Field(description="the numbers for which it is said, as a set such as 1-3,5")]


class KindCell(BaseModel):
    """The best system at one precision and one price of a word."""

    kind: str
    exact_upto: int
    digits: str
    multipliers: str
    size: int
    words_cost: float
    effort_cost: float
    error_cost: float
    cost: float
    lower: Annotated[float, Field(description="what no system costs less than")]
    proved: bool
    saying: Annotated[int, Field(description="the place of what is said in the list of sayings")]


class Speakers(BaseModel):
    """Human languages that share a system."""

    names: list[str]
    kind: str
    system: str
    size: int
    excess: Annotated[list[float], Field(description="by which share it costs more than the best, cell by cell")]


class PhaseDiagram(BaseModel):
    """Which kind of system is best where; cells are in the order of precisions, and of words within each."""

    effort: float
    error: str
    need: str
    range: int
    near: Annotated[float, Field(description="the share within which a language counts as near")]
    kinds: list[str]
    precisions: list[float]
    words: list[float]
    cells: list[KindCell]
    sayings: list[list[Band]]
    languages: list[Speakers]
