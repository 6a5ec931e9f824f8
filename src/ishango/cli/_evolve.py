"""The commands that play one run: `ishango evolve`, `generations`, `learnability` and `restricted train`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self, TextIO, cast

import tyro

from ishango import lab
from ishango.cli._live_views import Watch
from ishango.cli._live_views import view as run_view
from ishango.cli._output import decimals, plane, plural, print_json
from ishango.cli._parsing import SystemWords, own_names, parse, system_text
from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, EvolutionOptions
from ishango.game import PAPER, game_presets
from ishango.generations import GENERATIONS, GenerationOptions
from ishango.learnability import LEARNABILITY, LearnabilityOptions
from ishango.numerals import format_set
from ishango.restricted import LEARNING, LearningOptions

Preset = Annotated[Literal["paper", "able"], tyro.conf.arg(help_behavior_hint="(default: paper)")]
"""Agents by name; options that are given beside it count more."""


@dataclass(frozen=True)
class OneRun:
    """What every command has that plays one run; its other fields are the options of the kind."""

    KIND: ClassVar[lab.ExperimentKind]

    out: Path | None = None
    """The run's directory; by default one below out/, with what people vary in its name."""
    json: bool = False
    """Print the last round's record as JSON at the end."""

    @classmethod
    def read(cls, name: str, arguments: list[str]) -> Self:
        """Parse, with what a preset brings as defaults."""
        words = own_names(arguments, cls.KIND.other_names)
        preset = given(words, "--preset")
        known = preset is not None and preset in cls.KIND.presets  # parsing refuses what is no preset
        usual = cls(**cast(dict[str, Any], vars(cls.KIND.options_from({"preset": preset})))) if known else None
        asked = parse(cls, name, words, usual)
        if isinstance(asked, FromSystem) and asked.system and given(words, "--start") is not None:
            raise RequestError("A starting system and --start exclude each other; give one of them.")
        return asked


@dataclass(frozen=True)
class FromSystem(OneRun):
    """What those have beside it that begin with a system."""

    system: Annotated[SystemWords, tyro.conf.arg(metavar="[DIGITS MULTIPLIERS]", help_behavior_hint="")] = ()
    """The starting system's digits and multipliers, as in 1-9,11 10 or "1-9,11 | 10", instead of --start."""


def play_one(asked: OneRun, place: Callable[[Any], str], shown: AbstractContextManager[Watch]) -> int:
    """Play a run or go on with it, show it; its last record is printed as JSON, or else its directory.

    `place` names a directory by the options.
    """
    kind = asked.KIND
    values = {each: getattr(asked, each) for each in kind.options.__dataclass_fields__}
    if isinstance(asked, FromSystem) and asked.system:
        values["start"] = system_text(asked.system)
    options = kind.options(**values)
    directory = asked.out or Path("out") / place(options)
    lab.refuse_unread(kind, _wishes(kind, options, getattr(asked, "preset", PAPER)), directory)
    with lab.interruptible(), shown as reporter:
        reporter.directory = directory
        lab.run(kind.make(options), directory, reporter)
    if asked.json:
        print_json(lab.read_rounds(directory)[-1])
    else:
        print(directory)
    return 0


def _wishes(kind: lab.ExperimentKind, options: Any, preset: str) -> dict[str, Any]:
    """What is not as by default, as a config that says which preset it comes from."""
    brought = kind.presets.get(preset, {})
    own = {name: value for name, value in lab.flatten(lab.config_of(options)).items() if brought.get(name) != value}
    return lab.nested(own | ({"preset": preset} if brought else {}))


def given(arguments: list[str], option: str) -> str | None:
    """The value that the arguments give an option, the last one if there are several.

    >>> given(["--preset=able", "--seed", "3"], "--preset"), given(["--seed", "3"], "--preset")
    ('able', None)
    >>> given(["--preset", "able", "--preset=paper"], "--preset")
    'paper'
    """
    value = None
    for word, after in zip_longest(arguments, arguments[1:]):
        if word == option:
            value = after
        elif word.startswith(f"{option}="):
            value = word.partition("=")[2]
    return value


