"""The recipes of CONTRIBUTING.md: every snippet runs as it stands, and what it defines works."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.harness import check_entry, registries

import ishango

PAGE = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
SMALL = {"rounds": 3, "steps": 20, "game": {"hidden": 4, "batch": 4}}
WHERE = {
    "Chooser": "choosers",
    "Grammar": "grammars",
    "NeedForm": "needs",
    "Reward": "rewards",
    "Modification": "modifications",
}
"""The class of an entry and the group of its registry."""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def defined(block: str) -> list[Any]:
    """The entries that a snippet, run as a module of its own, defines."""
    module: dict[str, Any] = {"__name__": "snippet"}
    exec(compile(block, "CONTRIBUTING.md", "exec"), module)
    return [value for value in module.values() if type(value).__name__ in WHERE]


@pytest.fixture(scope="module")
def entries() -> Iterator[dict[str, Any]]:
    """What the recipes define, by the name of its class, known while tests run."""
    found = {type(entry).__name__: entry for block in blocks("python") for entry in defined(block)}
    known = registries()
    added = [(known[f"ishango.{WHERE[kind]}"], entry) for kind, entry in found.items()]
    for registry, entry in added:
        registry.add(entry)
    yield found
    for registry, entry in added:
        registry.remove(entry.name)


def test_every_snippet_defines_something():
    assert all(defined(block) for block in blocks("python"))


@pytest.mark.parametrize("kind", WHERE)
def test_there_is_a_recipe_for_every_kind(entries, kind):
    check_entry(registries()[f"ishango.{WHERE[kind]}"], entries[kind].name)


def test_what_is_announced_is_what_the_recipe_defines(entries):
    (project,) = (tomllib.loads(block)["project"] for block in blocks("toml"))
    ((group, points),) = project["entry-points"].items()
    assert group == "ishango.choosers"
    assert list(points) == [entries["Chooser"].name]
    assert f"\n{points['smaller'].partition(':')[2]} = Chooser(" in PAGE


def test_the_chooser_decides(entries):
    rounds = ishango.evolve(choose=entries["Chooser"].name, rounds=3).rounds[1:]
    assert [each["accepted"] for each in rounds] == [each["delta_size"] < 0 for each in rounds]


def test_the_grammar_has_no_differences(entries):
    plain = entries["Grammar"].name
    with_minus, without = (ishango.NumeralSystem.parse("1-5 | 10", grammar) for grammar in ("modified", plain))
    assert str(ishango.minimal_language(with_minus, 10).expression(9)) == "1 * 10 - 1"
    assert ishango.numerals.missing(without, 10) == (6, 7, 8, 9)
    assert ishango.evolve("1-9 | 10", grammar=plain, choose="coin", rounds=1).rounds[-1]["round"] == 1


def test_the_need_is_parsed_and_refused(entries):
    need = ishango.Need.parse(f"{entries['NeedForm'].name}:10")
    assert ishango.Need.parse(need.spec) == need
    assert need.weights(10)[9] == pytest.approx(2 / 11)
    assert ishango.evolve(need=need.spec, choose="coin", rounds=1).options.need == "round:10"
    for wrong in ("round:", "round:0", "round:ten"):
        with pytest.raises(ishango.errors.RequestError, match="after round: comes a positive integer"):
            ishango.Need.parse(wrong)


def test_the_reward_is_played_for(entries):
    game = SMALL["game"] | {"reward": entries["Reward"].name}
    run = ishango.evolve(**SMALL | {"game": game, "rounds": 1})
    assert run.agents is not None
    assert run.options.game.reward == "roughly"


def test_the_modification_is_tried(entries):
    swap = entries["Modification"].name
    (told,) = re.findall(r"--modifications (\S+)`", PAGE)
    assert told.split(",")[-1] == swap
    run = ishango.evolve("1,2 | 3", modifications=f"m0,m1,{swap}", choose="coin", rounds=30)
    assert swap in {each["action"] for each in run.rounds}
