"""What the columns of the tables mean that need no agents."""

from __future__ import annotations

from ishango.evolution.record import RoundRecord
from ishango.lab.records import columns
from ishango.numerals import PAPERS
from ishango.options import alternatives
from ishango.report.explained import Explained
from ishango.report.systems import CAP, FRONTIERS

DISTANCE = "share by which size and average complexity could shrink together, down to the proved frontier"
ROUND = {each.name: each.description for each in columns(RoundRecord)}
"""What the fields of a round mean; tables that have such columns take the words from here."""


def system_columns() -> dict[str, str]:
    """The columns that describe a system."""
    return {
        "grammar": f"the meta-grammar: {alternatives(PAPERS)}",
        "digits": "the set D",
        "multipliers": "the set M",
        **{name: ROUND[name] for name in ("size", "average_complexity", "gap")},
    }


def system_tables() -> dict[str, Explained]:
    """For each table what it holds, and what its columns mean."""
    system = system_columns()
    return {
        "scale": Explained(
            "How much was computed.",
            {
                "name": "quick or full",
                "rounds": "rounds of the evolving runs",
                "steps": "steps of communication in a round of the study agents",
                "side_steps": "steps in a round of the studies literal, exponential, hurford and random-starts",
                "learning_steps": "steps of agents that learn from scratch",
                "restricted_steps": "steps in each of twenty rounds of agents that learn a system without recursion",
                "coin": "runs of the coin from each start and under each reading",
                "oracle": "runs of each oracle from each start, and of the coin beside the side studies",
                "matched": "runs of a coin with the acceptance rate of each run of agents",
                "seeds": "runs of agents from each start",
            },
        ),
        "bands": Explained(
            "Three kinds of numeral systems, a row for each word of each number.",
            {
                "system": "the language",
                "kind": "approximate, exact restricted or recursive",
                "number": "1 to 30",
                "part": "which word of the number's expression, from 0",
                "parts": "how many words that has",
                "word": "the word: the numbers it names",
                "order": "its place among the system's words",
            },
        ),
        "restricted_frontier": Explained(
            "Optimal approximate and exact restricted systems (need n^-2.02).",
            {
                "kind": "approximate or exact restricted",
                "size": "number of words",
                "complexity": "nodes of the rules that define the words",
                "range": "over the numbers from 1 to this one",
                "cost": "the least communicative cost with so many words, in bits",
                "system": "a system that attains it: the numbers of each word",
                "worst_cost": "the greatest cost with so many words",
                "worst": "a system that attains that",
            },
        ),
        "restricted_languages": Explained(
            "The languages of Xu, Liu and Regier (2020), those at one point together.",
            {
                "kind": "approximate, exact restricted or recursive",
                "complexity": "nodes of the rules that define the words",
                "cost": "communicative cost in bits",
                "languages": "how many there are",
                "label": "their names",
                "range": "over the numbers from 1 to this one",
            },
        ),
        "languages": Explained(
            "Human numeral systems under every grammar.",
            {
                "language": "its name",
                "family": "its family",
                "base": "the kind of its base",
                **system,
                "multiplier_count": "|M|",
                "said": "average complexity of what is actually said; empty where the table does not tell",
                "distance": DISTANCE,
            },
        ),
        "starts": Explained(
            "The paper's starting systems under every grammar.", {"start": "the paper's number", **system}
        ),
        "modifications": Explained(
            "The six modifications and what they make of an example.",
            {
                "action": "m0 to m5",
                "paper": "the paper's words",
                "example": "a system, D | M",
                "lowest": "what becomes of it, if the lowest free numeral is added",
                "literal": "the same if the highest is added, as the paper's words say",
                "covers": "whether the system in the column lowest covers 1 to 50; if not, it is discarded",
            },
        ),
        "frontier": Explained(
            "Proved frontiers: the least average complexity of each size.",
            {
                "series": f"which frontier: {'; '.join(FRONTIERS)} (overlap: D and M may share words; at most {CAP}: "
                "multipliers)",
                **{name: system[name] for name in ("grammar", "size", "average_complexity", "digits", "multipliers")},
                "lower_bound": "no system of this size has a smaller average",
                "proved": "whether the bound is attained",
                "fewest": "fewest multipliers of an optimum of this size",
                "most": "most multipliers of an optimum of this size",
                "optima": "how many optimal systems there are (Hurford: how many optimal sets of words)",
            },
        ),
        "genetic": Explained(
            "How far the genetic algorithm ends above the proved frontier.",
            {
                "search": "which frontier is estimated",
                "size": system["size"],
                "above": "average complexity found minus the proved one, median over seeds",
                "low": "the least over seeds",
                "high": "the greatest over seeds",
                "seeds": "seeds whose front has a system of this size",
            },
        ),
        "table4": Explained(
            "The paper's Table 4 and the proved optimum under Hurford's grammar.",
            {
                "system": "which row",
                **system,
                **{f"average_{name}": f"average complexity under the grammar {name} (symbols)" for name in PAPERS},
                "changes": "steps from n to n + 1 on which the multiplier of the outermost phrase changes",
                "bases": "different multipliers of outermost phrases",
            },
        ),
        "size_twelve": Explained(
            "The minimal languages of the systems of Table 4.",
            {
                "system": "name and words",
                "number": "1 to 99",
                "expression": "its shortest expression",
                "leaves": "words in it",
                "base": "multiplier of the outermost phrase, 0 for a digit",
            },
        ),
        "shares": Explained(
            "How often each number is talked about.",
            {"need": "the need", "number": "1 to 50", "share": "how often it is drawn"},
        ),
        "evaluations": Explained(
            "Systems under several needs, modified grammar.",
            {
                "kind": "start, human, or where a run ended: agents or coin",
                "name": "start, language or run",
                "start": "the run's start",
                "system": "D | M",
                "need": "n^-2 (power:2), or one that falls exponentially (exp:RATE), which is a question of ours",
                **{name: system[name] for name in ("size", "average_complexity", "gap")},
            },
        ),
        "beyond": Explained(
            "What numbers from 100 to 999 add, modified grammar.",
            {
                "kind": "start or human",
                "name": "start or language (the first of those with this system)",
                "system": "D | M",
                "average_99": "average complexity over 1 to 99",
                "average_999": "average complexity over 1 to 999",
                "optimum_99": "average complexity over 1 to 99 of the system of this size that is optimal there",
                "optimum_999": "average complexity over 1 to 999 of the same system",
            },
        ),
    }  # fmt: skip
