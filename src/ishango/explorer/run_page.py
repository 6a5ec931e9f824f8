"""Rounds as the tables that figures take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ishango.errors import RequestError
from ishango.evolution import MODIFICATIONS
from ishango.evolution.record import RoundRecord
from ishango.explorer.drawing import picture
from ishango.explorer.launch import line_of
from ishango.explorer.optima import Optima
from ishango.explorer.rounds import Lines, number, read_lines, typed_rounds
from ishango.explorer.run_problems import about_the_edge, problem_of_run
from ishango.explorer.runs import Listed
from ishango.explorer.site import Site
from ishango.explorer.summaries import SEED, defaults, shown, was_started_here
from ishango.explorer.trails import edge_tables, near, trail_rows, trail_table
from ishango.figures.kinds_figures import kind_rounds_figure
from ishango.figures.run_figures import (
    communication_figure,
    lexicon_figure,
    measure_figure,
    modifications_figure,
    trail_figure,
)
from ishango.lab import EXPERIMENTS
from ishango.lab.config import chosen, flatten, is_same
from ishango.lab.experiments import columns, record_json

Rounds = Sequence[RoundRecord]


def lexicon_table(rounds: Rounds) -> pd.DataFrame:
    """Stretches of rounds in which a word was a digit or a multiplier; of some rounds only, as far as these tell."""
    rows: list[dict[str, Any]] = []
    going_on: dict[tuple[int, str], int] = {}
    before = 0
    for record in [*rounds, None]:
        words = _roles(record) if record else set[tuple[int, str]]()
        for word, role in [key for key in going_on if key not in words]:
            rows.append({"word": word, "role": role, "first": going_on.pop((word, role)), "last": before})
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
    return details


def overlay(site: Site, names: Sequence[str]) -> dict[str, Any]:
    """Two to four runs laid over each other, with what differs between them."""
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
        "measures": shared,
        "differ": [{"name": name, "values": [table.get(name) for table in tables]} for name in differ],
    }


def measure(site: Site, names: Sequence[str], field: str) -> dict[str, Any]:
    """A recorded measure over the rounds of one to four runs."""
    rows: list[dict[str, Any]] = []
    title = field
    for place, name in enumerate(dict.fromkeys(names)):
        view = site.runs.view(name)
        unit = next((each["unit"] for each in _measures(str(view.experiment), []) if each["name"] == field), "")
        title = field.replace("_", " ") + (f" ({unit})" if unit else "")
        values = ((each["round"], number(each.get(field))) for each in read_lines(view).records)
        rows += [
            {"run": name, "place": place, "round": at, "value": value} for at, value in values if value is not None
        ]
    if not rows:
        raise RequestError(f"No round of these runs records {field!r} as a number.")
    return picture(measure_figure, {"values": pd.DataFrame(rows)}, title=title)


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
    trail, titles = trail_table(rows), hows[0].axes
    edge = near(edge_tables(next(iter(problems)) if len(problems) == 1 else None, optima), trail)
    is_there = len(edge["bound"]) > 0
    tables = {**edge, "trail": trail} if is_there else {"trail": trail}
    drawn = picture(trail_figure, tables, x=titles[0], y=titles[1], edge=is_there)
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
    drawn = {"lexicon": picture(lexicon_figure, {"words": lexicon_table(rounds)})}
    if len(kinds := kinds_table(lines.records)):
        drawn["kinds"] = picture(kind_rounds_figure, {"kinds": kinds})
    if len(talked):
        drawn["communication"] = picture(communication_figure, {"communication": talked}, names=names)
    if len(tried):
        drawn["mutations"] = picture(modifications_figure, {"modifications": tried}, order=order)
    return drawn


def _measures(experiment: str, records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The numbers that rounds record, with what they mean; of those that were read, only what some round has."""
    kind = next((each for each in EXPERIMENTS.values() if each.name == experiment), None)
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
