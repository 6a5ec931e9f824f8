"""What the columns of the tables mean that are made from runs."""

from __future__ import annotations

from ishango.evolution.choosers import CHOOSERS, Chooser
from ishango.options import alternatives
from ishango.report.explained import Explained
from ishango.report.outcomes import EARLY, ROUND_FIELDS
from ishango.report.system_columns import DISTANCE, ROUND

WHO = "who decides, as figures call it"


def run_columns() -> dict[str, str]:
    """The columns that say which run a row belongs to."""
    return {
        "study": "agents, literal (m0 and m1 read literally), exponential (need), hurford (grammar), random-starts; "
        "coin (neutral drift), matched-coin (with the acceptance rates of agents), oracle (keeps what is shorter), "
        "gap-oracle (keeps what is nearer to the frontier); hurford-coin and random-coin (the coin beside those"
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
            "How strongly agents, coin and oracle select; computed from rounds.csv.",
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
    }  # fmt: skip
