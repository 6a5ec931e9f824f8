"""What the API takes and gives, as types: the schema is made of these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ishango.evolution import EvolutionOptions
from ishango.explorer.choices import Add, Choose, Grammar, JudgeName, Learn, Need
from ishango.explorer.optima import RANGE
from ishango.explorer.rounds import Round, as_in_round

Word = Annotated[int, Field(ge=1, le=RANGE)]
Name = Annotated[str, Field(min_length=1, max_length=400)]
RunState = Literal["starting", "running", "done", "interrupted", "failed", "unreadable"]


class Refusal(BaseModel):
    """Why a request was not met."""

    error: str


class Figure(BaseModel):
    """A chart as Vega-Lite for a light and for a dark page, with the data that both share."""

    light: dict[str, Any]
    dark: dict[str, Any]
    datasets: dict[str, list[dict[str, Any]]]


class Lexicon(BaseModel):
    """A named system."""

    name: str
    digits: list[Word]
    multipliers: list[Word]


class Neighbour(Lexicon):
    """A language and how many words it is away."""

    distance: int


class Presets(BaseModel):
    """Systems to begin with."""

    languages: list[Lexicon]
    starts: list[Lexicon]
    optima: list[Lexicon]


class Numeral(BaseModel):
    """A number's shortest expression."""

    number: Word
    expression: str
    complexity: int
    ties: int


class BestSystem(BaseModel):
    """The best system of a size, and how low any of that size can be."""

    proved: bool
    average_complexity: float
    lower_bound: float
    digits: list[Word]
    multipliers: list[Word]


class System(BaseModel):
    """A numeral system, or (with a complaint) what is not one yet."""

    digits: list[Word]
    multipliers: list[Word]
    grammar: Grammar
    need: Need
    size: int
    complaint: str | None
    average_complexity: float | None
    gap: float | None
    missing: list[Word]
    numerals: list[Numeral]
    optimum: BestSystem | None
    nearest: list[Neighbour]


class Place(BaseModel):
    """A lexicon in the plane."""

    name: str
    digits: str
    multipliers: str
    size: int
    average_complexity: float


class Plane(BaseModel):
    """The plane, and whether the frontier in it is complete."""

    complete: bool
    rounds: int
    shown: int
    runs: int
    figure: Figure
    points: list[Place]


class Map(BaseModel):
    """The plane without runs, and whether the frontier in it is complete."""

    complete: bool
    figure: Figure


class Run(BaseModel):
    """A run in the list."""

    name: str
    state: RunState
    start: str
    grammar: Grammar
    choose: str
    seed: int
    steps: int
    rounds: int
    round: Annotated[int, Field(description="the last round so far; -1 before there is any")]
    digits: Annotated[list[int], as_in_round("digits")]
    multipliers: Annotated[list[int], as_in_round("multipliers")]
    size: Annotated[int | None, as_in_round("size")]
    average_complexity: Annotated[float | None, as_in_round("average_complexity")]
    gap: Annotated[float | None, as_in_round("gap")]
    accuracy: Annotated[float | None, as_in_round("accuracy")]
    kind: Annotated[str | None, as_in_round("kind")]
    cost: Annotated[float | None, as_in_round("cost")]
    updated: float
    can_stop: bool
    can_talk: bool
    message: str | None


class RunDetails(BaseModel):
    """One run with its pictures."""

    run: Run
    path: Figure | None
    kinds: Annotated[Figure | None, Field(description="cost and kind, of systems that need not cover the range")]
    lexicon: Figure | None
    communication: Figure | None
    mutations: Figure | None
    rounds: list[Round]


class Entry(BaseModel):
    """A line of the dictionary of two agents."""

    number: int
    expression: str
    message: str
    said: float
    heard: int
    understood: float
    shared_by: int


class Dictionary(BaseModel):
    """The language of a run's agents."""

    name: str
    round: int
    digits: list[int]
    multipliers: list[int]
    topographic_similarity: float | None
    entries: list[Entry]


class Exchange(BaseModel):
    """One number talked about."""

    number: int
    expression: str
    message: list[int]
    said: float
    heard: int
    understood: float
    speaker: Figure
    listener: Figure


class NewRun(BaseModel):
    """A run to be started."""

    digits: Annotated[list[Word], Field(max_length=RANGE)]
    multipliers: Annotated[list[Word], Field(max_length=RANGE)]
    grammar: Grammar = EvolutionOptions.grammar
    rounds: Annotated[int, Field(ge=1, le=1000)] = 20
    steps: Annotated[int, Field(ge=1, le=100_000)] = 2000
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    choose: Choose = EvolutionOptions.choose
    add: Add = EvolutionOptions.add
    learners: Learn = EvolutionOptions.learners
    judge: JudgeName = EvolutionOptions.judge
    effort: Annotated[float, Field(ge=0, le=10, description="what every symbol after the first costs")] = 0.0
    noise: Annotated[float, Field(ge=0, le=1, description="how often a symbol is heard as another")] = 0.0
    word: Annotated[float, Field(ge=0, le=10, description="what a word of the lexicon costs")] = 0.0


class RunName(BaseModel):
    """Which run is meant."""

    name: Name
