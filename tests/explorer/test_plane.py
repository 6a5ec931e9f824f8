"""The plane's data: groups, paths that stay out of the unattainable, axes of any two costs, windows."""

from __future__ import annotations

import itertools
import json
import math
import shutil
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pandas as pd
import pytest

from ishango.costs import COSTS, Said, all_costs
from ishango.explorer import _found_runs, _optima
from ishango.explorer._builder import GROUPINGS, LEAST_DRAWN, MOST_DRAWN, MOST_GROUPS, groups_of, share
from ishango.explorer._found_runs import Runs
from ishango.explorer._models import Map, Plane
from ishango.explorer._optima import Axes, Background, Costing, Optima, bound_table, optima_table
from ishango.explorer._paths import (
    LONGEST,
    NEVER,
    NO_ROUND,
    Drawn,
    Way,
    fitted,
    lexicons_of,
    near,
    packed_tables,
    paths_table,
    starts_table,
    trail_rows,
    way_of,
    whole,
)
from ishango.explorer._plane import MOST_KEPT, NEAREST, Planes, _nearest
from ishango.explorer._summaries import shown
from ishango.figures.look import DARK, GREY, HERE, INK, NOTE, ROLES, SHADES
from ishango.figures.run_figures import LAST
from ishango.lab import ROUNDS as NAME
from ishango.numerals import NumeralSystem, format_set, minimal_language

ONE, TWO, THREE = (NumeralSystem.parse(text) for text in ("1-9 | 10", "1-9,11 | 10", "1-8 | 10"))


def summary(name: str, choose: str = "bandit", **rest: Any) -> dict[str, Any]:
    return {"name": name, "title": name, "choose": choose, "start": "1", "seed": 0, "gap": 0.1, **rest}


def drawn(*lexicons: tuple[int, NumeralSystem], run: str = "a", last: int = 10) -> Drawn:
    return Drawn(run, "agents", "agents", "1", Way(lexicons, last))


def test_a_path_has_a_row_a_change_and_says_until_when() -> None:
    records = [
        {"round": 0, "digits": [1, 2, 3], "multipliers": [4]},
        {"round": 1, "digits": [1, 2, 3], "multipliers": [4]},
        {"round": 2, "digits": [1, 2], "multipliers": [3, 4]},
        {"round": 3, "digits": [1, "2"], "multipliers": [3]},
        {"round": 4, "digits": [1, 2], "multipliers": [3, 100]},
        {"round": 5, "digits": [1, 1], "multipliers": [3, 4]},
    ]
    way = lexicons_of(records, "modified", 5)
    assert [number for number, _ in way.lexicons[:2]] == [0, 2]
    assert len(way.lexicons) <= 3  # what is no lexicon of the range is left out
    table = paths_table([drawn(*way.lexicons[:2])], {way.lexicons[0][1]: (4, 2.0), way.lexicons[1][1]: (5, 1.5)})
    assert table["until"].tolist() == [2, 2, NEVER]
    assert starts_table(table)[["start", "x", "y"]].to_numpy().tolist() == [["1", 4, 2.0]]


@pytest.mark.parametrize(("back", "corner"), [(False, (11, 1.4)), (True, (11, 1.4))])
def test_a_step_goes_round_the_corner_that_can_be_had(back: bool, corner: tuple[float, float]) -> None:
    places = {ONE: (10.0, 1.4), TWO: (11.0, 1.2)}
    ends = [(0, TWO), (1, ONE)] if back else [(0, ONE), (1, TWO)]
    table = paths_table([drawn(*ends)], places)
    assert table.iloc[1][["x", "y"]].tolist() == list(corner)
    assert table["step"].is_monotonic_increasing


def test_nothing_is_drawn_in_the_grey(client: httpx.Client, optima: Optima) -> None:
    optima.wait("modified", "power:2")
    plane = Plane.model_validate(client.get("/api/plane").json())
    data = plane.tables
    bound = {row["x"]: row["y"] for row in data["bound"]}
    assert len(data["paths"]) == 2
    for run in data["paths"]:
        assert (run["x"][-1], run["y"][-1]) == (None, None)  # the line of a run ends there
        for (x0, y0), (x1, y1) in itertools.pairwise(zip(run["x"][:-1], run["y"][:-1], strict=True)):
            for part in np.linspace(0, 1, 21):
                x, y = x0 + part * (x1 - x0), y0 + part * (y1 - y0)
                assert y >= bound.get(math.floor(x + 1e-9), 1) - 1e-4
    for row in (*data["languages"], *data["frontier"]):
        assert row["y"] >= bound[row["x"]] - 1e-4


