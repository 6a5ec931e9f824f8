from __future__ import annotations

import pandas as pd
import pytest
import vl_convert

from ishango.figures.kinds_figures import _merge_bands, bands_figure
from ishango.languages import find_language
from ishango.numerals import word
from ishango.restricted import TermSystem, expression_bands, term_bands


def three_kinds(last: int) -> pd.DataFrame:
    english = find_language("English").expressions("hurford")
    assert english is not None
    return pd.concat(
        [
            term_bands("Chiquitano", TermSystem.parse("1|2-", kind="approximate"), last),
            term_bands("Awa Pit", TermSystem.exact(4), last),
            expression_bands("English", english, last),
        ]
    )


def test_a_word_is_one_band_and_a_stripe_goes_on() -> None:
    bands = _merge_bands(three_kinds(25)).set_index("system")
    chiquitano = bands.loc["Chiquitano"]
    assert chiquitano[["first", "last", "word"]].to_numpy().tolist() == [[1, 1, "1"], [2, 25, "2 or more"]]
    assert bands.loc["Awa Pit", "word"].tolist() == ["1", "2", "3", "4", "higher"]
    english = bands.loc["English"]
    ten = english[(english["word"] == "10") & (english["parts"] == 2)]
    assert ten[["first", "last", "centre"]].to_numpy().tolist() == [[12, 19, 0.25], [20, 20, 0.75]]
    assert (ten["bottom"] - ten["top"]).tolist() == pytest.approx([0.5, 0.5], abs=0.05)


def test_words_that_are_apart_are_two_bands_of_one_colour() -> None:
    bands = _merge_bands(term_bands("odd", TermSystem.from_word_map([0, 1, 0, 1, 1])))
    assert bands["first"].tolist() == [1, 2, 3, 4]
    assert bands["shade"].tolist() == [0, 1, 0, 1]


def test_a_stripe_does_not_go_on_over_a_number_without_it() -> None:
    said = {4: word(2) * word(2), 5: word(5), 6: word(3) * word(2)}
    bands = _merge_bands(expression_bands("odd", said))
    assert bands.loc[(bands["part"] == 1), "first"].tolist() == [4, 6]


def test_every_band_is_drawn_and_labels_that_do_not_fit_are_not() -> None:
    svg = vl_convert.vegalite_to_svg(bands_figure(three_kinds(25)).to_dict())
    assert all(label in svg for label in ("Chiquitano", "2 or more", "higher", "exact restricted"))
    narrow = vl_convert.vegalite_to_svg(bands_figure(three_kinds(25), width=100).to_dict())
    assert ">1<" in svg.split("higher")[0]
    assert narrow.count(">1<") == 1  # the axis alone
