"""What records tell of a language beside its words."""

import json
from dataclasses import replace

import pytest
from tests.generations.test_neural import SMALL

from ishango.game import dictionary
from ishango.generations import GenerationOptions, Generations
from ishango.generations._upbringing import said
from ishango.lab import play_in_memory, read_rounds, rounds_table, run
from ishango.numerals import NumeralSystem

KEPT = GenerationOptions(rounds=1, bottleneck="all", invent=0)


@pytest.mark.parametrize(
    ("start", "kept", "bases"),
    [
        ("1-4 | 5", 48, 1),  # the base appears at 5, and stays
        ("1-9,11,13 | 10", 44, 1),  # 11 and 13 are words, with neighbours that are not
        ("1-9,11-19,21-29,31-39,41-49 | 10,20,30,40,50", 40, 5),  # every ten is a word of its own
    ],
)
def test_a_language_is_regular_where_neighbours_have_the_same_base(start, kept, bases):
    records, _ = play_in_memory(Generations(replace(KEPT, start=start)))
    for record in records:
        assert (record["regularity"], record["bases"]) == (pytest.approx(kept / 49), bases)
        assert record["topographic_similarity"] is None


@pytest.mark.parametrize("steps", [SMALL.steps, 0])
def test_topographic_similarity_is_that_of_the_dictionary(steps):
    options = replace(SMALL, rounds=1, steps=steps)
    records, state = play_in_memory(Generations(options))
    system = NumeralSystem(records[-1]["digits"], records[-1]["multipliers"])
    table = dictionary(state.population.pairs[0], said(system, options.talk))
    assert records[-1]["topographic_similarity"] == table["topographic_similarity"].iloc[0]
    assert records[0]["topographic_similarity"] is not None


def test_runs_from_before_there_were_these_measures_are_continued_and_tabulated(tmp_path):
    run(Generations(KEPT), tmp_path / "run")
    new = ("topographic_similarity", "regularity", "bases", "lexicons", "mean_gap")
    old = [{name: value for name, value in each.items() if name not in new} for each in read_rounds(tmp_path / "run")]
    (tmp_path / "run" / "rounds.jsonl").write_text("".join(json.dumps(each) + "\n" for each in old))
    document = json.loads((tmp_path / "run" / "run.json").read_text())
    del document["config"]["population"]
    (tmp_path / "run" / "run.json").write_text(json.dumps(document))
    table = rounds_table(tmp_path)
    assert table[list(new)].isna().all(axis=None)
    assert table["population"].tolist() == [1, 1]
    run(Generations(replace(KEPT, rounds=2)), tmp_path / "run")
    assert rounds_table(tmp_path)["regularity"].isna().tolist() == [True, True, False]