def test_colours_are_by_role_whatever_else_is_in_the_directory() -> None:
    assert not set(ROLES.values()) & {GREY, INK, NOTE, *SHADES}  # or one would have the other's colour on dark pages
    every = [summary(f"a{i}") for i in range(3)] + [
        summary("c", "coin"),
        summary("s", "shorter"),
        summary("g", "ideal learners"),
    ]
    for some in (every, every[3:], every[:1], [every[4]], every[::-1]):
        colours = {group.colour for group in groups_of(some, "decides", some)}
        roles = {"bandit": "agents", "coin": "drift", "shorter": "oracle", "ideal learners": "learners"}
        assert colours == {roles[run["choose"]] for run in some}
    many = [summary(f"d{i}/r") for i in range(20)]
    few = groups_of([many[1], many[9], many[17]], "directory", many)  # shades of one colour, each its own
    assert len({group.colour for group in few}) == 3
    assert {group.colour.partition("-")[0] for group in few} == {"agents"}


def test_a_new_run_changes_at_most_one_of_those_that_are_drawn() -> None:
    runs = [summary(f"r{i}", seed=i) for i in range(500)]
    (before,), (after,) = groups_of(runs, "decides"), groups_of([*runs, summary("new")], "decides")
    one, other = ({run["name"] for run in group.drawn(50)} for group in (before, after))
    assert len(one & other) >= 49


def test_who_else_came_as_near_is_counted() -> None:
    runs = [summary(f"r{i}", gap=0.1 if i < 7 else 0.2, size=5 + (i > 3), can_talk=False) for i in range(9)]
    found = _nearest(runs)
    assert [each["tied"] for each in found[:NEAREST]] == [6] * NEAREST
    assert [(each["size"], each["tied_in_size"]) for each in found if each["best_of_size"]] == [(5, 3), (6, 2)]


def test_a_page_gets_a_row_for_each_run_and_each_lexicon_once() -> None:
    places = {ONE: (10.0, 1.4), TWO: (11.0, 1.2)}
    table = paths_table([drawn((0, ONE), (1, TWO), run="a"), drawn((0, TWO), (3, ONE), run="b")], places)
    packed = packed_tables(table)
    rows = packed["paths"].set_index("run")
    assert rows.loc["a", ["round", "until", "x", "lexicon"]].tolist() == [
        [0, 1, 1, 0], [1, 1, NEVER, 0], [10, 11, 11, None], [0, None, 1, None],
    ]  # fmt: skip
    assert rows.loc["b", "lexicon"] == [1, None, 0, None]
    assert packed["lexicons"].to_numpy().tolist() == [
        [0, format_set(ONE.digits), format_set(ONE.multipliers)],
        [1, format_set(TWO.digits), format_set(TWO.multipliers)],
    ]
    assert {name: len(table) for name, table in packed_tables(table[:0]).items()} == {"paths": 0, "lexicons": 0}


def test_a_plane_is_kept_until_a_run_changes(played: Path, optima: Optima, tmp_path: Path) -> None:
    shutil.copytree(played / "start-1", tmp_path / "one")
    optima.wait("modified", "power:2")
    runs = Runs(tmp_path)
    planes, asked = Planes(optima, runs), ("modified", "power:2", Axes(), "decides")
    first = planes.answer(*asked)
    assert planes.answer(*asked) is first
    assert planes.answer("modified", "power:2", Axes(), "start") != first
    shutil.copytree(played / "start-1", tmp_path / "two")
    runs._read_at = runs._looked_at = -math.inf
    assert [json.loads(each)["runs"] for each in (first, planes.answer(*asked))] == [1, 2]
    for x, y, by in itertools.product(("size", "length"), ("size", "length"), GROUPINGS):
        planes.answer("modified", "power:2", Axes(x, y), by)
    assert len(planes._kept) == MOST_KEPT


def test_while_the_first_plane_is_made_others_get_one_without_runs(played: Path, optima: Optima) -> None:
    optima.wait("modified", "power:2")
    planes = Planes(optima, Runs(played))
    asked = ("modified", "power:2", Axes(), "decides")
    planes.begins = True
    bare = json.loads(planes.answer(*asked))
    assert (bare["complete"], bare["runs"], bare["tables"]["paths"]) == (False, 0, [])
    assert bare["tables"]["languages"]
    assert planes.asked.is_set()
    assert json.loads(planes.answer(*asked, ahead=True))["runs"] == 2
    planes.begins = False
    assert json.loads(planes.answer(*asked))["complete"]


