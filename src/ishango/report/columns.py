"""What every column of every table means: the text of `data/README.md`."""

from __future__ import annotations

from ishango.report.data import Tables

_SYSTEM = {
    "grammar": "modified (the paper's) or hurford",
    "digits": "the set D",
    "multipliers": "the set M",
    "size": "lexicon size, |D| + |M|",
    "average_complexity": "need-weighted mean number of symbols of the shortest expressions of 1 to 99 (n^-2 unless "
    "said otherwise)",
    "gap": "average complexity minus that of the proved frontier at this size; empty where that is not proved",
}  # fmt: skip
_RUN = {
    "study": "agents, literal (m0 and m1 read literally), exponential, coin (neutral drift) or oracle (keeps what is "
    "shorter)",
    "run": "the run's directory below runs/",
    "start": "the starting system: 1 to 8 for the paper's",
    "seed": "the seed of the run",
    "add": "which free numeral m0 and m1 add",
    "choose": "who decides: bandit (agents), coin or shorter (oracle)",
    "need": "how often each number is talked about and counted",
}  # fmt: skip

TABLES: dict[str, tuple[str, dict[str, str]]] = {
    "scale": (
        "How much was computed.",
        {
            "name": "quick or full",
            "rounds": "rounds of the evolving runs",
            "steps": "steps of communication in a round of the study agents",
            "side_steps": "steps in a round of the studies literal and exponential",
            "learning_steps": "steps of agents that learn from scratch",
            "restricted_steps": "steps in each of twenty rounds of agents that learn a system without recursion",
            "coin": "runs of the coin from each start and under each reading",
            "oracle": "runs of the oracle from each start",
            "seeds": "runs of agents from each start",
        },
    ),
    "bands": (
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
    "restricted_frontier": (
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
    "restricted_languages": (
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
    "languages": (
        "Human numeral systems under both grammars.",
        {
            "language": "its name",
            "family": "its family",
            "base": "the kind of its base",
            **_SYSTEM,
            "multiplier_count": "|M|",
            "said": "average complexity of what is actually said; empty where the table does not tell",
        },
    ),
    "starts": ("The paper's starting systems under both grammars.", {"start": "the paper's number", **_SYSTEM}),
    "modifications": (
        "The six modifications and what they make of an example.",
        {
            "action": "m0 to m5",
            "paper": "the paper's words",
            "example": "a system, D | M",
            "lowest": "what becomes of it, if the lowest free numeral is added",
            "literal": "the same if the highest is added, as the paper's words say",
            "covers": "whether the system in the column lowest covers 1 to 50; if not, the modification is discarded",
        },
    ),
    "frontier": (
        "Proved frontiers: the least average complexity of each size.",
        {
            "series": "which frontier: modified; modified with D and M allowed to overlap; Hurford; Hurford with at "
            "most 5 multipliers",
            **{name: _SYSTEM[name] for name in ("grammar", "size", "average_complexity", "digits", "multipliers")},
            "lower_bound": "no system of this size has a smaller average",
            "proved": "whether the bound is attained",
            "fewest": "fewest multipliers of an optimum of this size",
            "most": "most multipliers of an optimum of this size",
            "optima": "how many optimal systems there are (Hurford: how many optimal sets of words)",
        },
    ),
    "genetic": (
        "How far the genetic algorithm ends above the proved frontier.",
        {
            "search": "which frontier is estimated",
            "size": _SYSTEM["size"],
            "above": "average complexity found minus the proved one, median over seeds",
            "low": "the least over seeds",
            "high": "the greatest over seeds",
            "seeds": "seeds whose front has a system of this size",
        },
    ),
    "table4": (
        "The paper's Table 4 and the proved optimum under Hurford's grammar.",
        {
            "system": "which row",
            **_SYSTEM,
            "average_modified": "average complexity under the modified grammar",
            "average_hurford": "average complexity under Hurford's grammar",
            "changes": "steps from n to n + 1 on which the multiplier of the outermost phrase changes",
            "bases": "different multipliers of outermost phrases",
        },
    ),
    "size_twelve": (
        "The minimal languages of the systems of Table 4.",
        {
            "system": "name and words",
            "number": "1 to 99",
            "expression": "its shortest expression",
            "leaves": "words in it",
            "base": "multiplier of the outermost phrase, 0 for a digit",
        },
    ),
    "game": (
        "One game of trained agents, a row for each position of the message.",
        {
            "run": "whose agents",
            "after_round": "after which round",
            "system": "the system they speak, D | M",
            "number": "the number to be said",
            "position": "place in the message",
            "token": "what the speaker reads there",
            "symbol": "what it says",
            "probability": "with which probability it says that",
            "guess": "the listener's likeliest guess",
            "reward": "1 if that is the number",
        },
    ),
    "game_guesses": (
        "The listener's probabilities after that message.",
        {"number": "1 to 50", "probability": "of guessing it"},
    ),
    "rounds": (
        "All rounds of all runs in which languages evolve.",
        {
            **_RUN,
            "round": "0 is the start, after pre-training",
            **{name: text for name, text in _SYSTEM.items() if name != "grammar"},
            "action": "the modification tried",
            "alternative": "the system it leads to, D | M",
            "accepted": "whether it was kept",
            "delta_average": "average complexity of the alternative minus that of the current system, over 1 to 50",
            "accuracy": "share of games won in the last 500 steps of the round",
            "accuracy_greedy": "need-weighted share of numbers understood if both agents take their likeliest symbols",
        },
    ),
    "ends": (
        "Where each of those runs began and ended.",
        {
            **_RUN,
            **{name: f"{_SYSTEM[name]}, at the end" for name in ("gap", "size", "average_complexity")},
            **{f"{name}_before": f"{_SYSTEM[name]}, at the start" for name in ("gap", "size", "average_complexity")},
            "digits": "the set D at the end",
            "multipliers": "the set M at the end",
            "multiplier_count": "|M| at the end",
            "multiplier_count_before": "|M| at the start",
        },
    ),
    "selection": (
        "How strongly agents, coin and oracle select; computed from rounds.csv.",
        {
            "group": "who decides, and which free numeral m0 and m1 add",
            "add": _RUN["add"],
            "choose": _RUN["choose"],
            "runs": "runs that are pooled",
            "strength": "change in the log odds of being kept, for each symbol by which an alternative is shorter",
            "low": "lower end of its 95 % interval, from resampling runs",
            "high": "upper end",
            "intercept": "log odds of keeping an alternative that is as long",
            "decisions": "rounds with an alternative",
            "shorter_kept": "share of shorter alternatives that were kept",
            "longer_kept": "share of longer alternatives that were kept",
        },
    ),
    "learning": (
        "Agents that learn one system from scratch.",
        {
            "kind": "start or optimum",
            "system": "D | M",
            "start": "the paper's number of a start, else the system",
            "seed": "the seed of the run",
            "size": _SYSTEM["size"],
            "average_complexity": "over the game range 1 to 50",
            "accuracy": "share of games won in the last 500 steps",
            "accuracy_greedy": "need-weighted share of numbers understood if both agents take their likeliest symbols",
        },
    ),
    "rewards": (
        "Agents that learn start 1 or an optimum from scratch, under other rewards and sizes.",
        {
            "reward": "exact: 1 if the guess is right; linear, inverse, exponential: by distance",
            "hidden": "size of the LSTM layers",
            "batch": "games in a step",
            "start": "what is learned",
            "seed": "the seed of the run",
            "accuracy": "share of games won (guess right) in the last 500 steps",
            "accuracy_greedy": "need-weighted share of numbers understood if both agents take their likeliest symbols",
        },
    ),
    "restricted_agents": (
        "Agents that learned systems without recursion over 1 to 20, beside random systems of as many intervals.",
        {
            "run": "the run's directory below runs/restricted/",
            "reward": "how a guess is rewarded by its distance; exact: only if it is right",
            "vocabulary": "words offered",
            "seed": "the seed of the run",
            "words": "the numbers of each word in the end",
            "size": "words used",
            "kind": "approximate or exact restricted",
            "contiguous": "whether every word is an interval",
            "complexity": "nodes of the rules that define the words",
            "cost": "communicative cost in bits",
            "gap": "bits above the least cost of the same complexity",
            "gap_random": "median gap of 1,000 random systems",
            "gap_rank": "share of these that are better, ties counting half",
            "nearest": "the most similar human language with as many words",
            "variation": "its distance in bits (variation of information)",
            "regret": "reward lost against the best use of the words offered",
        },
    ),
    "restricted_curves": (
        "The same agents, round by round.",
        {
            "run": "the run's directory below runs/restricted/",
            "reward": "how a guess is rewarded",
            "vocabulary": "words offered",
            "round": "0 is before learning",
            "steps": "steps in a round",
            "gap": "bits above the least cost of the same complexity",
            "size": "words used",
        },
    ),
    "understood": (
        "Which numbers agents understand that learned a start under either need, each counted once.",
        {
            "need": "the need under which they learned",
            "start": "the start they learned from scratch",
            "small": "share of the numbers 1 to 30",
            "large": "share of the numbers 31 to 50",
        },
    ),
    "shares": (
        "How often each number is talked about.",
        {"need": "the need", "number": "1 to 50", "share": "how often it is drawn"},
    ),
    "evaluations": (
        "Systems under two needs, n^-2 and exp(-0.2 n), modified grammar.",
        {
            "kind": "start, human, or final (where a run of the study agents ended)",
            "name": "start, language or run",
            "system": "D | M",
            "size": _SYSTEM["size"],
            "average_power": "average complexity under n^-2",
            "average_exp": "average complexity under exp(-0.2 n)",
            "gap_power": "gap under n^-2",
            "gap_exp": "gap under exp(-0.2 n)",
        },
    ),
    "beyond": (
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
    "verdicts": (
        "The paper's claims and what we find; computed from the other tables alone.",
        {
            "name": "a short name",
            "claim": "what the paper says, in short",
            "measured": "what was found",
            "statistic": "what the number is",
            "value": "the number",
            "low": "lower end of its 95 % interval; the value itself where it is exact",
            "high": "upper end",
            "each": "the values of all runs, seeds or sizes behind it",
            "ruling": "holds, does not hold, or too little data here",
            "steps": "steps in a round, or of learning, on which it rests; empty where nothing was played",
            "exact": "whether the number is proved or computed, without uncertainty",
        },
    ),
}  # fmt: skip
"""For each table what it holds, and what its columns mean."""


def columns_text(data: Tables) -> str:
    """The README of the data directory; a column without an explanation is an error."""
    lines = ["# The tables behind the page", "", "Comma-separated, UTF-8, an empty field where there is no value."]
    for name, (about, columns) in TABLES.items():
        lines += ["", f"## {name}.csv", "", about, "", "| column | meaning |", "|---|---|"]
        lines += [f"| `{column}` | {columns[column].replace('|', chr(92) + '|')} |" for column in data[name].columns]
    return "\n".join(lines) + "\n"
