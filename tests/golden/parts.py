# ruff: noqa: E501
"""What is played: small calls of every command and of the public Python names, in parts.

Only the command line and `import ishango` are used: modules may move without a change here.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import ishango
from ishango.cli import main

STUDIES = Path(__file__).parents[2] / "studies"
EARLIER = Path(__file__).with_name("runs-format-2.tar.xz")
"""Two runs of version 0.2.0, archived with `--checkpoints`."""
TALK = "--steps 12 --game.hidden 4 --game.batch 4"
PLAN = """\
[base]
rounds = 8
choose = "coin"
[vary]
start = [3, 7]
[[variant]]
[[variant]]
choose = "shorter"
"""
TALKING_PLAN = """\
[base]
rounds = 4
steps = 12
start = 7
game.hidden = 4
game.batch = 4
[vary]
seed = [0, 1]
[[variant]]
[[variant]]
choose = "coin"
"""


class Stage:
    """The current directory of a part, and what commands print there."""

    def __init__(self) -> None:
        self.printed: dict[str, str] = {}

    def call(self, name: str, *words: str) -> None:
        """Give a command, in pieces that are split at blanks; keep what it prints and its exit code, or its refusal."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([word for each in words for word in each.split()])
        refusal = err.getvalue().splitlines()[-1:] if code else []
        self.printed[name] = "\n".join([out.getvalue(), f"exit {code}", *refusal])

    def calls(self, name: str, command: str, *endings: str) -> None:
        """Give a command several times, with these endings."""
        for ending in endings:
            self.call(f"{name} {ending}".strip(), command, ending)


@dataclass(frozen=True)
class Part:
    """Some calls. Bits of agents may differ between processors."""

    play: Callable[[Stage], None]
    agents: bool = False
    needs: tuple[str, ...] = ()
    """Modules that must be installed."""

    @property
    def missing(self) -> list[str]:
        """Modules that are not there."""
        return [name for name in self.needs if importlib.util.find_spec(name) is None]


def systems(stage: Stage) -> None:
    """Numeral systems, languages and plans."""
    stage.calls("describe", "describe 1-9,11 10", "", "--json", "--format csv", "--format latex", "--format markdown",
                "--rows 1-20 --grammar hurford", "--range 20 --need uniform --tied 2")  # fmt: skip
    stage.calls("languages", "languages", "", "--json", "French", "French Basque --json", "--costs", "--disagreements")
    stage.calls("languages cosinus", "languages --source cosinus", "", "--json")
    words = ["restricted", "describe", "1|2-4|5-"]
    stage.call("restricted describe", *words)
    stage.call("restricted describe json", *words, "--json")
    stage.calls("restricted", "restricted", "frontier --sizes 2-5", "frontier --sizes 2-5 --json", "languages", "languages --json",
                "bands Chiquitano English --out bands")  # fmt: skip
    stage.calls("plans", "plans", "", "--json", "calibration", "pressures")
    english = ishango.find_language("English")
    system = ishango.NumeralSystem.parse("1-9 | 10")
    stage.printed["python"] = "\n".join(
        [
            repr(english), str(ishango.describe(english, grammar="hurford")), repr(ishango.minimal_language(system)),
            repr(ishango.average_complexity(system)), repr(ishango.gap(system)), repr(ishango.measure(system)),
            repr(ishango.costs_of(system)), repr(ishango.STARTS), repr(ishango.frontier([2, 3])),
        ]
    )  # fmt: skip


def frontiers(stage: Stage) -> None:
    """Proofs and their checks, and the genetic estimate."""
    stage.calls("frontier", "frontier", "--sizes 2-6 --proof --out proof --figures figures --with-languages", "--sizes 3-5 --json",
                "--sizes 2-5 --grammar hurford --all", "--sizes 3-4 --range 20 --need uniform --proof --out uniform",
                "--method genetic --population 30 --generations 3 --json")  # fmt: skip
    stage.calls("check", "check", "proof", "uniform", "proof --sizes 3")


def kinds(stage: Stage) -> None:
    """The law of all kinds: its optimum, a small diagram, and what evolves or is passed on under it."""
    stage.calls("kinds", "kinds", "describe 1-4,7,16", "describe 1-4,7,16 --json",
                "optimum --range 12 --precision 1 --out optimum", "optimum --range 12 --precision 1 --json", "check optimum",
                "diagram --range 10 --cells 2 --out diagram", "diagram --range 10 --cells 2 --out diagram --json")  # fmt: skip
    for choose in ("coin", "law"):
        stage.call(f"kinds evolve {choose}", f"kinds evolve --choose {choose} --rounds 4 --json --out runs/{choose}")
    stage.call("kinds generations", "kinds generations --rounds 5 --bottleneck 60 --json --out runs/passed-on")
    stage.call("table", "table", "runs", "-o", "rounds.csv")


