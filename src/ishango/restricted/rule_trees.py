"""The rule trees of Xu, Liu and Regier: what a language's published complexity counts.

A rule is a tree that says what a word or an expression means, and its complexity is the number of its nodes.
"""

from __future__ import annotations

import re

from ishango.errors import RequestError

NUMBER, SUCCESSOR, HIGHER, GAUSSIAN, EQUATION = 3, 4, 4, 3, 3
"""`three = 3`; `four = s(three)`; `many = > 4`; `few = g(3)`; `thir = three`."""

ARITHMETIC, MEMBER = 6, 2
"""`cap cob popog = m(five) + m(one)`, and one more for each part of the form; `u in {...}`, one more a member."""

_FIXED = {"number": NUMBER, "successor": SUCCESSOR, "higher": HIGHER, "gaussian": GAUSSIAN, "equation": EQUATION}
_GROWING = {"arithmetic": ARITHMETIC, "member": MEMBER}


def rule_nodes(rules: str) -> int:
    """The nodes of rules written as `number*3 successor higher`; `arithmetic:3` has a form of three parts.

    >>> rule_nodes("number*3 successor higher")
    17
    >>> rule_nodes("arithmetic:3*6 member:4")
    60
    """
    return sum(_nodes(rule) for rule in rules.split())


def _nodes(rule: str) -> int:
    match = re.fullmatch(r"([a-z]+)(?::([0-9]{1,2}))?(?:\*([0-9]{1,3}))?", rule)
    name = match[1] if match else ""
    if match and name in _FIXED and not match[2]:
        return _FIXED[name] * int(match[3] or 1)
    if match and name in _GROWING and match[2]:
        return (_GROWING[name] + int(match[2])) * int(match[3] or 1)
    raise RequestError(
        f"{rule!r} is not a rule; write {', '.join(_FIXED)}, arithmetic:PARTS or member:MEMBERS, each with *TIMES."
    )
