"""The cost `unpacked`: numbers that are not built on the largest multiplier that fits."""

from ishango.costs.cost import Cost
from ishango.numerals import Expression, NumeralSystem


def is_packed(expression: Expression, system: NumeralSystem) -> bool:
    """Whether each phrase in the expression has the largest multiplier that fits into the number it heads.

    >>> french = NumeralSystem.parse("1-9 | 10,20", "hurford")
    >>> is_packed(Expression.parse("4 * 20 + 10 + 7"), french), is_packed(Expression.parse("3 * 10"), french)
    (True, False)
    """
    stack = [expression]
    while stack:
        node = stack.pop()
        phrase = node.left if node.operator in ("+", "-") and node.left else node
        if phrase.operator == "*" and phrase.left and phrase.right:
            multiplier = phrase.right.value
            stack.append(phrase.left)
        elif phrase.value in system.multipliers:
            multiplier = phrase.value
        else:
            continue  # a digit
        if multiplier != max((m for m in system.multipliers if m <= node.value), default=None):
            return False
        if phrase is not node and node.right:
            stack.append(node.right)
    return True


UNPACKED = Cost(
    name="unpacked",
    label="unpacked",
    sentence="the numbers in which some phrase lacks the largest multiplier that fits into what it heads",
    reference="the packing strategy of Hurford (1975), as far as it speaks of multipliers; the count is ours",
    unit="numbers",
    measure=lambda said: sum(not is_packed(said.expressions[n], said.system) for n in range(1, said.upto + 1)),
)
