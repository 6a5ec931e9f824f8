"""A directory with everything a command may be pointed at: good, damaged and foreign."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from ishango.cli import main

SMALL = ["--rounds", "2", "--steps", "3", "--game.hidden", "4", "--game.batch", "4"]
PLANS = {
    "plan.toml": "[base]\nrounds = 1\nchoose = 'coin'\n[vary]\nstart = [1, 7]\n",
    "restricted.toml": "experiment = 'restricted'\n[base]\nrounds = 1\nsteps = 2\nhidden = 4\nbatch = 4\n",
    "broken.toml": "[base\nrounds = ",
    "types.toml": "[base]\nrounds = 1.5\nreset_optimiser = 'no'\n",
    "odd.toml": "game = 5\n[base]\ngame = 5\n",
    "unknown.toml": "experiment = 'alchemy'\n[base]\nwheels = 4\n",
    "empty.toml": "",
    "huge.toml": "[base]\nrounds = 0\nchoose = 'coin'\n[vary]\nseed = '0-99999999'\n",
}


def build(directory: Path) -> None:
    """Make the world; the current directory must be it."""
    quiet = ["--out"]
    main(["evolve", "--start", "7", *SMALL, *quiet, "run"])
    main(["evolve", "--start", "7", "--choose", "coin", "--rounds", "2", *quiet, "coin"])
    main(["evolve", "--start", "7", "--choose", "aa", *SMALL, *quiet, "aa"])
    small = ["--rounds", "1", "--steps", "2", "--hidden", "4", "--batch", "4"]
    main(["restricted", "train", *small, "--out", "learned"])
    main(["frontier", "--sizes", "2-4", "--proof", "--out", "proof"])
    main(["kinds", "optimum", "--range", "9", "--precision", "1", *quiet, "kinds-optimum"])
    for name, text in PLANS.items():
        (directory / name).write_text(text)
    shutil.copytree("run", "sweep/a")
    shutil.copytree("coin", "sweep/b")
    main(["archive", "sweep", *quiet, "runs.tar.xz"])
    shutil.copytree("run", "torn")
    (directory / "torn" / "run.json").write_text('{"config": {')
    shutil.copytree("run", "no-rounds")
    (directory / "no-rounds" / "rounds.jsonl").write_text("")
    shutil.copytree("run", "bad-config")
    (directory / "bad-config" / "run.json").write_text('{"config": {"rounds": "many"}}')
    shutil.copytree("run", "newer")
    document = json.loads((directory / "newer" / "run.json").read_text())
    (directory / "newer" / "run.json").write_text(json.dumps({**document, "format": 99}))
    shutil.copytree("proof", "torn-proof")
    (directory / "torn-proof" / "proof.jsonl.gz").write_bytes(b"not a proof")
    (directory / "empty").mkdir()
    (directory / "file").write_text("a file\n")
    (directory / "need.csv").write_text("".join(f"{n},{1 / n}\n" for n in range(1, 201)))
    (directory / "bad.csv").write_text("number,need\n1,much\n")
    (directory / "zero.csv").write_text("".join(f"{n},0\n" for n in range(1, 201)))
    (directory / "grammar.toml").write_text("bare_number = true\nminus = false\n")
    (directory / "bad-grammar.toml").write_text("bare_phrase = true\nplus = 1\n")
    (directory / "own.csv").write_text("name,digits,multipliers\nown,1-9,10\n")
