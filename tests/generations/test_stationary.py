"""Many chains, what theory expects of them, and the plan and the picture of the study."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import vl_convert
from studies.chains import (
    Cell,
    base_of,
    chains_table,
    expected_digits,
    lexicon_measures,
    survival_table,
)
from studies.figures import bottleneck_figure

from ishango.frontiers import measure
from ishango.generations import GenerationOptions, play_chain
from ishango.lab import expand, load_plan
from ishango.numerals import Need, NumeralSystem, words_of

PLANS = Path(__file__).parents[2] / "plans"
USUAL = GenerationOptions(rounds=150)


def test_a_multiplier_costs_as_many_words_as_in_its_grammar():
    options = replace(USUAL, start="1-9 | 10", grammar="natural+")
    words = words_of(NumeralSystem.parse("1-9 | 10", grammar="natural+"), options.game.upto)
    [row] = lexicon_measures(words[None], options).to_dict("records")
    expected = measure(NumeralSystem.parse("1-9 | 10", grammar="natural+"))
    assert (row["size"], row["gap"]) == (expected.size, pytest.approx(expected.gap))


def test_the_base_is_a_multiplier_even_if_none_is_used():
    """Numbers that are words themselves need no multiplier."""
    assert base_of(words_of(NumeralSystem.parse("1-50 | 20,30"), 50), GenerationOptions()) == 20


def test_every_lexicon_is_measured_as_everywhere_else():
    cells = [Cell("a", replace(USUAL, rounds=60, bottleneck="50")), Cell("b", replace(USUAL, rounds=60, lose="random"))]
    table = chains_table(cells, ["1", "7"], [0, 3], last=20)
    assert len(table) == 2 * 2 * 2 * 20
    for row in table.sample(40, random_state=0).itertuples():
        system = NumeralSystem.parse(row.system)
        expected = measure(system)
        assert (row.size, row.n_multipliers) == (system.size, len(system.multipliers))
        if expected.gap is None:
            assert np.isnan(row.gap)
        else:
            assert row.gap == pytest.approx(expected.gap, abs=1e-12)
        assert row.base in system.multipliers
    chain = play_chain(replace(cells[0].options, start="7", seed=3))
    mine = table.query("cell == 'a' and start == '7' and seed == 3")
    assert mine["generation"].tolist() == list(range(41, 61))
    assert mine["size"].tolist() == chain[-20:].sum(axis=(1, 2)).tolist()


def test_words_survive_as_often_as_theory_says():
    table = survival_table(replace(USUAL, rounds=4_000), (0, 0.002, 0.005, 0.01, 0.02, 1.01))
    error = np.sqrt(table["expected"] * (1 - table["expected"]) / table["words"])
    assert (np.abs(table["heard"] - table["expected"]) < 4 * error + 1e-3).all()
    assert table["heard"].is_monotonic_increasing
    assert table["words"].min() > 50


def test_the_words_whose_survival_is_counted_are_those_of_the_chain():
    options = replace(USUAL, rounds=50)
    assert survival_table(options, (0, 1.01))["words"].sum() == play_chain(options)[:-1].sum()


def test_expected_digits_balance_gains_and_losses():
    need = Need.parse("power:2").weights(50)
    shares = expected_digits(need, 200, coined=0.4)
    lost = shares * (1 - need) ** 200
    nameless = float(((1 - shares) * need).sum())
    gained = (1 - shares) * np.minimum(1, 0.4 * need / nameless)
    assert lost.sum() == pytest.approx(gained.sum(), rel=1e-6)
    assert lost == pytest.approx(gained, abs=1e-10)  # number by number
    sizes = [expected_digits(need, b, 0.4).sum() for b in (20, 200, 2_000, 20_000)]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("bottleneck", [50, 400])
def test_sizes_come_to_rest_where_theory_says_about(bottleneck):
    """From a large and a small start; the theory, which knows only a digit's own number, is some words short."""
    cell = Cell("b", replace(USUAL, rounds=300, bottleneck=str(bottleneck)))
    table = chains_table([cell], ["5", "7"], range(10), last=150)
    sizes = table.groupby("start")["size"].mean()
    assert abs(sizes["5"] - sizes["7"]) < 0.5
    expected = expected_digits(Need.parse("power:2").weights(50), bottleneck, 0.4).sum()
    assert 0 < table["n_digits"].mean() - expected < 0.25 * expected


def test_a_bottleneck_takes_languages_to_the_frontier_and_drift_does_not():
    cells = [
        Cell("heard", USUAL),
        Cell("neutral", replace(USUAL, lose="random", coin="uniform")),
    ]
    gaps = chains_table(cells, ["1", "7"], range(10), last=50).groupby(["cell", "start", "seed"])["gap"].mean()
    assert gaps["heard"].max() < 0.2
    assert gaps["neutral"].min() > 0.5


def test_the_plan_has_the_cells_of_the_table():
    runs = expand(load_plan(PLANS / "generations-ideal.toml"))
    assert len(runs) == 12 * 4 * 50


def test_the_figure_is_drawn():
    sizes = pd.DataFrame({"bottleneck": [20, 200, 2_000], "size": [5, 11, 27], "low": [3, 8, 24], "high": [6, 13, 31]})
    gaps = pd.DataFrame({"mechanism": ["heard", "heard", "neutral"], "gap": [0.01, 0.05, 4.0]})
    figure = bottleneck_figure(sizes.assign(expected=[4, 8, 21]), pd.DataFrame({"low": [6], "high": [14]}), gaps)
    svg = vl_convert.vegalite_to_svg(figure.to_dict())
    assert all(text in svg for text in ("ideal learners", "theory", "most human languages", "neutral", "0.05"))
