"""Agents that talk: the signalling game. It knows token strings and rewards, never grammars."""

from ishango.game.agent_files import export, load_agents, save_agents, state_dict
from ishango.game.agents import Agent, Agents
from ishango.game.ask import Competence, best_message, competence, gates, listen, speak
from ishango.game.dictionary import dictionary, topographic_similarity, write_dictionary
from ishango.game.expressions import Expressions, encode
from ishango.game.game_options import GameOptions
from ishango.game.play import play
from ishango.game.players import Players, Talkers, find_players
from ishango.game.rewards import REWARDS, Reward, RewardName, reward_table
from ishango.game.round import WINDOW, Round

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