def without_agents(stage: Stage) -> None:
    """Every chooser without agents, ideal generations, a sweep, and all that looks at runs."""
    for choose in ("coin", "shorter", "law", "biased", "nearer"):
        cost = "--word 0.01 --judge-noise 0.02" if choose == "law" else ""
        stage.call(choose, f"evolve --start 7 --choose {choose} --rounds 8 --json --out runs/{choose}", cost)
    stage.calls("evolve", "evolve --choose coin --rounds 4", "--start 7 --add any+ --grammar hurford --out runs/any",
                "--start 7 --modifications m0,m4,relabel --out runs/relabel", "1-4 5,20 --range 50 --out runs/own")  # fmt: skip
    stage.calls("generations", "generations --rounds 6", "--out runs/chain --json", "--population 3 --out runs/population",
                "--lose random --coin uniform --out runs/random", "--bottleneck all --say any --out runs/any-say")  # fmt: skip
    Path("plan.toml").write_text(PLAN)
    stage.calls("sweep", "sweep plan.toml --out runs/sweep", "--dry-run", "--workers 1", "--status")
    stage.calls("selection", "selection runs/sweep runs/coin", "", "--json", "--rounds 4", "--figures figures")
    stage.call("table", "table", "runs", "-o", "rounds.csv")
    stage.calls("archive", "", "archive runs/sweep -o kept.tar.xz", "archive runs/coin -o whole.tar.xz --checkpoints",
                "unarchive kept.tar.xz --list", "unarchive kept.tar.xz back", "unarchive whole.tar.xz whole")  # fmt: skip
    stage.call("an archived run goes on", "evolve --start 7 --choose coin --rounds 10 --json --out whole/coin")
    stage.printed["load_runs.csv"] = ishango.load_runs("runs").to_csv(index=False)
    stage.printed["load_table.csv"] = ishango.load_table("rounds.csv").to_csv(index=False)


def agents(stage: Stage) -> None:
    """Every experiment with agents, and all that looks at them."""
    evolve = f"evolve --start 7 --json {TALK} --rounds"
    calls = {
        "plain": "", "practised": "--contest practised --arms even --judge mean", "relabel": "--modifications m0,m4,relabel",
        "criterion": "--contest criterion --criterion 0.1 --practice 8", "aa": "--choose aa", "new": "--learners new --judge late",
        "priced": "--word 0.01 --game.effort 0.05 --game.effort-in reward --game.noise 0.1 --learners new-listener",
        "notation": "--notation prefix --reset-optimiser --game.lost-entropy 0.05 --game.baseline mean --game.reward linear",
    }  # fmt: skip
    for name, words in calls.items():
        stage.call(f"evolve {name}", evolve, "3", words, f"--out runs/{name}")
    stage.call("evolve goes on", evolve, "5 --out runs/plain")
    neural = f"generations --agents neural --rounds 2 --imitation 5 --pretraining 10 --json {TALK}"
    stage.call("generations neural", neural, "--contest", "bandit", "--out", "runs/neural")
    stage.call("generations practised", neural, "--contest", "practised", "--teach", "greedy", "--out", "runs/taught")
    stage.call("generations population", neural, "--population", "2", "--out", "runs/population")
    stage.call("restricted train", "restricted train --rounds 2 --json --out runs/restricted", TALK)
    stage.call("restricted compare", "restricted compare runs/restricted --figures compared")
    stage.call("restricted compare json", "restricted compare runs/restricted --json")
    stage.call("kinds evolve", "kinds evolve --rounds 3 --json --out runs/kinds", TALK)
    Path("plan.toml").write_text(TALKING_PLAN)
    stage.calls("sweep", "sweep plan.toml --out runs/sweep", "--workers 1")
    stage.calls("selection", "selection runs/sweep", "", "--json", "--against choose=bandit", "--answer")
    stage.call("table", "table", "runs", "-o", "rounds.csv")
    stage.calls("agents", "agents runs/plain", "say 42", "say 42 --json", "hear 1 2 3", "dictionary", "dictionary --json",
                "export -o agents.safetensors")  # fmt: skip
    run = ishango.evolve("7", rounds=2, steps=10, seed=1, game=ishango.GameOptions(hidden=4, batch=4))
    stage.printed |= {"python": str(run), "python.csv": run.to_frame().to_csv(index=False)}
    _explore(stage, "dictionary?name=plain", "exchange?name=plain&number=7", "measure?name=plain&field=accuracy")


