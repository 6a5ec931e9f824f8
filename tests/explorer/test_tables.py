from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
import vl_convert

from ishango.evolution import RoundRecord
from ishango.explorer._builder import picture, rows
from ishango.explorer._run_page import (
    communication_table,
    last_in_a_row,
    lexicon_table,
    modifications_of,
    modifications_table,
)
from ishango.explorer._summaries import typed_round
from ishango.figures.run_figures import communication_figure, lexicon_figure, modifications_figure


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


def test_bands_are_stretches_of_rounds() -> None:
    bands = {(row.word, row.role): (row.first, row.last) for row in lexicon_table(ROUNDS).itertuples()}
    assert bands[1, "digit"] == (0, 3)
    assert bands[3, "multiplier"] == (2, 3)
    threes = lexicon_table(ROUNDS).query("word == 3 and role == 'digit'")
    assert threes[["first", "last"]].to_numpy().tolist() == [[0, 1], [3, 3]]


def test_bands_of_a_sample_tell_rounds_not_places_in_a_list() -> None:
    sample = [record(at, digits, [4]) for at, digits in ((0, [1]), (40, [1, 2]), (80, [1, 2]), (81, [1]))]
    bands = {(row.word, row.role): (row.first, row.last) for row in lexicon_table(sample).itertuples()}
    assert bands == {(1, "digit"): (0, 81), (2, "digit"): (40, 80), (4, "multiplier"): (0, 81)}
    assert [each.round for each in last_in_a_row(sample)] == [80, 81]  # a list of the last rounds has no holes


def test_what_was_tried_and_kept_is_counted() -> None:
    table = modifications_table(ROUNDS, LABELS).set_index(["modification", "verdict"])["rounds"]
    assert (table["add a digit", "kept"], table["add a digit", "refused"]) == (1, 1)
    assert table["digit becomes multiplier", "kept"] == 1
    assert table.sum() == 3
    assert modifications_table(ROUNDS[:1], LABELS).empty


def test_rounds_without_an_alternative_have_no_q() -> None:
    table = communication_table(ROUNDS, 50)
    assert table.query("round == 0")["series"].tolist() == ["games won"]
    assert table.query("series == 'Q, alternative'")["value"].tolist() == [0.4, 0.8, 0.2]


def test_a_specification_serves_all_tables() -> None:
    table = lexicon_table(ROUNDS)
    first, other = picture(lexicon_figure, {"words": table}), picture(lexicon_figure, {"words": table.iloc[:2]})
    assert first["light"] is other["light"]
    assert first["dark"] != first["light"]
    assert [len(each["datasets"]["words"]) for each in (first, other)] == [len(table), 2]
    few = picture(communication_figure, {"communication": communication_table(ROUNDS, 50)}, names=("games won",))
    assert "Q, alternative" not in str(few["light"])


@pytest.mark.parametrize(
    ("figure", "name", "table"),
    [
        (communication_figure, "communication", communication_table(ROUNDS, 50)),
        (modifications_figure, "modifications", modifications_table(ROUNDS, LABELS)),
        (lexicon_figure, "words", lexicon_table(ROUNDS)),
    ],
)
def test_figures_are_drawn(figure: Any, name: str, table: pd.DataFrame) -> None:
    drawn = picture(figure, {name: table})
    svg = vl_convert.vegalite_to_svg({**drawn["light"], "datasets": drawn["datasets"], "width": 400})
    assert svg.count("<path") > 10


def test_rows_are_json_and_not_longer_than_need_be() -> None:
    table = pd.DataFrame({"a": [1.23456789, np.nan], "b": ["x", None], "c": [1, 2]})
    assert json.dumps(rows(table)) == json.dumps([{"a": 1.23457, "b": "x", "c": 1}, {"a": None, "b": None, "c": 2}])
