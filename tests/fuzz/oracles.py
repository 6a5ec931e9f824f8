"""What answers must mean: for each command a second way to its answer, or a relation between two calls.

    python -m tests.fuzz --meaning 5000

An oracle draws a request, calls the command in this process, and complains of an answer that cannot be right. Small
systems and ranges are computed anew by plain code that shares nothing with the package (`tests.numerals.oracle`).
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import io
import json
import math
import os
import random
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from tests.numerals.oracle import least_leaves

from ishango.cli import main
from ishango.numerals import as_grammar

GRAMMARS = ("modified", "hurford", "natural", "addition", "flat")
SMALL = ["--rounds", "2", "--steps", "3", "--game.hidden", "4", "--game.batch", "4"]
CLOCK = ("seconds", "steps_per_second")


class WrongError(AssertionError):
    """An answer that cannot be right."""


class Called(NamedTuple):
    """What a call gave."""

    code: int
    out: str

    @property
    def json(self) -> Any:
        """The answer as a document."""
        return json.loads(self.out)


class Caller:
    """Makes calls in this process and counts them."""

    def __init__(self) -> None:
        self.calls = 0
        self.last: list[str] = []

    def __call__(self, *words: str, code: int | None = 0) -> Called:
        """The answer of a command, whose exit code must be this one; None for any."""
        self.calls += 1
        self.last = list(words)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                found = main(list(words))
            except SystemExit as exit:
                found = exit.code if isinstance(exit.code, int) else 1
        if code is not None and found != code:
            raise WrongError(f"exit code {found} instead of {code}: {err.getvalue().strip()[-200:]}")
        return Called(found, out.getvalue())


def that(holds: object, complaint: str) -> None:
    """Complain unless it holds."""
    if not holds:
        raise WrongError(complaint)


def near(one: float, other: float, what: str) -> None:
    """Complain unless two numbers are equal but for rounding."""
    that(abs(one - other) <= 1e-9 * max(1.0, abs(one)), f"{what}: {one} is not {other}")


def words_of(numbers: list[int]) -> str:
    """A set as it is written."""
    return ",".join(map(str, numbers)) or "none"


def drawn_system(rng: random.Random, upto: int) -> tuple[list[int], list[int]]:
    """Some digits with 1 among them, and some multipliers."""
    digits = sorted({1, *rng.sample(range(1, upto + 1), rng.randint(0, min(5, upto - 1)))})
    return digits, sorted(rng.sample(range(2, upto + 1), rng.randint(0, min(3, upto - 1))))


def leaves_of(digits: list[int], multipliers: list[int], grammar: str, upto: int) -> dict[int, int]:
    """The least leaves of each number that the grammar derives, by plain code."""
    found = least_leaves(digits, multipliers, as_grammar(grammar), 2 * upto + 2)
    return {number: found[number] for number in range(1, upto + 1) if number in found}


def average_of(leaves: dict[int, int], upto: int, power: float) -> float:
    """The average length of a language under n^-power, in words and the operators between them."""
    need = {number: number**-power for number in range(1, upto + 1)}
    return sum(need[number] * (2 * leaves[number] - 1) for number in need) / sum(need.values())


# ---- systems and frontiers ------------------------------------------------------------------------------------------


def describe(call: Caller, rng: random.Random) -> None:
    """Each expression has its number's value and the least length there is, and the average is theirs."""
    upto, grammar, power = rng.randint(4, 14), rng.choice(GRAMMARS), rng.choice([1, 2])
    digits, multipliers = drawn_system(rng, upto)
    if not set(digits).isdisjoint(multipliers) and not as_grammar(grammar).bare_number:
        multipliers = [each for each in multipliers if each not in digits]
    answer = call("describe", words_of(digits), words_of(multipliers), "--range", str(upto), "--grammar", grammar,
                  "--need", f"power:{power}", "--json", code=None)  # fmt: skip
    if answer.code == 2:  # not a system of this grammar
        return
    found, leaves = answer.json, leaves_of(digits, multipliers, grammar, upto)
    that(found["size"] == len(digits) + len(multipliers), "size")
    said = {int(number): text for number, text in found["expressions"].items() if text}
    that(set(said) == set(leaves), f"derived {sorted(said)}, not {sorted(leaves)}")
    that(sorted(found["missing"]) == [n for n in range(1, upto + 1) if n not in leaves], "missing")
    for number, text in said.items():
        that(eval(text) == number, f"{text} is not {number}")
        that(1 + sum(text.count(sign) for sign in "+-*") == leaves[number], f"{text} is not the shortest of {number}")
    if len(leaves) == upto:
        near(found["average_complexity"], average_of(leaves, upto, power), "average")


