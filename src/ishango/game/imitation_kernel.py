# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""Learning by imitation: cross-entropy is the gradient of a game with a pull of 1 on what was demonstrated."""

from ishango.compiling import entry
from ishango.game.lstm import lstm_forward
from ishango.game.prefix_tree import grow
from ishango.game.products import copy
from ishango.game.signalling import credit, learn, listen, speak


@entry
def imitate_steps(speaker, listener, batch, rules, numbers, tokens, lengths, messages, rng, steps):
    """Learn for some steps, each from a batch of the demonstrations, drawn uniformly; entropies must be 0.

    `numbers` and `lengths` (examples,), `tokens` and `messages` (examples, longest) are what was demonstrated.
    """
    games = batch.numbers.size
    for _ in range(steps):
        for game in range(games):
            example = int(rng.random() * numbers.size)
            batch.numbers[game] = batch.guesses[game] = numbers[example]
            batch.lengths[game] = lengths[example]
            copy(tokens[example], batch.tokens[game])
            copy(messages[example], batch.messages[game])
            batch.rewards[game] = 1.0
        grow(speaker.tree, batch.tokens, batch.lengths)
        lstm_forward(speaker.tree, speaker.weights, speaker.memory, speaker.zero)
        nodes = speak(speaker)
        grow(listener.tree, batch.heard, batch.lengths)
        lstm_forward(listener.tree, listener.weights, listener.memory, listener.zero)
        rows = listen(listener, batch)
        credit(speaker, listener, batch, rules, 0.0)
        learn(speaker, listener, nodes, rows, games, rules.learning_rate)
