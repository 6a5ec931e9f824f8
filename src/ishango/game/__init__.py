"""Agents that talk: the signalling game. It knows token strings and rewards, never grammars."""

from ishango.game.agents import Agent, Agents
from ishango.game.expressions import Expressions, encode
from ishango.game.export import export, load_agents, save_agents, state_dict
from ishango.game.options import GameOptions
from ishango.game.play import play
from ishango.game.round import WINDOW, Round

__all__ = [
    "WINDOW",
    "Agent",
    "Agents",
    "Expressions",
    "GameOptions",
    "Round",
    "encode",
    "export",
    "load_agents",
    "play",
    "save_agents",
    "state_dict",
]
