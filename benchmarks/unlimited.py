"""How many lexicons can be settled without a limit on values, and how long that takes: python -m benchmarks.unlimited

Lexicons are drawn at random, words up to 99, under the modified grammar. One is settled when every number of 1..99 has
its least leaves proved, or is proved to have none. With another source tree on PYTHONPATH the same are tried with that.
"""

from __future__ import annotations

import time

import numpy as np

from ishango.numerals import NumeralSystem, minimal_language

SHAPES = ((3, 1), (4, 2), (5, 2), (6, 3))
"""Words, and how many of them are multipliers."""
DRAWN = 20


def main() -> None:
    rng = np.random.default_rng(1)
    print(f"{'words':>5} {'multipliers':>11} {'settled':>9} {'leaves looked at':>17} {'mean s':>7} {'worst s':>8}")
    for words, multipliers in SHAPES:
        settled, depths, times = 0, [], []
        for _ in range(DRAWN):
            drawn = [int(word) for word in rng.choice(np.arange(1, 100), words, replace=False)]
            began = time.process_time()
            language = minimal_language(
                NumeralSystem(tuple(drawn[multipliers:]), tuple(drawn[:multipliers])), limit=None
            )
            times.append(time.process_time() - began)
            settled += not language.unproved and set(language.missing) <= set(language.impossible)
            depths.append(language.searched)
        found = f"{settled} of {DRAWN}"
        print(
            f"{words:5} {multipliers:11} {found:>9} {np.median(depths):17.0f} {np.mean(times):7.2f} {max(times):8.2f}"
        )


if __name__ == "__main__":
    main()
