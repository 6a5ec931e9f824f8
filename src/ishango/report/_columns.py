"""What the columns of all tables of the report mean."""

from __future__ import annotations

from ishango.evolution import CHOOSERS, Chooser, RoundRecord
from ishango.lab import columns
from ishango.numerals import PAPERS
from ishango.registry import alternatives
from ishango.report._data import CAP, FRONTIERS, Explained, Tables, shipped_columns
from ishango.report._outcomes import EARLY, ROUND_FIELDS

WHO = "who decides, as figures call it"


def run_columns() -> dict[str, str]:
    return {
        "study": "agents, literal (m0 and m1 read literally), exponential (need), hurford (grammar), random-starts; "
        "coin (neutral drift), matched-coin (with the acceptance rates of agents), oracle (keeps what is shorter), "
        "gap-oracle (keeps what is nearer to the frontier); hurford-coin and random-coin (drift beside those"
        " studies)",
        "run": "the run's directory below runs/",
        "start": "the starting system: 1 to 8 for the paper's",
        "seed": "the seed of the run",
        "streams": "where its random numbers come from: seed (runs of one seed share their luck) or run (its own)",
        "grammar": "the meta-grammar",
        "add": "which free numeral m0 and m1 add",
        "choose": f"who decides: {alternatives(tuple(map(_named, CHOOSERS.values())))}",
        "need": "how often each number is talked about and counted",
    }


def _named(chooser: Chooser) -> str:
    return chooser.name if chooser.name == chooser.label else f"{chooser.name} ({chooser.label})"


