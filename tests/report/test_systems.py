"""Tables that need no agents."""

import pytest

from ishango.report._data import beyond_table, languages_table, modifications_table, shares_table, starts_table


def test_the_papers_starts():
    table = starts_table().query("grammar == 'modified'")
    assert list(table["size"]) == [12, 7, 12, 21, 18, 13, 5, 12]
    assert list(table["gap"]) == pytest.approx([0.395, 1.152, 0.882, 1.050, 0.189, 0.564, 2.640, 1.871], abs=5e-4)


def test_the_papers_languages():
    table = languages_table().set_index(["language", "grammar"])
    assert table.loc[("English", "modified"), "average_complexity"] == pytest.approx(1.193660, abs=1e-6)
    assert table.loc[("Kunama", "hurford"), "average_complexity"] == pytest.approx(1.263921, abs=1e-6)
    assert table.loc[("French", "hurford"), "multiplier_count"] == 2


def test_modifications_of_an_example():
    table = modifications_table().set_index("action")
    assert table.loc["m0", "lowest"] == "1,2,4,7,8,15 | 10,33"
    assert table.loc["m0", "literal"] == "1,4,7,8,15,50 | 10,33"
    assert table.loc["m3", "lowest"] == table.loc["m3", "literal"] == "1,4,7,8 | 10,15,33"
    assert list(table["covers"]) == [True, True, False, True, True, True]


def test_shares_of_numbers():
    shares = shares_table().set_index(["need", "number"])["share"]
    assert shares["power:2", 30] == pytest.approx(30**-2 / sum(n**-2 for n in range(1, 51)))
    assert list(shares.groupby("need").sum()) == pytest.approx([1.0] * 4)


def test_a_wider_range_adds_to_every_average():
    table = beyond_table()
    assert (table["average_999"] > table["average_99"]).all()