def start_in_name(start: str) -> str:
    """A starting system as the name of a directory has it.

    >>> start_in_name("1-9,11 | 10")
    '1-9+11_10'
    """
    return start.replace(" ", "").replace("|", "_").replace(":", "-").replace(",", "+")


# What one sees of a run of Algorithm 1.


def view(stream: TextIO) -> AbstractContextManager[Watch]:
    """A reporter that draws on the stream: the current system, its figures, and the path it took in the plane."""
    return run_view(stream, _figures, plane, _summary, _few_understood)


def _few_understood(config: Mapping[str, Any], record: Mapping[str, Any]) -> str | None:
    """What to say of agents who can hardly talk: what they decide says little of the languages."""
    understood, upto = record.get("numbers_understood"), config["game"]["range"]
    if understood is None or 2 * understood >= upto:
        return None
    won = record["accuracy"] or 0
    though = f", though they win {won:.0%} of games: a few numbers are most of the talk" if won > 0.5 else ""
    able = lab.flatten(config).items() >= game_presets()["able"].items()
    helps = f"What helps: {'' if able else '--preset able, or '}more steps (the paper has 40,000)."
    return f"Note: these agents understand {understood} of {upto} numbers{though}. {helps}"


def _summary(record: Mapping[str, Any]) -> str:
    accuracy, understood = record["accuracy"], record.get("numbers_understood")
    return (
        f"D {format_set(record['digits'])}  M {format_set(record['multipliers'])}"
        f"  size {record['size']}  average {decimals(record['average_complexity'], 4)}"
        f"  gap {decimals(record['gap'], 4)}"
        + ("" if accuracy is None else f"  games won {accuracy:.3f}  {record['steps_per_second']:,.0f} steps/s")
        + ("" if understood is None else f"  understood {understood}")
    )


def _figures(record: Mapping[str, Any]) -> dict[str, str]:
    rows = {
        "D": format_set(record["digits"]),
        "M": format_set(record["multipliers"]),
        "size": str(record["size"]),
        "average": f"{decimals(record['average_complexity'], 4)}   gap {decimals(record['gap'], 4)}",
    }
    if record["accuracy"] is not None:
        rows["games won"] = f"{record['accuracy']:.3f}   {record['steps_per_second'] or 0:,.0f} steps a second"
    if record.get("numbers_understood") is not None:
        understood, messages = record["numbers_understood"], record["messages"]
        rows["understood"] = f"{plural(understood, 'number')}, {plural(messages, 'different message')}"
    return rows


# `ishango evolve`: a run of Algorithm 1.


@dataclass(frozen=True)
class Evolve(FromSystem, EvolutionOptions):
    """Let agents talk while their lexicon evolves, from one of the paper's starts or a system of your own.

    The run lives in a directory: interrupted at any moment, the same command continues where it stopped, and a larger
    --rounds continues a finished run.

    Example: ishango evolve --start 1 --rounds 10 --steps 5000 --out out/first
    """

    KIND = EVOLUTION
    FIRST: ClassVar = (
        "system", "start", "rounds", "steps", "seed", "choose", "add", "learners", "preset", "out", "json",
    )  # fmt: skip

    preset: Preset = PAPER
    """Agents as the paper describes them, most of whom understand few numbers, or the nearest to these who can talk."""


def run_evolve(command: Evolve) -> int:
    return play_one(command, evolve_directory, view(sys.stderr))


def evolve_directory(options: EvolutionOptions) -> str:
    return f"evolve/start-{start_in_name(options.start)},{options.choose},seed-{options.seed}"


# `ishango generations`: a language that is passed on from parents to children.


@dataclass(frozen=True)
class PassOn(FromSystem, GenerationOptions):
    """Let a language be passed on: each generation knows the words that it heard, and may invent others.

    A generation is a round of the lab; --generations is another name of --rounds. The run lives in a directory:
    interrupted at any moment, the same command continues it, and more generations continue a finished run.

    Example: ishango generations --start 1 --generations 80 --bottleneck 200 --out out/chain
    """

    KIND = GENERATIONS
    FIRST: ClassVar = (
        "system", "start", "rounds", "bottleneck", "agents", "population", "lose", "invent", "seed", "preset", "out",
        "json",
    )  # fmt: skip

    preset: Preset = PAPER
    """Agents as the paper describes them, most of whom understand few numbers, or the nearest to these who can talk."""


