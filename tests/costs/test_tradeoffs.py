"""Fronts of any costs: that they are fronts, of what they say, the same each time, and called estimates."""

import json
import sys

import pytest

from ishango.cli import main
from ishango.costs import COSTS, Said, TradeOffs, all_costs, estimate_tradeoffs
from ishango.errors import RequestError
from ishango.numerals import NumeralSystem, minimal_language

pytest.importorskip("pymoo")

SMALL = TradeOffs(
    ("size", "length", "irregularity"), "natural+", upto=20, sizes=(4, 9), population=30, generations=12, seed=3
)


def test_nothing_on_the_front_is_better_than_anything_else_on_it():
    heard = []
    found = estimate_tradeoffs(SMALL, lambda number, points: heard.append((number, points)))
    rows = [tuple(each.costs.values()) for each in found]
    assert len(set(rows)) == len(rows) > 5
    assert not any(
        all(a <= b for a, b in zip(one, other, strict=True)) for one in rows for other in rows if one != other
    )
    assert [number for number, _ in heard] == list(range(1, 13))
    assert all(4 <= each.system.size <= 9 for each in found)
    assert found == estimate_tradeoffs(SMALL)


def test_costs_are_those_of_the_registry():
    for each in estimate_tradeoffs(SMALL)[:4]:
        measured = all_costs(Said.shortest(minimal_language(each.system, 20)))
        assert each.costs == {name: pytest.approx(measured[name]) for name in SMALL.objectives}


def test_a_canonical_language_costs_what_its_expressions_cost():
    system = NumeralSystem.parse("1-4,9 | 5,11", "flat")
    assert all_costs(Said.canonical(system)) == pytest.approx(all_costs(Said.shortest(minimal_language(system))))
    assert all(name in COSTS for name in SMALL.objectives)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"objectives": ("size",)}, "two or more different"),
        ({"objectives": ("size", "size")}, "two or more different"),
        ({"objectives": ("size", "beauty")}, "no cost 'beauty'"),
        ({"population": 1}, "population of 2"),
        ({"sizes": (9, 3)}, "give the smaller one first"),
        ({"sizes": (1, 1)}, "allow a larger size"),
    ],
)
def test_refusals(options, said):
    with pytest.raises(RequestError, match=said):
        TradeOffs(**{"objectives": ("size", "length"), **options})


SHORT = "--range 15 --sizes 3-6 --population 16 --generations 4 --method genetic --objectives size,length,processing"


def test_the_command_calls_it_an_estimate(tmp_path, capsys):
    out = str(tmp_path / "front")
    assert main(["frontier", *SHORT.split(), "--out", out]) == 0
    assert "nothing here is proved" in capsys.readouterr().out
    assert main(["frontier", *SHORT.split(), "--out", out, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads((tmp_path / "front" / "objectives.json").read_text())
    assert document["estimate"] is True
    assert document["problem"]["objectives"] == ["size", "length", "processing"]
    assert all(point["above_proved_length"] >= 0 for point in document["points"])
    assert len((tmp_path / "front" / "objectives.csv").read_text().splitlines()) == 1 + len(document["points"])
    assert main(["frontier", *SHORT.split(), "--out", out, "--seed", "1"]) == 2
    assert "is something else" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--objectives size,irregularity", "Only size and length are proved"),
        (
            "--objectives size,irregularity --method genetic --proof --out o",
            "--proof is for the objectives size,length",
        ),
        ("--objectives size,irregularity --method genetic --sizes 3,9", "all sizes from one to another"),
    ],
)
def test_what_cannot_be_asked_for(arguments, said, capsys):
    assert main(["frontier", *arguments.split()]) == 2
    assert said in capsys.readouterr().err


def test_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pymoo.algorithms.moo.nsga2", None)
    assert main(["frontier", *SHORT.split()]) == 2
    assert "pip install 'ishango[objectives]'" in capsys.readouterr().err