def frontier(call: Caller, rng: random.Random) -> None:
    """No system of the size is shorter on average; brute force."""
    upto, size, power = rng.randint(4, 8), rng.randint(2, 3), rng.choice([1, 2])
    [point] = call("frontier", "--range", str(upto), "--sizes", str(size), "--need", f"power:{power}",
                   "--json").json["points"]  # fmt: skip
    least = float("inf")
    for words in combinations(range(1, upto + 1), size):
        for count in range(1, size):
            for multipliers in combinations(words, count):
                digits = [word for word in words if word not in multipliers]
                leaves = leaves_of(digits, list(multipliers), "modified", upto)
                if len(leaves) == upto:
                    least = min(least, average_of(leaves, upto, power))
    that(point["proved"], "not proved")
    near(point["average_complexity"], least, f"frontier of {size} words over {upto}")


def check(call: Caller, rng: random.Random) -> None:
    """A proof holds; with one bound raised it does not."""
    upto = rng.randint(5, 9)
    shutil.rmtree("proved", ignore_errors=True)
    call("frontier", "--range", str(upto), "--sizes", "2-3", "--proof", "--out", "proved")
    call("check", "proved")
    [file] = [path for path in Path("proved").iterdir() if path.suffix == ".csv"]
    table = pd.read_csv(file)
    table.loc[rng.randrange(len(table)), "average_complexity"] *= 1 - rng.uniform(0.01, 0.3)
    table.to_csv(file, index=False)
    that(call("check", "proved", code=None).code in (1, 2), "an average that nobody reaches is said to hold")


def languages(call: Caller, rng: random.Random) -> None:
    """What is said is never shorter than the shortest, and `describe` says the same of the same words."""
    name = rng.choice(["French", "English", "Danish", "Japanese", "Turkish", "Hindi", "Welsh", "Basque"])
    upto = str(rng.choice([20, 50, 99]))
    found = call("languages", name, "--range", upto, "--json", code=None)
    if found.code == 2:
        return
    answer = found.json
    for grammar in ("modified", "hurford"):
        own = answer[grammar]
        if own["said"] is not None and own["minimal"] is not None:
            that(own["said"] >= own["minimal"] - 1e-12, "said is shorter than the shortest")
        if own["minimal"] is None:
            continue
        again = call("describe", words_of(answer["digits"]), words_of(answer["multipliers"]), "--range", upto,
                     "--grammar", grammar, "--json").json  # fmt: skip
        near(own["minimal"], again["average_complexity"], f"{name}, {grammar}")
        near(own["gap_shortest"], again["gap"], f"gap of {name}, {grammar}")


def world(call: Caller, rng: random.Random) -> None:
    """A catalogue's family: averages over families are those of its languages, and each is what `describe` says."""
    family = rng.choice(["Kartvelian", "Uralic", "Dravidian", "Basque", "Eskimo-Aleut", "Tupian", "Mayan"])
    upto = str(rng.choice([10, 20, 99]))
    found = call("languages", "--source", "world", "--family", family, "--range", upto, "--json", code=None)
    if found.code == 2:
        return
    rows, figures = found.json["languages"], {row["figure"]: row for row in found.json["over_families"]}
    that(all(row["family"] == family for row in rows), "another family")
    for figure in ("said", "shortest", "size"):
        known = [row[figure] for row in rows if row[figure] is not None]
        if figure in figures and known:
            near(figures[figure]["over_languages"], sum(known) / len(known), f"{figure} of {family}")
            that(figures[figure]["families"] == 1, "one family is not one")
    for row in rng.sample(rows, min(2, len(rows))):
        if row["shortest"] is not None:
            again = call("describe", row["digits"], row["multipliers"] or "none", "--range", upto, "--grammar",
                         "hurford", "--json").json  # fmt: skip
            near(row["shortest"], again["average_complexity"], row["language"])
            near(row["gap_shortest"], again["gap"], row["language"])


