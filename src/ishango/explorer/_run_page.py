"""The page of one run: its rounds as tables, its figures, and talking to its agents."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import ascii_letters
from typing import Any

import numpy as np
import pandas as pd

from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, MODIFICATIONS, Evolution, RoundRecord, with_brackets
from ishango.explorer._builder import picture, role
from ishango.explorer._found_runs import Listed, NoRunError, Runs
from ishango.explorer._launch import line_of, note_of
from ishango.explorer._optima import NEED, Optima, about_the_edge, problem_of_run, sizes_upto
from ishango.explorer._paths import TRAIL, edge_tables, near, places_of, trail_rows
from ishango.explorer._site import Site
from ishango.explorer._summaries import (
    SEED,
    Lines,
    defaults,
    has_agents,
    kind_of,
    number,
    read_lines,
    shown,
    typed_rounds,
    was_started_here,
)
from ishango.figures import run_figures
from ishango.figures.kinds_figures import kind_rounds_figure
from ishango.figures.look import ROLES, shade
from ishango.game import Agents, Expressions, dictionary, kernel_agents, listen, require_kernel, speak
from ishango.lab import CHECKPOINT, PREVIOUS, RUN, RunView, chosen, columns, flatten, is_same, record_json
from ishango.numerals import Need, NumeralSystem, minimal_language

Rounds = Sequence[RoundRecord]


def lexicon_table(rounds: Rounds) -> pd.DataFrame:
    """Stretches of rounds in which a word was a digit or a multiplier; of some rounds only, as far as these tell."""
    rows: list[dict[str, Any]] = []
    going_on: dict[tuple[int, str], int] = {}
    before = 0
    for record in [*rounds, None]:
        words = _roles(record) if record else set[tuple[int, str]]()
        for word, as_what in [key for key in going_on if key not in words]:
            rows.append({"word": word, "role": as_what, "first": going_on.pop((word, as_what)), "last": before})
        if record:
            before = record.round
            going_on = {key: going_on.get(key, before) for key in words}
    return pd.DataFrame(rows, columns=["word", "role", "first", "last"]).sort_values(["word", "first"])


def last_in_a_row(rounds: Rounds) -> Rounds:
    """The last rounds between which none is missing: of a very long file, those before are some from all over it."""
    gaps = [at for at in range(1, len(rounds)) if rounds[at].round != rounds[at - 1].round + 1]
    return rounds[gaps[-1] :] if gaps else rounds


def _roles(record: RoundRecord) -> set[tuple[int, str]]:
    return {(word, "digit") for word in record.digits} | {(word, "multiplier") for word in record.multipliers}


def communication_table(rounds: Rounds, upto: float) -> pd.DataFrame:
    """Accuracies, numbers understood as a share of the game range, and Q-values, one row a value."""
    rows: list[dict[str, Any]] = []
    for record in rounds:
        current, alternative = record.q or (None, None)
        values = {
            "games won": record.accuracy,
            "won at their best": record.accuracy_greedy,
            "numbers understood": None if record.numbers_understood is None else record.numbers_understood / upto,
            "Q, current system": current,
            "Q, alternative": alternative,
        }
        rows += [
            {"round": record.round, "series": series, "value": value}
            for series, value in values.items()
            if value is not None
        ]
    return pd.DataFrame(rows, columns=["round", "series", "value"])


def kinds_table(records: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """The kind of each round's system and what it costs by the law, of runs that record them."""
    rows = [{name: each[name] for name in ("round", "cost", "kind")} for each in records if _has_kind(each)]
    return pd.DataFrame(rows, columns=["round", "cost", "kind"])


def _has_kind(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("kind"), str) and (number(record.get("cost")) or 0) > 0


def modifications_table(rounds: Rounds, labels: Mapping[str, str]) -> pd.DataFrame:
    """How often each modification, given by its name with its label, was kept and refused."""
    tried = Counter((record.action, bool(record.accepted)) for record in rounds if record.action in labels)
    rows = [
        {"modification": label, "verdict": verdict, "rounds": tried[name, kept]}
        for name, label in labels.items()
        for verdict, kept in (("kept", True), ("refused", False))
    ]
    return pd.DataFrame(rows if tried else [], columns=["modification", "verdict", "rounds"])


