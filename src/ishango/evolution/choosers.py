"""Who decides between the current system and the alternative, by name: communication, a coin, an oracle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ishango.game import Agents
from ishango.lab import Progress
from ishango.numerals import NumeralSystem
from ishango.registry import Registry

if TYPE_CHECKING:
    from ishango.evolution.evolution_options import EvolutionOptions


@dataclass(frozen=True)
class Question:
    """What a chooser is asked in a round: keep the current system or take the alternative?"""

    current: NumeralSystem
    alternative: NumeralSystem
    delta_average: float
    """Average complexity of the alternative minus that of the current system, over the game range."""
    options: EvolutionOptions
    agents: Agents | None
    """They learn in place; None where the chooser uses none."""
    grammar_rng: np.random.Generator
    game_rng: np.random.Generator
    progress: Progress


@dataclass(frozen=True)
class Decision:
    """Whether the alternative is kept, how communication went, and its curve of rewards."""

    accepted: bool
    communication: dict[str, Any] = field(default_factory=dict[str, Any])
    """Fields of the round's record that only communication fills."""
    curve: np.ndarray | None = None


@dataclass(frozen=True)
class Chooser:
    """One way to decide."""

    name: str
    """What the option `choose` calls it."""
    label: str
    """What pages, tables and legends call it."""
    sentence: str
    uses_agents: bool
    decide: Callable[[Question], Decision]


CHOOSERS: Registry[Chooser] = Registry("chooser", "ishango.choosers")
