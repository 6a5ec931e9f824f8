from __future__ import annotations

from threading import Semaphore

from ishango.explorer._optima import Background
from ishango.numerals import NumeralSystem


def test_no_two_questions_have_one_number_after_some_were_forgotten() -> None:
    """Keys cannot be put in order: two of one number would be compared, which ends the thread."""
    systems = [NumeralSystem.parse(f"1-{n} | {n + 1}") for n in range(2, 8)]
    began, may_end = Semaphore(0), Semaphore(0)

    def find(system: NumeralSystem) -> int:
        began.release()
        assert may_end.acquire(timeout=20)
        return system.size

    background: Background[NumeralSystem, int] = Background("sizes", find, most=1)
    for system in systems[:4]:
        background.get(system)
    may_end.release(2)  # the second answer lets the first be forgotten, while the fourth question waits
    for _ in range(3):
        assert began.acquire(timeout=20)
    background.get(systems[4])
    background.get(systems[5])
    may_end.release(9)
    for _ in range(3):
        assert began.acquire(timeout=20), "the thread has ended"
