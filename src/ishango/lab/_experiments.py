"""What an experiment is to the lab: its protocol, its streams of random numbers, its records, its name."""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import numpy as np

from ishango.errors import RequestError
from ishango.lab._plan import chosen, config_of, flatten, is_same, nested, overlaid, record_from_config
from ishango.registry import OUTSIDE, Registry, check_choice

Progress = Callable[[int, int], None]
"""Called during a round with the steps done and the steps of the round."""


def counted(progress: Progress, steps: int) -> Callable[[int], None]:
    """From steps just played, which players report, to progress in a round of so many steps."""
    done = 0

    def report(played: int) -> None:
        nonlocal done
        done += played
        progress(done, steps)

    return report


@dataclass(frozen=True)
class Outcome:
    """What one round leaves behind."""

    record: dict[str, Any]
    """One line of `rounds.jsonl`; its field `round` is the round's number.

    Only `seconds` and `steps_per_second` may differ between two runs of one config.
    """
    curve: np.ndarray | None = None
    """The reward per block of steps, one-dimensional, or nothing where nobody plays for rewards."""


StateT = TypeVar("StateT")


class Experiment(Protocol[StateT]):
    """Rounds from a config and a seed, with a state that can be saved.

    What a run writes is a function of the config alone: all randomness comes from the seed, and the random state is
    part of what `save` returns. `play` may change the state it is given.
    """

    @property
    def config(self) -> Mapping[str, Any]:
        """All that determines the run, as JSON can hold it; `rounds` and `seed` are integers."""
        ...

    def start(self, progress: Progress) -> tuple[StateT, Outcome]:
        """Play round 0: what comes before the first round proper, such as pre-training."""
        ...

    def play(self, state: StateT, number: int, progress: Progress) -> tuple[StateT, Outcome]:
        """Play round `number`, from 1 to `rounds`."""
        ...

    def save(self, state: StateT) -> dict[str, np.ndarray]:
        """The whole state, random state included, as arrays without Python objects."""
        ...

    def load(self, arrays: Mapping[str, np.ndarray]) -> StateT:
        """The state that `save` gave away."""
        ...


class Reporter(Protocol):
    """Watches one run. The calls come in this order, `end` also after a failure."""

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None:
        """The run starts or goes on; `rounds_done` counts round 0, so it is 0 for a new run."""
        ...

    def steps(self, round: int, done: int, of: int) -> None:
        """The round has played `done` of its `of` steps."""
        ...

    def round(self, record: Mapping[str, Any]) -> None:
        """A round is over."""
        ...

    def end(self) -> None:
        """Nothing more comes."""
        ...


class Silent:
    """The reporter that says nothing."""

    def begin(self, config: Mapping[str, Any], rounds_done: int) -> None: ...

    def steps(self, round: int, done: int, of: int) -> None: ...

    def round(self, record: Mapping[str, Any]) -> None: ...

    def end(self) -> None: ...


# Random generators of a run: where they begin, and how their state is kept as text.

Streams = Literal["run", "seed"]
"""Where the random numbers of a run come from: from its seed and everything else that makes it this run, or from its
seed alone, as before format 3. Runs that share a stream share their luck and are not independent."""

SAME_RUN = ("rounds", "seed", "streams")
"""Fields that do not make a run another one: it may grow longer, and its seed counts by itself."""


def run_generator(
    config: Mapping[str, Any], defaults: Mapping[str, Any], start: object | None = None
) -> np.random.Generator:
    """The generator from which all others of a run are spawned; `start` is the system that the config's start means.

    Two runs have the same only if seed and config are the same. What is at its default does not count, so that an
    option that is added later changes no run.

    >>> defaults = {"start": "1", "seed": 0, "streams": "run"}
    >>> one, other = (run_generator({**defaults, "start": start}, defaults) for start in ("1", "2"))
    >>> one.random() == other.random()
    False
    """
    if config["streams"] == "seed":
        return np.random.default_rng(config["seed"])
    own = {name: value for name, value in flatten(config).items() if name not in SAME_RUN}
    if start is not None:
        own["start"] = str(start)  # however it was written
    text = json.dumps(chosen(own, flatten(defaults)), sort_keys=True)
    words = np.frombuffer(hashlib.sha256(text.encode()).digest(), np.uint32)
    return np.random.default_rng([config["seed"], *words.tolist()])


