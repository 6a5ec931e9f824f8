from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from tests.explorer.conftest import client_of

from ishango.evolution import Evolution, EvolutionOptions
from ishango.explorer import Site
from ishango.explorer._builder import describe, nearest
from ishango.explorer._found_runs import Runs
from ishango.explorer._models import Dictionary, Exchange, Plane, Presets, Run, RunDetails, System
from ishango.explorer._optima import NEED, SIZES, Optima, bound_table, optima_table
from ishango.explorer._run_page import pair_of
from ishango.frontiers import FrontierPoint, Problem, gap, solve
from ishango.game import dictionary
from ishango.lab import run
from ishango.languages import find_language
from ishango.numerals import GRAMMARS, PAPERS, STARTS, NumeralSystem, average_complexity, minimal_language


def system(client: httpx.Client, digits: list[int], multipliers: list[int], **rest: str) -> System:
    parameters = {"digits": digits, "multipliers": multipliers, **rest}
    return System.model_validate(client.get("/api/system", params=parameters).raise_for_status().json())


def settled(client: httpx.Client, digits: list[int], multipliers: list[int], **rest: str) -> System:
    """The answer when the optimum has been found, for which the page asks again."""
    for _ in range(600):
        answer = system(client, digits, multipliers, **rest)
        if answer.optimum:
            return answer
        time.sleep(0.05)
    raise AssertionError("the optimum was never found")


@pytest.mark.parametrize(
    ("grammar", "text"),
    [
        *((grammar, text) for grammar in GRAMMARS for text in ("1-9,11 | 10", "1-4 | 5,10")),
        *((grammar, str(STARTS[5])) for grammar in PAPERS),
    ],
)
def test_the_builder_agrees_with_the_package(client: httpx.Client, grammar, text: str) -> None:
    wanted = NumeralSystem.parse(text, grammar)
    answer = settled(client, list(wanted.digits), list(wanted.multipliers), grammar=grammar)
    language = minimal_language(wanted)
    assert answer.size == wanted.size
    assert answer.average_complexity == average_complexity(wanted)
    assert answer.gap == pytest.approx(gap(wanted), abs=1e-12)
    assert {each.number: each.expression for each in answer.numerals} == {
        n: str(language.expression(n)) for n in language
    }
    assert {each.number: each.ties for each in answer.numerals} == {n: language.ties(n) for n in language}


def test_a_page_begins_with_the_grammar_it_is_given(tmp_path: Path, optima: Optima) -> None:
    """Also one that has no name; and rules that a run was played by can be chosen, else its system would look wrong."""
    mine, played = "rules:bare_number+plus+flat+multiplier_words=2", "rules:bare_number+plus"
    run(Evolution(EvolutionOptions(grammar=played, choose="coin", rounds=1)), tmp_path / "one")
    with client_of(Site(tmp_path, optima=optima, grammar=mine)) as client:
        names = [each["name"] for each in client.get("/api/choices").json()["grammars"]]
        assert (names[0], names[-1]) == (mine, played)
        assert set(GRAMMARS) < set(names)
        answer = settled(client, [*range(1, 10)], [10], grammar=mine)
    assert answer.size == 11
    assert answer.gap == pytest.approx(gap(NumeralSystem.parse("1-9 | 10", mine)), abs=1e-12)


def test_the_optimum_beside_a_system_is_the_proved_one(client: httpx.Client) -> None:
    point = solve(Problem(), 11)
    best = settled(client, [*range(1, 10), 11], [10]).optimum
    assert best is not None
    assert (best.proved, best.average_complexity) == (True, float(point.average))
    assert (tuple(best.digits), tuple(best.multipliers)) == (point.system.digits, point.system.multipliers)


def test_a_size_that_is_not_proved_has_bounds_and_no_gap(client: httpx.Client) -> None:
    answer = settled(client, [1, 2, 3], [10, 20, 30], need="uniform")
    assert answer.optimum is not None
    assert not answer.optimum.proved
    assert answer.optimum.lower_bound < answer.optimum.average_complexity
    assert answer.gap is None


def test_what_is_being_built_gets_a_complaint_and_no_error(client: httpx.Client) -> None:
    assert "multiplier" in (system(client, [1, 2], []).complaint or "")
    assert "digit" in (system(client, [], [10]).complaint or "")
    assert system(client, [], [10], grammar="hurford").complaint is None


def test_missing_numbers_are_named(client: httpx.Client) -> None:
    answer = system(client, [1], [10])
    assert answer.missing[:3] == [2, 3, 4]
    assert answer.average_complexity is None
    assert len(answer.missing) + len(answer.numerals) == 99


def test_the_nearest_language_is_itself_then_by_words(client: httpx.Client) -> None:
    first, *others = system(client, [*range(1, 10), 11], [10]).nearest
    assert (first.name, first.distance) == ("English", 0)
    assert [each.distance for each in others] == sorted(each.distance for each in others)
    french = find_language("French").system
    assert french is not None
    changed = nearest([word for word in french.digits if word != 1], [*french.multipliers, 1])
    assert next(each["distance"] for each in changed if "French" in each["name"].split(", ")) == 2
    # Whatever has exactly these words comes first, also where nobody has checked it by hand or where it stops early.
    answer = system(client, [1], [2])
    assert (answer.nearest[0].distance, answer.nearest[0].others) == (0, answer.speakers - 1)
    assert answer.nearest[0].upto in range(3, 10)
    assert all(each.distance for each in answer.nearest[1:])
    assert system(client, [*range(1, 10)], [10]).nearest[0].upto is None


