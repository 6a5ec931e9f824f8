"""What the API takes and gives, as types: the schema is made of these."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ishango.evolution import EvolutionOptions
from ishango.explorer._builder import Add, Choose, Grammar, JudgeName, Learn, Need
from ishango.explorer._optima import RANGE
from ishango.explorer._summaries import Round, as_in_round

Word = Annotated[int, Field(ge=1, le=RANGE)]
Reach = Annotated[int, Field(ge=0, le=2 * RANGE)]
Name = Annotated[str, Field(min_length=1, max_length=400)]
Ties = Annotated[int | None, Field(description="how many expressions are as short; null where nobody has counted")]
Limit = Annotated[int | None, Field(description="how many runs are read where there are more; null where all are")]
Unattainable = Annotated[str | None, Field(description="what the grey of a path is proved for, or why there is none")]
StudyName = Annotated[str, Field(pattern="^[0-9a-f]{12}$")]
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
    others: Annotated[int, Field(description="how many languages that are not named have this lexicon, too")]
    upto: Annotated[int | None, Field(description="the last number it says; null where it says all of the range")]


class HumanLanguage(BaseModel):
    """A language that can be searched for."""

    name: str
    glottocode: str
    family: str
    area: str
    digits: Annotated[str, Field(description="a set such as 1-9,11")]
    multipliers: str
    upto: Annotated[int | None, Field(description="how far it counts; null where it says every number of the range")]
    checked: Annotated[bool, Field(description="whether its words were checked by hand")]


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
    speakers: Annotated[int, Field(description="how many languages have exactly these words")]


class Place(BaseModel):
    """A lexicon in the plane."""

    name: str
    digits: str
    multipliers: str
    size: int
    average_complexity: float


class Window(BaseModel):
    """A part of the plane: from where to where."""

    x: tuple[float, float]
    y: tuple[float, float]


class Map(BaseModel):
    """The plane without runs, and whether the frontier in it is complete."""

    complete: bool
    solved: Annotated[int, Field(description="sizes whose frontier is known, of those that are shown")]
    sizes: int
    proved: Annotated[bool, Field(description="whether it is proved for these axes what is unattainable")]
    log_x: Annotated[bool, Field(description="whether equal steps across mean equal factors")]
    log_y: bool
    fit: Annotated[Window, Field(description="where what matters lies")]
    all: Annotated[Window, Field(description="where everything lies")]
    titles: Annotated[dict[str, str], Field(description="what is written beside the axes x and y")]
    tables: Annotated[dict[str, list[dict[str, Any]]], Field(description="what is drawn, by name")]


class RunGroup(BaseModel):
    """Runs that are drawn alike."""

    name: str
    colour: Annotated[str, Field(description="its role, such as agents or drift, and which shade: agents-1")]
    agents: bool
    runs: int
    drawn: Annotated[int, Field(description="how many of its runs are in the picture; evenly chosen")]


class NearestRun(BaseModel):
    """A run whose agents ended near the frontier."""

    name: str
    title: str
    gap: Annotated[float, as_in_round("gap")]
    size: int
    can_talk: bool
    tied: Annotated[int, Field(description="how many others ended as near")]
    tied_in_size: Annotated[int, Field(description="how many of these have as many words")]
    best_of_size: bool


class Plane(Map):
    """The plane, its groups of runs, and how much of it is known."""

    measured: Annotated[int, Field(description="systems whose costs are known, of those that are shown")]
    systems: int
    rounds: int
    runs: int
    read: Annotated[int, Field(description="runs that have been read, of those that were found")]
    found: int
    limit: Limit
    groups: list[RunGroup]
    nearest: list[NearestRun]
    featured: Annotated[str | None, Field(description="the run whose path is drawn before anybody asks")]
    points: list[Place]


class Row(BaseModel):
    """A run as news tell it: what its whole study has in common is told once."""

    name: str
    title: Annotated[str, Field(description="who decides, start and seed: the name that people read")]
    study: Annotated[str | None, Field(description="the study it is of; null where its config cannot be read")]
    state: RunState
    seed: int
    round: Annotated[int, Field(description="the last round so far; -1 before there is any")]
    rounds: int
    size: Annotated[int | None, as_in_round("size")]
    average_complexity: Annotated[float | None, as_in_round("average_complexity")]
    cost: Annotated[float | None, Field(description="what its experiment calls cost, where it has one")]
    gap: Annotated[float | None, as_in_round("gap")]
    accuracy: Annotated[float | None, as_in_round("accuracy")]
    numbers_understood: Annotated[int | None, as_in_round("numbers_understood")]
    messages: Annotated[int | None, as_in_round("messages")]
    updated: float
    can_stop: bool
    can_talk: bool
    message: str | None


class Run(Row):
    """A run in the list."""

    experiment: str
    start: str
    grammar: Annotated[str, Field(description="empty where its systems do not lie in the plane")]
    choose: str
    steps: int
    digits: Annotated[list[int], as_in_round("digits")]
    multipliers: Annotated[list[int], as_in_round("multipliers")]


Value = bool | int | float | str | None
"""A value of a config, in a page."""


class Study(BaseModel):
    """Runs of one directory and one config that differ in nothing but their seed."""

    id: str
    directory: str
    experiment: str
    who: Annotated[str, Field(description="who decides, in a word or two")]
    means: Annotated[str, Field(description="what that means, without a full stop")]
    agents: Annotated[bool, Field(description="whether agents talk")]
    won: Annotated[str, Field(description="what the share is that its rounds record as accuracy")]
    config: Annotated[dict[str, Value], Field(description="what is not as by default, with dotted names")]


class Bench(BaseModel):
    """All runs, and the studies that they are of."""

    changed: list[Row]
    gone: list[str]
    studies: list[Study]
    limit: Limit


class SmallPaths(BaseModel):
    """A study's way in a few strokes: places of its middle run, then of others, and the edge of the unattainable."""

    paths: list[list[list[float]]]
    edge: list[list[float]]


