"""A reproduction of a minute, for tests; as a script, one that can be killed: python tiny.py DIRECTORY."""

import sys
from dataclasses import replace
from pathlib import Path

from ishango.report import QUICK, reproduce

TINY = replace(
    QUICK,
    name="tiny",
    rounds=3,
    steps=30,
    coin=2,
    oracle=2,
    side_steps=20,
    learning_steps=30,
    learning_seeds=range(1),
    restricted_steps=10,
    genetic_seeds=range(1),
    capped=range(2, 6),
)

if __name__ == "__main__":
    reproduce(TINY, Path(sys.argv[1]), workers=2)