def imported(call: Caller, rng: random.Random) -> None:
    """A system's expressions, written to a table and read again, are as long and as far from the frontier as before."""
    multiplier = rng.choice([5, 10, 20])
    own = call(
        "describe", f"1-{multiplier - 1}", str(multiplier), "--grammar", "hurford", "--range", "39", "--json"
    ).json
    lines = [f"own,{number},{text}" for number, text in own["expressions"].items()]
    rng.shuffle(lines)
    Path("said.csv").write_text("\n".join(["name,number,expressions", *lines]))
    answer = call("languages", "--import", "said.csv", "own", "--range", "39", "--json").json["hurford"]
    near(answer["said"], own["average_complexity"], "what is said")
    near(answer["gap_said"], own["gap"], "its gap")
    Path("said.csv").write_text("\n".join(["name,number,expressions", *lines[1:], lines[1]]))
    call("languages", "--import", "said.csv", "own", "--range", "39", code=2)  # a number twice


# ---- the law of kinds -----------------------------------------------------------------------------------------------


def _law(rng: random.Random) -> tuple[list[str], dict[str, float]]:
    values = {"precision": rng.choice([0.3, 1.0, 3.0]), "word": rng.choice([0.01, 0.03, 0.1]), "effort": 1.0}
    return [word for name, value in values.items() for word in (f"--{name}", str(value))], values


def _priced(answer: dict[str, Any], law: dict[str, float]) -> None:
    cost = law["effort"] * answer["length"] + law["word"] * answer["size"] + law["precision"] * answer["error"]
    near(answer["cost"], cost, "cost")


def kinds_describe(call: Caller, rng: random.Random) -> None:
    """The cost is the sum of its parts, and dearer words cost their price more."""
    upto, (options, law) = rng.randint(5, 12), _law(rng)
    digits, multipliers = drawn_system(rng, upto)
    multipliers = [each for each in multipliers if each not in digits]
    system = f"{words_of(digits)} | {words_of(multipliers)}"
    answer = call("kinds", "describe", system, "--range", str(upto), *options, "--json").json
    _priced(answer, law)
    dearer = call("kinds", "describe", system, "--range", str(upto), *options, "--word", str(law["word"] + 1), "--json")
    near(dearer.json["cost"], answer["cost"] + len(digits) + len(multipliers), "a word dearer")


def kinds_optimum(call: Caller, rng: random.Random) -> None:
    """No system that is drawn costs less; the optimum's own words cost what it says; its certificate holds."""
    upto, (options, law) = rng.randint(4, 7), _law(rng)
    shutil.rmtree("best", ignore_errors=True)
    best = call("kinds", "optimum", "--range", str(upto), *options, "--json", "--out", "best").json
    _priced(best, law)
    that(best["lower"] <= best["cost"] + 1e-12, "bound above the cost")
    call("kinds", "check", "best")
    for words in ((best["digits"], best["multipliers"]), *(map(words_of, drawn_system(rng, upto)) for _ in range(3))):
        other = call("kinds", "describe", " | ".join(words), "--range", str(upto), *options, "--json", code=None)
        if other.code == 0:
            that(other.json["cost"] >= best["cost"] - 1e-9, f"{words} costs less than the optimum")


def kinds_diagram(call: Caller, rng: random.Random) -> None:
    """Each cell is what `kinds optimum` finds."""
    upto = str(rng.randint(4, 6))
    shutil.rmtree("diagram", ignore_errors=True)
    call("kinds", "diagram", "--range", upto, "--cells", "2", "--out", "diagram")
    table = pd.read_csv(next(Path("diagram").glob("*.csv")))
    row = table.iloc[rng.randrange(len(table))]
    best = call("kinds", "optimum", "--range", upto, "--precision", repr(float(row["precision"])), "--word",
                repr(float(row["word"])), "--json").json  # fmt: skip
    near(float(row["cost"]), best["cost"], "cell of the diagram")


# ---- systems without recursion --------------------------------------------------------------------------------------


def _terms(rng: random.Random, upto: int) -> str:
    """A partition of 1..upto into intervals."""
    cuts = sorted(rng.sample(range(2, upto + 1), rng.randint(1, 3)))
    begins = [1, *cuts]
    parts = [f"{a}" if b == a + 1 else f"{a}-{b - 1}" for a, b in zip(begins, cuts, strict=False)]
    return "|".join([*parts, f"{begins[-1]}-" if begins[-1] < upto else f"{upto}"])


