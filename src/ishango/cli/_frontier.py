"""`ishango frontier`, also of any costs (`--objectives`), and `ishango check`."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from rich.table import Table

from ishango import frontiers
from ishango._locks import adding_to
from ishango.cli import plain
from ishango.cli._live_views import FrontierReporter, bound_text
from ishango.cli._output import console, plural, print_json, ready, say_written, waiting
from ishango.cli._parsing import parse_sizes, refuse_given
from ishango.costs import COSTS, TradeOff, TradeOffs, estimate_tradeoffs
from ishango.errors import RequestError
from ishango.languages import read_languages
from ishango.numerals import DEFAULT_GRAMMAR, GrammarChoice, Need, NeedSpec, as_grammar, format_set
from ishango.registry import UpTo, explained
from ishango.safe_files import write_together

POPULATION = 200
FILE = "objectives"
ABOVE = "above_proved_length"
"""How far a system is above the proved least length of its size."""
LABEL = "An estimate by NSGA-II: nothing here is proved, and better systems may exist."


def show_tradeoffs(asked: TradeOffs, out: Path | None, as_json: bool) -> int:
    described = _described(asked)
    if out is not None:
        ready(out)
        _check_objectives_directory(out, described)
    with FrontierReporter(asked.generations, None) as reporter:
        found = estimate_tradeoffs(asked, reporter.tradeoffs)
    if not found:
        raise RequestError("No system of these sizes that covers the range was found; allow more generations or sizes.")
    points = [_record(asked, each) for each in found]
    document = {"problem": described, "estimate": True, "note": LABEL, "points": points}
    if out is not None:
        with adding_to(out):
            _check_objectives_directory(out, described)
            text = json.dumps(document, indent=1) + "\n"
            write_together(out, {f"{FILE}.json": text.encode(), f"{FILE}.csv": _csv(points).encode()})
    if as_json:
        print_json(document)
    else:
        console().print(_objectives_table(points))
        console().print(LABEL)
    return 0


def _described(asked: TradeOffs) -> dict[str, Any]:
    return {
        "grammar": asked.grammar,
        "rules": as_grammar(asked.grammar).record,
        "need": str(asked.need),
        "range": asked.upto,
        "sizes": list(asked.sizes),
        "objectives": list(asked.objectives),
        "method": "nsga2",
        "population": asked.population,
        "generations": asked.generations,
        "seed": asked.seed,
    }


def _check_objectives_directory(directory: Path, described: dict[str, Any]) -> None:
    """Refuse to write over the front of something else."""
    existing = directory / f"{FILE}.json"
    if existing.is_file():
        try:
            other = json.loads(existing.read_text(encoding="utf-8"))["problem"]
        except (ValueError, KeyError, TypeError):
            other = None
        if other != described:
            raise RequestError(f"{existing} is something else; choose another directory for --out.")


def _record(asked: TradeOffs, found: TradeOff) -> dict[str, Any]:
    record: dict[str, Any] = {
        "digits": list(found.system.digits),
        "multipliers": list(found.system.multipliers),
        **{name: int(value) if value == int(value) else value for name, value in found.costs.items()},
    }
    if {"size", "length"} <= set(asked.objectives):
        least = frontiers.frontier_value(
            found.system.size, frontiers.Problem(asked.grammar, Need.parse(asked.need), asked.upto)
        )
        record[ABOVE] = None if least is None else max(0.0, found.costs["length"] - least)
    return record


def _csv(points: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(points[0]), lineterminator="\n")
    writer.writeheader()
    for point in points:
        words = {name: " ".join(map(str, point[name])) for name in ("digits", "multipliers")}
        writer.writerow(point | words)
    return text.getvalue()


def _objectives_table(points: list[dict[str, Any]]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    costs = [name for name in points[0] if name not in ("digits", "multipliers")]
    for name in costs:
        heading = "above the proved length" if name == ABOVE else COSTS[name].label
        table.add_column(heading, justify="right")
    for name in ("digits", "multipliers"):
        table.add_column(name)
    for point in points:
        figures = [_figure(point[name]) for name in costs]
        table.add_row(*figures, format_set(point["digits"]), format_set(point["multipliers"]))
    return table


def _figure(value: float | None) -> str:
    return "unknown" if value is None else str(value) if isinstance(value, int) else f"{value:.4f}"


# `ishango frontier`: the least average complexity of each lexicon size.

SIZE_AND_LENGTH = "size,length"
"""The objectives of which frontiers are proved."""


@dataclass(frozen=True)
class Frontier:
    """Find the least average complexity of each lexicon size, with a proof that nothing is better.

    Example: ishango frontier --sizes 2-20
    """

    grammar: GrammarChoice = DEFAULT_GRAMMAR.name
    """The meta-grammar."""
    sizes: str = "2-20"
    """Lexicon sizes |D| + |M|, such as 2-20 or 5,8,12."""
    overlap: bool = False
    """Let a number be digit and multiplier at once; it then counts twice."""
    max_multipliers: int | None = None
    """At most this many multipliers; the published Hurford frontier used 5."""
    need: NeedSpec = "power:2"
    """How often each number is needed."""
    upto: UpTo = 99
    """Words and evaluated numbers lie in 1 to this one."""
    method: Literal["exact", "genetic"] = "exact"
    """exact proves; genetic estimates as the published work did, and reports how far it stays above."""
    objectives: Annotated[str, explained(COSTS)] = SIZE_AND_LENGTH
    """What is minimised: costs, with commas between them. Any others than size,length are estimated by NSGA-II, which
    needs --method genetic and proves nothing."""
    all: bool = False
    """Every optimal system of each size; where multipliers are numerals, every optimal word set with its |M|."""
    time_limit: float | None = None
    """Seconds for each size; a size that is not closed by then is reported with its lower bound."""
    proof: bool = False
    """Write the search tree too, for ishango check; needs --out."""
    json: bool = False
    """Print one JSON document instead of a table."""
    out: Path | None = None
    """Write frontier.json and frontier.csv (and the proof) into this directory."""
    figures: Path | None = None
    """Draw the frontier into this directory: frontier.pdf, .svg, .png and .html, and the table behind it as CSV."""
    with_languages: bool = False
    """Draw human languages beside it, and write them as frontier-languages.csv; needs --figures."""
    beside: Annotated[Path | None, tyro.conf.arg(metavar="FILE.csv")] = None
    """Draw the languages of a table of your own, too, each with its name; needs --figures."""
    population: int | None = None
    """Genetic: children a generation; none means 2000, and 200 for further objectives."""
    generations: int = 100
    """Genetic: generations."""
    seed: int = 0
    """Genetic: same seed, same front."""
    keep_duplicates: bool = False
    """Genetic: keep equal points on the front, as the published search did."""


def run_frontier(command: Frontier) -> int:
    if command.objectives.replace(" ", "") != SIZE_AND_LENGTH:
        return _further(command)
    problem = _problem(command)
    _check_request(command, problem)
    points = _genetic(command, problem) if command.method == "genetic" else _exact(command, problem)
    if command.figures is not None:
        _draw(command, problem, points)
        say_written(command.figures)
    records = [_without_optima(frontiers.as_record(point), command.all) for point in points]
    document = {"problem": problem.describe() | {"method": command.method}, "points": records}
    if command.json:
        print_json(document)
    else:
        console().print(_table(records, command.all))
    return 0


def _further(command: Frontier) -> int:
    """A front of other costs, which is estimated by other means."""
    if command.method == "exact":
        raise RequestError("Only size and length are proved; estimate other objectives with --method genetic.")
    proved = ("overlap", "max_multipliers", "all", "time_limit", "proof")
    drawn = ("figures", "with_languages", "beside", "keep_duplicates")
    refuse_given(command, proved + drawn, "is for the objectives size,length; leave it out.")
    sizes = parse_sizes(command.sizes)
    if [*sizes] != [*range(min(sizes), max(sizes) + 1)]:
        raise RequestError("Further objectives are estimated over all sizes from one to another; give them as in 2-20.")
    names = tuple(name.strip() for name in command.objectives.split(","))
    population = POPULATION if command.population is None else command.population
    asked = TradeOffs(names, command.grammar, command.need, command.upto, (min(sizes), max(sizes)), population,
                      command.generations, command.seed)  # fmt: skip
    return show_tradeoffs(asked, command.out, command.json)


def _problem(command: Frontier) -> frontiers.Problem:
    return frontiers.Problem(command.grammar, command.need, command.upto, command.overlap, command.max_multipliers)


def _check_request(command: Frontier, problem: frontiers.Problem) -> None:
    """Refuse what cannot be done before any work is done."""
    if (command.with_languages or command.beside) and command.figures is None:
        raise RequestError("Languages are drawn into the directory given by --figures.")
    if command.proof and (command.out is None or command.method == "genetic"):
        raise RequestError("A proof is written by --method exact into the directory given by --out.")
    if command.time_limit is not None and not command.time_limit > 0:
        raise RequestError(f"The time limit is {command.time_limit}; give a number of seconds above 0.")
    if command.method == "genetic":
        frontiers.check_estimable(problem)
        _settings(command)
    for size in parse_sizes(command.sizes):
        problem.check_size(size)
        if command.all:
            problem.check_listed()
        if command.time_limit is None:
            problem.check_told_apart(size)
    if command.method == "exact":
        genetic = ("population", "generations", "seed", "keep_duplicates")
        refuse_given(command, genetic, "is for --method genetic; the exact method has no such setting.")
    elif command.all:
        raise RequestError("Every optimum is found by --method exact; leave out --all for the genetic algorithm.")
    elif command.figures is not None:
        raise RequestError("What is proved is drawn; leave out --figures for the genetic algorithm.")
    if command.out is not None:
        ready(command.out)
        _check_directory(command, command.out, problem)
    if command.beside is not None:
        read_languages(command.beside)  # what is wrong with it is told before the search
    ready(command.figures)


def _check_directory(command: Frontier, directory: Path, problem: frontiers.Problem) -> None:
    """Refuse a directory whose frontier would be lost, or would no longer hold."""
    if command.method == "exact":
        frontiers.KeptFrontier(directory, problem, parse_sizes(command.sizes), proof=command.proof)
    else:
        frontiers.check_estimate(directory, problem, _estimate(command))


def _estimate(command: Frontier) -> dict[str, Any]:
    """What an estimate depends on beside the problem, as it is recorded with it."""
    return {**asdict(_settings(command)), "sizes": list(parse_sizes(command.sizes))}


def _exact(command: Frontier, problem: frontiers.Problem) -> list[frontiers.FrontierPoint]:
    sizes = parse_sizes(command.sizes)
    kept = frontiers.KeptFrontier(command.out, problem, sizes, proof=command.proof) if command.out is not None else None
    points: list[frontiers.FrontierPoint] = []
    with FrontierReporter(len(sizes), command.time_limit) as reporter:
        for point in frontiers.frontier(
            problem, sizes, every=command.all, time_limit=command.time_limit, listener=reporter.searching
        ):
            points.append(point)
            reporter.solved(point)
            if kept is not None:
                kept.add(point)
    if kept is not None and command.proof:
        kept.prove(points)
    return points


def _without_optima(record: dict[str, Any], keep: bool) -> dict[str, Any]:
    return record if keep else {name: value for name, value in record.items() if name != "optima"}


def _settings(command: Frontier) -> frontiers.GeneticSettings:
    population = frontiers.GeneticSettings.population if command.population is None else command.population
    return frontiers.GeneticSettings(population, command.generations, command.seed, command.keep_duplicates)


def _genetic(command: Frontier, problem: frontiers.Problem) -> list[frontiers.FrontierPoint]:
    with FrontierReporter(command.generations, None) as reporter:
        found: frontiers.EstimatedFront = frontiers.estimate(problem, _settings(command), reporter.generation)
        missing = frontiers.not_found(found, sizes := parse_sizes(command.sizes))
        points = list(frontiers.compare(problem, found, sizes, reporter.compared, command.time_limit))
    if command.out is not None:
        frontiers.write_frontier(command.out, problem, points, estimate=_estimate(command))
    if missing:
        print(f"ishango: {_absence(missing)}", file=sys.stderr)
    return points


def _absence(sizes: tuple[int, ...]) -> str:
    what = f"size {sizes[0]}" if len(sizes) == 1 else f"the sizes {format_set(sizes)}"
    return f"The estimate has nothing of {what}: no system was found that is better than every smaller one."


def _draw(command: Frontier, problem: frontiers.Problem, points: list[frontiers.FrontierPoint]) -> None:
    # Drawing libraries take a second to load, and most calls draw nothing.
    from ishango.api import Frontier as DrawnFrontier
    from ishango.figures.look import save, save_table

    directory = command.figures
    assert directory is not None
    drawn = DrawnFrontier(problem, tuple(points))
    own = read_languages(command.beside) if command.beside else ()
    save(drawn.figure(command.with_languages, beside=own), directory, "frontier", drawn.to_frame())
    if command.with_languages or own:
        names = None if command.with_languages else {each.name for each in own}
        table = drawn.languages(beside=own)
        save_table(table if names is None else table[table["language"].isin(names)], directory, "frontier-languages")


def _table(records: list[dict[str, Any]], every: bool) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("size", "average", "proved"):
        table.add_column(name, justify="right")
    for name in ("digits", "multipliers", "|M|") if every else ("digits", "multipliers"):
        table.add_column(name)
    for name in ("nodes", "seconds"):
        table.add_column(name, justify="right")
    for record in records:
        for row in _rows(record, every):
            table.add_row(*row)
    return table


def _rows(record: dict[str, Any], every: bool) -> Iterator[list[str]]:
    above = record["average_complexity"] - record["lower_bound"]
    proved = "yes" if record["proved"] else bound_text(above, record["lower_bound"])
    first = [str(record["size"]), f"{record['average_complexity']:.6f}", proved]
    last = [f"{record['nodes']:,}", f"{record['seconds']:.2f}"]
    for i, optimum in enumerate(record.get("optima", [record])):
        words = [format_set(optimum["digits"]), format_set(optimum["multipliers"])]
        if every:
            fewest, most = optimum["fewest_multipliers"], optimum["most_multipliers"]
            words.append(str(fewest) if fewest == most else f"{fewest} to {most}")
        yield [*(first if i == 0 else [""] * 3), *words, *(last if i == 0 else [""] * 2)]


# `ishango check`: verify the proof of a frontier.


@dataclass(frozen=True)
class Check:
    """Verify the proof that ishango frontier --proof --out DIR wrote, with independent code in rational arithmetic.

    Verified are the optimum of each size that is called proved, the costs of all systems that are named, and that
    frontier.csv says what frontier.json says; not the lower bounds of sizes that are not proved. Exit code 0 when
    everything holds and something is proved, else 1.

    Example: ishango check out/frontier --sizes 2-20
    """

    directory: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="DIR")]
    """The directory with frontier.json and proof.jsonl.gz."""
    sizes: str | None = None
    """Verify only these lexicon sizes, such as 2-20 or 5,8,12; all that are proved if not given."""


def _sizes(directory: Path, text: str) -> tuple[int, ...]:
    """The sizes that are asked for; each must be one that the directory calls proved."""
    sizes = parse_sizes(text)
    try:
        points = json.loads((directory / "frontier.json").read_text(encoding="utf-8"))["points"]
        proved = {point["size"] for point in points if point["proved"]}
    except (KeyError, TypeError, ValueError, RecursionError):
        return sizes  # not a frontier: what is wrong with it, the checker says
    missing = [size for size in sizes if size not in proved]
    if missing:
        raise RequestError(f"Size {missing[0]} is not among the {plural(len(proved), 'size')} proved in {directory}.")
    return sizes


def run_check(command: Check) -> int:
    directory = command.directory
    for name in ("frontier.json", "proof.jsonl.gz"):
        if not (directory / name).is_file():
            raise RequestError(f"There is no {name} in {directory}; ishango frontier --proof --out DIR writes it.")
    asked = None if command.sizes is None else _sizes(directory, command.sizes)

    def tell(size: frontiers.CheckedSize) -> None:
        console().print(f"size {size.size}: {float(size.average):.6f} holds ({plural(size.nodes, 'node')})")

    try:
        with waiting("checking the proof"):
            verified = frontiers.check(directory, asked, tell)
    except frontiers.ProofError as error:
        print(f"ishango: the proof does not hold. {plain(str(error))}", file=sys.stderr)
        return 1
    if not verified:
        print(f"ishango: No size in {directory} is proved, so there is nothing that holds.", file=sys.stderr)
        return 1
    others = "" if asked is None else " No other size was looked at."
    nodes, optima = sum(size.nodes for size in verified), sum(size.optima for size in verified)
    console().print(f"The proof holds: {plural(len(verified), 'size')}, {plural(nodes, 'node')}.{others}")
    if optima:
        listed = "the one optimal system" if optima == 1 else f"the {optima} optimal systems"
        console().print(f"So do the costs of {listed} listed; that there are no others was not checked.")
    unknown_grammar, unknown_need = verified[-1].unknown_grammar, verified[-1].unknown_need
    if unknown_grammar is not None:
        console().print(f"The checker does not know the grammar {unknown_grammar}: this holds for the recorded rules.")
    if unknown_need is not None:
        console().print(f"The checker does not know the need {unknown_need}: this holds for the recorded weights.")
    return 0
