"""Where a step's time goes, and the least it could take: phases by cycle counter, floors by counting."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ishango.compiling import entry
from ishango.game import Agents, GameOptions, encode, listen, play, speak
from ishango.game._agents import agent_sizes, aligned, length
from ishango.game._kernel import (
    Mind,
    back_listen,
    back_speak,
    back_think,
    credit,
    draw_guesses,
    draw_messages,
    draw_numbers,
    improve,
    make_batch,
    make_rules,
)
from ishango.game._network import grow, lstm_forward
from ishango.game._vectors import forward

PHASES = ("sampling", "tree", "forward", "backward", "adam")


@intrinsic
def cycles(typingctx: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.readcyclecounter"), [])

    return types.int64(), generate


@entry
def timed_steps(speaker, listener, batch, rules, rng, steps, spent, counts):
    """`ishango.game._kernel.step`, phase by phase: `spent` (5,) cycles and `counts` (4,) as in `Profile`."""
    games = batch.numbers.size
    for _ in range(steps):
        t0 = cycles()
        draw_numbers(batch, rules, 0, rng)
        t1 = cycles()
        grow(speaker.tree, batch.tokens, batch.lengths)
        t2 = cycles()
        lstm_forward(speaker.tree, speaker.weights, speaker.memory, speaker.zero)
        nodes = speak(speaker)
        t3 = cycles()
        draw_messages(speaker, batch, rng)
        t4 = cycles()
        grow(listener.tree, batch.messages, batch.lengths)
        t5 = cycles()
        lstm_forward(listener.tree, listener.weights, listener.memory, listener.zero)
        rows = listen(listener, batch)
        t6 = cycles()
        draw_guesses(listener, batch, rules, rng)
        t7 = cycles()
        credit(speaker, listener, batch, rules, 0.0)
        back_listen(listener, rows, games)
        back_think(listener)
        t8 = cycles()
        improve(listener, rules.learning_rate)
        t9 = cycles()
        back_speak(speaker, nodes, games)
        back_think(speaker)
        t10 = cycles()
        improve(speaker, rules.learning_rate)
        t11 = cycles()
        spent[0] += t1 - t0 + t4 - t3 + t7 - t6
        spent[1] += t2 - t1 + t5 - t4
        spent[2] += t3 - t2 + t6 - t5
        spent[3] += t8 - t7 + t10 - t9
        spent[4] += t9 - t8 + t11 - t10
        heard = listener.tree.starts[listener.tree.levels[0]]
        counts[0] += nodes + heard
        counts[1] += nodes - speaker.tree.starts[1] + heard - listener.tree.starts[1]
        counts[2] += nodes + rows
        counts[3] += speaker.tree.levels[0] + listener.tree.levels[0]


class Profile(NamedTuple):
    seconds: float
    """Time of a step."""
    shares: dict[str, float]
    """Its parts by phase."""
    nodes: float
    """Mean number of nodes in the trees of both agents, and so on."""
    recurrent: float
    acting: float
    levels: float


def profile(expressions: dict[int, tuple[str, ...]], need: np.ndarray, warmup: int, steps: int) -> Profile:
    """Time, shares of the phases and mean counts of a step, after `warmup` steps."""
    options, rng = GameOptions(), np.random.default_rng(0)
    agents = Agents.random(options, rng)
    play(agents, [expressions], need, options, warmup, rng)
    encoded = encode([expressions], options.upto)
    longest = encoded.tokens.shape[-1]
    minds = [Mind.of(agent, options.batch, longest) for agent in (agents.speaker, agents.listener)]
    rules = make_rules(options, encoded, need / need.sum(), np.eye(options.upto))
    for count in (1, steps):  # the first call compiles
        spent, counts = np.zeros(len(PHASES), np.int64), np.zeros(4, np.int64)
        begin = time.process_time()
        timed_steps(*minds, make_batch(options.batch, longest), rules, rng, count, spent, counts)
        taken = (time.process_time() - begin) / count
    return Profile(taken, dict(zip(PHASES, spent / spent.sum(), strict=True)), *(counts / steps))


@entry
def _products(x, w, y, repeats):
    for _ in range(repeats):
        forward(x, w, y, 0, x.shape[0])


@entry
def _stream(a, b, repeats):
    for _ in range(repeats):
        for i in range(a.size):
            b[i] += a[i]


def best(call: Callable[[], object], tries: int = 20) -> float:
    call()
    times = []
    for _ in range(tries):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return min(times)


def _rate(rows: int) -> float:
    """Multiplications and additions a second of products with so many rows."""
    hidden, gates = GameOptions().hidden, 4 * GameOptions().hidden
    shapes = (rows, hidden), (hidden, gates), (rows, gates)
    x, w, y = (aligned(height * width).reshape(height, width) for height, width in shapes)
    return 2 * rows * hidden * gates * 50 / best(lambda: _products(x, w, y, 50))


class Floor(NamedTuple):
    """The least a step can take: its multiplications and its memory traffic, each at the best rate measured here."""

    flops: float
    """A second, in products of this size with many rows, the fastest there are here."""
    bytes: float
    """A second, reading and writing vectors of the size of the parameters."""

    @classmethod
    def measured(cls) -> "Floor":
        flops = max(_rate(rows) for rows in (6, 12, 24) for _ in range(5))  # where arrays come to lie matters, too
        a, b = np.zeros(160_000, np.float32), np.zeros(160_000, np.float32)
        return cls(flops, 3 * 4 * a.size * 100 / best(lambda: _stream(a, b, 100)))

    @property
    def note(self) -> str:
        return f"the larger of flops at {self.flops / 1e9:.0f} GF/s and bytes at {self.bytes / 1e9:.0f} GB/s"

    def seconds(self, profile: Profile, options: GameOptions) -> float:
        """Floor of a step: three products for each node below the first level and each acting one; Adam reads four
        vectors and writes three; the recurrent weights are read twice on each level and their gradient is written."""
        gates, parameters = 4 * options.hidden, sum(length(s) for s in agent_sizes(options))
        flops = 6 * options.hidden * (profile.recurrent * gates + profile.acting * options.symbols)
        weights = 2 * (profile.levels - 2) * options.hidden * gates
        return max(flops / self.flops, 4 * (8 * parameters + weights) / self.bytes)