def restricted_describe(call: Caller, rng: random.Random) -> None:
    """Every number has one word, and costs of the words add up."""
    upto = rng.randint(5, 20)
    answer = call("restricted", "describe", _terms(rng, upto), "--range", str(upto), "--json").json
    that(sorted(n for term in answer["terms"] for n in term["numbers"]) == [*range(1, upto + 1)], "not a partition")
    near(answer["cost"], sum(term["cost"] for term in answer["terms"]), "cost")
    that(answer["ideal_cost"] <= answer["cost"] + 1e-9, "an ideal listener pays more")


def restricted_frontier(call: Caller, rng: random.Random) -> None:
    """Each point's words cost what it says, and no partition that is drawn costs less at its complexity."""
    upto = rng.randint(5, 10)
    points = call("restricted", "frontier", "--range", str(upto), "--sizes", "2-4", "--json").json["points"]
    for point in rng.sample(points, min(3, len(points))):
        for words in (point["system"], _terms(rng, upto)):
            found = call("restricted", "describe", words, "--range", str(upto), "--kind", point["kind"], "--json",
                         code=None)  # fmt: skip
            if found.code:
                continue
            if words == point["system"]:
                near(found.json["cost"], point["cost"], f"cost of {words}")
            elif found.json["size"] in (2, 3, 4) and found.json["complexity"] <= point["complexity"]:
                same = [each for each in points if each["kind"] == point["kind"]]
                alike = [each["cost"] for each in same if each["complexity"] <= found.json["complexity"]]
                that(not alike or found.json["cost"] >= min(alike) - 1e-9, f"{words} costs less than the frontier")


def restricted_languages(call: Caller, rng: random.Random) -> None:
    """A language's words cost what `restricted describe` says."""
    upto = str(rng.choice([9, 20]))
    known = [each for each in call("restricted", "languages", "--range", upto, "--json").json["languages"]
             if each["words"] and len(each["words"]) < 20]  # fmt: skip
    known = [each for each in known if max(map(int, re.findall(r"\d+", each["words"]))) <= int(upto)]
    for each in rng.sample(known, min(3, len(known))):
        again = call("restricted", "describe", each["words"], "--range", upto, "--kind", each["kind"], "--json")
        near(again.json["cost"], each["cost"], each["name"])


# ---- runs -----------------------------------------------------------------------------------------------------------


def _records(directory: str) -> list[dict[str, Any]]:
    lines = (Path(directory) / "rounds.jsonl").read_text().splitlines()
    return [{name: value for name, value in json.loads(line).items() if name not in CLOCK} for line in lines]


def _played(call: Caller, rng: random.Random, *command: str, rounds: int = 4) -> list[dict[str, Any]]:
    """The records of a run, which is played at once, and in two parts; another seed is another run."""
    for name in ("one", "two", "three"):
        shutil.rmtree(name, ignore_errors=True)
    seed = rng.randrange(1000)
    own = [*command, "--seed", str(seed)]
    call(*own, "--rounds", str(rounds), "--out", "one")
    call(*own, "--rounds", "1", "--out", "two")
    call(*own, "--rounds", str(rounds), "--out", "two")
    that(_records("one") == _records("two"), "a run that was interrupted is another run")
    that([each["round"] for each in _records("one")] == [*range(rounds + 1)], "rounds are missing")
    call(*command, "--seed", str(seed + 1), "--rounds", str(rounds), "--out", "three")
    return _records("one")


def evolve(call: Caller, rng: random.Random) -> None:
    """What is refused changes nothing, what is kept is the alternative, sizes and gaps are those of the words."""
    choose = rng.choice(["coin", "shorter", "nearer"])
    records = _played(call, rng, "evolve", "--start", str(rng.randint(1, 8)), "--choose", choose, "--add",
                      rng.choice(["lowest", "highest", "any"]))  # fmt: skip
    for before, after in pairwise(records):
        that(after["size"] == len(after["digits"]) + len(after["multipliers"]), "size")
        system = f"{words_of(after['digits'])} | {words_of(after['multipliers'])}"
        if after["accepted"]:
            that(after["size"] - before["size"] == after["delta_size"], "change of size")
            near(after["gap"] - before["gap"], after["delta_gap"], "change of the gap")
        elif after["accepted"] is False:
            that(
                after["digits"] == before["digits"] and after["multipliers"] == before["multipliers"],
                "changed though refused",
            )
        if choose == "shorter" and after["accepted"] is not None:
            that(after["accepted"] == (after["delta_average"] < 0) or after["delta_average"] == 0, "the oracle errs")
        if choose == "nearer" and after["accepted"] is not None:
            that(after["accepted"] == (after["delta_gap"] < 0) or abs(after["delta_gap"]) < 1e-9, "the oracle errs")
    again = call("describe", *system.split(" | "), "--json").json
    near(again["gap"], records[-1]["gap"], "gap")


