"""Tables made from runs: which runs are there, and what became of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ishango.analysis.comparable import without_copies
from ishango.analysis.ends import ends
from ishango.analysis.selection import changed, selection
from ishango.evolution import CHOOSERS, LOWEST, Evolution, EvolutionState, RoundRecord, load_state, starting_system
from ishango.frontiers import distance, problem_of
from ishango.game import best_message, dictionary, kernel_agents, listen, speak
from ishango.lab import DONE, Plan, RunView, columns, find_runs, flatten, foresee, rounds_table
from ishango.numerals import MODIFIED as MODIFIED_GRAMMAR
from ishango.numerals import NumeralSystem, average_complexity, format_set, parse_set
from ishango.report._data import GAME_RANGE, Tables
from ishango.report._studies import MATCHED, RESTRICTED, Scale, matched_plan, steps, studies
from ishango.restricted import restricted_ends

STUDIES = "studies"
"""The table of what there is."""


class Study(NamedTuple):
    study: str
    planned: int
    finished: int
    settings: int
    """What is played with several seeds: starts, or other options."""
    settings_finished: int
    rounds: int
    steps: int | None
    """Steps in a round, or of learning; None where nobody talks."""


def finished_runs(directory: Path) -> list[Path]:
    return [run for run in find_runs(directory) if (run / DONE).exists()]


def finished_rounds(directory: Path) -> pd.DataFrame | None:
    """All rounds of the finished runs below a directory; None where there are none."""
    done = {run.relative_to(directory.resolve()).as_posix() for run in finished_runs(directory)}
    if not done:
        return None
    table = rounds_table(directory)
    return without_copies(table[table["run"].isin(done)].reset_index(drop=True))[0]


def plans(scale: Scale, runs: Path) -> dict[str, Plan]:
    agents = finished_rounds(runs / "agents")
    return studies(scale) | ({} if agents is None else {MATCHED: matched_plan(scale, agents)})


def played_table(scale: Scale, runs: Path) -> pd.DataFrame:
    """A row a study: how many of its runs are finished, and of how many of its settings there is one."""
    known = plans(scale, runs)
    rows = [_study(name, plan, runs) for name, plan in known.items()]
    if MATCHED not in known:
        planned = sum(row.planned for row in rows if row.study == "agents") * scale.matched
        rows.append(Study(MATCHED, planned, 0, 1, 0, scale.rounds, None))
    return pd.DataFrame(rows).astype({"steps": "Int64"})


def _study(name: str, plan: Plan, runs: Path) -> Study:
    tasks = foresee(plan, runs / name)
    settings = {_setting(task.config) for task, _ in tasks}
    done = [_setting(task.config) for task, finished in tasks if finished]
    first = tasks[0][0]
    return Study(name, len(tasks), len(done), len(settings), len(set(done)), first.config["rounds"], steps(first))


def _setting(config: Mapping[str, Any]) -> str:
    """What distinguishes runs beside their seed: the start, or an option."""
    return json.dumps({name: value for name, value in config.items() if name != "seed"}, sort_keys=True)


def lacking(data: Tables, needed: Sequence[str]) -> str:
    """What is missing before something may be said of these studies, as a sentence; empty if nothing is.

    One rule: of every start, or other setting, of a study one run must be finished. Tables without this information are
    those of a whole reproduction.
    """
    short = [each for each in studies_in(data) if each.study in needed and each.settings_finished < each.settings]
    return "; ".join(
        f"{each.finished:,} of {each.planned:,} runs of {each.study} are finished, of {each.settings_finished} of"
        f" {each.settings} settings"
        for each in short
    )


def begun(data: Tables, needed: Sequence[str]) -> bool:
    return all(each.finished for each in studies_in(data) if each.study in needed)


def studies_in(data: Tables) -> list[Study]:
    if STUDIES not in data:
        return []
    rows: list[dict[str, Any]] = data[STUDIES].astype(object).to_dict("records")  # pyright: ignore[reportAssignmentType] - keys are texts
    known: list[Study] = []
    for row in rows:
        row["steps"] = None if pd.isna(row["steps"]) else int(row["steps"])  # CSV makes floats of them
        known.append(Study(**row))
    return known


def still_missing(data: Tables) -> str:
    """How many runs are finished where some are not, study by study, as a sentence; empty where all are."""
    short = [each for each in studies_in(data) if each.finished < each.planned]
    parts = [
        f"{each.finished:,} of {each.planned:,} of {each.study}{f' at {each.steps:,} steps' if each.steps else ''}"
        for each in short
    ]
    return f"Partial: of the runs there are {', '.join(parts)}." if parts else ""


# How a reproduction was made: versions, machine, seeds, times.


def provenance(out: Path, scale: Scale) -> dict[str, object]:
    """What the last section of the page tells, from the runs' own records."""
    rows = studies_played(out)
    first = RunView(find_runs(out / "runs", most=1)[0])
    return {
        "command": f"ishango reproduce --{scale.name}",
        "studies": rows,
        "minutes": sum(float(str(row["minutes"])) for row in rows),
        "machine": flatten(first.environment),
        "seeds": f"{min(scale.seeds)} to {max(scale.seeds)}" if len(scale.seeds) > 1 else str(min(scale.seeds)),
    }


