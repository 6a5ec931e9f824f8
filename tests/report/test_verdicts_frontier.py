"""Verdicts about the frontier and about human languages on tables made by hand; what is computed lacks no data."""

import pandas as pd
import pytest
from tests.report.by_hand import LANGUAGES, SCALE, optima

from ishango.report.claims import CLAIMS

HOLDS, NOT, LACKS = "holds", "does not hold", "too little data here"


pytestmark = pytest.mark.usefixtures("few_draws")
"""What is tried here is clear with few draws."""


def ruled(name, **tables):
    return CLAIMS[name].verdict({"scale": SCALE, **tables})


def test_a_single_multiplier():
    overlap = optima([1, 1, 2, 2], [1, 1, 2, 2], "modified, overlap")
    single = ruled("single-multiplier", frontier=pd.concat([optima([1] * 4, [1] * 4), overlap]))
    assert (single.ruling, single.value) == (HOLDS, 0)
    assert "2 of 4 sizes, from 4 on" in single.measured
    several = ruled("single-multiplier", frontier=pd.concat([optima([1] * 4, [1, 1, 2, 1]), overlap]))
    assert (several.ruling, several.value) == (NOT, 1)


@pytest.mark.parametrize(
    ("fewest", "most", "distance"),
    [
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], 0.0),
        ([1, 1, 1, 1, 1], [5, 5, 5, 5, 5], 0.0),
        ([5, 5, 5, 5, 5], [5, 5, 5, 5, 5], 0.8),
        ([1, 1, 1, 1, 1], [1, 1, 1, 1, 1], 0.8),
        ([1, 2, 5, 5, 5], [2, 5, 5, 5, 5], 0.4),
        ([1] * 9 + [5] * 3, [1] * 9 + [5] * 3, 0.6),
    ],
)
def test_a_uniform_spread(fewest, most, distance):
    verdict = ruled("spread-of-multipliers", frontier=optima(fewest, most, "Hurford, at most 5"))
    assert verdict.value == pytest.approx(distance)
    assert verdict.ruling == (HOLDS if distance < 0.1 else NOT)


@pytest.mark.parametrize(("ruling", "fewest"), [(HOLDS, [1, 6, 7, 8]), (NOT, [1, 2, 3, 8])])
def test_without_the_cap(ruling, fewest):
    verdict = ruled("effect-of-the-cap", frontier=optima(fewest, [9] * 4, "Hurford"))
    assert (verdict.ruling, verdict.exact) == (ruling, True)


def families(**columns):
    """Six families, of which the first has as many languages as all others together."""
    table = pd.DataFrame(
        {"family": ["large"] * 5 + list("abcde"), "grammar": "hurford", "size": 12, "multiplier_count": 1,
         "gap": 0.02, "average_complexity": 1.2, "said": 1.2, "languages": 1}
    )  # fmt: skip
    return table.assign(**columns)


def of_people(name, world, core=None):
    """A claim judged on the catalogue; the languages checked by hand are of one kind unless they are given."""
    return ruled(name, world=world, languages=(families() if core is None else core).drop(columns="languages"))


@pytest.mark.parametrize(
    ("ruling", "counts", "share"),
    [
        (HOLDS, [1] * 10, 1.0),
        (NOT, [3] * 10, 0.0),
        (NOT, [1] * 5 + [3] * 5, 1 / 6),
        (LACKS, [3] * 5 + [1, 1, 1, 3, 3], 0.5),
    ],
)
def test_multipliers_of_languages_by_family(ruling, counts, share):
    """Half of the languages have few in the third case, but they are all of one family."""
    verdict = of_people("few-multipliers-in-languages", families(multiplier_count=counts))
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(share))
    assert verdict.by_hand == "1 [1, 1] of 10 languages: holds"
    other = of_people("few-multipliers-in-languages", families(), families(multiplier_count=counts))
    assert (other.ruling, other.value) == (HOLDS, 1.0)
    assert other.by_hand.startswith(f"{share:.3g} [")
    assert other.by_hand.endswith(f"of 10 languages: {ruling}")


def test_a_row_of_the_catalogue_stands_for_its_varieties():
    """Each family counts once, and in a family each variety: nine of ten in the first have few multipliers."""
    world = families(multiplier_count=[1, 3, 3, 3, 3] + [1] * 5, languages=[36, 1, 1, 1, 1] + [7] * 5)
    verdict = of_people("few-multipliers-in-languages", world)
    assert verdict.value == pytest.approx((0.9 + 5) / 6)
    assert verdict.measured.startswith("71 of the 75 varieties")
    assert verdict.each == "71 languages with 1; 4 languages with 3"