def generator_state(generator: np.random.Generator) -> Mapping[str, Any]:
    """All that determines what the generator draws next, as JSON can hold it."""
    return generator.bit_generator.state


def generator_from(state: Mapping[str, Any]) -> np.random.Generator:
    generator = np.random.default_rng()
    generator.bit_generator.state = state
    return generator


# What a round records, defined once: a frozen dataclass whose fields carry a sentence and a unit. The JSON of
# `rounds.jsonl`, the columns of tables and their descriptions, the API's model and the docs come from it.


class About(NamedTuple):
    """What a field means: `size: Annotated[int, About("lexicon size", "words")]`."""

    sentence: str
    unit: str = ""


class Column(NamedTuple):
    """One field of a record."""

    name: str
    type: Any
    sentence: str
    unit: str

    @property
    def description(self) -> str:
        """The sentence, with the unit where there is one."""
        return f"{self.sentence} ({self.unit})" if self.unit else self.sentence


def columns(record: type[Any]) -> tuple[Column, ...]:
    """The fields of a record in their order; one without an `About` is a mistake.

    >>> from dataclasses import make_dataclass
    >>> from typing import Annotated
    >>> Step = make_dataclass("Step", [("length", Annotated[float, About("how far it goes", "metres")])])
    >>> columns(Step)[0].description
    'how far it goes (metres)'
    """
    hints = get_type_hints(record, include_extras=True)
    found: list[Column] = []
    for each in fields(record):
        hint = hints[each.name]
        about = next((mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, About)), None)
        if about is None:
            raise TypeError(f"The field {each.name} of a record has no About, which says what it means.")
        found.append(Column(each.name, hint.__origin__, about.sentence, about.unit))
    return tuple(found)


def is_of(value: object, hint: Any) -> bool:
    """Whether a value of JSON is what a field of that type holds.

    >>> is_of(5, float), is_of(True, int), is_of([1, None], list[int | None]), is_of("5", int | None)
    (True, False, True, False)
    """
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(is_of(value, each) for each in inner)
    if origin is Literal:
        return value in inner
    if origin in (list, tuple, Sequence):
        return isinstance(value, list) and all(is_of(each, inner[0]) for each in cast(list[object], value))
    if origin in (dict, Mapping):
        return isinstance(value, dict)
    if hint is Any:
        return True
    if hint is float:
        return type(value) in (int, float)
    return value is None if hint in (None, NoneType) else type(value) is hint


def record_json(record: Any) -> dict[str, Any]:
    """A record as a line of `rounds.jsonl` has it."""
    return {each.name: getattr(record, each.name) for each in fields(record)}


Idle = Iterator[tuple[str, Collection[str]]]
"""What the method `idle` of options gives: why nothing reads some of them, and their dotted names."""


# The lab imports no experiment. Those of this package are named in `BUILT_IN` and imported on first use; other packages
# announce theirs as entry points of the group `ishango.experiments`. So a plan, a spawned worker or a job on a cluster
# finds each by its name alone.

FORMAT = 3
"""The format of new run directories. 2: random numbers come from the seed alone. 3: from the seed and everything else
that makes a run another one."""
OLDEST = 2
"""The oldest format that is read."""
SHARED_STREAMS: Mapping[int, Mapping[str, Any]] = {2: {"streams": "seed"}}
"""What the option `streams` was up to format 2, for experiments of this package."""
USUAL = "evolution"
"""What a plan plays that does not say it."""


