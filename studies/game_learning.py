"""How well agents learn, seed by seed, why some get stuck, and what helps. Resumable: a finished run is not repeated.

    python -m studies.game_learning [DIRECTORY]

Writes a JSON file for each run into DIRECTORY (default out/game_learning), then the tables docs/game_learning.csv
(a row a run) and docs/game_learning_curves.csv, and the figure docs/game_learning.svg and .png from them.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.game_worker import NEED, OPTIONS, expressions

from ishango.figures.run_figures import learning_figure
from ishango.game import Agents, Round, competence, dictionary, encode, play, speak
from ishango.game._ask import gates

STEPS, EVERY = 30_000, 1000
STARTS = (1, 7)
SETTINGS: dict[str, dict[str, float | str]] = {
    "default": {},
    "speaker_entropy=0.01": {"speaker_entropy": 0.01},
    "lost_entropy=0.01": {"lost_entropy": 0.01},
}
SEEDS = 10
DOCS = Path("docs")


def state(agents: Agents, words: dict[int, tuple[str, ...]]) -> dict[str, float]:
    """What could hold agents back: exploration, collisions, saturation; the first two weighted by need."""
    entropies, collided, messages = [], [], set()
    for number in range(1, OPTIONS.upto + 1):  # by falling need: a message belongs to the number that needs it most
        p = speak(agents, words, number)
        entropies.append(float(-(p * np.log(p + 1e-300)).sum(-1).mean()))
        message = tuple(p.argmax(-1))
        collided.append(message in messages)
        messages.add(message)
    return {
        "speaker_entropy": float(NEED @ entropies),
        "collided": float(NEED @ collided),
        "speaker_saturated": saturation(agents, words),
    }


def saturation(agents: Agents, words: dict[int, tuple[str, ...]]) -> float:
    """Share of the speaker's sigmoid gates within 0.01 of 0 or 1, over all tokens of all expressions."""
    tokens, lengths = encode([words], OPTIONS.upto)
    values = [gates(agents.speaker, t[:n])[:, [0, 1, 3]].ravel() for t, n in zip(tokens[0], lengths[0], strict=True)]
    value = np.concatenate(values)
    return float(np.mean((value < 0.01) | (value > 0.99)))


def run(start: int, setting: str, seed: int) -> dict[str, object]:
    """Train one pair of agents and look at them every thousand steps."""
    options, rng, words = replace(OPTIONS, **SETTINGS[setting]), np.random.default_rng(seed), expressions(start)
    agents = Agents.random(options, rng)
    so_far: Round | None = None
    curve = []
    for _ in range(0, STEPS, EVERY):
        so_far = play(agents, [words], NEED, options, EVERY, rng, so_far)
        curve.append({"step": so_far.steps, "accuracy": so_far.accuracy(), **state(agents, words)})
    table = dictionary(agents, words)
    last = {
        "accuracy_greedy": competence(agents, words, NEED).accuracy,
        "topographic_similarity": float(table["topographic_similarity"].iloc[0]),
        "first_lost": next((int(n) for n, h in zip(table["number"], table["heard"], strict=True) if n != h), None),
    }
    return {"start": start, "setting": setting, "seed": seed, "last": {**curve[-1], **last}, "curve": curve}


def runs(directory: Path) -> list[dict]:
    """All runs, from their files where these exist."""
    directory.mkdir(parents=True, exist_ok=True)
    results, todo = (
        [],
        [(start, setting, seed) for setting in SETTINGS for start in STARTS for seed in range(SEEDS)],
    )
    for done, (start, setting, seed) in enumerate(todo, 1):
        path = directory / f"{start}_{setting}_{seed}.json"
        if not path.exists():
            beside = path.with_suffix(".tmp")
            beside.write_text(json.dumps(run(start, setting, seed)))
            beside.replace(path)
        results.append(json.loads(path.read_text()))
        print(f"{done} of {len(todo)}: {path.stem} {results[-1]['last']['accuracy']:.4f}", file=sys.stderr, flush=True)
    return results


def main() -> None:
    """Run what is missing; print the medians; write tables and figure."""
    results = runs(Path(sys.argv[1] if len(sys.argv) > 1 else "out/game_learning"))
    keys = ("setting", "start", "seed")
    table = pd.DataFrame([{**{k: r[k] for k in keys}, **r["last"]} for r in results])
    curves = pd.DataFrame([{**{k: r[k] for k in keys}, **point} for r in results for point in r["curve"]])
    print(table.groupby(["setting", "start"], sort=False)["accuracy"].describe()[["min", "50%", "max"]].round(4))
    table.round(6).to_csv(DOCS / "game_learning.csv", index=False)
    curves.round(6).to_csv(DOCS / "game_learning_curves.csv", index=False)
    chart = learning_figure(table, curves)
    chart.save(DOCS / "game_learning.svg")
    chart.save(DOCS / "game_learning.png", ppi=144)


if __name__ == "__main__":
    main()
