"""Where a step's time goes, and the least it could take: phases by cycle counter, floors by counting."""

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ishango.game import Agents, GameOptions, encode, play
from ishango.game.products import jit
from ishango.game.signalling import (
    Mind, back_listen, back_speak, back_think, credit, draw_guesses, draw_messages, draw_numbers, improve, listen,
    make_batch, make_rules, speak, think,
)  # fmt: skip
from ishango.game.tree import grow

PHASES = ("sampling", "tree", "forward", "backward", "adam")


@intrinsic
def cycles(typingctx: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.readcyclecounter"), [])

    return types.int64(), generate


@jit
def timed_steps(speaker, listener, batch, rules, rng, steps, spent, counts):
    """`ishango.game.signalling.step`, its phases timed: `spent` (5,) cycles, `counts` (4,) nodes and recurrent nodes."""
    games = batch.numbers.size
    for _ in range(steps):
        t0 = cycles()
        draw_numbers(batch, rules, 0, rng)
        t1 = cycles()
        grow(speaker.tree, batch.tokens, batch.lengths)
        t2 = cycles()
        think(speaker)
        nodes = speak(speaker)
        t3 = cycles()
        draw_messages(speaker, batch, rng)
        t4 = cycles()
        grow(listener.tree, batch.messages, batch.lengths)
        t5 = cycles()
        think(listener)
        rows = listen(listener, batch)
        t6 = cycles()
        draw_guesses(listener, batch, rules, rng)
        t7 = cycles()
        credit(speaker, listener, batch, 0.0)
        back_speak(speaker, nodes, games, rules.speaker_entropy)
        back_listen(listener, rows, games, rules.listener_entropy)
        back_think(speaker)
        back_think(listener)
        t8 = cycles()
        improve(speaker, rules.learning_rate)
        improve(listener, rules.learning_rate)
        t9 = cycles()
        spent[0] += t1 - t0 + t4 - t3 + t7 - t6
        spent[1] += t2 - t1 + t5 - t4
        spent[2] += t3 - t2 + t6 - t5
        spent[3] += t8 - t7
        spent[4] += t9 - t8
        heard = listener.tree.starts[listener.tree.levels[0]]
        counts[0] += nodes + heard
        counts[1] += nodes - speaker.tree.starts[1] + heard - listener.tree.starts[1]
        counts[2] += nodes + rows
        counts[3] += speaker.tree.levels[0] + listener.tree.levels[0]


class Profile(NamedTuple):
    shares: dict[str, float]
    nodes: float
    recurrent: float
    acting: float
    levels: float


def profile(expressions: dict[int, tuple[str, ...]], need: np.ndarray, warmup: int, steps: int) -> Profile:
    """Shares of the phases and mean counts per step, after `warmup` steps."""
    options, rng = GameOptions(), np.random.default_rng(0)
    agents = Agents.random(options, rng)
    play(agents, [expressions], need, options, warmup, rng)
    encoded = encode([expressions], options.range)
    length = encoded.tokens.shape[-1]
    minds = [Mind.of(agent, options.batch, length) for agent in (agents.speaker, agents.listener)]
    rules = make_rules(options, encoded, need / need.sum(), np.eye(options.range))
    spent, counts = np.zeros(len(PHASES), np.int64), np.zeros(4, np.int64)
    timed_steps(*minds, make_batch(options.batch, length), rules, rng, steps, spent, counts)
    return Profile(dict(zip(PHASES, spent / spent.sum(), strict=True)), *(counts / steps))
