"""Agents that talk: the signalling game. It knows token strings and rewards, never grammars."""

from ishango.game._agents import Agents, export, load_agents, save_agents
from ishango.game._ask import (
    Best,
    best,
    best_message,
    competence,
    dictionary,
    edit_distances,
    listen,
    speak,
    topographic_similarity,
    write_dictionary,
)
from ishango.game._play import Demonstrations, Lesson, Population, demonstrate, imitate, mingle, play
from ishango.game._players import KERNEL, Talkers, Teaching, find_players, kernel_agents, require_kernel
from ishango.game._round import (
    EXACT,
    EXPONENTIAL,
    INVERSE,
    LINEAR,
    PAPER,
    REWARDS,
    Expressions,
    GameOptions,
    Reward,
    RewardName,
    Round,
    encode,
    game_presets,
    reward_table,
)

__all__ = [
    "EXACT", "EXPONENTIAL", "INVERSE", "KERNEL", "LINEAR", "PAPER", "REWARDS", "Agents", "Best", "Demonstrations",
    "Expressions", "GameOptions", "Lesson", "Population", "Reward", "RewardName", "Round", "Talkers", "Teaching",
    "best", "best_message", "competence", "demonstrate", "dictionary", "edit_distances", "encode", "export",
    "find_players", "game_presets", "imitate", "kernel_agents", "listen", "load_agents", "mingle", "play",
    "require_kernel", "reward_table", "save_agents", "speak", "topographic_similarity", "write_dictionary",
]  # fmt: skip
