"""Paths are drawn as steps that never lie below the frontier."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ishango.figures.look import corner, stepped

FRONTIER = {2: 2.6, 3: 1.96, 4: 1.66, 5: 1.5, 6: 1.4, 7: 1.33, 8: 1.28}


def walk(seed: int, rounds: int = 60) -> pd.DataFrame:
    """Two runs that wander on and above the frontier, and stay where they are now and then."""
    random = np.random.default_rng(seed)
    sizes = random.integers(2, 9, size=2 * rounds)
    costs = [FRONTIER[size] + random.choice([0, 0, 0.2, 1.1]) for size in sizes]
    run, number = np.divmod(np.arange(2 * rounds), rounds)
    table = pd.DataFrame({"run": run, "round": number, "size": sizes, "average_complexity": costs, "start": "1"})
    table.loc[10:20, ["size", "average_complexity"]] = table.loc[10, ["size", "average_complexity"]].to_numpy()
    return table


def test_no_step_lies_below_the_frontier_and_every_one_is_level_or_upright() -> None:
    path = stepped(walk(0))
    places = path[["size", "average_complexity"]]
    for _, one in places.groupby(path["run"]):
        for (x, y), (new_x, new_y) in zip(one.to_numpy(), one.to_numpy()[1:], strict=False):
            assert x == new_x or y == new_y
            least = max(FRONTIER[size] for size in range(int(min(x, new_x)), int(max(x, new_x)) + 1))
            assert min(y, new_y) >= least or (x == new_x and min(y, new_y) >= FRONTIER[int(x)])


def test_the_rounds_are_all_there_in_their_order_with_the_corners_of_moves_between() -> None:
    table = walk(1)
    path = stepped(table.sample(frac=1, random_state=0))
    ends = path[path["step"] % 2 == 0].drop(columns="step").reset_index(drop=True)
    pd.testing.assert_frame_equal(ends, table, check_dtype=False)
    corners = path[path["step"] % 2 == 1]
    assert not corners["round"].isin(range(11, 21))[corners["run"] == 0].any()
    by_place = table.set_index(["run", "round"])
    for each in corners.itertuples():
        before, after = (
            tuple(by_place.loc[(each.run, number), ["size", "average_complexity"]])
            for number in (each.round - 1, each.round)
        )
        assert (each.size, each.average_complexity) == corner(before, after)
