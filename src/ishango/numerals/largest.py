"""How large values can get, and how large they need to be.

**Theorem.** In an expression of k leaves for a number n, a part of j leaves is at most n + S(k - j), S(r) being the
largest sum of values that have r leaves together. *Proof.* Go down from n to the part. Where a part is a factor or a
term of a sum it is at most what it is a part of. In p - v the term v is less than p, and p is the difference plus v.
So each step adds at most the value of the other part to the bound. These other parts are outside the part that
is looked for and have no leaf in common, so that they have at most k - j leaves together.

Hence the numbers of a range have an expression of k leaves if and only if they have one inside a limit that is known
beforehand: a part of j leaves needs to be no larger than that, nor than anything of j leaves is.
"""

from __future__ import annotations

from functools import cache

from ishango.numerals.system import NumeralSystem

LARGEST_SUM = 2**62
"""What fits into 64 bits with a bit to spare."""


class Largest:
    """The largest values of a system's expressions, by their leaves; Python's integers have no limit."""

    def __init__(self, system: NumeralSystem, upto: int) -> None:
        self._rules, self._upto = system.rules, upto
        self._multiplier = system.multipliers[-1]
        words = (*system.digits, *(system.multipliers if self._rules.bare_number else ()))
        self._word = max(words)
        self.cap: int = LARGEST_SUM // (4 * self._multiplier)
        """Values up to this one can be multiplied and added without leaving 64 bits."""
        self.number = cache(self._number)
        self._sum = cache(self._largest_sum)

    def fits(self, leaves: int) -> bool:
        """Whether no expression of so many leaves, for a number of the range, needs a value above the cap."""
        return all(self.needed(part, leaves) <= self.cap for part in range(1, leaves + 1))

    def needed(self, part: int, leaves: int) -> int:
        """The largest value that a part of so many leaves needs, in an expression for a number of the range."""
        if not self._rules.minus:
            return self._upto
        return min(self.number(part), self._upto + self._sum(leaves - part))

    def _number(self, leaves: int) -> int:
        """The largest number of so many leaves, or of fewer: no number of so many is larger."""
        if leaves <= 1:
            return self._word
        most = self._phrase(leaves)
        if self._rules.plus:
            most = max(most, *(self._phrase(x) + self.number(leaves - x) for x in range(1, leaves)))
        return max(most, self.number(leaves - 1))

    def _phrase(self, leaves: int) -> int:
        if leaves <= 1:
            return self._multiplier  # where it is no phrase, no smaller than what is
        return (self.number(leaves - 1) if not self._rules.flat else max(self._word, self._phrase(leaves - 1))) * (
            self._multiplier
        )

    def _largest_sum(self, leaves: int) -> int:
        """The largest sum of values that have so many leaves together."""
        if leaves <= 0:
            return 0
        return max(self.number(part) + self._sum(leaves - part) for part in range(1, leaves + 1))
