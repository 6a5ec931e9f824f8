"""What the page says about results is what the shipped table says."""

import numpy as np
import pandas as pd
import pytest
from studies.learnability_table import (
    PAGE,
    answers,
    by_family,
    comparisons,
    differences,
    held_out_r2,
    page_with,
    read_summary,
    regression,
    verdict,
)

from ishango.analysis.statistics import student_interval


def made_up() -> pd.DataFrame:
    """A table in which human systems have an area of their size over 100 more than their twins."""
    rng, rows = np.random.default_rng(0), []
    for size in range(10, 50):
        text, figures = f"1-{size - 1} | {size}", rng.normal(size=4).tolist()
        for group, area in (("human", 0.5 + size / 100), ("permuted", 0.5), ("random", 0.1 * figures[1])):
            rows.append(("line", group, text, text, group, size, *figures, area, area, area, area, 3))
    names = ["condition", "group", "of", "system", "numerals", "size", "length", "irregularity", "changes", "bases"]
    return pd.DataFrame(rows, columns=[*names, "area", "accuracy", "generalisation", "area_by_need", "seeds"])


def test_every_sentence_and_table_of_the_page_is_what_the_table_says():
    text = PAGE.read_text(encoding="utf-8")
    assert page_with(text, read_summary()) == text


def test_differences_are_those_of_each_system():
    table = made_up()
    found = differences(table, "line", "permuted", "area")
    assert found["1-9 | 10"] == pytest.approx(0.1)
    row = comparisons(table).iloc[0]
    assert (row["other"], row["systems"], verdict(row)) == ("permuted", 40, "easier")
    assert (row["low"], row["high"]) == student_interval(found.to_numpy())[:2]
    assert "compared with their permuted twins: more" in answers(comparisons(table))
    turned = table.assign(area=1 - table["area"], generalisation=0.5)
    assert "less" in answers(comparisons(turned))
    assert "compared with their permuted twins: not shown to differ (+0.000" in answers(comparisons(turned))
    assert "not played yet" in answers(comparisons(table))


def test_families_count_once():
    assert by_family(pd.Series({"1-9 | 10": 1.0, "1-9 | 10,20": 0.0})) == pytest.approx(0.5, abs=0.3)
    assert np.isnan(by_family(pd.Series({"1 | 2": 1.0})))


def test_the_regression_finds_what_was_put_in():
    table = made_up()
    found = regression(table[table["group"] == "random"], "line").set_index("predictor")
    assert found.loc["irregularity", "coefficient"] == pytest.approx(1)
    assert found.loc["irregularity", "r2_alone"] == pytest.approx(1)
    assert found["r2"].iloc[0] == pytest.approx(1)
    assert abs(found.loc["size", "coefficient"]) < 1e-6
    noise = np.random.default_rng(1).normal(size=(200, 6))
    assert held_out_r2(noise[:, 1:], noise[:, 0]) < 0.05
