"""The phase diagram of the page against the law itself."""

from dataclasses import replace

import httpx
import pytest

from ishango.explorer.kinds_models import PhaseDiagram
from ishango.kinds import Law, OpenSystem, costs, kind_of, said


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
