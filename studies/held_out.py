"""Numbers that were held out: are regular numeral systems easier to go on with than irregular ones?

    python -m studies.held_out --out DIR

Agents learn from some numbers of 1 to 50 and are tested on ten that were held out, in two tasks. The game: a pair talks
about the others; can it then talk about these? Counting: a speaker hears a number and says the next one, as it was
shown for the others; can it go on from these? Each regular system has an irregular one beside it, of the same size and
as nearly the same average length as a search finds, and a control: the regular one with its expressions of several
words dealt out to other numbers. A run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from ishango.game import Agents, Expressions, GameOptions, best, encode, imitate, play
from ishango.game._play import Demonstrations
from ishango.numerals import Need, NumeralSystem, changes, leaves_of_many, minimal_language, outer_base
from studies.generations_table import shown as printed

OPTIONS = GameOptions()
UPTO = OPTIONS.upto
BASES = (10, 12, 14)
LARGEST_WORD, CANDIDATES, NEAREST = 30, 20_000, 40
BLANK = str(UPTO)
"""A token that is no word here: what is said while listening, and heard while speaking."""
KINDS = ("regular", "irregular", "permuted")
HELD_OUT, FROM = 10, 11
"""How many numbers are held out, and the first that may be."""
GAME_STEPS, COUNTING_STEPS = 3_000, 2_000
FASTER = replace(OPTIONS, learning_rate=0.01)
"""So that counting is learnt within its steps."""


def regular(base: int) -> NumeralSystem:
    return NumeralSystem(tuple(range(1, base)), (base,))


def lengths(systems: list[NumeralSystem]) -> np.ndarray:
    """Words in the shortest expression of each number, (systems, range)."""
    sets = np.zeros((2, len(systems), UPTO), np.bool_)
    for i, system in enumerate(systems):
        sets[0, i, np.array(system.digits) - 1] = sets[1, i, np.array(system.multipliers) - 1] = True
    return leaves_of_many(sets[0], sets[1], systems[0].grammar)


def base_changes(system: NumeralSystem) -> int:
    """On how many steps from n to n + 1 the base changes."""
    return changes([outer_base(each, system) for each in minimal_language(system, UPTO).expressions.values()])


def irregular(base: int) -> NumeralSystem:
    """Of random systems of a regular one's size, the least regular among those of most nearly its average length.

    No expression is longer than the regular system's longest.
    """
    rng, drawn = np.random.default_rng(base), []
    for _ in range(CANDIDATES):
        words = rng.permutation(np.arange(2, LARGEST_WORD + 1))[: base - 1].tolist()
        cut = int(rng.integers(1, 5))
        drawn.append(NumeralSystem((1, *words[cut:]), tuple(words[:cut])))
    found, wanted = lengths(drawn), lengths([regular(base)])
    fits = (found > 0).all(axis=1) & (found.max(axis=1) <= wanted.max())
    off = np.where(fits, np.abs(found.mean(axis=1) - wanted.mean()), np.inf)
    return max((drawn[i] for i in off.argsort(kind="stable")[:NEAREST] if fits[i]), key=base_changes)


def permuted(words: Expressions, rng: np.random.Generator) -> Expressions:
    """The same expressions for other numbers: dealt out anew among those of several words."""
    long = [number for number in words if len(words[number]) > 1]
    return {
        **words,
        **{number: words[other] for number, other in zip(long, rng.permutation(long).tolist(), strict=True)},
    }


def expressions(kind: str, base: int, seed: int, others: dict[int, NumeralSystem]) -> Expressions:
    system = others[base] if kind == "irregular" else regular(base)
    words = minimal_language(system, UPTO).tokens()
    return permuted(words, np.random.default_rng([seed, base])) if kind == "permuted" else words


def game(words: Expressions, held: np.ndarray, seed: int) -> dict[str, float]:
    """A pair talks about all numbers but those held out; shares that it understands at its best."""
    rng = np.random.default_rng([seed, 1])
    agents, need = Agents.random(OPTIONS, rng), Need.parse("power:2").weights(UPTO).copy()
    need[held - 1] = 0
    play(agents, [words], need, OPTIONS, GAME_STEPS, rng)
    won = best(agents, words).heard.argmax(-1) == np.arange(UPTO)
    return {"game_learnt": float(need @ won / need.sum()), "game_held_out": float(won[held - 1].mean())}


def counting(words: Expressions, held: np.ndarray, seed: int) -> dict[str, float]:
    """A speaker is shown what comes after all numbers but those held out; shares of numbers that it goes on from."""
    rng, longest = np.random.default_rng([seed, 2]), max(map(len, words.values()))
    heard = {n: (*words[n], *[BLANK] * (2 * longest - len(words[n]))) for n in range(1, UPTO + 1)}
    after = {n: words.get(n + 1, words[1]) for n in heard}  # nobody is asked what comes after the last
    said = {n: (*[BLANK] * longest, *after[n], *[BLANK] * (longest - len(after[n]))) for n in heard}
    (tokens,), (sizes,) = encode([heard], UPTO)
    messages = encode([said], UPTO).tokens[0]
    learnt = np.setdiff1d(np.arange(1, UPTO), held) - 1
    agents = Agents.random(OPTIONS, rng)
    shown = Demonstrations(learnt, *(each[learnt] for each in (tokens, sizes, messages)))
    imitate(agents, shown, FASTER, COUNTING_STEPS, rng)
    right = (best(agents, heard).messages == messages)[:, longest:].all(axis=1)
    return {"counting_learnt": float(right[learnt].mean()), "counting_held_out": float(right[held - 1].mean())}


def runs(seeds: int) -> Iterator[tuple[int, int, str]]:
    return ((seed, base, kind) for seed in range(seeds) for base in BASES for kind in KINDS)


def play_all(file: Path, seeds: int) -> pd.DataFrame:
    """A row for each run; each is written when it is done, and what is in the file is not played again."""
    done = pd.read_csv(file) if file.exists() else pd.DataFrame(columns=["seed", "base", "kind"])
    known = set(zip(done["seed"], done["base"], done["kind"], strict=True))
    others, began = {base: irregular(base) for base in BASES}, time.perf_counter()
    for base, system in others.items():
        mine = lengths([regular(base), system]).mean(axis=1)
        print(f"{regular(base)}: {mine[0]:.2f} words a number, {base_changes(regular(base))} changes of base;"
              f" {system}: {mine[1]:.2f}, {base_changes(system)}")  # fmt: skip
    missing = [each for each in runs(seeds) if each not in known]
    for number, (seed, base, kind) in enumerate(missing, 1):
        rng = np.random.default_rng([seed, base, 3])
        held = np.sort(rng.choice(np.arange(FROM, UPTO), HELD_OUT, replace=False))
        words = expressions(kind, base, seed, others)
        row = {"seed": seed, "base": base, "kind": kind, **game(words, held, seed), **counting(words, held, seed)}
        pd.DataFrame([row]).to_csv(file, mode="a", header=not file.exists(), index=False)
        left = (time.perf_counter() - began) / number * (len(missing) - number)
        print(f"\r{number}/{len(missing)}, {left:.0f} seconds left ", end="", file=sys.stderr, flush=True)
    table = pd.read_csv(file)
    return table[(table["seed"] < seeds) & table["base"].isin(BASES)]


def interval(values: pd.Series) -> str:
    """The mean with its 95 % interval."""
    half = stats.sem(values) * stats.t.ppf(0.975, len(values) - 1)
    return f"{values.mean():.3f} ± {half:.3f}"


def summary(rows: pd.DataFrame) -> pd.DataFrame:
    """A row for each measure: the kinds, and how they differ within a seed; seeds are what intervals are over."""
    measures = [name for name in rows if name not in ("seed", "base", "kind")]
    means = rows.groupby(["kind", "seed"])[measures].mean()
    by_kind = {kind: means.loc[kind] for kind in KINDS}
    table = []
    for name in measures:
        found = {"measure": name, **{kind: interval(by_kind[kind][name]) for kind in KINDS}}
        for other in KINDS[1:]:
            found[f"regular less {other}"] = interval(by_kind["regular"][name] - by_kind[other][name])
        table.append(found)
    return pd.DataFrame(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("out/held-out"))
    parser.add_argument("--seeds", type=int, default=8)
    asked = parser.parse_args()
    if asked.seeds < 2:
        parser.error(f"seeds is {asked.seeds}, but must be 2 or more")
    asked.out.mkdir(parents=True, exist_ok=True)
    rows = play_all(asked.out / "held_out.csv", asked.seeds)
    table = summary(rows)
    table.to_csv(asked.out / "summary.csv", index=False)
    print(f"\n\n{printed(table)}")
    by_base = rows.groupby(["base", "kind"])["counting_held_out"].mean().unstack()[list(KINDS)].reset_index()
    print(f"\ncounting, held out, by base\n\n{printed(by_base.astype({'base': str}))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
