"""What the page says about results is what the shipped rows say, and what is computed from rows is right."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from studies.learnability_kept import lexicon_without, predictions
from studies.learnability_study import Item, Run, human_systems, paired, spoken, wanted
from studies.learnability_table import (
    EFFICIENT,
    PAGES,
    SHUFFLED,
    TABLE,
    Study,
    answers,
    by_taught,
    compared,
    comparisons,
    control,
    efficient,
    other_learners,
    page_with,
    parts,
    regression,
    shipped,
    verdict,
)

from ishango.numerals import NumeralSystem
from ishango.report.claims._claim import mean_of_several
from ishango.report.claims._learning_claims import easier

HUMANS = ["1-9 | 10", "1-4 | 5", "1-9 | 10,20", "1-4 | 5,20"]
FIGURES = {"size": 10, "length": 1.0, "irregularity": 1.0, "changes": 1, "bases": 1}


def lesson(condition: str, system: str, numerals: str, seed: int, area: float, **figures: float) -> dict[str, object]:
    values = {**FIGURES, **figures, "area": area, "accuracy": area, "generalisation": area, "area_by_need": area}
    return {"condition": condition, "system": system, "numerals": numerals, "seed": seed, **values}


def study(items: list[Item], rows: list[dict[str, object]]) -> Study:
    return Study(items, pd.DataFrame(rows), pd.DataFrame())


def twins(gain: float, noise: float = 0.0, seeds: int = 3) -> Study:
    """Human systems whose area is that of their permuted twins and some more."""
    rng, items, rows = np.random.default_rng(0), list[Item](), list[dict[str, object]]()
    for text in HUMANS:
        for group, numerals in (("human", "shortest"), ("permuted", "permuted")):
            items.append(Item(group, text, text, numerals))
            for seed in range(seeds):
                area = 0.5 + gain * (group == "human") + noise * rng.normal()
                rows.append(lesson("line", text, numerals, seed, area))
    return study(items, rows)


@cache
def shipped_once() -> Study:
    return shipped()


def test_every_sentence_and_table_of_the_page_is_what_the_rows_say():
    found = comparisons(shipped_once()).round(6)
    contents = parts(shipped_once(), found)
    pages = [page.read_text(encoding="utf-8") for page in PAGES]
    assert [page_with(text, contents) for text in pages] == pages
    assert all(sum(f"<!-- {name} -->" in text for text in pages) == 1 for name in contents)
    pd.testing.assert_frame_equal(pd.read_csv(TABLE), found)
    pd.testing.assert_frame_equal(pd.read_csv(EFFICIENT), efficient(shipped_once()))


def test_the_control_learned_nothing():
    assert control(shipped_once().rows).startswith("With shuffled labels the listener learns nothing")
    last = shipped_once().rows[lambda each: each["condition"].isin(SHUFFLED)]["accuracy"]
    assert last.max() < 0.05


SAID = {
    ("line", "permuted"): "easier", ("line", "ties"): "easier", ("line", "matched"): "no difference shown",
    ("line, uniform", "matched"): "easier", ("line", "optimum"): "harder",
    **{("classes", other): "no difference shown" for other in ("permuted", "ties", "matched", "optimum")},
}  # fmt: skip
"""What the prose of the page says of areas."""


def test_the_prose_says_what_the_rows_say():
    table = pd.read_csv(TABLE)
    areas = table[table["measure"] == "area"].set_index(["condition", "other"])
    assert {each: verdict(areas.loc[each]) for each in SAID} == SAID
    assert areas.loc[("line", "matched"), "low"] > 0
    easy = {each: mean_of_several(easier(pd.read_csv(EFFICIENT), each), 3) for each in ("classes", "line", "pair")}
    assert min(easy["classes"].low, easy["line"].low) > 0.01
    assert easy["pair"].low < 0 < easy["pair"].high
    classes, line = (regression(shipped_once(), each).set_index("predictor") for each in ("classes", "line"))
    assert classes["r2_alone"].idxmax() == "length"
    assert line["r2_alone"].max() < 0.3 < 0.5 < classes.loc["length", "r2_alone"]
    assert line.loc["size", "low"] > 0 > line.loc[["changes", "irregularity"], "high"].max()
    kept = predictions(shipped_once().kept).set_index(["fit", "predictor"])
    assert max(kept.loc[("easier", "easier"), "high"], kept.loc[("shorter", "shorter"), "high"]) < 0
    assert kept.loc[("together", "easier"), "low"] < 0 < kept.loc[("together", "easier"), "high"]
    words = shipped_once().kept
    assert (words["area"] - words["area_without"]).corr(words["length_without"] - words["length"]) > 0.1


def test_human_systems_are_those_of_the_catalogue():
    weights = human_systems()
    assert len(weights) == 298
    assert sum(weights.values()) == pytest.approx(1)
    assert next(iter(weights)) == "1-9 | 10"
    families = spoken().groupby("family")["system"].agg(lambda each: (each == "1-9 | 10").mean())
    assert weights["1-9 | 10"] == pytest.approx(families.mean())


def test_what_matters_most_is_played_first_and_nothing_twice():
    items = shipped_once().items
    runs = [*dict.fromkeys(wanted(items))]
    assert runs[0] == Run("line", "1-9 | 10", "shortest", 0)
    taught = {each[2:] for each in items}
    assert len(taught) >= 2000
    for condition in ("line", "classes"):
        assert {(each.system, each.numerals) for each in runs if each.condition == condition} == taught
        assert min(pd.Series([each[:3] for each in runs if each.condition == condition]).value_counts()) == 3
    assert len({each[2:] for each in paired(items)}) == 300


def test_a_comparison_is_a_mean_over_families_with_the_luck_of_lessons_in_its_error():
    exact = compared(twins(0.1), "line", "permuted", "area")
    assert exact is not None
    assert exact["difference"] == pytest.approx(0.1)
    assert exact["low"] == pytest.approx(exact["high"])
    noisy = compared(twins(0.0, 0.1), "line", "permuted", "area")
    assert noisy is not None
    lessons = by_taught(twins(0.0, 0.1).rows, "area")
    weights = spoken()[spoken()["system"].isin(HUMANS)]
    share = pd.crosstab(weights["family"], weights["system"], normalize="index")
    less = {text: lessons[text, "shortest"].mean - lessons[text, "permuted"].mean for text in HUMANS}
    families = (share * pd.Series(less)).sum(axis=1)
    assert noisy["difference"] == pytest.approx(families.mean())
    luck = sum(
        share.mean()[text] ** 2 * lessons[text, how].error for text in HUMANS for how in ("shortest", "permuted")
    )
    error = np.sqrt(families.var() / len(families) + luck)
    assert (noisy["high"] - noisy["low"]) / 2 / error == pytest.approx(1.97, abs=0.02)
    assert luck > families.var() / len(families)  # which families alone would not have seen


def test_a_human_system_that_is_the_optimum_differs_from_it_in_nothing():
    items = [Item("human", "1-9 | 10", "1-9 | 10"), Item("optimum", "", "1-9 | 10")]
    rows = [lesson("line", "1-9 | 10", "shortest", seed, 0.5 + seed) for seed in range(3)]
    found = compared(study(items, rows), "line", "optimum", "area")
    assert found is not None
    assert (found["difference"], found["low"], found["high"]) == (0, 0, 0)


def test_systems_that_were_drawn_vary_as_such():
    items, rows = list[Item](), list[dict[str, object]]()
    for text in HUMANS:
        items.append(Item("human", text, text))
        rows += [lesson("line", text, "shortest", seed, 0.5) for seed in range(3)]
        for number, area in enumerate((0.3, 0.7)):
            other = f"1-{number + 3} | {20 + HUMANS.index(text)}"
            items.append(Item("matched", text, other))
            rows += [lesson("line", other, "shortest", seed, area) for seed in range(3)]
    found = compared(study(items, rows), "line", "matched", "area")
    assert found is not None
    assert found["difference"] == pytest.approx(0)
    assert found["high"] > 0.1


def test_verdicts_are_corrected_for_their_number():
    found = comparisons(twins(0.1, 0.01))
    assert [*found["other"].unique()] == ["permuted"]
    assert verdict(found.iloc[0]) == "easier"
    assert "Beside the **permuted twins**: on the number line easier (+0.1" in answers(found)
    assert verdict(comparisons(twins(-0.1, 0.01)).iloc[0]) == "harder"
    assert verdict(comparisons(twins(0.0, 0.1)).iloc[0]) == "no difference shown"
    assert (found["p_holm"] >= found["p"]).all()
    assert "Pair that talks: not played yet." in other_learners(found)
    pairs = other_learners(found.assign(condition="pair"))
    assert "Pair that talks: permuted twins: easier." in pairs


def random_systems(noise: float) -> Study:
    rng, items, rows = np.random.default_rng(0), list[Item](), list[dict[str, object]]()
    for number in range(120):
        size, length = 4 + number % 20, float(rng.normal())
        name = f"1-{size - 1} | {size + number // 20}"
        items.append(Item("random", "", name))
        area = 0.5 - 0.1 * length + noise * rng.normal()
        others = dict(zip(("irregularity", "changes", "bases"), rng.normal(size=3).tolist(), strict=True))
        rows.append(lesson("line", name, "shortest", 0, area, size=size, length=length, **others))
        if number < 20:
            items.append(Item("optimum", "", f"1-{size - 1} | 90"))
            rows.append(lesson("line", f"1-{size - 1} | 90", "shortest", 0, 0.9, size=size))
    return study(items, rows)


def test_the_regression_finds_what_was_put_in():
    found = random_systems(0.0)
    found = found._replace(rows=found.rows[found.rows["area"] != 0.9])
    exact = regression(found, "line").set_index("predictor")
    assert exact.loc["length", "coefficient"] == pytest.approx(-1)
    assert exact.loc["length", "r2_alone"] == pytest.approx(1)
    assert abs(exact.loc["size", "coefficient"]) < 1e-6
    noise = random_systems(10.0)
    assert regression(noise, "line")["r2"].iloc[0] < 0.1


def test_efficient_systems_are_compared_size_by_size():
    table = efficient(random_systems(0.0))
    assert [*table["size"]] == [*range(4, 24)]
    assert set(table["learner"]) == {"line"}
    assert (table["area_optimum"] == 0.9).all()


def test_the_words_that_are_kept_are_predicted_by_what_predicts_them():
    assert str(lexicon_without(NumeralSystem.parse("1-3,17,37 | 4,25"), "17 | none")) == "1-3,37 | 4,25"
    rng = np.random.default_rng(0)
    easier, shorter = rng.normal(size=(2, 400))
    rows = pd.DataFrame({
        "area": easier, "area_without": 0.0, "length": -shorter, "length_without": 0.0,
        "kept": easier + rng.logistic(size=400) > 0, "start": [str(number % 8) for number in range(400)],
    })  # fmt: skip
    found = predictions(rows).set_index(["fit", "predictor"])
    assert found.loc[("together", "easier"), "low"] > 0.5
    assert found.loc[("shorter", "shorter"), "low"] < 0 < found.loc[("shorter", "shorter"), "high"]