def run_generations(command: PassOn) -> int:
    return play_one(command, generations_directory, view(sys.stderr))


def generations_directory(options: GenerationOptions) -> str:
    controls = [each for each in (options.say, options.lose, options.coin) if each in ("any", "random", "uniform")]
    parts = [
        f"start-{start_in_name(options.start)}",
        options.agents,
        *([f"population-{options.population}"] if options.population > 1 else []),
        f"bottleneck-{options.bottleneck}",
        *controls,
        f"seed-{options.seed}",
    ]
    return "generations/" + ",".join(parts)


# `ishango learnability`: one learner, one system.


@dataclass(frozen=True)
class Learn(OneRun, LearnabilityOptions):
    """See how fast a learner from scratch comes to understand one numeral system, and what it makes of new numbers.

    A round is some steps of learning and a test of every number. The run lives in a directory: interrupted at any
    moment, the same command continues where it stopped, and a larger --rounds continues a finished run. Options of the
    networks may be given without the game's name: --hidden is --game.hidden.

    Example: ishango learnability --system French --answers line --held-out 10 --out out/french
    """

    KIND = LEARNABILITY
    FIRST: ClassVar = (
        "system", "numerals", "learner", "answers", "examples", "held_out", "rounds", "steps", "seed", "out", "json",
    )  # fmt: skip

    preset: Preset = PAPER
    """Pairs as the paper describes them, most of whom understand few numbers, or the nearest to these who can talk."""


def run_learnability(command: Learn) -> int:
    return play_one(command, learnability_directory, run_view(sys.stderr, _learned_figures, _learned_picture))


def learnability_directory(options: LearnabilityOptions) -> str:
    name = f"{start_in_name(options.system)},{options.numerals},{options.learner},{options.answers},seed-{options.seed}"
    return f"learnability/{name}"


def _learned_figures(record: Mapping[str, Any]) -> dict[str, str]:
    rows = {"accuracy": f"{record['accuracy']:.3f}", "area": f"{record['area']:.3f}"}
    if record["generalisation"] is not None:
        rows["new numbers"] = f"{record['generalisation']:.3f}"
    if record["steps_per_second"] is not None:
        rows["speed"] = f"{record['steps_per_second']:,.0f} steps/s"
    return rows


_learned_picture = partial(plane, x="steps_learned", y="accuracy", y_name="accuracy")


# `ishango restricted train`: agents that learn words for numbers.


@dataclass(frozen=True)
class RestrictedTrain(OneRun, LearningOptions):
    """Let two agents learn a few words for the numbers 1 to RANGE, and see where their system lies.

    After each round the most probable word for each number is read off; the record says where the system lies in the
    plane of complexity and cost and which human system it resembles. The run lives in a directory: interrupted at any
    moment, the same command continues where it stopped, and a larger --rounds continues a finished run. Options of the
    game may be given without its name: --reward is --game.reward.

    Example: ishango restricted train --vocabulary 5 --reward linear --out out/five
    """

    KIND = LEARNING
    FIRST: ClassVar = (
        "need", "rounds", "steps", "seed", "game.upto", "game.vocabulary", "game.reward", "game.noise", "out", "json",
    )  # fmt: skip


def run_restricted_train(command: RestrictedTrain) -> int:
    return play_one(command, learning_directory, run_view(sys.stderr, _learning_figures, _picture))


def learning_directory(options: LearningOptions) -> str:
    game = options.game
    return f"restricted/vocabulary-{game.vocabulary},{game.reward},range-{game.upto},seed-{options.seed}"


def _learning_figures(record: Mapping[str, Any]) -> dict[str, str]:
    rows = {
        "words": f"{record['words']} ({record['kind']})",
        "cost": f"{decimals(record['cost'], 4)}  gap {decimals(record['gap'], 4)}",
    }
    if record["nearest"]:
        rows["like"] = f"{record['nearest']} ({decimals(record['variation'], 3)} bits apart)"
    if record["mean_reward"] is not None:
        rows["reward"] = f"{record['mean_reward']:.3f}  {record['steps_per_second']:,.0f} steps/s"
    return rows


_picture = partial(plane, x="complexity", y="cost", y_name="cost")