def test_presets_hold_languages_starts_and_optima(client: httpx.Client, optima: Optima) -> None:
    optima.wait("modified", "power:2")
    presets = Presets.model_validate(client.get("/api/presets").json())
    assert [tuple(each.digits) for each in presets.starts] == [start.digits for start in STARTS]
    assert "English" in [each.name for each in presets.languages]
    assert len(presets.optima) == len(SIZES) - 1  # the modified grammar has no size 1


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_the_plane_has_runs_of_its_grammar_only(client: httpx.Client, grammar: str) -> None:
    plane = Plane.model_validate(client.get("/api/plane", params={"grammar": grammar}).json())
    assert plane.runs == sum(each.drawn for each in plane.groups) == (2 if grammar == "modified" else 0)
    rows = [row for rows in plane.tables.values() for row in rows if "run" in row]
    assert {row["run"] for row in rows} == ({"start-1", "drift/start-3"} if grammar == "modified" else set())


def test_switching_the_need_costs_runs_anew(client: httpx.Client) -> None:
    plane = Plane.model_validate(client.get("/api/plane", params={"need": "uniform"}).json())
    rows = [row for row in plane.tables["paths"] if row["run"] == "start-1"]
    assert rows[0]["y"][0] == pytest.approx(average_complexity(STARTS[0], "uniform"), abs=1e-5)


def test_a_bound_of_a_larger_size_holds_for_smaller_ones() -> None:
    three, four = (solve(Problem(), size) for size in (3, 4))
    weak = replace(three, proved=False, lower_bound=1.1)
    five = replace(solve(Problem(), 6), proved=True)
    table = bound_table(optima_table("modified", "power:2", [weak, four, five]))
    # Nothing is said of size 5 itself: what holds at 6 holds there too. The last one ends with its size.
    assert table["x"].tolist() == [3, 4, 5, 6, 7]
    bounds = [float(four.average), float(four.average), *[float(five.average)] * 3]
    assert table["y"].tolist() == pytest.approx(bounds)


def test_a_frontier_that_fails_does_not_end_the_search_for_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(problem: Problem, size: int, **rest: int) -> FrontierPoint:
        if size == 4:
            raise ValueError("a rule that nobody has")
        return solve(problem, size, **rest)

    monkeypatch.setattr("ishango.explorer._optima.solve", failing)
    monkeypatch.setattr("ishango.explorer._optima.shipped_points", lambda *_: ())
    optima = Optima()
    with pytest.raises(ValueError, match="nobody has"):
        optima.wait("modified", NEED, [3, 4])
    assert [point.size for point in optima.wait("modified", NEED, [3, 5])] == [3, 5]
    assert [point.size for point in optima.points("modified", NEED, [3, 4, 5])] == [3, 5]
    assert optima.solved("modified", NEED, [3, 4, 5]) == {"solved": 3, "sizes": 3}
    assert "nobody has" in capsys.readouterr().err


def test_runs_are_listed_with_their_state(client: httpx.Client) -> None:
    runs = {each["name"]: Run.model_validate(each) for each in client.get("/api/runs").json()}
    assert {name: each.state for name, each in runs.items()} == {"start-1": "done", "drift/start-3": "done"}
    assert (runs["start-1"].round, runs["start-1"].rounds, runs["start-1"].can_talk) == (6, 6, True)
    assert runs["drift/start-3"].can_talk is False


def test_one_run_has_its_pictures(client: httpx.Client) -> None:
    details = RunDetails.model_validate(client.get("/api/run", params={"name": "start-1"}).json())
    assert None not in (details.path, details.lexicon, details.communication)
    assert details.mutations is not None
    tried = next(iter(details.mutations.datasets.values()))
    assert sum(row["rounds"] for row in tried) == sum(each.action is not None for each in details.rounds)
    kept = sum(row["rounds"] for row in tried if row["verdict"] == "kept")
    assert kept == sum(bool(each.accepted) for each in details.rounds)
    silent = RunDetails.model_validate(client.get("/api/run", params={"name": "drift/start-3"}).json())
    assert silent.communication is None


def test_a_dark_figure_has_the_same_data_and_other_colours(client: httpx.Client) -> None:
    figure = client.get("/api/run", params={"name": "start-1"}).json()["path"]
    assert figure["light"]["layer"] != figure["dark"]["layer"]
    assert "#1a1a1a" in str(figure["light"])
    assert "#1a1a1a" not in str(figure["dark"])


def test_the_dictionary_is_the_agents_own(client: httpx.Client, played: Path) -> None:
    document = Dictionary.model_validate(client.get("/api/dictionary", params={"name": "start-1"}).json())
    pair = pair_of(Runs(played), "start-1")
    table = dictionary(pair.agents, pair.expressions)
    assert [each.message for each in document.entries] == table["message"].tolist()
    assert document.round == 6
    asked = client.get("/api/exchange", params={"name": "start-1", "number": 7}).json()
    exchange = Exchange.model_validate(asked)
    assert " ".join(map(str, exchange.message)) == document.entries[6].message
    assert exchange.heard == document.entries[6].heard
    guesses = next(iter(exchange.listener.datasets.values()))
    assert sum(row["probability"] for row in guesses) == pytest.approx(1, abs=1e-3)


def test_answers_are_the_same_however_words_are_given(optima: Optima) -> None:
    one = describe([1, 2, 3, 3], [10], "modified", NEED, optima)
    assert one == describe([3, 2, 1], [10], "modified", NEED, optima)