def studies_played(out: Path) -> list[dict[str, object]]:
    """What was played of each study, and how long it took by the clock of the processes that played."""
    directories = sorted(path.parent for path in (out / "runs").glob("*/plan.toml"))
    known = {directory.name: finished_rounds(directory) for directory in directories}
    return [_told_study(name, rounds) for name, rounds in known.items() if rounds is not None]


def _told_study(name: str, rounds: pd.DataFrame) -> dict[str, object]:
    speeds = pd.to_numeric(rounds["steps_per_second"], errors="coerce").dropna()
    return {
        "name": name,
        "runs": rounds["run"].nunique(),
        "first": str(rounds["run"].iloc[0]),
        "rounds": int(rounds["rounds"].max()),
        "minutes": round(float(rounds["seconds"].sum()) / 60, 1),
        "steps_per_second": f"{speeds.median():,.0f}" if len(speeds) else "–",
    }


# All rounds, where runs ended, what was learned, and one game looked at closely.

EVOLVING = (
    "agents", "literal", "exponential", "hurford", "random-starts", "coin", MATCHED, "oracle", "gap-oracle",
    "hurford-coin", "random-coin",
)  # fmt: skip
"""Studies whose runs have rounds."""
COMPARED = ("agents", "literal", "coin", MATCHED, "oracle", "gap-oracle")
"""Those of them that differ only in who decides and in the reading of m0 and m1."""
LEFT_OUT = ("q", "uses", "accuracy_by_arm", "seconds", "steps_per_second")
"""Fields of a round that its table leaves out: what the bandit counted, and what the clock says."""
ROUND_FIELDS = [each.name for each in columns(RoundRecord) if each.name not in LEFT_OUT]
ROUND_COLUMNS = ["study", "run", "start", "seed", "streams", "grammar", "add", "choose", "need", *ROUND_FIELDS]
RESTRICTED_COLUMNS = [
    "run", "reward", "vocabulary", "seed", "streams", "words", "size", "kind", "contiguous", "complexity", "cost",
    "gap", "gap_random", "gap_rank", "nearest", "variation", "variation_random", "variation_rank", "regret",
]  # fmt: skip
SMALL = 30
"""Numbers up to this one are told apart from larger ones."""
BANDS = ((1, 10), (11, 20), (21, SMALL), (SMALL + 1, GAME_RANGE))
"""Numbers that are counted together when it is asked which are understood."""
EARLY = 100
"""Steps after a change that tell how much of what was learned can be used: a block of a run's curve."""


def rounds_data(runs: Path) -> pd.DataFrame:
    """All rounds of all evolving runs, without what the clock says."""
    known = [table for study in EVOLVING if (table := _rounds(runs, study)) is not None]
    return pd.concat(known, ignore_index=True) if known else pd.DataFrame(columns=ROUND_COLUMNS)


def _rounds(runs: Path, study: str) -> pd.DataFrame | None:
    table = finished_rounds(runs / study)
    if table is None:
        return None
    sets = {name: [format_set(tuple(each)) for each in table[name]] for name in ("digits", "multipliers")}
    named = table.assign(study=study, run=f"{study}/" + table["run"].astype(str), **sets)
    # Runs made before a field was recorded have an empty column.
    return named.reindex(columns=ROUND_COLUMNS).astype({"delta_size": "Int64"})


