# ruff: noqa: E501
"""Every command with its options, as strategies of argument lists."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.fuzz import values as v

Options = dict[str, st.SearchStrategy[str] | None]
"""An option's values; None for a flag."""

NEED: Options = {"need": v.NEEDS, "range": v.RANGES, "json": None}
GAME: Options = {
    "alpha": v.FLOATS, "epsilon": v.FLOATS, "effort": v.FLOATS, "effort-in": v.mostly(["score", "reward"]),
    "noise": v.FLOATS, "range": v.mostly(["30", "50"]), "vocabulary": v.INTEGERS, "embedding": v.INTEGERS, "hidden": v.INTEGERS, "batch": v.INTEGERS,
    "learning-rate": v.FLOATS, "reward": v.REWARDS, "speaker-entropy": v.FLOATS, "lost-entropy": v.FLOATS,
    "listener-entropy": v.FLOATS, "baseline": v.mostly(["none", "mean"]),
}  # fmt: skip
GAMES: Options = {f"game.{name}": each for name, each in GAME.items()}
ERRORS = v.mostly(["weber", "log", "exact"])
LAW: Options = {"precision": v.FLOATS, "word": v.FLOATS, "effort": v.FLOATS, "error": ERRORS, "grammar": v.GRAMMARS}
JUDGED: Options = {
    "learners": v.mostly(["same", "new", "new-listener"]), "judge": v.mostly(["q", "mean", "late"]),
    "arms": v.mostly(["bandit", "even"]),
}  # fmt: skip
RUN: Options = {"seed": v.INTEGERS, "streams": v.mostly(["run", "seed"])}
PRESET: Options = {"preset": v.mostly(["paper", "able"])}
CONTEST: Options = {
    "contest": v.mostly(["none", "bandit", "practised", "criterion"]), "practice": v.INTEGERS, "criterion": v.FLOATS,
}  # fmt: skip
ENGINE: Options = {
    "on": v.mostly(["local", "share"], [*v.ODD_TEXT, "slurm"]), "workers": v.mostly(["1", "2"]), "jobs": v.INTEGERS,
    "time": v.FLOATS, "partition": v.mostly(["debug"]), "sbatch": v.mostly(["mem=2G"], [*v.ODD_TEXT, "mem", "=2", "array=1"]),
    "scheduler": v.mostly(["tcp://127.0.0.1:9"]), "detach": None,
}  # fmt: skip