class Solving(Optima):
    """A frontier of which the last size is solved while somebody asks for it."""

    asked = False

    def points(self, *asked: Any, **how: Any) -> Any:
        found = super().points(*asked, **how)
        try:
            return found if self.asked else found[:-1]
        finally:
            self.asked = True

    def solved(self, *asked: Any) -> dict[str, int]:
        counts = super().solved(*asked)
        return counts if self.asked else {**counts, "solved": counts["solved"] - 1}


def test_a_plane_without_a_size_that_was_solved_meanwhile_is_not_complete(played: Path, optima: Optima) -> None:
    solving = Solving()
    solving._points = optima._points
    solving.wait("modified", "power:2")
    planes = Planes(solving, Runs(played))
    first, then = (planes.plane("modified", "power:2") for _ in range(2))
    assert (first["complete"], then["complete"]) == (False, True)
    assert len(first["points"]) == len(then["points"]) - 1


def test_groups_are_by_who_decides_agents_first_and_as_many_as_there_are_colours() -> None:
    runs = [summary(f"s{i}/r", choose, start=str(i)) for i, choose in enumerate(["coin"] * 3 + ["bandit"] * 2)]
    assert [(group.name, group.has_agents, len(group.runs)) for group in groups_of(runs, "decides")] == [
        ("agents", True, 2), ("drift", False, 3),
    ]  # fmt: skip
    assert [group.name for group in groups_of(runs, "directory")][:2] == ["agents · s3", "agents · s4"]
    assert groups_of(runs, "start")[-1].name == "drift · start 2"
    many = groups_of([summary(f"d{i}/r") for i in range(20)], "directory")
    assert len({group.colour for group in many}) == len(many) == MOST_GROUPS
    assert (many[-1].name, len(many[-1].runs)) == ("13 further groups", 13)