def ends_data(rounds: pd.DataFrame) -> pd.DataFrame:
    """One row a run: size, average complexity and gap before and after, and the system it ended with."""
    last = rounds.groupby("run")[["study", "grammar", "need", "digits", "multipliers"]].last()
    counts = {
        "multiplier_count": last["multipliers"].map(_count),
        "multiplier_count_before": rounds.groupby("run")["multipliers"].first().map(_count),
    }
    table = ends(rounds, ("add", "choose")).merge(last.assign(**counts), on="run")
    distances = {f"distance{when}": _distances(table, when) for when in ("", "_before")}
    return table.assign(who=_labels(table["choose"]), **distances)


def _distances(ends: pd.DataFrame, when: str) -> pd.Series:
    """How far each run lies from the frontier in both axes."""
    columns = ends[["grammar", "need", f"size{when}", f"average_complexity{when}"]]
    known = [
        None if average != average else distance(int(size), average, problem_of(grammar, need))
        for grammar, need, size, average in columns.itertuples(index=False)
    ]
    return pd.Series(known, ends.index, dtype=float)


def _labels(choosers: pd.Series) -> list[str]:
    return [CHOOSERS[name].label for name in choosers]


def _count(words: str) -> int:
    return len(parse_set(words))


def selection_data(rounds: pd.DataFrame) -> pd.DataFrame:
    """The strength of selection of agents, coin and oracle under each reading of m0 and m1."""
    compared = rounds[rounds["study"].isin(COMPARED)]
    if compared.empty:
        return pd.DataFrame()
    table = selection(compared)
    who = _labels(table["choose"])
    names = [f"{label}, {add}" for label, add in zip(who, table["add"], strict=True)]
    separated = (table["shorter_kept"] == 1) & (table["longer_kept"] == 0)
    return table.assign(who=who, group=names, separated=separated)


def final_systems(finals: pd.DataFrame) -> list[tuple[str, str, str, NumeralSystem]]:
    """Study, run, start and system of the runs of agents and coin from the paper's starts, as they ended."""
    rows = finals[finals["study"].isin(["agents", "coin"]) & (finals["add"] == LOWEST.name)]
    texts = rows["digits"] + " | " + rows["multipliers"]
    columns = (rows["study"], rows["run"], rows["start"], texts)
    return [(study, run, start, NumeralSystem.parse(text)) for study, run, start, text in zip(*columns, strict=True)]


def learning_data(runs: Path) -> pd.DataFrame:
    """How well agents that began from scratch communicate in the end, system by system and seed by seed."""
    table = finished_rounds(runs / "learning")
    if table is None:
        return pd.DataFrame()
    systems = [starting_system(start, MODIFIED_GRAMMAR.name, GAME_RANGE) for start in table["start"]]
    return pd.DataFrame(
        {
            "kind": ["start" if start.isdigit() else "optimum" for start in table["start"]],
            "system": [str(system) for system in systems],
            "start": table["start"],
            "seed": table["seed"],
            "streams": table["streams"],
            "size": [system.size for system in systems],
            "average_complexity": [average_complexity(system, upto=GAME_RANGE) for system in systems],
            "accuracy": table["accuracy"],
            "accuracy_greedy": table["accuracy_greedy"],
            "won": [float(RunView(runs / "learning" / run).curve()["reward"].mean()) for run in table["run"]],
        }
    )


def rewards_data(runs: Path) -> pd.DataFrame:
    """The same for one start and one optimum with other rewards, layers and batches."""
    table = finished_rounds(runs / "rewards")
    if table is None:
        return pd.DataFrame()
    renamed = table.rename(columns={f"game.{name}": name for name in ("reward", "hidden", "batch")})
    setting = ["reward", "hidden", "batch", "start", "seed"]
    return renamed[[*setting, "accuracy", "accuracy_greedy"]].sort_values(setting, ignore_index=True)