COMMANDS: dict[str, tuple[list[st.SearchStrategy[str]], Options]] = {
    "describe": ([v.SETS, v.SETS], {**NEED, "language": v.LANGUAGES, "grammar": v.GRAMMARS, "rows": v.mostly(["1-20", "7"]), "operators": None, "tied": v.mostly(["0", "1"]), "format": v.mostly(["text", "csv", "latex", "markdown"])}),
    "languages": ([v.LANGUAGES, v.LANGUAGES], {**NEED, "source": v.mostly(["table", "world", "cosinus"]), "family": v.mostly(["Kartvelian"]), "area": v.mostly(["Eurasia"]), "format": v.mostly(["table", "csv"]), "out": v.mostly(["empty"]), "costs": None, "disagreements": None, "import": v.mostly(["empty"], ["missing", "file", "run", ""]), "beside": v.mostly(["own.csv"], ["missing.csv", "bad.csv", ""]), "file": v.mostly(["own.csv"], ["missing.csv", "bad.csv", "file", ".", ""])}),
    "typology": ([v.mostly(["run"], ["missing", "file", "empty", ""])], {"by": v.mostly(["choose", "seed"]), "smoothing": v.FLOATS, "runs": v.INTEGERS, "json": None}),
    "frontier": ([], {
        **NEED, "grammar": v.GRAMMARS, "sizes": v.SIZES, "overlap": None, "max-multipliers": v.INTEGERS, "all": None,
        "method": v.mostly(["exact", "genetic"]), "time-limit": v.FLOATS,
        "proof": None, "out": v.NEW_DIRECTORIES, "population": v.mostly(["10", "20"]), "generations": v.INTEGERS,
        "seed": v.INTEGERS, "keep-duplicates": None, "figures": v.FIGURES, "with-languages": None, "beside": v.mostly(["own.csv"], ["missing.csv", "bad.csv", ""]),
        "objectives": v.mostly(["size,length"], [*v.ODD_TEXT, "size", "size,size", "length,beauty"]),
    }),
    "check": ([v.mostly(["proof"], ["missing", "empty", "file", "torn-proof", "run", ""])], {"sizes": v.SIZES}),
    "evolve": ([], {
        **NEED, **GAMES, **JUDGED, **RUN, **PRESET, **CONTEST, "start": v.STARTS, "grammar": v.GRAMMARS,
        "pretraining": v.INTEGERS, "add": v.mostly(["lowest", "highest", "any", "any+"]),
        "choose": v.mostly(["bandit", "coin", "shorter", "law", "biased", "nearer", "aa"]), "keep": v.FLOATS,
        "word": v.FLOATS, "judge-noise": v.FLOATS, "modifications": v.mostly(["m0,m1", "m2", "m6,m7", "relabel", "m0,relabel"], [*v.ODD_TEXT, "m9", "m0,m0"]), "notation": v.mostly(["infix", "prefix", "postfix"]),
        "players": v.mostly(["kernel"], [*v.ODD_TEXT, "torch:", "torch:x", "torch:no_such_module:make"]),
        "reset-optimiser": None, "eval-need": v.NEEDS, "out": v.NEW_DIRECTORIES,
    }),
    "generations": ([], {
        **NEED, **GAMES, **RUN, **PRESET, **CONTEST, "arms": JUDGED["arms"], "start": v.STARTS, "grammar": v.GRAMMARS, "agents": v.mostly(["ideal", "neural"]),
        "bottleneck": v.mostly(["1", "50", "all"], ["0", "-1", "none", ""]), "population": v.mostly(["1", "2"], ["0", "x"]), "say": v.mostly(["minimal", "any"]),
        "lose": v.mostly(["unheard", "random"]), "coin": v.mostly(["need", "uniform"]), "invent": v.FLOATS,
        "multiplier-share": v.FLOATS, "body": v.FLOATS, "teach": v.mostly(["sampled", "greedy"]),
        "judge": v.mostly(["q", "mean", "late"]), "notation": v.mostly(["infix", "prefix", "postfix"]),
        "out": v.NEW_DIRECTORIES,
    }),
    "learnability": ([], {
        **RUN, **PRESET, **GAMES, "players": v.mostly(["kernel"], [*v.ODD_TEXT, "torch:", "torch:no:make"]), "system": v.mostly(["1-9 | 10", "French", "7"], [*v.ODD_TEXT, "2 | 4"]), "grammar": v.GRAMMARS, "need": v.NEEDS,
        "test-need": v.NEEDS, "numerals": v.mostly(["shortest", "ties", "permuted"]), "learner": v.mostly(["listener", "pair", "imitation"]),
        "answers": v.mostly(["classes", "line"]), "labels": v.mostly(["own", "shuffled"]), "examples": v.INTEGERS, "held-out": v.INTEGERS,
        "notation": v.mostly(["infix", "prefix", "postfix"]), "json": None, "out": v.NEW_DIRECTORIES,
    }),
    "kinds describe": ([v.mostly(["1-4,7,16", "1-9 | 10", "1"], [*v.ODD_TEXT, "1 | 2 | 3", "60", "none"])], {**NEED, **LAW}),
    "kinds optimum": ([], {**NEED, **LAW, "out": v.NEW_DIRECTORIES}),
    "kinds check": ([v.mostly(["kinds-optimum"], ["missing", "empty", "file", "proof", "run", ""])], {}),
    "kinds diagram": ([], {**NEED, **LAW, "precisions": v.FLOATS, "words": v.FLOATS, "cells": v.INTEGERS, "out": v.NEW_DIRECTORIES}),
    "kinds evolve": ([], {
        **RUN, **PRESET, **GAMES, **JUDGED, "start": v.mostly(["1,2", "1-9 | 10"]), "need": v.NEEDS, "error": ERRORS, "json": None, "grammar": v.GRAMMARS,
        "choose": v.mostly(["bandit", "coin", "law"]), "precision": v.FLOATS,
        "precision-to": v.FLOATS, "precision-rounds": v.INTEGERS, "word": v.FLOATS, "out": v.NEW_DIRECTORIES,
    }),
    "kinds generations": ([], {
        **RUN, "effort": v.FLOATS, "error": ERRORS, "json": None, "grammar": v.GRAMMARS, "start": v.mostly(["1,2", "1-9 | 10"]), "need": v.NEEDS,
        "bottleneck": v.mostly(["1", "50", "all"], ["0", "-1", "none", ""]), "lose": v.mostly(["unheard", "random"]),
        "coin": v.mostly(["loss", "uniform"]), "invent": v.FLOATS, "multiplier-share": v.FLOATS, "precision": v.FLOATS,
        "precision-to": v.FLOATS, "precision-rounds": v.INTEGERS, "word": v.FLOATS, "out": v.NEW_DIRECTORIES,
    }),
    "plans": ([v.mostly(["calibration", ""])], {"json": None}),
    "agents": ([v.RUN_DIRECTORIES, v.mostly(["say", "hear", "dictionary", "export"]), v.mostly(["7", "3 4"])], {"out": v.FILES, "json": None}),
    "sweep": ([v.PLANS], {**ENGINE, "dry-run": None, "status": None, "out": v.NEW_DIRECTORIES, "experiment": v.mostly(["none", "evolution", "restricted"])}),
    "selection": ([v.RUN_DIRECTORIES, v.RUN_DIRECTORIES], {"figures": v.FIGURES, "answer": None, "json": None, "rounds": v.INTEGERS, "against": v.mostly(["choose=coin", "learners=same"], ["coin", "x=1", "=", "choose=", ""])}),
    "table": ([v.RUN_DIRECTORIES, v.RUN_DIRECTORIES], {"out": v.FILES}),
    "archive": ([v.RUN_DIRECTORIES, v.RUN_DIRECTORIES], {"out": v.mostly(["out.tar.xz"], ["out.zip", "missing/out.tar.xz", ".tar.xz", "file/out.tar.xz", "", "run"]), "checkpoints": None}),
    "unarchive": ([v.mostly(["runs.tar.xz"], ["missing", "empty", "file", "plan.toml", "run", ""]), v.NEW_DIRECTORIES], {"list": None, "out": v.NEW_DIRECTORIES}),
    "restricted describe": ([v.TERMS], {**NEED, "kind": v.mostly(["approximate", "exact restricted"]), "weber": v.FLOATS}),
    "restricted frontier": ([], {
        **NEED, "kind": v.mostly(["both", "approximate", "exact restricted"]), "sizes": v.SIZES, "weber": v.FLOATS,
        "figures": v.FIGURES,
    }),
    "restricted languages": ([], {**NEED, "weber": v.FLOATS}),
    "restricted bands": ([v.TERMS, v.LANGUAGES], {"out": v.NEW_DIRECTORIES, "range": v.INTEGERS}),
    "restricted train": ([], {
        **NEED, **GAMES, **GAME, **RUN, "weber": v.FLOATS, "halving": v.INTEGERS, "out": v.NEW_DIRECTORIES,
    }),
    "restricted compare": ([v.RUN_DIRECTORIES], {"figures": v.FIGURES, "json": None}),
    "results": ([v.mostly(["run"], ["missing", "empty", "file", ""])], {"out": v.mostly(["out.md"], ["file/out.md", "missing/out.md", ""]), "tables": v.NEW_DIRECTORIES}),
    "playground": ([], {"out": v.mostly(["out.html"], ["file/out.html", "missing/out.html", ""])}),
    "explore": ([v.RUN_DIRECTORIES], {"port": st.sampled_from(["-1", "70000", "x"]), "host": st.sampled_from(["", "no such host"]), "grammar": v.GRAMMARS, "export": v.mostly(["out.html"], ["file/out.html", "missing/out.html", "run", ""])}),
    "reproduce": ([], {"out": st.sampled_from(["file", "run"]), **ENGINE, "workers": st.sampled_from(["0", "-1", "x"]), "quick": None, "full": None, "json": None, "play-nothing": None}),
}  # fmt: skip
"""The positional arguments of each command, and its options. The last two are called with bad values only."""

