"""The phase diagram of the page against the law itself."""

from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tests.explorer.conftest import client_of

from ishango.explorer import Site
from ishango.explorer._models import PhaseDiagram, RunDetails
from ishango.explorer._optima import Optima
from ishango.game import GameOptions
from ishango.kinds import (
    Law,
    OpenGenerationOptions,
    OpenGenerations,
    OpenSystem,
    Society,
    SocietyOptions,
    costs,
    kind_of,
    said,
)
from ishango.lab import read_rounds, run


@pytest.fixture(scope="module")
def diagram(client: httpx.Client) -> PhaseDiagram:
    return PhaseDiagram.model_validate(client.get("/api/kinds").raise_for_status().json())


def places(diagram: PhaseDiagram) -> range:
    """Some cells, of all kinds."""
    return range(7, len(diagram.cells), 97)


def law_at(diagram: PhaseDiagram, place: int) -> Law:
    precision, word = divmod(place, len(diagram.words))
    return Law(precision=diagram.precisions[precision], word=diagram.words[word])


def test_cells_are_what_the_law_says(diagram: PhaseDiagram) -> None:
    assert {diagram.cells[place].kind for place in places(diagram)} == set(diagram.kinds)
    for place in places(diagram):
        cell, law = diagram.cells[place], law_at(diagram, place)
        system = OpenSystem.parse(f"{cell.digits} | {cell.multipliers}")
        found = costs(system, law)
        assert (cell.kind, cell.exact_upto) == (kind_of(system, law).name, kind_of(system, law).exact_upto)
        assert cell.words_cost == pytest.approx(found.words_cost, abs=1e-6)
        assert cell.effort_cost == pytest.approx(found.effort_cost, abs=1e-6)
        assert cell.error_cost == pytest.approx(found.error_cost, abs=1e-6)
        assert cell.proved == (cell.lower == cell.cost)


def test_bands_are_what_is_said(diagram: PhaseDiagram) -> None:
    for place in places(diagram):
        cell = diagram.cells[place]
        system = OpenSystem.parse(f"{cell.digits} | {cell.multipliers}")
        told = {
            number: band.said
            for band in diagram.sayings[cell.saying]
            for number in OpenSystem.parse(band.numbers).digits
        }
        assert [told[n] for n in range(1, 51)] == said(system, law_at(diagram, place)).tolist()
        assert all(eval(band.expression) == band.said for band in diagram.sayings[cell.saying])


def test_languages_have_their_distance_in_every_cell(diagram: PhaseDiagram) -> None:
    english = next(each for each in diagram.languages if "English" in each.names)
    assert english.system == "1-9,11 | 10"
    assert len(english.excess) == len(diagram.cells)
    for place in places(diagram):
        law = law_at(diagram, place)
        theirs = costs(OpenSystem.parse(english.system), law).total - law.effort
        assert english.excess[place] == pytest.approx(theirs / (diagram.cells[place].cost - law.effort) - 1, abs=2e-3)
    assert min(min(each.excess) for each in diagram.languages) >= 0
    assert replace(Law(), upto=diagram.range) == Law()


def test_runs_of_every_kind_are_listed_with_their_kind_and_shown(tmp_path: Path, optima: Optima) -> None:
    few = {"start": "1,2", "rounds": 4}
    run(OpenGenerations(OpenGenerationOptions(precision=100.0, upto=20, **few)), tmp_path / "heirs")
    game = GameOptions(hidden=4, batch=4, effort=0.05, upto=20)
    run(Society(SocietyOptions(steps=3, game=game, **few)), tmp_path / "society")
    with client_of(Site(tmp_path, optima=optima)) as client:
        listed = {each["name"]: each for each in client.get("/api/runs").json()}
        assert {name: each["state"] for name, each in listed.items()} == {"heirs": "done", "society": "done"}
        assert listed["heirs"]["choose"] == "ideal learners"
        assert (listed["heirs"]["steps"], listed["society"]["steps"]) == (0, 3)  # only agents who talk take steps
        for name, each in listed.items():
            last = read_rounds(tmp_path / name)[-1]
            assert (each["cost"], each["gap"]) == (last["cost"], last["gap"])
            assert not each["can_talk"]  # what its agents say depends on the law, which the view of talk does not know
            details = RunDetails.model_validate(client.get("/api/run", params={"name": name}).json())
            assert details.path is not None
            assert details.lexicon is not None
            assert details.kinds is not None
            drawn = details.kinds.datasets["kinds"]
            assert [each["kind"] for each in drawn] == [each["kind"] for each in read_rounds(tmp_path / name)]
            assert "precision" in [each.name for each in details.measures]
        assert client.get("/api/plane").status_code == 200