def test_of_very_many_runs_some_are_drawn_and_the_best_one_in_any_case() -> None:
    runs = [summary(str(i), seed=i, gap=0.01 if i == 4321 else 0.5) for i in range(10_000)]
    (group,) = groups_of(runs, "decides")
    most = share([group], group)
    chosen = group.drawn(most)
    assert len(chosen) == most == MOST_DRAWN > LEAST_DRAWN
    assert "4321" in {run["name"] for run in chosen}
    assert len({run["seed"] // 1000 for run in chosen}) == 10


def test_a_very_long_run_is_looked_into_not_read(tmp_path: Path, played: Path, optima: Optima) -> None:
    shutil.copytree(played / "start-1", tmp_path / "long")
    line = json.loads((tmp_path / "long" / NAME).read_text().splitlines()[0])
    line |= {"multipliers": [10], "alternative": "x" * 500}
    lines = [json.dumps({**line, "round": i, "digits": [*range(1, 10), 11 + i % 60]}) for i in range(1000)]
    (tmp_path / "long" / NAME).write_text("\n".join(lines) + "\n")
    assert (tmp_path / "long" / NAME).stat().st_size > LONGEST
    runs = Runs(tmp_path)
    (found,) = runs.summaries()
    way = way_of(runs, {**found, "round": 999})
    rounds = [number for number, _ in way.lexicons]
    assert (rounds[0], rounds[-1]) == (0, 999)
    assert 20 < len(rounds) < 500
    assert rounds == sorted(rounds)
    plane = Planes(optima, runs).plane("modified", "power:2")
    assert plane["groups"][0]["drawn"] == 1
    shutil.rmtree(tmp_path / "long")  # while the list still has it
    assert way_of(runs, {**found, "round": 998}).lexicons == ()


@pytest.mark.parametrize("axes", [("irregularity", "processing"), ("size", "suppletion"), ("length", "size")])
def test_any_two_costs_are_axes(played: Path, optima: Optima, axes: tuple[str, str]) -> None:
    planes = Planes(optima, Runs(played))
    plane = Plane.model_validate(planes.plane("modified", "power:2", Axes(*axes), wait=True))
    assert plane.complete
    assert not plane.proved
    assert plane.tables["bound"] == []
    assert {row["run"] for row in plane.tables["paths"]} == {"start-1", "drift/start-3"}
    english = next(row for row in plane.tables["languages"] if row["names"] == "English")
    places, counts = Costing().places([TWO], "power:2", Axes(*axes), wait=True)
    assert counts == {"measured": 1, "systems": 1}
    assert (english["x"], english["y"]) == pytest.approx(places[TWO], abs=1e-4)


def test_costs_that_are_being_measured_are_not_waited_for(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_optima, "AT_ONCE", 0.0)
    asked = {"x": "states", "y": "changes"}
    plane = Plane.model_validate(client.get("/api/plane", params=asked).json())
    assert plane.systems > plane.measured >= 0
    assert not plane.complete
    refused = client.get("/api/plane", params={"x": "beauty"})
    assert refused.status_code == 422
    assert "irregularity" in refused.json()["error"]
    assert [each["name"] for each in client.get("/api/choices").json()["costs"]] == list(COSTS)


def test_costs_are_those_of_the_expressions() -> None:
    """The fast way, without expressions, gives what the slow one does, also for what covers no range."""
    systems = [TWO, NumeralSystem.parse("1-9 | 10,20"), NumeralSystem.parse("1-6,9,14 | 7,10")]
    gappy = NumeralSystem.parse("2 | 10")
    for x, y in zip(COSTS, [*list(COSTS)[1:], "size"], strict=True):
        places, counts = Costing().places([*systems, gappy], "power:1", Axes(x, y), wait=True)
        assert counts == {"measured": 4, "systems": 4}
        for system in systems:
            costs = all_costs(Said.shortest(minimal_language(system, 99), "power:1"), {x, y})
            assert places[system] == pytest.approx((costs[x], costs[y]), rel=1e-9)
        assert gappy not in places


def test_a_plane_says_how_far_runs_have_been_read(
    played: Path, optima: Optima, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first answer of a cold server waits for a moment, and not for thousands of runs."""
    monkeypatch.setattr(_found_runs, "MOMENT", 0.5)
    runs, may_read = Runs(played), threading.Event()
    look_at = Runs._look_at

    def slowly(self: Runs, name: str, path: Path) -> bool:
        assert may_read.wait(20)
        return look_at(self, name, path)

    monkeypatch.setattr(Runs, "_look_at", slowly)
    planes = Planes(optima, runs)
    first = Plane.model_validate_json(planes.answer("modified", "power:2", Axes(), "decides"))
    assert (first.complete, first.runs, first.read, first.found) == (False, 0, 0, 2)
    assert first.tables["languages"]
    assert first.tables["frontier"]
    may_read.set()
    runs.listed()
    then = Plane.model_validate_json(planes.answer("modified", "power:2", Axes(), "decides"))
    assert (then.complete, then.runs, then.read, then.found) == (True, 2, 2, 2)


def test_a_system_beyond_the_frontier_that_is_shown_has_its_own_bound(client: httpx.Client, optima: Optima) -> None:
    optima.wait("modified", "power:2", [60])
    far = Map.model_validate(client.get("/api/map", params={"size": 60}).json())
    assert max(row["x"] for row in far.tables["bound"]) >= 60
    near = Map.model_validate(client.get("/api/map").json())
    assert max(row["x"] for row in near.tables["bound"]) < 30


def test_bounds_fall_and_no_size_is_without_one(optima: Optima) -> None:
    points = optima.wait("modified", "power:2", [5, 9, 30])
    bound = bound_table(optima_table("modified", "power:2", points))
    assert bound["x"].tolist() == list(range(5, 32))
    assert bound["y"].is_monotonic_decreasing
    assert bound.set_index("x")["y"][10] == pytest.approx(points[-1].lower_bound)


def test_the_window_is_fitted_to_what_matters() -> None:
    languages = pd.DataFrame({"x": [6.0, 14.0], "y": [1.5, 1.2]})
    ways = {"x": [12.0, 9.0] * 9, "y": [4.0, 1.4] * 9, "until": [3, NEVER] * 9, "group": "agents"}
    paths = pd.DataFrame(ways | {"run": [str(i // 2) for i in range(18)]})
    frontier = pd.DataFrame({"x": [6.0, 14.0, 60.0], "y": [1.4, 1.1, 1.0]})
    tables = {"languages": languages, "paths": paths, "frontier": frontier}
    (left, right), (bottom, top) = fitted(tables, ["agents"])
    assert left < 6 < 14 < right < 16
    assert 1.0 < bottom < 1.1
    assert 1.5 < top < 2  # where the run began is above
    assert whole(tables)[1][1] > 4
    far = pd.DataFrame([{"x": 3.0, "y": 1.9, "until": NEVER, "group": "agents", "run": "far"}])
    with_far = {**tables, "paths": pd.concat([paths, far])}
    assert fitted(with_far, ["agents"]) == ((left, right), (bottom, top))
    (left, _), (_, top) = fitted(with_far, ["agents"], "far")  # the run that is drawn whole is seen where it is
    assert left < 3
    assert top > 1.9


def test_the_trail_of_a_run_stays_at_its_last_place_whatever_the_round() -> None:
    """A page shows where a run is by `round < until`, and begins after every round."""
    records = [{"round": i, "size": size, "average_complexity": 1.5} for i, size in enumerate((9, 9, 10))]
    rows = trail_rows("a", 0, records, shown("evolution"))
    assert [(row["round"], row["until"]) for row in rows] == [(0, 2), (2, None), (2, NO_ROUND)]
    assert NO_ROUND > LAST


def test_the_grey_is_a_little_deeper_than_what_is_above_it() -> None:
    bound = pd.DataFrame({"x": [8, 9, 10, 12], "y": [1.6, 1.5, 1.4, 1.3]})
    found = near({"bound": bound}, pd.DataFrame({"x": [9, 10], "y": [2.4, 2.0]}))["bound"]
    assert found["x"].tolist() == [8, 9, 10]
    assert found["low"].tolist() == pytest.approx([1.4 - 0.06] * 3)


def test_the_windows_of_the_api_begin_where_costs_do(client: httpx.Client) -> None:
    plane = Plane.model_validate(client.get("/api/plane").json())
    assert plane.fit.y[0] >= 1
    assert plane.all.x[0] >= 0
    assert plane.all.y[1] >= plane.fit.y[1]


def test_the_worlds_languages_are_counted_each_once(client: httpx.Client) -> None:
    rows = Plane.model_validate(client.get("/api/plane").json()).tables["languages"]
    found = client.get("/api/languages").json()
    assert sum(row["languages"] for row in rows) == sum(each["upto"] is None for each in found) > 2900
    counts = [row["languages"] for row in rows]
    assert counts == sorted(counts, reverse=True)  # so that few are drawn over many
    assert counts[0] > 1400
    assert (rows[0]["digits"], rows[0]["multipliers"]) == ("1-9", "10")
    assert any(each["upto"] == 5 for each in found)  # whoever counts to five only is found, and drawn nowhere
    codes = Counter(each["glottocode"] for each in found if each["name"] in ("English", "Georgian"))
    assert codes == {"stan1293": 1, "nucl1302": 1}


def test_six_languages_have_their_names_beside_them(client: httpx.Client) -> None:
    data = Plane.model_validate(client.get("/api/plane").json()).tables["languages"]
    assert len([row for row in data if row["label"]]) == 6


def test_the_runs_nearest_the_frontier_are_named(client: httpx.Client) -> None:
    plane = Plane.model_validate(client.get("/api/plane").json())
    assert [(each.name, each.can_talk) for each in plane.nearest] == [("start-1", True)]  # a coin's does not count


def test_an_answer_that_fails_does_not_end_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    background: Background[int, float] = Background("inverse", lambda number: 1 / number, most=2)
    assert background.get(0) is None
    assert background.wait([4]) == [0.25]
    assert background.are_settled([0, 4])
    with pytest.raises(ZeroDivisionError):
        background.wait([0])
    assert "The inverse of 0: ZeroDivisionError" in capsys.readouterr().err
    background.wait([5])
    background.wait([6])
    assert background.settled([4, 5, 6]) == 2  # the oldest is forgotten


def _lab(colour: str) -> tuple[float, float, float]:
    """CIE L*a*b*, in which distances are differences that people see."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.array(_rgb(colour)) / 255]
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = (np.cbrt(c) for c in np.array(matrix) @ linear / [0.95047, 1, 1.08883])
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _rgb(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


@pytest.mark.parametrize("night", [False, True])
def test_no_two_things_in_the_plane_share_a_colour(night: bool) -> None:
    palette = [INK, NOTE, GREY, HERE, *ROLES.values()]
    colours = [DARK[each] if night else each for each in palette]
    for one, other in itertools.combinations(colours, 2):
        assert math.dist(_lab(one), _lab(other)) > 18, (one, other)


def test_further_groups_have_the_colour_of_their_own_role() -> None:
    runs = [summary(f"{who}{i}/r", who) for who in ("bandit", "coin") for i in range(9)]
    groups = groups_of(runs, "directory")
    assert [group.colour.partition("-")[0] for group in groups] == ["agents"] * 8 + ["drift"] * 8
    further = [group for group in groups if "further" in group.name]
    assert [(group.name, group.has_agents, len(group.runs)) for group in further] == [
        ("2 further groups of agents", True, 2), ("2 further groups of drift", False, 2),
    ]  # fmt: skip
