"""A claim, by name: what the paper says, and how the tables of a reproduction judge it.

They are in the files of `ishango.report.claims`, each beside its function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ishango.report.claims.verdict import Verdict, unjudged
from ishango.report.data import Tables
from ishango.report.played import lacking

Judge = Callable[[Tables], Verdict]

GROUPS = ("evolution", "learning", "frontier")
"""The groups of this package in the order of the page; others follow them."""


@dataclass(frozen=True)
class Claim:
    """What is claimed, and the function from tables to the verdict on it."""

    name: str
    group: str
    """Claims of one group stand together on the page."""
    sentence: str
    """What the paper says, in short; `Our question: ...?` where it says nothing of the kind."""
    judge: Judge
    """From the tables of a reproduction, and nothing else, to a verdict."""
    brief: str = ""
    """The same in a few words, for a list; its name if there are none."""
    studies: tuple[str, ...] = ()
    """The studies whose runs are judged; none where nothing was played."""

    def verdict(self, data: Tables) -> Verdict:
        """The verdict under this claim's name; before each start or setting of its studies has a run, there is none."""
        said = self.sentence if self.sentence.endswith("?") else f"{self.sentence}."
        brief = self.brief or self.name.replace("-", " ")
        missing = lacking(data, self.studies)
        return replace(unjudged(missing) if missing else self.judge(data), name=self.name, claim=said, brief=brief)


CLAIMS: dict[str, Claim] = {}
"""Filled by `claim`."""


def claim(
    name: str, group: str, sentence: str, brief: str = "", *, studies: tuple[str, ...] = ()
) -> Callable[[Judge], Judge]:
    """Add a function from tables to a verdict to the claims."""

    def add(judge: Judge) -> Judge:
        if name in CLAIMS:
            raise ValueError(f"there are two claims {name!r}")
        CLAIMS[name] = Claim(name, group, sentence, judge, brief, studies)
        return judge

    return add


def verdicts(data: Tables) -> list[Verdict]:
    """The verdicts on all claims, group by group."""
    return [each.verdict(data) for each in in_order(CLAIMS.values())]


def in_order(claims: Iterable[Claim]) -> list[Claim]:
    """Claims as the page has them: those of one group together, groups of other packages last."""
    known = list(claims)
    groups = dict.fromkeys([*GROUPS, *(each.group for each in known)])
    return [each for group in groups for each in known if each.group == group]