class Setting(BaseModel):
    """A field of a config."""

    name: str
    value: Value
    usual: Annotated[Value, Field(description="what it is by default")]
    differs: bool


class Measure(BaseModel):
    """A number that rounds record."""

    name: str
    sentence: str
    unit: str


class RunDetails(BaseModel):
    """One run with its config and its pictures."""

    run: Run
    study: Study | None
    settings: Annotated[list[Setting], Field(description="the whole config, what differs from the defaults first")]
    command: Annotated[str | None, Field(description="what plays it, and goes on with it where it was interrupted")]
    can_continue: bool
    can_repeat: bool
    can_remove: Annotated[bool, Field(description="whether it can be deleted, archived and annotated here")]
    note: Annotated[str, Field(description="what somebody wrote about it; empty if nobody did")]
    path: Figure | None
    unattainable: Unattainable
    kinds: Annotated[Figure | None, Field(description="cost and kind, of systems that need not cover the range")]
    lexicon: Figure | None
    communication: Figure | None
    mutations: Figure | None
    measures: list[Measure]
    rounds: list[Round]
    whole: Annotated[bool, Field(description="whether all rounds were read, or, of a very long file, only some")]


class Difference(BaseModel):
    """A field of configs that differ in it."""

    name: str
    values: list[Value]


class Overlay(BaseModel):
    """Runs laid over each other."""

    runs: list[Run]
    studies: list[Study | None]
    path: Figure | None
    unattainable: Unattainable
    colours: Annotated[list[str], Field(description="of each run: its role, and which shade of it")]
    measures: list[Measure]
    differ: list[Difference]


class RunsOfGroup(BaseModel):
    """A group of runs that is compared."""

    name: str
    runs: int


class Comparison(BaseModel):
    """Two groups over the rounds, and what a permutation test says of where they ended."""

    groups: list[RunsOfGroup]
    figure: Figure
    sentence: str


class Guess(BaseModel):
    """A number and how probable the listener finds it."""

    number: int
    probability: float


class Heard(BaseModel):
    """What the listener makes of a message."""

    message: list[int]
    letters: list[str]
    heard: int
    likeliest: list[Guess]
    listener: Figure


class Entry(BaseModel):
    """A line of the dictionary of two agents."""

    number: int
    expression: str
    ties: Ties
    message: str
    letters: Annotated[str, Field(description="the message as a page writes it")]
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
    understood: Annotated[int, Field(description="numbers understood if both take their likeliest symbols")]
    by_need: Annotated[float, Field(description="their share of what is said, by need")]
    messages: Annotated[int, Field(description="different messages for these numbers")]
    symbols: Annotated[list[str], Field(description="all symbols, as a page writes them")]
    longest: Annotated[int, Field(description="symbols of the longest message")]
    need: Annotated[str, Field(description="the need by which that is counted")]
    need_is_own: Annotated[bool, Field(description="whether that is the need the agents played by")]
    entries: list[Entry]


class Exchange(BaseModel):
    """One number talked about."""

    number: int
    expression: str
    ties: Ties
    message: list[int]
    letters: Annotated[list[str], Field(description="the message as a page writes it")]
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


class Certain(RunName):
    """A run that is to be removed, named twice."""

    sure: Name


class Note(RunName):
    """What somebody wants to remember of a run."""

    text: Annotated[str, Field(max_length=4000)]


class Repeat(RunName):
    """A run to be started like another one, with another seed."""

    seed: Annotated[int, Field(ge=0, le=2**31 - 1)]


class GoOn(RunName):
    """A run to be continued up to so many rounds."""

    rounds: Annotated[int, Field(ge=0, le=100_000)]


# The phase diagram as the API gives it.


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