def restricted_data(runs: Path) -> dict[str, pd.DataFrame]:
    """Where agents that learn systems without recursion end, beside random systems, and how they come there."""
    rounds = finished_rounds(runs / RESTRICTED)
    if rounds is None:
        return {"restricted_agents": pd.DataFrame(), "restricted_curves": pd.DataFrame()}
    ended = restricted_ends(rounds)[RESTRICTED_COLUMNS].sort_values(["reward", "vocabulary", "seed"], ignore_index=True)
    curves = rounds[["run", "reward", "vocabulary", "round", "steps", "gap", "size"]]
    return {"restricted_agents": ended, "restricted_curves": curves}


def understood_data(runs: Path) -> pd.DataFrame:
    """Which share of the numbers, each counted once, agents understand that learned a start under either need.

    Runs that were kept without their agents do not count.
    """
    rows: list[dict[str, object]] = []
    for directory in [*finished_runs(runs / "learning"), *finished_runs(runs / "needs")]:
        if not RunView(directory).has_checkpoint():
            continue
        evolution, _, state = load_state(directory)
        options = evolution.options
        if options.seed == 0 and options.start.isdigit():
            table = _dictionary(evolution, state)
            for first, last in BANDS:
                right = float(table.loc[table["number"].between(first, last), "right"].mean())
                numbers = f"{first} to {last}"
                rows.append({"need": options.need, "start": options.start, "seed": options.seed,
                             "streams": options.streams, "numbers": numbers, "understood": right})  # fmt: skip
    return pd.DataFrame(rows)


def changes_data(runs: Path, rounds: pd.DataFrame) -> pd.DataFrame:
    """For each alternative that agents tried: how much of the language it changes, and how well talk went at once."""
    rows: list[dict[str, object]] = []
    for run, played in rounds[rounds["study"] == "agents"].groupby("run", sort=False):
        curve = RunView(runs / str(run)).curve()
        tried = played.assign(current=(played["digits"] + " | " + played["multipliers"]).shift(),
                              before=played["accuracy"].shift()).query("alternative.notna()")  # fmt: skip
        for each in tried.to_dict("records"):
            early = curve["reward"][curve["round"] == each["round"]][0]
            novelty = changed(str(each["current"]), str(each["alternative"]))
            rows.append({"run": run, "start": each["start"], "round": each["round"], "action": each["action"],
                         "changed": novelty, "before": each["before"], "early": float(early)})  # fmt: skip
    return pd.DataFrame(rows)


def _dictionary(evolution: Evolution, state: EvolutionState[NumeralSystem]) -> pd.DataFrame:
    table = dictionary(kernel_agents(state.agents), evolution.words(state.system, state.names))
    return table.assign(right=table["heard"] == table["number"])


def game_data(runs: Path) -> dict[str, pd.DataFrame]:
    """A game of the first run's agents: what is read and said, step by step, and what the listener makes of it.

    The first run is the first that was kept with its agents; where there is none, there is no game. The number is the
    smallest whose expression has several symbols and that is understood, or simply the smallest with several symbols.
    """
    directory = next((run for run in finished_runs(runs / "agents") if RunView(run).has_checkpoint()), None)
    if directory is None:
        return {"game": pd.DataFrame(), "game_guesses": pd.DataFrame()}
    evolution, round_, state = load_state(directory)
    agents, words = kernel_agents(state.agents), evolution.words(state.system, state.names)
    table = _dictionary(evolution, state)
    several = table[[len(words[number]) > 1 for number in table["number"]]]
    shown = next(rows for rows in (several[several["right"]], several, table) if len(rows))
    number = int(shown["number"].min())
    message, said = best_message(agents, words, number), speak(agents, words, number)
    heard = listen(agents, message)
    guess = int(heard.argmax()) + 1
    spoken = {
        "run": f"agents/{directory.name}",
        "after_round": round_,
        "system": str(state.system),
        "number": number,
        "position": np.arange(1, len(message) + 1),
        "token": words[number],
        "symbol": message,
        "probability": said.max(axis=1),
        "guess": guess,
        "reward": float(guess == number),
    }
    return {
        "game": pd.DataFrame(spoken),
        "game_guesses": pd.DataFrame({"number": np.arange(1, len(heard) + 1), "probability": heard}),
    }
