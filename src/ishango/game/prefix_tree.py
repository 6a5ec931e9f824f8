# pyright: basic
# Kernels: Numba infers the types of their arguments.
"""The prefix tree of a batch of strings: equal prefixes are one node, computed once.

Nodes are numbered level by level, so a level is a run of rows and parents come before their children.
"""

from typing import NamedTuple

import numpy as np

from ishango.compiling import jit


class PrefixTree(NamedTuple):
    """Room for the prefix tree of `games` strings of up to `length` symbols."""

    parent: np.ndarray
    """(nodes,) parent of a node; meaningless on level 0."""
    symbol: np.ndarray
    """(nodes,) last symbol of a node's prefix."""
    starts: np.ndarray
    """(length + 1,) first node of each level."""
    levels: np.ndarray
    """(1,) levels in use."""
    node: np.ndarray
    """(games, length) node of each prefix of each game's string."""
    child: np.ndarray
    """(nodes + 1, alphabet) node reached by a symbol, -1 if none; row 0 is the root, row i + 1 is node i."""

    @classmethod
    def empty(cls, games: int, length: int, alphabet: int) -> "PrefixTree":
        """A tree without nodes."""
        nodes = games * length
        return cls(
            parent=np.zeros(nodes, np.int64),
            symbol=np.zeros(nodes, np.int64),
            starts=np.zeros(length + 1, np.int64),
            levels=np.zeros(1, np.int64),
            node=np.zeros((games, length), np.int64),
            child=np.full((nodes + 1, alphabet), -1, np.int64),
        )


@jit
def grow(tree, strings, lengths):
    """Make `tree` the prefix tree of `strings` (games, length), of which `lengths` (games,) symbols count."""
    _clear(tree)
    games, count, level = lengths.size, 0, 0
    while True:
        tree.starts[level] = count
        for game in range(games):
            if lengths[game] <= level:
                continue
            above = tree.node[game, level - 1] + 1 if level > 0 else 0
            symbol = strings[game, level]
            node = tree.child[above, symbol]
            if node < 0:
                node = count
                count += 1
                tree.child[above, symbol] = node
                tree.parent[node] = above - 1
                tree.symbol[node] = symbol
            tree.node[game, level] = node
        if tree.starts[level] == count:
            break
        level += 1
        if level == strings.shape[1]:
            tree.starts[level] = count
            break
    tree.levels[0] = level


@jit
def _clear(tree):
    """Forget the children of the nodes in use."""
    for node in range(tree.starts[tree.levels[0]]):
        tree.child[tree.parent[node] + 1, tree.symbol[node]] = -1
