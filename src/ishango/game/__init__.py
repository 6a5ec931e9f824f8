"""Agents that talk: the signalling game. It knows token strings and rewards, never grammars."""

from ishango.game.agents import Agent, Agents, export, load_agents, save_agents, state_dict
from ishango.game.ask import (
    Competence,
    best_message,
    competence,
    dictionary,
    gates,
    listen,
    speak,
    topographic_similarity,
    write_dictionary,
)
from ishango.game.play import play
from ishango.game.players import Players, Talkers, find_players
from ishango.game.round import (
    REWARDS,
    WINDOW,
    Expressions,
    GameOptions,
    Reward,
    RewardName,
    Round,
    encode,
    reward_table,
)

__all__ = [
    "REWARDS",
    "WINDOW",
    "Agent",
    "Agents",
    "Competence",
    "Expressions",
    "GameOptions",
    "Players",
    "Reward",
    "RewardName",
    "Round",
    "Talkers",
    "best_message",
    "competence",
    "dictionary",
    "encode",
    "export",
    "find_players",
    "gates",
    "listen",
    "load_agents",
    "play",
    "reward_table",
    "save_agents",
    "speak",
    "state_dict",
    "topographic_similarity",
    "write_dictionary",
]
