"""Runs that outlive the code: those of an earlier format go on, and a newer one is refused."""

import json
import shutil
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from tests.lab.toy import Interrupted, Toy, contents

from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, Evolution, EvolutionOptions
from ishango.game import GameOptions
from ishango.lab import About, ExperimentKind, RunView, RunWarning, read_rounds, rounds_table, run
from ishango.lab import _directory as formats
from ishango.lab import _experiments as experiments
from ishango.lab._directory import cpu_type, digest
from ishango.lab._rounds import decode
from ishango.restricted import LEARNING

FIXTURES = Path(__file__).parents[1] / "fixtures" / "runs-format-2"
CLOCK = {"seconds", "steps_per_second"}
ADDED = {"changed", "practice", "numbers_understood", "messages"}
"""Fields of rounds that the code of then did not write."""


@dataclass(frozen=True)
class MoreOptions(EvolutionOptions):
    """The options of a later version, which has one more."""

    patience: int = 3
    """How long to wait."""


class MoreEvolution(Evolution):
    @property
    def kind(self) -> ExperimentKind:
        return MORE


MORE = replace(EVOLUTION, options=MoreOptions, make=MoreEvolution)


def options(rounds: int, cls: type[EvolutionOptions] = EvolutionOptions, **more: Any) -> EvolutionOptions:
    game = GameOptions(hidden=4, embedding=2, batch=4)
    return cls(start="7", rounds=rounds, steps=60, game=game, **more)


def copied(name: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURES / name, tmp_path / name))


def resume(experiment: Any, directory: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RunWarning)  # on another machine than the fixture's
        run(experiment, directory)


def timeless(rounds: list[dict[str, Any]], leave: set[str] = CLOCK) -> list[dict[str, Any]]:
    return [{name: value for name, value in each.items() if name not in leave} for each in rounds]