def learnability(stage: Stage) -> None:
    """Every learner of one system, its control, twins, and a run that goes on."""
    learn = "learnability --rounds 2 --json --range 20 --system 1-4,7|5,10"
    calls = {
        "listener": "", "line": "--answers line --held-out 3", "shuffled": "--labels shuffled --need uniform",
        "ties": "--numerals ties --examples 9", "permuted": "--numerals permuted --notation prefix --test-need power:2",
        "pair": "--learner pair --preset able --game.vocabulary 24", "imitation": "--learner imitation",
    }  # fmt: skip
    for name, words in calls.items():
        stage.call(name, learn, words, TALK, f"--out runs/{name}")
    stage.call("goes on", learn.replace("2", "4", 1), TALK, "--out runs/listener")
    stage.call("table", "table", "runs", "-o", "rounds.csv")


def earlier(stage: Stage) -> None:
    """Runs that 0.2.0 wrote, with their checkpoints: a coin's and one of agents. They go on."""
    shutil.copy(EARLIER, ".")
    stage.call("unpacked", "unarchive", EARLIER.name, "runs")
    stage.call("coin", "evolve --start 3 --choose coin --rounds 6 --json --out runs/coin")
    stage.call("agents", "evolve --start 7 --rounds 3 --json --out runs/agents", TALK)


def torch(stage: Stage) -> None:
    """Agents as PyTorch modules."""
    stage.call("evolve", "evolve --start 7 --rounds 2 --players torch --json --out runs/torch", TALK)
    stage.calls("agents", "agents runs/torch", "say 42")


def explorer(stage: Stage) -> None:
    """The page in one file, and the answers of its server."""
    for start in ("3", "7"):
        stage.call(f"start {start}", f"evolve --start {start} --choose coin --rounds 6 --out runs/{start}")
    stage.call("export", "explore runs --export page.html")
    _explore(stage, "choices", "system?digits=1&digits=2&multipliers=10", "presets", "plane", "map", "kinds", "runs", "bench",
             "run?name=3", "overlay?name=3&name=7", "measure?name=3&field=gap")  # fmt: skip


def _explore(stage: Stage, *routes: str) -> None:
    command = [sys.executable, "-m", "ishango", "explore", "runs", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        (address,) = next(filter(None, (re.findall(r"http://[\w.:]+", line) for line in server.stderr)))
        try:
            for route in routes:
                with urlopen(f"{address}/api/{route}") as answer:
                    stage.printed[f"api {route}"] = json.dumps(json.load(answer), indent=1, ensure_ascii=False)
        finally:
            server.send_signal(signal.SIGINT)


def report(stage: Stage) -> None:
    """A page from two runs of a coin, with all tables that need no runs; and the verdicts that come with the package."""
    stage.call("nothing yet", "reproduce --quick --play-nothing --out page")
    for start in ("1", "2"):
        words = f"evolve --choose coin --rounds 30 --start {start} --out page/runs/drift/seed=0,start={start}"
        stage.call(f"start {start}", words)
    stage.call("reproduce", "reproduce --quick --play-nothing --workers 1 --out page --json")
    stage.call("results", "results")
    stage.call("results of the page", "results page --out results.md")


def studies(stage: Stage) -> None:
    """Every archived study: what is in it, one of its runs as a table, and that a run without checkpoints is left as it is."""
    for archive in sorted(STUDIES.glob("*.tar.xz")):
        name = archive.name.removesuffix(".tar.xz")
        shutil.copy(archive, ".")
        stage.call(f"{name} listed", "unarchive", archive.name, "--list")
        stage.call(f"{name} unpacked", "unarchive", archive.name, name)
        document = min(Path(name).rglob("run.json"))
        table = ishango.load_runs(document.parent)
        stage.printed[f"{name} rounds.csv"] = table.to_csv(index=False)
        stage.call(f"{name} table", "table", str(document.parent), "-o", f"{name}.csv")
        shutil.move(document.parent, f"one-of-{name}")
        shutil.rmtree(name)
        Path(archive.name).unlink()
    for rounds in ("100", "101"):
        words = f"evolve --start 1 --steps 10000 --seed 100 --game.lost-entropy 0.01 --rounds {rounds} --out one-of-calibration-100"
        stage.call(f"calibration-100 to {rounds} rounds", words, "--json")
    stage.call("shown", "explore . --export page.html")


PARTS = {
    "systems": Part(systems),
    "frontiers": Part(frontiers),
    "kinds": Part(kinds),
    "without-agents": Part(without_agents),
    "agents": Part(agents, agents=True),
    "learnability": Part(learnability, agents=True),
    "earlier": Part(earlier, agents=True),
    "torch": Part(torch, agents=True, needs=("torch",)),
    "explorer": Part(explorer),
    "report": Part(report),
    "studies": Part(studies),
}