def generations(call: Caller, rng: random.Random) -> None:
    """The words of a generation are those heard, restored and invented."""
    records = _played(call, rng, "generations", "--start", str(rng.randint(1, 8)), "--bottleneck",
                      str(rng.choice([20, 100, 1000])))  # fmt: skip
    for each in records[1:]:
        that(
            each["size"] == each["words_heard"] + each["words_restored"] + each["words_invented"], "words do not add up"
        )


def kinds_evolve(call: Caller, rng: random.Random) -> None:
    """Played in two parts it is the same, and what is refused changes nothing."""
    records = _played(call, rng, "kinds", "evolve", "--choose", rng.choice(["coin", "law"]), "--start", "1,2", rounds=3)
    for before, after in pairwise(records):
        if after["accepted"] is False:
            that(after["digits"] == before["digits"], "changed though refused")


def kinds_generations(call: Caller, rng: random.Random) -> None:
    """Played in two parts it is the same."""
    _played(call, rng, "kinds", "generations", "--range", str(rng.randint(10, 20)), "--start", "1,2", rounds=3)


def restricted_train(call: Caller, rng: random.Random) -> None:
    """Played in two parts it is the same, and `restricted compare` says the same of both."""
    _played(call, rng, "restricted", "train", "--steps", "3", "--hidden", "4", "--batch", "4", rounds=2)
    one, two = (call("restricted", "compare", name, "--json").out.replace(name, "run") for name in ("one", "two"))
    that(one == two, "the same run compares otherwise")


def learnability(call: Caller, rng: random.Random) -> None:
    """Accuracies are those of the guesses, costs are those of the system, and what is held out was never an example."""
    upto, held_out, words = rng.randint(8, 15), rng.randint(0, 3), ("1-4", "5")
    answers = rng.choice(["classes", "line"])
    records = _played(call, rng, "learnability", "--system", " | ".join(words), "--game.range", str(upto), "--steps",
                      "5", "--game.hidden", "4", "--game.batch", "4", "--held-out", str(held_out), "--answers", answers,
                      "--numerals", rng.choice(["shortest", "ties"]), rounds=3)  # fmt: skip
    own = call("describe", *words, "--range", str(upto), "--json").json
    accuracies = [each["accuracy"] for each in records]
    for number, each in enumerate(records):
        right = sum(guess == n for n, guess in enumerate(each["guesses"], start=1))
        counted = each["accuracy"] * (upto - held_out) + (each["generalisation"] or 0.0) * held_out
        near(right, counted, "right guesses")
        that(each["steps_learned"] == 5 * number, "steps")
        that((each["generalisation"] is None) == (held_out == 0), "generalisation")
        sofar = accuracies[: number + 1]
        pairs = [(one + other) / 2 for one, other in pairwise(sofar)] or sofar
        near(each["area"], sum(pairs) / len(pairs), "area")
    near(records[-1]["length"], own["average_complexity"], "length")
    that(records[-1]["size"] == own["size"], "size")


