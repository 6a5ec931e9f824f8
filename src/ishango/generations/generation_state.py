"""What a generation hands to the next, and how it is kept on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ishango.game import Agents
from ishango.game.population import Population
from ishango.generations.generation_options import GenerationOptions
from ishango.generations.lexicons import Words, system_of, words_of
from ishango.lab import generator_from, generator_state
from ishango.numerals import NumeralSystem


@dataclass(frozen=True)
class GenerationState:
    """The words of each pair, their agents if they have any, and the random states."""

    lexicons: tuple[Words, ...]
    population: Population | None
    rng: np.random.Generator
    """Draws what is heard, lost and coined."""
    game_rng: np.random.Generator
    learners_rng: np.random.Generator
    """Draws the parameters of new agents."""
    parents_rng: np.random.Generator
    """Draws from whom a new pair learns."""


def save(state: GenerationState, options: GenerationOptions) -> dict[str, np.ndarray]:
    """The state as arrays; a single pair is saved as it was before there were populations."""
    systems = [str(system_of(words, options.grammar)) for words in state.lexicons]
    alone = len(systems) == 1
    text: dict[str, Any] = {"system": systems[0]} if alone else {"systems": systems}
    text["rng"] = generator_state(state.rng)
    if state.population is not None:
        text |= {"game_rng": generator_state(state.game_rng), "learners_rng": generator_state(state.learners_rng)}
    if not alone:
        text["parents_rng"] = generator_state(state.parents_rng)
    arrays = {"state": np.frombuffer(json.dumps(text).encode(), dtype=np.uint8)}
    for index, pair in enumerate(state.population.pairs if state.population else ()):
        arrays |= {_prefix(index, alone) + name: array for name, array in pair.to_arrays().items()}
    return arrays


def load(arrays: Mapping[str, np.ndarray], options: GenerationOptions) -> GenerationState:
    """The state that `save` wrote."""
    text = json.loads(arrays["state"].tobytes())
    systems = text["systems"] if "systems" in text else [text["system"]]
    lexicons = tuple(words_of(NumeralSystem.parse(each, options.grammar), options.game.upto) for each in systems)
    rng = generator_from(text["rng"])
    # Generators that were not saved are not used.
    others = (
        generator_from(text[name]) if name in text else rng for name in ("game_rng", "learners_rng", "parents_rng")
    )
    return GenerationState(lexicons, _population(arrays, len(systems), options), rng, *others)


def _population(arrays: Mapping[str, np.ndarray], count: int, options: GenerationOptions) -> Population | None:
    if options.agents != "neural":
        return None
    prefixes = [_prefix(index, count == 1) for index in range(count)]
    return Population([
        Agents.from_arrays({name.removeprefix(each): arrays[name] for name in arrays if name.startswith(each)})
        for each in prefixes
    ])  # fmt: skip


def _prefix(index: int, alone: bool) -> str:
    return "" if alone else f"pair_{index}_"