def modifications_of(config: Mapping[str, Any]) -> dict[str, str]:
    """The modifications that a run may try, with their labels; one that is not known here goes by its name."""
    names = str(config.get("modifications") or ",".join(MODIFICATIONS)).split(",")
    return {name: MODIFICATIONS[name].label if name in MODIFICATIONS else name for name in map(str.strip, names)}


# What the page of a run shows, and of several laid over each other.

LISTED_ROUNDS = 200
"""Rounds in the list of a run's last rounds."""
NO_MEASURE = {"round", "seconds", "steps_per_second"}
CHARTS = ("path", "kinds", "lexicon", "communication", "mutations")


def run_details(site: Site, name: str) -> dict[str, Any]:
    """One run: how it came to be, the way it went, its words, how the agents did, what was tried."""
    listed = site.listing(name)
    run, lines = listed.summary, _lines(site, listed)
    nothing: dict[str, Any] = dict.fromkeys((*CHARTS, "unattainable"))
    details: dict[str, Any] = {"run": run, "study": listed.study, **nothing, **_settings(site, listed)}
    if lines.records:
        details |= trails(site.optima, [(listed, lines)])
        details |= _pictures(lines, details["settings"])
    details["measures"] = _measures(run["experiment"], lines.records) if lines.records else []
    details["rounds"] = [record_json(each) for each in last_in_a_row(typed_rounds(lines.records)[-LISTED_ROUNDS:])]
    details["whole"] = lines.whole
    try:
        found = site.runs.find(name)
    except NoRunError:  # started a moment ago
        found = None
    details["note"] = note_of(found) if found else ""
    details["can_remove"] = found is not None and site.most_runs > 0 and run["state"] not in ("running", "starting")
    return details


def overlay(site: Site, names: Sequence[str]) -> dict[str, Any]:
    listed = [site.listing(name) for name in dict.fromkeys(names)]
    if not 2 <= len(listed) <= 4:
        raise RequestError("Two to four different runs can be laid over each other.")
    lines = [_lines(site, each) for each in listed]
    tables = [{each["name"]: each["value"] for each in _settings(site, one)["settings"]} for one in listed]
    fields = dict.fromkeys(name for table in tables for name in table)
    differ = [name for name in fields if any(not is_same(table.get(name), tables[0].get(name)) for table in tables)]
    measures = [_measures(each.summary["experiment"], some.records) for each, some in zip(listed, lines, strict=True)]
    shared = [each for each in measures[0] if all(each in other for other in measures)]
    return {
        "runs": [each.summary for each in listed],
        "studies": [each.study for each in listed],
        **trails(site.optima, list(zip(listed, lines, strict=True))),
        "colours": [f"{name}-{which}" if which else name for name, which in _colours(listed)],
        "measures": shared,
        "differ": [{"name": name, "values": [table.get(name) for table in tables]} for name in differ],
    }