def typology(call: Caller, rng: random.Random) -> None:
    """Bits are those of plain code, the best comes first, and a copy of a run counts for nothing."""
    shutil.rmtree("mechanisms", ignore_errors=True)
    runs: dict[str, list[list[Cell]]] = {"all cells alike": []}
    for bottleneck in ("30", "all"):
        for start in rng.sample(range(1, 9), 2):
            name = f"mechanisms/{bottleneck}-{start}"
            call("generations", "--start", str(start), "--rounds", "4", "--bottleneck", bottleneck, "--out", name)
            own = [cell_of(each["digits"], each["multipliers"]) for each in _records(name) if each["round"] >= 2]
            runs.setdefault(f"bottleneck {bottleneck}", []).append(own)
    smoothing = rng.choice([0.01, 0.05, 0.5])
    request = ["typology", "mechanisms", "--by", "bottleneck", "--smoothing", str(smoothing), "--json"]
    answer = call(*request).json
    bits = [each["bits"] for each in answer["mechanisms"]]
    that(bits == sorted(bits, reverse=True), "the best does not come first")
    that({each["mechanism"] for each in answer["mechanisms"]} == set(runs), "other mechanisms")
    for each in answer["mechanisms"]:
        own = runs[each["mechanism"]]
        near(each["bits"], bits_of(own, smoothing), each["mechanism"])
        that(each["runs"] == len(own), "runs")
    shutil.copytree(name, "mechanisms/copy")
    that(call(*request).json == answer, "a copy of a run changes the answer")


Cell = tuple[int, int, int]
ALIKE = 1 / (59 * 20 * 99)
"""The chance of a cell where all are alike."""


def cell_of(digits: Iterable[int], multipliers: Iterable[int]) -> Cell:
    """Size, number of multipliers, and base."""
    digits, multipliers = list(digits), list(multipliers)
    wide = [each for each in multipliers if each**2 > 99]
    return len(digits) + len(multipliers), len(multipliers), min(wide) if wide else max(multipliers, default=0)