@dataclass(frozen=True, eq=False)
class ExperimentKind:
    """One kind of experiment: its options, how it is made from them, and what a round of it records.

    An option that is added does no harm to runs that are there: they have its default. A default that is changed
    needs a new `FORMAT`, with the former default in `old_defaults`: runs of earlier formats keep it. Where a method
    takes a format, none means that of new runs.
    """

    name: str
    """What plans call it."""
    label: str
    """What pages and tables call it."""
    sentence: str
    options: type[Any]
    """A frozen dataclass; its fields are what a plan may set and what `run.json` records. All have defaults. Its method
    `idle`, if it has one, says which of them nothing reads under the choices made (see `Idle`)."""
    make: Callable[[Any], Experiment[Any]]
    """From options to the experiment, whose attribute `kind` is this record."""
    record: type[Any]
    """The dataclass of a round's record, whose fields have an `About`."""
    old_defaults: Mapping[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    """For each format of run directories, defaults (by dotted name) that it had and the next one has not."""
    other_names: Mapping[str, str] = field(default_factory=dict[str, str])
    """Other names of fields, such as `reward` for `game.reward`: plans and tables may have them."""
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """Settings by name, each with its options by dotted name: a config may say `preset` and give only what differs."""

    def reshape(self, config: Mapping[str, Any]) -> Mapping[str, Any]:
        """The config with every field under its own name and those of its preset; two names of one field must not
        contradict each other."""
        flat = flatten(config)
        if "preset" in flat and self.presets:
            check_choice(self.presets, "preset", preset := flat.pop("preset"))
            return self.reshape(nested({**self.presets[preset], **flat}))
        for other, name in self.other_names.items():
            if other in flat:
                value = flat.pop(other)
                if flat.setdefault(name, value) != value:
                    raise RequestError(
                        f"{other} is {value!r} and {name} is {flat[name]!r}, but they are one option; give one of them."
                    )
        return nested(flat) if self.other_names else config

    def columns(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a config as tables have them: dotted names, and the other names beside them."""
        flat = flatten(self.reshape(config))
        return flat | {other: flat[name] for other, name in self.other_names.items() if name in flat}

    def defaults(self, format: int | None = None) -> dict[str, Any]:
        """The config of a run of that format in which nothing was chosen."""
        return overlaid(_defaults_now(self.options), nested(self._former(format)))

    def options_from(self, config: Mapping[str, Any], format: int | None = None) -> Any:
        """The options that a config, complete or not, stands for; a field that is not known is refused."""
        return record_from_config(self.options, overlaid(nested(self._former(format)), self.reshape(config)))

    def complete(self, config: Mapping[str, Any], format: int | None = None) -> dict[str, Any]:
        """The config with every field: what is not given takes the default that it had in that format."""
        return config_of(self.options_from(config, format))

    def from_config(self, config: Mapping[str, Any], format: int | None = None) -> Experiment[Any]:
        """The experiment that a config, complete or not, stands for."""
        return self.make(self.options_from(config, format))

    def unread(self, config: Mapping[str, Any]) -> dict[str, str]:
        """What a config gives, and is not as by default, though nothing reads it under its choices; with the reasons.

        A preset counts where nothing reads any of its options.
        """
        if not hasattr(self.options, "idle"):
            return {}
        options = self.options_from(config)
        wanted = chosen(flatten(config_of(options)), flatten(self.defaults()))
        idle: list[tuple[str, Collection[str]]] = [*options.idle()]
        reasons = {name: why for why, names in reversed(idle) for name in names}  # the first one counts
        found: dict[str, str] = {}
        for name, value in flatten(config).items():
            own = self.presets[value] if name == "preset" and self.presets else (self.other_names.get(name, name),)
            if own and all(each in wanted and each in reasons for each in own):
                found[name] = reasons[next(iter(own))]
        return found

    def fill(self, recorded: Mapping[str, Any], format: int) -> dict[str, Any]:
        """A recorded config with every field, as `complete`, but its values are believed and none is looked up."""
        return overlaid(self.defaults(format), self.reshape(recorded))

    def strange(self, recorded: Mapping[str, Any], format: int) -> str | None:
        """What no run of this experiment can have recorded in its config; None where nothing is."""
        known = flatten(self.defaults(format))
        for name, value in flatten(self.reshape(recorded)).items():
            if name not in known:
                return f"its config has {name}, which runs of {self.name} do not have"
            if type(known[name]) is int and isinstance(value, float):
                return f"its {name} is {value}, which is no whole number"
        return None

    def settle(self, asked: Mapping[str, Any], recorded: Mapping[str, Any], format: int) -> dict[str, Any]:
        """What a config asks of a run of that format: a default of today that was another then means the one of then.

        Options that were left alone cannot be told from ones that were given their default, so a run that had the
        former default keeps it.
        """
        config, before = self.fill(asked, format), flatten(self.fill(recorded, format))
        wanted, now = flatten(config), flatten(self.defaults())
        former = {
            name: value
            for name, value in self._former(format).items()
            if is_same(before.get(name), value) and is_same(wanted.get(name), now.get(name))
        }
        return overlaid(config, nested(former))

    def _former(self, format: int | None) -> dict[str, Any]:
        """The defaults of a format that are others today; of two changes the earlier one counts."""
        least = FORMAT if format is None else format
        formats = sorted((each for each in self.old_defaults if each >= least), reverse=True)
        return {name: value for each in formats for name, value in self.old_defaults[each].items()}


BUILT_IN = {
    "evolution": "ishango.evolution:EVOLUTION",
    "generations": "ishango.generations:GENERATIONS",
    "kinds": "ishango.kinds:SOCIETY",
    "kinds-generations": "ishango.kinds:OPEN_GENERATIONS",
    "learnability": "ishango.learnability:LEARNABILITY",
    "restricted": "ishango.restricted:LEARNING",
}
"""The experiments of this package; a new one is a line here."""
EXPERIMENTS: Registry[ExperimentKind] = Registry("experiment", "ishango.experiments", BUILT_IN)


def find_kind(reference: str) -> ExperimentKind:
    """The kind of that name, or the one at `module:attribute`, for scripts that announce nothing."""
    module, colon, attribute = str(reference).partition(":")
    if not colon:
        return EXPERIMENTS[str(reference)]
    try:
        kind = attrgetter(attribute)(import_module(module))
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise RequestError(f"The name {reference} leads to no experiment ({error}).") from None
    if not isinstance(kind, ExperimentKind):
        raise RequestError(f"The name {reference} leads to no experiment (it is not an ExperimentKind).")
    return kind


@cache
def _defaults_now(options: type[Any]) -> Mapping[str, Any]:
    """As they come back from JSON."""
    return json.loads(json.dumps(config_of(options()), allow_nan=False))


# What the columns of a table of rounds mean: the fields of configs and of records, with their sentences.

RUN_COLUMN = "run"


def table_columns(kind: ExperimentKind) -> list[tuple[str, str]]:
    """Name and description of every column that a table of such runs has, in its order."""
    records = columns(kind.record)
    names = {each.name for each in records}
    sentences = _sentences(kind.options)
    own = {name: sentences.get(name, "") for name in flatten(kind.defaults())}
    own |= {other: f"{name} by its short name" for other, name in kind.other_names.items()}
    configs = [(config_column(name, names), sentence) for name, sentence in own.items()]
    return [(RUN_COLUMN, "the run's directory"), *configs, *((each.name, each.description) for each in records)]


def config_column(name: str, fields: Collection[str]) -> str:
    """The column of a config's field, where rounds have these fields.

    >>> config_column("start", ["round", "size"]), config_column("size", ["round", "size"])
    ('start', 'config.size')
    """
    column = f"config.{name}" if name in fields or name == RUN_COLUMN else name
    return column.replace('"', "_")


def _sentences(options: type[Any], prefix: str = "") -> dict[str, str]:
    """The docstrings of a dataclass's fields, by their dotted names outside Python, without a final full stop."""
    texts: dict[str, str] = {}
    for base in reversed(options.__mro__):
        texts |= _docstrings(base) if is_dataclass(base) else {}
    sentences: dict[str, str] = {}
    for each in fields(options):
        name = prefix + OUTSIDE.get(each.name, each.name)
        below: Any = each.default_factory() if each.default_factory is not MISSING else None
        sentences[name] = texts.get(each.name, "").removesuffix(".")
        if is_dataclass(below):
            sentences |= _sentences(type(below), f"{name}.")
    return sentences


def _docstrings(record: type[Any]) -> dict[str, str]:
    """The text that stands below each field; nothing where the source cannot be read."""
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(record))).body[0]
    except (OSError, TypeError, SyntaxError):
        return {}
    statements = body.body if isinstance(body, ast.ClassDef) else []
    return {
        field.target.id: " ".join(text.value.value.split())
        for field, text in pairwise(statements)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
