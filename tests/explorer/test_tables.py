from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from ishango.evolution.record import RoundRecord
from ishango.explorer.drawing import picture
from ishango.explorer.rounds import typed_round
from ishango.explorer.run_tables import (
    NEVER,
    communication_table,
    lexicon_table,
    modifications_of,
    modifications_table,
    path_table,
)
from ishango.figures.run_figures import communication_figure, lexicon_figure, modifications_figure
from ishango.numerals import NumeralSystem, average_complexity


def record(number: int, digits: list[int], multipliers: list[int], **rest: Any) -> RoundRecord:
    sets = {"digits": digits, "multipliers": multipliers, "size": len(digits) + len(multipliers)}
    found = typed_round({"round": number, **sets, "seconds": 0.1, **rest})
    assert found is not None
    return found


ROUNDS = [
    record(0, [1, 2, 3], [4], accuracy=0.5),
    record(1, [1, 2, 3], [4], action="m0", accepted=False, accuracy=0.6, q=[0.7, 0.4]),
    record(2, [1, 2], [3, 4], action="m3", accepted=True, accuracy=0.7, q=[0.6, 0.8]),
    record(3, [1, 2, 3], [3, 4], action="m0", accepted=True, accuracy=0.8, q=[0.1, 0.2]),
]


LABELS = modifications_of({})


def test_a_path_has_a_row_a_change_and_says_until_when() -> None:
    table = path_table("run", "1", ROUNDS, "modified", "power:1")
    assert table["round"].tolist() == [0, 2, 3]
    assert table["until"].tolist() == [2, 3, NEVER]
    assert table["size"].tolist() == [4, 4, 5]
    first = average_complexity(NumeralSystem.parse("1-3 | 4"), "power:1")
    assert table["average_complexity"].iloc[0] == pytest.approx(first)


def test_a_system_that_does_not_cover_the_range_is_not_in_the_plane() -> None:
    assert path_table("run", "1", [record(0, [1], [10])], "modified", "power:2").empty
    assert path_table("run", "1", [], "modified", "power:2").empty


def test_bands_are_stretches_of_rounds() -> None:
    bands = {(row.word, row.role): (row.first, row.last) for row in lexicon_table(ROUNDS).itertuples()}
    assert bands[1, "digit"] == (0, 3)
    assert bands[3, "multiplier"] == (2, 3)
    threes = lexicon_table(ROUNDS).query("word == 3 and role == 'digit'")
    assert threes[["first", "last"]].to_numpy().tolist() == [[0, 1], [3, 3]]


def test_what_was_tried_and_kept_is_counted() -> None:
    table = modifications_table(ROUNDS, LABELS).set_index(["modification", "verdict"])["rounds"]
    assert (table["add a digit", "kept"], table["add a digit", "refused"]) == (1, 1)
    assert table["digit becomes multiplier", "kept"] == 1
    assert table.sum() == 3
    assert modifications_table(ROUNDS[:1], LABELS).empty


def test_rounds_without_an_alternative_have_no_q() -> None:
    table = communication_table(ROUNDS)
    assert table.query("round == 0")["series"].tolist() == ["games won"]
    assert table.query("series == 'Q, alternative'")["value"].tolist() == [0.4, 0.8, 0.2]


def test_the_same_tables_are_drawn_once_and_others_anew() -> None:
    table = lexicon_table(ROUNDS)
    first = picture(lexicon_figure, table)
    assert picture(lexicon_figure, table.copy()) is first
    assert picture(lexicon_figure, lexicon_table(ROUNDS[:3])) is not first
    assert [len(rows) for rows in first["datasets"].values()] == [len(table)]


@pytest.mark.parametrize(
    ("figure", "table"),
    [(communication_figure, communication_table(ROUNDS)), (modifications_figure, modifications_table(ROUNDS, LABELS))],
)
def test_figures_are_drawn(figure: Any, table: pd.DataFrame) -> None:
    from io import StringIO

    svg = StringIO()
    figure(table).save(svg, format="svg")
    assert svg.getvalue().count("<path") > 10