def bits_of(runs: list[list[Cell]], smoothing: float) -> float:
    """The average over families of the bits that a mechanism gives to their languages' cells, by plain code."""
    from ishango.analysis.typology import LEXICONS, ROUNDS_OF_EM
    from ishango.languages import load_languages

    def mixture(shares: dict[Cell, float], cell: Cell) -> list[float]:
        parts = [sum(share for each, share in shares.items() if each[at] == cell[at]) for at in range(3)]
        return [shares.get(cell, 0.0), math.prod(parts), ALIKE]

    def mean(several: list[dict[Cell, float]]) -> dict[Cell, float]:
        return {cell: sum(each.get(cell, 0.0) for each in several) / len(several) for cell in set().union(*several)}

    thinned = [Counter(run[at * len(run) // LEXICONS] for at in range(LEXICONS)) for run in runs]
    shares = [{cell: count / LEXICONS for cell, count in run.items()} for run in thinned]
    weights = [1 / 3] * 3
    others = [mean(shares[:at] + shares[at + 1 :]) for at in range(len(shares))] if len(shares) > 1 else []
    given = [
        (mixture(rest, cell), share) for rest, own in zip(others, shares, strict=False) for cell, share in own.items()
    ]
    for _ in range(ROUNDS_OF_EM if given else 0):
        parts = [[weight * chance for weight, chance in zip(weights, each, strict=True)] for each, _ in given]
        counted = [(each, share / sum(each) / len(shares)) for each, (_, share) in zip(parts, given, strict=True)]
        weights = [sum(each[at] * share for each, share in counted) for at in range(3)]
    total, families = mean(shares) if shares else {}, dict[str, list[float]]()
    for each in load_languages("world"):
        if each.system and max(each.system.words) <= 99 and (each.highest is None or each.highest >= 90):
            of = mixture(total, cell_of(each.system.digits, each.system.multipliers))
            chance = sum(weight * part for weight, part in zip(weights, of, strict=True)) if shares else ALIKE
            bits = math.log2((1 - smoothing) * chance + smoothing * ALIKE)
            families.setdefault(each.family or each.name, []).append(bits)
    return sum(sum(each) / len(each) for each in families.values()) / len(families)


def pages(call: Caller, rng: random.Random) -> None:
    """Pages are whole, ask nobody else for anything, and show what they were asked for."""
    Path("page.html").unlink(missing_ok=True)
    if rng.random() < 0.5:
        call("playground", "--out", "page.html")
        wanted = "Ishango"
    else:
        if not Path("shown").is_dir():
            call("evolve", "--start", "7", "--choose", "coin", "--rounds", "2", "--out", "shown")
        call("explore", "shown", "--export", "page.html")
        wanted = "shown"
    text = Path("page.html").read_text()
    packed = re.findall(r"H4sI[A-Za-z0-9+/=]{1000,}", text) if wanted == "shown" else []
    whole = text + "".join(gzip.decompress(base64.b64decode(each)).decode() for each in packed)
    that(text.rstrip().endswith("</html>") and wanted in whole, "not the page")
    that(not re.search(r"""<(script|link|img)[^>]+(src|href)=["']?https?:""", text), "it asks others")


def bands(call: Caller, rng: random.Random) -> None:
    """Every number of the range is drawn once, with the word that covers it."""
    upto = rng.randint(6, 20)
    shutil.rmtree("bands", ignore_errors=True)
    terms = _terms(rng, upto).removesuffix("-") + "-"  # people have words beyond the range that is drawn
    call("restricted", "bands", terms, "--range", str(upto), "--out", "bands")
    table = pd.read_csv(next(Path("bands").glob("*.csv")))
    that(sorted(table["number"]) == [*range(1, upto + 1)], "a number is not drawn once")
    for number, word in zip(table["number"], table["word"].astype(str), strict=True):
        if word == "higher":
            that(
                not any(str(number) in part.split(",") for part in terms.split("|")[:-1]), f"{number} has its own word"
            )
            continue
        first, _, last = word.replace(" or more", f"–{upto}").partition("–")
        that(int(first) <= number <= int(last or first), f"{number} is said with {word}")


def selection(call: Caller, rng: random.Random) -> None:
    """Shares are those of the records, and a copy of a run counts for nothing."""
    _played(call, rng, "evolve", "--start", str(rng.randint(1, 8)), "--choose", "coin", rounds=8)
    answer = call("selection", "one", "--json").json["selection"][0]
    decided = [each for each in _records("one") if each["accepted"] is not None and each["delta_average"] is not None]
    that(answer["decisions"] == len(decided), "decisions")
    shorter = [each["accepted"] for each in decided if each["delta_average"] < 0]
    if shorter:
        near(answer["shorter_kept"], sum(shorter) / len(shorter), "share of shorter ones kept")
    both = call("selection", "one", "two", "--json").json["selection"][0]  # two is the same run, played in two parts
    that(both == answer, "a copy of a run changes the answer")
    that(call("selection", "one", "three", "--json").json["selection"][0]["runs"] == 2, "two runs are not two")


def table(call: Caller, rng: random.Random) -> None:
    """A row a round, with the numbers of the records."""
    _played(call, rng, "evolve", "--start", str(rng.randint(1, 8)), "--choose", "coin")
    call("table", "one", "three", "--out", "rows.csv")
    rows = pd.read_csv("rows.csv")
    that(len(rows) == len(_records("one")) + len(_records("three")), "rows")
    mine = rows[rows["run"].str.contains("one") | (rows["run"] == rows["run"].iloc[0])].sort_values("round")
    for value, record in zip(mine["gap"], _records("one"), strict=False):
        near(float(value), record["gap"], "gap in the table")


def archives(call: Caller, rng: random.Random) -> None:
    """What is unpacked is what was packed."""
    _played(call, rng, "evolve", "--start", str(rng.randint(1, 8)), "--choose", "coin", rounds=2)
    for name in ("packed.tar.xz", "unpacked"):
        shutil.rmtree(name, ignore_errors=True)
        Path(name).unlink(missing_ok=True)
    call("archive", "one", "--out", "packed.tar.xz")
    call("unarchive", "packed.tar.xz", "--list")
    call("unarchive", "packed.tar.xz", "unpacked")
    [file] = Path("unpacked").rglob("rounds.jsonl")
    that(file.read_bytes() == Path("one/rounds.jsonl").read_bytes(), "rounds changed on the way")


def agents(call: Caller, rng: random.Random) -> None:
    """What is said of a number and heard of that message is what the dictionary has."""
    if not Path("talking").is_dir():
        call("evolve", "--start", "7", *SMALL, "--out", "talking")
    row = rng.choice(call("agents", "talking", "dictionary", "--json").json["entries"])
    said = call("agents", "talking", "say", str(row["number"]), "--json").json
    that(" ".join(map(str, said["message"])) == row["message"], f"another message than {row['message']}")
    heard = call("agents", "talking", "hear", *row["message"].split(), "--json").out
    that(re.findall(r'"number": (\d+)', heard)[0] == str(row["heard"]), f"{row['heard']} is not heard")


def plans(call: Caller, rng: random.Random) -> None:
    """A plan that ships is a plan: `sweep --dry-run` takes it, and says how many runs it has."""
    names = [each["name"] for each in call("plans", "--json").json["plans"]]
    name = rng.choice(names)
    call("plans", name)
    that("to play" in call("sweep", name, "--dry-run", "--out", "nowhere").out, "no runs")


def sweep(call: Caller, rng: random.Random) -> None:
    """As many runs as the product of what varies."""
    starts, seeds = rng.randint(1, 4), rng.randint(1, 5)
    varied = f"start = {[*range(1, starts + 1)]}\nseed = {[*range(seeds)]}"
    Path("own.toml").write_text(f"[base]\nrounds = 1\nchoose = 'coin'\n[vary]\n{varied}\n")
    said = call("sweep", "own.toml", "--dry-run", "--out", "nowhere")
    that(said.out.count("to play") == starts * seeds, f"not {starts * seeds} runs: {said.out[:200]}")


def results(call: Caller, _rng: random.Random) -> None:
    """The verdicts that are printed are those of the shipped tables."""
    from ishango.report import shipped_results

    said = call("results").out
    for row in shipped_results()["verdicts"].to_dict("records"):
        [line] = [line for line in said.splitlines() if line.endswith(row["claim"])]
        that(line.startswith((row["ruling"], "not judged")), f"another ruling: {line}")


def reproduce(call: Caller, rng: random.Random) -> None:
    """Nothing is made of no runs."""
    call("reproduce", "--quick", "--play-nothing", "--out", f"none-{rng.randrange(10**6)}", code=2)


Oracle = Callable[[Caller, random.Random], None]
ORACLES: dict[Oracle, int] = {
    describe: 60, frontier: 6, check: 4, languages: 8, kinds_describe: 20, kinds_optimum: 6, kinds_diagram: 1,
    restricted_describe: 30, restricted_frontier: 8, restricted_languages: 4, evolve: 12, generations: 12,
    kinds_evolve: 3, kinds_generations: 5, restricted_train: 2, selection: 4, table: 4, archives: 4, agents: 3,
    plans: 2, sweep: 4, reproduce: 1, world: 1, imported: 6, learnability: 4, typology: 1, pages: 1, bands: 1,
}  # fmt: skip
"""How often each is asked, in parts of all; `results` is asked once, since its answer is always the same."""


def fuzz_meaning(
    calls: int, seed: int, world: Path, oracles: dict[Oracle, int] = ORACLES, once: tuple[Oracle, ...] = ()
) -> tuple[int, dict[str, list[str]]]:
    """Ask the oracles until so many calls were made, beginning with those that are asked once; what is wrong, by
    oracle, with the call that it was."""
    before, call, rng = Path.cwd(), Caller(), random.Random(seed)
    found: dict[str, list[str]] = {}
    asked, spent = Counter[str](), dict[str, float]()
    names, weights = list(oracles), list(oracles.values())
    world.mkdir(parents=True, exist_ok=True)
    os.chdir(world)
    began = noted = time.monotonic()
    try:
        while call.calls < calls:
            oracle = next((each for each in once if not asked[each.__name__]), rng.choices(names, weights)[0])
            asked[oracle.__name__] += 1
            since = time.monotonic()
            try:
                oracle(call, rng)
            except Exception as wrong:
                complaint = f"{type(wrong).__name__}: {wrong}"[:300]
                found.setdefault(oracle.__name__, []).append(
                    f"{complaint}\n    ishango {' '.join(map(repr, call.last))}"
                )
                print(f"- {oracle.__name__}: {found[oracle.__name__][-1]}", flush=True)
            spent[oracle.__name__] = spent.get(oracle.__name__, 0.0) + time.monotonic() - since
            if time.monotonic() - noted > 20:
                noted = time.monotonic()
                left = (noted - began) / call.calls * max(0, calls - call.calls) / 60
                wrong = sum(map(len, found.values()))
                print(f"{call.calls} of {calls} calls asked about, {left:.0f} min left, {wrong} findings", flush=True)
    finally:
        os.chdir(before)
    slowest = sorted(spent, key=spent.__getitem__, reverse=True)
    told = ", ".join(f"{name} {asked[name]} times in {spent[name]:.0f} s" for name in slowest)
    print(f"{call.calls} calls of {len(asked)} oracles in {time.monotonic() - began:.0f} s: {told}", flush=True)
    return call.calls, found
