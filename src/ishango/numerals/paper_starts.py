"""The eight starting systems of the paper's table.

>>> len(STARTS), str(STARTS[6])
(8, '1,4,12 | 9,25')
"""

from __future__ import annotations

from ishango.numerals.system import NumeralSystem

STARTS: tuple[NumeralSystem, ...] = tuple(
    NumeralSystem.parse(text)
    for text in (
        "1,2,3,20,35,37,40,47,49 | 4,25,45",
        "1,4,7,8,15 | 10,33",
        "1,20,25,28,31,39,41,45 | 2,3,4,15",
        "1,4,19,21,39,40,45,47,49 | 3,5,8,10,18,23,28,30,37,42,43,48",
        "1,2,3,4,5,10,20,30,35,40,47,49 | 6,11,13,15,45,50",
        "1,2,35,37,40,47,49 | 3,5,10,20,30,40",
        "1,4,12 | 9,25",
        "1,4,17,22,49 | 9,10,25,28,31,41,45",
    )
)
"""The paper's eight starts: random systems off the frontier that cover 1..50; `STARTS[0]` is the paper's number 1."""