def same_arrays(ours: Mapping[str, np.ndarray], theirs: Mapping[str, np.ndarray]) -> bool:
    return list(ours) == list(theirs) and all(np.array_equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize("name", ["agents", "interrupted"], ids=["continued", "interrupted"])
@pytest.mark.parametrize("cls", [Evolution, MoreEvolution], ids=["today", "after an option was added"])
def test_a_run_of_format_2_goes_on_bit_for_bit(tmp_path, name, cls):
    directory = copied(name, tmp_path)
    before = (directory / "rounds.jsonl").read_bytes()
    here = json.loads((directory / "run.json").read_text())["cpu"] == cpu_type()
    resume(cls(options(12, MoreOptions if cls is MoreEvolution else EvolutionOptions)), directory)
    assert (directory / "DONE").exists()
    after = (directory / "rounds.jsonl").read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == 13
    document = json.loads((directory / "run.json").read_text())
    assert document["format"] == 2
    recorded = json.loads((FIXTURES / name / "run.json").read_text())["config"]
    assert document["config"] == {**recorded, "rounds": 12}  # without options that were added
    assert "patience" not in document["config"]
    if not here:
        return
    today = options(12, MoreOptions if cls is MoreEvolution else EvolutionOptions, streams="seed")
    run(cls(today), tmp_path / "afresh")
    expected, resumed = FIXTURES / "agents-continued", read_rounds(directory)
    assert timeless(resumed[7:]) == timeless(read_rounds(tmp_path / "afresh"))[7:]
    assert timeless(resumed, CLOCK | ADDED) == timeless(read_rounds(expected), CLOCK | ADDED)
    assert same_arrays(
        decode((directory / "checkpoint.npz").read_bytes()).state,
        decode((tmp_path / "afresh" / "checkpoint.npz").read_bytes()).state,
    )
    for file in ("checkpoint.npz", "curve.npz"):  # what the code of then would have written
        assert (directory / file).read_bytes() == (expected / file).read_bytes()


def test_a_run_of_this_format_goes_on_after_an_option_was_added(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        run(Evolution(options(4)), tmp_path / "run", Interrupted(2), checkpoint_share=1.0)
    before = json.loads((tmp_path / "run" / "run.json").read_text())
    run(MoreEvolution(options(4, MoreOptions)), tmp_path / "run")
    run(Evolution(options(4)), tmp_path / "undisturbed")
    assert json.loads((tmp_path / "run" / "run.json").read_text()) == before
    assert (before["format"], before["experiment"]) == (3, "evolution")
    assert contents(tmp_path / "run")["checkpoint.npz"] == contents(tmp_path / "undisturbed")["checkpoint.npz"]


def test_another_value_than_the_default_of_an_added_option_is_a_change(tmp_path):
    directory = copied("agents", tmp_path)
    with pytest.raises(RequestError, match=r"has patience = 3, and 4 was asked for; only rounds may change"):
        run(MoreEvolution(options(12, MoreOptions, patience=4)), directory)
    with pytest.raises(RequestError, match="has steps = 60, and 40000 was asked for"):
        run(Evolution(replace(options(12), steps=40_000)), directory)
    assert contents(directory) == contents(FIXTURES / "agents")


def test_finished_runs_of_format_2_are_not_touched(tmp_path):
    for name, kind in (("agents", EVOLUTION), ("coin", EVOLUTION), ("restricted", LEARNING)):
        directory = copied(name, tmp_path)
        config = json.loads((directory / "run.json").read_text())["config"]
        run(kind.from_config(config), directory)
        assert contents(directory) == contents(FIXTURES / name)


def test_a_restricted_run_of_format_2_goes_on(tmp_path):
    directory = copied("restricted", tmp_path)
    before = (directory / "rounds.jsonl").read_bytes()
    config = json.loads((directory / "run.json").read_text())["config"]
    resume(LEARNING.from_config({**config, "rounds": 3}), directory)
    assert (directory / "rounds.jsonl").read_bytes().startswith(before)
    assert len(read_rounds(directory)) == 4


@dataclass(frozen=True)
class Inner:
    width: int = 3


@dataclass(frozen=True)
class WalkOptions:
    rounds: int = 2
    seed: int = 0
    speed: int = 1
    """How fast it goes."""
    inner: Inner = field(default_factory=Inner)


@dataclass(frozen=True)
class WalkRecord:
    round: Annotated[int, About("its number")]


class Walk(Toy):
    """A toy of the kind that the test at hand has made."""

    def __init__(self, options: WalkOptions, kind: ExperimentKind) -> None:
        super().__init__(config=kind_config(options))
        self.kind = kind

    def play(self, state, number, progress):
        state, outcome = super().play(state, number, progress)
        return state, replace(outcome, record={**outcome.record, "speed": self.config["speed"]})


def kind_config(options: WalkOptions) -> dict[str, Any]:
    return {
        "rounds": options.rounds,
        "seed": options.seed,
        "speed": options.speed,
        "inner": {"width": options.inner.width},
    }


def make_kind(options: type[Any] = WalkOptions, **more: Any) -> ExperimentKind:
    made: list[ExperimentKind] = []
    kind = ExperimentKind("walk", "walk", "a walk", options, lambda chosen: Walk(chosen, made[0]), WalkRecord, **more)
    made.append(kind)
    return kind


@dataclass(frozen=True)
class Wide:
    width: int = 5


@dataclass(frozen=True)
class LaterOptions(WalkOptions):
    """The options of a later version: two defaults have changed."""

    speed: int = 2
    inner: Any = field(default_factory=Wide)


LATER: dict[str, Any] = {"options": LaterOptions, "old_defaults": {2: {"speed": 7}, 3: {"speed": 1, "inner.width": 3}}}


@pytest.fixture
def later_format(monkeypatch):
    """The code of a later version, which writes format 4."""

    def begin() -> ExperimentKind:
        monkeypatch.setattr(experiments, "FORMAT", 4)
        monkeypatch.setattr(formats, "FORMAT", 4)
        return make_kind(**LATER)

    return begin


def test_each_format_has_its_defaults(later_format):
    kind = later_format()
    configs = {format: kind.complete({}, format) for format in (2, 3, 4)}
    defaults = {format: (config["speed"], config["inner"]["width"]) for format, config in configs.items()}
    assert defaults == {2: (7, 3), 3: (1, 3), 4: (2, 5)}
    assert kind.defaults(3) == kind.complete({}, 3)
    assert kind.complete({"speed": 9}, 3)["speed"] == 9


def test_an_old_run_keeps_the_old_default(tmp_path, later_format):
    with pytest.raises(KeyboardInterrupt):
        run(make_kind().from_config({"rounds": 3}), tmp_path / "old", Interrupted(1), checkpoint_share=1.0)
    run(make_kind().from_config({"rounds": 3}), tmp_path / "undisturbed")
    kind = later_format()
    run(kind.from_config({"rounds": 3}), tmp_path / "old")  # nothing is asked for but the rounds
    assert contents(tmp_path / "old") == contents(tmp_path / "undisturbed")
    run(kind.from_config({"rounds": 3}), tmp_path / "new")
    document = json.loads((tmp_path / "new" / "run.json").read_text())
    assert (document["format"], document["config"]["speed"]) == (4, 2)
    with pytest.raises(RequestError, match="has speed = 1, and 9 was asked for"):
        run(kind.from_config({"rounds": 3, "speed": 9}), tmp_path / "old")


def test_an_old_run_that_chose_what_is_the_default_today(tmp_path, later_format):
    run(make_kind().from_config({"rounds": 1, "speed": 2}), tmp_path)
    run(later_format().from_config({"rounds": 2, "inner": {"width": 3}}), tmp_path)
    assert len(read_rounds(tmp_path)) == 3


def test_fields_that_have_moved():
    kind = make_kind(other_names={"width": "inner.width"})
    assert kind.complete({"width": 4})["inner"] == {"width": 4}
    assert kind.fill({"width": 4, "seed": 3}, 2) == kind.complete({"inner": {"width": 4}, "seed": 3})


def test_the_digest_is_of_what_differs_from_the_defaults():
    def document(**config: Any) -> dict[str, Any]:
        return {"format": 2, "experiment": "walk", "config": {"rounds": 1, "seed": 0, **config}}

    kind = make_kind()
    plain = digest(document(), kind)
    assert digest(document(speed=1, inner={"width": 3}), kind) == plain
    assert digest({**document(), "config": {"rounds": 9}}, kind) == plain
    assert (
        len({digest(document(**each), kind) for each in ({}, {"speed": 2}, {"speed": 2.0}, {"inner": {"width": 4}})})
        == 4
    )
    assert digest({**document(), "format": 3}, kind) != plain
    unnamed = {"format": 2, "config": {"rounds": 1, "seed": 0}}
    assert digest(unnamed, kind) == digest(unnamed, None)  # of an experiment that has no kind


def refused_everywhere(directory, sentence):
    """Whoever plays the run, looks at it or makes a table of it gets the sentence."""
    for refused in (
        lambda: run(make_kind().from_config({}), directory),
        lambda: RunView(directory),
        lambda: rounds_table(directory),
    ):
        with pytest.raises(RequestError, match=sentence):
            refused()


def test_a_newer_format_is_refused_in_a_sentence(tmp_path):
    run(make_kind().from_config({}), tmp_path)
    document = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps({**document, "format": 4}))
    sentence = r"is of format 4, and this version of Ishango knows formats up to 3; install a later version\.$"
    refused_everywhere(tmp_path, sentence)
    (tmp_path / "run.json").write_text(json.dumps({**document, "format": "two"}))
    with pytest.raises(RequestError, match=r"run\.json cannot be read \(its format is not a number"):
        RunView(tmp_path)


@pytest.mark.parametrize("format", [{}, {"format": 1}], ids=["none", "1"])
def test_a_format_that_is_no_longer_read_is_refused_in_a_sentence(tmp_path, format):
    run(make_kind().from_config({}), tmp_path)
    document = json.loads((tmp_path / "run.json").read_text())
    del document["format"]
    (tmp_path / "run.json").write_text(json.dumps({**document, **format}))
    before = contents(tmp_path)
    sentence = r"is of a format before 2, which this version of Ishango does not read; play it anew\.$"
    refused_everywhere(tmp_path, sentence)
    assert contents(tmp_path) == before


def test_another_experiment_is_refused_by_name(tmp_path):
    run(make_kind().from_config({}), tmp_path)
    with pytest.raises(RequestError, match="is of the experiment walk, and evolution was asked for"):
        run(Evolution(options(2)), tmp_path)
