"""Talking to the agents of a run: they are read from its checkpoint, which stays as it is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import ascii_letters
from typing import Any

import numpy as np
import pandas as pd

from ishango.errors import RequestError
from ishango.evolution import EVOLUTION, Evolution
from ishango.evolution.conversation import expressions, with_brackets
from ishango.explorer.drawing import picture
from ishango.explorer.optima import NEED
from ishango.explorer.runs import Runs
from ishango.explorer.summaries import has_agents
from ishango.figures.run_figures import listener_figure, message_figure
from ishango.game import Agents, Expressions, dictionary, listen, speak
from ishango.game.players import kernel_agents, require_kernel
from ishango.lab import RunView
from ishango.lab.checkpoint import NAME, PREVIOUS
from ishango.lab.directory import RUN
from ishango.numerals import Need, NumeralSystem, minimal_language

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
    return _pair(view.directory, view.stamp((RUN, NAME, PREVIOUS)))


def read_dictionary(name: str, pair: Pair) -> dict[str, Any]:
    """The whole emergent language as JSON."""
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
    """What is said for one number, and what is understood."""
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
        "speaker": picture(message_figure, {"symbols": symbols}, rows=int(symbols["symbol"].nunique())),
        "listener": picture(listener_figure, {"guesses": _guesses(heard, number)}),
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
    state = experiment.load(checkpoint.state)
    agents = kernel_agents(state.agents)
    own = not str(view.config["need"]).startswith("file:")
    need = str(view.config["need"]) if own else NEED
    language = minimal_language(state.system, experiment.options.game.upto)
    ties = {number: language.ties(number) for number in language}
    written = with_brackets(state.system, experiment.options)
    said = expressions(state.spoken, experiment.options)
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