@pytest.mark.parametrize(("ruling", "gaps"), [(HOLDS, [0.04] * 10), (NOT, [0.06] * 10), (NOT, [0.01] * 5 + [0.2] * 5)])
def test_languages_near_the_frontier(ruling, gaps):
    """What people say lies .1 symbols above the shortest expressions, so it is never so near."""
    verdict = of_people("near-optimal-languages", families(gap=gaps, said=1.3))
    assert verdict.ruling == ruling
    assert "that is so near in 0% [0%, 0%]" in verdict.measured


@pytest.mark.parametrize(
    ("ruling", "sizes"), [(HOLDS, [12] * 10), (NOT, [6] * 10), (LACKS, [12] * 5 + [12, 12, 6, 6, 20])]
)
def test_sizes_of_languages_by_family(ruling, sizes):
    assert of_people("sizes-of-languages", families(size=sizes)).ruling == ruling


@pytest.mark.parametrize(
    ("ruling", "recursive", "restricted"),
    [(HOLDS, [70, 120, 130], 10), (NOT, [70, 71, 72], 10), (NOT, [70, 120, 130], 20)],
)
def test_recursive_languages_lie_off_the_frontier_of_xu(ruling, recursive, restricted):
    """A restricted language of one bit needs 10 nodes; no system that is known loses nothing with fewer than 70."""
    languages = pd.DataFrame(
        {"kind": ["approximate", *["recursive"] * 3], "complexity": [restricted, *recursive], "cost": [1.0, 0, 0, 0],
         "languages": [3, 1, 1, 1]}
    )  # fmt: skip
    optimal = pd.DataFrame({"complexity": [5, 10, 400], "cost": [2.0, 1.0, 0.0]})
    verdict = ruled(
        "off-the-frontier-of-xu",
        restricted_languages=languages.assign(range=100),
        restricted_frontier=optimal.assign(range=100),
    )
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(recursive[1] / 70))


@pytest.mark.parametrize(("ruling", "gap"), [(HOLDS, 0.0), (NOT, 0.02)])
def test_table_four(ruling, gap):
    rows = ("Hurford (published)", "modified", "Mixtec A", "Hurford (proved)")
    table = pd.DataFrame(
        {"system": rows, "gap": [gap, 0.0, 0.1, 0.0], "average_hurford": 1.1, "digits": "1", "multipliers": "2"}
    )
    capped = optima([1], [1], "Hurford, at most 5", first=12)
    assert ruled("table-four", table4=table, frontier=capped).ruling == ruling


@pytest.mark.parametrize(("ruling", "changes"), [(HOLDS, [70, 1, 19]), (NOT, [10, 1, 19])])
def test_predictable_structure(ruling, changes):
    table = pd.DataFrame({"system": ["Hurford (published)", "modified", "Mixtec A"], "changes": changes})
    verdict = ruled("predictable-structure", table4=table)
    assert (verdict.ruling, verdict.value) == (ruling, changes[0] - 19)


FOUND = ([0, 0, 0.001], [0, 0, 0], [0.005, 0, 0.002])
MISSED = ([0.2, 0.3, 0.001], [0.1, 0.1, 0], [0.5, 0.4, 0.002])


@pytest.mark.parametrize(
    ("ruling", "one", "other"),
    [
        (HOLDS, FOUND, FOUND),
        (LACKS, FOUND, ([0, 0, 0.001], [0, 0, 0], [0.5, 0, 0.002])),
        (NOT, FOUND, MISSED),
        (NOT, FOUND, ([0, 0], [0, 0], [0, 0])),
    ],
)
def test_genetic_estimates_search_by_search(ruling, one, other):
    """Pooled, the third would have found more than half; the last has not found one of the three proved sizes."""
    tables = [
        pd.DataFrame(
            {"search": name, "size": range(2, 2 + len(above)), "above": above, "low": low, "high": high, "seeds": 3}
        )
        for name, (above, low, high) in (("modified", one), ("Hurford", other))
    ]
    proved = pd.concat([optima([1] * 3, [1] * 3), optima([1] * 3, [1] * 3, "Hurford")])
    assert ruled("genetic-estimate", genetic=pd.concat(tables), frontier=proved).ruling == ruling


@pytest.mark.parametrize(("ruling", "added"), [(HOLDS, 0.015), (NOT, 0.04)])
def test_numbers_beyond_99_on_the_scale_of_human_gaps(ruling, added):
    """The median gap of human languages is 0.02 symbols."""
    table = pd.DataFrame({"average_99": [1.0, 2.0], "optimum_99": 1.0, "optimum_999": 1.01})
    table = table.assign(average_999=table["average_99"] + [added, 0.01])
    verdict = ruled("beyond-99", beyond=table, languages=LANGUAGES)
    assert (verdict.ruling, verdict.value) == (ruling, pytest.approx(added / 0.02))
    assert f"adds 0.010 to {added:.3f} symbols" in verdict.measured
    assert f"changes by at most {added - 0.01:.3f} symbols" in verdict.measured  # the other system's does not change