def measure(site: Site, names: Sequence[str], field: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    title, different = field, list(dict.fromkeys(names))
    for place, name in enumerate(different):
        view = site.runs.view(name)
        unit = next((each["unit"] for each in _measures(str(view.experiment), []) if each["name"] == field), "")
        title = field.replace("_", " ") + (f" ({unit})" if unit else "")
        values = ((each["round"], number(each.get(field))) for each in read_lines(view).records)
        rows += [
            {"run": name, "place": place, "round": at, "value": value} for at, value in values if value is not None
        ]
    if not rows:
        raise RequestError(f"No round of these runs records {field!r} as a number.")
    shades = _shades([site.listing(name) for name in different])
    return picture(run_figures.measure_figure, {"values": pd.DataFrame(rows)}, title=title, colours=shades)


MOST_COMPARED = 60
"""Runs of a group that are read for a comparison, chosen by their names."""


def groups(site: Site, sides: Sequence[Sequence[str]], field: str) -> dict[str, Any]:
    """Two groups of runs over the rounds, and a permutation test of where they ended."""
    found = [_members(site, side) for side in sides]
    if not all(found):
        raise RequestError("A group has no run that has played a round.")
    names = [side[0].study["who"] if side[0].study else "" for side in found]
    if names[0] == names[1]:
        names = [f"{name}, {which}" for name, which in zip(names, ("first", "second"), strict=True)]
    spread = [
        row | {"group": name, "place": place}
        for place, (name, side) in enumerate(zip(names, found, strict=True))
        for row in _spread(site, side, field)
    ]
    if not spread:
        raise RequestError(f"No round of these runs records {field!r} as a number.")
    title = field.replace("_", " ")
    return {
        "groups": [{"name": name, "runs": len(side)} for name, side in zip(names, found, strict=True)],
        "figure": picture(
            run_figures.spread_figure,
            {"spread": pd.DataFrame(spread)},
            title=title,
            colours=_shades([side[0] for side in found]),
        ),
        "sentence": _verdict(found, names),
    }


def _members(site: Site, studies: Sequence[str]) -> list[Listed]:
    mine = [each for each in site.listed() if each.summary["study"] in set(studies) and each.summary["round"] >= 0]
    return sorted(mine, key=lambda each: each.summary["name"])[:MOST_COMPARED]


def _spread(site: Site, listed: Sequence[Listed], field: str) -> list[dict[str, Any]]:
    """Median and quartiles round by round; what a run had stays until it has something else."""
    series: dict[str, pd.Series] = {}
    for each in listed:
        records = read_lines(site.runs.view(each.summary["name"])).records
        values = {record["round"]: value for record in records if (value := number(record.get(field))) is not None}
        if values:
            series[each.summary["name"]] = pd.Series(values)
    if not series:
        return []
    table = pd.DataFrame(series).sort_index().ffill()
    quartiles = table.quantile([0.25, 0.5, 0.75], axis=1).T
    step, last = max(1, len(quartiles) // 400), len(quartiles) - 1
    kept = quartiles.iloc[[*range(0, last, step), last]]
    return [
        {"round": int(at), "low": float(low), "median": float(median), "high": float(high)}
        for at, (low, median, high) in zip(kept.index, kept.to_numpy(), strict=True)
    ]


def _verdict(found: Sequence[Sequence[Listed]], names: Sequence[str]) -> str:
    """What the permutation test of the last gaps says, in a sentence."""
    from ishango.analysis.statistics import contrast  # SciPy takes half a second, which a cold server need not wait for

    ends = [
        pd.Series(
            [each.summary["gap"] for each in side], index=[each.summary["start"] for each in side], dtype=np.float64
        )
        for side in found
    ]
    between = contrast(*ends)
    if not math.isfinite(between.p):
        return "No test: the two groups share no start, or too few of their runs have a gap."
    average = "mean over starts" if len({start for each in ends for start in each.index}) > 1 else "on average"
    away = f"{names[0]} ended {abs(between.value):.3f} {'nearer' if between.value < 0 else 'farther from'}"
    away += f"{' to' if between.value < 0 else ''} the frontier than {names[1]} ({average}"
    known = math.isfinite(between.low) and math.isfinite(between.high)
    interval = f"95 % interval {between.low:.3f} to {between.high:.3f}" if known else "too few runs for an interval"
    shown = f"{interval}; permutation test, p = {between.p:.3f})"
    if between.p < 0.05:
        return f"{away[0].upper()}{away[1:]}, {shown}."
    return f"No difference is shown: {away}, {shown}."


def _colours(listed: Sequence[Listed]) -> list[tuple[str, int]]:
    """The colours of runs that are laid over each other, as the plane has them: a role, and which shade of it."""
    roles = [role(each.summary) for each in listed]
    return [(name, roles[:i].count(name)) for i, name in enumerate(roles)]


def _shades(listed: Sequence[Listed]) -> tuple[str, ...]:
    return tuple(shade(ROLES[name], which) for name, which in _colours(listed))


def trails(optima: Optima, runs: Sequence[tuple[Listed, Lines]]) -> dict[str, Any]:
    """The ways of runs (`path`), and what is said of the grey below them; None where there is nothing to show together.

    The grey is what is unattainable by the measure of these runs, and only where that is one for all of them.
    """
    sorts = {each.summary["experiment"] for each, _ in runs}
    hows = [shown(each) for each in sorts]
    if len({(how.across, how.cost) for how in hows}) > 1:
        return {"path": None, "unattainable": None}
    rows = [
        row
        for place, (each, lines) in enumerate(runs)
        for row in trail_rows(each.summary["name"], place, lines.records, hows[0])
    ]
    if not rows:
        return {"path": None, "unattainable": None}
    problems = {problem_of_run(each) for each, _ in runs}
    trail, titles = pd.DataFrame(rows, columns=TRAIL), hows[0].axes
    reach = sizes_upto(math.ceil(float(trail["x"].max())) + 1)
    edge = near(edge_tables(next(iter(problems)) if len(problems) == 1 else None, optima, reach), trail)
    is_there = len(edge["bound"]) > 0
    tables = {**edge, "trail": trail} if is_there else {"trail": trail}
    shades = _shades([each for each, _ in runs])
    drawn = picture(run_figures.trail_figure, tables, x=titles[0], y=titles[1], edge=is_there, colours=shades)
    return {"path": drawn, "unattainable": about_the_edge(problems, is_there)}


def _lines(site: Site, listed: Listed) -> Lines:
    begun = listed.summary["round"] >= 0
    return read_lines(site.runs.view(listed.summary["name"])) if begun else Lines([], True)


def _pictures(lines: Lines, settings: list[dict[str, Any]]) -> dict[str, Any]:
    """Words, communication and what was tried, of a run whose rounds have a lexicon."""
    rounds = typed_rounds(lines.records)
    if not rounds:
        return {}
    options = {each["name"]: each["value"] for each in settings}
    upto = number(options.get("game.range")) or float(max(rounds[-1].numbers_understood or 1, 1))
    talked = communication_table(rounds, upto)
    tried = modifications_table(rounds, modifications_of(options))
    names = tuple(dict.fromkeys(talked["series"]))
    order = tuple(dict.fromkeys(tried["modification"]))
    drawn = {"lexicon": picture(run_figures.lexicon_figure, {"words": lexicon_table(rounds)})}
    if len(kinds := kinds_table(lines.records)):
        drawn["kinds"] = picture(kind_rounds_figure, {"kinds": kinds})
    if len(talked):
        drawn["communication"] = picture(run_figures.communication_figure, {"communication": talked}, names=names)
    if len(tried):
        drawn["mutations"] = picture(run_figures.modifications_figure, {"modifications": tried}, order=order)
    return drawn


def _measures(experiment: str, records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The numbers that rounds record, with what they mean; of those that were read, only what some round has."""
    kind = kind_of(experiment)
    about = {} if kind is None else {each.name: each for each in columns(kind.record) if each.name not in NO_MEASURE}
    sample = [*records[:: max(1, len(records) // 50)], *records[-1:]]
    found = [name for name in about if not sample or any(number(each.get(name)) is not None for each in sample)]
    return [{"name": name, "sentence": about[name].sentence, "unit": about[name].unit} for name in found]


def _settings(site: Site, listed: Listed) -> dict[str, Any]:
    """The whole config, what differs from the defaults first; the command; and what may be done with the run."""
    run = listed.summary
    nothing: dict[str, Any] = {"settings": [], "command": None, "can_continue": False, "can_repeat": False}
    if listed.study is None:
        return nothing
    config = site.config(run["name"])
    usual = defaults(run["experiment"])
    flat = {name: _json(value) for name, value in flatten(config).items()}
    different = chosen(flat, usual)
    rows = [
        {"name": name, "value": value, "usual": usual.get(name), "differs": name in different}
        for name, value in flat.items()
    ]
    command = line_of(run["experiment"], config, site.directory / run["name"])
    rests = run["state"] in ("interrupted", "failed", "done")
    return {
        "settings": sorted(rows, key=lambda each: (not each["differs"], each["name"] == SEED)),
        "command": command,
        "can_continue": rests and run["round"] >= 0 and was_started_here(run["name"]),
        "can_repeat": command is not None and site.most_runs > 0,
    }


def _json(value: object) -> object:
    return value if value is None or isinstance(value, (bool, int, str)) or number(value) is not None else str(value)


# The ways of studies in a few strokes, as the list of runs has them beside each.

MOST_PATHS, MOST_POINTS = 6, 40
"""Runs whose ways stand for a study, and the steps that are drawn of each."""
MOST_KEPT = 4000
Point = list[float]


def small_paths(site: Site, studies: Sequence[str]) -> dict[str, Any]:
    """The ways of these studies, by study; a page asks for all that it shows at once."""
    mine: dict[str, list[Listed]] = {study: [] for study in studies}
    for each in site.listed():
        if each.study and each.study["id"] in mine and each.summary["round"] >= 0:
            mine[each.study["id"]].append(each)
    return {study: _small(site, listed) for study, listed in mine.items()}


def _small(site: Site, listed: Sequence[Listed]) -> dict[str, Any]:
    """The run in the middle of a study first, then others, and the edge of the unattainable."""
    if not listed:
        return {"paths": [], "edge": []}
    by_gap = sorted(listed, key=lambda each: (each.summary["gap"] is None, each.summary["gap"], each.summary["name"]))
    middle = by_gap[(len(by_gap) - 1) // 2]
    others = [each for each in by_gap[:: max(1, len(by_gap) // MOST_PATHS)] if each is not middle]
    problem = problem_of_run(middle)  # of all of them: the runs of a study differ in nothing but their seed
    paths = [_small_way(site.runs, each) for each in [middle, *others][:MOST_PATHS]]
    points = site.optima.points(problem.grammar, problem.need) if problem and problem.is_known else []
    return {"paths": [path for path in paths if path], "edge": [[each.size, each.lower_bound] for each in points]}


def _small_way(runs: Runs, listed: Listed) -> list[Point]:
    """The way of a run; read anew only when it has gone on."""
    return _thinned(runs, *(listed.summary[name] for name in ("name", "experiment", "updated", "round")))


@lru_cache(maxsize=MOST_KEPT)
def _thinned(runs: Runs, name: str, experiment: str, _updated: float, _last: int) -> list[Point]:
    try:
        moves = places_of(read_lines(runs.view(name)).records, shown(experiment))
    except NoRunError:  # removed a moment ago
        return []
    step = -(-len(moves) // MOST_POINTS) if moves else 1
    kept = [*moves[:-1:step], moves[-1]] if moves else []
    return [[x, round(y, 4)] for _, x, y, _ in kept]


# Talking to the agents of a run: they are read from its checkpoint, which stays as it is.

SHOWN_SYMBOLS, LEAST_SHOWN = 3, 0.005
"""Symbols that are shown at each place of a message, and how probable they must be, the likeliest aside."""

_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, eq=False)
class Pair:
    """Speaker and listener after a round, with the system they use."""

    round: int
    system: NumeralSystem
    agents: Agents
    expressions: Expressions
    written: Mapping[int, str]
    """The same for people, with brackets where they matter."""
    ties: Mapping[int, int | None]
    """How many expressions of each number are as short as the one that is read, itself among them."""
    need: str
    need_is_own: bool
    """The need by which it is counted; that of the run, unless it is a file, which is not read."""


def pair_of(runs: Runs, name: str) -> Pair:
    """The agents of a run as its last checkpoint has them; of a run that goes on these change."""
    view = runs.view(name)
    if not view.has_checkpoint():
        raise RequestError(f"The run {name!r} has no agents to talk to.")
    return _pair(view.directory, view.stamp((RUN, CHECKPOINT, PREVIOUS)))


def read_dictionary(name: str, pair: Pair) -> dict[str, Any]:
    table = _dictionary(pair)
    similarity = float(table["topographic_similarity"].iloc[0])
    right = (table["heard"] == table["number"]).to_numpy()
    return {
        "name": name,
        "round": pair.round,
        "digits": list(pair.system.digits),
        "multipliers": list(pair.system.multipliers),
        "topographic_similarity": None if math.isnan(similarity) else similarity,
        "understood": int(right.sum()),
        "by_need": float(Need.parse(pair.need).weights(len(table)) @ right),
        "need": pair.need,
        "need_is_own": pair.need_is_own,
        "messages": int(table["message"].nunique()),
        "symbols": [letter(symbol) for symbol in range(pair.agents.listener.sizes.alphabet)],
        "longest": max(len(str(message).split()) for message in table["message"]),
        "entries": [
            {
                **entry,
                "ties": pair.ties[entry["number"]],
                "letters": " ".join(map(letter, map(int, entry["message"].split()))),
            }
            for entry in table.drop(columns="topographic_similarity").to_dict("records")
        ],
    }


def exchange(pair: Pair, number: int) -> dict[str, Any]:
    said = speak(pair.agents, pair.expressions, number)
    message = [int(symbol) for symbol in said.argmax(-1)]
    heard = listen(pair.agents, message)
    tokens = list(pair.expressions[number])
    symbols = _symbols(said, tokens)
    return {
        "number": number,
        "expression": pair.written[number],
        "ties": pair.ties[number],
        "message": message,
        "letters": [letter(symbol) for symbol in message],
        "said": float(said.max(-1).prod()),
        "heard": int(heard.argmax()) + 1,
        "understood": float(heard[number - 1]),
        "speaker": picture(run_figures.message_figure, {"symbols": symbols}, rows=int(symbols["symbol"].nunique())),
        "listener": picture(run_figures.listener_figure, {"guesses": _guesses(heard, number)}),
    }


def hear(pair: Pair, message: Sequence[int]) -> dict[str, Any]:
    heard = listen(pair.agents, list(message))
    guess = int(heard.argmax()) + 1
    likeliest = [{"number": int(each) + 1, "probability": float(heard[each])} for each in np.argsort(-heard)[:3]]
    return {
        "message": list(message),
        "letters": [letter(symbol) for symbol in message],
        "heard": guess,
        "likeliest": likeliest,
        "listener": picture(run_figures.listener_figure, {"guesses": _guesses(heard, guess)}),
    }


@lru_cache(maxsize=8)
def _pair(directory: Path, _stamp: object) -> Pair:
    """The agents as they are on disk; what was read is kept until one of the run's files changes."""
    view = RunView(directory)
    if not has_agents(view.config):
        raise RequestError("Nobody talks in this run; choose one in which communication decides.")
    require_kernel(view.config["players"])  # no code that a run's directory names is loaded
    checkpoint = view.checkpoint()
    if checkpoint is None:
        raise RequestError("The agents of this run cannot be read: none of its checkpoints can be used.")
    # The need plays no part here, and one from a file would make this read outside the site's directory.
    experiment = Evolution(EVOLUTION.options_from({**view.config, "need": NEED, "eval_need": None}))
    state = checkpoint.load(experiment)
    agents = kernel_agents(state.agents)
    own = not str(view.config["need"]).startswith("file:")
    need = str(view.config["need"]) if own else NEED
    language = minimal_language(state.system, experiment.options.game.upto)
    ties = {number: language.ties(number) for number in language}
    written = with_brackets(state.system, experiment.options)
    said = experiment.words(state.system, state.names)
    return Pair(checkpoint.round, state.system, agents, said, written, ties, need, own)


@lru_cache(maxsize=8)
def _dictionary(pair: Pair) -> pd.DataFrame:
    return dictionary(pair.agents, pair.expressions, pair.written)


def letter(symbol: int) -> str:
    """A symbol as a page writes it: as a letter, since one that looked like a number would seem to mean that number.

    >>> [letter(symbol) for symbol in (0, 25, 26, 51, 52, 660)]
    ['a', 'z', 'A', 'Z', 'a₁', 'K₁₂']
    """
    again, place = divmod(symbol, len(ascii_letters))
    return ascii_letters[place] + (str(again).translate(_SMALL) if again else "")


def _symbols(said: np.ndarray, tokens: list[str]) -> pd.DataFrame:
    """The likeliest symbols of each place."""
    rows = [
        {"place": place, "token": token, "symbol": int(symbol), "probability": float(probabilities[symbol])}
        for place, (token, probabilities) in enumerate(zip(tokens, said, strict=True), 1)
        for rank, symbol in enumerate(np.argsort(-probabilities)[:SHOWN_SYMBOLS])
        if rank == 0 or probabilities[symbol] >= LEAST_SHOWN
    ]
    return pd.DataFrame(rows).assign(letter=lambda table: table["symbol"].map(letter))


def _guesses(heard: np.ndarray, number: int) -> pd.DataFrame:
    numbers = np.arange(1, len(heard) + 1)
    return pd.DataFrame({"number": numbers, "probability": heard.round(6), "meant": numbers == number})
