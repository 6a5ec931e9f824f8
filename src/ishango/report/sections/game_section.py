"""One game of trained agents, looked at closely."""

from __future__ import annotations

import altair as alt

from ishango.figures.run_figures import game_figure
from ishango.report.data import Tables
from ishango.report.page_parts import Section, figure

TEXT = """\
A game of real trained agents, those of the first run after its last round, about the smallest number that needs
several symbols and is understood. The speaker reads the number's expression token by token and says a symbol after
each (the likeliest one is shown, with its probability); the listener hears the symbols and guesses. Both are
rewarded if the guess is right."""

SECTION = Section("game", "A communication round", TEXT, ("game",))


@figure(
    "game",
    "what a speaker says for a number, and what the listener makes of it",
    "game",
    "game_guesses",
    fixed=True,
    see="Above what is read and said, below the listener's probabilities.",
)
def game_chart(data: Tables) -> alt.TopLevelMixin:
    """A communication round."""
    return game_figure(data["game"], data["game_guesses"])
