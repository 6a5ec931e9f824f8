"""Tables made by hand, from which it is known what follows."""

import numpy as np
import pandas as pd

STARTS = [str(number) for number in range(1, 9)]
SCALE = pd.DataFrame([{"steps": 40_000, "side_steps": 5000, "learning_steps": 40_000, "restricted_steps": 2000}])
LANGUAGES = pd.DataFrame(
    {"grammar": ["modified", "hurford"] * 10, "family": [f"family {n // 4}" for n in range(20)], "gap": 0.02,
     "distance": 0.01, "size": 12, "multiplier_count": [1, 1] * 6 + [3, 3] * 4}
)  # fmt: skip
WORLD = LANGUAGES.assign(languages=3, said=1.2, average_complexity=1.2)
"""The same in the catalogue, where each row stands for three varieties."""
DEFAULTS = {
    "grammar": "modified", "need": "power:2", "choose": "bandit", "gap": 0.1, "size": 9, "size_before": 12,
    "distance": 0.1, "distance_before": 0.5, "gap_before": 1.0, "multiplier_count": 2, "multiplier_count_before": 2,
    "digits": "1-3", "multipliers": "4", "streams": "run",
}  # fmt: skip


def ends(study, seeds=1, noise=0.0, add="lowest", starts=STARTS, **columns):
    """Runs from each start, those of one start spread by some noise; a column may have a value for each start."""
    rows = []
    for number, start in enumerate(starts):
        for seed in range(seeds):
            shift = noise * (2 * seed / max(1, seeds - 1) - 1)
            own = {
                name: value[number] if isinstance(value, (list, np.ndarray)) else value
                for name, value in columns.items()
            }
            row = {
                **DEFAULTS,
                **own,
                "study": study,
                "run": f"{study}/{add}/{start}/{seed}",
                "start": start,
                "seed": seed,
            }
            rows.append({**row, "add": add, **{name: row[name] + shift for name in ("gap", "distance") if shift}})
    return pd.DataFrame(rows)


def coin(study="coin", noise=0.01, **columns):
    """The same for a coin, of which there are more runs."""
    return ends(study, 12, noise, choose="coin", **columns)


def rounds(study, choose, shorter_kept, longer_kept, seeds=1, decisions=100):
    """Runs of so many decisions, half of them on shorter alternatives, from every start."""
    rows = []
    for start in STARTS:
        for seed in range(seeds):
            run = {
                "study": study,
                "run": f"{study}/{start}/{seed}",
                "start": start,
                "seed": seed,
                "add": "lowest",
                "choose": choose,
                "streams": "run",
            }
            for number in range(decisions):
                shorter = number % 2 == 0
                luck = (number // 2 + 7 * seed + 3 * int(start)) % (decisions // 2) / (decisions // 2)
                rate = shorter_kept if shorter else longer_kept
                each = rate[int(start) - 1] if isinstance(rate, list) else rate
                # A little noise between runs: one decision of those with the last seed goes the other way.
                accepted = (luck < each) ^ (number < seed)
                delta = -0.1 if shorter else 0.1
                rows.append(
                    {**run, "round": number + 1, "delta_average": delta, "delta_gap": delta, "accepted": accepted}
                )
    return pd.DataFrame(rows)


def paths(study, arrivals, befores, rounds_played=20):
    """Runs that come near the frontier in a given round, one from each start."""
    rows = []
    for start, arrival, before in zip(STARTS, arrivals, befores, strict=True):
        for number in range(rounds_played + 1):
            gap = before if number < arrival else 0.01
            rows.append(
                {
                    "study": study,
                    "run": f"{study}/{start}",
                    "start": start,
                    "seed": 0,
                    "streams": "run",
                    "add": "lowest",
                    "round": number,
                    "gap": gap,
                }
            )
    return pd.DataFrame(rows)


def learned(faster, sizes=(5, 7, 12, 13, 18, 21)):
    """Starts and optima of six sizes; two starts share the first size. Optima are so much faster."""
    gains = faster if isinstance(faster, list) else [faster] * len(sizes)
    rows = [("start", sizes[0], "another start", 2.1, 0.9, 0.5)]
    for size, gain in zip(sizes, gains, strict=True):
        rows += [
            ("start", size, f"start {size}", 2.0, 0.9, 0.5),
            ("optimum", size, f"optimum {size}", 1.2, 0.9, 0.5 + gain),
        ]
    columns = ["kind", "size", "system", "average_complexity", "accuracy", "won"]
    return pd.DataFrame(rows, columns=columns).assign(seed=0, streams="run")


SETTINGS = {
    "exact": ("exact", 100, 32), "linear": ("linear", 100, 32), "inverse": ("inverse", 100, 32),
    "exponential": ("exponential", 100, 32), "small": ("exact", 25, 32), "few": ("exact", 100, 8),
}  # fmt: skip


def rewarded(noise=0.001, **won):
    """Games won in each setting, by two systems and three seeds."""
    rows = [
        (*SETTINGS[name], start, seed, accuracy + noise * (seed - 1) * (name != "exact"))
        for name, accuracy in {**dict.fromkeys(SETTINGS, 0.9), **won}.items()
        for start in ("1", "1-11 | 12")
        for seed in range(3)
    ]
    return pd.DataFrame(rows, columns=["reward", "hidden", "batch", "start", "seed", "accuracy"])


def understood(large, small=0.9, need="power:2"):
    """The share of numbers above 30 that is understood from each start, and of smaller ones."""
    larges = large if isinstance(large, list) else [large] * 8
    bands = ("1 to 10", "11 to 20", "21 to 30")
    rows = [
        {"need": need, "start": start, "numbers": numbers, "understood": value}
        for start, each in zip(STARTS, larges, strict=True)
        for numbers, value in (*((band, small) for band in bands), ("31 to 50", each))
    ]
    return pd.DataFrame(rows).assign(seed=0, streams="run")


def optima(fewest, most, series="modified", first=2):
    """Proved sizes with so many multipliers."""
    table = {
        "series": series,
        "size": range(first, first + len(fewest)),
        "fewest": fewest,
        "most": most,
        "proved": True,
    }
    return pd.DataFrame({**table, "digits": "1", "multipliers": "2", "average_complexity": 1.1})