ALWAYS = {
    "evolve": ["--rounds", "2", "--steps", "3", "--game.hidden", "4", "--game.batch", "4", "--out", "new"],
    "generations": ["--rounds", "2", "--imitation", "3", "--steps", "3", "--pretraining", "3", "--out", "new"],
    "learnability": ["--rounds", "1", "--steps", "3", "--game.hidden", "4", "--game.batch", "4", "--out", "new"],
    "kinds describe": ["--range", "20"],
    "kinds optimum": ["--range", "20"],
    "kinds diagram": ["--range", "10", "--cells", "2", "--out", "new"],
    "kinds evolve": ["--rounds", "2", "--steps", "3", "--game.hidden", "4", "--game.batch", "4", "--out", "new"],
    "kinds generations": ["--rounds", "2", "--range", "20", "--out", "new"],
    "restricted train": ["--rounds", "1", "--steps", "3", "--game.hidden", "4", "--game.batch", "4", "--out", "new"],
    "sweep": ["--out", "new"],
    "table": ["--out", "out.csv"],
    "archive": ["--out", "out.tar.xz"],
    "restricted bands": ["--out", "new"],
    "explore": ["--no-browser", "--port", "70000"],
    "playground": ["--no-browser"],
    "reproduce": ["--out", "file"],
    "frontier": ["--sizes", "2-4", "--time-limit", "2"],
}
"""Options that come first, so that a call is small; one that is drawn later overrides it."""
SLOW = {"sweep", "restricted bands", "kinds diagram"}
"""Commands that start processes or draw: seconds each, so they are called less often than others."""
DRAWN = {"figures"}
"""Options that make others slow."""


@st.composite
def calls(draw: st.DrawFn, quick: bool = False) -> list[str]:
    """A call of the command line; `quick` leaves out what takes seconds."""
    names = sorted(COMMANDS.keys() - SLOW)
    name = draw(st.sampled_from(names if quick else [*4 * names, *sorted(SLOW)]))
    positional, options = COMMANDS[name]
    if quick:
        options = {option: values for option, values in options.items() if option not in DRAWN}
    words = [*name.split(), *ALWAYS.get(name, ())]
    count = draw(st.integers(0, len(positional))) if draw(st.integers(0, 3)) == 0 else len(positional)
    words += [draw(each) for each in positional[:count]]
    for option in draw(st.lists(st.sampled_from(sorted(options)), max_size=3, unique=True)) if options else ():
        strategy = options[option]
        words += [f"--{option}"] if strategy is None else [f"--{option}", draw(strategy)]
    return words