def outcome_tables() -> dict[str, Explained]:
    """For each table what it holds, and what its columns mean."""
    run = run_columns()
    return {
        "studies": Explained(
            "The runs that are there, a row for each study.",
            {
                "study": "its name, and its directory below runs/",
                "planned": "runs that it has at this scale",
                "finished": "those of them that are done",
                "settings": "what is played with several seeds: starts, or other options",
                "settings_finished": "those of which a run is done; claims are judged when all are",
                "rounds": "rounds of a run",
                "steps": "steps in a round, or of learning where there are no rounds; empty where nobody talks",
            },
        ),
        "game": Explained(
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
        "game_guesses": Explained(
            "The listener's probabilities after that message.",
            {"number": "1 to 50", "probability": "of guessing it"},
        ),
        "rounds": Explained(
            "All rounds of all runs in which languages evolve.",
            {**run, **{name: ROUND[name] for name in ROUND_FIELDS}},
        ),
        "ends": Explained(
            "Where each of those runs began and ended.",
            {
                **run,
                "who": WHO,
                **{name: f"{ROUND[name]}, at the end" for name in ("gap", "size", "average_complexity")},
                **{f"{name}_before": f"{ROUND[name]}, at the start" for name in ("gap", "size", "average_complexity")},
                "digits": "the set D at the end",
                "multipliers": "the set M at the end",
                "multiplier_count": "|M| at the end",
                "multiplier_count_before": "|M| at the start",
                "distance": f"{DISTANCE}, at the end",
                "distance_before": f"{DISTANCE}, at the start",
            },
        ),
        "selection": Explained(
            "How strongly agents, drift and oracle select; computed from rounds.csv.",
            {
                "group": "who decides, and which free numeral m0 and m1 add",
                "add": run["add"],
                "choose": run["choose"],
                "who": WHO,
                "runs": "runs that are pooled",
                "strength": "change in the log odds of being kept, for each symbol by which an alternative is shorter",
                "low": "lower end of its 95 % interval, from leaving out one run (or seed) after the other",
                "high": "upper end",
                "equivalent_within": "the strength is not larger than this in either direction, at 95 %",
                "intercept": "log odds of keeping an alternative that is as long",
                "decisions": "rounds with an alternative",
                "shorter_kept": "share of shorter alternatives that were kept",
                "longer_kept": "share of longer alternatives that were kept",
                "separated": "whether all shorter and no longer ones were kept: the strength is then without bound",
            },
        ),
        "learning": Explained(
            "Agents that learn one system from scratch.",
            {
                "kind": "start or optimum",
                "system": "D | M",
                "start": "the paper's number of a start, else the system",
                "seed": "the seed of the run",
                "streams": run["streams"],
                "size": ROUND["size"],
                "average_complexity": "over the game range 1 to 50",
                "accuracy": "share of games won in the last 500 steps",
                "accuracy_greedy": ROUND["accuracy_greedy"],
                "won": "share of games won over the whole of learning, which is the more the faster they learn",
            },
        ),
        "rewards": Explained(
            "Agents that learn start 1 or an optimum from scratch, under other rewards and sizes.",
            {
                "reward": "exact: 1 if the guess is right; linear, inverse, exponential: by distance",
                "hidden": "size of the LSTM layers",
                "batch": "games in a step",
                "start": "what is learned",
                "seed": "the seed of the run",
                "accuracy": "share of games won (guess right) in the last 500 steps",
                "accuracy_greedy": ROUND["accuracy_greedy"],
            },
        ),
        "understood": Explained(
            "Which numbers agents understand that learned a start under either need, each counted once.",
            {
                "need": "the need under which they learned",
                "start": "the start they learned from scratch",
                "seed": "the seed of the run",
                "streams": run["streams"],
                "numbers": "which numbers",
                "understood": "share of these that are understood",
            },
        ),
        "changes": Explained(
            "Every alternative that agents of the study agents tried, and how well they talked at once.",
            {
                "run": run["run"],
                "start": run["start"],
                "round": ROUND["round"],
                "action": ROUND["action"],
                "changed": "need-weighted share of the numbers 1 to 50 that the alternative expresses differently",
                "before": "share of games won in the last 500 steps of the round before",
                "early": f"share of games won in the first {EARLY} steps of the round, with either system",
            },
        ),
        "restricted_agents": Explained(
            "Agents that learned systems without recursion over 1 to 20, beside random systems of as many intervals.",
            {
                "run": "the run's directory below runs/restricted/",
                "reward": "how a guess is rewarded by its distance; exact: only if it is right",
                "vocabulary": "words offered",
                "seed": "the seed of the run",
                "streams": run["streams"],
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
                "variation_random": "median of that distance for 1,000 random systems",
                "variation_rank": "share of these that are nearer to a human language, ties counting half",
                "regret": "reward lost against the best use of the words offered",
            },
        ),
        "restricted_curves": Explained(
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
    }


# What the columns of the tables mean that need no agents.

DISTANCE = "share by which size and average complexity could shrink together, down to the proved frontier"
ROUND = {each.name: each.description for each in columns(RoundRecord)}
"""What the fields of a round mean; tables that have such columns take the words from here."""


def system_columns() -> dict[str, str]:
    return {
        "grammar": f"the meta-grammar: {alternatives(PAPERS)}",
        "digits": "the set D",
        "multipliers": "the set M",
        **{name: ROUND[name] for name in ("size", "average_complexity", "gap")},
    }


def system_tables() -> dict[str, Explained]:
    """For each table what it holds, and what its columns mean."""
    system = system_columns()
    human = {
        **system,
        "multiplier_count": "|M|",
        "said": "average complexity of what is actually said; empty where the table does not tell",
        "distance": DISTANCE,
    }
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
                "coin": "runs of drift from each start and under each reading",
                "oracle": "runs of each oracle from each start, and of drift beside the side studies",
                "matched": "runs of drift with the acceptance rate of each run of agents",
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
            "Human numeral systems, checked by hand, under every grammar.",
            {
                "language": "its name",
                "glottocode": "Glottolog's code",
                "family": "its family",
                "base": "the kind of its base",
                **human,
            },
        ),
        "world": Explained(
            "The catalogue of the world's languages, computed from the glosses of Numeralbank (Bibiko et al. 2025,"
            " CC-BY-4.0): varieties of a family that are alike in one row.",
            {
                "family": "the family, or a language without relatives",
                **human,
                "languages": "how many varieties",
                "glottocodes": "Glottolog's codes of the varieties",
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
                "kind": "start, human, or where a run ended: agents or drift (coin)",
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
    }


# What every column of every table means: the text of `data/README.md`.

VERDICTS = Explained(
    "The paper's claims and what we find; computed from the other tables alone.",
    {
        "name": "a short name",
        "claim": "what the paper says, in short",
        "brief": "the same in a few words",
        "measured": "what was found",
        "statistic": "what the number is",
        "value": "the number",
        "low": "lower end of its 95 % interval; the value itself where it is exact",
        "high": "upper end",
        "each": "the values of all runs, seeds or sizes behind it",
        "ruling": "holds, so does a coin, does not hold, or too little data here",
        "steps": "steps in a round, or of learning, on which it rests; empty where nothing was played",
        "exact": "whether the number is proved or computed, without uncertainty",
        "coin": "the same number of drift from the same starts; empty where drift has nothing to do with it",
        "contrast": "agents minus drift, mean over starts",
        "contrast_low": "lower end of its 95 % interval, from permutations within starts, or of whole seeds",
        "contrast_high": "upper end",
        "contrast_within": "agents and drift do not differ by more than this, at 95 %",
        "p": "p-value of the permutation test of that contrast",
        "p_holm": "the same, corrected by Holm's method for all contrasts of the page",
        "by_hand": "the same number and ruling of the languages checked by hand alone; otherwise empty",
        "alone": "what this reproduction by itself would say, where the ruling is that of the full study",
    },
)


def explained_tables() -> dict[str, Explained]:
    """Every table of a reproduction by its name."""
    return {**system_tables(), **outcome_tables(), **shipped_columns(), "verdicts": VERDICTS}


def columns_text(data: Tables) -> str:
    """The README of the data directory; a column without an explanation is an error."""
    lines = [
        "# The tables behind the page",
        "",
        "Comma-separated, UTF-8, an empty field where there is no value. Unless said otherwise, systems are evaluated"
        " over 1 to 99 under the need n^-2.",
    ]
    for name, (about, meanings) in explained_tables().items():
        lines += ["", f"## {name}.csv", "", about, "", "| column | meaning |", "|---|---|"]
        lines += [f"| `{column}` | {meanings[column].replace('|', chr(92) + '|')} |" for column in data[name].columns]
    return "\n".join(lines) + "\n"
