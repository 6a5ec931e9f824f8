from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from ishango.restricted import TermSystem, describe_system, random_terms, restricted_ends, summary
from ishango.restricted._best_systems import best_rewarded


def rounds(*words: str, vocabulary: int = 3) -> pd.DataFrame:
    """Runs of two rounds each that end with these systems."""
    setting = {"range": 20, "need": "power:2.02", "weber": 0.31, "reward": "linear", "vocabulary": vocabulary}
    return pd.DataFrame(
        [
            {"run": f"run{i}", "round": number, **setting, **describe_system(TermSystem.parse(said, 20))}
            for i, end in enumerate(words)
            for number, said in ((1, end), (0, "1-10|11-"))
        ]
    )


def test_random_systems_are_intervals_and_every_cut_is_as_likely() -> None:
    rng = np.random.default_rng(0)
    drawn = Counter(str(random_terms(5, 3, rng)) for _ in range(3000))
    assert all(TermSystem.parse(system, 5).contiguous for system in drawn)
    assert len(drawn) == 6
    assert min(drawn.values()) > 400


def test_ends_are_the_last_rounds_beside_their_controls() -> None:
    finals = restricted_ends(rounds("1|2-4|5-", "1-15|16-18|19-")).set_index("run")
    good, bad = finals.loc["run0"], finals.loc["run1"]
    assert (good["round"], good["words"]) == (1, "1|2-4|5-")
    assert good["gap_rank"] < 0.02 < 0.6 < bad["gap_rank"]
    assert good["gap_random"] == bad["gap_random"] > 1
    assert (good["variation"], good["nearest"]) == (0, "Pirahã")
    assert good["variation_rank"] < 0.02 < bad["variation_rank"]
    # Pirahã's words are those that earn most, too.
    assert str(best_rewarded(3, "linear")[1]) == "1|2-4|5-"
    assert good["regret"] == pytest.approx(0, abs=1e-12)
    assert good["gap_rewarded"] == pytest.approx(good["gap"])
    assert bad["regret"] > 0.01


def test_what_no_human_language_is_like_has_no_rank() -> None:
    (final,) = restricted_ends(rounds("1|2|3|4|5|6|7-", vocabulary=9)).to_dict("records")
    assert np.isnan(final["variation_rank"])
    assert final["gap_rank"] < 0.1
    assert final["regret"] > 0


def test_summaries_leave_out_who_says_nothing() -> None:
    (row,) = summary(restricted_ends(rounds("1|2-4|5-", "1-", "1|2-4,6|5,7-"))).to_dict("records")
    assert (row["runs"], row["silent"], row["words"]) == (3, 1, 3)
    assert (row["intervals"], row["exact"], row["nearer"], row["human"]) == (0.5, 0, 1, 0.5)
    gaps = restricted_ends(rounds("1|2-4|5-", "1|2-4,6|5,7-"))["gap"]
    assert row["gap"] == pytest.approx(gaps.mean())
