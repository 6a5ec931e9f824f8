"""The ways of runs, drawn over what is unattainable by their own measure and by no other."""

from __future__ import annotations

from typing import Any

import pytest

from ishango.evolution import Evolution, EvolutionOptions
from ishango.explorer import Site, open_browser
from ishango.explorer import _run_page as run_page
from ishango.explorer._optima import Optima
from ishango.explorer._run_page import small_paths
from ishango.frontiers import FrontierPoint
from ishango.lab import run as play

PLAYED = {
    "paper": {},
    "spelled": {"need": "power:2.0"},
    "slow": {"need": "power:2", "eval_need": "exp:0.1"},
    "steep": {"need": "exp:1"},
    "short": {"upto": 60},
}

PAPERS, SLOW = 1.6593, 4.1072
"""The least averages of size 4 by the paper's need and by exp:0.1."""


class Few(Optima):
    """Optima of two sizes only, which are there at once."""

    def points(self, grammar: str, need: str, *_: Any) -> list[FrontierPoint]:
        return self.wait(grammar, need, [4, 5])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    directory = tmp_path_factory.mktemp("edges")
    for name, options in PLAYED.items():
        start = EvolutionOptions(start="1-3 | 4", rounds=0, choose="coin", **options)
        play(Evolution(start), directory / name)
    return Site(directory, optima=Few())


@pytest.mark.parametrize(
    ("name", "least", "words"),
    [
        (
            "paper",
            PAPERS,
            "proved for the need power:2 (the paper’s) of the numbers 1 to 99 under the grammar modified",
        ),
        ("spelled", PAPERS, "proved for the need power:2 (the paper’s)"),
        ("slow", SLOW, "proved for the need exp:0.1 of the numbers 1 to 99"),
        ("steep", None, "not known here for the need exp:1 of the numbers 1 to 99"),
        ("short", None, "not known here for the need power:2 (the paper’s) of the numbers 1 to 60"),
    ],
)
def test_a_run_is_drawn_over_the_edge_of_its_own_measure(
    site: Site, name: str, least: float | None, words: str
) -> None:
    details = run_page.run_details(site, name)
    data = details["path"]["datasets"]
    assert words in details["unattainable"]
    assert details["study"] is not None
    edge = small_paths(site, [details["study"]["id"]])[details["study"]["id"]]["edge"]
    if least is None:
        assert (set(data), edge) == ({"trail"}, [])
        return
    (bound,) = {row["y"] for row in data["bound"] if row["x"] == 4}
    assert bound == pytest.approx(least, abs=1e-3)
    assert all(row["y"] >= bound for row in data["trail"])
    assert edge[0] == [4, pytest.approx(bound, abs=1e-5)]


def test_runs_that_are_not_measured_alike_share_no_edge(site: Site) -> None:
    alike = run_page.overlay(site, ["paper", "spelled"])
    assert "bound" in alike["path"]["datasets"]
    assert "is proved for" in alike["unattainable"]
    for others in (["paper", "steep"], ["paper", "slow"], ["short", "paper"]):
        answer = run_page.overlay(site, others)
        assert set(answer["path"]["datasets"]) == {"trail"}
        assert answer["unattainable"].startswith("These runs are not measured alike")


@pytest.mark.parametrize("there_is_one", [True, False])
def test_who_has_no_browser_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], there_is_one: bool
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _url: there_is_one)
    open_browser("http://127.0.0.1:8000/")
    assert ("open the address by hand" in capsys.readouterr().err) is not there_is_one
